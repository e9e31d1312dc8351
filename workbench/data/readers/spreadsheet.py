"""Reads Excel and OpenDocument workbooks through calamine, straight into Arrow text columns."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import EmptyFile, FileTooLarge, UnreadableFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_MOST_UNPACKED_BYTES = 4 * 1024**3
_MOST_CELLS = 200_000_000


def sheets(path: Path) -> tuple[str, ...]:
    return tuple(_open(path).sheet_names)


def load(connection: duckdb.DuckDBPyConnection, path: Path, sheet: str) -> None:
    import fastexcel

    try:
        cells = _open(path).load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string")
        if cells.total_height * cells.width > _MOST_CELLS:
            raise FileTooLarge(path.name, f"{cells.total_height * cells.width:,} cells", f"{_MOST_CELLS:,}")
        table = cells.to_arrow()
    except fastexcel.FastExcelError as error:
        raise _unreadable(path, error) from error
    width = table.num_columns
    if width == 0:
        raise EmptyFile(f"{path.name}, {sheet}")
    cleaned = ", ".join(f"nullif(trim(c{at}), '') AS c{at}" for at in range(width))
    connection.register("cells_read", table.rename_columns([f"c{at}" for at in range(width)]))
    connection.execute(
        f"CREATE OR REPLACE TABLE grid AS SELECT row_number() OVER () AS _row, {cleaned} FROM cells_read"
    )
    connection.unregister("cells_read")


def _open(path: Path) -> Any:
    import fastexcel

    _refuse_bombs(path)
    try:
        return fastexcel.read_excel(str(path))
    except fastexcel.FastExcelError as error:
        raise _unreadable(path, error) from error


def _refuse_bombs(path: Path) -> None:
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > _MOST_UNPACKED_BYTES:
        raise FileTooLarge(path.name, f"{unpacked:,} bytes unpacked", f"{_MOST_UNPACKED_BYTES:,}")


def _unreadable(path: Path, error: Exception) -> UnreadableFile:
    if "password" in str(error).lower():
        return UnreadableFile(path.name, "it is protected by a password", "Save a copy without a password.")
    return UnreadableFile(path.name, "its contents are not a workbook")
