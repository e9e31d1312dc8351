"""Noise on the logarithm of n + 1/α: to the lattice and back, and the error it makes of a count.

ln(n + 1/α) moves by at most ln(1 + α) when n grows to at most (1 + α)n + 1, and 1/α is the smallest offset of which
that is true. The noise is drawn on whole multiples of 2**-40; going back is arithmetic on what is already protected.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.error_law import Floats, Sizes
from workbench.privacy.mechanism import Limits, Takes
from workbench.privacy.noise import Integers
from workbench.privacy.rounding import lattice_sensitivity, log_lattice

LATTICE = 2**40

_FARTHEST = 42 * LATTICE  # e^42 is still a 64-bit number
_LARGEST = 2.0**62
_DIGITS = 40
_NO_BIAS = 1e-9
_HALVINGS = 60


class Exponent(Protocol):
    """A symmetric noise η in the exponent: published + 1/α is shrink · (n + 1/α) · e^η."""

    @property
    def mean_growth(self) -> float:
        """E e^η."""

    def mean_excess(self, shrink: float) -> float:
        """E max(shrink · e^η - 1, 0) for shrink <= 1."""

    def cdf(self, z: Floats) -> Floats:
        """P(η <= z)."""

    def magnitude_quantile(self, probability: float) -> float:
        """The z that |η| stays within with this probability."""


@dataclass(frozen=True)
class LogLaw:
    """error = (n + 1/α) · (shrink · e^η - 1): in proportion, the same for every cell."""

    level: Floats = field(repr=False, compare=False)
    shrink: float
    exponent: Exponent

    @property
    def relative_bias(self) -> float:
        return self.shrink * self.exponent.mean_growth - 1

    @property
    def relative_expected(self) -> float:
        return 2 * self.exponent.mean_excess(self.shrink) - self.relative_bias

    @property
    def expected(self) -> Floats:
        return self.level * self.relative_expected

    @property
    def bias(self) -> Floats:
        return self.level * self.relative_bias

    def quantile(self, probability: float) -> Floats:
        return self.level * self.relative_quantile(probability)

    def signed_quantile(self, probability: float) -> Floats:
        reach = float(np.sign(probability - 0.5)) * self.exponent.magnitude_quantile(abs(2 * probability - 1))
        return self.level * float(self.shrink * np.exp(reach) - 1)

    def chance_within(self, distance: Floats) -> Floats:
        return self._chance(distance / self.level)

    def relative_quantile(self, probability: float) -> float:
        """The proportion that the error stays within with this probability, by halving."""
        low, high = 0.0, 1.0
        while self._chance(np.array(high)) < probability:
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._chance(np.array(middle)) >= probability else (middle, high)
        return high

    def _chance(self, proportion: Floats) -> Floats:
        upper = self.exponent.cdf(np.log((1 + proportion) / self.shrink))
        is_bounded = proportion < 1
        lowest = np.where(is_bounded, 1 - proportion, 1) / self.shrink
        return upper - np.where(is_bounded, self.exponent.cdf(np.log(lowest)), 0)


@dataclass(frozen=True)
class LogMechanism(ABC):
    """shrink · e^(ln(n + 1/α) + η) - 1/α for counts of whole workforces, rounded to a whole number.

    A count of some of the workers may grow from 0 by more than one in a single step, which this does not cover.
    """

    epsilon: Fraction
    neighbors: StrongAlpha

    takes: ClassVar[Takes] = Takes.CELLS
    publishes_margin: ClassVar[bool] = True

    @property
    @abstractmethod
    def shrink(self) -> Fraction:
        """The factor that takes the bias away."""

    @property
    @abstractmethod
    def exponent(self) -> Exponent:
        """The distribution of η."""

    @abstractmethod
    def log_mass(self, steps: Floats) -> Floats:
        """The log probability of so many steps of the lattice, up to a constant."""

    @property
    def sensitivity(self) -> int:
        """How far one neighbour step moves a point of the lattice at most."""
        return _sensitivity(self.neighbors.alpha)

    @property
    def bias_words(self) -> str:
        bias = float(self.shrink) * self.exponent.mean_growth - 1
        return f"{100 * bias:.2g} % of (n + 1/α) too high on average" if bias > _NO_BIAS else ""

    def points(self, counts: Integers) -> Integers:
        """2**40 · ln(n + 1/α), rounded."""
        return log_lattice(counts, self.neighbors.alpha)

    def published(self, points: Integers) -> Integers:
        """Whole numbers from noisy points of the lattice, in decimal arithmetic: the same on every machine."""
        nearby = np.clip(points, -_FARTHEST, _FARTHEST).tolist()
        with localcontext(prec=_DIGITS, rounding=ROUND_HALF_EVEN):
            shrink, offset = _decimal(self.shrink), _decimal(1 / self.neighbors.alpha)
            values = [shrink * (Decimal(point) / LATTICE).exp() - offset for point in nearby]
            return np.array([int(value.to_integral_value()) for value in values], dtype=np.int64)

    def error(self, sizes: Sizes) -> LogLaw:
        return LogLaw(sizes.counts + float(1 / self.neighbors.alpha), float(self.shrink), self.exponent)

    def margin(self, confidence: float = 0.95, cells: int = 1) -> None:
        """None: the error is a proportion of the count, so each published number has its own limits."""
        return

    def limits(self, noisy: Integers, confidence: float = 0.95) -> Limits:
        """The counts for which the noise stayed within its reach: from the published value and public facts alone."""
        offset = float(1 / self.neighbors.alpha)
        reach = np.exp(self.exponent.magnitude_quantile(confidence))
        lowest = np.maximum(noisy - 0.5 + offset, 0) / float(self.shrink) / reach - offset
        highest = np.maximum(noisy + 0.5 + offset, 0) / float(self.shrink) * reach - offset
        return _whole(np.ceil(lowest)), _whole(np.floor(highest))

    def privacy_loss(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike, outputs: Floats) -> Floats:
        """ln of the mass of the nearest lattice point under n over that under n2; the largest establishment is idle."""
        level = np.maximum((outputs + float(1 / self.neighbors.alpha)) / float(self.shrink), np.exp(-42.0))
        point = np.rint(LATTICE * np.log(level))
        return self.log_mass(point - self._points(n)) - self.log_mass(point - self._points(n2))

    def _points(self, counts: ArrayLike) -> Floats:
        counts = np.asarray(counts, dtype=np.int64)
        return self.points(counts.reshape(-1)).reshape(counts.shape).astype(np.float64)


_sensitivity = lru_cache(maxsize=64)(lattice_sensitivity)


def _whole(limit: Floats) -> Integers:
    return np.clip(limit, 0, _LARGEST).astype(np.int64)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
