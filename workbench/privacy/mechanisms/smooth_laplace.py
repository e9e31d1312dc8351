"""Smooth Laplace: counts plus Laplace noise scaled by the largest establishment, with a small delta."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import log
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.distributions import StandardLaplace
from workbench.privacy.error_law import Floats
from workbench.privacy.mechanisms.growth import EXACT, growth_log, not_strong_alpha
from workbench.privacy.mechanisms.smooth import Smooth, rounded_up
from workbench.privacy.unfit import NEEDS_DELTA, Unfit, readable_above

_LEAST_ROOM = Fraction(1, 10**20)  # nearer to the boundary of validity the factor is beyond all use


class Calibration(StrEnum):
    """Where the factor of the noise comes from."""

    EXACT = "exact"
    PUBLISHED = "published"


@dataclass(frozen=True)
class SmoothLaplace(Smooth):
    """n + k·S·L(1): as published k = 2/ε; exactly, the smallest k for which no pair of neighbours exceeds delta."""

    calibration: Calibration = Calibration.EXACT

    name: ClassVar[str] = "smooth-laplace"
    title: ClassVar[str] = "Smooth Laplace"
    reason: ClassVar[str] = "The noise follows the largest establishment; light tails, for a small chance δ of failing."

    @classmethod
    def consider(
        cls,
        neighbors: Neighbors,
        epsilon: Fraction,
        delta: Fraction,
        calibration: Calibration = Calibration.EXACT,
    ) -> SmoothLaplace | Unfit:
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        if not 0 < delta < 1:
            return NEEDS_DELTA
        smallest, factor = CALIBRATIONS[calibration](neighbors.alpha, epsilon, delta)
        if factor is None:
            return Unfit(
                f"With α = {exact_text(neighbors.alpha)} and δ = {exact_text(delta)} it needs ε = "
                f"{exact_text(smallest)} or more; here ε = {exact_text(epsilon)}.",
                smallest,
            )
        return cls(epsilon, neighbors, factor, delta, calibration=calibration)

    @property
    def noise(self) -> StandardLaplace:
        return StandardLaplace()

    @property
    def scale_words(self) -> str:
        return f"Laplace noise of scale {self.bound_words}"

    def log_shape(self, z: Floats) -> Floats:
        return -np.abs(z) - log(2)

    def excess(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike) -> Floats:
        """The delta that a pair of neighbours with x <= x2 needs at this epsilon, both ways."""
        before, after = (self.bound(np.asarray(size, dtype=np.float64)) for size in (x, x2))
        shift = np.abs(np.subtract(n2, n)) / (self.reach * before)
        return divergence(float(self.epsilon), shift / float(self.factor), after / before)


def divergence(epsilon: float, shift: Floats, growth: Floats) -> Floats:
    """The larger hockey-stick divergence of Lap(0, 1) and Lap(shift, growth), growth >= 1, of both directions."""
    wide = growth > 1
    ratio = np.where(wide, growth, 2.0)
    same = np.maximum(-np.expm1((epsilon - shift) / 2), 0)
    return np.where(
        wide, np.maximum(_wide_over_narrow(epsilon, shift, ratio), _narrow_over_wide(epsilon, shift, ratio)), same
    )


def _wide_over_narrow(epsilon: float, a: Floats, r: Floats) -> Floats:
    """Both tails of Lap(a, r) where its density exceeds e^ε that of Lap(0, 1)."""
    level = epsilon + np.log(r)
    left = (1 - 1 / r) / 2 * np.exp(-(level + a) / (r - 1))
    beyond = (1 - 1 / r) / 2 * np.exp(-np.maximum(level - a, 0) / (r - 1))
    before = 1 - (1 + 1 / r) / 2 * np.exp(-np.maximum(a - level, 0) / (r + 1))
    return left + np.where(a <= level, beyond, before)


def _narrow_over_wide(epsilon: float, a: Floats, r: Floats) -> Floats:
    """The stretch around 0 where the density of Lap(0, 1) exceeds e^ε that of Lap(a, r)."""
    peak = a / r + np.log(r) - epsilon
    start = -np.maximum(peak, 0) / (1 - 1 / r)
    before = np.maximum(peak, 0) / (1 + 1 / r)
    end = np.where(before <= a, before, np.maximum(np.log(r) - a / r - epsilon, 0) / (1 - 1 / r))
    narrow = -np.expm1(start) / 2 - np.expm1(-end) / 2
    wide = _laplace_cdf((end - a) / r) - _laplace_cdf((start - a) / r)
    return np.where(peak > 0, narrow - np.exp(epsilon) * wide, 0)


def _laplace_cdf(z: Floats) -> Floats:
    tail = np.exp(-np.abs(z)) / 2
    return np.where(z < 0, tail, 1 - tail)


def _exact_factor(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction | None]:
    """The smallest valid epsilon, and 1/k = α·arcosh(X) with ln X = ln(δ(1+α)/α) + (ε + ln(1+α))/α.

    The worst neighbours move by S and let it grow by 1 + α. For k >= 1/ε and 1/(k(1+α)) + ln(1+α) <= ε only the wider
    noise exceeds e^ε times the narrower one, in its tails, by δ(k) = α/(1+α) · e^(-(ε + ln(1+α))/α) · cosh(1/(kα)).
    """
    growth, failing = growth_log(alpha), EXACT.log(delta * (1 + alpha) / alpha)
    smallest = readable_above(max((-alpha * failing - growth).ends[1], growth.ends[1]))
    room = (failing + (epsilon + growth) / alpha).ends[0]
    spare = (epsilon - growth).ends[0]
    if min(room, spare) < _LEAST_ROOM:
        return smallest, None
    root = EXACT.sqrt(1 - EXACT.exp_minus(EXACT.of(2 * room))).ends[0]
    rate = alpha * (room + EXACT.log(1 + root).ends[0])
    return smallest, rounded_up(max(1 / rate, 1 / epsilon, 1 / ((1 + alpha) * spare)))


def _published_factor(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction | None]:
    """The smallest valid epsilon 2 ln(1/δ) ln(1+α), and k = 2/ε."""
    needed = (-2 * EXACT.log(delta) * growth_log(alpha)).ends[1]
    return readable_above(needed), rounded_up(2 / epsilon) if epsilon >= needed else None


CALIBRATIONS = {Calibration.EXACT: _exact_factor, Calibration.PUBLISHED: _published_factor}
