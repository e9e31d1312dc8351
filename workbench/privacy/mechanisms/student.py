"""The magnitude of Student's t for any whole number of degrees of freedom, to float accuracy, for error laws."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, pi, sqrt, tan

import numpy as np

from workbench.privacy.error_law import Floats

_HALVINGS = 60


@dataclass(frozen=True)
class StudentMagnitude:
    """|t_ν| for ν >= 2."""

    degrees: int

    @property
    def expected_magnitude(self) -> float:
        nu = self.degrees
        return 2 * sqrt(nu / pi) / (nu - 1) * exp(lgamma((nu + 1) / 2) - lgamma(nu / 2))

    def magnitude_cdf(self, distance: Floats) -> Floats:
        """A finite sum of powers of the cosine of arctan(z / √ν)."""
        return self._chance_within(np.arctan(distance / sqrt(self.degrees)))

    def magnitude_quantile(self, probability: float) -> float:
        low, high = 0.0, pi / 2
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._chance_within(np.array(middle)) >= probability else (middle, high)
        return sqrt(self.degrees) * tan(high)

    def _chance_within(self, angle: Floats) -> Floats:
        is_odd = self.degrees % 2
        square = np.square(np.cos(angle))
        term = np.cos(angle) if is_odd else np.ones_like(angle)
        total = np.zeros_like(angle)
        for k in range(2 + is_odd, self.degrees + 1, 2):
            total = total + term
            term = term * square * (k - 1) / k
        half = np.sin(angle) * total
        return np.asarray((angle + half) * 2 / pi if is_odd else half, dtype=np.float64)
