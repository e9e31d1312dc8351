"""Reads a public code list: a CSV file with codes in its first column and, if given, labels in its second."""

from __future__ import annotations

import csv
from pathlib import Path

from workbench.data.schema import CodeList
from workbench.errors import CodeFileError

_MOST_CODES = 1_000_000
_HEADINGS = {"code", "codes"}


def read_codes(path: Path) -> CodeList:
    """The codes of a file, in its order."""
    rows = _rows(path)
    if rows and rows[0][0].strip().lower() in _HEADINGS:
        rows = rows[1:]
    codes = tuple(row[0].strip() for row in rows)
    labels = tuple(row[1].strip() if len(row) > 1 and row[1].strip() else row[0].strip() for row in rows)
    if not codes:
        raise CodeFileError(f"The code list “{path.name}” is empty.", "Put one code in each line.")
    if len(set(codes)) < len(codes):
        repeated = next(code for at, code in enumerate(codes) if code in codes[:at])
        raise CodeFileError(f"The code “{repeated}” stands twice in “{path.name}”.", "List every code once.")
    return CodeList(codes, labels, path)


def _rows(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row and row[0].strip()]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CodeFileError(
            f"The code list “{path.name}” cannot be read.", "Give a UTF-8 CSV file with one code in each line."
        ) from error
    if len(rows) > _MOST_CODES:
        raise CodeFileError(f"The code list “{path.name}” has more than {_MOST_CODES:,} codes.", "Shorten it.")
    return rows
