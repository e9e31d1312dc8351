"""Reads OpenDocument spreadsheets (ods): one XML part with all sheets, runs of equal cells and rows written once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from workbench.data.readers.cell_text import duration_text, iso_text, number_of, number_text, truth_text
from workbench.data.readers.grid_writer import GridWriter
from workbench.data.readers.package import Package, opened
from workbench.data.readers.reading import Merge, Reading, Sheet, Visibility
from workbench.data.readers.safe_xml import Attributes, BadXml, Handler, each_start, local, read_xml
from workbench.data.readers.sheet_rows import MOST_COLUMNS, MOST_ROWS
from workbench.data.readers.tally import Tally
from workbench.data.readers.workbook_facts import reading
from workbench.errors import ProtectedFile

if TYPE_CHECKING:
    import duckdb

_CONTENT, _MANIFEST = "content.xml", "META-INF/manifest.xml"
_DURATION = re.compile(r"(-?)P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*)?)S)?")


def sheets(name: str, file: IO[bytes]) -> tuple[Sheet, ...]:
    with opened(name, file) as package:
        return _overview(package).sheets()


def load(connection: duckdb.DuckDBPyConnection, name: str, file: IO[bytes], sheet: str) -> Reading:
    with opened(name, file) as package:
        overview = _overview(package)
        tally = Tally()
        with GridWriter(connection, name, sheet) as writer, package.open(_CONTENT) as stream:
            read_xml(stream, _Rows(sheet, writer, tally))
        macros = any(part.startswith("basic/") for part in package.parts())
        return reading(sheet, writer, tally, is_1904=False, macros=macros, links=overview.links)


class _Overview:
    """The sheets and the styles that hide some of them."""

    def __init__(self) -> None:
        self.links = False
        self._hiding: set[str] = set()
        self._style = ""
        self._tables: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "style":
            self._style = local(attributes, "name") or ""
        elif name == "table-properties" and local(attributes, "display") == "false":
            self._hiding.add(self._style)
        elif name == "table":
            self._tables.append((local(attributes, "name") or "", local(attributes, "style-name") or ""))
        elif name == "table-source":  # a copy of a sheet of another file
            self.links = True
            self._tables.pop()

    def sheets(self) -> tuple[Sheet, ...]:
        shown = {True: Visibility.HIDDEN, False: Visibility.VISIBLE}
        return tuple(Sheet(name, shown[style in self._hiding]) for name, style in self._tables)


def _overview(package: Package) -> _Overview:
    protected: list[str] = []
    if _MANIFEST in package:
        with package.open(_MANIFEST) as stream:
            each_start(stream, lambda name, _: protected.append(name) if name == "encryption-data" else None)
    if protected:
        raise ProtectedFile(package.name)
    overview = _Overview()
    with package.open(_CONTENT) as stream:
        each_start(stream, overview.start)
    return overview


class _Rows(Handler):
    """Hands the rows of one sheet to the writer and the rest to the tally."""

    def __init__(self, sheet: str, writer: GridWriter, tally: Tally) -> None:
        self._sheet, self._writer, self._tally = sheet, writer, tally
        self._within = False
        self._row = self._column = self._columns_seen = self._repeat_row = 0
        self._cells: dict[int, str] = {}
        self._errors: list[tuple[str, int]] = []
        self._unsaved: list[int] = []
        self._numbers: list[tuple[int, bool]] = []
        self._cell: Attributes | None = None
        self._pieces: list[str] = []
        self._paragraphs = self._in_paragraph = self._aside = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "table":
            self._within = local(attributes, "name") == self._sheet
        elif self._within and name in _ASIDE:
            self._aside += 1
        elif self._within and not self._aside and name in _STARTS:
            _STARTS[name](self, attributes)

    def end(self, name: str) -> None:
        if name == "table":
            self._within = False
        elif self._within and name in _ASIDE:
            self._aside -= 1
        elif self._within and not self._aside and name in _ENDS:
            _ENDS[name](self)

    def text(self, text: str) -> None:
        if self._in_paragraph and not self._aside:
            self._pieces.append(text)

    def _start_column(self, attributes: Attributes) -> None:
        count = _repeat(attributes, "number-columns-repeated")
        if local(attributes, "visibility") in ("collapse", "filter"):
            last = min(self._columns_seen + count, MOST_COLUMNS)
            self._tally.hidden_columns.update(range(self._columns_seen, last))
        self._columns_seen += count

    def _start_row(self, attributes: Attributes) -> None:
        self._repeat_row = _repeat(attributes, "number-rows-repeated")
        self._column = 0
        self._cells, self._errors, self._unsaved, self._numbers = {}, [], [], []
        self._hidden = local(attributes, "visibility") in ("collapse", "filter")

    def _end_row(self) -> None:
        """A run of equal rows is written out only if it holds anything."""
        anything = self._cells or self._errors or self._unsaved
        last = min(self._row + self._repeat_row, MOST_ROWS)
        if anything and last > self._row:
            self._write(self._row + 1, last - self._row)
        if self._hidden:
            self._tally.hidden_rows.extend(range(self._row + 1, last + 1))
        self._row += self._repeat_row

    def _write(self, row: int, count: int) -> None:
        if count == 1:
            self._writer.row(row, self._cells)
        else:
            self._writer.run(row, count, self._cells)
        for column, is_percent in self._numbers:
            self._tally.number(column, count)
            self._tally.percent(column, count if is_percent else 0)
        for at in range(row, row + count) if self._errors or self._unsaved else ():
            self._remember(at)

    def _remember(self, row: int) -> None:
        for text, column in self._errors:
            self._tally.error(text, row, column)
        for column in self._unsaved:
            self._tally.without_value.add(row, column)

    def _start_cell(self, attributes: Attributes) -> None:
        self._cell, self._pieces, self._paragraphs = attributes, [], 0

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        attributes, self._cell = self._cell, None
        count = _repeat(attributes, "number-columns-repeated")
        columns = range(self._column, min(self._column + count, MOST_COLUMNS))
        self._column += count
        text = _cell_text(attributes, "".join(self._pieces))
        self._merge(attributes, columns[0] if columns else 0)
        if any(key == "calcext:value-type" and kind == "error" for key, kind in attributes.items()):
            self._errors.extend((text, column) for column in columns)
        elif text and not text.isspace():
            self._keep(attributes, text, columns)
        elif local(attributes, "formula") and local(attributes, "value-type") is None:
            self._unsaved.extend(columns)

    def _keep(self, attributes: Attributes, text: str, columns: Sequence[int]) -> None:
        self._cells.update(dict.fromkeys(columns, text))
        kind = _kind(attributes)
        if kind in ("float", "currency", "percentage"):
            self._numbers.extend((column, kind == "percentage") for column in columns)

    def _merge(self, attributes: Attributes, column: int) -> None:
        wide, tall = _repeat(attributes, "number-columns-spanned"), _repeat(attributes, "number-rows-spanned")
        if wide * tall > 1:
            self._tally.merge(Merge(self._row + 1, self._row + tall, column, column + wide - 1))

    def _start_paragraph(self, attributes: Attributes) -> None:
        if self._cell is not None:
            if self._paragraphs:
                self._pieces.append("\n")
            self._paragraphs += 1
            self._in_paragraph += 1

    def _end_paragraph(self) -> None:
        self._in_paragraph = max(0, self._in_paragraph - 1)

    def _spaces(self, attributes: Attributes) -> None:
        self._pieces.append(" " * min(_repeat(attributes, "c"), 1000))

    def _tab(self, attributes: Attributes) -> None:
        self._pieces.append("\t")

    def _line_break(self, attributes: Attributes) -> None:
        self._pieces.append("\n")


_ASIDE = frozenset({"annotation", "shapes", "frame", "custom-shape"})  # comments and drawings are no values
_STARTS = {
    "table-column": _Rows._start_column, "table-row": _Rows._start_row, "table-cell": _Rows._start_cell,
    "covered-table-cell": _Rows._start_cell, "p": _Rows._start_paragraph, "s": _Rows._spaces, "tab": _Rows._tab,
    "line-break": _Rows._line_break,
}  # fmt: skip
_ENDS = {
    "table-row": _Rows._end_row, "table-cell": _Rows._end_cell, "covered-table-cell": _Rows._end_cell,
    "p": _Rows._end_paragraph,
}  # fmt: skip


def _kind(attributes: Attributes) -> str:
    return attributes.get("office:value-type") or local(attributes, "value-type") or ""


def _cell_text(attributes: Attributes, written: str) -> str:
    """The value in full where the cell has one, otherwise the text inside."""
    kind = _kind(attributes)
    if kind in ("float", "currency", "percentage"):
        return number_text(number_of(local(attributes, "value") or ""))
    if kind == "date":
        return iso_text(local(attributes, "date-value") or "")
    if kind == "time":
        return _time_text(local(attributes, "time-value") or "")
    if kind == "boolean":
        return truth_text(local(attributes, "boolean-value") == "true")
    return local(attributes, "string-value") or written


def _time_text(written: str) -> str:
    found = _DURATION.fullmatch(written)
    if found is None:
        raise BadXml("it holds a time that cannot be read")
    sign, days, hours, minutes, seconds = found.groups(default="0")
    whole = int(days) + int(hours) / 24 + int(minutes) / 1440 + float(seconds) / 86_400
    return duration_text(-whole if sign == "-" else whole)


def _repeat(attributes: Attributes, name: str) -> int:
    return min(max(int(local(attributes, name) or 1), 1), MOST_ROWS)
