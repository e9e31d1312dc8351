"""How many cells come within target, by the size of the cell: small cells and large ones err differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from workbench.preview.metrics import CellSizes, Metric, Source, Target, measure
from workbench.privacy.composition import Allotment

_BOUNDS = (0, 10, 100, 1000)


@dataclass(frozen=True)
class Stratum:
    """The cells of one range of sizes: their part of all cells, and each statistic's share within target."""

    title: str
    part: float
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Strata:
    """Accuracy by cell size. Says what it looked at."""

    unit: str
    source: Source
    statistics: tuple[str, ...]
    rows: tuple[Stratum, ...]

    @property
    def sentence(self) -> str:
        if not self.rows or not self.statistics:
            return "Set epsilon to see how cells of each size would do."
        weakest = min(self.rows, key=lambda row: min(row.shares))
        return (
            f"Weakest group: cells of {weakest.title} {self.unit}, "
            f"about {100 * min(weakest.shares):.0f} of 100 within target."
        )


def strata(statistics: Sequence[Allotment], sizes: CellSizes, target: Target, unit: str) -> Strata:
    """Each range of sizes that has cells, smallest first."""
    edges = (*_BOUNDS, np.inf)
    rows = tuple(
        row for low, high in pairwise(edges) if (row := _stratum(statistics, sizes, target, low, high)) is not None
    )
    return Strata(unit, sizes.source, tuple(one.title for one in statistics), rows)


def _stratum(
    statistics: Sequence[Allotment], sizes: CellSizes, target: Target, low: float, high: float
) -> Stratum | None:
    inside = (sizes.sizes >= low) & (sizes.sizes < high)
    if not inside.any():
        return None
    shares = tuple(measure(Metric.SHARE_WITHIN, part, sizes.only(inside), target) for part in statistics)
    return Stratum(_range(low, high), float(inside.mean()), shares)


def _range(low: float, high: float) -> str:
    return f"{low:,.0f}+" if np.isinf(high) else f"{low:,.0f}–{high - 1:,.0f}"
