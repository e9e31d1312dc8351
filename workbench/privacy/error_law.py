"""How far published numbers are from the truth: the error of a mechanism as a distribution per cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sizes:
    """The cells an error is computed for: their counts, and the size of the largest establishment in each."""

    counts: Floats = field(repr=False, compare=False)
    largest: Floats = field(repr=False, compare=False)


class ErrorLaw(Protocol):
    """The distribution of published minus true, one per cell."""

    @property
    def expected(self) -> Floats:
        """E|error|."""

    @property
    def bias(self) -> Floats:
        """E error."""

    def quantile(self, probability: float) -> Floats:
        """The smallest distance that the error stays within with this probability."""

    def signed_quantile(self, probability: float) -> Floats:
        """The error, with its sign, that is not exceeded with this probability."""

    def chance_within(self, distance: Floats) -> Floats:
        """The probability that the error is at most each distance."""


class StandardNoise(Protocol):
    """A symmetric noise of scale 1."""

    @property
    def expected_magnitude(self) -> float: ...

    def magnitude_quantile(self, probability: float) -> float: ...

    def magnitude_cdf(self, distance: Floats) -> Floats: ...


@dataclass(frozen=True)
class ScaledLaw:
    """Unbiased error: a standard noise times a scale per cell."""

    scale: Floats = field(repr=False, compare=False)
    noise: StandardNoise

    @property
    def expected(self) -> Floats:
        return self.scale * self.noise.expected_magnitude

    @property
    def bias(self) -> Floats:
        return np.zeros_like(self.scale)

    def quantile(self, probability: float) -> Floats:
        return self.scale * self.noise.magnitude_quantile(probability)

    def signed_quantile(self, probability: float) -> Floats:
        return float(np.sign(probability - 0.5)) * self.quantile(abs(2 * probability - 1))

    def chance_within(self, distance: Floats) -> Floats:
        return self.noise.magnitude_cdf(distance / self.scale)
