"""Reads workbooks of every kind: chooses by their contents, opens protected ones, says when the name is misleading."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any

from workbench.data.findings import Finding, Severity, Stage
from workbench.data.layout import Layout
from workbench.data.readers import ods, xls, xlsb, xlsx
from workbench.data.readers.content import Content, content_of
from workbench.data.readers.reading import Reading, Sheet
from workbench.errors import EmptyFile, MissingSheet, NoSheets, OtherContent, ProtectedFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".xlt", ".ods", ".ots")
READERS: dict[Content, ModuleType] = {
    Content.XLSX: xlsx, Content.XLSB: xlsb, Content.XLS: xls, Content.ODS: ods, Content.PROTECTED: xlsx,
}  # fmt: skip
_NAMES: dict[Content, tuple[str, ...]] = {
    Content.XLSX: (".xlsx", ".xlsm", ".xltx", ".xltm"),
    Content.XLSB: (".xlsb",),
    Content.XLS: (".xls", ".xlt"),
    Content.ODS: (".ods", ".ots"),
    Content.PROTECTED: (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb"),
}
_WITHOUT_ASKING = "VelvetSweatshop"  # Excel protects with this word what anybody may open


def sheets(path: Path, password: str | None = None) -> tuple[Sheet, ...]:
    """The sheets with cells, in their order."""
    with _opened(path, password) as (reader, file):
        found: tuple[Sheet, ...] = reader.sheets(path.name, file)
    if not found:
        raise NoSheets(path.name)
    return found


def load(
    connection: duckdb.DuckDBPyConnection, path: Path, layout: Layout, password: str | None = None
) -> Reading:  # fmt: skip
    """Fill `grid` from one sheet, the first unless the layout names one."""
    names = [sheet.name for sheet in sheets(path, password)]
    name = names[0] if layout.sheet is None else layout.sheet
    if name not in names:
        raise MissingSheet(path.name, name, names)
    with _opened(path, password) as (reader, file):
        reading: Reading = reader.load(connection, path.name, file, name)
    return replace(reading, findings=(*_misnamed(path), *reading.findings))


@contextmanager
def _opened(path: Path, password: str | None) -> Iterator[tuple[ModuleType, IO[bytes]]]:
    """The reader of this kind of workbook, and the file for it, unlocked in memory if it is protected."""
    if path.stat().st_size == 0:
        raise EmptyFile(path.name)
    content = content_of(path)
    if content not in READERS:
        raise OtherContent(path.name, content)
    with path.open("rb") as file:
        if content is Content.PROTECTED or (password is not None and content is Content.XLS):
            unlocked = _unlocked(path.name, file, password)
            is_package = unlocked.getbuffer()[:2].tobytes() == b"PK"
            yield (_package_reader(unlocked) if is_package else xls), unlocked
        else:
            yield READERS[content], file


def _unlocked(name: str, file: IO[bytes], password: str | None) -> io.BytesIO:
    """The workbook without its protection, which never touches the disk."""
    office = _office_file(name, file)
    unlocked = io.BytesIO()
    try:
        office.load_key(password=_WITHOUT_ASKING if password is None else password, verify_password=True)
        office.decrypt(unlocked)
    except Exception as error:  # the library raises many kinds, all meaning that the password does not open it
        words = {} if password is None else {"reason": "the password does not open it"}
        raise ProtectedFile(name, **words) from error
    unlocked.seek(0)
    return unlocked


def _office_file(name: str, file: IO[bytes]) -> Any:
    try:
        import msoffcrypto

        return msoffcrypto.OfficeFile(file)
    except Exception as error:
        raise ProtectedFile(name) from error


def _package_reader(file: io.BytesIO) -> ModuleType:
    import zipfile

    with zipfile.ZipFile(file) as archive:
        return xlsb if "xl/workbook.bin" in archive.namelist() else xlsx


def _misnamed(path: Path) -> tuple[Finding, ...]:
    content = content_of(path)
    if path.suffix.lower() in _NAMES[content]:
        return ()
    what = f"The file is called “{path.name}” but holds {content}; it is read as that."
    return (Finding("misnamed", Severity.NOTE, Stage.DATA, path.name, what, "Rename it so that others open it too."),)
