"""One file per format, each with the same few members: `SUFFIXES`, `sheets(path)`, `load(connection, path, layout)`.

`load` fills `grid`: column `_row` counts the rows of the sheet from 1, columns c0, c1, ... hold every cell as text,
nothing skipped, nothing renamed. Codes therefore survive as they were written. What else is to be said about the file
is in the `Reading` it returns.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from workbench.data.readers import compressed, delimited, parquet, spreadsheet, statistical
from workbench.data.readers.content import Content, content_of
from workbench.errors import OtherContent, UnknownFormat

_READERS: tuple[ModuleType, ...] = (spreadsheet, delimited, compressed, parquet, statistical)
_BY_CONTENT: dict[Content, ModuleType] = {
    **dict.fromkeys(spreadsheet.READERS, spreadsheet),
    Content.PARQUET: parquet,
    Content.GZIP: compressed,
    Content.ZIP: compressed,
}
_PERHAPS_TEXT = (Content.TEXT, Content.OTHER)  # UTF-16 without a mark looks like neither

SUFFIXES: tuple[str, ...] = tuple(suffix for reader in _READERS for suffix in reader.SUFFIXES)


def reader_for(path: Path) -> ModuleType:
    """The reader of a file's format: by its contents, or by its name where the contents do not tell."""
    content, suffix = content_of(path), path.suffix.lower()
    if suffix in spreadsheet.SUFFIXES:
        return spreadsheet  # which also says what the file is when it is no workbook
    if content in _BY_CONTENT:
        return _BY_CONTENT[content]
    named = next((reader for reader in _READERS if suffix in reader.SUFFIXES), None)
    if named is None and not (suffix == "" and content is Content.TEXT):
        raise UnknownFormat(path.name, [known.lstrip(".") for known in SUFFIXES])
    if content not in _PERHAPS_TEXT:
        raise OtherContent(path.name, content)
    return named or delimited
