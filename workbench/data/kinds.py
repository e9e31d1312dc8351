"""What the values of a column are, judged over the whole column: numbers, codes, dates, booleans or text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum, auto

from workbench.data.layout import Decimal, Layout, Meaning
from workbench.data.markers import LONGEST, USUAL, Marked


class ColumnKind(StrEnum):
    """What the values of a column look like over the whole column; codes look like numbers but stay text."""

    TEXT = "text"
    NUMBER = "number"
    CODE = "code"
    DATE = "date"
    BOOLEAN = "boolean"
    EMPTY = "empty"


class Shape(StrEnum):
    """What one value looks like: the first of these that fits."""

    WHOLE = auto()  # 1234
    DOTTED = auto()  # 1.234: with a decimal comma, more than a thousand
    DECIMAL = auto()  # 12.5
    SCIENTIFIC = auto()  # 1.5E+03, but not 1E5, which may be a code
    MARKER = auto()  # (D)
    DOTS = auto()  # 1.234.567: a number with a decimal comma, or a code
    EITHER = auto()  # 1,234 or $5: a number with a decimal point as well as with a decimal comma
    POINT = auto()  # 1,234.50
    COMMA = auto()  # 1.234,50
    BOOLEAN = auto()
    DATE = auto()
    CODE = auto()  # 007, 31-33, 1E5
    TEXT = auto()


SPACES = " \t\r\n\u00a0\u202f"
_GAP = "[ \u00a0\u202f]"
CURRENCY = "[$€£¥₹]|EUR|USD|GBP|CHF"


def _number(group: str, decimal: str) -> str:
    """Numbers as people write them: sign, currency, thousands in one kind of groups, decimals, per cent, brackets."""
    grouped = "|".join(rf"(?:{mark}\d{{3}})+" for mark in (group, _GAP, "['’]"))
    lakhs = r"|(?:,\d{2})+,\d{3}" if group == "," else ""
    body = rf"(?:(?:0|[1-9]\d*|[1-9]\d{{0,2}}(?:{grouped}{lakhs}))(?:{decimal}\d+)?|{decimal}\d+)"
    money, sign = rf"(?:(?:{CURRENCY}){_GAP}?)?", "[-+−]?"
    return rf"{sign}{money}{sign}{body}(?:{_GAP}?(?:%|{CURRENCY}))?|\({money}{body}{_GAP}?%?\)"


_POINT, _COMMA = _number(",", r"\."), _number(r"\.", ",")
PLAIN = r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)"
_PATTERNS: Mapping[Shape, str] = {
    Shape.WHOLE: r"[-+]?(?:0|[1-9]\d*)",
    Shape.DOTTED: r"[-+]?[1-9]\d{0,2}\.\d{3}",
    Shape.DECIMAL: PLAIN,
    Shape.SCIENTIFIC: r"[-+]?\d+(?:\.\d+[eE][-+]?\d+|[eE][-+]\d+)",
    Shape.DOTS: r"[1-9]\d{0,2}(?:\.\d{3}){2,}",
    Shape.BOOLEAN: r"(?i:true|false)",
    Shape.DATE: (
        r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|\d{1,2}[/.]\d{1,2}[/.](?:\d\d|\d{4})"
        r"|\d{4}/\d\d?/\d\d?|\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?"
    ),
    Shape.CODE: r"\d[-\d–./ ]*|\d+[eE]\d+",
}
PLAIN_NUMBERS = {Shape.WHOLE, Shape.DOTTED, Shape.DECIMAL, Shape.SCIENTIFIC}
_WITH_POINT = {*PLAIN_NUMBERS, Shape.EITHER, Shape.POINT}
_WITH_COMMA = {Shape.WHOLE, Shape.DOTTED, Shape.DOTS, Shape.EITHER, Shape.COMMA}
WRITTEN = (Shape.DOTS, Shape.EITHER, Shape.POINT, Shape.COMMA)
_CODES = {*PLAIN_NUMBERS, Shape.DOTS, Shape.CODE}
_WORDS: Mapping[Shape, str] = {
    **dict.fromkeys((*_WITH_POINT, *_WITH_COMMA), "numbers"),
    **dict.fromkeys((Shape.MARKER, Shape.TEXT), "texts"),
    Shape.BOOLEAN: "booleans",
    Shape.DATE: "dates",
    Shape.CODE: "codes",
}


@dataclass(frozen=True)
class Seen:
    """How many values of one shape a column has, and the row of the first."""

    count: int
    first_row: int


NONE_SEEN = Seen(0, 0)


@dataclass(frozen=True)
class Spelling:
    """What accompanies the numbers of a column."""

    currencies: tuple[str, ...] = ()
    numbers: int = 0
    percents: int = 0
    grouped: int = 0
    dotted: int = 0
    brackets: int = 0
    spaced: int = 0
    lengths: int = 0

    @property
    def is_pattern(self) -> bool:
        """Whether all are digits spaced in one way, as codes are: 732 829 320."""
        return 1 < self.numbers == self.spaced and self.lengths == 1 and not self.currencies and not self.percents

    @property
    def is_uniform(self) -> bool:
        """One currency at most, and per cent signs on all values or on none."""
        return len(self.currencies) < 2 and self.percents in (0, self.numbers)


@dataclass(frozen=True)
class Judged:
    """What a column holds; `decimal` is set when its numbers must be written plainly before they can be added up."""

    kind: ColumnKind
    decimal: Decimal | None = None
    is_mixed: bool = False


def judge(seen: Mapping[Shape, Seen], spelling: Spelling, decimal: Decimal | None) -> Judged:
    """The kind of a column from the shapes of all its values. Marks are marks only among numbers."""
    shapes = set(seen) - {Shape.MARKER}
    if not shapes:
        return Judged(ColumnKind.TEXT if seen else ColumnKind.EMPTY)
    if spelling.is_pattern:
        return Judged(ColumnKind.CODE)
    if spelling.is_uniform and (numbers := _as_numbers(shapes, decimal)):
        return numbers
    words = {_WORDS[shape] for shape in seen}
    if words in ({"dates"}, {"booleans"}):
        return Judged(ColumnKind.DATE if "dates" in words else ColumnKind.BOOLEAN)
    if set(seen) <= _CODES:
        return Judged(ColumnKind.CODE)
    return Judged(ColumnKind.TEXT, is_mixed=len(words - {"codes"}) > 1 or "texts" not in words)


def _as_numbers(shapes: set[Shape], decimal: Decimal | None) -> Judged | None:
    has_commas = Shape.COMMA in shapes or (decimal is Decimal.COMMA and shapes != {Shape.WHOLE})
    if shapes <= _WITH_COMMA and has_commas:
        return Judged(ColumnKind.NUMBER, Decimal.COMMA)
    if shapes <= PLAIN_NUMBERS:
        return Judged(ColumnKind.NUMBER)
    if shapes <= _WITH_POINT:
        return Judged(ColumnKind.NUMBER, Decimal.POINT)
    return None


def parts_of(seen: Mapping[Shape, Seen]) -> dict[str, Seen]:
    """A mixed column in an officer's words: how many numbers, dates, texts, each with its first row."""
    parts: dict[str, Seen] = {}
    for shape, one in seen.items():
        before = parts.get(_WORDS[shape], Seen(0, one.first_row))
        parts[_WORDS[shape]] = Seen(before.count + one.count, min(before.first_row, one.first_row))
    return parts


def spelling_words(spelling: Spelling, decimal: Decimal | None) -> str:
    """How the numbers of a column are written: “thousands separators, per cent signs”; nothing for plain digits."""
    if decimal is None:
        return ""
    parts = {
        "a decimal comma": decimal is Decimal.COMMA,
        "thousands separators": spelling.dotted if decimal is Decimal.COMMA else spelling.grouped,
        f"currency signs ({', '.join(spelling.currencies)})": spelling.currencies,
        "per cent signs": spelling.percents,
        "brackets for negative values": spelling.brackets,
    }
    return ", ".join(words for words, is_there in parts.items() if is_there) or "signs"


# ---- the same in SQL ------------------------------------------------------------------------------------------------


def text_of(literal: str) -> str:
    """A text as SQL writes it."""
    return "'" + literal.replace("'", "''") + "'"


def trimmed(column: str) -> str:
    """A column without the spaces around its values."""
    return f"trim({column}, {text_of(SPACES)})"


def fits(value: str, pattern: str) -> str:
    """A condition: the whole value is of this pattern."""
    return f"regexp_full_match({value}, {text_of(pattern)})"


def is_mark(value: str, layout: Layout) -> str:
    """A condition: the value is a mark, by the officer's decision or by common use."""
    usual = f"length({value}) <= {LONGEST} AND lower({value}) IN ({_listed(USUAL)})"
    cases = "".join(
        f" WHEN {value} = {text_of(text)} THEN {str(meaning is not Meaning.KEEP).lower()}"
        for text, meaning in layout.markers
    )
    return f"(CASE{cases} WHEN true THEN {usual} END)"


def shape_of(value: str, layout: Layout) -> str:
    """The shape of a value: what the officer decided about a text comes before what it looks like."""
    tests = {
        **{shape: fits(value, pattern) for shape, pattern in _PATTERNS.items()},
        Shape.MARKER: is_mark(value, layout),
        Shape.EITHER: f"{fits(value, _POINT)} AND {fits(value, _COMMA)}",
        Shape.POINT: fits(value, _POINT),
        Shape.COMMA: fits(value, _COMMA),
    }
    kept = "".join(
        f" WHEN {value} = {text_of(text)} THEN '{Shape.TEXT if meaning is Meaning.KEEP else Shape.MARKER}'"
        for text, meaning in layout.markers
    )
    cases = "".join(f" WHEN {tests[shape]} THEN '{shape}'" for shape in Shape if shape in tests)
    return f"CASE{kept} WHEN {_is_long_word(value)} THEN '{Shape.TEXT}'{cases} ELSE '{Shape.TEXT}' END"


def _is_long_word(value: str) -> str:
    """A condition that settles most texts at once: it begins with a letter, and neither mark nor boolean is so long."""
    money = f"left({value}, 3) NOT IN ('EUR', 'USD', 'GBP', 'CHF')"
    return f"{value} >= 'A' AND {value} < '{{' AND length({value}) > {LONGEST} AND {money}"


def number_text(column: str, decimal: Decimal | None) -> str:
    """The numbers of a column in plain digits; those that are plain already stay as they are."""
    if decimal is None:
        return column
    digits = f"replace(regexp_replace({column}, '[^0-9{decimal}]', '', 'g'), '{decimal}', '.')"
    sign = f"CASE WHEN regexp_matches({column}, '[-−(]') THEN '-' ELSE '' END"
    plain = _PATTERNS[Shape.WHOLE] if decimal is Decimal.COMMA else f"{PLAIN}|{_PATTERNS[Shape.SCIENTIFIC]}"
    return f"CASE WHEN {fits(column, plain)} THEN {column} ELSE {sign} || {digits} END"


def without_marks(column: str, expression: str, marked: Iterable[Marked]) -> str:
    """The expression, and nothing where the column holds a mark."""
    marks = [mark.text for mark in marked]
    return f"CASE WHEN {column} IN ({_listed(marks)}) THEN NULL ELSE {expression} END" if marks else expression


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(text_of, texts))
