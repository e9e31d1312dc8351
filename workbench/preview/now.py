"""What a plan would do as it stands: each statistic with the mechanism that would release it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workbench.plan.plan import ReleasePlan
from workbench.privacy.composition import Allotment, allotments


def planned(plan: ReleasePlan) -> tuple[Allotment, ...]:
    """The statistics that have a mechanism and an epsilon, in the plan's order."""
    return tuple(part for part in allotments(plan) if part.mechanism)


def at_epsilon(plan: ReleasePlan, epsilon: Fraction) -> ReleasePlan:
    return replace(plan, budget=replace(plan.budget, epsilon=epsilon))


def with_some_epsilon(plan: ReleasePlan) -> ReleasePlan:
    """Curves and lists of statistics exist before epsilon is chosen: shares alone decide them."""
    if plan.budget.epsilon and plan.budget.epsilon > 0:
        return plan
    return at_epsilon(plan, Fraction(1))
