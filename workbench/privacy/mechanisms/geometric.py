"""The geometric mechanism: counts plus discrete Laplace noise, exact on the integers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.neighbors import Neighbors
from workbench.privacy.discrete_laplace import magnitude
from workbench.privacy.error_law import Floats, Sizes
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.magnitude import Magnitude
from workbench.privacy.mechanism import Limits, Takes
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.unfit import Unfit


@dataclass(frozen=True)
class SameEverywhere:
    """The same unbiased error in every cell."""

    size: Magnitude
    counts: Floats = field(repr=False, compare=False)

    @property
    def expected(self) -> Floats:
        return np.full_like(self.counts, self.size.expected, dtype=np.float64)

    @property
    def bias(self) -> Floats:
        return np.zeros_like(self.counts, dtype=np.float64)

    def quantile(self, probability: float) -> Floats:
        return np.full_like(self.counts, self.size.quantile(probability), dtype=np.float64)

    def signed_quantile(self, probability: float) -> Floats:
        return float(np.sign(probability - 0.5)) * self.quantile(abs(2 * probability - 1))

    def chance_within(self, distance: Floats) -> Floats:
        return self.size.chance_within(np.broadcast_to(distance, self.counts.shape))


@dataclass(frozen=True)
class Geometric:
    """n + Z with P(Z = z) proportional to exp(-ε|z|/Δ), for values that one neighbour step moves by at most Δ.

    `reach` is the most one record changes the value by: 1 for counts.
    """

    epsilon: Fraction
    neighbors: Neighbors
    reach: int = 1

    name: ClassVar[str] = "geometric"
    title: ClassVar[str] = "Geometric"
    reason: ClassVar[str] = "Least noise for counts, exact on whole numbers; its margin may stand beside every cell."
    takes: ClassVar[Takes] = Takes.CELLS
    publishes_margin: ClassVar[bool] = True

    @classmethod
    def consider(cls, neighbors: Neighbors, epsilon: Fraction, reach: int = 1) -> Self | Unfit:
        if neighbors.most_records is None:
            return Unfit(f"It has no bound on what “{neighbors.name}” can change in a cell.")
        return cls(epsilon, neighbors, reach)

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.PURE, self.neighbors, self.epsilon)

    @property
    def sensitivity(self) -> int:
        """Δ: the records the protected unit can contribute, which tabulation enforces, times what each can add."""
        assert self.neighbors.most_records is not None
        return self.neighbors.most_records * self.reach

    @property
    def scale(self) -> Fraction:
        return Fraction(self.sensitivity) / self.epsilon

    @property
    def scale_words(self) -> str:
        return "discrete Laplace noise of scale Δ/ε"

    @property
    def bias_words(self) -> str:
        return ""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        return np.asarray(values, dtype=np.int64) + noise.discrete_laplace(self.scale, len(values))

    def error(self, sizes: Sizes) -> SameEverywhere:
        return SameEverywhere(self._magnitude(1), sizes.counts)

    def margin(self, confidence: float = 0.95, cells: int = 1) -> int:
        return self._magnitude(cells).quantile(confidence)

    def limits(self, noisy: Integers, confidence: float = 0.95) -> Limits:
        margin = self.margin(confidence)
        return noisy - margin, noisy + margin

    def privacy_loss(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike, outputs: Floats) -> Floats:
        """ln of the mass of the nearest whole number under n over that under n2; the largest establishment is idle."""
        whole = np.rint(outputs)
        lost = (np.abs(whole - np.asarray(n2)) - np.abs(whole - np.asarray(n))) / float(self.scale)
        return np.asarray(lost, dtype=np.float64)

    def _magnitude(self, cells: int) -> Magnitude:
        return magnitude(float(1 / self.scale), cells)
