"""Finds the header under titles, notes and units, and joins its levels into unique column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.data.layout import MOST_HEADER_ROWS
from workbench.data.markers import is_marker

if TYPE_CHECKING:
    from workbench.data.readers.reading import Merge

Row = Sequence[str | None]
LOOK_AT = 50
JOINER = " | "

_VALUE = re.compile(
    r"\(?[-+−]?[$€£¥]? ?\d[\d.,' \u00a0\u202f]*([eE][-+]?\d+)?( ?[%€])?\)?"
    r"|\d[\d\-–/.: T]*|true|false",
    re.IGNORECASE,
)
_NAMES_A_TIME = re.compile(r"(18|19|20|21)\d\d([-–/]\d{2,4})?|(18|19|20|21)\d\d-\d\d-\d\d( 00:00:00)?")
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d) 00:00:00")
_UNITS = frozenset({
    "%", "percent", "per cent", "dollars", "$", "$1,000", "usd", "euros", "€", "eur", "thousands", "millions",
    "persons", "people", "number", "no.", "count", "unit", "units", "years", "days", "hours", "weekly", "hourly",
    "annual", "code",
})  # fmt: skip
_IN_BRACKETS = re.compile(r"[(\[].*[)\]]", re.DOTALL)


@dataclass(frozen=True)
class Header:
    """Which rows name the columns: the first, from 1, and how many. `is_sure` is False when they may be data."""

    row: int
    rows: int = 1
    is_sure: bool = True

    @property
    def last(self) -> int:
        return self.row + self.rows - 1


def find_header(rows: Sequence[Row], merges: Sequence[Merge] = (), row: int | None = None) -> Header:
    """The header among the first rows of a sheet; with `row` given, how many rows the header that begins there has."""
    sight = _Sight.of(rows[:LOOK_AT], merges)
    if row is not None:
        return _with_levels_below(sight, Header(row))
    main = _main_row(sight)
    return _with_levels_below(sight, _with_levels_above(sight, main))


def column_names(rows: Sequence[Row], merges: Sequence[Merge] = (), first_row: int = 1) -> tuple[str, ...]:
    """Unique names from the rows of a header: levels joined, blanks called “column C”, a repeated name numbered."""
    levels = _spread(rows, merges, first_row)
    joined = (_joined(column) for column in zip(*levels, strict=True))
    return _unique([name or f"column {letter(at)}" for at, name in enumerate(joined)])


def plain_names(rows: Sequence[Row], merges: Sequence[Merge] = (), first_row: int = 1) -> tuple[str, ...]:
    """The names as the sheet has them, before blanks and repetitions are mended."""
    return tuple(_joined(column) for column in zip(*_spread(rows, merges, first_row), strict=True))


def value_columns(rows: Sequence[Row], merges: Sequence[Merge] = ()) -> frozenset[int]:
    """The columns that hold numbers, dates or booleans in the first rows of a sheet."""
    return _Sight.of(rows[:LOOK_AT], merges).valued


def letter(position: int) -> str:
    """The spreadsheet letter of a 0-based column."""
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


# ---- where the header is --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sight:
    """The first rows with merged cells filled out, and which columns hold values (numbers, dates) rather than words."""

    rows: Sequence[Row]
    upright: Sequence[Row]  # the same with merged cells filled out downwards only: what a row has of its own
    merges: Sequence[Merge]
    table: frozenset[int]  # the columns that hold records
    valued: frozenset[int]

    @classmethod
    def of(cls, rows: Sequence[Row], merges: Sequence[Merge]) -> _Sight:
        table = _table_columns(rows)
        within = [merge for merge in merges if merge.last_column - merge.first_column + 1 < 0.8 * len(table)]
        valued = frozenset(at for at in table if _holds_values([row[at] for row in rows]))
        upright = [replace(merge, last_column=merge.first_column) for merge in within]
        return cls(_fill_out(rows, within), _fill_out(rows, upright), within, table, valued)

    def cells(self, number: int) -> list[str]:
        return [cell for at in sorted(self.table) if (cell := self.rows[number - 1][at]) is not None]

    def filled(self, number: int) -> int:
        return sum(self.upright[number - 1][at] is not None for at in self.table)

    def over_values(self, number: int) -> list[str]:
        """The filled cells of a row in columns of values; markers say nothing and are passed over."""
        cells = (self.rows[number - 1][at] for at in sorted(self.valued))
        return [cell for cell in cells if cell is not None and not is_marker(cell)]

    def is_record(self, number: int) -> bool:
        """Numbers where the column has numbers; years alone could also be names."""
        return any(is_value(cell) and not _NAMES_A_TIME.fullmatch(cell) for cell in self.over_values(number))

    def is_heading(self, number: int) -> bool:
        """Words above values, and values nowhere, in at least half of the columns."""
        has_words = any(not is_value(cell) for cell in self.over_values(number))
        return has_words and not self.is_record(number) and 2 * self.filled(number) >= len(self.table)

    @property
    def numbers(self) -> range:
        return range(1, len(self.rows) + 1)


def _main_row(sight: _Sight) -> Header:
    """The fullest heading before the first record; without values to tell records by, the first nearly full row."""
    first_record = next((number for number in sight.numbers if sight.is_record(number)), None)
    above = range(1, first_record) if first_record else sight.numbers
    headings = [number for number in above if sight.is_heading(number)]
    if headings:
        return Header(max(headings, key=sight.filled))
    if first_record and (partial := [number for number in above if sight.filled(number) > 1]):
        return Header(partial[-1])
    return _nearly_full_row(sight, first_record)


def _nearly_full_row(sight: _Sight, first_record: int | None) -> Header:
    fullest = max((len(sight.cells(number)) for number in sight.numbers), default=0)
    for number in sight.numbers:
        cells = sight.cells(number)
        if (len(cells) >= 0.8 * fullest or _names_all_but_the_first(sight, number)) and not sight.is_record(number):
            return Header(number, is_sure=not all(map(is_value, cells)))
    first = next((number for number in sight.numbers if sight.cells(number)), 1)
    return Header(first_record or first, is_sure=False)


def _names_all_but_the_first(sight: _Sight, number: int) -> bool:
    """Only the leftmost columns lack a name, and fewer than half of all: they often hold labels."""
    blank = [sight.rows[number - 1][at] is None for at in sorted(sight.table)]
    return 2 * sum(blank) < len(blank) and blank == sorted(blank, reverse=True)


def _with_levels_above(sight: _Sight, header: Header) -> Header:
    """The header with the upper levels that stand over it: merged into it, or needed to tell its columns apart."""
    top = header.row
    lowest = header.row - MOST_HEADER_ROWS + 1
    for merge in sight.merges:
        if lowest <= merge.first_row < header.row <= merge.last_row and merge.last_column in sight.table:
            top = min(top, merge.first_row)
    while top > max(1, lowest) and _is_level_above(sight, top - 1, top, header.row):
        top -= 1
    return Header(top, header.row - top + 1, header.is_sure)


def _is_level_above(sight: _Sight, above: int, top: int, main: int) -> bool:
    labels = [at for at in sorted(sight.table) if _has_own(sight, above, at)]
    if not labels or sight.is_record(above) or _is_title(sight, above, labels):
        return False
    if _spans_only(sight, above, labels):
        return True
    before, after = (_distinct(sight, first, main) for first in (top, above))
    return before < len(sight.table) and after > before


def _is_title(sight: _Sight, number: int, labels: Sequence[int]) -> bool:
    """One text at the left edge or over the whole table names the sheet, not a group of columns."""
    spans = [_span(sight, number, at) for at in labels]
    return len(labels) == 1 and (labels[0] == min(sight.table) or spans[0] >= len(sight.table))


def _spans_only(sight: _Sight, number: int, labels: Sequence[int]) -> bool:
    return all(1 < _span(sight, number, at) < len(sight.table) for at in labels)


def _span(sight: _Sight, number: int, at: int) -> int:
    """How many columns a merged cell stands over."""
    return next(
        (
            merge.last_column - merge.first_column + 1
            for merge in sight.merges
            if merge.first_row <= number <= merge.last_row and merge.first_column == at
        ),
        1,
    )


def _has_own(sight: _Sight, number: int, at: int) -> bool:
    """Whether a cell has text of its own, not that of a merged cell which begins elsewhere."""
    if sight.rows[number - 1][at] is None:
        return False
    return not any(
        merge.first_row <= number <= merge.last_row
        and merge.first_column <= at <= merge.last_column
        and (merge.first_row, merge.first_column) != (number, at)
        for merge in sight.merges
    )


def _distinct(sight: _Sight, first: int, last: int) -> int:
    rows = [sight.rows[number - 1] for number in range(first, last + 1)]
    names = plain_names(rows, (), first)
    return len({names[at] for at in sight.table if names[at]})


def _with_levels_below(sight: _Sight, header: Header) -> Header:
    """The header with the levels, units or explanations under it."""
    rows = header.rows
    while rows < MOST_HEADER_ROWS and _is_level_below(sight, header.row, header.row + rows):
        rows += 1
    return Header(header.row, rows, header.is_sure)


def _is_level_below(sight: _Sight, top: int, number: int) -> bool:
    """Whether a row goes on naming what the rows from `top` on began to name."""
    if number > len(sight.rows):
        return False
    if any(top <= merge.first_row < number <= merge.last_row for merge in sight.merges):
        return True
    cells = sight.cells(number)
    if _stands_under_a_merge(sight, top, number):
        return not all(map(is_value, cells))
    above_values = sight.over_values(number)
    words_only = bool(above_values) and not any(map(is_value, above_values))
    return words_only and (_are_units(cells) or _tells_columns_apart(sight, top, number))


def _stands_under_a_merge(sight: _Sight, top: int, number: int) -> bool:
    """A cell over several columns needs names below it."""
    return any(
        merge.first_row >= top and merge.last_row == number - 1 and merge.last_column > merge.first_column
        for merge in sight.merges
    )


def _are_units(cells: Sequence[str]) -> bool:
    is_bracketed = all(_IN_BRACKETS.fullmatch(cell) and not is_marker(cell) for cell in cells)
    return is_bracketed or any(cell.lower() in _UNITS for cell in cells)


def _tells_columns_apart(sight: _Sight, top: int, number: int) -> bool:
    """Full rows of which only both together name every column differently."""
    if sight.filled(number) < len(sight.table) or sight.filled(number - 1) < len(sight.table):
        return False
    return _distinct(sight, top, number - 1) < len(sight.table) == _distinct(sight, top, number)


# ---- what cells look like -------------------------------------------------------------------------------------------


def is_value(cell: str) -> bool:
    """Whether a cell looks like a number, a code, a date or a boolean rather than words."""
    return bool(_VALUE.fullmatch(cell))


def _holds_values(cells: Sequence[str | None]) -> bool:
    """Whether, from its first value on, a column has at least as many values as words."""
    kinds = [is_value(cell) for cell in cells if cell is not None and not is_marker(cell)]
    from_first = kinds[kinds.index(True) :] if True in kinds else []
    return 2 * sum(from_first) >= len(from_first) > 0


def _table_columns(rows: Sequence[Row]) -> frozenset[int]:
    """The columns of the table: filled in a row at least half full, or more than once (a stray note is no column)."""
    filled = [{at for at, cell in enumerate(row) if cell is not None} for row in rows]
    fullest = max(map(len, filled), default=0)
    in_rows = {at for row in filled if 2 * len(row) >= fullest for at in row}
    counts = Counter(at for row in filled for at in row)
    return frozenset(in_rows | {at for at, count in counts.items() if count > 1})


def _fill_out(rows: Sequence[Row], merges: Sequence[Merge]) -> list[list[str | None]]:
    """Every cell of a merged range has its text, as a person sees it."""
    filled = [list(row) for row in rows]
    for merge in merges:
        if merge.first_row > len(rows) or merge.first_column >= len(rows[merge.first_row - 1]):
            continue
        text = rows[merge.first_row - 1][merge.first_column]
        for row in filled[merge.first_row - 1 : merge.last_row]:
            for at in range(merge.first_column, min(merge.last_column + 1, len(row))):
                row[at] = text if row[at] is None else row[at]
    return filled


# ---- names ----------------------------------------------------------------------------------------------------------


def _spread(rows: Sequence[Row], merges: Sequence[Merge], first_row: int) -> list[list[str | None]]:
    """The levels of a header with each text in every column it stands over."""
    moved = [_moved(merge, first_row) for merge in merges if first_row <= merge.first_row < first_row + len(rows)]
    within = {
        (number, at)
        for merge in moved
        for number in range(merge.first_row, merge.last_row + 1)
        for at in range(merge.first_column, merge.last_column + 1)
    }
    levels = _fill_out(rows, moved)
    for number, level in enumerate(levels[:-1], start=1):
        _spread_right(level, rows[number:], {at for row, at in within if row == number}, levels[: number - 1])
    return levels


def _moved(merge: Merge, first_row: int) -> Merge:
    return replace(merge, first_row=merge.first_row - first_row + 1, last_row=merge.last_row - first_row + 1)


def _spread_right(level: list[str | None], below: Sequence[Row], merged: set[int], above: Sequence[Row]) -> None:
    """A text over a blank cell stands over it too, as long as both have something below and the same text above."""
    for at in range(1, len(level)):
        has_below = all(any(row[column] is not None for row in below) for column in (at - 1, at))
        same_above = all(row[at - 1] == row[at] for row in above)
        if level[at] is None and not {at - 1, at} & merged and has_below and same_above:
            level[at] = level[at - 1]


def _joined(levels: Sequence[str | None]) -> str:
    texts = [_MIDNIGHT.sub(r"\1", " ".join((text or "").split())) for text in levels]
    kept = [text for at, text in enumerate(texts) if text and text not in texts[max(0, at - 1) : at]]
    return JOINER.join(kept)


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    taken = Counter(names)
    unique: list[str] = []
    for name in names:
        number = 1
        fresh = name
        while fresh in unique or (number > 1 and fresh in taken):
            number += 1
            fresh = f"{name} ({number})"
        unique.append(fresh)
    return tuple(unique)
