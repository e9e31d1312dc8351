"""Releases that might be: the equally likely outcomes of one cell, without drawing anything."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.plan.units import of_unit
from workbench.preview.metrics import CellSizes, Source
from workbench.privacy.composition import Allotment

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


def hypothetical_releases(part: Allotment, cells: CellSizes, unit: str) -> Hypothetical:
    """Quantiles at equal probabilities: what 25 releases of the one cell look like when none of them is lucky."""
    brief, mechanism = part.brief, part.mechanism
    assert brief is not None and mechanism is not None, "only of a statistic that can be released"
    law = mechanism.error(cells.cells(brief))
    value = float(brief.values(cells.sizes)[0])
    is_floored = brief.measure is None or brief.measure.lower >= 0

    def shown(probability: float) -> int:
        """What is below zero and cannot be is published as 0."""
        outcome = value + float(brief.step) * float(law.signed_quantile(probability)[0])
        return round(max(outcome, 0) if is_floored else outcome)

    return Hypothetical(
        size=round(value),
        unit=part.statistic.measure or unit,
        source=cells.source,
        outcomes=tuple(shown((at + 0.5) / COUNT) for at in range(COUNT)),
        ranges=tuple((often, shown((1 - often) / 2), shown((1 + often) / 2)) for often in CONFIDENCES),
    )
