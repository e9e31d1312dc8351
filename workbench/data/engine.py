"""Where tables live and aggregates run: DuckDB inside the process, addressed through Ibis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

GRID = "grid"
RECORDS = "records"
ROW = "_row"


def quoted(name: str) -> str:
    """A column or table name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


class Engine:
    """One data set's tables: the sheet as it stands (`grid`) and the named records below the header (`records`)."""

    def __init__(self) -> None:
        import ibis

        self._ibis = ibis.duckdb.connect()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own for each caller, so that threads do not share one."""
        cursor: duckdb.DuckDBPyConnection = self._ibis.con.cursor()
        return cursor

    @property
    def records(self) -> Any:
        """The records as an Ibis table of text columns."""
        return self._ibis.table(RECORDS)

    @property
    def width(self) -> int:
        return len(self.connection.execute(f"SELECT * FROM {GRID} LIMIT 0").description) - 1

    def name_records(self, header_row: int, names: Sequence[str]) -> None:
        """Declare everything below the header row as records with these column names."""
        columns = ", ".join(f"c{at} AS {quoted(name)}" for at, name in enumerate(names))
        blank = " AND ".join(f"c{at} IS NULL" for at in range(len(names)))
        self.connection.execute(
            f"CREATE OR REPLACE VIEW {RECORDS} AS "
            f"SELECT {ROW}, {columns} FROM {GRID} WHERE {ROW} > {header_row} AND NOT ({blank})"
        )

    def grid_rows(self, start: int, count: int) -> list[tuple[str | None, ...]]:
        """Rows of the sheet as it stands, from a 1-based row."""
        cells = ", ".join(f"c{at}" for at in range(self.width))
        return self.connection.execute(
            f"SELECT {cells} FROM {GRID} WHERE {ROW} >= ? AND {ROW} < ? ORDER BY {ROW}", [start, start + count]
        ).fetchall()

    def grid_height(self) -> int:
        return int(self._value(f"SELECT coalesce(max({ROW}), 0) FROM {GRID}"))

    def record_count(self) -> int:
        return int(self._value(f"SELECT count(*) FROM {RECORDS}"))

    def _value(self, query: str) -> Any:
        row = self.connection.execute(query).fetchone()
        assert row is not None
        return row[0]
