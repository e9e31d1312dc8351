"""Finds the notes and source lines under a table; a row that could be a record is never one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.data.header import Row, is_value

LOOK_BACK = 200

_NOTE = re.compile(
    r"(source|sources|note|notes|footnote|footnotes|disclaimer|suggested citation|citation|release date|released|"
    r"last updated|prepared by|copyright|quelle|fuente|bron|nota)\s*[:.\-–]"
    r"|(footnotes?|notes?)$"
    r"|[(\[]\w{1,3}[)\]]\s?\D|\d{1,2}/\s?\D|[*†‡§]+\s?[A-Za-z]|©",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Footer:
    """The first row that is no longer a record, and what it says."""

    row: int
    words: str


@dataclass(frozen=True)
class TailRow:
    """One of the last rows of a sheet, with its number."""

    number: int
    cells: Row

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(cell for cell in self.cells if cell is not None)


def find_footer(tail: Sequence[TailRow], first_column: int, columns: int, has_label_rows: bool) -> Footer | None:
    """The footer among the last rows of a sheet.

    Its rows hold one text each. It begins with words such as “Source:” or a footnote mark, or with a text at the left
    edge after a blank row, unless the table has rows of a label alone (`has_label_rows`) or only one column.
    """
    start: Footer | None = None
    for at in range(len(tail) - 1, -1, -1):
        row = tail[at]
        if not _is_blank_or_note(row):
            break
        after_blank = at > 0 and not tail[at - 1].texts
        at_edge = bool(row.texts) and row.cells[first_column] is not None
        could_be_record = has_label_rows or columns < 2
        if row.texts and (_says_so(row) or (after_blank and at_edge and not could_be_record)):
            start = Footer(row.number, row.texts[0])
    return start


def suspect_rows(tail: Sequence[TailRow], value_columns: frozenset[int], columns: int) -> TailRow | None:
    """The first of the last rows that hold some words and not one value, where every record has values."""
    first: TailRow | None = None
    for row in reversed(tail):
        has_value = any((cell := row.cells[at]) is not None and is_value(cell) for at in value_columns)
        if has_value or 2 * len(row.texts) > columns:
            break
        first = row if row.texts else first
    return first if len(value_columns) > 1 else None


def _is_blank_or_note(row: TailRow) -> bool:
    return len(row.texts) == 0 or (len(row.texts) == 1 and not is_value(row.texts[0]))


def _says_so(row: TailRow) -> bool:
    return bool(_NOTE.match(row.texts[0]))
