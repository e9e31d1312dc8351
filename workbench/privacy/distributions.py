"""The noise distributions whose scale may depend on the data: closed forms, fast with a proven error, exact on demand.

Each is symmetric and given by its tail T(z) = P(|η| > z), one formula for both arithmetics of `intervals`.

How far the fast tail can be off. Write u = 2**-53 and let z > 0 be exact, z~ the float for it, |z~/z - 1| <= 6u.
* Moving z changes T by at most 6u·z·2f(z), and both z·2f(z) and z²·2f(z) stay below 0.6 for every density f here:
  at most 3.6u / max(1, z).
* Even degrees: ρ = sqrt(ν + z²) is off by 2u, q = ν / (ρ(ρ + z)) by 7u, q²(3 - q)/2 by 20u, all relative. As T <= 1
  and z·T <= 1: at most 20u / max(1, z).
* Odd degrees: sin a and cos a are off by 4u, so sin a · cos a by 9u and times (1 + 2/3 sin² a) by 16u; `angle` costs
  13u and the rounded root of ν two more. Both terms are below π/2 and below sqrt(ν) / z, their difference is rounded
  once, the quotient by π twice: at most ((2/π)(15 + 16 + 1) sqrt(5) + 2)u / max(1, z) < 48u / max(1, z).
* Gamma-like: x = z(1 + z²/(1 + sqrt(1 + z⁴))) is off by 5u and sqrt(2) by u, so the angle by 6u + 13u; `artanh` costs
  9u and its argument 1.61 · 5u. The angle is below π, artanh below 0.9, both below 1.6 / z for z >= 1, and three
  roundings follow: at most (19 · π + 18 · 0.9)u / π + 3u < 28u, and in the tail less than 22u / z.
* Laplace: e^-z is off by 3u, relative.
* Power tail: 1 / (1 + z) is rounded twice, so its power of m <= 40 is off by less than (2m + 2·log2 m)u < 92u,
  relative. As T <= 1 and z·T <= 1/4 for m >= 2: at most 92u / max(1, z).
So |T~(z~) - T(z)| <= 96u / max(1, z), and TAIL_ERROR = 128u allows a third more.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.privacy.intervals import FLOATS, Arithmetic, Enclosures, Number, angle, artanh

Floats = NDArray[np.float64]

TAIL_ERROR = 2.0**-46  # of the fast tail at z, in units of 1 / max(1, z)
CDF_ERROR = 2.0**-46  # half of that, and one rounding of a number of at most 1

_FARTHEST = 2.0**60  # where tails are evaluated at most: smaller than 2**-110 there, and no square overflows
_GUARD_BITS = 48
_SURE_TAIL = 2.0**-40  # below this a fast tail has too few correct digits to improve a quantile


class Symmetric(ABC):
    """What all share; each kind adds its tail, its density, its quantiles and its expected magnitude."""

    @abstractmethod
    def tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        """P(|η| > z) for z >= 0."""

    @abstractmethod
    def density(self, z: Floats) -> Floats:
        """The density at z, to float accuracy."""

    @abstractmethod
    def tail_quantile(self, chance: Floats) -> Floats:
        """About the z with P(|η| > z) = chance, for 0 < chance <= 1."""

    def fast_tail(self, z: Floats) -> Floats:
        """P(|η| > z) for z >= 0, off by at most TAIL_ERROR / max(1, z)."""
        return np.asarray(self.tail(np.minimum(z, _FARTHEST), FLOATS), dtype=np.float64)

    def tail_ball(self, z: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        """Two numbers at most 2**-bits apart with P(|η| > z) between them, for z >= 0."""
        exact = Enclosures(bits + _GUARD_BITS)
        low, high = self.tail(exact.of(z), exact).ends
        return low, high

    def cdf(self, z: ArrayLike) -> Floats:
        """P(η <= z), off by at most CDF_ERROR."""
        z = np.asarray(z, dtype=np.float64)
        half = self.fast_tail(np.abs(z)) / 2
        return np.where(z < 0, half, 1 - half)

    def cdf_ball(self, z: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        """Two numbers at most 2**-bits apart with P(η <= z) between them."""
        low, high = self.tail_ball(abs(z), bits)
        return (low / 2, high / 2) if z < 0 else (1 - high / 2, 1 - low / 2)

    def quantile(self, chance: ArrayLike) -> Floats:
        """About the z with P(η <= z) = chance, for 0 < chance < 1."""
        chance = np.asarray(chance, dtype=np.float64)
        return np.sign(chance - 0.5) * self.tail_quantile(2 * np.minimum(chance, 1 - chance))

    def magnitude_quantile(self, chance: ArrayLike) -> Floats:
        """About the z that |η| stays within with this chance, for 0 <= chance < 1."""
        return self.tail_quantile(1 - np.asarray(chance, dtype=np.float64))


@dataclass(frozen=True)
class GammaLike(Symmetric):
    """The density sqrt(2) / (π(1 + z⁴)) of Smooth Gamma."""

    expected_magnitude: ClassVar[float] = math.sqrt(0.5)

    def tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        """(angle of (z² - 1, sqrt(2) z) - artanh(sqrt(2) z / (1 + z²))) / π, the angle from its half."""
        root2, square = arithmetic.sqrt(arithmetic.of(2)), z * z
        half = angle(root2, z * (1 + square / (1 + arithmetic.sqrt(1 + square * square))), arithmetic)
        return (2 * half - artanh(root2 * z / (1 + square), arithmetic)) / arithmetic.pi

    def density(self, z: Floats) -> Floats:
        return math.sqrt(2) / math.pi / (1 + z**4)

    def tail_quantile(self, chance: Floats) -> Floats:
        return _heavy_tail_quantile(self, 3, chance)


@dataclass(frozen=True)
class StudentT(Symmetric):
    """Student's t with 2, 3, 4 or 5 degrees of freedom."""

    degrees: int

    _KNOWN: ClassVar[frozenset[int]] = frozenset({2, 3, 4, 5})

    def __post_init__(self) -> None:
        if self.degrees not in self._KNOWN:
            raise ValueError("Student's t is known for 2, 3, 4 and 5 degrees of freedom")

    @property
    def expected_magnitude(self) -> float:
        return 2 * self.degrees / (self.degrees - 1) * self._peak

    @property
    def _peak(self) -> float:
        nu = self.degrees
        return math.gamma((nu + 1) / 2) / (math.sqrt(math.pi * nu) * math.gamma(nu / 2))

    def tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        return (self._odd_tail if self.degrees % 2 else self._even_tail)(z, arithmetic)

    def _even_tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        """With q = 1 - z / sqrt(ν + z²): q for two degrees, q²(3 - q) / 2 for four."""
        radius = arithmetic.sqrt(self.degrees + z * z)
        rest = self.degrees / (radius * (radius + z))
        return rest if self.degrees == 2 else rest * rest * (3 - rest) / 2

    def _odd_tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        """With a the angle of (z, sqrt(ν)): (2/π)(a - sin a · cos a), for five degrees times (1 + 2/3 sin² a)."""
        side = arithmetic.sqrt(arithmetic.of(self.degrees))
        radius = arithmetic.sqrt(self.degrees + z * z)
        sine, cosine = side / radius, z / radius
        area = sine * cosine if self.degrees == 3 else sine * cosine * (1 + 2 * (sine * sine) / 3)
        return 2 * (angle(side, z, arithmetic) - area) / arithmetic.pi

    def density(self, z: Floats) -> Floats:
        return self._peak * (1 + z * z / self.degrees) ** (-(self.degrees + 1) / 2)

    def tail_quantile(self, chance: Floats) -> Floats:
        return _heavy_tail_quantile(self, self.degrees, chance)


@dataclass(frozen=True)
class StandardLaplace(Symmetric):
    """The density e^-|z| / 2."""

    expected_magnitude: ClassVar[float] = 1.0

    def tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        return arithmetic.exp_minus(z)

    def density(self, z: Floats) -> Floats:
        return np.exp(-np.abs(z)) / 2

    def tail_quantile(self, chance: Floats) -> Floats:
        return -np.log(chance)


@dataclass(frozen=True)
class PowerTail(Symmetric):
    """The density m/2 · (1 + |z|)^-(m+1), so that P(|η| > z) = (1 + z)^-m, for a whole m from 2 to 40."""

    power: int

    _KNOWN: ClassVar[range] = range(2, 41)

    def __post_init__(self) -> None:
        if self.power not in self._KNOWN:
            raise ValueError("the power of a tail is a whole number from 2 to 40")

    @property
    def expected_magnitude(self) -> float:
        return 1 / (self.power - 1)

    def tail(self, z: Number, arithmetic: Arithmetic) -> Number:
        """The power by squaring, the leading binary digit first."""
        part = 1 / (1 + z)
        powered = part
        for digit in f"{self.power:b}"[1:]:
            powered = powered * powered * part if digit == "1" else powered * powered
        return powered

    def density(self, z: Floats) -> Floats:
        return self.power / 2 * (1 + np.abs(z)) ** -(self.power + 1.0)

    def tail_quantile(self, chance: Floats) -> Floats:
        return np.expm1(-np.log(chance) / self.power)


Distribution = GammaLike | StudentT | StandardLaplace | PowerTail


def _heavy_tail_quantile(distribution: Symmetric, power: int, chance: Floats) -> Floats:
    """Read off a table of ln(1 + z) against -ln T(z), then improved by two steps of Newton's."""
    z = np.expm1(np.interp(-np.log(chance), *_heavy_tail_table(distribution, power)))
    for _ in range(2):
        excess = np.where(chance > _SURE_TAIL, distribution.fast_tail(z) - chance, 0)
        z = np.maximum(z + excess / (2 * distribution.density(z)), 0)
    return z


@lru_cache(maxsize=16)
def _heavy_tail_table(distribution: Symmetric, power: int) -> tuple[Floats, Floats]:
    """Depths -ln T(z) and ln(1 + z); the last entry continues T ~ z**-power to the smallest chances a float can be."""
    stretch = np.linspace(0, np.log1p(2 ** (40 / power + 1)), 4096)
    depth = -np.log(distribution.fast_tail(np.expm1(stretch)))
    longest = 800.0
    return np.append(depth, longest), np.append(stretch, stretch[-1] + (longest - depth[-1]) / power)
