"""What a mechanism is asked to do: which statistic, for whose protection, with how much; public facts alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Neighbors
from workbench.plan.plan import StatisticKind
from workbench.privacy.error_law import Floats, Sizes

_SPREAD = 1.5  # standard deviation of the logarithms of cell sizes, as right-skewed as tables of establishments are
_TYPICAL_CELLS = 200


@dataclass(frozen=True)
class Brief:
    """One statistic of one table before its mechanism is chosen.

    `rho` is its part of a plan that is accounted as zCDP; without one, a mechanism that needs a ρ takes it from epsilon
    and delta. `worker_cells` is how many cells of the table one establishment can be in.
    """

    kind: StatisticKind
    neighbors: Neighbors
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    rho: Fraction | None = None
    worker_cells: int = 1
    measure: MeasureGrid | None = None
    wanted: str = "auto"
    typical_cell: int = 70
    largest_share: Fraction = Fraction(1, 2)

    @property
    def step(self) -> Fraction:
        """What one whole step of the released number means."""
        return self.measure.step if self.measure else Fraction(1)

    @property
    def reach(self) -> int:
        """The most one record can change the statistic by, in steps."""
        return self.measure.reach if self.measure else 1

    def typical_sizes(self) -> Sizes:
        return self.sizes(typical_counts(self.typical_cell))

    def sizes(self, counts: Floats) -> Sizes:
        """Cells of so many records, with the largest establishment the agency's policy assumes."""
        return Sizes(counts, np.ceil(float(self.largest_share) * self.worker_cells * counts))

    def values(self, counts: Floats) -> Floats:
        """What the statistic would be in cells of so many records; a sum, were all values midway between the bounds."""
        return counts * float(self.measure.middle * self.measure.step) if self.measure else counts


@lru_cache(maxsize=64)
def typical_counts(typical_cell: int) -> Floats:
    """Right-skewed cell sizes around the declared typical one; no data are looked at."""
    ranks = [NormalDist().inv_cdf((at + 0.5) / _TYPICAL_CELLS) for at in range(_TYPICAL_CELLS)]
    counts = np.round(typical_cell * np.exp(_SPREAD * np.array(ranks)))
    counts.flags.writeable = False
    return counts
