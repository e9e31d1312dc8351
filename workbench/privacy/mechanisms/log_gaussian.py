"""Log-Gaussian: discrete Gaussian noise on the logarithm of a count, for many tables accounted together as zCDP."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, expm1, floor, isqrt, log, sqrt
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.error_law import Floats
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.mechanisms.growth import EXACT, not_strong_alpha
from workbench.privacy.mechanisms.log_scale import LATTICE, LogMechanism
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.unfit import Unfit

_PLACES = 10**15
_ORDERS = 1 + np.exp(np.linspace(-4, 14, 4001))  # among which the best order for a conversion is found

_normal_cdf = np.frompyfunc(NormalDist().cdf, 1, 1)


@dataclass(frozen=True)
class GaussianExponent:
    """Normal noise of standard deviation s in the exponent."""

    sd: float

    @property
    def mean_growth(self) -> float:
        return exp(self.sd**2 / 2)

    def mean_excess(self, shrink: float) -> float:
        lower = log(shrink) / self.sd
        return shrink * self.mean_growth * NormalDist().cdf(lower + self.sd) - NormalDist().cdf(lower)

    def cdf(self, z: Floats) -> Floats:
        return np.asarray(_normal_cdf(z / self.sd), dtype=np.float64)

    def magnitude_quantile(self, probability: float) -> float:
        return self.sd * NormalDist().inv_cdf((1 + probability) / 2)


@dataclass(frozen=True)
class LogGaussian(LogMechanism):
    """e^(ln(n + 1/α) + N(0, s²) - s²/2) - 1/α with s = ln(1+α)/√(2ρ): ρ-zCDP per step, hence (ε, δ)."""

    delta: Fraction
    rho: Fraction

    name: ClassVar[str] = "log-gaussian"
    title: ClassVar[str] = "Log-Gaussian"
    reason: ClassVar[str] = "Its error is a public proportion with light tails; many tables together cost little."

    @classmethod
    def consider(cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction) -> LogGaussian | Unfit:
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        if not 0 < delta < 1:
            return Unfit("It needs a δ above 0, which the plan does not give.")
        return cls(epsilon, neighbors, delta, rho_within(epsilon, delta))

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.ZCDP, self.neighbors, self.epsilon, self.delta)

    @property
    def lattice_sd(self) -> Fraction:
        """Sensitivity / √(2ρ), rounded up to a whole number of steps."""
        square = self.sensitivity**2 / (2 * self.rho)
        return Fraction(isqrt(floor(square)) + 1)

    @property
    def sd(self) -> float:
        """s, with what the lattice adds to it."""
        return float(self.lattice_sd / LATTICE)

    @property
    def shrink(self) -> Fraction:
        """e^(-s²/2)."""
        square = (self.lattice_sd / LATTICE) ** 2
        return Fraction(floor(EXACT.exp_minus(EXACT.of(square / 2)).ends[0] * _PLACES), _PLACES)

    @property
    def exponent(self) -> GaussianExponent:
        return GaussianExponent(self.sd)

    @property
    def relative_sd(self) -> float:
        """The standard deviation of published + 1/α in proportion to n + 1/α."""
        return sqrt(expm1(self.sd**2))

    @property
    def scale_words(self) -> str:
        return (
            f"normal noise of standard deviation s = {self.sd:.4g} on ln(n + 1/α), drawn on multiples of 2^-40; "
            f"ρ = {exact_text(self.rho)}"
        )

    def release(self, counts: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        return self.published(self.points(counts) + noise.discrete_gaussian(self.lattice_sd, len(counts)))

    def log_mass(self, steps: Floats) -> Floats:
        return -np.square(steps / float(self.lattice_sd)) / 2

    def excess(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike) -> Floats:
        """The delta that a pair of neighbours needs at this epsilon, as for the normal distribution."""
        shift = np.abs(self._points(n2) - self._points(n)) / float(self.lattice_sd)
        turn = np.where(shift > 0, float(self.epsilon) / np.where(shift > 0, shift, 1), np.inf)
        beyond, behind = (np.asarray(_normal_cdf(end - turn), dtype=np.float64) for end in (shift / 2, -shift / 2))
        return beyond - exp(self.epsilon) * behind


def rho_within(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest ρ, rounded down, of which ρ-zCDP implies (ε, δ).

    δ(a) = e^((a-1)(aρ-ε)) (1-1/a)^a / (a-1) is a valid δ for every order a > 1; solved for ρ and best over a.
    """
    order = Fraction(_ORDERS[np.argmax(_rho(float(epsilon), float(delta), _ORDERS))])
    logs = EXACT.log(delta) + EXACT.log(order - 1) - order * EXACT.log(1 - 1 / order)
    rho = ((epsilon + logs / (order - 1)) / order).ends[0]
    return Fraction(floor(rho * _PLACES), _PLACES)


def _rho(epsilon: float, delta: float, order: Floats) -> Floats:
    logs = log(delta) + np.log(order - 1) - order * np.log1p(-1 / order)
    return np.asarray((epsilon + logs / (order - 1)) / order, dtype=np.float64)
