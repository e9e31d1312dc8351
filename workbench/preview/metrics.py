"""How good a table would be: accuracy metrics of a mechanism over a set of cell sizes, by closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import nan

import numpy as np
from numpy.typing import NDArray

from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import Policy
from workbench.privacy.brief import Brief, typical_counts
from workbench.privacy.composition import Allotment
from workbench.privacy.error_law import ErrorLaw, Floats, Sizes

_CONFIDENCE = 0.95
_FINENESS, _FINEST = 1e-4, 1e-3  # of a margin over cells of many sizes: in proportion, and at all


class Metric(StrEnum):
    """What is measured."""

    MARGIN = "margin"
    ABSOLUTE = "absolute"
    RELATIVE = "relative"
    SHARE_WITHIN = "share-within"

    @property
    def heading(self) -> str:
        return _HEADINGS[self]

    @property
    def is_better_high(self) -> bool:
        return self is Metric.SHARE_WITHIN


_HEADINGS = {
    Metric.MARGIN: "Margin of error (95 %)",
    Metric.ABSOLUTE: "Expected absolute error",
    Metric.RELATIVE: "Expected relative error",
    Metric.SHARE_WITHIN: "Share of cells within target",
}


class Source(StrEnum):
    """What a preview looked at. Confidential previews are watermarked, not exported, and logged."""

    SYNTHETIC = "synthetic"
    CONFIDENTIAL = "confidential"


@dataclass(frozen=True)
class CellSizes:
    """The cell sizes a preview is made for, and where they came from.

    Without the sizes of the largest establishments, the share that the agency's policy assumes stands for them.
    """

    sizes: Floats = field(repr=False, compare=False)
    source: Source
    words: str
    largest: Floats | None = field(default=None, repr=False, compare=False)

    def only(self, chosen: NDArray[np.bool_]) -> CellSizes:
        """Some of the cells."""
        return replace(self, sizes=self.sizes[chosen], largest=None if self.largest is None else self.largest[chosen])

    def cells(self, brief: Brief) -> Sizes:
        return brief.sizes(self.sizes) if self.largest is None else Sizes(self.sizes, self.largest)


@dataclass(frozen=True)
class Target:
    """A cell is on target when its error is within this part of its size, or within so many units."""

    within: float
    or_within: float


def policy_target(policy: Policy) -> Target:
    return Target(float(policy.within), float(policy.or_within))


def typical_sizes(plan: ReleasePlan, policy: Policy) -> CellSizes:
    """Right-skewed sizes around the publicly declared typical cell; no data are looked at."""
    typical = plan.typical_cell or policy.typical_cell
    said = "declared" if plan.typical_cell else "assumed"
    words = f"synthetic sizes around a {said} typical cell of {typical:,} {plan.data.unit}"
    if isinstance(plan.neighbors, StrongAlpha):
        words += f", the largest establishment with {float(policy.largest_share):.0%} of its cell".replace("%", " %")
    return CellSizes(typical_counts(typical), Source.SYNTHETIC, words)


def measure(metric: Metric, part: Allotment, sizes: CellSizes, target: Target) -> float:
    """The value of a metric for one statistic; not a number while no mechanism fits it."""
    if part.brief is None or part.mechanism is None or not sizes.sizes.size:
        return nan
    law = part.mechanism.error(sizes.cells(part.brief))
    return _MEASURES[metric](law, part.brief, sizes.sizes, target)


def _share_within(law: ErrorLaw, brief: Brief, counts: Floats, target: Target) -> float:
    distance = np.maximum(target.within * np.abs(brief.values(counts)), target.or_within)
    return float(law.chance_within(distance / float(brief.step)).mean())


def _margin(law: ErrorLaw, brief: Brief, counts: Floats, target: Target) -> float:
    """What the error of a cell, any of them, stays within 95 times in 100."""
    each = law.quantile(_CONFIDENCE)
    low, high = float(each.min()), float(each.max())
    while high - low > max(_FINENESS * high, _FINEST):
        middle = (low + high) / 2
        is_enough = law.chance_within(np.full_like(counts, middle)).mean() >= _CONFIDENCE
        low, high = (low, middle) if is_enough else (middle, high)
    return high * float(brief.step)


def _absolute(law: ErrorLaw, brief: Brief, counts: Floats, target: Target) -> float:
    return float(law.expected.mean() * brief.step)


def _relative(law: ErrorLaw, brief: Brief, counts: Floats, target: Target) -> float:
    values = np.maximum(np.abs(brief.values(np.maximum(counts, 1))), float(brief.step))
    return float((law.expected * float(brief.step) / values).mean())


_MEASURES: dict[Metric, Callable[[ErrorLaw, Brief, Floats, Target], float]] = {
    Metric.MARGIN: _margin,
    Metric.ABSOLUTE: _absolute,
    Metric.RELATIVE: _relative,
    Metric.SHARE_WITHIN: _share_within,
}
