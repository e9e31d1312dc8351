"""The rows of the statistics table: what is drawn with noise, and the totals added up from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import Keys, ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.policy import Policy
from workbench.plan.shares import drawn_statistics, parts_of_one
from workbench.preview.metrics import Metric, measure, policy_target, typical_sizes
from workbench.privacy.choose import Candidate, candidates, choose
from workbench.privacy.composition import allotments
from workbench.privacy.mechanisms import MECHANISMS, Mechanism


@dataclass(frozen=True)
class DrawnRow:
    """A statistic that is drawn with noise: its place in the plan, its part of the budget and its mechanism."""

    number: int
    index: int
    table_at: int
    at: int
    table: Table
    statistic: Statistic
    grid: CellGrid | None
    share: Fraction
    epsilon: Fraction | None
    considered: tuple[Candidate, ...]
    mechanism: Mechanism | None

    @property
    def is_recommended(self) -> bool:
        best = self.considered[0].kind.name if self.considered else ""
        return self.mechanism is not None and self.mechanism.name == best


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
    """How far one total can be off, 95 times in 100."""

    keys: Keys
    margin: int


def rows_of(plan: ReleasePlan) -> tuple[Row, ...]:
    """Every row of the statistics table, in the plan's order."""
    shares = parts_of_one(drawn_statistics(plan))
    epsilons: list[Fraction | None] = [part.epsilon for part in allotments(plan)]
    epsilons += [None] * (len(shares) - len(epsilons))
    places = ((table_at, at) for table_at, table in enumerate(plan.tables) for at in range(len(table.statistics)))
    rows: list[Row] = []
    for index, (table_at, at) in enumerate(places):
        drawn = _drawn_row(plan, len(rows) + 1, index, (table_at, at), shares[index], epsilons[index])
        rows.append(drawn)
        if drawn.table.totals:
            rows.append(TotalsRow(len(rows) + 1, drawn))
    return tuple(rows)


def _drawn_row(
    plan: ReleasePlan, number: int, index: int, place: tuple[int, int], share: Fraction, epsilon: Fraction | None
) -> DrawnRow:
    table_at, at = place
    table = plan.tables[table_at]
    statistic, neighbors = table.statistics[at], plan.neighbors
    return DrawnRow(
        number=number,
        index=index,
        table_at=table_at,
        at=at,
        table=table,
        statistic=statistic,
        grid=grid_of(plan, table),
        share=share,
        epsilon=epsilon,
        considered=candidates(statistic, neighbors, epsilon) if neighbors and epsilon else (),
        mechanism=choose(statistic, neighbors, epsilon) if neighbors and epsilon else None,
    )


def published_numbers(rows: tuple[Row, ...]) -> int | None:
    """How many numbers a plan publishes, once every key has its codes."""
    sizes = [row.cells if isinstance(row, TotalsRow) else row.grid.size if row.grid else None for row in rows]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def total_margins(row: TotalsRow) -> tuple[TotalMargin, ...]:
    """The margin of each total; the noise of all the cells it adds up is in it."""
    grid, mechanism = row.source.grid, row.source.mechanism
    if grid is None or mechanism is None or not mechanism.is_margin_publishable:
        return ()
    return tuple(
        TotalMargin(keys, mechanism.margin(cells=grid.size // grid.total_over(keys).size)) for keys in row.totals
    )


def share_within(plan: ReleasePlan, mechanism: Mechanism, policy: Policy) -> float:
    """The share of typical cells that come within the policy's target."""
    return measure(Metric.SHARE_WITHIN, mechanism, typical_sizes(plan, policy), policy_target(policy))


def why_not(plan: ReleasePlan, table: Table, kind: StatisticKind) -> str:
    """Why a statistic cannot be added to a table; nothing when it can."""
    if any(statistic.kind is kind for statistic in table.statistics):
        return "is in the table already"
    if plan.neighbors is None:
        fits = any(kind in mechanism.kinds for mechanism in MECHANISMS)
    else:
        fits = any(one.is_admissible for one in candidates(Statistic(kind), plan.neighbors, Fraction(1)))
    return "" if fits else "no mechanism of this version"
