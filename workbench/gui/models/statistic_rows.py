"""The rows of the statistics table: what is drawn with noise, and the totals added up from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workbench.gui.models.error_words import released_by
from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import Keys, ReleasePlan, Statistic, Table
from workbench.plan.policy import Policy
from workbench.plan.shares import drawn_statistics, parts_of_one
from workbench.preview.metrics import Metric, measure, policy_target, typical_sizes
from workbench.privacy.choose import Candidate
from workbench.privacy.composition import Allotment, allotments
from workbench.privacy.mechanism import Mechanism


@dataclass(frozen=True)
class DrawnRow:
    """A statistic that is drawn with noise: its place in the plan and its part of the budget, once there is one."""

    number: int
    index: int
    table_at: int
    at: int
    table: Table
    statistic: Statistic
    grid: CellGrid | None
    share: Fraction
    part: Allotment | None

    @property
    def epsilon(self) -> Fraction | None:
        return self.part.epsilon if self.part else None

    @property
    def considered(self) -> tuple[Candidate, ...]:
        return self.part.candidates if self.part else ()

    @property
    def choice(self) -> Candidate | None:
        return self.part.choice if self.part else None

    @property
    def mechanism(self) -> Mechanism | None:
        return self.part.mechanism if self.part else None

    @property
    def is_recommended(self) -> bool:
        return self.choice is not None and self.choice is self.considered[0]


@dataclass(frozen=True)
class TotalsRow:
    """The totals of a drawn statistic, which cost nothing."""

    number: int
    source: DrawnRow

    @property
    def totals(self) -> tuple[Keys, ...]:
        return self.source.table.totals

    @property
    def cells(self) -> int | None:
        grid = self.source.grid
        return sum(grid.total_over(keys).size for keys in self.totals) if grid else None


Row = DrawnRow | TotalsRow


@dataclass(frozen=True)
class TotalMargin:
    """How far one total can be off, 95 times in 100, in the units of its statistic."""

    keys: Keys
    margin: Fraction


def rows_of(plan: ReleasePlan) -> tuple[Row, ...]:
    """Every row of the statistics table, in the plan's order."""
    shares = parts_of_one(drawn_statistics(plan))
    parts: list[Allotment | None] = [*allotments(plan)]
    parts += [None] * (len(shares) - len(parts))
    places = ((table_at, at) for table_at, table in enumerate(plan.tables) for at in range(len(table.statistics)))
    rows: list[Row] = []
    for index, (table_at, at) in enumerate(places):
        drawn = _drawn_row(plan, len(rows) + 1, index, (table_at, at), shares[index], parts[index])
        rows.append(drawn)
        if drawn.table.totals:
            rows.append(TotalsRow(len(rows) + 1, drawn))
    return tuple(rows)


def _drawn_row(
    plan: ReleasePlan, number: int, index: int, place: tuple[int, int], share: Fraction, part: Allotment | None
) -> DrawnRow:
    table_at, at = place
    table = plan.tables[table_at]
    return DrawnRow(number, index, table_at, at, table, table.statistics[at], grid_of(plan, table), share, part)


def published_numbers(rows: tuple[Row, ...]) -> int | None:
    """How many numbers a plan publishes, once every key has its codes."""
    sizes = [row.cells if isinstance(row, TotalsRow) else row.grid.size if row.grid else None for row in rows]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def total_margins(row: TotalsRow) -> tuple[TotalMargin, ...]:
    """The margin of each total, where it is public; the noise of all the cells it adds up is in it."""
    return tuple(_total_margins(row))


def _total_margins(row: TotalsRow) -> Iterator[TotalMargin]:
    grid, part = row.source.grid, row.source.part
    if grid is None or part is None or part.mechanism is None or part.brief is None:
        return
    for keys in row.totals:
        steps = part.mechanism.margin(cells=grid.size // grid.total_over(keys).size)
        if steps is not None:
            yield TotalMargin(keys, steps * part.brief.step)


def share_within(plan: ReleasePlan, part: Allotment, candidate: Candidate, policy: Policy) -> float:
    """The share of typical cells that a mechanism brings within the policy's target."""
    sizes = typical_sizes(plan, policy)
    return measure(Metric.SHARE_WITHIN, released_by(part, candidate), sizes, policy_target(policy))
