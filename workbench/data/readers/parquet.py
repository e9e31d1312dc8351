"""Reads Parquet files without loading them whole: the grid is a view on the file, its first row the column names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data.engine import quoted
from workbench.data.layout import Layout
from workbench.data.readers.reading import Reading, Sheet
from workbench.errors import UnreadableFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".parquet", ".parq", ".pq")

# How a value of each type is written. A whole number kept as a fraction reads 5, as in a spreadsheet; a moment with a
# time zone reads as universal time on every machine.
_AS_TEXT = {
    "VARCHAR": "nullif(trim({}), '')",
    "BOOLEAN": "upper(CAST({} AS VARCHAR))",
    "FLOAT": "regexp_replace(CAST({} AS VARCHAR), '\\.0$', '')",
    "DOUBLE": "regexp_replace(CAST({} AS VARCHAR), '\\.0$', '')",
    "TIMESTAMP WITH TIME ZONE": "CAST(make_timestamp(epoch_us({})) AS VARCHAR) || 'Z'",
}
_PLAIN = re.compile(
    r"U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DECIMAL\(.*\)|DATE|TIME(_NS)?|TIMESTAMP(_S|_MS|_NS)?|UUID|ENUM\(.*\)",
    re.DOTALL,
)
_NAMES = {"BLOB": "binary data", "BIT": "binary data", "MAP": "lists of values", "STRUCT": "groups of values"}
_GLOB = re.compile(r"[\[*?]")


def sheets(path: Path) -> tuple[Sheet, ...]:
    return ()


def load(connection: duckdb.DuckDBPyConnection, path: Path, layout: Layout) -> Reading:
    types = _types(connection, path)
    cells = {name: _as_text(path, name, kind) for name, kind in types.items()}
    if "file_row_number" in map(str.lower, types):
        raise UnreadableFile(path.name, "it has a column “file_row_number”, a name DuckDB needs", "Rename the column.")
    header = ", ".join("'" + name.replace("'", "''") + f"' AS c{at}" for at, name in enumerate(cells))
    values = ", ".join(f"{cell} AS c{at}" for at, cell in enumerate(cells.values()))
    connection.execute(
        f"CREATE OR REPLACE VIEW grid AS SELECT CAST(1 AS BIGINT) AS _row, {header} "
        f"UNION ALL SELECT file_row_number + 2 AS _row, {values} FROM {_source(path, 'file_row_number = true')}"
    )
    _refuse_damaged(connection, path)
    return Reading()


def _types(connection: duckdb.DuckDBPyConnection, path: Path) -> Mapping[str, str]:
    import duckdb

    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {_source(path)}").fetchall()
    except duckdb.Error as error:
        raise _damaged(path) from error
    return {row[0]: row[1] for row in described}


def _source(path: Path, option: str = "") -> str:
    """The file as a table; what DuckDB would take as a pattern in its name is taken literally."""
    literal = _GLOB.sub(lambda sign: f"[{sign[0]}]", str(path.absolute())).replace("'", "''")
    return f"read_parquet('{literal}'{', ' if option else ''}{option})"


def _as_text(path: Path, name: str, kind: str) -> str:
    if kind in _AS_TEXT:
        return _AS_TEXT[kind].format(quoted(name))
    if _PLAIN.fullmatch(kind):
        return f"CAST({quoted(name)} AS VARCHAR)"
    what = "lists of values" if kind.endswith("]") else _NAMES.get(kind.partition("(")[0], kind.lower()[:40])
    raise UnreadableFile(
        path.name, f"its column “{name}” holds {what}, not single values", "Save the file without this column."
    )


def _refuse_damaged(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Look at every value once: damage inside the file would otherwise show in the middle of the work."""
    import duckdb

    try:
        connection.execute("SELECT max(hash(t)) FROM grid AS t").fetchall()
    except duckdb.Error as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> UnreadableFile:
    with path.open("rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    reason = "it is damaged or cut short" if is_parquet else "its contents are not Parquet"
    return UnreadableFile(path.name, reason)
