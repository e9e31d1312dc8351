"""Writes xlsx and xlsb workbooks part by part, the right way or any other."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from workbench.data.layout import Layout
from workbench.data.readers import spreadsheet
from workbench.data.readers.reading import Reading

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
STRICT = {
    MAIN: "http://purl.oclc.org/ooxml/spreadsheetml/main",
    OFFICE: "http://purl.oclc.org/ooxml/officeDocument/relationships",
}
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
Grid = dict[int, tuple[str | None, ...]]


def sheet_xml(rows: str, before: str = "", after: str = "") -> str:
    return f'{HEAD}<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'


def workbook_parts(
    sheets: Mapping[str, str],
    strings: str = "",
    formats: str = "",
    styles: str = "",
    states: Mapping[str, str] | None = None,
    properties: str = "",
    relations: str = "",
) -> dict[str, str | bytes]:
    """The parts of a workbook whose sheets are given as XML; each style is the XML of its number format."""
    listed = "".join(
        f'<sheet name="{name}" sheetId="{at}" {(states or {}).get(name, "")} r:id="rId{at}"/>'
        for at, name in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="rId{at}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at, _ in enumerate(sheets, 1)
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="a" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{properties}'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{related}{relations}'
        f'<Relationship Id="s" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="t" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'{HEAD}<sst xmlns="{MAIN}">{strings}</sst>',
        "xl/styles.xml": f'{HEAD}<styleSheet xmlns="{MAIN}"><numFmts>{formats}</numFmts>'
        f'<cellXfs><xf numFmtId="0"/>{styles}</cellXfs></styleSheet>',
    }
    return parts | {f"xl/worksheets/sheet{at}.xml": xml for at, xml in enumerate(sheets.values(), 1)}


def write_parts(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def write_book(path: Path, rows: str, **how: Any) -> Path:
    """A workbook of one sheet called “jobs”."""
    around = {key: how.pop(key) for key in ("before", "after") if key in how}
    return write_parts(path, workbook_parts({"jobs": sheet_xml(rows, **around)}, **how))


def read(path: Path, sheet: str | None = None, password: str | None = None) -> tuple[Grid, Reading]:
    """The stored rows by their number, and what the reader said."""
    connection = duckdb.connect()
    reading = spreadsheet.load(connection, path, Layout(sheet=sheet), password)
    rows = connection.execute("SELECT * FROM grid ORDER BY _row").fetchall()
    return {row[0]: row[1:] for row in rows}, reading


# ---- the binary kind ------------------------------------------------------------------------------------------------


def record(kind: int, contents: bytes = b"") -> bytes:
    """One record of an xlsb part."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = len(contents)
    while size >= 128:
        head += bytes([size & 0x7F | 0x80])
        size >>= 7
    return head + bytes([size]) + contents


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text.encode("utf-16-le")) // 2) + text.encode("utf-16-le")


def row_record(number: int, is_hidden: bool = False) -> bytes:
    flags = bytes([0, 0x10 if is_hidden else 0, 0])
    spans = struct.pack("<I", 1) + struct.pack("<II", 0, 10)
    return record(0, struct.pack("<IIH", number - 1, 0, 300) + flags + spans)


def cell_record(kind: int, column: int, contents: bytes, style: int = 0) -> bytes:
    return record(kind, struct.pack("<II", column, style) + contents)


def binary_parts(
    rows: bytes, strings: tuple[str, ...], columns: bytes = b"", after: bytes = b""
) -> dict[str, str | bytes]:
    """The parts of a binary workbook of a hidden and a visible sheet; style 1 shows dates, style 2 per cents."""
    sheets = b"".join(
        record(156, struct.pack("<II", state, at) + wide(f"rId{at}") + wide(name))
        for at, (name, state) in enumerate((("jobs", 0), ("notes", 2)), 1)
    )
    styles = b"".join(record(47, struct.pack("<HHHHHHHH", 0, number, 0, 0, 0, 0, 0, 0)) for number in (0, 14, 9))
    relations = "".join(
        f'<Relationship Id="rId{at}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(
            (("worksheet", "worksheets/sheet1.bin"), ("worksheet", "worksheets/sheet2.bin"),
             ("styles", "styles.bin"), ("sharedStrings", "sharedStrings.bin")), 1)
    )  # fmt: skip
    types = "".join(
        f'<Override PartName="/xl/{part}.bin" ContentType="application/vnd.ms-excel.{kind}"/>'
        for part, kind in (
            ("workbook", "sheet.binary.macroEnabled.main"), ("worksheets/sheet1", "worksheet"),
            ("worksheets/sheet2", "worksheet"), ("styles", "styles"), ("sharedStrings", "sharedStrings"),
        )
    )  # fmt: skip
    shared = b"".join(record(19, b"\0" + wide(text)) for text in strings)
    count = struct.pack("<II", len(strings), len(strings))
    dimension = record(148, struct.pack("<IIII", 0, 20, 0, 10))
    return {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="a" Type="{OFFICE}/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        "xl/workbook.bin": record(131) + record(143) + sheets + record(144) + record(132),
        "xl/_rels/workbook.bin.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f"{relations}</Relationships>",
        "xl/styles.bin": record(278) + record(617, struct.pack("<I", 3)) + styles + record(618) + record(279),
        "xl/sharedStrings.bin": record(159, count) + shared + record(160),
        "xl/worksheets/sheet1.bin": record(129)
        + dimension
        + columns
        + record(145)
        + rows
        + record(146)
        + after
        + record(130),
        "xl/worksheets/sheet2.bin": record(129) + dimension + record(145) + record(146) + record(130),
    }
