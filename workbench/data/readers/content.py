"""Tells what a file is by its contents, whatever its name says."""

from __future__ import annotations

import re
import zipfile
from enum import StrEnum
from pathlib import Path
from typing import IO

from workbench.data.readers.compound_file import MAGIC, CompoundFile
from workbench.errors import DataError

_HEAD = 64 * 1024
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument.spreadsheet"
_SPREADSHEET_XML = b"urn:schemas-microsoft-com:office:spreadsheet"
_HTML = re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|table|meta)\b", re.I | re.S)


class Content(StrEnum):
    """What a file holds, in words that follow “it holds”."""

    XLSX = "an Excel workbook"
    XLSB = "a binary Excel workbook"
    XLS = "a workbook of Excel 97 to 2003"
    ODS = "an OpenDocument spreadsheet"
    PROTECTED = "a workbook protected by a password"
    PARQUET = "a Parquet table"
    GZIP = "a gzip archive"
    ZIP = "a ZIP archive"
    HTML = "a web page"
    SPREADSHEET_XML = "a workbook as XML of Excel 2003"
    OLD_EXCEL = "a worksheet of Excel 4 or older"
    PDF = "a PDF document"
    OTHER_OFFICE = "another kind of Office document"
    TEXT = "plain text"
    OTHER = "no table the workbench knows"


_MAGIC = (
    (b"PAR1", Content.PARQUET), (b"\x1f\x8b", Content.GZIP), (b"%PDF", Content.PDF), (b"{\\rtf", Content.OTHER_OFFICE),
    (b"\x09\x00\x04\x00", Content.OLD_EXCEL), (b"\x09\x02\x06\x00", Content.OLD_EXCEL),
    (b"\x09\x04\x06\x00", Content.OLD_EXCEL),
)  # fmt: skip
_PACKAGES = (
    ("xl/workbook.bin", Content.XLSB), ("xl/workbook.xml", Content.XLSX), ("word/document.xml", Content.OTHER_OFFICE),
    ("ppt/presentation.xml", Content.OTHER_OFFICE),
)  # fmt: skip
_STREAMS = (
    ("EncryptedPackage", Content.PROTECTED), ("Workbook", Content.XLS), ("Book", Content.XLS),
    ("WordDocument", Content.OTHER_OFFICE), ("PowerPoint Document", Content.OTHER_OFFICE),
)  # fmt: skip


def content_of(path: Path) -> Content:
    """What the file holds. A damaged container counts as what it was meant to be."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            return _in_package(file)
        if head.startswith(MAGIC):
            return _in_compound_file(path.name, file)
    for magic, content in _MAGIC:
        if head.startswith(magic):
            return content
    return _in_text(head)


def _in_package(file: IO[bytes]) -> Content:
    try:
        with zipfile.ZipFile(file) as archive:
            names = {name.lstrip("/").lower() for name in archive.namelist()}
            kind = archive.read("mimetype")[:200] if "mimetype" in names and _is_small(archive, "mimetype") else b""
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):
        return _in_broken_package(file)
    if kind.startswith(_OPEN_DOCUMENT):
        return Content.ODS
    for part, content in _PACKAGES:
        if part in names:
            return content
    return _in_unusual_package(names, kind)


def _in_unusual_package(names: set[str], kind: bytes) -> Content:
    if "[content_types].xml" in names:
        return Content.XLSX if any("sheet" in name for name in names) else Content.OTHER_OFFICE
    if kind.startswith(b"application/vnd.oasis"):
        return Content.OTHER_OFFICE
    return Content.ODS if "content.xml" in names else Content.ZIP


def _in_broken_package(file: IO[bytes]) -> Content:
    file.seek(0)
    head = file.read(_HEAD)
    if _OPEN_DOCUMENT in head:
        return Content.ODS
    return Content.XLSX if b"xl/" in head or b"[Content_Types].xml" in head else Content.ZIP


def _in_compound_file(name: str, file: IO[bytes]) -> Content:
    file.seek(0)
    try:
        names = CompoundFile(name, file).names
    except DataError:
        return Content.XLS
    return next((content for stream, content in _STREAMS if stream in names), Content.OTHER_OFFICE)


def _in_text(head: bytes) -> Content:
    if _HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        return Content.HTML
    if head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<?xml") and _SPREADSHEET_XML in head:
        return Content.SPREADSHEET_XML
    is_wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return Content.TEXT if is_wide or b"\0" not in head else Content.OTHER


def _is_small(archive: zipfile.ZipFile, name: str) -> bool:
    return archive.getinfo(name).file_size <= 1000
