"""Reads the XML of an xlsx sheet element by element: any way of writing it, at the pace of the standard parser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from workbench.data.readers.cell_text import NotANumber, iso_text, number_of, truth_text, unescaped, value_text
from workbench.data.readers.grid_writer import GridWriter
from workbench.data.readers.number_formats import Shown
from workbench.data.readers.reading import Merge
from workbench.data.readers.safe_xml import Attributes, BadXml, Handler, is_true
from workbench.data.readers.tally import Tally

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
_ADDRESS = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")


@dataclass(frozen=True)
class Texts:
    """What the cells of every sheet refer to: shared strings, number formats by style, the date system."""

    strings: tuple[str, ...]
    formats: tuple[Shown, ...]
    is_1904: bool

    def shown(self, style: int) -> Shown:
        return self.formats[style] if style < len(self.formats) else Shown.PLAIN


class Cell(NamedTuple):
    """A cell being read."""

    column: int
    kind: str
    style: int


class SheetRows(Handler):
    """Hands rows to the writer and the rest to the tally."""

    def __init__(self, texts: Texts, writer: GridWriter, tally: Tally) -> None:
        self.last_row = 0
        self._texts, self._writer, self._tally = texts, writer, tally
        self._row, self._cells = 0, dict[int, str]()
        self._column = -1
        self._cell: Cell | None = None
        self._collecting: str | None = None
        self._value: str | None = None
        self._pieces: list[str] = []
        self._formula = self._hint = False

    def start(self, name: str, attributes: Attributes) -> None:
        start = _STARTS.get(name)
        if start is not None:
            start(self, attributes)

    def end(self, name: str) -> None:
        end = _ENDS.get(name)
        if end is not None:
            end(self)

    def text(self, text: str) -> None:
        if self._collecting is not None:
            self._pieces.append(text)

    def _columns(self, attributes: Attributes) -> None:
        if is_true(attributes.get("hidden")):
            first, last = int(attributes.get("min", 1)), min(int(attributes.get("max", 1)), MOST_COLUMNS)
            self._tally.hidden_columns.update(range(first - 1, last))

    def _start_row(self, attributes: Attributes) -> None:
        number = int(attributes.get("r", self.last_row + 1))
        if not self.last_row < number <= MOST_ROWS:
            raise BadXml(f"its rows are out of order (row {number:,} follows row {self.last_row:,})")
        self._row, self._column, self._cells = number, -1, {}
        if is_true(attributes.get("hidden")):
            self._tally.hidden_rows.append(number)

    def _end_row(self) -> None:
        if self._row:
            self._writer.row(self._row, self._cells)
            self.last_row, self._row = self._row, 0

    def _start_cell(self, attributes: Attributes) -> None:
        if not self._row:
            return
        column = self._column + 1
        if (address := attributes.get("r")) is not None:
            row, column = place(address)
            if row != self._row:
                raise BadXml(f"its cell {address} stands in row {self._row:,}")
        if not self._column < column < MOST_COLUMNS:
            raise BadXml(f"the cells of its row {self._row:,} are out of order")
        self._column, self._value, self._formula = column, None, False
        self._cell = Cell(column, attributes.get("t", "n"), int(attributes.get("s") or 0))

    def _start_value(self, attributes: Attributes) -> None:
        if self._cell is not None:
            self._collecting, self._pieces = "v", []

    def _start_inline(self, attributes: Attributes) -> None:
        if self._cell is not None:
            self._collecting, self._pieces, self._value = None, [], ""

    def _start_text(self, attributes: Attributes) -> None:
        if self._cell is not None and self._value is not None and not self._hint:
            self._collecting, self._pieces = "t", []

    def _end_text(self) -> None:
        if self._collecting == "t":
            self._value = (self._value or "") + "".join(self._pieces)
            self._collecting = None

    def _end_value(self) -> None:
        if self._collecting == "v":
            if self._cell is not None and self._cell.kind != "inlineStr":
                self._value = "".join(self._pieces)
            self._collecting = None

    def _start_hint(self, attributes: Attributes) -> None:
        self._hint = True

    def _end_hint(self) -> None:
        self._hint = False

    def _start_formula(self, attributes: Attributes) -> None:
        self._formula = self._cell is not None

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        cell, self._cell = self._cell, None
        if self._value:
            text = self._text_of(cell, self._value)
            if text is not None:
                self._cells[cell.column] = text
        elif self._formula and (self._value is None or cell.kind != "str"):  # an empty text is a result
            self._tally.without_value.add(self._row, cell.column)

    def _text_of(self, cell: Cell, value: str) -> str | None:
        if cell.kind == "e":
            self._tally.error(value, self._row, cell.column)
            return None
        if cell.kind == "n":
            how = self._texts.shown(cell.style)
            self._tally.number(cell.column)
            if how is Shown.PERCENT:
                self._tally.percent(cell.column)
            return value_text(self._number(cell, value), how, self._texts.is_1904)
        return self._read(cell, value)

    def _read(self, cell: Cell, value: str) -> str:
        if cell.kind == "s":
            return self._shared(cell, value)
        if cell.kind == "b":
            return truth_text(is_true(value.strip()))
        return iso_text(value) if cell.kind == "d" else unescaped(value)

    def _number(self, cell: Cell, value: str) -> float:
        try:
            return number_of(value.strip())
        except NotANumber as error:
            raise BadXml(f"a number cell in row {self._row:,} holds no number") from error

    def _shared(self, cell: Cell, value: str) -> str:
        try:
            return self._texts.strings[_index(value)]
        except (ValueError, IndexError) as error:
            raise BadXml(f"a cell in row {self._row:,} refers to a text that is not there") from error

    def _merge(self, attributes: Attributes) -> None:
        first, _, last = attributes.get("ref", "").partition(":")
        (top, left), (bottom, right) = place(first), place(last or first)
        self._tally.merge(Merge(top, bottom, left, right))


_STARTS = {
    "col": SheetRows._columns, "row": SheetRows._start_row,
    "c": SheetRows._start_cell, "v": SheetRows._start_value, "is": SheetRows._start_inline,
    "t": SheetRows._start_text, "rPh": SheetRows._start_hint, "f": SheetRows._start_formula,
    "mergeCell": SheetRows._merge,
}  # fmt: skip
_ENDS = {
    "row": SheetRows._end_row, "c": SheetRows._end_cell, "v": SheetRows._end_value, "t": SheetRows._end_text,
    "rPh": SheetRows._end_hint,
}  # fmt: skip


def _index(written: str) -> int:
    number = int(written)
    if number < 0:
        raise IndexError(number)
    return number


def place(address: str) -> tuple[int, int]:
    """Row from 1 and column from 0 of an address such as B12."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise BadXml(f"it names a cell {address[:20]!r} that cannot be")
    column = 0
    for character in found[1].upper():
        column = 26 * column + ord(character) - 64
    row = int(found[2])
    if not (1 <= row <= MOST_ROWS and column <= MOST_COLUMNS):
        raise BadXml(f"it names a cell {address[:20]} outside every sheet")
    return row, column - 1
