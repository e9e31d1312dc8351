"""How far one step of strong alpha lets an establishment grow, on the scale of logarithms and without rounding."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.intervals import Enclosures, Interval
from workbench.privacy.unfit import Unfit

EXACT = Enclosures(192)


@lru_cache(maxsize=64)
def growth_log(alpha: Fraction) -> Interval:
    """ln(1 + α), enclosed."""
    return EXACT.log(1 + alpha)


def not_strong_alpha(neighbors: Neighbors) -> Unfit:
    """For mechanisms that are private only when one establishment changes by a limited proportion."""
    return Unfit(f"It protects “{StrongAlpha.name}” only; the plan protects “{neighbors.name}”.")
