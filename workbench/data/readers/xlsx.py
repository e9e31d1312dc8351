"""Reads Excel workbooks of the XML kind (xlsx, xlsm), in either dialect of the standard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

from workbench.data.readers.grid_writer import GridWriter
from workbench.data.readers.package import opened, read_ahead
from workbench.data.readers.reading import Reading, Sheet
from workbench.data.readers.safe_xml import SafeParser
from workbench.data.readers.sheet_blocks import BlockReader
from workbench.data.readers.sheet_rows import SheetRows, Texts
from workbench.data.readers.tally import Tally
from workbench.data.readers.workbook_facts import reading
from workbench.data.readers.xlsx_parts import number_formats, read_book, shared_strings

if TYPE_CHECKING:
    import duckdb

_START, _END_OF_ROW = b"<sheetData>", b"</row>"
_LONGEST_ROW = 16 * 1024**2


def sheets(name: str, file: IO[bytes]) -> tuple[Sheet, ...]:
    with opened(name, file) as package:
        return read_book(package).sheets


def load(connection: duckdb.DuckDBPyConnection, name: str, file: IO[bytes], sheet: str) -> Reading:
    with opened(name, file) as package:
        book = read_book(package)
        strings = tuple(shared_strings(package, book.strings))
        texts = Texts(strings, number_formats(package, book.styles), book.is_1904)
        tally = Tally()
        with GridWriter(connection, name, sheet) as writer, package.open(book.part(sheet)) as stream:
            _read_sheet(read_ahead(stream), SheetRows(texts, writer, tally), BlockReader(texts, tally), writer)
        return reading(sheet, writer, tally, book.is_1904, book.macros, book.links)


def _read_sheet(pieces: Iterable[bytes], rows: SheetRows, blocks: BlockReader, writer: GridWriter) -> None:
    """Whole rows go to the block reader; what it declines, and all around the rows, to the parser."""
    parser = SafeParser(rows)
    waiting, usual = b"", None
    for piece in pieces:
        waiting += piece
        if usual is None and (found := waiting.find(_START)) >= 0:
            parser.feed(waiting[: found + len(_START)])
            waiting = waiting[found + len(_START) :]
            usual = (rows.encoding or "utf-8").lower() in ("utf-8", "us-ascii")
        cut = waiting.rfind(_END_OF_ROW) + len(_END_OF_ROW) if usual else 0
        if cut > len(_END_OF_ROW) - 1 and usual:
            _read_rows(waiting[:cut], parser, rows, blocks, writer)
            waiting = waiting[cut:]
        elif usual is False or len(waiting) > _LONGEST_ROW:
            parser.feed(waiting)
            waiting, usual = b"", False
    parser.feed(waiting)
    parser.feed(b"", last=True)


def _read_rows(block: bytes, parser: SafeParser, rows: SheetRows, blocks: BlockReader, writer: GridWriter) -> None:
    cells = blocks.read(block, rows.last_row)
    if cells is None:
        parser.feed(block)
        return
    rows.last_row = cells.last_row
    writer.block(cells.rows, cells.columns, cells.size)
