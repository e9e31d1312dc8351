"""Fills the table `grid` batch by batch with true rows and columns; a row without a value is not stored."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.data.header import letter
from workbench.errors import EmptyFile, FarCell, FileTooLarge

if TYPE_CHECKING:
    import duckdb

_BATCH = 100_000  # rows handed to the engine at once, or fewer if they hold much
_BATCH_CELLS = 2_000_000
_BATCH_BYTES = 128 * 1024**2
_MOST_CELLS = 100_000_000
_MOST_COLUMNS = 4_096  # wider tables take the engine gigabytes; a stray cell in the last column is the usual reason
_MOST_BYTES = 1024**3


@dataclass(frozen=True)
class _Block:
    rows: NDArray[np.int64]
    columns: Mapping[int, Any]  # text arrays; a column left out is blank


class GridWriter:
    """Takes rows in their order. One batch is written to the engine while the next is read."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, file: str, sheet: str) -> None:
        self._connection = connection
        self._file, self._sheet = file, sheet
        self._blocks: list[_Block] = []
        self._rows: list[tuple[int, Mapping[int, str]]] = []
        self._waiting = self._waiting_cells = self._waiting_bytes = 0
        self._stored = self._bytes = self._table_width = 0
        self._engine = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        self.height = self.width = 0

    def __enter__(self) -> GridWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        """Write what waits; afterwards the grid is complete."""
        try:
            if kind is None:
                self._pack_rows()
                self._flush()
                self._settle()
        finally:
            self._engine.shutdown()
        if kind is None and not self.height:
            raise EmptyFile(f"{self._file}, {self._sheet}" if self._sheet else self._file)

    def row(self, number: int, cells: Mapping[int, str]) -> None:
        """One row; blank texts are left out."""
        kept = _filled(cells)
        if not kept:
            return
        self._rows.append((number, kept))
        self._waiting_cells += len(kept)
        self._grow(number, 1, max(kept), sum(map(len, kept.values())))
        if len(self._rows) >= _BATCH or self._waiting_cells > _BATCH_CELLS or self._waiting_bytes > _BATCH_BYTES:
            self._pack_rows()

    def run(self, first_row: int, count: int, cells: Mapping[int, str]) -> None:
        """The same row many times over."""
        import pyarrow as pa

        kept = _filled(cells)
        if not kept:
            return
        self._pack_rows()
        self._grow(first_row + count - 1, count, max(kept), count * sum(map(len, kept.values())))
        step = max(1, _BATCH_CELLS // len(kept))
        for at in range(0, count, step):
            rows = np.arange(first_row + at, first_row + min(at + step, count))
            texts = {column: pa.array([text] * len(rows), pa.string_view()) for column, text in kept.items()}
            self._add(_Block(rows, texts))

    def block(self, rows: NDArray[np.int64], columns: Mapping[int, Any], size: int) -> None:
        """Many rows at once: their numbers, text arrays by column, and the bytes of text they hold."""
        if len(rows):
            self._pack_rows()
            self._grow(int(rows[-1]), len(rows), max(columns), size)
            self._add(_Block(rows, columns))

    def _pack_rows(self) -> None:
        if not self._rows:
            return
        import pyarrow as pa

        texts: dict[int, list[str | None]] = {}
        for at, (_, cells) in enumerate(self._rows):
            for column, text in cells.items():
                texts.setdefault(column, [None] * len(self._rows))[at] = text
        numbers = np.array([number for number, _ in self._rows], np.int64)
        self._rows, self._waiting_cells = [], 0
        self._add(_Block(numbers, {at: pa.array(column, pa.string_view()) for at, column in texts.items()}))

    def _add(self, block: _Block) -> None:
        self._blocks.append(block)
        self._waiting += len(block.rows)
        most = min(_BATCH, _BATCH_CELLS // self.width)
        if self._waiting >= most or self._waiting_bytes > _BATCH_BYTES:
            self._flush()

    def _flush(self) -> None:
        if not self._blocks:
            return
        import pyarrow as pa

        blank = {height: pa.nulls(height, pa.string_view()) for height in {len(block.rows) for block in self._blocks}}
        columns = [pa.chunked_array([pa.array(block.rows) for block in self._blocks])]
        for at in range(self.width):
            columns.append(pa.chunked_array([block.columns.get(at, blank[len(block.rows)]) for block in self._blocks]))
        batch = pa.table(columns, names=["_row", *(f"c{at}" for at in range(self.width))])
        self._blocks, self._waiting, self._waiting_bytes = [], 0, 0
        self._settle()
        self._writing = self._engine.submit(self._write, batch, self.width)

    def _settle(self) -> None:
        """Wait for the batch being written; what went wrong with it goes wrong here."""
        if self._writing is not None:
            self._writing.result()

    def _write(self, batch: Any, width: int) -> None:
        self._widen(width)
        self._connection.register("cells_read", batch)
        self._connection.execute("INSERT INTO grid SELECT * FROM cells_read")
        self._connection.unregister("cells_read")

    def _widen(self, width: int) -> None:
        """Make the table, or add the columns met since it was made."""
        if self._table_width == 0:
            names = ", ".join(["_row BIGINT", *(f"c{at} VARCHAR" for at in range(width))])
            self._connection.execute(f"CREATE OR REPLACE TABLE grid ({names})")
        elif self._table_width < width:
            added = ", ".join(f"CAST(NULL AS VARCHAR) AS c{at}" for at in range(self._table_width, width))
            self._connection.execute(f"CREATE OR REPLACE TABLE grid AS SELECT *, {added} FROM grid")
        self._table_width = width

    def _grow(self, last_row: int, rows: int, column: int, size: int) -> None:
        self.height, self.width = last_row, max(self.width, column + 1)
        self._stored += rows
        self._bytes += size
        self._waiting_bytes += size
        if self.width > _MOST_COLUMNS or self._stored * self.width > _MOST_CELLS:
            raise FarCell(self._file, self._sheet, f"{letter(self.width - 1)}{self.height}")
        if self._bytes > _MOST_BYTES:
            raise FileTooLarge(self._file, f"more than {_MOST_BYTES:,} bytes of text in its cells", f"{_MOST_BYTES:,}")


def _filled(cells: Mapping[int, str]) -> dict[int, str]:
    return {column: text for column, text in cells.items() if text and not text.isspace()}
