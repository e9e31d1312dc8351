"""Keeps count, while a sheet is read, of what the officer must know about its cells."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from workbench.data.header import letter
from workbench.data.readers.reading import ErrorCells, Merge, Places

_ADDRESSES = 5
_TOP = 60  # a header stands in the first rows; merges further down join no names
_MOST_MERGES = 10_000


@dataclass
class Found:
    """Cells of one kind: how many, and where the first ones are."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, row: int, column: int) -> None:
        self.count += 1
        if len(self.first) < _ADDRESSES:
            self.first.append(f"{letter(column)}{row}")

    def places(self) -> Places:
        return Places(self.count, tuple(self.first))


class Tally:
    """What was met so far in one sheet."""

    def __init__(self) -> None:
        self.hidden_rows: list[int] = []
        self.hidden_columns: set[int] = set()
        self.merges: list[Merge] = []
        self.without_value = Found()
        self._errors: defaultdict[str, Found] = defaultdict(Found)
        self._numbers: Counter[int] = Counter()
        self._percents: Counter[int] = Counter()

    def error(self, text: str, row: int, column: int) -> None:
        self._errors[text].add(row, column)

    def number(self, column: int, count: int = 1) -> None:
        self._numbers[column] += count

    def percent(self, column: int, count: int = 1) -> None:
        """Numbers, counted as such too, that are shown in per cent."""
        self._percents[column] += count

    def merge(self, merge: Merge) -> None:
        if merge.first_row <= _TOP and len(self.merges) < _MOST_MERGES:
            self.merges.append(merge)

    def error_cells(self) -> tuple[ErrorCells, ...]:
        return tuple(ErrorCells(text, found.places()) for text, found in sorted(self._errors.items()))

    def number_cells(self, width: int) -> tuple[int, ...]:
        return tuple(self._numbers[at] for at in range(width))

    def percent_columns(self) -> tuple[int, ...]:
        """The columns in which most numbers are shown in per cent."""
        return tuple(sorted(at for at, count in self._percents.items() if 2 * count > self._numbers[at]))
