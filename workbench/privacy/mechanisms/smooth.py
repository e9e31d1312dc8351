"""Noise that follows the largest establishment of a cell: the smooth scale S, and what its own change costs.

One step of strong alpha moves a count by at most S and lets S grow by at most 1 + α. For noise k·S·η the first costs
slide / k and the second dilation · ln(1 + α), where the slide is the steepest slope of the log density of η, and the
dilation the largest change of the log density of s·η in ln s. A mechanism is private when both together are epsilon.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.distributions import Distribution
from workbench.privacy.error_law import Floats, ScaledLaw, Sizes
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.intervals import Interval
from workbench.privacy.mechanism import Takes
from workbench.privacy.mechanisms.growth import growth_log
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.rounding import Scales, draw_rounded
from workbench.privacy.unfit import Unfit, readable_above

WHOLE_NUMBERS = Fraction(1)

_PLACES = 10**12  # factors are rounded up to so many parts of one
_MOST_MULTIPLE = 2**62


def smooth_bound(neighbors: StrongAlpha, largest: Floats) -> Floats:
    """S of each cell from the size of its largest establishment: max(α·x, 1), strictly read α·x + 1."""
    grown = float(neighbors.alpha) * largest
    return grown + 1 if neighbors.strict else np.maximum(grown, 1)


def exact_scales(neighbors: StrongAlpha, factor: Fraction, largest: Integers) -> Scales | Sequence[Fraction]:
    """k·S of each cell, exactly: with α = p/q these are whole multiples of k/q."""
    p, q = neighbors.alpha.as_integer_ratio()
    if max(p, q) * (int(largest.max(initial=0)) + 1) < _MOST_MULTIPLE:
        return Scales(p * largest + q if neighbors.strict else np.maximum(p * largest, q), factor / q)
    grown = [neighbors.alpha * int(size) for size in largest]
    return [factor * (size + 1 if neighbors.strict else max(size, Fraction(1))) for size in grown]


def rounded_up(factor: Fraction) -> Fraction:
    """A factor with twelve decimal places that is not below: rounding may only add noise."""
    return Fraction(ceil(factor * _PLACES), _PLACES)


def noise_factor(slide: Interval, dilation: int, neighbors: StrongAlpha, epsilon: Fraction) -> Fraction | None:
    """k = slide / (ε - dilation · ln(1 + α)), rounded up; None when the dilation alone costs epsilon or more."""
    room = epsilon - dilation * growth_log(neighbors.alpha)
    return rounded_up((slide / room).ends[1]) if room.low > 0 else None


def dilation_too_dear(dilation: int, neighbors: StrongAlpha, epsilon: Fraction) -> Unfit:
    """What to say when there is no factor."""
    smallest = readable_above((dilation * growth_log(neighbors.alpha)).ends[1])
    return Unfit(
        f"With α = {exact_text(neighbors.alpha)} it needs ε = {exact_text(smallest)} or more, because its scale moves "
        f"with the largest establishment; here ε = {exact_text(epsilon)}.",
        smallest,
    )


@dataclass(frozen=True)
class Magnitudes:
    """The size of a noise of scale 1, as error laws ask for it."""

    noise: Distribution

    @property
    def expected_magnitude(self) -> float:
        return self.noise.expected_magnitude

    def magnitude_quantile(self, probability: float) -> float:
        return float(self.noise.magnitude_quantile(probability))

    def magnitude_cdf(self, distance: Floats) -> Floats:
        return 1 - self.noise.fast_tail(distance)


@dataclass(frozen=True)
class FollowsLargest(ABC):
    """Noise of scale k·S. The scale tells the size of the largest establishment of a cell: it is never published.

    `reach` is the most one worker changes the value by: 1 for counts; a sum of a clipped measure moves by reach · S.
    """

    epsilon: Fraction
    neighbors: StrongAlpha
    factor: Fraction
    delta: Fraction = Fraction(0)

    reach: int = 1

    name: ClassVar[str]
    title: ClassVar[str]
    reason: ClassVar[str]
    takes: ClassVar[Takes] = Takes.CELLS
    publishes_margin: ClassVar[bool] = False

    @abstractmethod
    def log_density(self, count: ArrayLike, largest: ArrayLike, outputs: Floats) -> Floats:
        """The log density of outputs before rounding."""

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.ER_EE, self.neighbors, self.epsilon, self.delta)

    @property
    def bound_words(self) -> str:
        """The scale as it may be published: how it follows x, never what x is."""
        bound = "(α·x + 1)" if self.neighbors.strict else "max(α·x, 1)"
        unit = "" if self.reach == 1 else "·R"
        meaning = "" if self.reach == 1 else ", R the most one worker can add within the public bounds"
        return (
            f"k·{bound}{unit}, k = {float(self.factor):.4g}{meaning}, x the confidential size of the cell’s largest "
            "establishment"
        )

    @property
    def bias_words(self) -> str:
        return ""

    def bound(self, largest: Floats) -> Floats:
        """S of each cell."""
        return smooth_bound(self.neighbors, largest)

    def scale(self, largest: ArrayLike) -> Floats:
        """k·S of each cell, times the reach, for previews and audits."""
        return float(self.factor * self.reach) * self.bound(np.asarray(largest, dtype=np.float64))

    def margin(self, confidence: float = 0.95, cells: int = 1) -> None:
        """None: a margin would tell the scale, and the scale the largest establishment."""
        return

    def limits(self, noisy: Integers, confidence: float = 0.95) -> None:
        """None, as the margin."""
        return

    def privacy_loss(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike, outputs: Floats) -> Floats:
        """ln of the density under (n, x) over that under (n2, x2); rounding can only bring it nearer to 0."""
        return self.log_density(n, x, outputs) - self.log_density(n2, x2, outputs)


@dataclass(frozen=True)
class Smooth(FollowsLargest):
    """n + k·S·η for every cell, rounded to a whole number."""

    @property
    @abstractmethod
    def noise(self) -> Distribution:
        """The distribution of η."""

    @abstractmethod
    def log_shape(self, z: Floats) -> Floats:
        """The log density of η, which does not underflow."""

    def release(self, counts: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        if largest is None:
            raise ValueError("the smooth scale needs the size of the largest establishment of every cell")
        scales = exact_scales(self.neighbors, self.factor * self.reach, largest)
        return draw_rounded(self.noise, counts, scales, WHOLE_NUMBERS, noise.words)

    def error(self, sizes: Sizes) -> ScaledLaw:
        return ScaledLaw(self.scale(sizes.largest), Magnitudes(self.noise))

    def log_density(self, count: ArrayLike, largest: ArrayLike, outputs: Floats) -> Floats:
        scale = self.scale(largest)
        return self.log_shape((outputs - np.asarray(count)) / scale) - np.log(scale)
