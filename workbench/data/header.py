"""Finds the header row under titles and notes, and turns it into unique column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

Row = Sequence[str | None]
LOOK_AT = 50
_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+%?")


def find_header(rows: Sequence[Row]) -> int:
    """The 1-based row that names the columns: the first nearly full row of words among the first rows."""
    fullest = max((_filled(row) for row in rows[:LOOK_AT]), default=0)
    for number, row in enumerate(rows[:LOOK_AT], start=1):
        if _filled(row) >= 0.8 * fullest and _is_words(row):
            return number
    return next((number for number, row in enumerate(rows, start=1) if _filled(row)), 1)


def column_names(header: Row) -> tuple[str, ...]:
    """Unique names: blanks become “column C”, a repeated name gets its number."""
    plain = [" ".join((cell or "").split()) or f"column {letter(at)}" for at, cell in enumerate(header)]
    seen: Counter[str] = Counter()
    names = []
    for name in plain:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def letter(position: int) -> str:
    """The spreadsheet letter of a 0-based column."""
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _filled(row: Row) -> int:
    return sum(cell is not None for cell in row)


def _is_words(row: Row) -> bool:
    return not any(cell and _NUMBER.fullmatch(cell) for cell in row)
