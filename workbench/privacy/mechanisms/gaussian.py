"""The discrete Gaussian mechanism: counts or sums plus discrete normal noise, for many tables accounted as zCDP."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors
from workbench.privacy.discrete_gaussian import discrete_excess, gaussian_magnitude
from workbench.privacy.error_law import Floats, Sizes
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.magnitude import Magnitude
from workbench.privacy.mechanism import Limits, Takes
from workbench.privacy.mechanisms.geometric import SameEverywhere
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.unfit import NEEDS_DELTA, TOO_LITTLE, Unfit
from workbench.privacy.zcdp import epsilon_of, rho_within

_PLACES = 10**6  # standard deviations are rounded up to so many parts of one


@dataclass(frozen=True)
class Gaussian:
    """n + N_Z(0, σ²) with ρ = Δ²/(2σ²): ρ-zCDP for values that one neighbour step moves by at most Δ, hence (ε, δ)."""

    epsilon: Fraction
    neighbors: Neighbors
    delta: Fraction
    rho: Fraction
    reach: int = 1

    name: ClassVar[str] = "gaussian"
    title: ClassVar[str] = "Discrete Gaussian"
    reason: ClassVar[str] = "Light tails; many tables together cost little. Its margin may stand beside every cell."
    takes: ClassVar[Takes] = Takes.CELLS
    publishes_margin: ClassVar[bool] = True

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction, rho: Fraction | None = None, reach: int = 1
    ) -> Gaussian | Unfit:
        """A plan accounted as zCDP gives its ρ, of which the ε is its meaning; otherwise ρ is what (ε, δ) allow."""
        if neighbors.most_records is None:
            return Unfit(f"It has no bound on what “{neighbors.name}” can change in a cell.")
        if not 0 < delta < 1:
            return NEEDS_DELTA
        if rho is not None:
            return cls(epsilon_of(rho, delta), neighbors, delta, rho, reach)
        allowed = rho_within(epsilon, delta)
        return cls(epsilon, neighbors, delta, allowed, reach) if allowed > 0 else TOO_LITTLE

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.ZCDP, self.neighbors, self.epsilon, self.delta, self.rho)

    @property
    def sensitivity(self) -> int:
        """Δ: all records of the protected unit may be in one cell."""
        assert self.neighbors.most_records is not None
        return self.neighbors.most_records * self.reach

    @property
    def sd(self) -> Fraction:
        """σ = Δ/√(2ρ), rounded up."""
        square = self.sensitivity**2 / (2 * self.rho)
        return Fraction(isqrt(floor(square * _PLACES**2)) + 1, _PLACES)

    @property
    def scale_words(self) -> str:
        return f"discrete Gaussian noise of standard deviation Δ/√(2ρ), ρ = {exact_text(self.rho)}"

    @property
    def bias_words(self) -> str:
        return ""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        return np.asarray(values, dtype=np.int64) + noise.discrete_gaussian(self.sd, len(values))

    def error(self, sizes: Sizes) -> SameEverywhere:
        return SameEverywhere(self._magnitude(1), sizes.counts)

    def margin(self, confidence: float = 0.95, cells: int = 1) -> int:
        return self._magnitude(cells).quantile(confidence)

    def limits(self, noisy: Integers, confidence: float = 0.95) -> Limits:
        margin = self.margin(confidence)
        return noisy - margin, noisy + margin

    def privacy_loss(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike, outputs: Floats) -> Floats:
        """ln of the mass of the nearest whole number under n over that under n2; it has no bound, only a chance."""
        near, far = (np.square((np.rint(outputs) - np.asarray(count)) / float(self.sd)) for count in (n, n2))
        return np.asarray((far - near) / 2, dtype=np.float64)

    def excess(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike) -> Floats:
        """The delta that a pair of neighbours needs at this epsilon."""
        shift = np.abs(np.subtract(n2, n)).astype(np.float64)
        return discrete_excess(shift, float(self.sd), float(self.epsilon))

    def _magnitude(self, cells: int) -> Magnitude:
        return gaussian_magnitude(float(self.sd), cells)
