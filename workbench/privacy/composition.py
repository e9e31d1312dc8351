"""What a plan costs: the exact epsilon of each statistic, and why the amounts add up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from workbench.plan.plan import ReleasePlan, Statistic, Table


@dataclass(frozen=True)
class Allotment:
    """One statistic of one table with its exact part of the budget."""

    table: Table
    statistic: Statistic
    epsilon: Fraction
    share: Fraction


def allotments(plan: ReleasePlan) -> tuple[Allotment, ...]:
    """The budget divided by shares; sequential composition, so the parts add up to the plan's epsilon exactly."""
    drawn = [(table, statistic) for table in plan.tables for statistic in table.statistics]
    shares = sum((statistic.share for _, statistic in drawn), Fraction(0))
    budget = plan.budget.epsilon
    if budget is None or budget <= 0 or shares == 0:
        return ()
    return tuple(
        Allotment(table, statistic, budget * statistic.share / shares, statistic.share / shares)
        for table, statistic in drawn
    )


def composition_words(plan: ReleasePlan) -> str:
    """Why the total is what it is."""
    parts = allotments(plan)
    within = (
        "Within a table every record is in one cell, so the cells share one epsilon."
        if plan.neighbors is None or plan.neighbors.most_records == 1
        else "One protected unit can be in several cells of a table; the noise covers all of them together."
    )
    if len(parts) <= 1:
        return f"{within} Totals are added up from published cells and cost nothing."
    return f"{within} The {len(parts)} statistics use the same records, so their epsilons add up. Totals cost nothing."
