"""The size of a symmetric noise on whole numbers, as a table: margins, expected errors and chances are read off it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Magnitude:
    """|Z|: `within[m]` is the probability of at most m units of `stretch`."""

    within: NDArray[np.float64]
    expected: float
    stretch: float

    def quantile(self, probability: float) -> int:
        """The smallest whole number that the magnitude stays within with this probability."""
        return int(np.ceil(np.searchsorted(self.within, probability) * self.stretch))

    def chance_within(self, distance: NDArray[np.float64]) -> NDArray[np.float64]:
        steps = np.clip(np.floor(distance / self.stretch), 0, len(self.within) - 1)
        return self.within[steps.astype(np.int64)]


def from_masses(mass: NDArray[np.float64], stretch: float = 1.0) -> Magnitude:
    """From the probabilities of 0, 1, 2, ... units, each but the first counted for both signs."""
    within = np.minimum(mass[0] + np.concatenate([[0.0], 2 * np.cumsum(mass[1:])]), 1)
    return Magnitude(within, float(2 * np.arange(len(mass)) @ mass) * stretch, stretch)
