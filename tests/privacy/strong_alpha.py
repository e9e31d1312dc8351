"""What the tests of mechanisms for strong alpha share: sizes to audit, integration over outcomes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.plan.neighbors import StrongAlpha

Floats = NDArray[np.float64]

SIZES = [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 19, 20, 21, 33, 49, 50, 51, 99, 100, 101, 137, 1000, 1001, 9999, 20_000]

_REACH = np.concatenate([[0], np.geomspace(1e-6, 1e12, 60_001)])


def alpha(text: str, strict: bool = False) -> StrongAlpha:
    return StrongAlpha(Fraction(text), strict=strict)


def integral(center: float, integrand: Callable[[Floats], Floats]) -> float:
    """Over all outcomes, on a grid that is fine near the center and reaches far into the tails."""
    above, below = integrand(center + _REACH), integrand(center - _REACH)
    return float(np.trapezoid(above, _REACH) + np.trapezoid(below, _REACH))


def agrees(drawn: NDArray[np.bool_], chance: float) -> bool:
    """Whether a frequency is within five standard errors of a chance."""
    return abs(drawn.mean() - chance) < 5 * np.sqrt(chance * (1 - chance) / drawn.size) + 1e-12
