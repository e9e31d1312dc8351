"""How a file is read: everything that can be guessed about it, chosen by the officer and recorded in the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

MOST_HEADER_ROWS = 6

NO_DELIMITER = ""  # the file has one column
NO_QUOTE = ""  # quotation marks are letters like any other

ENCODINGS: Mapping[str, str] = {
    "utf-8": "Unicode (UTF-8)",
    "utf-16-le": "Unicode (UTF-16, little-endian)",
    "utf-16-be": "Unicode (UTF-16, big-endian)",
    "utf-32-le": "Unicode (UTF-32, little-endian)",
    "utf-32-be": "Unicode (UTF-32, big-endian)",
    "windows-1252": "Western European (Windows)",
    "iso-8859-1": "Western European (Latin-1)",
    "iso-8859-15": "Western European (Latin-9)",
    "mac-roman": "Western European (Mac)",
    "cp850": "Western European (DOS)",
    "windows-1250": "Central European (Windows)",
    "iso-8859-2": "Central European (Latin-2)",
    "windows-1251": "Cyrillic (Windows)",
    "windows-1253": "Greek (Windows)",
    "windows-1254": "Turkish (Windows)",
    "shift-jis": "Japanese (Shift-JIS)",
    "gb18030": "Chinese (GB 18030)",
}


class Hidden(StrEnum):
    """What becomes of hidden rows and columns. Until somebody decides, they stop the release."""

    REFUSE = "refuse"
    KEEP = "keep"
    LEAVE_OUT = "leave-out"


class Decimal(StrEnum):
    """The sign between whole and decimal digits."""

    POINT = "."
    COMMA = ","


class Meaning(StrEnum):
    """What a marker such as (D) or N/A stands for."""

    MISSING = "missing"
    SUPPRESSED = "suppressed"
    KEEP = "keep"


Markers = tuple[tuple[str, Meaning], ...]


@dataclass(frozen=True)
class Layout:
    """One way of reading a file. None means: to be guessed; a Dataset holds the layout that was used, complete.

    `header_row` is the first row of the header, `header_rows` how many rows it has; rows after `last_row` are footer.
    `delimiter` and `quote` are one character, or empty for none. `markers` are sorted pairs of a text and its meaning.
    """

    sheet: str | None = None
    header_row: int | None = None
    header_rows: int | None = None
    last_row: int | None = None
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    decimal: Decimal | None = None
    hidden: Hidden = Hidden.REFUSE
    markers: Markers = ()

    def or_guess(self, **guesses: Any) -> Layout:
        """This layout with what it leaves open filled from the guesses."""
        return replace(self, **{name: guess for name, guess in guesses.items() if getattr(self, name) is None})

    def meaning(self, marker: str) -> Meaning | None:
        """What was decided about a marker; None when nothing was."""
        return dict(self.markers).get(marker)

    def with_marker(self, marker: str, meaning: Meaning) -> Layout:
        return replace(self, markers=tuple(sorted({**dict(self.markers), marker: meaning}.items())))

    def reads_like(self, other: Layout) -> bool:
        """Whether both read the same cells from the file, however they name and count them: nothing is read again."""
        return all(getattr(self, name) == getattr(other, name) for name in _READING)


_READING = ("sheet", "encoding", "delimiter", "quote")
KEYS = tuple(field.name for field in fields(Layout))
