"""How good a table would be: accuracy metrics of a mechanism over a set of cell sizes, by closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import Policy
from workbench.privacy.mechanisms import Mechanism


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
    """The cell sizes a preview is made for, and where they came from."""

    sizes: NDArray[np.float64] = field(repr=False, compare=False)
    source: Source
    words: str


@dataclass(frozen=True)
class Target:
    """A cell is on target when its error is within this part of its size, or within so many units."""

    within: float
    or_within: float


def policy_target(policy: Policy) -> Target:
    return Target(float(policy.within), float(policy.or_within))


def typical_sizes(plan: ReleasePlan, policy: Policy, count: int = 200) -> CellSizes:
    """Right-skewed sizes around the publicly declared typical cell; no data are looked at."""
    typical = plan.typical_cell or policy.typical_cell
    ranks = [NormalDist().inv_cdf((at + 0.5) / count) for at in range(count)]
    sizes = np.round(typical * np.exp(1.5 * np.array(ranks)))
    said = "declared" if plan.typical_cell else "assumed"
    words = f"synthetic sizes around a {said} typical cell of {typical:,} {plan.data.unit}"
    return CellSizes(sizes, Source.SYNTHETIC, words)


def measure(metric: Metric, mechanism: Mechanism, sizes: CellSizes, target: Target) -> float:
    """The value of a metric for one mechanism."""
    return _MEASURES[metric](mechanism, sizes.sizes, target)


def _share_within(mechanism: Mechanism, sizes: NDArray[np.float64], target: Target) -> float:
    distance = np.maximum(target.within * sizes, target.or_within)
    return float(mechanism.chance_within(distance).mean())


def _relative(mechanism: Mechanism, sizes: NDArray[np.float64], target: Target) -> float:
    return float((mechanism.expected_error() / np.maximum(sizes, 1)).mean())


_MEASURES: dict[Metric, Callable[[Mechanism, NDArray[np.float64], Target], float]] = {
    Metric.MARGIN: lambda mechanism, sizes, target: float(mechanism.margin()),
    Metric.ABSOLUTE: lambda mechanism, sizes, target: mechanism.expected_error(),
    Metric.RELATIVE: _relative,
    Metric.SHARE_WITHIN: _share_within,
}
