"""What a reader tells about a file beside its cells: sheets, hidden parts, merges, error cells, the text format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.data.findings import Finding


class Visibility(StrEnum):
    """Whether a person who opens the workbook sees the sheet; a very hidden one cannot be unhidden from the menu."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    VERY_HIDDEN = "very hidden"


@dataclass(frozen=True)
class Sheet:
    """One sheet with cells; chart sheets are not listed."""

    name: str
    visibility: Visibility = Visibility.VISIBLE


@dataclass(frozen=True)
class Merge:
    """Cells shown as one. Rows count from 1, columns from 0 (as in `_row` and c0, c1, ...), both ends included."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int


@dataclass(frozen=True)
class Places:
    """How many cells, and the addresses of the first few (“D12”)."""

    count: int = 0
    first: tuple[str, ...] = ()


@dataclass(frozen=True)
class ErrorCells:
    """Cells holding the same error value (“#N/A”). They are empty in the grid, so they are listed here."""

    text: str
    places: Places


@dataclass(frozen=True)
class TextFormat:
    """How a text file was read, whether guessed or given."""

    encoding: str
    delimiter: str
    quote: str
    decimal: str


@dataclass(frozen=True)
class Reading:
    """What `load` found. Rows count from 1, columns from 0; only rows and columns of the grid are named."""

    sheet: str = ""
    hidden_rows: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()
    merges: tuple[Merge, ...] = ()  # those that begin near the top, where a header can stand
    error_cells: tuple[ErrorCells, ...] = ()
    formulas_without_value: Places = Places()
    percent_columns: tuple[int, ...] = ()  # shown in per cent; the grid holds the underlying value, 0.25 for 25%
    number_cells: tuple[int, ...] | None = None  # how many cells of each column are stored as numbers, when told
    findings: tuple[Finding, ...] = ()
    text_format: TextFormat | None = None

    @property
    def has_names(self) -> bool:
        """Whether the file itself names its columns, as Parquet does: they are the first row of the grid."""
        return not self.sheet and self.text_format is None
