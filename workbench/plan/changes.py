"""Tables and statistics added to a plan or taken away, with the shares of the others kept whole."""

from __future__ import annotations

from dataclasses import replace

from workbench.plan.plan import ReleasePlan, Statistic, Table
from workbench.plan.shares import drawn_statistics, shares_with_newcomer, shares_without, with_shares


def has_room(plan: ReleasePlan) -> bool:
    """Whether a new statistic can get a share: not while every share is locked."""
    statistics = drawn_statistics(plan)
    return not statistics or any(not statistic.locked for statistic in statistics)


def with_new_table(plan: ReleasePlan, table: Table) -> ReleasePlan:
    """The plan with a table at its end; while every share is locked the table comes without statistics."""
    statistics = table.statistics if has_room(plan) else ()
    grown = replace(plan, tables=(*plan.tables, replace(table, statistics=())))
    for statistic in statistics:
        grown = with_new_statistic(grown, len(grown.tables) - 1, statistic)
    return grown


def without_table(plan: ReleasePlan, at: int) -> ReleasePlan:
    """The plan without a table; its share goes to the statistics that are left."""
    while plan.tables[at].statistics:
        plan = without_statistic(plan, at, 0)
    return replace(plan, tables=(*plan.tables[:at], *plan.tables[at + 1 :]))


def with_new_statistic(plan: ReleasePlan, table_at: int, statistic: Statistic) -> ReleasePlan:
    """The plan with a statistic at the end of a table."""
    table = plan.tables[table_at]
    grown = plan.with_table(table_at, replace(table, statistics=(*table.statistics, statistic)))
    index = _first_of(plan, table_at) + len(table.statistics)
    return with_shares(grown, shares_with_newcomer(drawn_statistics(grown), index))


def without_statistic(plan: ReleasePlan, table_at: int, at: int) -> ReleasePlan:
    """The plan without one statistic of a table."""
    table = plan.tables[table_at]
    shares = shares_without(drawn_statistics(plan), _first_of(plan, table_at) + at)
    left = replace(table, statistics=(*table.statistics[:at], *table.statistics[at + 1 :]))
    return with_shares(plan.with_table(table_at, left), shares)


def with_statistic(plan: ReleasePlan, table_at: int, at: int, changed: Statistic) -> ReleasePlan:
    """The plan with one statistic replaced."""
    table = plan.tables[table_at]
    statistics = (*table.statistics[:at], changed, *table.statistics[at + 1 :])
    return plan.with_table(table_at, replace(table, statistics=statistics))


def _first_of(plan: ReleasePlan, table_at: int) -> int:
    """How many statistics stand before those of a table."""
    return sum(len(table.statistics) for table in plan.tables[:table_at])
