"""What the tests of mechanisms for strong alpha share: sizes to audit, integration over outcomes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.distributions import StudentT
from workbench.privacy.mechanisms.growth import growth_log
from workbench.privacy.mechanisms.smooth_t import DEGREES

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


def independent_error(size: str, epsilon: str, width: float, twice_middle: float) -> float:
    """The least E|error| of the sum with independent t noises, which is also that of one after the other."""
    grid = np.linspace(-9, 9, 601)
    z, step = np.sinh(grid), np.cosh(grid) * (grid[1] - grid[0])
    best = np.inf
    for degrees in DEGREES:
        room = float(epsilon) - 2 * degrees * float(growth_log(Fraction(size)).ends[0])
        if room <= 0:
            continue
        mass = StudentT(degrees).density(z) * step
        for weight in np.geomspace(1 / 16, 4, 25):
            factor = (degrees + 1) / (2 * np.sqrt(degrees)) * (1 + 1 / weight) / room
            size_of_sum = np.abs(width * z[:, None] + twice_middle * weight * z[None, :]) / 2
            best = min(best, factor * float(mass @ size_of_sum @ mass))
    return best
