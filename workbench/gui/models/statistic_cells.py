"""What stands in each cell of the statistics table."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.gui.models.counting import exact, many, short, whole, with_unit
from workbench.gui.models.error_words import amount, error_lines
from workbench.gui.models.statistic_rows import DrawnRow, Row, TotalMargin, TotalsRow, published_numbers
from workbench.gui.widgets.plain_table import Cell
from workbench.plan.plan import Keys, ReleasePlan, Statistic, StatisticKind

HEADERS = ("#", "Statistic", "Cells", "Bounds", "Share", "Lock", "ε", "Mechanism", "Expected error\n(95 %)", "")
ALIGNS = "rlllrlrlll"
CELLS_COLUMN = HEADERS.index("Cells")

_NOTHING = Cell("–", muted=True)


def drawn_cells(plan: ReleasePlan, row: DrawnRow) -> list[str | Cell]:
    """A row with its own part of the budget; share, lock, mechanism and “?” are controls."""
    size = many(row.grid.size, "cell") if row.grid else "codes are missing"
    error, average = error_lines(row.part, plan.data.unit)
    return [
        Cell(str(row.number), muted=True),
        Cell(name_of(plan, row.statistic), bold=True, second_line=_kind_words(row.statistic)),
        Cell(keys_words(row.table.keys), bold=True, second_line=size),
        _bounds(plan, row.statistic),
        "",
        "",
        Cell(short(row.epsilon) if row.epsilon else "–", bold=True),
        "",
        Cell(error, bold=True, second_line=average),
        "",
    ]


def totals_cells(plan: ReleasePlan, row: TotalsRow, margins: Sequence[TotalMargin] | None) -> list[str | Cell]:
    """A row that is added up from another and costs nothing."""
    source = row.source
    made_of = f"{many(len(row.totals), 'total')} of row {source.number}"
    return [
        Cell(str(row.number), muted=True),
        Cell(f"{name_of(plan, source.statistic)}, totals", second_line=made_of),
        Cell(_totals_words(row.totals), second_line=many(row.cells, "cell") if row.cells else "codes are missing"),
        _bounds(plan, source.statistic, bold=False),
        Cell("added up", muted=True),
        _NOTHING,
        "0",
        Cell(f"Added up from row {source.number}", second_line="costs nothing"),
        _totals_error(row, margins, plan.data.unit),
        "",
    ]


def sum_cells(plan: ReleasePlan, rows: Sequence[Row]) -> list[str | Cell]:
    """What the plan publishes and costs together."""
    numbers = published_numbers(tuple(rows))
    count = f"{whole(numbers)} published numbers" if numbers is not None else "codes are missing"
    drawn = sum(isinstance(row, DrawnRow) for row in rows)
    reason = "adds up: the same records are used" if drawn > 1 else "one ε covers every cell"
    epsilon = exact(plan.budget.epsilon) if plan.budget.epsilon else "–"
    return [
        "",
        Cell(f"Together: {count}", bold=True),
        "",
        "",
        Cell("100 %", bold=True),
        "",
        Cell(epsilon, bold=True),
        Cell(reason, muted=True),
        "",
        "",
    ]


def name_of(plan: ReleasePlan, statistic: Statistic) -> str:
    """What an officer calls the statistic: Jobs for a count, else its kind and measure."""
    name = plan.data.unit if statistic.kind is StatisticKind.COUNT else statistic.measure or statistic.kind.value
    return name[:1].upper() + name[1:]


def keys_words(keys: Keys) -> str:
    return " × ".join(keys) or "all together"


def _kind_words(statistic: Statistic) -> str:
    return "count of records" if statistic.kind is StatisticKind.COUNT else statistic.kind.value


def bounds_words(plan: ReleasePlan, statistic: Statistic) -> tuple[str, str]:
    """The public bounds of what is summed, and where they come from."""
    column = plan.column(statistic.measure) if statistic.measure else None
    if statistic.kind is StatisticKind.COUNT:
        return "none needed", "a count"
    if column is None or column.lower is None or column.upper is None:
        return "missing", "set on Columns"
    return f"{exact(column.lower)} to {exact(column.upper)}", str(column.bounds_source or "no source")


def _bounds(plan: ReleasePlan, statistic: Statistic, *, bold: bool = True) -> Cell:
    bounds, source = bounds_words(plan, statistic)
    return Cell(bounds, bold=bold, second_line=source)


def _totals_words(totals: tuple[Keys, ...]) -> str:
    first, last = keys_words(totals[0]), keys_words(totals[-1])
    between = {1: (first,), 2: (first, last)}.get(len(totals), (first, "…", last))
    return ", ".join(between)


def _totals_error(row: TotalsRow, margins: Sequence[TotalMargin] | None, unit: str) -> Cell:
    if not margins:
        has_none = margins is not None and row.source.mechanism is not None
        return Cell("not published" if has_none else "…" if margins is None else "–", muted=True)
    least, most = (pick(margins, key=lambda one: one.margin) for pick in (min, max))
    finest = keys_words(least.keys) if len(least.keys) < 3 else f"totals of {len(least.keys)} keys"
    below = f"{amount(least.margin)} for {finest}" if least.margin < most.margin else ""
    shown = amount(most.margin) if row.source.statistic.measure else with_unit(int(most.margin), unit)
    return Cell(f"at most {shown}", second_line=below)
