"""Describes the columns of the records: what kind each is, its marks and a few examples, over all rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from workbench.data.engine import GRID, ROW, Engine
from workbench.data.kinds import (
    CURRENCY,
    NONE_SEEN,
    PLAIN,
    PLAIN_NUMBERS,
    WRITTEN,
    ColumnKind,
    Judged,
    Seen,
    Shape,
    Spelling,
    fits,
    is_mark,
    judge,
    number_text,
    shape_of,
    spelling_words,
    text_of,
    trimmed,
    without_marks,
)
from workbench.data.layout import Decimal, Layout, Meaning
from workbench.data.markers import Marked, meaning_of

_EXAMPLES, _AMONG = 3, 200
_AT_ONCE = 100  # columns in one query
_ALIKE, _FEW = 4, 10_000  # how often values stand on average, and how many there are, where they are called alike


@dataclass(frozen=True)
class Described:
    """One column of the sheet, by its position, over the rows of the records."""

    at: int
    values: int
    judged: Judged
    seen: Mapping[Shape, Seen] = field(default_factory=dict)
    spelling: Spelling = field(default_factory=Spelling)
    marked: tuple[Marked, ...] = ()
    padded: Seen = NONE_SEEN  # values with spaces around them

    @property
    def plain_numbers(self) -> int:
        """How many values are numbers in plain digits."""
        if not self.seen:
            return self.values if self.kind is ColumnKind.NUMBER else 0
        return sum(seen.count for shape, seen in self.seen.items() if shape in PLAIN_NUMBERS)

    @property
    def kind(self) -> ColumnKind:
        return self.judged.kind

    @property
    def written(self) -> str:
        if self.kind is not ColumnKind.NUMBER:
            return ""
        words = spelling_words(self.spelling, self.judged.decimal)
        return ", ".join(filter(None, (words, "spaces around them" * bool(self.padded.count))))

    @property
    def expression(self) -> str:
        """What the column is in the records: as in the sheet, but numbers plainly written and marks left out."""
        is_trimmed = self.kind is ColumnKind.NUMBER and self.padded.count
        column = trimmed(f"c{self.at}") if is_trimmed else f"c{self.at}"
        return without_marks(column, number_text(column, self.judged.decimal), self.marked)

    def marks(self, meaning: Meaning) -> int:
        return sum(mark.count for mark in self.marked if mark.meaning is meaning)


def describe(engine: Engine, positions: Sequence[int], body: str, layout: Layout) -> tuple[Described, ...]:
    """Every column; those of plain digits are done in one pass, the others are looked at more closely, together."""
    needs_care = layout.decimal is Decimal.COMMA or any(re.fullmatch(PLAIN, text) for text, _ in layout.markers)
    counts = _counts(engine, positions, body)
    closer = {at: values for at, (values, plain) in counts.items() if values and (values != plain or needs_care)}
    found = _looked_at(engine, closer, body, layout)
    return tuple(
        found.get(at) or Described(at, values, Judged(ColumnKind.NUMBER if values else ColumnKind.EMPTY))
        for at, (values, _) in counts.items()
    )


def blank_columns(engine: Engine, body: str) -> frozenset[int]:
    """The columns without a value in the rows of the records."""
    counts = engine.connection.execute(
        f"SELECT {', '.join(f'count(c{at})' for at in range(engine.width))} FROM {GRID} WHERE {body}"
    ).fetchone()
    return frozenset(at for at, count in enumerate(counts or ()) if not count)


def examples(engine: Engine, described: Sequence[Described], body: str) -> dict[int, tuple[str, ...]]:
    """The first few different values of each column of the records, by position."""
    if not described:
        return {}
    cells = ", ".join(f"{one.expression} AS c{one.at}" for one in described)
    top = engine.connection.execute(f"SELECT {cells} FROM {GRID} WHERE {body} ORDER BY {ROW} LIMIT {_AMONG}").fetchall()
    columns = zip(*top, strict=True) if top else ([] for _ in described)
    return {
        one.at: _different(column) or (_late_examples(engine, one, body) if one.values else ())
        for one, column in zip(described, columns, strict=True)
    }


def _different(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(islice(dict.fromkeys(value for value in values if value is not None), _EXAMPLES))


def _late_examples(engine: Engine, one: Described, body: str) -> tuple[str, ...]:
    """Those of a column that begins with many blanks."""
    found = engine.connection.execute(
        f"SELECT value FROM (SELECT {ROW}, {one.expression} AS value FROM {GRID} WHERE {body}) WHERE value IS NOT NULL "
        f"ORDER BY {ROW} LIMIT {_AMONG}"
    ).fetchall()
    return _different(value for (value,) in found)


def _counts(engine: Engine, positions: Sequence[int], body: str) -> dict[int, tuple[int, int]]:
    """How many values each column has, and how many of them are numbers in plain digits."""
    if not positions:
        return {}
    counts = ", ".join(f"count(c{at}), count(*) FILTER ({fits(f'c{at}', PLAIN)})" for at in positions)
    row = engine.connection.execute(f"SELECT {counts} FROM {GRID} WHERE {body}").fetchone() or ()
    return dict(zip(positions, zip(row[::2], row[1::2], strict=True), strict=True))


def _looked_at(engine: Engine, closer: Mapping[int, int], body: str, layout: Layout) -> dict[int, Described]:
    """The columns that are not of plain digits, given with the number of their values."""
    seen: dict[int, dict[Shape, Seen]] = {}
    padded: dict[int, Seen] = {}
    spellings: dict[int, Spelling] = {}
    marked: dict[int, tuple[Marked, ...]] = {}
    for values in _values(engine, closer, body):
        _see(engine, values, layout, seen, padded)
        written = [at for at in values.positions if _is_written(seen[at], layout)]
        spellings |= _spellings(engine, values.of(written), layout)
        marked |= _marked(engine, values.of([at for at in values.positions if Shape.MARKER in seen[at]]), layout)
    found = {}
    for at, count in closer.items():
        spelling = spellings.get(at, Spelling())
        judged = judge(seen[at], spelling, layout.decimal)
        marks = marked.get(at, ()) if judged.kind is ColumnKind.NUMBER else ()
        found[at] = Described(at, count, judged, seen[at], spelling, marks, padded[at])
    return found


def _is_written(seen: Mapping[Shape, Seen], layout: Layout) -> bool:
    return layout.decimal is Decimal.COMMA or any(shape in seen for shape in WRITTEN)


@dataclass(frozen=True)
class _Values:
    """Some columns as one long list of values; where many are alike, each is there once, with how often it stands."""

    positions: tuple[int, ...]
    body: str
    are_alike: bool

    def of(self, positions: Sequence[int]) -> _Values:
        return replace(self, positions=tuple(positions))

    @property
    def table(self) -> str:
        """The columns `place` (of the column), `value` (without spaces around it), `many`, `first` and `is_padded`."""
        names = ", ".join(f"c{at}" for at in self.positions)
        cells = f"SELECT {ROW}, {names} FROM {GRID} WHERE {self.body}"
        long = f"UNPIVOT ({cells}) ON {names} INTO NAME name VALUE cell"
        if self.are_alike:
            counted = f"SELECT name, cell, count(*) AS many, min({ROW}) AS first FROM ({long}) GROUP BY name, cell"
        else:
            counted = f"SELECT name, cell, 1 AS many, {ROW} AS first FROM ({long})"
        value = f"{trimmed('cell')} AS value, cell <> value AS is_padded"
        return f"(SELECT substr(name, 2)::INT AS place, many, first, {value} FROM ({counted}))"


def _values(engine: Engine, closer: Mapping[int, int], body: str) -> Iterator[_Values]:
    """Columns of few different values are looked at value by value, which is much quicker; the others cell by cell."""
    for batch in _batches(list(closer), _AT_ONCE):
        counts = ", ".join(f"approx_count_distinct(c{at})" for at in batch)
        distinct = engine.connection.execute(f"SELECT {counts} FROM {GRID} WHERE {body}").fetchone() or ()
        alike = {at for at, count in zip(batch, distinct, strict=True) if count <= min(_FEW, closer[at] / _ALIKE)}
        for are_alike in (True, False):
            if chosen := tuple(at for at in batch if (at in alike) is are_alike):
                yield _Values(chosen, body, are_alike)


def _batches(positions: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (positions[start : start + size] for start in range(0, len(positions), size))


def _see(
    engine: Engine, values: _Values, layout: Layout, seen: dict[int, dict[Shape, Seen]], padded: dict[int, Seen]
) -> None:
    """Note the shapes of the values of each column, and the values with spaces around them."""
    found = engine.connection.execute(
        f"SELECT place, {shape_of('value', layout)} AS shape, sum(many)::BIGINT, min(first) AS first, "
        "coalesce(sum(many) FILTER (is_padded), 0)::BIGINT, min(first) FILTER (is_padded) "
        f"FROM {values.table} GROUP BY place, shape ORDER BY place, first"
    ).fetchall()
    for at, shape, count, first, spaced, first_spaced in found:
        seen.setdefault(at, {})[Shape(shape)] = Seen(count, first)
        before = padded.get(at, NONE_SEEN)
        firsts = [row for row in (before.first_row, first_spaced) if row]
        padded[at] = Seen(before.count + spaced, min(firsts, default=0))


def _spellings(engine: Engine, values: _Values, layout: Layout) -> dict[int, Spelling]:
    """What stands beside the digits of the numbers of each column, marks aside."""
    if not values.positions:
        return {}
    counts = ", ".join(f"coalesce(sum(many) FILTER ({what}), 0)::BIGINT" for what in _SPELT)
    found = engine.connection.execute(
        f"SELECT place, list_sort(list_distinct(list(nullif(regexp_extract(value, {text_of(CURRENCY)}), '')))), "
        f"sum(many)::BIGINT, {counts}, count(DISTINCT length(value)) "
        f"FROM {values.table} WHERE NOT {is_mark('value', layout)} GROUP BY place"
    ).fetchall()
    return {at: Spelling(tuple(currencies or ()), *counted) for at, currencies, *counted in found}


_GAPS = "\\x{00a0}\\x{202f} "
_SPELT = (
    "contains(value, '%')",
    f"contains(value, ',') OR regexp_matches(value, '\\d[''’{_GAPS}]\\d')",
    f"regexp_matches(value, '\\d[.''’{_GAPS}]\\d{{3}}')",
    "starts_with(value, '(')",
    f"regexp_matches(value, '\\d[{_GAPS}]\\d{{3}}')",
)


def _marked(engine: Engine, values: _Values, layout: Layout) -> dict[int, tuple[Marked, ...]]:
    if not values.positions:
        return {}
    found = engine.connection.execute(
        f"SELECT place, value, sum(many)::BIGINT AS many, min(first) FROM {values.table} "
        f"WHERE {is_mark('value', layout)} GROUP BY place, value ORDER BY place, many DESC, value"
    ).fetchall()
    marked: dict[int, tuple[Marked, ...]] = {}
    for at, text, count, row in found:
        meaning = meaning_of(text, layout) or Meaning.MISSING
        marked[at] = (*marked.get(at, ()), Marked(text, meaning, count, row))
    return marked
