"""Reads workbooks of Excel 5 to 2003 (xls), record by record."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from workbench.data.readers.cell_text import ERRORS, truth_text, value_text
from workbench.data.readers.compound_file import CompoundFile
from workbench.data.readers.grid_writer import GridWriter
from workbench.data.readers.number_formats import Shown, shown
from workbench.data.readers.reading import Merge, Reading, Sheet, Visibility
from workbench.data.readers.tally import Tally
from workbench.data.readers.workbook_facts import reading
from workbench.errors import ProtectedFile, UnreadableFile

if TYPE_CHECKING:
    import duckdb

_EXCEL_97, _WORKSHEET = 0x0600, 0
_VISIBILITY = (Visibility.VISIBLE, Visibility.HIDDEN, Visibility.VERY_HIDDEN)
_MACROS = frozenset({"_VBA_PROJECT_CUR", "_VBA_PROJECT", "Macros"})
_INTERNAL_LINKS = (b"\x01\x04", b"\x01\x3a")  # references to this workbook itself, and to add-in functions
_CODE_PAGES = {1200: "utf-16-le", 10000: "mac-roman", 32768: "mac-roman", 32769: "cp1252", 65001: "utf-8"}
_CONTINUE, _BEGIN, _END = 0x3C, 0x809, 0x0A

Record = tuple[int, bytes, tuple[bytes, ...]]  # kind, contents, continuations


@dataclass
class _Book:
    """What the first part of the workbook says."""

    is_97: bool = True
    code_page: str = "cp1252"
    is_1904: bool = False
    links: bool = False
    sheets: list[tuple[Sheet, int]] = field(default_factory=list)
    codes: dict[int, str] = field(default_factory=dict)
    styles: list[int] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    formats: tuple[Shown, ...] = ()

    def shown(self, style: int) -> Shown:
        return self.formats[style] if style < len(self.formats) else Shown.PLAIN


def sheets(name: str, file: IO[bytes]) -> tuple[Sheet, ...]:
    return tuple(sheet for sheet, _ in _read_book(name, _stream(CompoundFile(name, file))).sheets)


def load(connection: duckdb.DuckDBPyConnection, name: str, file: IO[bytes], sheet: str) -> Reading:
    container = CompoundFile(name, file)
    data = _stream(container)
    book = _read_book(name, data)
    start = next(at for known, at in book.sheets if known.name == sheet)
    tally = Tally()
    with GridWriter(connection, name, sheet) as writer:
        for row, cells in sorted(_read_sheet(name, data, start, book, tally).items()):
            writer.row(row, cells)
    return reading(sheet, writer, tally, book.is_1904, bool(_MACROS & container.names), book.links)


def _stream(container: CompoundFile) -> bytes:
    return container.stream("Workbook" if "Workbook" in container.names else "Book")


def _records(data: bytes, at: int) -> Iterator[Record]:
    """The records from a place on, each with those that continue it, up to the end of its part."""
    depth = 0
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        contents, at = data[at + 4 : at + 4 + size], at + 4 + size
        more = []
        while data[at : at + 2] == b"\x3c\0":
            size = struct.unpack_from("<H", data, at + 2)[0]
            more.append(data[at + 4 : at + 4 + size])
            at += 4 + size
        depth += (kind == _BEGIN) - (kind == _END)
        if depth <= 1:  # charts inside a sheet are parts of their own
            yield kind, contents, tuple(more)
        if depth <= 0:
            return
    raise struct.error("no end")


def _read_book(name: str, data: bytes) -> _Book:
    book = _Book()
    try:
        for kind, contents, more in _records(data, 0):
            if kind == 0x2F:
                raise ProtectedFile(name)
            if kind in _BOOK:
                _BOOK[kind](book, contents, more)
        book.formats = tuple(shown(number, book.codes.get(number)) for number in book.styles)
    except (struct.error, IndexError) as error:
        raise UnreadableFile(name, "it is damaged or cut short") from error
    return book


def _begin(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    book.is_97 = struct.unpack_from("<H", contents)[0] >= _EXCEL_97


def _code_page(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    number = struct.unpack_from("<H", contents)[0]
    book.code_page = _CODE_PAGES.get(number, f"cp{number}")


def _date_system(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    book.is_1904 = contents[:1] == b"\x01"


def _sheet(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    at, state, kind = struct.unpack_from("<IBB", contents)
    if kind == _WORKSHEET:
        name = _text(book, contents[6:], width=1)
        book.sheets.append((Sheet(name, _VISIBILITY[min(state & 3, 2)]), at))


def _format(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    book.codes[struct.unpack_from("<H", contents)[0]] = _text(book, contents[2:], width=2 if book.is_97 else 1)


def _style(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    book.styles.append(struct.unpack_from("<H", contents, 2)[0])


def _link(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    book.links |= contents[2:4] not in _INTERNAL_LINKS


def _shared(book: _Book, contents: bytes, more: tuple[bytes, ...]) -> None:
    count = struct.unpack_from("<I", contents, 4)[0]
    pieces = _Pieces((contents[8:], *more))
    while len(book.strings) < count and not pieces.at_end:
        book.strings.append(pieces.text(struct.unpack("<H", pieces.take(2))[0]))


_BOOK = {
    _BEGIN: _begin, 0x42: _code_page, 0x22: _date_system, 0x85: _sheet, 0x41E: _format, 0x1E: _format, 0xE0: _style,
    0x1AE: _link, 0xFC: _shared,
}  # fmt: skip


class _Pieces:
    """Shared strings run over the ends of records; a string that does says anew how wide its letters are."""

    def __init__(self, pieces: tuple[bytes, ...]) -> None:
        self._pieces, self._piece, self._at = pieces, 0, 0

    @property
    def at_end(self) -> bool:
        return self._piece >= len(self._pieces) - 1 and self._at >= len(self._pieces[-1])

    def take(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            part = self._pieces[self._piece][self._at : self._at + count - len(taken)]
            taken += part
            self._at += len(part)
            if len(taken) < count:
                self._next()
        return taken

    def text(self, letters: int) -> str:
        flags = self.take(1)[0]
        runs = struct.unpack("<H", self.take(2))[0] if flags & 8 else 0
        hints = struct.unpack("<I", self.take(4))[0] if flags & 4 else 0
        text, wide = "", flags & 1
        while letters:
            if self._at >= len(self._pieces[self._piece]):
                self._next()
                wide = self.take(1)[0] & 1
            here = min(letters, (len(self._pieces[self._piece]) - self._at) // (1 + wide))
            if not here:
                raise struct.error("half a letter")
            text += self.take(here * (1 + wide)).decode("utf-16-le" if wide else "latin-1", "replace")
            letters -= here
        self.take(4 * runs + hints)
        return text

    def _next(self) -> None:
        self._piece, self._at = self._piece + 1, 0
        if self._piece >= len(self._pieces):
            raise struct.error("text cut short")


def _text(book: _Book, contents: bytes, width: int) -> str:
    """A text with its length in front, one or two bytes wide."""
    letters = int.from_bytes(contents[:width], "little")
    if not book.is_97:
        return contents[width : width + letters].decode(book.code_page, "replace")
    return _Pieces((contents[width:],)).text(letters)


def _read_sheet(name: str, data: bytes, start: int, book: _Book, tally: Tally) -> dict[int, dict[int, str]]:
    sheet = _SheetCells(book, tally)
    try:
        for kind, contents, more in _records(data, start):
            if kind in _SHEET:
                _SHEET[kind](sheet, contents, more)
    except (struct.error, IndexError) as error:
        raise UnreadableFile(name, "it is damaged or cut short") from error
    return sheet.rows


class _SheetCells:
    """The cells of a sheet as its records come."""

    def __init__(self, book: _Book, tally: Tally) -> None:
        self._book, self._tally = book, tally
        self.rows: defaultdict[int, dict[int, str]] = defaultdict(dict)
        self._formula = (0, 0)

    def number(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, column, style, value = struct.unpack_from("<HHHd", contents)
        self._put_number(row, column, style, value)

    def short_number(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, column, style, packed = struct.unpack_from("<HHHI", contents)
        self._put_number(row, column, style, unpacked(packed))

    def short_numbers(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, first = struct.unpack_from("<HH", contents)
        for at, (style, packed) in enumerate(struct.iter_unpack("<HI", contents[4:-2])):
            self._put_number(row, first + at, style, unpacked(packed))

    def shared(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, column, _, number = struct.unpack_from("<HHHI", contents)
        self._put(row, column, self._book.strings[number])

    def label(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, column = struct.unpack_from("<HH", contents)
        self._put(row, column, _text(self._book, contents[6:], width=2))

    def truth_or_error(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, column, _, value, is_error = struct.unpack_from("<HHHBB", contents)
        self._put_special(row, column, 2 if is_error else 1, value)

    def formula(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        row, column, style = struct.unpack_from("<HHH", contents)
        result = contents[6:14]
        self._formula = (row, column)
        if result[6:8] == b"\xff\xff":
            self._put_special(row, column, result[0], result[2])
        else:
            self._put_number(row, column, style, struct.unpack("<d", result)[0])

    def formula_text(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        letters = struct.unpack_from("<H", contents)[0]
        text = _Pieces((contents[2:], *more)).text(letters) if self._book.is_97 else _text(self._book, contents, 2)
        self._put(*self._formula, text)

    def row(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        if contents[12] & 0x20:
            self._tally.hidden_rows.append(struct.unpack_from("<H", contents)[0] + 1)

    def columns(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        first, last, _, _, flags = struct.unpack_from("<HHHHH", contents)
        if flags & 1:
            self._tally.hidden_columns.update(range(first, last + 1))

    def merges(self, contents: bytes, more: tuple[bytes, ...]) -> None:
        for top, bottom, left, right in struct.iter_unpack("<HHHH", contents[2 : 2 + 8 * (len(contents[2:]) // 8)]):
            self._tally.merge(Merge(top + 1, bottom + 1, left, right))

    def _put(self, row: int, column: int, text: str) -> None:
        self.rows[row + 1][column] = text

    def _put_number(self, row: int, column: int, style: int, value: float) -> None:
        how = self._book.shown(style)
        self._tally.number(column)
        if how is Shown.PERCENT:
            self._tally.percent(column)
        self._put(row, column, value_text(value, how, self._book.is_1904))

    def _put_special(self, row: int, column: int, kind: int, value: int) -> None:
        if kind == 1:
            self._put(row, column, truth_text(value))
        elif kind == 2:
            self._tally.error(ERRORS.get(value, "#ERROR"), row + 1, column)


_SHEET = {
    0x203: _SheetCells.number, 0x27E: _SheetCells.short_number, 0xBD: _SheetCells.short_numbers,
    0xFD: _SheetCells.shared, 0x204: _SheetCells.label, 0xD6: _SheetCells.label, 0x205: _SheetCells.truth_or_error,
    0x06: _SheetCells.formula, 0x207: _SheetCells.formula_text, 0x208: _SheetCells.row, 0x7D: _SheetCells.columns,
    0xE5: _SheetCells.merges,
}  # fmt: skip


def unpacked(packed: int) -> float:
    """A number in four bytes: thirty bits of a whole or a floating one, perhaps times a hundred."""
    if packed & 2:
        value: float = (packed >> 2) - ((packed >> 31) << 30)
    else:
        value = struct.unpack("<d", struct.pack("<Q", (packed & 0xFFFFFFFC) << 32))[0]
    return float(value / 100 if packed & 1 else value)
