"""The tables as CSV files, one row per cell and text in quotes, and beside them the numbers as they were drawn."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain, repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.data.schema import CodeList
from workbench.plan.amounts import exact_text
from workbench.privacy.noise import Integers
from workbench.release.release import PublishedTable, Release
from workbench.report.words import LOW, REHEARSAL, is_count

NOISY_FILE = "noisy_measurements.csv"

_LONGEST_STEM = 80


@dataclass(frozen=True)
class ShownColumn:
    """One column of a published table: its name in the CSV file, its heading in the workbook (empty: not there).

    Numbers that are not whole have `decimals` places.
    """

    name: str
    heading: str
    values: Sequence[str] | Sequence[int] | Sequence[float] = field(repr=False)
    is_text: bool = False
    decimals: int = 0

    @property
    def texts(self) -> list[str]:
        """The values as a reader sees them."""
        if not self.decimals:
            return [str(value) for value in self.values]
        return [f"{value:.{self.decimals}f}" for value in self.values]


def shown_columns(table: PublishedTable) -> tuple[ShownColumn, ...]:
    """Everything published about a table, a row per cell in grid order."""
    columns = (*_key_columns(table), *_number_columns(table), _note_column(table))
    names = distinct([column.name for column in columns])
    headings = iter(distinct([column.heading for column in columns if column.heading]))
    return tuple(
        replace(column, name=name, heading=next(headings) if column.heading else "")
        for column, name in zip(columns, names, strict=True)
    )


def _key_columns(table: PublishedTable) -> Iterator[ShownColumn]:
    grid = table.grid
    for key, codes, codes_shown, labels_shown in zip(
        grid.keys, grid.lists, grid.code_columns(), grid.label_columns(), strict=True
    ):
        yield ShownColumn(key, _code_heading(key, codes), codes_shown.tolist(), is_text=True)
        if codes.has_labels:
            yield ShownColumn(f"{key}_label", _words(key), labels_shown.tolist(), is_text=True)


def _code_heading(key: str, codes: CodeList) -> str:
    return f"{_words(key)} code" if codes.has_labels else _words(key)


def _number_columns(table: PublishedTable) -> Iterator[ShownColumn]:
    what = table.unit if is_count(table) else f"{table.statistic} of {table.unit}"
    name = _slug(what.lower(), "_").replace("-", "_") or table.statistic
    yield _in_units(table, name, _words(what), table.published)
    if table.margin is not None:
        yield _in_units(table, "margin_95", "", np.full(table.grid.size, table.margin, dtype=np.int64))
    if table.limits is not None:
        lower, upper = table.limits
        yield _in_units(table, "lower_95", "Lower 95 %", lower)
        yield _in_units(table, "upper_95", "Upper 95 %", upper)


def _in_units(table: PublishedTable, name: str, heading: str, steps: Integers) -> ShownColumn:
    return ShownColumn(name, heading, table.in_units(steps), decimals=table.decimals)


def _note_column(table: PublishedTable) -> ShownColumn:
    return ShownColumn("note", "Note", np.where(_is_low(table), LOW, "").tolist(), is_text=True)


def _is_low(table: PublishedTable) -> NDArray[np.bool_]:
    """As `words.low_meaning` says it; judged by published numbers alone."""
    if table.limits is None:
        return np.zeros(table.grid.size, dtype=bool)
    if table.margin is None:
        return np.equal(table.limits[0], 0)
    return np.less(np.abs(table.published), table.margin)


def _words(name: str) -> str:
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]


def distinct(names: Sequence[str]) -> list[str]:
    """The names in order, a later one numbered where an earlier one has the same letters."""
    taken: set[str] = set()
    result = []
    for name in names:
        tries = chain([name], (f"{name}_{number}" for number in range(2, len(names) + 2)))
        fresh = next(each for each in tries if each.casefold() not in taken)
        taken.add(fresh.casefold())
        result.append(fresh)
    return result


def table_files(release: Release) -> tuple[str, ...]:
    """The CSV file of each table, in order; safe as file names and never the same twice."""
    slugs = [_slug(table.name, "-")[:_LONGEST_STEM] or "table" for table in release.tables]
    return tuple(f"{release.id}-{slug}.csv" for slug in distinct(slugs))


def _slug(text: str, joint: str) -> str:
    return re.sub(r"[^\w-]+", joint, text).strip("-_")


def write_tables(release: Release, folder: Path) -> tuple[Path, ...]:
    """One CSV file per table."""
    paths = tuple(folder / name for name in table_files(release))
    for table, path in zip(release.tables, paths, strict=True):
        columns = shown_columns(table)
        notes = _marked(columns[-1].values) if release.is_rehearsal else columns[-1].values
        values = [*(_exact(column) for column in columns[:-1]), notes]
        write_csv(path, [column.name for column in columns], zip(*values, strict=True))
    return paths


def _exact(column: ShownColumn) -> Sequence[object]:
    return [Decimal(text) for text in column.texts] if column.decimals else column.values


def _marked(notes: Iterable[object]) -> list[str]:
    return [f"{REHEARSAL} {note}".strip() for note in notes]


@dataclass(frozen=True)
class NoisyFact:
    """A column of the noisy measurements that says the same in every row of a table; some are for some releases."""

    name: str
    of: Callable[[PublishedTable], str]
    is_wanted: Callable[[PublishedTable], bool] = lambda table: True


_FACTS = (
    NoisyFact("table", lambda table: table.name),
    NoisyFact("statistic", lambda table: table.statistic),
    NoisyFact("measure", lambda table: "" if is_count(table) else table.unit, lambda table: not is_count(table)),
    NoisyFact("mechanism", lambda table: table.mechanism),
    NoisyFact("epsilon", lambda table: exact_text(table.epsilon)),
    NoisyFact("delta", lambda table: exact_text(table.guarantee.delta), lambda table: table.guarantee.delta > 0),
    NoisyFact("rho", lambda table: _optional(table.guarantee.rho), lambda table: table.guarantee.rho is not None),
)


def _optional(value: Fraction | None) -> str:
    return "" if value is None else exact_text(value)


def write_noisy_measurements(release: Release, folder: Path) -> Path:
    """Every number exactly as drawn, below zero where it fell so; totals are not drawn and not here.

    Where something was added up, the number is also given in the whole steps it was drawn in: value = steps × step.
    """
    drawn = release.noisy_tables
    keys = tuple(dict.fromkeys(key for table in drawn for key in table.grid.keys))
    facts = [fact for fact in _FACTS if any(fact.is_wanted(table) for table in drawn)]
    has_steps = not all(is_count(table) for table in drawn)
    steps = ("steps", "step") if has_steps else ()
    names = distinct([*(fact.name for fact in facts), *keys, "value", *steps, "note"])
    note = REHEARSAL if release.is_rehearsal else ""
    rows = chain.from_iterable(_noisy_rows(table, facts, keys, has_steps, note) for table in drawn)
    path = folder / NOISY_FILE
    write_csv(path, names, rows)
    return path


def _noisy_rows(
    table: PublishedTable, facts: Sequence[NoisyFact], keys: Sequence[str], has_steps: bool, note: str
) -> Iterator[tuple[object, ...]]:
    codes = dict(zip(table.grid.keys, (column.tolist() for column in table.grid.code_columns()), strict=True))
    return zip(
        *(repeat(fact.of(table)) for fact in facts),
        *(codes.get(key, repeat("")) for key in keys),
        _exact(_in_units(table, "value", "", table.raw)),
        *((table.raw.tolist(), repeat(exact_text(table.step))) if has_steps else ()),
        repeat(note),
    )


def write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """UTF-8 and line feeds; every text in quotes, so that a code never looks like a number."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(names)
        writer.writerows(rows)
