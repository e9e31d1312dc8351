"""Smooth Student-t: counts plus Student's t noise, scaled by the largest establishment."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import ClassVar

import numpy as np

from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.distributions import StudentT
from workbench.privacy.error_law import Floats
from workbench.privacy.intervals import Interval
from workbench.privacy.mechanisms.growth import EXACT, not_strong_alpha
from workbench.privacy.mechanisms.smooth import Smooth, dilation_too_dear, noise_factor
from workbench.privacy.unfit import Unfit

DEGREES = (2, 3, 4, 5)


@dataclass(frozen=True)
class SmoothT(Smooth):
    """n + k·S·t_ν with k = (ν+1)/(2√ν) / (ε - ν ln(1+α)); ν from 2 to 5 has the least error for (α, ε)."""

    degrees: int = DEGREES[0]

    name: ClassVar[str] = "smooth-t"
    title: ClassVar[str] = "Smooth Student-t"
    reason: ClassVar[str] = "Less noise than Smooth Gamma for the same promise; it follows the largest establishment."

    @classmethod
    def consider(cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction = Fraction(0)) -> SmoothT | Unfit:
        """The degrees of freedom come from α and ε alone, so they are public; it spends no delta."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        factors = {degrees: noise_factor(slide(degrees), degrees, neighbors, epsilon) for degrees in DEGREES}
        fitting = [cls(epsilon, neighbors, factor, degrees=degrees) for degrees, factor in factors.items() if factor]
        if not fitting:
            return dilation_too_dear(DEGREES[0], neighbors, epsilon)
        return min(fitting, key=lambda one: float(one.factor) * one.noise.expected_magnitude)

    @property
    def noise(self) -> StudentT:
        return StudentT(self.degrees)

    @property
    def scale_words(self) -> str:
        scale = self.bound_words
        return f"Student’s t noise with {self.degrees} degrees of freedom times {scale}"

    def log_shape(self, z: Floats) -> Floats:
        peak = log(float(self.noise.density(np.zeros(()))))
        return peak - (self.degrees + 1) / 2 * np.log1p(np.square(z) / self.degrees)


def slide(degrees: int) -> Interval:
    """(ν + 1) / (2√ν): the slope (ν + 1)z / (ν + z²) of the log density is largest at z = √ν."""
    return Fraction(degrees + 1, 2) / EXACT.sqrt(EXACT.of(degrees))
