"""Where the records stand in a sheet: below which header, above which footer, in which rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.data.dataset import RowCounts
from workbench.data.describing import blank_columns
from workbench.data.engine import GRID, HIDDEN_ROWS, ROW, Engine
from workbench.data.footer import LOOK_BACK, Footer, TailRow, find_footer, suspect_rows
from workbench.data.header import LOOK_AT, Header, Row, column_names, find_header, plain_names, value_columns
from workbench.data.layout import Hidden, Layout
from workbench.data.readers.reading import Reading
from workbench.errors import MissingHeader


@dataclass(frozen=True)
class Frame:
    """Where the records stand in the grid, and under which names."""

    top: Sequence[Row]  # the first rows of the sheet
    header: Header
    footer: Footer | None
    height: int
    width: int
    names: tuple[str, ...]
    plain: tuple[str, ...]
    dropped: tuple[int, ...]  # columns without name and value
    hidden_columns: tuple[int, ...]
    positions: tuple[int, ...]  # the columns of the records
    within: str  # the rows between header and footer, as a condition
    shown: str  # the same without hidden ones that are left out
    body: str  # the rows of the records: the same without blank ones

    @property
    def last(self) -> int:
        return self.footer.row - 1 if self.footer else self.height


def find_frame(name: str, engine: Engine, reading: Reading, layout: Layout) -> Frame:
    """The structure of the sheet in the engine; what the layout says about it comes before what it looks like."""
    height, width = engine.grid_height(), engine.width
    top = engine.grid_rows(1, LOOK_AT)
    header = _header(name, engine, reading, top, layout, height)
    rows = engine.grid_rows(header.row, header.rows)
    names = column_names(rows, reading.merges, header.row)
    plain = plain_names(rows, reading.merges, header.row)
    blank = blank_columns(engine, f"{ROW} > {header.last}")
    table = [at for at in range(width) if plain[at] or at not in blank]
    footer = None if reading.has_names else _footer(engine, header, table, layout, height)
    within = f"{ROW} > {header.last} AND {ROW} <= {footer.row - 1 if footer else height}"
    blank = blank_columns(engine, within) if footer else blank
    dropped = tuple(at for at in range(width) if not plain[at] and at in blank)
    hidden = tuple(at for at in reading.hidden_columns if at < width and at not in dropped)
    left_out = {*dropped, *(hidden if layout.hidden is Hidden.LEAVE_OUT else ())}
    positions = tuple(at for at in range(width) if at not in left_out)
    shown = _shown(within, layout, bool(reading.hidden_rows))
    return Frame(
        top, header, footer, height, width, names, plain, dropped, hidden, positions,
        within, shown, _without_blank_rows(engine, shown, positions),
    )  # fmt: skip


def _shown(within: str, layout: Layout, has_hidden_rows: bool) -> str:
    is_left_out = layout.hidden is Hidden.LEAVE_OUT and has_hidden_rows
    return f"{within} AND {ROW} NOT IN (SELECT {ROW} FROM {HIDDEN_ROWS})" if is_left_out else within


def _without_blank_rows(engine: Engine, shown: str, positions: Sequence[int]) -> str:
    """The condition with a test for blank rows if there are any: it would slow down every query of a wide table."""
    blank = f"SELECT 1 FROM {GRID} WHERE {shown} AND {_blank(positions)} LIMIT 1"
    has_blank = engine.connection.execute(blank).fetchone() is not None
    return f"{shown} AND NOT {_blank(positions)}" if has_blank else shown


def _blank(positions: Sequence[int]) -> str:
    cells = ", ".join(f"c{at}" for at in positions)
    return f"(coalesce({cells}) IS NULL)" if cells else "true"


def _header(
    name: str, engine: Engine, reading: Reading, top: Sequence[Row], layout: Layout, height: int
) -> Header:  # fmt: skip
    """The header that was asked for, or the one found, refused when its rows are blank."""
    if reading.has_names or (layout.header_row is not None and layout.header_row > LOOK_AT):
        header = Header(layout.header_row or 1)
    else:
        header = find_header(top, reading.merges, layout.header_row)
    header = replace(header, rows=layout.header_rows or header.rows)
    rows = engine.grid_rows(header.row, header.rows)
    if len(rows) < header.rows or not any(cell is not None for row in rows for cell in row):
        raise MissingHeader(name, header.row, height)
    return header


def _footer(engine: Engine, header: Header, table: Sequence[int], layout: Layout, height: int) -> Footer | None:
    """The footer that was asked for by its last row above it, or the one found."""
    if layout.last_row is not None:
        return _chosen_footer(engine, max(layout.last_row, header.last) + 1, height)
    tail = _tail(engine, max(header.last + 1, height - LOOK_BACK + 1), height)
    if not table or not tail:
        return None
    found = find_footer(tail, table[0], len(table), has_label_rows=False)
    if found and _has_label_rows(engine, header, found, table):
        return find_footer(tail, table[0], len(table), has_label_rows=True)
    return found


def _chosen_footer(engine: Engine, row: int, height: int) -> Footer | None:
    words = next((line.texts[0] for line in _tail(engine, row, height) if line.texts), "")
    return Footer(row, words) if row <= height else None


def _tail(engine: Engine, start: int, height: int) -> list[TailRow]:
    rows = engine.grid_rows(start, min(LOOK_BACK, height - start + 1))
    return [TailRow(start + at, row) for at, row in enumerate(rows)]


def _has_label_rows(engine: Engine, header: Header, footer: Footer, table: Sequence[int]) -> bool:
    """Whether some row of the table has nothing but its first cell, so that such a row alone is no sign of a note."""
    found = engine.connection.execute(
        f"SELECT 1 FROM {GRID} WHERE {ROW} > {header.last} AND {ROW} < {footer.row} AND c{table[0]} IS NOT NULL "
        f"AND {_blank(table[1:])} LIMIT 1"
    ).fetchone()
    return found is not None


def row_counts(engine: Engine, frame: Frame) -> RowCounts:
    """What became of every row of the sheet."""
    is_blank = _blank(frame.positions)
    records = _count(engine, frame.body)
    hidden = _count(engine, f"{frame.within} AND NOT {is_blank}") - records
    rows = frame.last - frame.header.last
    return RowCounts(
        above=frame.header.row - 1, header=frame.header.rows, records=records, blank=rows - records - hidden,
        hidden=hidden, footer=frame.height - frame.last,
    )  # fmt: skip


def hidden_records(engine: Engine, frame: Frame) -> tuple[int, int]:
    """How many rows of the table are hidden, and the first of them."""
    found = engine.connection.execute(
        f"SELECT count(*), coalesce(min({ROW}), 0) FROM {GRID} WHERE {frame.within} "
        f"AND NOT {_blank(range(frame.width))} AND {ROW} IN (SELECT {ROW} FROM {HIDDEN_ROWS})"
    ).fetchone()
    return found or (0, 0)


def first_blank_row(engine: Engine, frame: Frame) -> int:
    """The first row of the table without a value, whether the grid holds it or not."""
    filled = f"FROM {GRID} WHERE {frame.within} AND NOT {_blank(frame.positions)}"
    found = engine.connection.execute(
        f"WITH filled AS (SELECT {ROW} AS row, row_number() OVER (ORDER BY {ROW}) AS place {filled}) "
        f"SELECT coalesce(min(place) FILTER (row > place + {frame.header.last}), count(*) + 1) FROM filled"
    ).fetchone()
    return frame.header.last + int((found or (1,))[0])


def record_like_footer_rows(engine: Engine, frame: Frame) -> int:
    """How many rows below the last one have values in at least half of the columns."""
    filled = " + ".join(f"(c{at} IS NOT NULL)::INT" for at in frame.positions)
    return _count(engine, f"{ROW} > {frame.last} AND {filled} > greatest(1, {len(frame.positions)} // 2)")


def suspect_row(engine: Engine, frame: Frame, reading: Reading) -> TailRow | None:
    """The first of the last rows that may be notes rather than records."""
    start = max(frame.header.last + 1, frame.last - LOOK_BACK + 1)
    columns = value_columns(frame.top, reading.merges) & set(frame.positions)
    return suspect_rows(_tail(engine, start, frame.last), columns, len(frame.positions))


def _count(engine: Engine, where: str) -> int:
    found = engine.connection.execute(f"SELECT count(*) FROM {GRID} WHERE {where}").fetchone()
    return int((found or (0,))[0])
