"""The geometric mechanism: counts plus discrete Laplace noise, exact on the integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.plan.neighbors import Neighbors
from workbench.plan.plan import StatisticKind
from workbench.privacy.discrete_laplace import Magnitude, magnitude
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.noise import Integers, NoiseSource


@dataclass(frozen=True)
class Geometric:
    """n + Z with P(Z = z) proportional to exp(-ε|z|/Δ), for counts that one neighbour step moves by at most Δ."""

    epsilon: Fraction
    neighbors: Neighbors

    name: ClassVar[str] = "geometric"
    title: ClassVar[str] = "Geometric"
    reason: ClassVar[str] = "Least noise for counts, exact on whole numbers; its margin may stand beside every cell."
    kinds: ClassVar[frozenset[StatisticKind]] = frozenset({StatisticKind.COUNT})
    protections: ClassVar[frozenset[str]] = frozenset({"worker", "worker-history", "employer"})
    is_margin_publishable: ClassVar[bool] = True

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.PURE, self.neighbors, self.epsilon)

    @property
    def sensitivity(self) -> int:
        """Δ: the records the protected unit can contribute, which tabulation enforces."""
        assert self.neighbors.most_records is not None
        return self.neighbors.most_records

    @property
    def scale(self) -> Fraction:
        return Fraction(self.sensitivity) / self.epsilon

    @property
    def scale_words(self) -> str:
        return "discrete Laplace noise of scale Δ/ε"

    def release(self, counts: Integers, noise: NoiseSource) -> Integers:
        return np.asarray(counts, dtype=np.int64) + noise.discrete_laplace(self.scale, len(counts))

    def expected_error(self, cells: int = 1) -> float:
        """E|error| of the sum of so many noisy cells."""
        return self._error(cells).expected

    def margin(self, confidence: float = 0.95, cells: int = 1) -> int:
        """The smallest m that the error of the sum of so many noisy cells stays within with this probability."""
        return self._error(cells).quantile(confidence)

    def chance_within(self, distance: NDArray[np.float64], cells: int = 1) -> NDArray[np.float64]:
        """The probability that the error is at most each distance."""
        return self._error(cells).chance_within(distance)

    def _error(self, cells: int) -> Magnitude:
        return magnitude(float(1 / self.scale), cells)
