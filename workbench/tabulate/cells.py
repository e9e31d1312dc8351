"""The true cells of a plan. SECRET: nothing here may be shown, saved or published."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from workbench.data.dataset import Dataset
from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import ReleasePlan, Table


@dataclass(frozen=True)
class Cells:
    """True counts over a table's full cross, in grid order."""

    grid: CellGrid
    counts: NDArray[np.int64] = field(repr=False)


def tabulate(plan: ReleasePlan, table: Table, dataset: Dataset) -> Cells:
    """Count the records of every cell: one relational aggregate, then placed on the full cross."""
    grid = grid_of(plan, table)
    if grid is None:
        raise ValueError("a checked plan has a code list for every key")
    found = _counted(grid, dataset)
    counts = np.zeros(grid.size, dtype=np.int64)
    if grid.keys:
        places = [_places(found[key], codes.codes) for key, codes in zip(grid.keys, grid.lists, strict=True)]
        counts[np.ravel_multi_index(places, grid.shape)] = found["records"]
    else:
        counts[0] = found["records"][0]
    return Cells(grid, counts)


def _counted(grid: CellGrid, dataset: Dataset) -> dict[str, NDArray[np.object_]]:
    import ibis
    import pyarrow as pa

    listed = dataset.engine.records
    for key, codes in zip(grid.keys, grid.lists, strict=True):
        listed = listed.semi_join(ibis.memtable(pa.table({key: pa.array(codes.codes, pa.string())})), key)
    aggregate = listed.group_by(list(grid.keys)) if grid.keys else listed
    table = aggregate.aggregate(records=ibis._.count()).to_pyarrow()
    return {name: np.asarray(table[name].to_numpy(zero_copy_only=False)) for name in table.column_names}


def _places(found: NDArray[np.object_], codes: tuple[str, ...]) -> NDArray[np.intp]:
    position = {code: at for at, code in enumerate(codes)}
    return np.fromiter((position[code] for code in found), dtype=np.intp, count=len(found))
