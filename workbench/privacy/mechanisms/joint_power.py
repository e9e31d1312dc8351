"""Joint power tail: all worker cells of a workplace cell at once, with noise whose tail falls by a power."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lgamma, log
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.distributions import PowerTail
from workbench.privacy.error_law import Floats, ScaledLaw, Sizes
from workbench.privacy.mechanism import Takes
from workbench.privacy.mechanisms.growth import not_strong_alpha
from workbench.privacy.mechanisms.smooth import FollowsLargest, Magnitudes, dilation_too_dear, exact_scales
from workbench.privacy.mechanisms.smooth_power import POWERS, best_power, factor
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.power_rounding import draw_power_rounded
from workbench.privacy.unfit import Unfit


@dataclass(frozen=True)
class JointPower(FollowsLargest):
    """The counts of d worker cells plus k·S·η, η of density proportional to (1 + |z1| + ... + |zd|)^-(m+d).

    1/k = min(e^(ε/(m+d)) - 1, (1+α)(e^((ε - d ln(1+α))/(m+d)) - 1)) with m ln(1+α) <= ε and d ln(1+α) < ε. Counts come
    as one row for each workplace cell and one column for each worker cell; S is from the largest total size.
    """

    cells: int = 1
    power: int = POWERS[0]

    name: ClassVar[str] = "joint-power"
    title: ClassVar[str] = "Joint power tail"
    takes: ClassVar[Takes] = Takes.WORKPLACES
    reason: ClassVar[str] = "All worker cells of a workplace for one ε, with the least noise; unbiased and pure."

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction = Fraction(0), cells: int = 1
    ) -> JointPower | Unfit:
        """The power comes from α, ε and the number of worker cells alone; it spends no delta."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        power = best_power(neighbors.alpha, epsilon, cells)
        if power is None:
            return dilation_too_dear(max(cells, POWERS[0]), neighbors, epsilon)
        k = factor(neighbors.alpha, epsilon, power, cells)
        return cls(epsilon, neighbors, k, cells=cells, power=power)

    @property
    def noise(self) -> PowerTail:
        """Of every single cell, whatever the number of cells."""
        return PowerTail(self.power)

    @property
    def scale_words(self) -> str:
        return (
            f"noise of density proportional to (1 + |z1| + ... + |zd|)^-{self.power + self.cells} over the "
            f"d = {self.cells} worker cells, times {self.bound_words}"
        )

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        if largest is None or values.shape != (len(largest), self.cells):
            raise ValueError("a joint release needs one row and one largest establishment for each workplace cell")
        scales = exact_scales(self.neighbors, self.factor * self.reach, largest)
        return draw_power_rounded(self.power, values, scales, noise.words)

    def error(self, sizes: Sizes) -> ScaledLaw:
        return ScaledLaw(self.scale(sizes.largest), Magnitudes(self.noise))

    def log_density(self, count: ArrayLike, largest: ArrayLike, outputs: Floats) -> Floats:
        """Of whole rows of outputs."""
        scale = self.scale(largest)
        distance = np.abs((outputs - np.asarray(count)) / scale[..., None]).sum(axis=-1)
        peak = lgamma(self.power + self.cells) - lgamma(self.power) - self.cells * log(2)
        return np.asarray(peak - (self.power + self.cells) * np.log1p(distance) - self.cells * np.log(scale))
