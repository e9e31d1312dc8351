"""Reads Excel workbooks of the binary kind (xlsb): the parts of an xlsx, written as records instead of XML."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from workbench.data.readers.cell_text import ERRORS, truth_text, value_text
from workbench.data.readers.grid_writer import GridWriter
from workbench.data.readers.number_formats import Shown, shown
from workbench.data.readers.package import Package, opened
from workbench.data.readers.reading import Merge, Reading, Sheet, Visibility
from workbench.data.readers.safe_xml import BadXml
from workbench.data.readers.sheet_rows import MOST_COLUMNS, MOST_ROWS, Texts
from workbench.data.readers.tally import Tally
from workbench.data.readers.workbook_facts import reading
from workbench.data.readers.xls import unpacked
from workbench.data.readers.xlsx_parts import Book, main_part, relations_of

if TYPE_CHECKING:
    import duckdb

_VISIBILITY = (Visibility.VISIBLE, Visibility.HIDDEN, Visibility.VERY_HIDDEN)
_PIECE = 1024 * 1024
_LONGEST = 64 * 1024**2
_DAMAGED = "its contents are damaged or cut short"

Record = tuple[int, bytes]


def sheets(name: str, file: IO[bytes]) -> tuple[Sheet, ...]:
    with opened(name, file) as package:
        return _read_book(package).sheets


def load(connection: duckdb.DuckDBPyConnection, name: str, file: IO[bytes], sheet: str) -> Reading:
    with opened(name, file) as package:
        book = _read_book(package)
        tally = Tally()
        texts = Texts(_strings(package, book.strings), _formats(package, book.styles), book.is_1904)
        with GridWriter(connection, name, sheet) as writer:
            _Rows(texts, writer, tally).read(_records(package, book.part(sheet)))
        return reading(sheet, writer, tally, book.is_1904, book.macros, book.links)


def _records(package: Package, part: str) -> Iterator[Record]:
    """The records of a part: kind, size, contents."""
    with package.open(part) as stream:
        data, at = stream.read(_PIECE), 0
        while True:
            try:
                kind, size, begin = _head(data, at)
                fits = begin + size <= len(data)
            except IndexError:
                size, fits = 0, False
            if fits:
                yield kind, data[begin : begin + size]
                at = begin + size
                continue
            more = stream.read(max(_PIECE, min(size, _LONGEST)))
            if not more:
                if at < len(data):
                    raise BadXml(_DAMAGED)
                return
            data, at = data[at:] + more, 0


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    kind = data[at]
    at += 1
    if kind & 0x80:
        kind = (kind & 0x7F) | (data[at] & 0x7F) << 7
        at += 1
    size = 0
    for shift in (0, 7, 14, 21):
        octet = data[at]
        at += 1
        size |= (octet & 0x7F) << shift
        if not octet & 0x80:
            break
    if size > _LONGEST:
        raise BadXml("it holds a record of impossible length")
    return kind, size, at


def _read_book(package: Package) -> Book:
    main = main_part(package)
    relations = relations_of(package, main)
    is_1904, found = False, []
    for kind, contents in _records(package, main):
        if kind == 153:
            is_1904 = bool(contents[0] & 1)
        elif kind == 156:
            state = struct.unpack_from("<I", contents)[0]
            key, at = _wide(contents, 8)
            found.append((Sheet(_wide(contents, at)[0], _VISIBILITY[min(state, 2)]), key))
    cells = [
        (sheet, relations[key].target)
        for sheet, key in found
        if key in relations and relations[key].kind == "worksheet" and relations[key].target in package
    ]
    kinds = {relation.kind: relation.target for relation in relations.values()}
    return Book(
        sheets=tuple(sheet for sheet, _ in cells), parts=tuple(part for _, part in cells), is_1904=is_1904,
        macros="vbaProject" in kinds, links="externalLink" in kinds,
        strings=kinds.get("sharedStrings"), styles=kinds.get("styles"),
    )  # fmt: skip


def _strings(package: Package, part: str | None) -> tuple[str, ...]:
    if part is None or part not in package:
        return ()
    return tuple(_wide(contents, 1)[0] for kind, contents in _records(package, part) if kind == 19)


def _formats(package: Package, part: str | None) -> tuple[Shown, ...]:
    codes: dict[int, str] = {}
    used: list[int] = []
    within = False
    for kind, contents in _records(package, part) if part is not None and part in package else ():
        if kind == 44:
            codes[struct.unpack_from("<H", contents)[0]] = _wide(contents, 2)[0]
        elif kind == 47 and within:
            used.append(struct.unpack_from("<H", contents, 2)[0])
        within = kind == 617 or (within and kind != 618)
    return tuple(shown(number, codes.get(number)) for number in used)


def _wide(contents: bytes, at: int) -> tuple[str, int]:
    """A text with its length in letters in front, and the place after it."""
    letters = struct.unpack_from("<I", contents, at)[0]
    if letters == 0xFFFFFFFF:
        return "", at + 4
    end = at + 4 + 2 * letters
    if end > len(contents):
        raise BadXml(_DAMAGED)
    return contents[at + 4 : end].decode("utf-16-le", "replace"), end


@dataclass
class _Rows:
    """Hands rows to the writer and the rest to the tally."""

    texts: Texts
    writer: GridWriter
    tally: Tally

    def read(self, records: Iterator[Record]) -> None:
        self._row, self._cells = 0, dict[int, str]()
        try:
            for kind, contents in records:
                if kind in _TEXTS:
                    column, style = struct.unpack_from("<II", contents)
                    self._cell(_TEXTS[kind], column, style & 0xFFFFFF, contents)
                elif kind in _OTHERS:
                    _OTHERS[kind](self, contents)
        except (struct.error, IndexError) as error:
            raise BadXml(_DAMAGED) from error
        self._end_row()

    def _cell(self, kind: str, column: int, style: int, contents: bytes) -> None:
        if not self._row or column >= MOST_COLUMNS or column <= max(self._cells, default=-1):
            raise BadXml(f"the cells of its row {self._row:,} are out of order")
        if kind == "error":
            self.tally.error(ERRORS.get(contents[8], "#ERROR"), self._row, column)
        elif kind in ("packed", "number"):
            stored = struct.unpack_from("<I" if kind == "packed" else "<d", contents, 8)[0]
            self._cells[column] = self._number(column, style, unpacked(stored) if kind == "packed" else stored)
        else:
            self._cells[column] = self._text(kind, contents)

    def _text(self, kind: str, contents: bytes) -> str:
        if kind == "shared":
            number: int = struct.unpack_from("<I", contents, 8)[0]
            return self.texts.strings[number]
        if kind == "truth":
            return truth_text(contents[8])
        return _wide(contents, 9 if kind == "rich" else 8)[0]

    def _number(self, column: int, style: int, value: float) -> str:
        how = self.texts.shown(style)
        self.tally.number(column)
        if how is Shown.PERCENT:
            self.tally.percent(column)
        return value_text(value, how, self.texts.is_1904)

    def _start_row(self, contents: bytes) -> None:
        self._end_row()
        number = struct.unpack_from("<I", contents)[0] + 1
        if not self._row < number <= MOST_ROWS:
            raise BadXml(f"its rows are out of order (row {number:,} follows row {self._row:,})")
        self._row = number
        if contents[11] & 0x10:
            self.tally.hidden_rows.append(number)

    def _end_row(self) -> None:
        if self._cells:
            self.writer.row(self._row, self._cells)
        self._cells = {}

    def _columns(self, contents: bytes) -> None:
        first, last, _, _, flags = struct.unpack_from("<IIIIH", contents)
        if flags & 1:
            self.tally.hidden_columns.update(range(first, min(last, MOST_COLUMNS - 1) + 1))

    def _merge(self, contents: bytes) -> None:
        top, bottom, left, right = struct.unpack_from("<IIII", contents)
        self.tally.merge(Merge(top + 1, bottom + 1, left, right))


_TEXTS = {
    2: "packed", 3: "error", 4: "truth", 5: "number", 6: "text", 7: "shared", 8: "text", 9: "number", 10: "truth",
    11: "error", 62: "rich",
}  # fmt: skip
_OTHERS = {0: _Rows._start_row, 60: _Rows._columns, 176: _Rows._merge}
