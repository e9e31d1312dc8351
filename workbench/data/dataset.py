"""A data set as it was read: its columns, rows and findings, and the grid behind them in the engine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from workbench.data.engine import Engine
from workbench.data.findings import Finding
from workbench.data.kinds import ColumnKind
from workbench.data.layout import Layout
from workbench.data.markers import Marked
from workbench.data.readers.reading import Reading, Sheet

__all__ = ["ColumnFacts", "ColumnKind", "Dataset", "RowCounts"]


@dataclass(frozen=True)
class ColumnFacts:
    """What was seen in one column. No minimum, maximum or distribution: looking at those is an unrecorded look.

    `missing` and `suppressed` are the records without a value; both are empty in the records. `written` says how its
    numbers are written in the file when not in plain digits.
    """

    name: str
    letter: str
    kind: ColumnKind
    missing: int
    examples: tuple[str, ...]
    suppressed: int = 0
    markers: tuple[Marked, ...] = ()
    written: str = ""


@dataclass(frozen=True)
class RowCounts:
    """What became of every row of the sheet."""

    above: int
    header: int
    records: int
    blank: int
    hidden: int
    footer: int

    @property
    def total(self) -> int:
        return self.above + self.header + self.records + self.blank + self.hidden + self.footer


@dataclass(frozen=True)
class Dataset:
    """A file that was read. The records stay in the engine; this value only describes them.

    `asked` is the layout the officer chose, `layout` the one used, with every guess in it. `columns` are those of the
    records; `sheet_columns` has one entry for each column of the sheet, without a name where it was left out.
    """

    path: Path
    sheets: tuple[Sheet, ...]
    rows: int
    columns: tuple[ColumnFacts, ...]
    sheet_columns: tuple[ColumnFacts, ...]
    sha256: str
    bytes: int
    findings: tuple[Finding, ...]
    asked: Layout
    layout: Layout
    reading: Reading
    row_counts: RowCounts
    engine: Engine = field(repr=False, compare=False)

    @property
    def sheet(self) -> str:
        return self.layout.sheet or ""

    @property
    def sheet_names(self) -> tuple[str, ...]:
        return tuple(sheet.name for sheet in self.sheets)

    @property
    def header_row(self) -> int:
        """The first row of the header."""
        return self.layout.header_row or 1

    @property
    def first_row(self) -> int:
        """The row after the header."""
        return self.header_row + (self.layout.header_rows or 1)

    @property
    def chosen(self) -> Layout:
        """What a plan writes down: the officer's choices, and those guesses that names and marks depend on.

        A guessed last row is not among them, or records added to the file later would be left out.
        """
        used = self.layout
        rows = self.asked.header_rows or (used.header_rows if self.first_row - self.header_row > 1 else None)
        return replace(
            self.asked, sheet=used.sheet, header_row=used.header_row, header_rows=rows, markers=used.markers
        )  # fmt: skip

    def column(self, name: str) -> ColumnFacts | None:
        return next((column for column in self.columns if column.name == name), None)

    def address(self, column: str, row: int) -> str:
        """The spreadsheet address of a value: jobs!D12, or D12 in a file without sheets."""
        facts = self.column(column)
        return address(self.sheet, f"{facts.letter if facts else column}{row}")


def address(sheet: str, cells: str) -> str:
    """Cells of a sheet, or of a file without sheets."""
    return f"{sheet}!{cells}" if sheet else cells
