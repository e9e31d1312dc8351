"""What a plan would do as it stands: each statistic with the mechanism that would release it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.plan.plan import ReleasePlan
from workbench.privacy.choose import choose
from workbench.privacy.composition import Allotment, allotments
from workbench.privacy.mechanisms import Mechanism


@dataclass(frozen=True)
class Planned:
    """One statistic of the plan at the plan's epsilon."""

    part: Allotment
    mechanism: Mechanism

    @property
    def title(self) -> str:
        return f"{self.part.table.name}: {self.part.statistic.title}"


def planned(plan: ReleasePlan) -> tuple[Planned, ...]:
    """The statistics that have a mechanism and an epsilon, in the plan's order."""
    if plan.neighbors is None:
        return ()
    found = ((part, choose(part.statistic, plan.neighbors, part.epsilon)) for part in allotments(plan))
    return tuple(Planned(part, mechanism) for part, mechanism in found if mechanism)


def with_some_epsilon(plan: ReleasePlan) -> ReleasePlan:
    """Curves and lists of statistics exist before epsilon is chosen: shares alone decide them."""
    if plan.budget.epsilon and plan.budget.epsilon > 0:
        return plan
    return replace(plan, budget=replace(plan.budget, epsilon=Fraction(1)))
