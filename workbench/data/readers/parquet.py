"""Reads Parquet files without loading them whole: the grid is a view on the file, its first row the column names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data.engine import quoted
from workbench.errors import UnreadableFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".parquet",)


def sheets(path: Path) -> tuple[str, ...]:
    return ()


def load(connection: duckdb.DuckDBPyConnection, path: Path, sheet: str) -> None:
    import duckdb

    try:
        names = connection.read_parquet(str(path)).columns
    except duckdb.Error as error:
        raise UnreadableFile(path.name, "its contents are not Parquet") from error
    source = "read_parquet('" + str(path).replace("'", "''") + "', file_row_number = true)"
    header = ", ".join("'" + name.replace("'", "''") + f"' AS c{at}" for at, name in enumerate(names))
    cells = ", ".join(f"CAST({quoted(name)} AS VARCHAR) AS c{at}" for at, name in enumerate(names))
    connection.execute(
        f"CREATE OR REPLACE VIEW grid AS SELECT 1 AS _row, {header} "
        f"UNION ALL SELECT file_row_number + 2 AS _row, {cells} FROM {source}"
    )
