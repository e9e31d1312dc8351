"""Reads comma-, tab- or otherwise delimited text of any common encoding, every value as text."""

from __future__ import annotations

import codecs
import csv
import re
from itertools import zip_longest
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from workbench.errors import UnreadableFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".csv", ".tsv", ".txt")
_DELIMITERS = ",;\t|"
_SAMPLE = 256 * 1024
_BLANK_LINE = re.compile(rb"\n\r?\n[^\r\n]")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def sheets(path: Path) -> tuple[str, ...]:
    return ()


def load(connection: duckdb.DuckDBPyConnection, path: Path, sheet: str) -> None:
    encoding = _encoding(path)
    delimiter = _delimiter(path, encoding)
    # DuckDB reads UTF-8 and passes over blank lines, which would shift every address below them.
    if encoding.startswith("utf-8") and not _has_blank_lines(path):
        _load_quickly(connection, path, delimiter)
    else:
        _load_row_by_row(connection, path, encoding, delimiter)


def _load_quickly(connection: duckdb.DuckDBPyConnection, path: Path, delimiter: str) -> None:
    import duckdb

    try:
        lines = connection.read_csv(
            str(path), header=False, all_varchar=True, delimiter=delimiter, quotechar='"', escapechar='"',
            null_padding=True, parallel=False, strict_mode=False, skiprows=0, compression="none",
        )  # fmt: skip
        cells = ", ".join(f"nullif(trim(\"{name}\"), '') AS c{at}" for at, name in enumerate(lines.columns))
        lines.create_view("lines")
        connection.execute(f"CREATE OR REPLACE TABLE grid AS SELECT row_number() OVER () AS _row, {cells} FROM lines")
    except duckdb.Error as error:
        raise UnreadableFile(path.name, "its rows do not form a table") from error


def _load_row_by_row(connection: duckdb.DuckDBPyConnection, path: Path, encoding: str, delimiter: str) -> None:
    import pyarrow as pa

    try:
        with path.open(encoding=encoding, newline="") as text:
            columns = list(zip_longest(*csv.reader(text, delimiter=delimiter)))
    except (UnicodeError, csv.Error) as error:
        raise UnreadableFile(path.name, f"it is not text in {encoding}") from error
    cells = [pa.array([(value or "").strip() or None for value in column], pa.string()) for column in columns]
    rows = pa.array(range(1, len(cells[0]) + 1), pa.int64())
    connection.register("cells_read", pa.table([rows, *cells], names=["_row", *(f"c{at}" for at in range(len(cells)))]))
    connection.execute("CREATE OR REPLACE TABLE grid AS SELECT * FROM cells_read")
    connection.unregister("cells_read")


def _encoding(path: Path) -> str:
    """UTF-8 when the whole file is UTF-8, UTF-16 by its mark, Windows-1252 otherwise."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        start = file.read(_SAMPLE)
        for mark, encoding in _BOMS:
            if start.startswith(mark):
                return encoding
        if b"\0" in start:
            raise UnreadableFile(path.name, "it is not text", "Choose a spreadsheet or a text file.")
        try:
            while start:
                decoder.decode(start)
                start = file.read(_SAMPLE)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


def _has_blank_lines(path: Path) -> bool:
    """Whether a blank line stands before the last line with content."""
    before = b"\n"
    with path.open("rb") as file:
        while chunk := file.read(_SAMPLE):
            if _BLANK_LINE.search(before + chunk):
                return True
            before = chunk[-3:]
    return False


def _delimiter(path: Path, encoding: str) -> str:
    with path.open(encoding=encoding, newline="", errors="replace") as text:
        sample = text.read(_SAMPLE)
    if path.suffix.lower() == ".tsv":
        return "\t"
    lines = [line for line in sample.splitlines()[:200] if line.strip()] or [""]
    return max(_DELIMITERS, key=lambda mark: median(line.count(mark) for line in lines))
