"""Which mechanisms are listed for a statistic, and the epsilon of the plan that would let one fit."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import Policy
from workbench.plan.shares import drawn_statistics
from workbench.privacy.choose import Candidate, served_by
from workbench.privacy.composition import Allotment
from workbench.privacy.mechanisms import Offer
from workbench.privacy.unfit import readable_above


@cache
def _protections(offer: Offer) -> frozenset[str]:
    return frozenset(served_by(offer))


def of_this_protection(part: Allotment | None) -> tuple[Candidate, ...]:
    """The mechanisms made for the statistic and the plan's protection, those that fit first."""
    return tuple(one for one in _of_this_kind(part) if _is_for(part, one))


def of_other_protections(part: Allotment | None) -> tuple[Candidate, ...]:
    """The mechanisms made for the statistic, but not for the plan's protection."""
    return tuple(one for one in _of_this_kind(part) if not _is_for(part, one))


def _of_this_kind(part: Allotment | None) -> tuple[Candidate, ...]:
    return tuple(one for one in part.candidates if part.statistic.kind in one.offer.kinds) if part else ()


def _is_for(part: Allotment | None, one: Candidate) -> bool:
    return part is not None and part.brief is not None and part.brief.neighbors.name in _protections(one.offer)


def epsilon_that_fits(plan: ReleasePlan, part: Allotment, one: Candidate, policy: Policy) -> Fraction | None:
    """The plan's epsilon that gives the statistic enough for a mechanism; None where none is sure to, or allowed.

    Several statistics with a delta may be added up by another route at another epsilon, which nobody could foresee.
    """
    is_sure = plan.budget.delta == 0 or len(drawn_statistics(plan)) == 1
    if one.smallest_epsilon is None or not is_sure:
        return None
    needed = one.smallest_epsilon / part.share
    whole = needed if part.share == 1 else readable_above(needed)
    return whole if whole <= policy.largest_epsilon else None
