"""Takes a stream of text apart into numbered rows: even ones in batches, uneven ones one by one into a second table.

Arrow's parser keeps blank lines, so that a row has the number Excel shows for it: a blank line is a row, a value with
line breaks is not. A row with fewer or more values than the others is handed over as text; it is taken apart here.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.readers.dialect import ONE_COLUMN, Dialect, is_left_open, split_record
from workbench.data.readers.text_stream import LONGEST_RECORD, Utf8Stream
from workbench.errors import FileTooLarge, UnreadableFile

if TYPE_CHECKING:
    import duckdb

MOST_COLUMNS = 16_384  # as many as Excel shows
EVEN, UNEVEN = "even_rows", "uneven_rows"
STAND_INS = ("\x1f", "\x1e")  # one byte each, for a delimiter and a quotation mark that have more
_AT_ONCE = 200_000
_LONGEST_VALUE = 2**31 - 1  # longer records never come so far
_MANY_LINES = 20
_LONG = 400
_END_OF_FILE = "\x1a"  # a last character that old programs write


@dataclass
class Place:
    """How often something was seen, and where first."""

    count: int = 0
    row: int = 0
    column: int = 0

    def note(self, row: int, column: int) -> None:
        if not self.count or (row, column) < (self.row, self.column):
            self.row, self.column = row, column
        self.count += 1


@dataclass
class Rows:
    """One file being taken apart. The dialect is that of the stream: its delimiter and quotation mark are ASCII."""

    connection: duckdb.DuckDBPyConnection
    stream: Utf8Stream
    dialect: Dialect
    filled: set[int] = field(default_factory=set)  # columns that hold anything
    longer: Place = field(default_factory=Place)
    many_lines: Place = field(default_factory=Place)

    def __post_init__(self) -> None:
        self._next = 1
        self._uneven: list[tuple[int, list[str]]] = []
        self._uneven_cells = 0
        self._uneven_width = 0
        self._set_aside: list[int] = []
        self._last_value = ""
        self._failure: Exception | None = None

    def read(self) -> None:
        """Fill the tables of even and uneven rows."""
        import pyarrow as pa

        csv.field_size_limit(_LONGEST_VALUE)
        names = [f"c{at}" for at in range(self.dialect.width)]
        schema = pa.schema([("_row", pa.int64()), *((name, pa.string()) for name in names)])
        self.connection.execute(f"CREATE OR REPLACE TABLE {UNEVEN} (_row BIGINT)")
        self.connection.register("rows_read", pa.RecordBatchReader.from_batches(schema, self._batches(names)))
        cells = "".join(f", nullif({name}, '') AS {name}" for name in names)
        try:
            self.connection.execute(f"CREATE OR REPLACE TABLE {EVEN} AS SELECT _row{cells} FROM rows_read")
        except Exception as error:
            raise self._failure or error from error
        finally:
            self.connection.unregister("rows_read")
        self._check_end()
        self._keep_uneven()

    @property
    def width(self) -> int:
        return max(self.filled, default=0) + 1

    def make_grid(self) -> None:
        """One view of both tables, as wide as there are values."""
        parts = [_select(EVEN, self.dialect.width, self.width)]
        if self._uneven_width:
            parts.append(_select(UNEVEN, self._uneven_width, self.width))
        self.connection.execute(f"CREATE OR REPLACE VIEW grid AS {' UNION ALL '.join(parts)}")

    def _batches(self, names: Sequence[str]) -> Iterator[Any]:
        try:
            for batch in self._parser(names):
                yield self._numbered(batch)
        except Exception as error:  # DuckDB would only pass its words on
            self._failure = self._failure or error
            raise

    def _parser(self, names: Sequence[str]) -> Any:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        delimiter, quote = self.dialect.delimiter or ONE_COLUMN, self.dialect.quote or False
        return arrow_csv.open_csv(
            pa.PythonFile(self.stream, mode="r"),
            # Without threads, so that the parser knows the numbers of the rows it sets aside.
            read_options=arrow_csv.ReadOptions(use_threads=False, block_size=LONGEST_RECORD, column_names=names),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, quote_char=quote, newlines_in_values=quote is not False,
                ignore_empty_lines=False, invalid_row_handler=self._set_row_aside,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )  # fmt: skip

    def _numbered(self, batch: Any) -> Any:
        """The rows of a batch with their numbers, their values without blanks around them."""
        import pyarrow as pa
        import pyarrow.compute as pc

        numbers = self._numbers(batch.num_rows)
        columns = []
        for at, column in enumerate(batch.columns):
            for given, stand_in in self.stream.stand_ins.items():
                column = pc.replace_substring(column, stand_in, given)
            trimmed = pc.utf8_trim_whitespace(column)
            self._look_at(at, trimmed, numbers)
            columns.append(trimmed)
        if batch.num_rows:
            self._last_value = columns[-1][-1].as_py()
        return pa.record_batch([pa.array(numbers), *columns], ["_row", *batch.schema.names])

    def _check_end(self) -> None:
        """A value with line breaks was quoted; if it is the last, the file must end with the quotation mark."""
        is_quoted = any(end in self._last_value for end in "\r\n")
        if is_quoted and not self.stream.tail.rstrip().endswith(self.dialect.quote.encode()):
            raise left_open(self.stream.source.name, self._next - 1)

    def _numbers(self, count: int) -> Any:
        """The next row numbers, without those of rows set aside."""
        following = np.arange(self._next, self._next + count + len(self._set_aside))
        numbers = following[~np.isin(following, self._set_aside)][:count]
        if count:
            self._next = int(numbers[-1]) + 1
            self._set_aside = [number for number in self._set_aside if number >= self._next]
        return numbers

    def _look_at(self, at: int, column: Any, numbers: Any) -> None:
        ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(column) + 1]
        if ends[-1] == ends[0]:
            return
        self.filled.add(at)
        for place in np.flatnonzero(np.diff(ends) > _LONG):
            self._look_at_value(column[int(place)].as_py(), int(numbers[place]), at)

    def _look_at_value(self, value: str, row: int, column: int) -> None:
        if value.count("\n") > _MANY_LINES or value.count("\r") > _MANY_LINES:
            self.many_lines.note(row, column)

    def _set_row_aside(self, row: Any) -> str:
        try:
            self._take_uneven(row)
        except Exception as error:  # the parser would pass over it
            self._failure = error
            return "error"
        return "skip"

    def _take_uneven(self, row: Any) -> None:
        self._set_aside.append(row.number)
        if row.actual_columns > MOST_COLUMNS:
            raise FileTooLarge(self.stream.source.name, f"{row.actual_columns:,} columns", f"{MOST_COLUMNS:,}")
        values = self._taken_apart(row.text, row.number)
        if self._uneven_cells > _AT_ONCE:
            self._keep_uneven()
        self._uneven.append((row.number, values))
        self._uneven_cells += len(values) + 1
        self._note_uneven(row.number, values)

    def _taken_apart(self, text: str, number: int) -> list[str]:
        delimiter, quote = self.dialect.delimiter, self.dialect.quote
        if is_left_open(text, delimiter, quote):
            raise left_open(self.stream.source.name, number)
        values = split_record(text, delimiter, quote) if delimiter else [text]
        for given, stand_in in self.stream.stand_ins.items():
            values = [value.replace(stand_in, given) for value in values]
        return [value.strip() for value in values] if text != _END_OF_FILE else []

    def _note_uneven(self, number: int, values: Sequence[str]) -> None:
        filled = [at for at, value in enumerate(values) if value]
        self.filled.update(filled)
        if filled and filled[-1] >= self.dialect.width:
            self.longer.note(number, self.dialect.width)
        for at in filled:
            if len(values[at]) > _LONG:
                self._look_at_value(values[at], number, at)

    def _keep_uneven(self) -> None:
        """Put the uneven rows seen so far into their table, which grows as wide as they are."""
        import pyarrow as pa

        if not self._uneven:
            return
        width = max(len(values) for _, values in self._uneven)
        cursor = self.connection.cursor()
        for at in range(self._uneven_width, width):
            cursor.execute(f"ALTER TABLE {UNEVEN} ADD COLUMN c{at} VARCHAR")
        self._uneven_width = max(self._uneven_width, width)
        rows = [[values[at] or None if at < len(values) else None for _, values in self._uneven] for at in range(width)]
        numbers = pa.array([number for number, _ in self._uneven], pa.int64())
        cells = [pa.array(row, pa.string()) for row in rows]
        table = pa.table([numbers, *cells], names=["_row", *(f"c{at}" for at in range(width))])
        cursor.register("uneven_read", table)
        cursor.execute(f"INSERT INTO {UNEVEN} BY NAME SELECT * FROM uneven_read")
        cursor.unregister("uneven_read")
        self._uneven, self._uneven_cells = [], 0


def left_open(name: str, row: int) -> UnreadableFile:
    return UnreadableFile(
        name, f"a quotation mark in row {row:,} is never closed", "Close it, or choose another quotation mark or none."
    )


def _select(table: str, has: int, wants: int) -> str:
    cells = "".join(f", {f'c{at}' if at < has else 'CAST(NULL AS VARCHAR)'} AS c{at}" for at in range(wants))
    return f"SELECT _row{cells} FROM {table}"
