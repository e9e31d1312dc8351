"""Reads the XML of an xlsx sheet many rows at a time, as long as it is written the usual way.

The usual way: `<c r="B7" s="3" t="s"><v>12</v></c>`, attributes in this order, nothing else inside a row. Everything is
checked, not assumed: `read_block` gives None for a block with anything unusual, which `sheet_rows` then reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.data.readers.cell_text import iso_text, number_of, truth_text, unescaped, value_text
from workbench.data.readers.number_formats import Shown
from workbench.data.readers.plain_numbers import plain, shortest, whole
from workbench.data.readers.sheet_rows import MOST_COLUMNS, MOST_ROWS, Texts
from workbench.data.readers.tally import Tally
from workbench.data.readers.text_views import (
    FIRST_BYTES,
    PADDING,
    Flags,
    Places,
    Words,
    array_of,
    lengths,
    views_of,
    views_of_lines,
    views_of_texts,
    words_of,
)  # fmt: skip

Bytes = NDArray[np.uint8]

_MOST_DENSE = 8_000_000  # cells of a block with the blank ones between; a sparser one is read row by row
_HIDDEN_ROW = re.compile(rb'<row r="(\d+)"[^>]* hidden="(?:1|true)"')
_BLANK_STARTS = np.frombuffer(bytes([9, 10, 13, 32, 0xC2, 0xE1, 0xE2, 0xE3]), np.uint8)  # of spaces in UTF-8
_STRINGS, _BLOCK, _MADE, _NUMBERS = 0, 1, 2, 3  # the buffers that text views point into
_NO_CONTROLS = bytes(set(range(32)) - {9, 10, 13})
_DAYS = 110_000  # dates up to the year 2200 are prepared


def _word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text, "little"))


_CELL, _VALUE, _ROW = (_word(tag) for tag in (b'<c r="', b"<v>", b'<row r="'))
_EMPTY_VALUE, _FORMULA, _FORMULA_WITH, _INLINE = (_word(tag) for tag in (b"<v/>", b"<f>", b"<f ", b"<is>"))
_TEXT, _SPACED_TEXT = _word(b"<t>"), tuple(map(_word, (b"<t xml:s", b'pace="pr', b'eserve">')))
_END, _END_OF_CELL, _END_OF_ROW = _word(b"</"), _word(b"</c>"), _word(b"</row>")
_STYLE, _TYPE = _word(b' s="'), _word(b' t="')
_KINDS = {
    kind: (at, _word(kind + b'"'), len(kind) + 1) for at, kind in enumerate((b"n", b"s", b"str", b"e", b"b", b"d"))
}
_N, _S, _STR, _E, _B, _D, _IS = range(7)
_IS_WORD = _word(b"inlineSt")


@dataclass(frozen=True)
class BlockCells:
    """The cells of a block: the numbers of the rows that hold any, text arrays by column, the bytes of text."""

    rows: Places
    columns: Mapping[int, Any]
    size: int
    last_row: int  # the last one written down, blank or not


class Unusual(Exception):
    """The block is not written the usual way."""


class BlockReader:
    """Holds what every block refers to, as views."""

    def __init__(self, texts: Texts, tally: Tally) -> None:
        self._texts, self._tally = texts, tally

    @cached_property
    def _strings(self) -> tuple[Words, bytes]:
        return views_of_texts(list(self._texts.strings), _STRINGS)

    @cached_property
    def _blank_strings(self) -> Flags:
        texts = self._texts.strings
        return np.fromiter((not text or text.isspace() for text in texts), np.bool_, len(texts))

    @cached_property
    def _formats(self) -> NDArray[np.int64]:
        return np.array([list(Shown).index(how) for how in self._texts.formats] or [0], np.int64)

    @cached_property
    def _days(self) -> Words:
        """The date of each day as a view; short enough to need no buffer. Days before March 1900 are not used."""
        first = np.datetime64("1904-01-01" if self._texts.is_1904 else "1899-12-30")
        days = (first + np.arange(_DAYS)).astype("S10").tobytes() + PADDING
        return views_of(words_of(days), 10 * np.arange(_DAYS), np.full(_DAYS, 10), _STRINGS)

    def read(self, block: bytes, last_row: int) -> BlockCells | None:
        """The cells of whole rows that follow `last_row`, or None if the block is unusual in any way."""
        if not _is_text(block):
            return None
        try:
            return self._read(_Cells(block, last_row))
        except Unusual:
            return None

    def _read(self, cells: _Cells) -> BlockCells:
        made = _Made()
        present = np.zeros(cells.count, np.bool_)
        views = np.zeros((cells.count, 2), np.uint64)
        for read in (self._shared, self._numbers, self._written):
            read(cells, views, present, made)
        texts, buffer = views_of_texts(made.texts, _MADE)
        views[made.cells] = texts
        present[made.cells] = True
        arranged = _arranged(cells, views, present, [self._strings[1], cells.padded, buffer, made.numbers])
        self._count(cells)
        return arranged

    def _shared(self, cells: _Cells, views: Words, present: Flags, made: _Made) -> None:
        at = cells.valued[cells.kind[cells.valued] == _S]
        numbers, right = whole(cells.bytes, cells.start[at], cells.length[at])
        if not right.all() or (len(at) and numbers.max() >= len(self._texts.strings)):
            raise Unusual
        views[at] = self._strings[0][numbers]
        present[at] = ~self._blank_strings[numbers]

    def _numbers(self, cells: _Cells, views: Words, present: Flags, made: _Made) -> None:
        at = cells.valued[cells.kind[cells.valued] == _N]
        shown = self._formats[np.where(cells.style[at] < len(self._formats), cells.style[at], 0)]
        cells.percent = at[shown == list(Shown).index(Shown.PERCENT)]
        is_number = (shown == 0) | (shown == list(Shown).index(Shown.PERCENT))
        self._plain_numbers(cells, at[is_number], views, present, made)
        self._moments(cells, at[~is_number], shown[~is_number], views, present, made)

    def _plain_numbers(self, cells: _Cells, at: Places, views: Words, present: Flags, made: _Made) -> None:
        as_written = plain(cells.bytes, cells.words, cells.start[at], cells.length[at])
        views[at[as_written]] = cells.views(at[as_written])
        present[at[as_written]] = True
        odd = at[~as_written]
        if len(odd):
            lines = shortest(cells.raw(odd))
            _require(lines is not None)
            views[odd], made.numbers = views_of_lines(lines or b"", _NUMBERS)
            present[odd] = True

    def _moments(self, cells: _Cells, at: Places, shown: Places, views: Words, present: Flags, made: _Made) -> None:
        if not len(at):
            return
        days, right = whole(cells.bytes, cells.start[at], cells.length[at])
        right &= (shown == list(Shown).index(Shown.DATE)) & (days > 60) & (days < _DAYS)
        views[at[right]] = self._days[days[right]]
        present[at[right]] = True
        hows = [list(Shown)[how] for how in shown[~right]]
        made.add(at[~right], [self._moment(raw, how) for raw, how in zip(cells.raw(at[~right]), hows, strict=True)])

    def _moment(self, raw: bytes, how: Shown) -> str:
        try:
            return value_text(number_of(raw.decode()), how, self._texts.is_1904)
        except ValueError as error:
            raise Unusual from error

    def _written(self, cells: _Cells, views: Words, present: Flags, made: _Made) -> None:
        """Texts that stand in the cell itself, truth values, dates in words, errors."""
        kinds = cells.kind[cells.valued]
        texts = cells.valued[(kinds == _STR) | (kinds == _IS)]
        if len(texts):
            odd = cells.needs_reading(texts)
            views[texts[~odd]] = cells.views(texts[~odd])
            present[texts[~odd]] = True
            _make(made, texts[odd], [unescaped(_plain_xml(raw)) for raw in cells.raw(texts[odd])])
        for kind, text_of in ((_B, _truth), (_D, _iso)):
            at = cells.valued[kinds == kind]
            _make(made, at, [text_of(raw) for raw in cells.raw(at)])

    def _count(self, cells: _Cells) -> None:
        """What the officer must know. Nothing is counted before the whole block has proved usual."""
        kinds = cells.kind[cells.valued]
        for column, count in _counts(cells.column[cells.valued[kinds == _N]]):
            self._tally.number(column, count)
        for column, count in _counts(cells.column[cells.percent]):
            self._tally.percent(column, count)
        errors = cells.valued[kinds == _E]
        for cell, raw in zip(errors.tolist(), cells.raw(errors), strict=True):
            self._tally.error(raw.decode(), int(cells.row[cell]), int(cells.column[cell]))
        for cell in cells.without_value().tolist():
            self._tally.without_value.add(int(cells.row[cell]), int(cells.column[cell]))
        self._tally.hidden_rows.extend(cells.hidden_rows())


class _Made:
    """Texts that had to be made, and the cells they belong to."""

    def __init__(self) -> None:
        self._cells: list[Places] = []
        self.texts: list[str] = []
        self.numbers = b""

    def add(self, cells: Places, texts: list[str]) -> None:
        self._cells.append(cells)
        self.texts.extend(texts)

    @property
    def cells(self) -> Places:
        return np.concatenate([np.zeros(0, np.int64), *self._cells])


class _Cells:
    """Where the cells of a block are, what kind each is, and where its value stands."""

    def __init__(self, block: bytes, last_row: int) -> None:
        self.block, self.padded = block, block + PADDING
        self.bytes, self.words = np.frombuffer(self.padded, np.uint8), words_of(self.padded)
        self.percent: Places = np.zeros(0, np.int64)
        self._find_tags()
        self._find_rows(last_row)
        self._find_addresses()
        self._find_attributes()
        self._find_values()

    @property
    def count(self) -> int:
        return len(self._cell_tags)

    @property
    def first_row(self) -> int:
        return int(self._row_numbers[0])

    @property
    def last_row(self) -> int:
        return int(self._row_numbers[-1])

    def views(self, at: Places) -> Words:
        return views_of(self.words, self.start[at], self.length[at], _BLOCK)

    def raw(self, at: Places) -> list[bytes]:
        start, length = self.start[at], self.length[at]
        return [self.block[a:b] for a, b in zip(start.tolist(), (start + length).tolist(), strict=True)]

    def needs_reading(self, at: Places) -> Flags:
        """Texts with escaped characters, or that may be blank."""
        odd = np.isin(self.bytes[self.start[at]], _BLANK_STARTS)
        for mark in (b"&", b"_x", b"\r"):
            marks = [found.start() for found in re.finditer(re.escape(mark), self.block)]
            owner = np.searchsorted(self.start[at], marks, "right") - 1
            odd[owner[owner >= 0]] = True
        return odd

    def without_value(self) -> Places:
        """Formulas whose result was not saved; an empty text is a result."""
        formulas = np.unique(self._owners(self._formula_tags))
        has_value = np.isin(formulas, self._owners(np.concatenate([self._value_tags, self._empty_tags])))
        unsaved: Places = formulas[(self.length[formulas] == 0) & ~(has_value & (self.kind[formulas] == _STR))]
        return unsaved

    def hidden_rows(self) -> list[int]:
        return [int(found[1]) for found in _HIDDEN_ROW.finditer(self.block)] if b'hidden="' in self.block else []

    def _find_tags(self) -> None:
        opens = self._opens = np.flatnonzero(self.bytes == 0x3C)
        tags = self.words[opens]
        is_cell, is_value = (tags & FIRST_BYTES[6]) == _CELL, (tags & FIRST_BYTES[3]) == _VALUE
        is_row, is_end = tags == _ROW, (tags & FIRST_BYTES[2]) == _END
        self._ends_of_cells = np.count_nonzero((tags & FIRST_BYTES[4]) == _END_OF_CELL)
        self._ends_of_rows = np.count_nonzero((tags & FIRST_BYTES[6]) == _END_OF_ROW)
        others = np.flatnonzero(~(is_cell | is_value | is_row | is_end))
        self._value_tags = np.flatnonzero(is_value)
        self._find_other_tags(others, tags[others])
        self._cell_tags, self._row_tags = np.flatnonzero(is_cell), np.flatnonzero(is_row)
        self._cells_before = np.cumsum(is_cell)

    def _find_other_tags(self, tags: Places, words: Words) -> None:
        """Formulas, texts inside the cell and empty values; any other tag is unusual."""
        is_formula = ((words & FIRST_BYTES[3]) == _FORMULA) | ((words & FIRST_BYTES[3]) == _FORMULA_WITH)
        is_text, is_spaced = (words & FIRST_BYTES[3]) == _TEXT, words == _SPACED_TEXT[0]
        is_inline, is_empty = (words & FIRST_BYTES[4]) == _INLINE, (words & FIRST_BYTES[4]) == _EMPTY_VALUE
        _require((is_formula | is_text | is_spaced | is_inline | is_empty).all())
        for at, word in enumerate(_SPACED_TEXT):
            _require((self.words[self._opens[tags[is_spaced]] + 8 * at] == word).all())
        self._formula_tags, self._inline_tags, self._empty_tags = tags[is_formula], tags[is_inline], tags[is_empty]
        self._text_tags = tags[is_text | is_spaced]
        self._text_starts = self._opens[self._text_tags] + np.where(is_spaced[is_text | is_spaced], 24, 3)

    def _find_rows(self, last_row: int) -> None:
        start = self._opens[self._row_tags] + 8
        self._row_numbers, self._digits = _leading_number(self.bytes, start)
        _require((self.bytes[start + self._digits] == 0x22).all())
        numbers = self._row_numbers
        following = self._opens[np.minimum(self._row_tags + 1, len(self._opens) - 1)]
        closed = (self.bytes[following - 1] == 0x3E) & (self.bytes[following - 2] == 0x2F)
        _require(self._ends_of_rows + np.count_nonzero(closed) == len(numbers))
        _require(len(numbers) > 0 and numbers[0] > last_row and numbers[-1] <= MOST_ROWS)
        _require((numbers[1:] > numbers[:-1]).all())
        first_cells = np.searchsorted(self._cell_tags, self._row_tags)
        _require(first_cells[0] == 0)
        self._row_of = np.repeat(np.arange(len(numbers)), np.diff(np.append(first_cells, len(self._cell_tags))))
        self.row = numbers[self._row_of]

    def _find_addresses(self) -> None:
        """Column letters; the digits after them must be those of the row."""
        start = self._opens[self._cell_tags] + 6
        letters = [self.bytes[start + at] for at in range(3)]
        is_letter = [(one >= 0x41) & (one <= 0x5A) for one in letters]
        _require(is_letter[0].all())
        second = is_letter[1]
        third = second & is_letter[2]
        column = letters[0].astype(np.int64) - 64
        column = np.where(second, 26 * column + letters[1] - 64, column)
        self.column = np.where(third, 26 * column + letters[2] - 64, column) - 1
        _require(self.count == 0 or self.column.max() < MOST_COLUMNS)
        digits = start + 1 + second + third
        mask = FIRST_BYTES[self._digits + 1]
        written = self.words[self._opens[self._row_tags] + 8] & mask
        _require(((self.words[digits] & mask[self._row_of]) == written[self._row_of]).all())
        self._rest = digits + self._digits[self._row_of] + 1

    def _find_attributes(self) -> None:
        rest = self._rest
        self.style = np.zeros(self.count, np.int64)
        styled = np.flatnonzero((self.words[rest] & FIRST_BYTES[4]) == _STYLE)
        numbers, digits = _leading_number(self.bytes, rest[styled] + 4)
        self.style[styled] = numbers
        _require((self.bytes[rest[styled] + 4 + digits] == 0x22).all())
        rest[styled] += 5 + digits
        self.kind = np.zeros(self.count, np.uint8)
        typed = np.flatnonzero(self.bytes[rest] == 0x20)
        _require(((self.words[rest[typed]] & FIRST_BYTES[4]) == _TYPE).all())
        word = self.words[rest[typed] + 4]
        for kind, pattern, length in _KINDS.values():
            those = typed[(word & FIRST_BYTES[length]) == pattern]
            self.kind[those] = kind
            rest[those] += 4 + length
        those = typed[word == _IS_WORD]
        self.kind[those] = _IS
        rest[those] += 14
        self._closed = self.bytes[rest] == 0x2F
        _require((self.bytes[rest + self._closed] == 0x3E).all())
        _require(self._ends_of_cells + np.count_nonzero(self._closed) == self.count)

    def _find_values(self) -> None:
        """The one text inside a cell that is its value."""
        value_tags, text_tags = self._value_tags, self._text_tags
        # An inline text is <is><t>…</t></is>; one in several pieces is unusual.
        _require(np.array_equal(self._inline_tags + 1, text_tags) and self._ends(text_tags + 2, b"</is>"))
        tags = np.concatenate([value_tags, text_tags])
        _require(self._ends(value_tags + 1, b"</v>") and self._ends(text_tags + 1, b"</t>"))
        owner = self._owners(tags)
        _require((np.bincount(owner, minlength=1) <= 1).all() and not self._closed[owner].any())
        _require(np.array_equal(self.kind[owner] == _IS, np.arange(len(tags)) >= len(value_tags)))
        self.start, self.length = np.zeros(self.count, np.int64), np.zeros(self.count, np.int64)
        self.start[owner] = np.concatenate([self._opens[value_tags] + 3, self._text_starts])
        self.length[owner] = self._opens[tags + 1] - self.start[owner]
        self.valued = np.flatnonzero(self.length)

    def _owners(self, tags: Places) -> Places:
        """The cells that these tags stand in."""
        return self._cells_before[tags] - 1

    def _ends(self, tags: Places, end: bytes) -> bool:
        if len(tags) and tags[-1] >= len(self._opens):
            return False
        return bool(((self.words[self._opens[tags]] & FIRST_BYTES[len(end)]) == _word(end)).all())


def _arranged(cells: _Cells, views: Words, present: Flags, buffers: list[bytes]) -> BlockCells:
    """Cells in the rows and columns that hold any."""
    order = cells.row * MOST_COLUMNS + cells.column
    _require((order[1:] > order[:-1]).all())
    kept = np.flatnonzero(present)
    rows, row_places = _used(cells.row[kept] - cells.first_row)
    columns, column_places = _used(cells.column[kept])
    height = len(rows)
    _require(height * len(columns) <= _MOST_DENSE)
    places = column_places * height + row_places
    dense, filled = np.zeros((len(columns) * height, 2), np.uint64), np.zeros(len(columns) * height, np.bool_)
    dense[places], filled[places] = views[kept], True
    arrays = {
        int(column): array_of(dense[at * height : (at + 1) * height], filled[at * height : (at + 1) * height], buffers)
        for at, column in enumerate(columns)
    }
    return BlockCells(rows + cells.first_row, arrays, int(lengths(views[kept]).sum()), cells.last_row)


def _used(numbers: Places) -> tuple[Places, Places]:
    """The numbers that occur, in their order, and for each given one its place among them."""
    occurs = np.bincount(numbers) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]


def _leading_number(octets: Bytes, start: Places) -> tuple[Places, Places]:
    """The whole number that begins at each place, and how many digits it has (at most seven are read)."""
    number, digits = np.zeros(len(start), np.int64), np.zeros(len(start), np.int64)
    going = np.ones(len(start), np.bool_)
    for at in range(7):
        digit = octets[start + at]
        going &= (digit >= 0x30) & (digit <= 0x39)
        if not going.any():
            break
        number = np.where(going, 10 * number + digit - 0x30, number)
        digits += going
    return number, digits


def _counts(columns: Places) -> list[tuple[int, int]]:
    counts = np.bincount(columns)
    return [(int(column), int(counts[column])) for column in np.flatnonzero(counts)]


def _make(made: _Made, at: Places, texts: list[str]) -> None:
    kept = np.fromiter((bool(text) and not text.isspace() for text in texts), np.bool_, len(texts))
    made.add(at[kept], [text for text in texts if text and not text.isspace()])


def _plain_xml(raw: bytes) -> str:
    """The text of an element without elements inside."""
    import xml.etree.ElementTree as Tree

    try:
        return Tree.fromstring(b"<t>" + raw + b"</t>").text or ""
    except Tree.ParseError as error:
        raise Unusual from error


def _truth(raw: bytes) -> str:
    return truth_text(raw.strip() in (b"1", b"true"))


def _iso(raw: bytes) -> str:
    return iso_text(raw.decode())


def _is_text(block: bytes) -> bool:
    """Whether it is UTF-8 without the control characters that XML forbids."""
    octets = np.frombuffer(block, np.uint8)
    if octets.min(initial=0x20) < 0x20 and block.translate(None, _NO_CONTROLS) != block:
        return False
    try:
        return block.isascii() or bool(block.decode())
    except UnicodeDecodeError:
        return False


def _require(usual: object) -> None:
    if not usual:
        raise Unusual
