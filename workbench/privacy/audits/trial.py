"""A mechanism on trial: the mechanism, the law it claims, and neighbouring cells to try it on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from workbench.privacy.audit import Audited, Counts, Pair
from workbench.privacy.error_law import Floats
from workbench.privacy.mechanism import Mechanism, Takes
from workbench.privacy.noise import Integers, NoiseSource

Cdf = Callable[[Floats], Floats]  # P(published <= whole number)
Law = Callable[[Any, Counts, int], tuple[Cdf, ...]]  # mechanism, true values, largest: one law per published value

_FALSE_ALARM = 1e-10  # of one comparison; a whole self-test makes some hundreds of them


class AuditedMechanism(Mechanism, Audited, Protocol):
    """A mechanism that can be released from and whose losses are known."""


@dataclass(frozen=True)
class Cell:
    """The true values of one cell, or of one row of cells, and the size of its largest establishment."""

    values: tuple[int, ...]
    largest: int


@dataclass(frozen=True)
class Trial:
    """One mechanism at public parameters."""

    mechanism: AuditedMechanism
    law: Law
    pairs: tuple[Pair, ...]

    def laws(self, cell: Cell) -> tuple[Cdf, ...]:
        """The claimed distribution of every published value of a cell."""
        values = np.array(cell.values, dtype=np.int64)
        return self.law(self.mechanism, values if len(values) > 1 else values[0], cell.largest)

    def draw(self, cell: Cell, count: int, noise: NoiseSource) -> Integers:
        """So many releases of the same cell: one row for each, one column for each published value."""
        rows = np.tile(np.array(cell.values, dtype=np.int64), (count, 1))
        asked = rows[:, 0] if self.mechanism.takes is Takes.CELLS else rows
        published = self.mechanism.release(asked, np.full(count, cell.largest), noise)
        return published.reshape(count, -1)


@dataclass(frozen=True)
class Drawn:
    """A cell and its neighbour, and releases of both."""

    cell: Cell
    neighbor: Cell
    first: Integers
    second: Integers

    @property
    def count(self) -> int:
        return len(self.first)


def cells_of(pair: Pair) -> tuple[Cell, Cell]:
    before, after = np.atleast_1d(pair.count), np.atleast_1d(pair.next_count)
    return Cell(tuple(before.tolist()), pair.largest), Cell(tuple(after.tolist()), pair.next_largest)


def draw_pairs(trial: Trial, count: int, noise: NoiseSource) -> tuple[Drawn, ...]:
    """Releases of all pairs; a cell that is in several pairs is drawn once."""
    pairs = [cells_of(pair) for pair in trial.pairs]
    drawn = {cell: trial.draw(cell, count, noise) for cell in dict.fromkeys(cell for pair in pairs for cell in pair)}
    return tuple(Drawn(cell, neighbor, drawn[cell], drawn[neighbor]) for cell, neighbor in pairs)


def rows_by_cell(drawn: Iterable[Drawn]) -> dict[Cell, Integers]:
    """The releases of every cell, those of several pairs once."""
    return {cell: rows for one in drawn for cell, rows in ((one.cell, one.first), (one.neighbor, one.second))}


def views(rows: Integers) -> list[Integers]:
    """What an outsider may look at: every published value and, of several, their sum and how two of them differ."""
    columns = list(rows.T)
    return [*columns, rows.sum(axis=1), columns[0] - columns[1]] if len(columns) > 1 else columns


def sampling_allowance(count: int, comparisons: int = 1) -> float:
    """How far a frequency or a distribution function of so many draws may be off (Dvoretzky, Kiefer and Wolfowitz)."""
    return float(np.sqrt(np.log(2 * comparisons / _FALSE_ALARM) / (2 * count)))


def false_alarm(comparisons: int = 1) -> float:
    """The chance of a false alarm that one of so many comparisons may have."""
    return _FALSE_ALARM / comparisons


def whole_numbers_around(cell: Cell) -> Floats:
    """Outcomes near and far on both sides of the true values: every one nearby, then ever wider apart."""
    return np.unique(np.concatenate([value + _AROUND for value in cell.values]))


_REACH = np.unique(np.rint(np.geomspace(1, 1e13, 1201)))
_AROUND = np.concatenate([-_REACH[::-1], [0.0], _REACH])
