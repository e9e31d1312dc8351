"""How a text file separates, quotes and writes its values: the reading under which its first rows look most alike.

The score is the consistency measure of Van den Burg, Nazábal and Sutton (2019): rows should have the same number of
values, and values should look like numbers, dates or words rather than like rows that were not taken apart.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from workbench.data.layout import NO_DELIMITER, NO_QUOTE, Decimal, Layout

Rows = Sequence[Sequence[str]]

ONE_COLUMN = "\x1f"  # stands for “no delimiter” where a parser insists on one
_WEIGHTS = {",": 1.0, ";": 1.0, "\t": 1.0, "|": 1.0, "\x1f": 1.0, "^": 0.7, "~": 0.7, ":": 0.6, " ": 0.35}
_WEIGHT_OF_OTHERS = 0.3
_LEAST_SCORE = 0.05
_RIVAL = 0.8
_ROWS = 300

BACKSLASH_QUOTE = re.compile(r'(?<!\\)\\"(?=[^,;|\t\r\n])')
_LINE = re.compile(r"[^\r\n]+")
_RAW = re.compile(r"[;|\t^~\x1f\n\r]|^'.+'$|^\".*|[\",]$", re.DOTALL)
_WHOLE = re.compile(r"\s*[-+(]?[$€£]?[\d.,:/\- '’]*\d[\d.,:/\- ]*%?\)?\s*")
_COMMA = re.compile(r"[-+]?[$€£]?\s?(\d{1,3}([. ’']\d{3})+,\d+|0,\d+|\d+,(\d\d?|\d{4,}))\s?[%€$£]?")
_POINT = re.compile(
    r"[-+]?[$€£]?\s?(\d{1,3}([, ’']\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}|0?\.\d+|\d+\.(\d\d?|\d{4,}))\s?[%€$£]?"
)
_EITHER = re.compile(r"[-+]?[$€£]?\s?[1-9]\d{0,2},\d{3}\s?[%€$£]?")


@dataclass(frozen=True)
class Dialect:
    """How a file is written. `doubts` names what another reading fits nearly as well.

    Some programs write a space before a quotation mark (`spaced`), or a backslash where a quotation mark belongs to
    the value (`backslash`) instead of doubling it.
    """

    delimiter: str
    quote: str
    decimal: Decimal
    width: int
    score: float = 0.0
    doubts: frozenset[str] = frozenset()
    spaced: bool = False
    backslash: bool = False


def guess_dialect(sample: str, layout: Layout, suffix: str = "") -> Dialect:
    """The way of writing that suits the beginning of a file; what the layout says is taken as given."""
    plain = _guess(sample, layout, suffix)
    mended = BACKSLASH_QUOTE.sub('""', sample)
    other = _guess(mended, layout, suffix) if mended != sample else plain
    return replace(other, backslash=True) if other.quote == '"' and other.score > plain.score else plain


def _guess(sample: str, layout: Layout, suffix: str) -> Dialect:
    delimiters = _delimiters(sample, suffix) if layout.delimiter is None else {layout.delimiter: 1.0}
    quotes = _quotes(sample) if layout.quote is None else (layout.quote,)
    readings = {(delimiter, quote): _read(sample, delimiter, quote) for delimiter in delimiters for quote in quotes}
    lines = len(_lines(sample))
    scores = {key: delimiters[key[0]] * _score(rows, lines) for key, rows in readings.items()}
    best = max(scores, key=lambda key: scores[key])
    if layout.delimiter is None and (scores[best] < _LEAST_SCORE or _is_whole(readings[best], best[0], sample)):
        whole = {quote: _read(sample, NO_DELIMITER, quote) for quote in quotes}
        best = (NO_DELIMITER, next((quote for quote in quotes if not _has_line_breaks(whole[quote])), best[1]))
        readings[best], scores = whole[best[1]], {}
    rivals = (key for key in scores if key[0] != best[0] and scores[key] > _RIVAL * scores[best])
    decimal, is_clear = guess_decimal(readings[best], best[0])
    doubts = {
        "delimiter": layout.delimiter is None and (best[0] == " " or any(rivals)),
        "quote": layout.quote is None and best[1] == NO_QUOTE,
        "decimal": layout.decimal is None and not is_clear,
    }
    return Dialect(
        *best, layout.decimal or decimal, _usual_width(readings[best]), scores.get(best, 0.0),
        frozenset(name for name, doubtful in doubts.items() if doubtful), _is_spaced(sample, *best),
    )  # fmt: skip


def guess_decimal(rows: Rows, delimiter: str) -> tuple[Decimal, bool]:
    """The decimal sign, and whether the values leave no doubt: “1,234” alone can be read both ways."""
    values = [value.strip() for row in rows for value in row]
    comma, point = (sum(bool(sign.fullmatch(value)) for value in values) for sign in (_COMMA, _POINT))
    if comma != point:
        return (Decimal.COMMA if comma > point else Decimal.POINT), not min(comma, point)
    unclear = any(_EITHER.fullmatch(value) for value in values)
    return (Decimal.COMMA if unclear and delimiter == ";" else Decimal.POINT), not unclear or delimiter == ","


def split_record(text: str, delimiter: str, quote: str) -> list[str]:
    """The values of one record; what stands after a closing quotation mark belongs to the value."""
    return next(_reader(text, delimiter, quote), [])


def is_left_open(text: str, delimiter: str, quote: str) -> bool:
    """Whether a record ends inside quotation marks."""
    try:
        next(_reader(text, delimiter, quote, strict=True), [])
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _reader(text: str, delimiter: str, quote: str, strict: bool = False) -> Iterator[list[str]]:
    return csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter or ONE_COLUMN, quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE, strict=strict, skipinitialspace=delimiter != " ",
    )  # fmt: skip


def _read(sample: str, delimiter: str, quote: str) -> Rows:
    try:
        return [row for row in islice(_reader(sample, delimiter, quote), _ROWS) if any(value.strip() for value in row)]
    except csv.Error:  # a value longer than the parser allows: no reading to be proud of
        return []


def _has_line_breaks(rows: Rows) -> bool:
    return any(end in value for row in rows for value in row for end in "\r\n")


def _delimiters(sample: str, suffix: str) -> dict[str, float]:
    """What may separate values, with how readily it is believed."""
    lines = _lines(sample) or [""]
    known = {mark: weight for mark, weight in _WEIGHTS.items() if mark in sample} or {",": 1.0}
    if suffix == ".tsv" and "\t" in known:
        known["\t"] = 3.0
    marks = Counter(mark for line in lines for mark in set(line) if not (mark.isalnum() or mark in "\"'.-_/\\()"))
    others = (mark for mark, count in marks.items() if count >= 0.75 * len(lines) and mark not in _WEIGHTS)
    return known | dict.fromkeys(others, _WEIGHT_OF_OTHERS)


def _lines(sample: str) -> list[str]:
    return [line for line in islice(_LINE.findall(sample), _ROWS) if line.strip()]


def _is_spaced(sample: str, delimiter: str, quote: str) -> bool:
    return bool(quote and delimiter.strip(" ") and spaces_before_quotes(delimiter, quote).search(sample.encode()))


def spaces_before_quotes(delimiter: str, quote: str) -> re.Pattern[bytes]:
    """Between a delimiter and a quotation mark that is not one of two: those stand inside a value."""
    before, mark = (re.escape(sign.encode()) for sign in (delimiter, quote))
    return re.compile(b"(?<=" + before + b") +(?=" + mark + b"(?!" + mark + b"))")


def _quotes(sample: str) -> tuple[str, ...]:
    return ('"', *(["'"] if "'" in sample else []), *([NO_QUOTE] if '"' in sample else []))


def _score(rows: Rows, lines: int) -> float:
    """Pattern score times type score, at most 1 and 0 for rows of one value; rows lost in an open quotation count."""
    if not rows:
        return 0.0
    widths = Counter(len(row) for row in rows)
    pattern = sum(count * (width - 1) / width for width, count in widths.items()) / len(widths)
    values = [value.strip() for row in rows for value in row]
    clean = sum(_RAW.search(value) is None for value in values) / len(values)
    return pattern / max(lines, len(rows)) * clean


def _is_whole(rows: Rows, delimiter: str, sample: str) -> bool:
    """Whether the delimiter only takes numbers, dates or times of a single column apart: its name has none."""
    lines = _lines(sample)
    return delimiter not in lines[0] and all(_WHOLE.fullmatch(line.strip("\"'")) for line in lines[1:])


def _usual_width(rows: Rows) -> int:
    widths = Counter(len(row) for row in rows)
    return max(widths, key=lambda width: (widths[width], width), default=1)
