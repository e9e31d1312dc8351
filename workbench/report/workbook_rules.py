"""The linter of the workbook: what an accessible, clean statistical spreadsheet must and must not hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from workbench.errors import OutputError
from workbench.report.workbook import CREATOR, FRONT_SHEETS
from workbench.report.workbook_file import FIXED_TIME
from workbench.report.workbook_scan import Book, NamedTable, Sheet, SheetScan, open_book

_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/(workbook|styles|theme/theme1)\.xml"
    r"|xl/_rels/workbook\.xml\.rels|xl/worksheets/(_rels/)?sheet\d+\.xml(\.rels)?|xl/tables/table\d+\.xml"
)
_FORBIDDEN = {
    "f": "a formula",
    "mergeCell": "merged cells",
    "autoFilter": "a filter",
    "conditionalFormatting": "conditional formatting",
    "dataValidation": "a data validation",
    "drawing": "a picture",
    "legacyDrawing": "a comment",
    "oleObjects": "an embedded object",
    "controls": "a control",
}
_CELL_TYPES = {"n", "s", "inlineStr"}
_DEFINED_NAMES = {"_xlnm.Print_Titles", "_xlnm.Print_Area"}
_PROPERTIES = {"title", "creator", "language", "created", "modified"}
_LONGEST_NAME = 31
_LEAST_FONT = 12.0


def require_rules(path: Path) -> None:
    """Refuse a workbook that breaks a rule."""
    broken = broken_rules(path)
    if broken:
        raise OutputError(path.name, f"it breaks the rules of a published workbook ({'; '.join(broken)})")


def broken_rules(path: Path) -> tuple[str, ...]:
    """What is wrong with a workbook, each in a few words; nothing for a good one."""
    try:
        book = open_book(path)
    except ValueError:
        return ("it is not a workbook",)
    of_book = [what for rule in BOOK_RULES for what in rule(book)]
    of_sheets = [f"{sheet.name}: {what}" for sheet in book.sheets for rule in SHEET_RULES for what in rule(sheet, book)]
    return (*of_book, *of_sheets)


def _parts(book: Book) -> Iterator[str]:
    yield from (f"it holds the part {name}" for name in book.parts if not _PARTS.fullmatch(name))
    if any(when != FIXED_TIME.timetuple()[:6] for when in book.parts.values()):
        yield "its parts tell when it was written"


def _links(book: Book) -> Iterator[str]:
    yield from (f"it links to {target}" for target in book.outside_targets)


def _sheet_names(book: Book) -> Iterator[str]:
    names = [sheet.name for sheet in book.sheets]
    if tuple(names[: len(FRONT_SHEETS)]) != FRONT_SHEETS:
        yield f"its first sheets are not {', '.join(FRONT_SHEETS)}"
    yield from (f"the sheet name {name} is too long" for name in names if len(name) > _LONGEST_NAME)
    yield from (f"the sheet {sheet.name} is hidden" for sheet in book.sheets if sheet.is_hidden)


def _defined_names(book: Book) -> Iterator[str]:
    yield from (f"it defines the name {name}" for name in book.defined_names if name not in _DEFINED_NAMES)


def _properties(book: Book) -> Iterator[str]:
    yield from (f"its {name} is not set" for name in ("title", "creator", "language") if not book.properties.get(name))
    yield from (f"it has the property {name}" for name in book.properties if name not in _PROPERTIES)
    if book.properties.get("creator", CREATOR) != CREATOR:
        yield "it names who made it"
    if {book.properties.get(name) for name in ("created", "modified")} != {f"{FIXED_TIME.isoformat()}Z"}:
        yield "its properties tell when it was written"


def _fonts(book: Book) -> Iterator[str]:
    if any(name != "Arial" or size < _LEAST_FONT for name, size in book.fonts):
        yield f"it uses another font than Arial of at least {_LEAST_FONT:g} points"


def _forbidden(sheet: Sheet, book: Book) -> Iterator[str]:
    yield from (f"holds {what}" for element, what in _FORBIDDEN.items() if element in sheet.scan.elements)
    if sheet.scan.is_hiding:
        yield "hides rows or columns"
    if sheet.scan.outside_links:
        yield "links outside the workbook"
    if sheet.scan.cell_types - _CELL_TYPES:
        yield "holds cells that are neither text nor number"


def _title(sheet: Sheet, book: Book) -> Iterator[str]:
    if not sheet.scan.top.get("A1"):
        yield "has no title in A1"
    if book.style_names[sheet.scan.title_style] != "Heading 1":
        yield "has no heading style in A1"


def _rows(sheet: Sheet, book: Book) -> Iterator[str]:
    if sheet.scan.blank_rows:
        yield f"has a blank row {sheet.scan.blank_rows[0]}"
    if sheet.scan.wide_columns < sheet.scan.last_column:
        yield "has columns without a width"


def _table(sheet: Sheet, book: Book) -> Iterator[str]:
    """One named table from column A to the last cell, except on the cover."""
    if sheet.name == FRONT_SHEETS[0] and not sheet.tables:
        return
    if len(sheet.tables) != 1:
        yield "does not have exactly one table"
        return
    table, scan = sheet.tables[0], sheet.scan
    if table.first_column != 1 or (table.last_column, table.last_row) != (scan.last_column, scan.last_row):
        yield "has cells beside or below its table"
    if table.has_filter:
        yield "has a filter on its table"
    yield from _headings(table, scan)


def _headings(table: NamedTable, scan: SheetScan) -> Iterator[str]:
    shown = tuple(
        text for cell, text in scan.top.items() if int(cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) == table.first_row
    )
    if shown != table.headings:
        yield "has headings that differ from its table’s"
    if len({heading.casefold() for heading in shown}) < len(shown) or any("\n" in heading for heading in shown):
        yield "has headings that are not one line each, all different"


def _paper(sheet: Sheet, book: Book) -> Iterator[str]:
    setup, fit = (sheet.scan.elements.get(name, {}) for name in ("pageSetup", "pageSetUpPr"))
    if setup.get("orientation") != "landscape" or setup.get("fitToHeight") != "0" or fit.get("fitToPage") != "1":
        yield "is not set up for printing"
    frozen = sheet.scan.elements.get("pane", {}).get("ySplit")
    if sheet.tables and frozen != str(sheet.tables[0].first_row):
        yield "does not keep its headings in view"


BOOK_RULES: tuple[Callable[[Book], Iterator[str]], ...] = (
    _parts, _links, _sheet_names, _defined_names, _properties, _fonts,
)  # fmt: skip
SHEET_RULES: tuple[Callable[[Sheet, Book], Iterator[str]], ...] = (_forbidden, _title, _rows, _table, _paper)
