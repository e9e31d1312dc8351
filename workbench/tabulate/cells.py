"""The true cells of a plan. SECRET: nothing here may be shown, saved or published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.data.dataset import Dataset
from workbench.data.schema import Role
from workbench.plan.cells import CellGrid, grid_of, workplace_keys
from workbench.plan.measures import MeasureGrid, measure_grid
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import Keys, ReleasePlan, Table
from workbench.tabulate.bounding import bounded

Integers = NDArray[np.int64]

_COUNT, _SIZE, _LARGEST = "_records", "_size", "_largest"


@dataclass(frozen=True)
class Cells:
    """True values over a table's full cross, in grid order.

    `sums` are in whole steps of each measure. Where establishments are protected, `largest` is the size of the largest
    one in every cell of the workplace keys, whatever its workers' codes are.
    """

    grid: CellGrid
    counts: Integers = field(repr=False)
    sums: Mapping[str, Integers] = field(repr=False, default_factory=dict)
    workplace_keys: Keys = ()
    largest: Integers | None = field(repr=False, default=None)


def largest_of_each(cells: Cells) -> Integers | None:
    """The size of the largest establishment of the workplace each cell belongs to."""
    return None if cells.largest is None else cells.largest[cells.grid.parents(cells.workplace_keys)]


def tabulate(plan: ReleasePlan, table: Table, dataset: Dataset, order: str) -> Cells:
    """Count and add up the records of every cell: relational aggregates, then placed on the full cross.

    `order` keys the order in which records beyond a contribution bound are dropped; one release uses one.
    """
    grid = grid_of(plan, table)
    if grid is None:
        raise ValueError("a checked plan has a code list for every key")
    records = bounded(dataset.engine.records, plan, order)
    found = _fetched(_aggregated(_listed(records, grid), grid, _aggregates(plan, table)))
    keys = workplace_keys(plan, table)
    return Cells(
        grid=grid,
        counts=_placed(found, _COUNT, grid),
        sums={measure: _placed(found, measure, grid) for measure in _measures(plan, table)},
        workplace_keys=keys,
        largest=_largest(plan, records, grid.total_over(keys)) if isinstance(plan.neighbors, StrongAlpha) else None,
    )


def _measures(plan: ReleasePlan, table: Table) -> dict[str, MeasureGrid]:
    """The measures that are added up in a table, each on its public grid."""
    columns = [plan.column(one.measure) for one in table.statistics if one.measure]
    grids = {column.name: measure_grid(column) for column in columns if column}
    return {name: grid for name, grid in grids.items() if grid}


def _aggregates(plan: ReleasePlan, table: Table) -> dict[str, Any]:
    import ibis

    sums = {name: _in_steps(ibis._[name], grid).sum() for name, grid in _measures(plan, table).items()}
    return {_COUNT: ibis._.count(), **sums}


def _in_steps(values: Any, grid: MeasureGrid) -> Any:
    """Every value clipped to the public bounds and made whole steps; what is no number adds nothing."""
    import ibis

    numbers = values.try_cast("float64")
    steps = ibis.ifelse(numbers.isnan(), None, numbers) / float(grid.step)
    return steps.clip(lower=grid.lower, upper=grid.upper).round().cast("int64").fill_null(0)


def _largest(plan: ReleasePlan, records: Any, workplaces: CellGrid) -> Integers:
    """The number of records of the largest establishment in every workplace cell."""
    import ibis

    employer = plan.columns_with(Role.EMPLOYER_ID)[0].name
    sizes = _listed(records, workplaces).group_by([employer, *workplaces.keys]).aggregate(**{_SIZE: ibis._.count()})
    return _placed(_fetched(_aggregated(sizes, workplaces, {_LARGEST: sizes[_SIZE].max()})), _LARGEST, workplaces)


def _listed(records: Any, grid: CellGrid) -> Any:
    """The records whose codes are all on the public lists."""
    import ibis
    import pyarrow as pa

    for key, codes in zip(grid.keys, grid.lists, strict=True):
        records = records.semi_join(ibis.memtable(pa.table({key: pa.array(codes.codes, pa.string())})), key)
    return records


def _aggregated(records: Any, grid: CellGrid, aggregates: dict[str, Any]) -> Any:
    grouped = records.group_by(list(grid.keys)) if grid.keys else records
    return grouped.aggregate(**aggregates)


def _fetched(aggregate: Any) -> dict[str, NDArray[Any]]:
    """The columns of an aggregate; over no records at all, a largest or a sum is 0."""
    import pyarrow as pa

    table = aggregate.to_pyarrow()
    whole = {name for name in table.column_names if pa.types.is_integer(table[name].type)}
    columns = {name: table[name].fill_null(0) if name in whole else table[name] for name in table.column_names}
    return {name: np.asarray(column.to_numpy()) for name, column in columns.items()}


def _placed(found: dict[str, NDArray[Any]], column: str, grid: CellGrid) -> Integers:
    """One column of an aggregate on the full cross; cells without records have 0."""
    values = np.zeros(grid.size, dtype=np.int64)
    places = [_places(found[key], codes.codes) for key, codes in zip(grid.keys, grid.lists, strict=True)]
    values[np.ravel_multi_index(places, grid.shape) if places else slice(None)] = found[column]
    return values


def _places(found: NDArray[np.object_], codes: tuple[str, ...]) -> NDArray[np.intp]:
    position = {code: at for at, code in enumerate(codes)}
    return np.fromiter((position[code] for code in found), dtype=np.intp, count=len(found))
