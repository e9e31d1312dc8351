"""Releases that might be: the equally likely outcomes of one cell, without drawing anything."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.plan.units import of_unit
from workbench.preview.metrics import Source
from workbench.privacy.mechanisms import Mechanism

COUNT = 25
CONFIDENCES = (0.5, 0.8, 0.95)


@dataclass(frozen=True)
class Hypothetical:
    """What one cell might be published as: as many outcomes as releases, and the ranges most of them lie in."""

    size: int
    unit: str
    source: Source
    outcomes: tuple[int, ...]
    ranges: tuple[tuple[float, int, int], ...]

    @property
    def sentence(self) -> str:
        confidence, low, high = self.ranges[-1]
        often = f"{100 * confidence:.0f} of 100 releases of this cell"
        if low == high:
            return f"{often} say {low:,} {of_unit(low, self.unit)}."
        return f"{often} fall between {low:,} and {high:,} {self.unit}."


def hypothetical_releases(mechanism: Mechanism, size: int, unit: str, source: Source) -> Hypothetical:
    """Quantiles at equal probabilities: what 25 releases look like when none of them is lucky."""
    outcomes = (size + _quantile(mechanism, (at + 0.5) / COUNT) for at in range(COUNT))
    margins = ((confidence, mechanism.margin(confidence)) for confidence in CONFIDENCES)
    return Hypothetical(
        size=size,
        unit=unit,
        source=source,
        outcomes=tuple(_shown(outcome) for outcome in outcomes),
        ranges=tuple((confidence, _shown(size - margin), _shown(size + margin)) for confidence, margin in margins),
    )


def _quantile(mechanism: Mechanism, probability: float) -> int:
    """The noise is symmetric, so the margin at twice the distance from one half is the quantile."""
    distance = mechanism.margin(abs(2 * probability - 1))
    return distance if probability > 0.5 else -distance


def _shown(outcome: int) -> int:
    """A count below zero is published as 0."""
    return max(outcome, 0)
