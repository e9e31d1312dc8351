"""Reads Stata, SPSS and SAS files through ReadStat: names in the first row, codes as stored, labels not applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.data.findings import Finding, Severity, Stage
from workbench.data.header import letter
from workbench.data.layout import Layout
from workbench.data.readers.reading import Reading, Sheet
from workbench.errors import UnreadableFile

if TYPE_CHECKING:
    import duckdb

_KINDS = {
    ".dta": ("Stata", "read_dta"),
    ".sav": ("SPSS", "read_sav"),
    ".zsav": ("SPSS", "read_sav"),
    ".sas7bdat": ("SAS", "read_sas7bdat"),
    ".xpt": ("SAS", "read_xport"),
}
SUFFIXES = tuple(_KINDS)
_KEEPS_OWN_MISSING = ("read_dta", "read_sav", "read_sas7bdat")  # codes declared missing stay visible as codes
_CELLS_AT_ONCE = 2_000_000


def sheets(path: Path) -> tuple[Sheet, ...]:
    return ()


def load(connection: duckdb.DuckDBPyConnection, path: Path, layout: Layout) -> Reading:
    _, facts = _read(path, layout, metadataonly=True)
    names = list(facts.column_names)
    if not names:
        raise UnreadableFile(path.name, "it has no columns")
    cells = ", ".join(f"c{at} VARCHAR" for at in range(len(names)))
    connection.execute(f"CREATE OR REPLACE TABLE grid (_row BIGINT, {cells})")
    _append(connection, 1, [[name] for name in names])
    for offset, values in _batches(path, layout, max(_CELLS_AT_ONCE // len(names), 1)):
        single = facts.readstat_variable_types
        _append(connection, offset + 2, [[_text(value, single[name]) for value in values[name]] for name in names])
    return Reading(findings=tuple(_findings(path, names, facts)))


def _batches(path: Path, layout: Layout, size: int) -> Iterator[tuple[int, Mapping[str, Sequence[Any]]]]:
    for offset in count(0, size):
        values, _ = _read(path, layout, row_offset=offset, row_limit=size)
        rows = len(next(iter(values.values()), ()))
        if rows:
            yield offset, values
        if rows < size:
            return


def _read(path: Path, layout: Layout, **part: Any) -> tuple[Mapping[str, Sequence[Any]], Any]:
    import pyreadstat

    kind, function = _KINDS[path.suffix.lower()]
    if function in _KEEPS_OWN_MISSING:
        part["user_missing"] = True
    try:
        values, facts = getattr(pyreadstat, function)(
            str(path), encoding=layout.encoding, output_format="dict", **part
        )  # fmt: skip
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OverflowError, OSError) as error:
        raise UnreadableFile(path.name, f"it is not a {kind} file, or it is damaged") from error
    return values, facts


def _text(value: Any, kind: str) -> str | None:
    """A value as a person reads it: 5 for 5.0, 0.1 for the nearest number of single precision, dates as ISO."""
    if value is None or value != value:  # the second is true of “not a number” alone
        return None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, (datetime, date, time)):
        return str(value)
    number = float(value)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return _single(number) if kind == "float" else repr(number)


def _single(number: float) -> str:
    import numpy as np

    return str(np.float32(number))


def _append(connection: duckdb.DuckDBPyConnection, first_row: int, columns: Sequence[Sequence[str | None]]) -> None:
    import pyarrow as pa

    rows = pa.array(range(first_row, first_row + len(columns[0])), pa.int64())
    cells = [pa.array(column, pa.string()) for column in columns]
    names = ["_row", *(f"c{at}" for at in range(len(columns)))]
    connection.register("values_read", pa.table([rows, *cells], names=names))
    connection.execute("INSERT INTO grid SELECT * FROM values_read")
    connection.unregister("values_read")


def _findings(path: Path, names: Sequence[str], facts: Any) -> Iterator[Finding]:
    labelled = [at for at, name in enumerate(names) if name in facts.variable_value_labels]
    if labelled:
        yield Finding(
            "labels-not-applied", Severity.NOTE, Stage.DATA, f"{letter(labelled[0])}1",
            f"{_columns(len(labelled))} labels for codes; the codes themselves were read.",
        )  # fmt: skip
    missing = [at for at, name in enumerate(names) if facts.missing_ranges.get(name)]
    if missing:
        yield Finding(
            "declared-missing", Severity.WARNING, Stage.COLUMNS, f"{letter(missing[0])}1",
            f"{_columns(len(missing))} codes that the file declares missing; they were read as they stand.",
            "Say under markers which codes mean missing.",
        )  # fmt: skip


def _columns(number: int) -> str:
    return "1 column has" if number == 1 else f"{number:,} columns have"
