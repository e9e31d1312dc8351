"""The statistics that can be added to a table, and why others cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.data.schema import Role
from workbench.plan.changes import has_room
from workbench.plan.measures import measure_grid
from workbench.plan.plan import ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.policy import default_policy
from workbench.privacy import mechanisms
from workbench.privacy.choose import candidates
from workbench.privacy.composition import brief_of
from workbench.privacy.routes import Spending

_NO_MECHANISM = "no mechanism of this version"


@dataclass(frozen=True)
class Addition:
    """A statistic to add, or the reason why it cannot be."""

    statistic: Statistic
    reason: str

    @property
    def is_possible(self) -> bool:
        return not self.reason


def additions(plan: ReleasePlan, table: Table, kind: StatisticKind) -> tuple[Addition, ...]:
    """A count; or one statistic for each measure of the plan. What cannot be released yet is one entry."""
    return tuple(Addition(statistic, _why_not(plan, table, statistic)) for statistic in _named(plan, kind))


def _named(plan: ReleasePlan, kind: StatisticKind) -> Iterator[Statistic]:
    measures = plan.columns_with(Role.MEASURE) if kind is not StatisticKind.COUNT and _is_offered(kind) else ()
    yield from (Statistic(kind, column.name) for column in measures)
    if not measures:
        yield Statistic(kind)


def _is_offered(kind: StatisticKind) -> bool:
    return any(kind in offer.kinds for offer in mechanisms.OFFERS)


def _why_not(plan: ReleasePlan, table: Table, wanted: Statistic) -> str:
    if not has_room(plan):
        return "every share is locked"
    if any((one.kind, one.measure) == (wanted.kind, wanted.measure) for one in table.statistics):
        return "is in the table already"
    if not _is_offered(wanted.kind):
        return _NO_MECHANISM
    return _measure_lacks(plan, wanted) or (
        "" if _fits(plan, table, wanted) else f"{_NO_MECHANISM} for this protection"
    )


def _measure_lacks(plan: ReleasePlan, wanted: Statistic) -> str:
    if wanted.kind is StatisticKind.COUNT:
        return ""
    column = plan.column(wanted.measure) if wanted.measure else None
    if column is None:
        return "no column is a measure"
    return "" if measure_grid(column) else "its public bounds are missing"


def _fits(plan: ReleasePlan, table: Table, wanted: Statistic) -> bool:
    """Whether any mechanism would do, with all the epsilon the policy allows."""
    brief = brief_of(plan, table, wanted, Spending(default_policy().largest_epsilon, plan.budget.delta))
    return brief is None or any(one.is_admissible for one in candidates(brief))
