"""Smooth Gamma: counts plus noise of density proportional to 1 / (1 + z⁴), scaled by the largest establishment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import log, pi, sqrt
from typing import ClassVar

import numpy as np

from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.distributions import GammaLike
from workbench.privacy.error_law import Floats
from workbench.privacy.intervals import Interval
from workbench.privacy.mechanisms.growth import EXACT, not_strong_alpha
from workbench.privacy.mechanisms.smooth import Smooth, dilation_too_dear, noise_factor
from workbench.privacy.unfit import Unfit


class Split(StrEnum):
    """How epsilon is divided between the move of the count and the growth of the scale."""

    TIGHT = "tight"
    PUBLISHED = "published"


@dataclass(frozen=True)
class SmoothGamma(Smooth):
    """n + k·S·η with density √2 / (π(1 + z⁴)), k = 3^(3/4) / (ε - 3 ln(1+α)), as published 5 / (ε - 5 ln(1+α))."""

    split: Split = Split.TIGHT

    name: ClassVar[str] = "smooth-gamma"
    title: ClassVar[str] = "Smooth Gamma"
    reason: ClassVar[str] = "Unbiased and pure; the noise follows the largest establishment, so no margin is published."

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction = Fraction(0), split: Split = Split.TIGHT
    ) -> SmoothGamma | Unfit:
        """It spends no delta."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        slide, dilation = COSTS[split]
        factor = noise_factor(slide, dilation, neighbors, epsilon)
        if factor is None:
            return dilation_too_dear(dilation, neighbors, epsilon)
        return cls(epsilon, neighbors, factor, split=split)

    @property
    def noise(self) -> GammaLike:
        return GammaLike()

    @property
    def scale_words(self) -> str:
        return f"noise with density √2 / (π(1 + z⁴)) times {self.bound_words}"

    def log_shape(self, z: Floats) -> Floats:
        return log(sqrt(2) / pi) - np.log1p(np.square(np.square(z)))


# Slide and dilation. The slope of ln(1 + z⁴) is largest at z⁴ = 3, where it is 3^(3/4); 1 - 4z⁴ / (1 + z⁴) is above -3.
COSTS: dict[Split, tuple[Interval, int]] = {
    Split.TIGHT: (EXACT.sqrt(EXACT.sqrt(EXACT.of(27))), 3),
    Split.PUBLISHED: (EXACT.of(5), 5),
}
