"""Reads delimited text of any size, encoding and way of writing; every value stays the text it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data.findings import Finding, Severity, Stage
from workbench.data.header import letter
from workbench.data.layout import ENCODINGS, Layout
from workbench.data.readers.dialect import BACKSLASH_QUOTE, Dialect, guess_dialect, spaces_before_quotes
from workbench.data.readers.encoding import EncodingGuess, guess_encoding, guess_one_byte
from workbench.data.readers.reading import Reading, Sheet, TextFormat
from workbench.data.readers.text_rows import MOST_COLUMNS, STAND_INS, Rows
from workbench.data.readers.text_stream import TextSource, Utf8Stream, sample_text, wrong_encoding
from workbench.errors import EmptyFile, FileTooLarge, UnreadableFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".csv", ".tsv", ".tab", ".psv", ".txt", ".dat", ".asc")
_SEPARATOR_LINE = re.compile(r"sep=([^\r\n])(\r\n|\r|\n)", re.IGNORECASE)  # Excel obeys it and does not show it


def sheets(path: Path) -> tuple[Sheet, ...]:
    return ()


def load(connection: duckdb.DuckDBPyConnection, path: Path, layout: Layout) -> Reading:
    return load_text(connection, TextSource(path.name, lambda: path.open("rb")), layout)


def load_text(connection: duckdb.DuckDBPyConnection, source: TextSource, layout: Layout) -> Reading:
    """Fill `grid` from a text file, in one pass unless it turns out late that it is not UTF-8."""
    start = source.start()
    guess = EncodingGuess(layout.encoding) if layout.encoding else guess_encoding(start)
    if guess is None:
        raise UnreadableFile(source.name, "it is not text", "Choose a spreadsheet or a text file.")
    try:
        return _load(connection, source, layout, guess, start)
    except _NotUtf8:
        late = guess_one_byte(source.around_the_first_that_is_not_utf8())
        return _load(connection, source, layout, late, start)


class _NotUtf8(Exception):
    """A file that began as UTF-8 goes on otherwise."""


def _load(
    connection: duckdb.DuckDBPyConnection, source: TextSource, layout: Layout, guess: EncodingGuess, start: bytes
) -> Reading:
    sample = sample_text(source.name, start, guess.encoding)
    separator = _SEPARATOR_LINE.match(sample)
    if separator:
        layout = layout.or_guess(delimiter=separator[1])
        sample = sample[separator.end() :]
    dialect = guess_dialect(sample, layout, Path(source.name).suffix.lower())
    if dialect.width > MOST_COLUMNS:
        raise FileTooLarge(source.name, f"{dialect.width:,} columns", f"{MOST_COLUMNS:,}")
    with source.open() as file:
        skip = len(separator[0].encode()) if separator else 0
        stand_ins = _stand_ins(dialect)
        delimiter, quote = (stand_ins.get(mark, mark) for mark in (dialect.delimiter, dialect.quote))
        written = replace(dialect, delimiter=delimiter, quote=quote)
        stream = Utf8Stream(source, file, guess.encoding, skip, stand_ins, tuple(_mends(written)))
        rows = Rows(connection, stream, written)
        _read(rows, guess, layout)
    rows.make_grid()
    return Reading(
        text_format=TextFormat(guess.encoding, dialect.delimiter, dialect.quote, dialect.decimal),
        findings=tuple(_findings(rows, guess, dialect)),
    )


def _stand_ins(dialect: Dialect) -> dict[str, str]:
    """The parser separates and quotes with single bytes only."""
    marks = zip((dialect.delimiter, dialect.quote), STAND_INS, strict=True)
    return {mark: stand_in for mark, stand_in in marks if not mark.isascii()}


def _mends(dialect: Dialect) -> Iterator[tuple[re.Pattern[bytes], bytes]]:
    """What the parser does not know: it is rewritten to what it knows before it sees it."""
    if dialect.spaced:
        yield spaces_before_quotes(dialect.delimiter, dialect.quote), b""
    if dialect.backslash:
        yield re.compile(BACKSLASH_QUOTE.pattern.encode()), b'""'


def _read(rows: Rows, guess: EncodingGuess, layout: Layout) -> None:
    import duckdb
    import pyarrow as pa

    name = rows.stream.source.name
    try:
        rows.read()
    except pa.ArrowInvalid as error:
        if "UTF8" in str(error) and layout.encoding is None:
            raise _NotUtf8 from error
        raise _unparsable(name, guess.encoding, str(error)) from error
    except duckdb.Error as error:
        raise UnreadableFile(
            name, "there is no room for its records", "Close other programs, or make room on the disk."
        ) from error


def _unparsable(name: str, encoding: str, words: str) -> Exception:
    if "UTF8" in words:
        return wrong_encoding(name, encoding)
    if "Empty" in words:
        return EmptyFile(name)
    if "straddling" in words:
        reason = "it has a row of more than 16 MB; perhaps a quotation mark is never closed"
        return UnreadableFile(name, reason, "Mend the file, or choose another quotation mark or none.")
    return UnreadableFile(name, "its rows do not form a table")


def _findings(rows: Rows, guess: EncodingGuess, dialect: Dialect) -> Iterator[Finding]:
    if guess.letters:
        yield _encoding_finding(guess)
    for key in sorted(dialect.doubts):
        yield Finding("text-guessed", Severity.WARNING, Stage.DATA, f"data.{key}", *_DOUBTS[key](dialect))
    if rows.longer.count:
        yield _longer_finding(rows)
    if rows.many_lines.count:
        yield _many_lines_finding(rows)
    empty = dialect.width - rows.width
    if empty > 0:
        yield Finding(
            "empty-columns", Severity.NOTE, Stage.DATA, f"{letter(rows.width)}1",
            f"The last {'column is' if empty == 1 else f'{empty:,} columns are'} empty and left out.",
        )  # fmt: skip


def _encoding_finding(guess: EncodingGuess) -> Finding:
    severity = Severity.NOTE if guess.certain else Severity.WARNING
    return Finding(
        "text-guessed", severity, Stage.DATA, "data.encoding",
        f"The file does not say how its letters are encoded; they were read as {ENCODINGS[guess.encoding]}: "
        f"{' '.join(guess.letters)}",
        "Choose another encoding if these letters look wrong.",
    )  # fmt: skip


def _delimiter_doubt(dialect: Dialect) -> tuple[str, str]:
    sign = _SIGN_NAMES.get(dialect.delimiter, f"“{dialect.delimiter}”")
    return f"Values were separated at each {sign}; another sign fits nearly as well.", "Choose the delimiter."


def _decimal_doubt(dialect: Dialect) -> tuple[str, str]:
    sign = "comma" if dialect.decimal == "," else "point"
    return f"The decimal sign is not clear; the {sign} was taken.", "Choose the decimal sign."


def _quote_doubt(dialect: Dialect) -> tuple[str, str]:
    return (
        "Quotation marks do not enclose whole values here; they were kept as part of the values.",
        "Choose the quotation mark if values should be enclosed.",
    )


_SIGN_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", " ": "space", ":": "colon", "|": "bar"}
_DOUBTS = {"delimiter": _delimiter_doubt, "decimal": _decimal_doubt, "quote": _quote_doubt}


def _longer_finding(rows: Rows) -> Finding:
    place, width = rows.longer, rows.dialect.width
    are = "1 row has" if place.count == 1 else f"{place.count:,} rows have"
    return Finding(
        "rows-uneven", Severity.WARNING, Stage.DATA, f"{letter(place.column)}{place.row}",
        f"{are} more than {width:,} values, unlike the others; perhaps a value holds the delimiter.",
        "Check these rows, and put such values in quotation marks.",
    )  # fmt: skip


def _many_lines_finding(rows: Rows) -> Finding:
    place = rows.many_lines
    are = "1 value runs" if place.count == 1 else f"{place.count:,} values run"
    return Finding(
        "value-of-many-lines", Severity.WARNING, Stage.DATA, f"{letter(place.column)}{place.row}",
        f"{are} over many lines; perhaps a quotation mark is not closed.",
        "Look at the value; mend the file, or choose another quotation mark or none.",
    )  # fmt: skip
