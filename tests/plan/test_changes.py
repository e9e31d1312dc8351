"""Adding and taking away tables and statistics keeps the shares whole and locked ones as they are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workbench.plan.changes import (
    has_room,
    with_new_statistic,
    with_new_table,
    with_statistic,
    without_statistic,
    without_table,
)
from workbench.plan.plan import ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.shares import drawn_statistics

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)


def shares(plan: ReleasePlan) -> list[Fraction]:
    return [statistic.share for statistic in drawn_statistics(plan)]


def two_tables(*, locked: bool = False) -> ReleasePlan:
    first = Table("a", statistics=(Statistic(share=Fraction(3), locked=locked),))
    return ReleasePlan(tables=(first, Table("b", statistics=(Statistic(share=Fraction(1)),))))


def test_the_first_table_gets_everything() -> None:
    assert shares(with_new_table(ReleasePlan(), Table("a"))) == [1]


def test_a_second_table_gets_as_much_as_the_first() -> None:
    plan = with_new_table(with_new_table(ReleasePlan(), Table("a")), Table("b"))
    assert shares(plan) == [HALF, HALF]
    assert [table.name for table in plan.tables] == ["a", "b"]


def test_a_new_table_leaves_locked_shares_alone() -> None:
    assert shares(with_new_table(two_tables(locked=True), Table("c"))) == [3 * QUARTER, QUARTER / 2, QUARTER / 2]


def test_while_every_share_is_locked_a_new_table_comes_without_statistics() -> None:
    plan = ReleasePlan(tables=(Table("a", statistics=(Statistic(locked=True),)),))
    assert not has_room(plan)
    grown = with_new_table(plan, Table("b"))
    assert [len(table.statistics) for table in grown.tables] == [1, 0]
    assert shares(grown) == [1]


def test_a_table_taken_away_leaves_its_share_to_the_rest() -> None:
    assert shares(without_table(two_tables(), 0)) == [1]
    assert without_table(two_tables(), 0).tables[0].name == "b"


def test_the_last_table_can_be_taken_away() -> None:
    assert without_table(with_new_table(ReleasePlan(), Table("a")), 0).tables == ()


def test_a_statistic_is_added_to_its_own_table() -> None:
    plan = with_new_statistic(two_tables(), 0, Statistic(StatisticKind.SUM, "earnings"))
    assert [len(table.statistics) for table in plan.tables] == [2, 1]
    assert shares(plan) == [HALF, THIRD, Fraction(1, 6)]


def test_a_statistic_taken_away_comes_from_its_own_table() -> None:
    plan = with_new_statistic(two_tables(), 0, Statistic(StatisticKind.SUM, "earnings"))
    assert shares(without_statistic(plan, 0, 1)) == [3 * QUARTER, QUARTER]


def test_a_replaced_statistic_changes_nothing_else() -> None:
    plan = two_tables()
    locked = replace(plan.tables[1].statistics[0], locked=True)
    changed = with_statistic(plan, 1, 0, locked)
    assert changed.tables[1].statistics == (locked,)
    assert changed.tables[0] == plan.tables[0]
