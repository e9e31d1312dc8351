"""Whether every statistic of a plan has a mechanism that keeps its promise."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.data.findings import Finding, Severity, Stage
from workbench.plan.plan import ReleasePlan
from workbench.privacy.choose import candidates, choose
from workbench.privacy.composition import allotments


def check_mechanisms(plan: ReleasePlan) -> tuple[Finding, ...]:
    """A finding for each statistic that no mechanism fits."""
    return tuple(_unserved(plan))


def _unserved(plan: ReleasePlan) -> Iterator[Finding]:
    if plan.neighbors is None:
        return
    for number, part in enumerate(allotments(plan)):
        statistic = part.statistic
        if choose(statistic, plan.neighbors, part.epsilon):
            continue
        considered = candidates(statistic, plan.neighbors, part.epsilon)
        reasons = " ".join(f"{one.kind.title}: {one.reason}" for one in considered if not one.is_admissible)
        fitting = ", ".join(one.kind.name for one in considered if one.is_admissible)
        what = (
            f"The mechanism “{statistic.mechanism}” cannot release the {statistic.title} of “{part.table.name}”."
            if fitting
            else f"No mechanism of this version releases the {statistic.title} of “{part.table.name}” "
            f"with protection “{plan.neighbors.name}”. {reasons}"
        )
        remedy = f"Choose one of: auto, {fitting}." if fitting else "Choose another statistic or protection."
        yield Finding("mechanism-fits", Severity.BLOCK, Stage.STATISTICS, f"statistics.{number}", what, remedy)
