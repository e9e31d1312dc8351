"""Midpoint Student-t: a sum of a measure together with its count, by their deviations from the public midpoint.

In whole steps with bounds L and U, D = 2·sum - (L+U)·count moves by at most U-L with every worker, and the count by 1.
The pair (D, count) gets bivariate t noise of scales k·S·(U-L) and k·S·w. A step of strong alpha moves the pair by at
most √(1 + 1/w²) / k in these units, and both scales grow together. The sum is (D + (L+U)·count) / 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, inf, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.amounts import exact_text
from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.error_law import Floats, ScaledLaw, Sizes
from workbench.privacy.intervals import Interval
from workbench.privacy.joint_rounding import draw_joint_rounded
from workbench.privacy.mechanism import Takes
from workbench.privacy.mechanisms.growth import EXACT, not_strong_alpha
from workbench.privacy.mechanisms.joint_t import LOG_SHAPES, Form, joint_slide
from workbench.privacy.mechanisms.smooth import FollowsLargest, dilation_too_dear, exact_scales, noise_factor
from workbench.privacy.mechanisms.smooth_t import DEGREES
from workbench.privacy.mechanisms.student import StudentMagnitude
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.rounding import LIMIT
from workbench.privacy.unfit import Unfit

_PAIR = 2
_WEIGHT_PARTS = 64  # weights are whole multiples of 1/64
_MOST_WEIGHT = 4  # a count that a symmetric measure's sum does not need is still drawn with at most so much noise


@dataclass(frozen=True)
class MidpointT(FollowsLargest):
    """(D, n) plus k·S·((U-L)·t₁, w·t₂), t bivariate Student: ε = (ν+2)/(2√ν) · √(1 + 1/w²)/k + ν ln(1+α)."""

    lower: int = 0
    upper: int = 1
    weight: Fraction = Fraction(1)
    degrees: int = DEGREES[0]

    name: ClassVar[str] = "midpoint-t"
    title: ClassVar[str] = "Midpoint Student-t"
    reason: ClassVar[str] = "Gives the sum and the count together, for a mean; the sum alone costs less with Smooth t."
    takes: ClassVar[Takes] = Takes.SUMS_AND_COUNTS

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, measure: MeasureGrid, weight: Fraction | None = None
    ) -> MidpointT | Unfit:
        """The weight that is best for sums unless one is given; degrees of freedom from α and ε alone."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        fitting = tuple(cls._fitting(neighbors, epsilon, measure, weight or best_weight(measure)))
        if not fitting:
            return dilation_too_dear(DEGREES[0], neighbors, epsilon)
        return min(fitting, key=lambda one: float(one.factor) * StudentMagnitude(one.degrees).expected_magnitude)

    @classmethod
    def _fitting(
        cls, neighbors: StrongAlpha, epsilon: Fraction, measure: MeasureGrid, weight: Fraction
    ) -> Iterator[MidpointT]:
        for nu in DEGREES:
            factor = noise_factor(slide(nu, weight), max(nu, _PAIR), neighbors, epsilon)
            if factor is not None:
                yield cls(
                    epsilon, neighbors, factor, reach=measure.reach, weight=weight, degrees=nu,
                    lower=measure.lower, upper=measure.upper,
                )  # fmt: skip

    @property
    def width(self) -> int:
        """The most one worker moves D by."""
        return self.upper - self.lower

    @property
    def twice_middle(self) -> int:
        return self.lower + self.upper

    @property
    def scale_words(self) -> str:
        bound = "(α·x + 1)" if self.neighbors.strict else "max(α·x, 1)"
        return (
            f"bivariate Student’s t noise with {self.degrees} degrees of freedom times k·{bound}, "
            f"k = {float(self.factor):.4g}, times the width of the bounds for twice the sum of deviations from their "
            f"midpoint and times {exact_text(self.weight)} for the count; "
            "x the confidential size of the cell’s largest establishment"
        )

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        """The noisy sums, from rows of sums and counts."""
        return self.sums(self.release_pair(values, largest, noise))

    def release_pair(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        """Rows of noisy D and noisy count, from rows of sums and counts."""
        if largest is None or values.shape != (len(largest), _PAIR):
            raise ValueError("a midpoint release needs a sum, a count and a largest establishment for each cell")
        scales = exact_scales(self.neighbors, self.factor, largest)
        weights = [Fraction(self.width), self.weight]
        return draw_joint_rounded(self.degrees, self.deviations(values), scales, noise.words, weights)

    def deviations(self, values: Integers) -> Integers:
        """Rows of D and count from rows of sums and counts. Python's numbers do not overflow."""
        sums, counts = values.astype(object).T
        return np.stack([_within_limit(2 * sums - self.twice_middle * counts), values[:, 1]], axis=1)

    def sums(self, pairs: Integers) -> Integers:
        """Sums in whole steps from rows of D and count."""
        deviations, counts = pairs.astype(object).T
        return _within_limit((deviations + self.twice_middle * counts) // 2)

    def scale(self, largest: ArrayLike) -> Floats:
        """Of the noise of the sum: half the length of ((U-L), (L+U)·w), times k·S."""
        half = hypot(self.width, self.twice_middle * float(self.weight)) / 2
        return float(self.factor) * half * self.bound(np.asarray(largest, dtype=np.float64))

    def error(self, sizes: Sizes) -> ScaledLaw:
        """A weighted sum of the entries of a multivariate t is Student's t again."""
        return ScaledLaw(self.scale(sizes.largest), StudentMagnitude(self.degrees))

    def log_density(self, count: ArrayLike, largest: ArrayLike, outputs: Floats) -> Floats:
        """Of rows of sums and counts before rounding, but for a constant."""
        away = outputs - np.asarray(count)
        deviation = (2 * away[..., 0] - self.twice_middle * away[..., 1]) / self.width
        unit = float(self.factor) * self.bound(np.asarray(largest, dtype=np.float64))
        squares = np.square(np.stack([deviation, away[..., 1] / float(self.weight)], axis=-1) / unit[..., None])
        return np.asarray(LOG_SHAPES[Form.MULTIVARIATE](squares, self.degrees) - _PAIR * np.log(unit))


def slide(degrees: int, weight: Fraction) -> Interval:
    """(ν + 2) / (2√ν) for each unit of length, times the length √(1 + 1/w²) of one worker's step."""
    return joint_slide(degrees, _PAIR) * EXACT.sqrt(EXACT.of(1 + 1 / weight**2))


def best_weight(measure: MeasureGrid) -> Fraction:
    """About √((U-L) / |L+U|), with which the noise of the sum has its smallest scale: that of max(|L|, |U|) a worker.

    Any weight keeps the promise: the factor is computed for the weight as it is after rounding.
    """
    width, twice_middle = measure.upper - measure.lower, abs(measure.lower + measure.upper)
    ideal = sqrt(width / twice_middle) if twice_middle else inf
    return Fraction(round(min(max(ideal, 1 / _WEIGHT_PARTS), _MOST_WEIGHT) * _WEIGHT_PARTS), _WEIGHT_PARTS)


def _within_limit(numbers: Any) -> Integers:
    return np.asarray(np.clip(numbers, -LIMIT, LIMIT), dtype=np.int64)
