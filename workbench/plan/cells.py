"""The cells of a table: the full cross of public code lists, and the totals added up from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.data.schema import BelongsTo, CodeList
from workbench.plan.plan import Keys, ReleasePlan, Table


@dataclass(frozen=True)
class CellGrid:
    """Every combination of the keys' public codes, empty ones included, in the order of the lists."""

    keys: Keys
    lists: tuple[CodeList, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(codes) for codes in self.lists)

    @property
    def size(self) -> int:
        return prod(self.shape)

    def code_columns(self) -> list[NDArray[np.object_]]:
        """One array of codes per key, a row per cell."""
        return self._spread([codes.codes for codes in self.lists])

    def label_columns(self) -> list[NDArray[np.object_]]:
        """One array of labels per key, a row per cell."""
        return self._spread([codes.labels for codes in self.lists])

    def _spread(self, words: list[tuple[str, ...]]) -> list[NDArray[np.object_]]:
        positions = np.indices(self.shape).reshape(len(self.shape), self.size)
        return [np.array(texts, dtype=object)[at] for texts, at in zip(words, positions, strict=True)]

    def total_over(self, keep: Keys) -> CellGrid:
        """The coarser grid that keeps only some keys."""
        kept = [at for at, key in enumerate(self.keys) if key in keep]
        return CellGrid(tuple(self.keys[at] for at in kept), tuple(self.lists[at] for at in kept))

    def parents(self, keep: Keys) -> NDArray[np.intp]:
        """For each cell, which cell of the coarser grid it is part of."""
        kept = [at for at, key in enumerate(self.keys) if key in keep]
        positions = np.indices(self.shape).reshape(len(self.shape), self.size)
        if not kept:
            return np.zeros(self.size, dtype=np.intp)
        return np.asarray(np.ravel_multi_index([positions[at] for at in kept], [self.shape[at] for at in kept]))

    def add_up(self, values: NDArray[np.int64], keep: Keys) -> NDArray[np.int64]:
        """Sums of the cells over all keys not kept."""
        dropped = tuple(at for at, key in enumerate(self.keys) if key not in keep)
        return np.asarray(values.reshape(self.shape).sum(axis=dropped)).reshape(-1)


def grid_of(plan: ReleasePlan, table: Table) -> CellGrid | None:
    """The table's cells, or None while a key lacks its code list."""
    lists = [column.codes if (column := plan.column(key)) else None for key in table.keys]
    known = tuple(codes for codes in lists if codes is not None)
    return CellGrid(table.keys, known) if len(known) == len(lists) else None


def workplace_keys(plan: ReleasePlan, table: Table) -> Keys:
    """The keys of a table that are properties of the establishment, so that it is in one cell of them only."""
    columns = [(key, plan.column(key)) for key in table.keys]
    return tuple(key for key, column in columns if column and column.belongs_to is BelongsTo.ESTABLISHMENT)


def worker_cells(plan: ReleasePlan, table: Table) -> int:
    """How many cells of a table one establishment can be in: all combinations of its workers' codes."""
    grid = grid_of(plan, table)
    return grid.size // grid.total_over(workplace_keys(plan, table)).size if grid and grid.size else 1


def all_totals(keys: Keys) -> tuple[Keys, ...]:
    """Every proper subset of the keys, finest first; () is the grand total."""
    return tuple(subset for order in range(len(keys) - 1, -1, -1) for subset in combinations(keys, order))


def totals_of_order(keys: Keys, order: int) -> tuple[Keys, ...]:
    """The subsets of so many keys."""
    return tuple(combinations(keys, order)) if order < len(keys) else ()
