"""What a workbook file holds, as far as the workbook rules ask, in one pass over it however long its tables are."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.etree import ElementTree
from xml.parsers import expat

from openpyxl.utils import column_index_from_string, range_boundaries

TOP_ROWS = 4

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass
class SheetScan:
    """The facts that the workbook rules are about."""

    elements: dict[str, Mapping[str, str]] = field(default_factory=dict)  # the first of each kind
    cell_types: set[str] = field(default_factory=set)
    top: dict[str, str] = field(default_factory=dict)  # texts of the first rows, by cell
    title_style: int = 0
    last_row: int = 0
    last_column: int = 0
    blank_rows: list[int] = field(default_factory=list)
    is_hiding: bool = False
    wide_columns: int = 0
    outside_links: int = 0


@dataclass(frozen=True)
class NamedTable:
    """An Excel table: its range as first and last column and row, its headings, and whether it filters."""

    first_column: int
    first_row: int
    last_column: int
    last_row: int
    headings: tuple[str, ...]
    has_filter: bool


@dataclass(frozen=True)
class Sheet:
    """One sheet with what was read of it."""

    name: str
    is_hidden: bool
    scan: SheetScan
    tables: tuple[NamedTable, ...]


@dataclass(frozen=True)
class Book:
    """A workbook file, opened for the rules."""

    parts: Mapping[str, tuple[int, ...]]  # by name, when each was written
    sheets: tuple[Sheet, ...]
    defined_names: tuple[str, ...]
    outside_targets: tuple[str, ...]
    properties: Mapping[str, str]
    fonts: tuple[tuple[str, float], ...]
    style_names: tuple[str, ...]  # by style number


def open_book(path: Path) -> Book:
    """Read a workbook from the file itself, not through the library that wrote it; ValueError when it is none."""
    try:
        with zipfile.ZipFile(path) as file:
            return _read_book(file)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, expat.ExpatError):
        raise ValueError("not a workbook") from None


def _read_book(file: zipfile.ZipFile) -> Book:
    workbook = _xml(file, "xl/workbook.xml")
    targets = _targets(file, "xl/workbook.xml")
    styles = _xml(file, "xl/styles.xml")
    return Book(
        parts={entry.filename: entry.date_time for entry in file.infolist()},
        sheets=tuple(_read_sheet(file, element, targets) for element in workbook.iter(_X + "sheet")),
        defined_names=tuple(element.get("name", "") for element in workbook.iter(_X + "definedName")),
        outside_targets=tuple(_outside(file)),
        properties={_bare(element.tag): element.text or "" for element in _xml(file, "docProps/core.xml")},
        fonts=tuple(_font(element) for element in styles.iterfind(f"{_X}fonts/{_X}font")),
        style_names=tuple(_style_names(styles)),
    )


def _xml(file: zipfile.ZipFile, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(file.read(name))


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]


def _relations(file: zipfile.ZipFile, part: str) -> list[ElementTree.Element]:
    folder, _, name = part.rpartition("/")
    path = f"{folder}/_rels/{name}.rels"
    return list(_xml(file, path)) if path in file.namelist() else []


def _targets(file: zipfile.ZipFile, part: str) -> dict[str, str]:
    """The parts a part refers to, by the id it uses for them."""
    return {each.get("Id", ""): each.get("Target", "").lstrip("/") for each in _relations(file, part)}


def _outside(file: zipfile.ZipFile) -> Iterator[str]:
    for name in file.namelist():
        if name.endswith(".rels"):
            relations = list(_xml(file, name))
            yield from (each.get("Target", "") for each in relations if each.get("TargetMode") == "External")


def _read_sheet(file: zipfile.ZipFile, element: ElementTree.Element, targets: Mapping[str, str]) -> Sheet:
    part = targets[element.get(_RELATION, "")]
    tables = [name for name in _targets(file, part).values() if name.startswith("xl/tables/")]
    with file.open(part) as content:
        scan = _scan(content)
    return Sheet(
        name=element.get("name", ""),
        is_hidden=element.get("state", "visible") != "visible",
        scan=scan,
        tables=tuple(_read_table(_xml(file, name)) for name in tables),
    )


def _read_table(element: ElementTree.Element) -> NamedTable:
    headings = tuple(column.get("name", "") for column in element.iter(_X + "tableColumn"))
    first_column, first_row, last_column, last_row = range_boundaries(element.get("ref", ""))
    has_filter = element.find(_X + "autoFilter") is not None
    return NamedTable(first_column, first_row, last_column, last_row, headings, has_filter)


def _font(element: ElementTree.Element) -> tuple[str, float]:
    name, size = element.find(_X + "name"), element.find(_X + "sz")
    return (name.get("val", "") if name is not None else "", float(size.get("val", "0")) if size is not None else 0.0)


def _style_names(styles: ElementTree.Element) -> Iterator[str]:
    """The name of the named style behind each style number that cells carry."""
    names = {style.get("xfId"): style.get("name", "") for style in styles.iter(_X + "cellStyle")}
    for each in styles.iterfind(f"{_X}cellXfs/{_X}xf"):
        yield names.get(each.get("xfId"), "")


def _scan(part: IO[bytes]) -> SheetScan:
    reader = _SheetReader()
    reader.parser.ParseFile(part)
    reader.end_row()
    return reader.scan


class _SheetReader:
    """Follows a sheet's XML element by element."""

    def __init__(self) -> None:
        self.scan = SheetScan()
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.CharacterDataHandler = self._text
        self._cell = ""
        self._notices = {"row": self._row, "c": self._top_cell, "col": self._col, "hyperlink": self._link}

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name not in self.scan.elements:
            self.scan.elements[name] = attributes
        notice = self._notices.get(name)
        if notice:
            notice(attributes)

    def _row(self, attributes: dict[str, str]) -> None:
        self.end_row()
        scan, number = self.scan, int(attributes["r"])
        if number != scan.last_row + 1:
            scan.blank_rows.append(scan.last_row + 1)
        scan.last_row = number
        scan.is_hiding |= attributes.get("hidden") == "1"
        if number > TOP_ROWS:
            # The texts of a long table are not asked for, and taking each would double the time.
            self.parser.CharacterDataHandler = None
            self._notices["c"] = self._cell_below

    def end_row(self) -> None:
        """Note how far the row reached, going by its last cell."""
        if self._cell:
            column = column_index_from_string(self._cell.rstrip("0123456789"))
            self.scan.last_column = max(self.scan.last_column, column)
        elif self.scan.last_row:
            self.scan.blank_rows.append(self.scan.last_row)
        self._cell = ""

    def _top_cell(self, attributes: dict[str, str]) -> None:
        self._cell_below(attributes)
        if self._cell == "A1":
            self.scan.title_style = int(attributes.get("s", "0"))

    def _cell_below(self, attributes: dict[str, str]) -> None:
        self._cell = attributes["r"]
        self.scan.cell_types.add(attributes.get("t", "n"))

    def _text(self, text: str) -> None:
        if self._cell:
            self.scan.top[self._cell] = self.scan.top.get(self._cell, "") + text

    def _col(self, attributes: dict[str, str]) -> None:
        self.scan.is_hiding |= attributes.get("hidden") == "1"
        if float(attributes.get("width", "0")) > 0:
            self.scan.wide_columns = max(self.scan.wide_columns, int(attributes["max"]))

    def _link(self, attributes: dict[str, str]) -> None:
        self.scan.outside_links += "location" not in attributes
