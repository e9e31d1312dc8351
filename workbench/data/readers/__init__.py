"""One file per format, each with the same few members: `SUFFIXES`, `sheets(path)`, `load(connection, path, sheet)`.

`load` fills the table `grid`: column `_row` counts the rows of the sheet from 1, columns c0, c1, ... hold every cell as
text, nothing skipped, nothing renamed. Codes therefore survive as they were written.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from workbench.data.readers import delimited, parquet, spreadsheet
from workbench.errors import UnknownFormat

_READERS: tuple[ModuleType, ...] = (spreadsheet, delimited, parquet)

SUFFIXES: tuple[str, ...] = tuple(suffix for reader in _READERS for suffix in reader.SUFFIXES)


def reader_for(path: Path) -> ModuleType:
    """The reader of a file's format, by its ending."""
    for reader in _READERS:
        if path.suffix.lower() in reader.SUFFIXES:
            return reader
    raise UnknownFormat(path.name, [suffix.lstrip(".") for suffix in SUFFIXES])
