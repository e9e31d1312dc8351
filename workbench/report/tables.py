"""The tables as CSV files, one row per cell and text in quotes, and beside them the numbers as they were drawn."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from workbench.data.schema import CodeList
from workbench.plan.amounts import exact_text
from workbench.release.release import PublishedTable, Release
from workbench.report.words import LOW, REHEARSAL

NOISY_FILE = "noisy_measurements.csv"

_LONGEST_STEM = 80


@dataclass(frozen=True)
class ShownColumn:
    """One column of a published table: its name in the CSV file, its heading in the workbook (empty: not there)."""

    name: str
    heading: str
    values: Sequence[str] | Sequence[int] = field(repr=False)
    is_text: bool = False


def shown_columns(table: PublishedTable) -> tuple[ShownColumn, ...]:
    """Everything published about a table, a row per cell in grid order."""
    columns = (*_key_columns(table), *_number_columns(table), _note_column(table))
    names = distinct([column.name for column in columns])
    headings = iter(distinct([column.heading for column in columns if column.heading]))
    return tuple(
        ShownColumn(name, next(headings) if column.heading else "", column.values, column.is_text)
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
    numbers = table.published
    name = _slug(table.unit.lower(), "_").replace("-", "_") or table.statistic
    yield ShownColumn(name, _words(table.unit), numbers.tolist())
    if table.margin is not None:
        yield ShownColumn("margin_95", "", [table.margin] * len(numbers))
        yield ShownColumn("lower_95", "Lower 95 %", np.maximum(numbers - table.margin, 0).tolist())
        yield ShownColumn("upper_95", "Upper 95 %", (numbers + table.margin).tolist())


def _note_column(table: PublishedTable) -> ShownColumn:
    numbers = table.published
    is_low = numbers < table.margin if table.margin is not None else np.zeros(len(numbers), dtype=bool)
    return ShownColumn("note", "Note", np.where(is_low, LOW, "").tolist(), is_text=True)


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
        values = [*(column.values for column in columns[:-1]), notes]
        write_csv(path, [column.name for column in columns], zip(*values, strict=True))
    return paths


def _marked(notes: Iterable[object]) -> list[str]:
    return [f"{REHEARSAL} {note}".strip() for note in notes]


def write_noisy_measurements(release: Release, folder: Path) -> Path:
    """Every number exactly as drawn, below zero where it fell so; totals are not drawn and not here."""
    keys = tuple(dict.fromkeys(key for table in release.noisy_tables for key in table.grid.keys))
    names = distinct(["table", "statistic", "mechanism", "epsilon", *keys, "value", "note"])
    rows = chain.from_iterable(_noisy_rows(table, keys, release.is_rehearsal) for table in release.noisy_tables)
    path = folder / NOISY_FILE
    write_csv(path, names, rows)
    return path


def _noisy_rows(table: PublishedTable, keys: Sequence[str], is_rehearsal: bool) -> Iterator[tuple[object, ...]]:
    codes = dict(zip(table.grid.keys, (column.tolist() for column in table.grid.code_columns()), strict=True))
    facts = (table.name, table.statistic, table.mechanism, exact_text(table.epsilon))
    return zip(
        *(repeat(fact) for fact in facts),
        *(codes.get(key, repeat("")) for key in keys),
        table.raw.tolist(),
        repeat(REHEARSAL if is_rehearsal else ""),
    )


def write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """UTF-8 and line feeds; every text in quotes, so that a code never looks like a number."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(names)
        writer.writerows(rows)
