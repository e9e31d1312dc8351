"""What a plan would publish, table by table, before anything is drawn: cells, epsilon, mechanism and margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import Keys, ReleasePlan
from workbench.preview.now import Planned, planned


@dataclass(frozen=True)
class PlannedTable:
    """One table of a release to come. Totals are added up from published cells, so they cost nothing."""

    title: str
    cells: int
    epsilon: Fraction
    mechanism: str
    margin: int | None
    is_total: bool


def outline(plan: ReleasePlan) -> tuple[PlannedTable, ...]:
    """Every table in the order of the plan, each followed by its totals; what cannot be drawn yet is left out."""
    return tuple(table for statistic in planned(plan) for table in _tables(plan, statistic))


def _tables(plan: ReleasePlan, statistic: Planned) -> Iterator[PlannedTable]:
    table = statistic.part.table
    grid = grid_of(plan, table)
    if grid is None:
        return
    yield _table(plan, statistic, grid, grid.size)
    for keys in table.totals:
        yield _table(plan, statistic, grid.total_over(keys), grid.size)


def _table(plan: ReleasePlan, statistic: Planned, grid: CellGrid, all_cells: int) -> PlannedTable:
    mechanism = statistic.mechanism
    is_total = grid.size != all_cells or grid.keys != statistic.part.table.keys
    margin = mechanism.margin(cells=all_cells // grid.size) if mechanism.is_margin_publishable else None
    return PlannedTable(
        title=f"{plan.data.unit.capitalize()} {by_words(grid.keys)}",
        cells=grid.size,
        epsilon=Fraction(0) if is_total else statistic.part.epsilon,
        mechanism=mechanism.title,
        margin=margin,
        is_total=is_total,
    )


def by_words(keys: Keys) -> str:
    """The keys as a title ends in them: by place, sector and ownership."""
    if not keys:
        return "in all"
    return "by " + " and ".join(part for part in (", ".join(keys[:-1]), keys[-1]) if part)
