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
from workbench.privacy.normal import gaussian_excess, normal_cdf
from workbench.privacy.unfit import NEEDS_DELTA, TOO_LITTLE, Unfit, readable_above
from workbench.privacy.zcdp import epsilon_of, rho_within

_PLACES = 10**15
_WIDEST = 4  # standard deviation of the logarithm: beyond it a published number is noise to all its digits


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
        return normal_cdf(z / self.sd)

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
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction, rho: Fraction | None = None
    ) -> LogGaussian | Unfit:
        """A plan accounted as zCDP gives its ρ; otherwise it is what (ε, δ) allow."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        if not 0 < delta < 1:
            return NEEDS_DELTA
        if rho is not None:
            return cls(epsilon_of(rho, delta), neighbors, delta, rho)._unless_too_wide()
        allowed = rho_within(epsilon, delta)
        return cls(epsilon, neighbors, delta, allowed)._unless_too_wide() if allowed > 0 else TOO_LITTLE

    def _unless_too_wide(self) -> LogGaussian | Unfit:
        if self.lattice_sd <= _WIDEST * LATTICE:
            return self
        rho = Fraction(self.sensitivity**2, 2 * (_WIDEST * LATTICE) ** 2)
        smallest = readable_above(epsilon_of(rho, self.delta))
        return Unfit(
            f"With α = {exact_text(self.neighbors.alpha)} and δ = {exact_text(self.delta)} it needs ε = "
            f"{exact_text(smallest)} or more, or it errs by many times the count; here ε = {exact_text(self.epsilon)}.",
            smallest,
        )

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.ER_EE, self.neighbors, self.epsilon, self.delta, self.rho)

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
        return gaussian_excess(shift, float(self.epsilon))
