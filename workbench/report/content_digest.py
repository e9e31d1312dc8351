"""The digest of a table's contents, from the release or from a workbook, so that a re-saved copy can be checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.release.release import PublishedTable
from workbench.report.sheet_rows import cell_text
from workbench.report.tables import ShownColumn, shown_columns
from workbench.report.workbook import HEADING_ROW

if TYPE_CHECKING:
    from fastexcel import DType

# The one column that may be empty from top to bottom, by the names it can have; others are as their cells are.
_TEXT: dict[str | int, DType] = dict.fromkeys(("Note", *(f"Note_{number}" for number in range(2, 10))), "string")


def content_digest(table: PublishedTable) -> str:
    """SHA-256 of the heading row and every row as the workbook shows them."""
    columns = [column for column in shown_columns(table) if column.heading]
    return _digest([cell_text(column.heading) for column in columns], [_texts(column) for column in columns])


def _texts(column: ShownColumn) -> list[str]:
    shown = {value: _text(value) for value in set(column.values)}
    return [shown[value] for value in column.values]


def _text(value: object) -> str:
    """A cell as every spreadsheet program reads it back: numbers in the shortest digits that tell them apart."""
    if not isinstance(value, int | float):
        return cell_text(str(value))
    return str(int(value)) if float(value).is_integer() else f"{Decimal(repr(value)):f}"


def read_digest(workbook: Path, sheet: str) -> str:
    """The same digest, taken from a sheet of a workbook."""
    import fastexcel

    # A column is text or numbers as all of its rows are, not only the first ones.
    book = fastexcel.read_excel(workbook)
    table = book.load_sheet(sheet, header_row=HEADING_ROW - 1, schema_sample_rows=None, dtypes=_TEXT)
    columns = table.to_arrow().to_pydict()
    return _digest(
        list(columns), [["" if cell is None else _text(cell) for cell in column] for column in columns.values()]
    )


def _digest(headings: Sequence[str], columns: Sequence[Iterable[str]]) -> str:
    """Cells are joined by tabs and each row ends in a line feed; no cell holds either."""
    digest = hashlib.sha256("\t".join(headings).encode() + b"\n")
    digest.update("".join(f"{line}\n" for line in map("\t".join, zip(*columns, strict=True))).encode())
    return digest.hexdigest()
