"""What a plan would publish, table by table, before anything is drawn: cells, epsilon, mechanism and margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import Keys, ReleasePlan
from workbench.preview.now import planned
from workbench.privacy.composition import Allotment


@dataclass(frozen=True)
class PlannedTable:
    """One table of a release to come. Totals are added up from published cells, so they cost nothing.

    `margin` where it is one number for all cells; `has_limits` where anything about the error will be published.
    """

    what: str
    keys: Keys
    cells: int
    epsilon: Fraction
    mechanism: str
    margin: Fraction | None
    has_limits: bool
    is_total: bool

    @property
    def by(self) -> str:
        """The keys in words: place, sector and ownership."""
        return " and ".join(part for part in (", ".join(self.keys[:-1]), *self.keys[-1:]) if part)

    @property
    def title(self) -> str:
        return f"{self.what.capitalize()} {f'by {self.by}' if self.keys else 'in all'}"


def outline(plan: ReleasePlan) -> tuple[PlannedTable, ...]:
    """Every table in the order of the plan, each followed by its totals; what cannot be drawn yet is left out."""
    return tuple(table for statistic in planned(plan) for table in _tables(plan, statistic))


def _tables(plan: ReleasePlan, part: Allotment) -> Iterator[PlannedTable]:
    grid = grid_of(plan, part.table)
    if grid is None:
        return
    yield _table(plan, part, grid, grid.size)
    for keys in part.table.totals:
        yield _table(plan, part, grid.total_over(keys), grid.size)


def _table(plan: ReleasePlan, part: Allotment, grid: CellGrid, all_cells: int) -> PlannedTable:
    mechanism, brief = part.mechanism, part.brief
    assert mechanism is not None and brief is not None, "only of a statistic that can be released"
    is_total = grid.size != all_cells or grid.keys != part.table.keys
    steps = mechanism.margin(cells=all_cells // grid.size)
    return PlannedTable(
        what=part.statistic.title if part.statistic.measure else plan.data.unit,
        keys=grid.keys,
        cells=grid.size,
        epsilon=Fraction(0) if is_total else mechanism.guarantee.epsilon,
        mechanism=mechanism.title,
        margin=None if steps is None else steps * brief.step,
        has_limits=steps is not None or (mechanism.publishes_margin and not is_total),
        is_total=is_total,
    )
