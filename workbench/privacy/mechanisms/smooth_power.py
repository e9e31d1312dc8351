"""Smooth power tail: counts plus noise whose tail falls by a power, scaled by the largest establishment."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import expm1, log, log1p
from typing import ClassVar

import numpy as np

from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.distributions import PowerTail
from workbench.privacy.error_law import Floats
from workbench.privacy.intervals import Interval
from workbench.privacy.mechanisms.growth import EXACT, growth_log, not_strong_alpha
from workbench.privacy.mechanisms.smooth import Smooth, dilation_too_dear, rounded_up
from workbench.privacy.unfit import Unfit

POWERS = range(2, 41)

_MOST = 64  # e^64 is beyond the twelve decimal places a factor has
_LEAST = 1e-300


@dataclass(frozen=True)
class SmoothPower(Smooth):
    """n + k·S·η with P(|η| > z) = (1 + z)^-m; m from 2 to ε/ln(1+α) has the least error for (α, ε).

    What the move of the count costs and what the growth of the scale costs are not largest at the same outcome, so
    they need not be paid for both: 1/k = min(e^(ε/(m+1)) - 1, (1+α)(e^((ε - ln(1+α))/(m+1)) - 1)).
    """

    power: int = POWERS[0]

    name: ClassVar[str] = "smooth-power"
    title: ClassVar[str] = "Smooth power tail"
    reason: ClassVar[str] = "Least noise of those that follow the largest establishment; unbiased and pure."

    @classmethod
    def consider(cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction = Fraction(0)) -> SmoothPower | Unfit:
        """The power comes from α and ε alone, so it is public; it spends no delta."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        power = best_power(neighbors.alpha, epsilon)
        if power is None:
            return dilation_too_dear(POWERS[0], neighbors, epsilon)
        return cls(epsilon, neighbors, factor(neighbors.alpha, epsilon, power), power=power)

    @property
    def noise(self) -> PowerTail:
        return PowerTail(self.power)

    @property
    def scale_words(self) -> str:
        return f"noise with P(|η| > z) = (1 + z)^-{self.power} times {self.bound_words}"

    def log_shape(self, z: Floats) -> Floats:
        return log(self.power / 2) - (self.power + 1) * np.log1p(np.abs(z))


def best_power(alpha: Fraction, epsilon: Fraction, cells: int = 1) -> int | None:
    """The valid power with the least expected error k / (m - 1), which is found in floats; None when none is valid."""
    growth = growth_log(alpha)
    if (cells * growth).ends[1] >= epsilon:
        return None
    valid = [power for power in POWERS if (power * growth).ends[1] <= epsilon]
    return min(valid, key=lambda power: _about(float(alpha), float(epsilon), power, cells), default=None)


def _about(alpha: float, epsilon: float, power: int, cells: int) -> float:
    at_rest = expm1(min(epsilon / (power + cells), _MOST))
    growing = (1 + alpha) * expm1(min((epsilon - cells * log1p(alpha)) / (power + cells), _MOST))
    return 1 / (max(min(at_rest, growing), _LEAST) * (power - 1))


def factor(alpha: Fraction, epsilon: Fraction, power: int, cells: int = 1) -> Fraction:
    """k, rounded up. Over d cells and with a scale that grows by r, an outcome at the counts themselves loses
    d ln r + (m+d) ln(1 + 1/(kr)), which is largest at r = 1 or r = 1+α; the way back (m+d) ln(1 + 1/k) or m ln r.
    """
    at_rest = _growth(EXACT.of(epsilon / (power + cells)))
    growing = (1 + alpha) * _growth((epsilon - cells * growth_log(alpha)) / (power + cells))
    return rounded_up(max(1 / at_rest.ends[0], 1 / growing.ends[0]))


def _growth(exponent: Interval) -> Interval:
    """e^x - 1, or less where that is beyond the places of a factor: rounding may only add noise."""
    return 1 / EXACT.exp_minus(exponent if exponent.ends[1] < _MOST else EXACT.of(_MOST)) - 1
