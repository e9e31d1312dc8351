"""Joint Student-t: all worker cells of a workplace cell at once, for one epsilon instead of one for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import lgamma, log, pi
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.distributions import StudentT
from workbench.privacy.error_law import Floats, ScaledLaw, Sizes
from workbench.privacy.intervals import Interval
from workbench.privacy.joint_rounding import draw_joint_rounded
from workbench.privacy.mechanism import Takes
from workbench.privacy.mechanisms.growth import EXACT, not_strong_alpha
from workbench.privacy.mechanisms.smooth import (
    WHOLE_NUMBERS,
    FollowsLargest,
    dilation_too_dear,
    exact_scales,
    noise_factor,
)
from workbench.privacy.mechanisms.smooth_t import DEGREES
from workbench.privacy.mechanisms.smooth_t import slide as one_cell_slide
from workbench.privacy.mechanisms.student import StudentMagnitude
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.rounding import draw_rounded
from workbench.privacy.unfit import Unfit


class Form(StrEnum):
    """How the noises of the cells hang together."""

    INDEPENDENT = "independent"
    MULTIVARIATE = "multivariate"


@dataclass(frozen=True)
class JointT(FollowsLargest):
    """The counts of d worker cells plus k·S·t_ν each, S from the largest total size of an establishment.

    Independent: ε = (ν+1)/(2√ν)/k + dν ln(1+α). Multivariate: ε = (ν+d)/(2√ν)/k + max(ν, d) ln(1+α).
    Counts come as one row for each workplace cell and one column for each worker cell.
    """

    cells: int = 1
    form: Form = Form.INDEPENDENT
    degrees: int = DEGREES[0]

    name: ClassVar[str] = "joint-t"
    title: ClassVar[str] = "Joint Student-t"
    takes: ClassVar[Takes] = Takes.WORKPLACES
    reason: ClassVar[str] = "All worker cells of a workplace for one ε; the noise follows the largest establishment."

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction = Fraction(0), cells: int = 1
    ) -> JointT | Unfit:
        """The best valid form, from α, ε and the number of worker cells alone; it spends no delta."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        fitting = tuple(cls._fitting(neighbors, epsilon, cells))
        if not fitting:
            return dilation_too_dear(min(dilation for _, _, _, dilation in _costs(cells)), neighbors, epsilon)
        return min(fitting, key=lambda one: one.expected_in_bounds)

    @classmethod
    def _fitting(cls, neighbors: StrongAlpha, epsilon: Fraction, cells: int) -> Iterator[JointT]:
        for form, degrees, slide, dilation in _costs(cells):
            factor = noise_factor(slide, dilation, neighbors, epsilon)
            if factor is not None:
                yield cls(epsilon, neighbors, factor, cells=cells, form=form, degrees=degrees)

    @property
    def expected_in_bounds(self) -> float:
        """E|error| of a cell in units of S."""
        return float(self.factor) * StudentMagnitude(self.degrees).expected_magnitude

    @property
    def scale_words(self) -> str:
        return (
            f"{self.form} Student’s t noise with {self.degrees} degrees of freedom over {self.cells} worker cells, "
            f"times {self.bound_words}"
        )

    def release(self, counts: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        if largest is None or counts.shape != (len(largest), self.cells):
            raise ValueError("a joint release needs one row and one largest establishment for each workplace cell")
        if self.form is Form.MULTIVARIATE:
            scales = exact_scales(self.neighbors, self.factor * self.reach, largest)
            return draw_joint_rounded(self.degrees, counts, scales, noise.words)
        scales = exact_scales(self.neighbors, self.factor * self.reach, np.repeat(largest, self.cells))
        noisy = draw_rounded(StudentT(self.degrees), counts.reshape(-1), scales, WHOLE_NUMBERS, noise.words)
        return noisy.reshape(counts.shape)

    def error(self, sizes: Sizes) -> ScaledLaw:
        """Of every cell; in both forms a single cell has Student's t noise."""
        return ScaledLaw(self.scale(sizes.largest), StudentMagnitude(self.degrees))

    def log_density(self, count: ArrayLike, largest: ArrayLike, outputs: Floats) -> Floats:
        """Of whole rows of outputs."""
        scale = self.scale(largest)
        squares = np.square((outputs - np.asarray(count)) / scale[..., None])
        return np.asarray(LOG_SHAPES[self.form](squares, self.degrees) - self.cells * np.log(scale))


def _costs(cells: int) -> Iterator[tuple[Form, int, Interval, int]]:
    """Form, degrees of freedom, slide and dilation of every noise that is considered."""
    for degrees in DEGREES:
        yield Form.INDEPENDENT, degrees, one_cell_slide(degrees), cells * degrees
    for degrees in range(DEGREES[0], max(DEGREES[-1], 2 * cells) + 1):
        yield Form.MULTIVARIATE, degrees, joint_slide(degrees, cells), max(degrees, cells)


def joint_slide(degrees: int, cells: int) -> Interval:
    """(ν + d) / (2√ν): the slope (ν + d)|z| / (ν + |z|²) of the log density is largest at |z| = √ν."""
    return Fraction(degrees + cells, 2) / EXACT.sqrt(EXACT.of(degrees))


def _independent(squares: Floats, degrees: int) -> Floats:
    one = _log_peak(degrees, 1) - (degrees + 1) / 2 * np.log1p(squares / degrees)
    return np.asarray(one.sum(axis=-1), dtype=np.float64)


def _multivariate(squares: Floats, degrees: int) -> Floats:
    cells = squares.shape[-1]
    one = np.log1p(squares.sum(axis=-1) / degrees)
    return np.asarray(_log_peak(degrees, cells) - (degrees + cells) / 2 * one, dtype=np.float64)


def _log_peak(degrees: int, cells: int) -> float:
    return lgamma((degrees + cells) / 2) - lgamma(degrees / 2) - cells / 2 * log(pi * degrees)


LOG_SHAPES = {Form.INDEPENDENT: _independent, Form.MULTIVARIATE: _multivariate}
