"""The true cells of a plan. SECRET: nothing here may be shown, saved or published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.data.dataset import Dataset
from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import ReleasePlan, Table
from workbench.tabulate.bounding import bounded


@dataclass(frozen=True)
class Cells:
    """True counts over a table's full cross, in grid order."""

    grid: CellGrid
    counts: NDArray[np.int64] = field(repr=False)


def tabulate(plan: ReleasePlan, table: Table, dataset: Dataset, order: str) -> Cells:
    """Count the records of every cell: one relational aggregate, then placed on the full cross.

    `order` keys the order in which records beyond a contribution bound are dropped; one release uses one.
    """
    grid = grid_of(plan, table)
    if grid is None:
        raise ValueError("a checked plan has a code list for every key")
    found = _counted(grid, bounded(dataset.engine.records, plan, order))
    counts = np.zeros(grid.size, dtype=np.int64)
    if grid.keys:
        places = [_places(found[key], codes.codes) for key, codes in zip(grid.keys, grid.lists, strict=True)]
        counts[np.ravel_multi_index(places, grid.shape)] = found["records"]
    else:
        counts[0] = found["records"][0]
    return Cells(grid, counts)


def _counted(grid: CellGrid, listed: Any) -> dict[str, NDArray[np.object_]]:
    import ibis
    import pyarrow as pa

    for key, codes in zip(grid.keys, grid.lists, strict=True):
        listed = listed.semi_join(ibis.memtable(pa.table({key: pa.array(codes.codes, pa.string())})), key)
    aggregate = listed.group_by(list(grid.keys)) if grid.keys else listed
    table = aggregate.aggregate(records=ibis._.count()).to_pyarrow()
    return {name: np.asarray(table[name].to_numpy(zero_copy_only=False)) for name in table.column_names}


def _places(found: NDArray[np.object_], codes: tuple[str, ...]) -> NDArray[np.intp]:
    position = {code: at for at, code in enumerate(codes)}
    return np.fromiter((position[code] for code in found), dtype=np.intp, count=len(found))
