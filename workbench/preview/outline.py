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

    unit: str
    keys: Keys
    cells: int
    epsilon: Fraction
    mechanism: str
    margin: int | None
    is_total: bool

    @property
    def by(self) -> str:
        """The keys in words: place, sector and ownership."""
        return " and ".join(part for part in (", ".join(self.keys[:-1]), *self.keys[-1:]) if part)

    @property
    def title(self) -> str:
        return f"{self.unit.capitalize()} {f'by {self.by}' if self.keys else 'in all'}"


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
        unit=plan.data.unit,
        keys=grid.keys,
        cells=grid.size,
        epsilon=Fraction(0) if is_total else statistic.part.epsilon,
        mechanism=mechanism.title,
        margin=margin,
        is_total=is_total,
    )
