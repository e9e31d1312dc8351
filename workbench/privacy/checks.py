"""Whether every statistic of a plan has a mechanism that keeps its promise."""

from __future__ import annotations

from fractions import Fraction

from workbench.data.findings import Finding, Severity, Stage
from workbench.plan.amounts import exact_text
from workbench.plan.plan import ReleasePlan
from workbench.privacy.choose import Candidate
from workbench.privacy.composition import Allotment, allotments
from workbench.privacy.mechanisms import offer_named
from workbench.privacy.unfit import readable_above


def check_mechanisms(plan: ReleasePlan) -> tuple[Finding, ...]:
    """A finding for each statistic that no mechanism fits."""
    parts = enumerate(allotments(plan)) if plan.neighbors else ()
    return tuple(_unserved(part, number) for number, part in parts if part.choice is None)


def _unserved(part: Allotment, number: int) -> Finding:
    fitting = [one for one in part.candidates if one.is_admissible]
    what, remedy = _not_this_one(part, fitting) if fitting else _none(part)
    return Finding("mechanism-fits", Severity.BLOCK, Stage.STATISTICS, f"statistics.{number}", what, remedy)


def _not_this_one(part: Allotment, fitting: list[Candidate]) -> tuple[str, str]:
    wanted = part.statistic.mechanism
    reason = next((one.reason for one in part.candidates if one.offer.name == wanted), "It is not known.")
    what = (
        f"The mechanism “{wanted}” cannot release the {part.statistic.title} of “{part.table.name}”. {reason}"
    )  # fmt: skip
    return what, f"Choose one of: auto, {', '.join(one.offer.name for one in fitting)}."


def _none(part: Allotment) -> tuple[str, str]:
    """The mechanisms made for this statistic, each with the condition that fails; the others go without saying."""
    assert part.brief is not None
    wanted = offer_named(part.statistic.mechanism)
    concerned = [
        one
        for one in part.candidates
        if part.statistic.kind in one.offer.kinds and (one.smallest_epsilon is not None or one.offer == wanted)
    ]
    reasons = " ".join(f"{one.offer.title}: {one.reason}" for one in concerned or part.candidates[:1])
    what = (
        f"No mechanism of this version releases the {part.statistic.title} of “{part.table.name}” "
        f"with protection “{part.brief.neighbors.name}”. {reasons}"
    )
    smallest = min((one.smallest_epsilon for one in concerned if one.smallest_epsilon), default=None)
    if smallest is None:
        return what, "Choose another statistic or protection."
    return what, f"Raise epsilon to {exact_text(_for_the_plan(part, smallest))}, or choose another protection."


def _for_the_plan(part: Allotment, smallest: Fraction) -> Fraction:
    """The plan's epsilon that gives this statistic enough."""
    needed = smallest / part.share
    return needed if part.share == 1 else readable_above(needed)
