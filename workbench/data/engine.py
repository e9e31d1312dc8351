"""Where tables live and aggregates run: DuckDB inside the process, addressed through Ibis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.data.scratch import scratch_folder

if TYPE_CHECKING:
    import duckdb

_CLOSED = {  # nothing is fetched from anywhere while confidential records are open
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
GRID = "grid"
RECORDS = "records"
ROW = "_row"
HIDDEN_ROWS = "hidden_rows"


def quoted(name: str) -> str:
    """A column or table name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


class Engine:
    """One data set's tables: the sheet as it stands (`grid`) and the named records below the header (`records`)."""

    def __init__(self) -> None:
        import ibis

        self._ibis = ibis.duckdb.connect(temp_directory=scratch_folder(), **_CLOSED)

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

    def name_records(self, columns: Mapping[str, str], body: str) -> None:
        """Declare the records: what each column is called, the expression that makes it, and the rows they stand in."""
        named = ", ".join(f"{expression} AS {quoted(name)}" for name, expression in columns.items())
        self.connection.execute(f"CREATE OR REPLACE VIEW {RECORDS} AS SELECT {ROW}, {named} FROM {GRID} WHERE {body}")

    def grid_rows(self, start: int, count: int) -> list[tuple[str | None, ...]]:
        """Rows of the sheet as it stands, from a 1-based row, blank ones included."""
        cells = ", ".join(f"c{at}" for at in range(self.width))
        found = self.connection.execute(
            f"SELECT {ROW}, {cells} FROM {GRID} WHERE {ROW} >= ? AND {ROW} < ? ORDER BY {ROW}", [start, start + count]
        ).fetchall()
        rows = {row[0]: row[1:] for row in found}
        blank = (None,) * self.width
        return [rows.get(number, blank) for number in range(start, max(rows, default=start - 1) + 1)]

    def keep_hidden_rows(self, rows: Sequence[int]) -> None:
        """Keep a list of the hidden rows beside the grid."""
        self.connection.execute(
            f"CREATE OR REPLACE TABLE {HIDDEN_ROWS} AS SELECT unnest(?::BIGINT[]) AS {ROW}", [list(rows)]
        )

    def has_cells(self) -> bool:
        cells = ", ".join(f"c{at}" for at in range(self.width))
        query = f"SELECT 1 FROM {GRID} WHERE coalesce({cells}) IS NOT NULL LIMIT 1"
        return bool(cells) and self.connection.execute(query).fetchone() is not None

    def grid_height(self) -> int:
        return int(self._value(f"SELECT coalesce(max({ROW}), 0) FROM {GRID}"))

    def record_count(self) -> int:
        return int(self._value(f"SELECT count(*) FROM {RECORDS}"))

    def _value(self, query: str) -> Any:
        row = self.connection.execute(query).fetchone()
        assert row is not None
        return row[0]
