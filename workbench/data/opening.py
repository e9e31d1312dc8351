"""Opens a file as a Dataset: chooses reader and sheet, finds header and footer, names and describes every column."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.data import remarks
from workbench.data.dataset import ColumnFacts, ColumnKind, Dataset, RowCounts
from workbench.data.describing import Described, describe, examples
from workbench.data.engine import Engine
from workbench.data.findings import Finding
from workbench.data.header import letter
from workbench.data.layout import Decimal, Layout, Meaning
from workbench.data.markers import with_meanings
from workbench.data.readers import reader_for, spreadsheet
from workbench.data.readers.reading import Reading, Sheet, Visibility
from workbench.data.structure import (
    Frame,
    find_frame,
    first_blank_row,
    hidden_records,
    record_like_footer_rows,
    row_counts,
    suspect_row,
)
from workbench.errors import EmptyFile, MissingFile, MissingSheet, NotAFile, UnreadableFile
from workbench.progress import Progress, Silent

_CHUNK = 1024 * 1024


@dataclass(frozen=True)
class _Source:
    """A file that was read into the engine, before anything is said about its structure."""

    path: Path
    sheets: tuple[Sheet, ...]
    empty: tuple[str, ...]  # sheets passed over because they have no cells
    sha256: str
    reading: Reading
    engine: Engine


def open_dataset(
    path: Path, layout: Layout | None = None, progress: Progress | None = None, password: str | None = None
) -> Dataset:
    """Read a file. What the layout leaves open is guessed; the guesses are in the result, with findings."""
    progress = progress or Silent()
    asked = layout or Layout()
    _refuse_unusable(path)
    progress.step(f"Looking at {path.name}")
    source = _read(path, asked, progress, password)
    progress.step("Finding the header and describing the columns")
    return _describe(source, asked)


def with_layout(
    dataset: Dataset, layout: Layout, progress: Progress | None = None, password: str | None = None
) -> Dataset:
    """The same file read in another way; what was read already is not read again when only its structure changes."""
    used = dataset.layout
    complete = layout.or_guess(
        sheet=used.sheet, encoding=used.encoding, delimiter=used.delimiter, quote=used.quote
    )  # fmt: skip
    if not complete.reads_like(used):
        return open_dataset(dataset.path, layout, progress, password)
    source = _Source(dataset.path, dataset.sheets, (), dataset.sha256, dataset.reading, dataset.engine)
    return _describe(source, layout)


def with_header_row(dataset: Dataset, header_row: int) -> Dataset:
    """The same file with another row as its header; nothing is read again."""
    return with_layout(dataset, replace(dataset.asked, header_row=header_row, header_rows=None))


# ---- reading --------------------------------------------------------------------------------------------------------


def _refuse_unusable(path: Path) -> None:
    try:
        if path.is_dir():
            raise NotAFile(path.name)
        if not path.exists():
            raise MissingFile(path.name)
        if path.stat().st_size == 0:
            raise EmptyFile(path.name)
        with path.open("rb"):
            pass
    except PermissionError as error:
        raise UnreadableFile(path.name, "you may not read it", "Ask for read access to it.") from error
    except OSError as error:
        raise MissingFile(path.name) from error


def _read(path: Path, layout: Layout, progress: Progress, password: str | None) -> _Source:
    reader = reader_for(path)
    secret = {"password": password} if password is not None and reader is spreadsheet else {}
    sheets: tuple[Sheet, ...] = reader.sheets(path, **secret)
    names = _candidates(path, sheets, layout.sheet)
    progress.step("Reading the file")
    digest = _sha256(path, progress)
    empty: list[str] = []
    for name in names:
        engine = Engine()
        try:
            reading = reader.load(engine.connection, path, replace(layout, sheet=name or None), **secret)
            if engine.has_cells():
                return _Source(path, sheets, tuple(empty), digest, reading, engine)
        except EmptyFile:
            pass
        empty.append(name)
    raise EmptyFile(f"{path.name}, {names[0]}" if len(names) == 1 and names[0] else path.name)


def _candidates(path: Path, sheets: Sequence[Sheet], asked: str | None) -> tuple[str, ...]:
    """The sheet that was asked for, or every sheet in turn until one has cells, visible ones first."""
    names = tuple(sheet.name for sheet in sheets)
    if asked is not None and names and asked not in names:
        raise MissingSheet(path.name, asked, names)
    if asked is not None and names:
        return (asked,)
    visible = sorted(sheets, key=lambda sheet: sheet.visibility is not Visibility.VISIBLE)
    return tuple(sheet.name for sheet in visible) or ("",)


def _sha256(path: Path, progress: Progress) -> str:
    digest = hashlib.sha256()
    total = path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            progress.step("Reading the file", file.tell(), total)
    return digest.hexdigest()


# ---- structure ------------------------------------------------------------------------------------------------------


def _describe(source: _Source, asked: Layout) -> Dataset:
    engine, reading = source.engine, source.reading
    engine.keep_hidden_rows(reading.hidden_rows)
    layout = _with_text_format(replace(asked, sheet=reading.sheet or None), reading)
    frame = find_frame(source.path.name, engine, reading, layout)
    layout = replace(layout, header_row=frame.header.row, header_rows=frame.header.rows)
    layout = replace(layout, last_row=frame.last if frame.footer else layout.last_row)
    described = describe(engine, frame.positions, frame.shown, layout)
    layout = with_meanings(layout, (mark for column in described for mark in column.marked))
    engine.name_records({frame.names[one.at]: one.expression for one in described}, frame.body)
    counts = row_counts(engine, frame)
    shown = examples(engine, described, frame.body)
    columns = tuple(_facts(one, frame.names[one.at], counts.records, shown[one.at]) for one in described)
    by_position = dict(zip(frame.positions, columns, strict=True))
    return Dataset(
        path=source.path, sheets=source.sheets, rows=counts.records, columns=columns,
        sheet_columns=tuple(by_position.get(at) or _left_out(at) for at in range(frame.width)), sha256=source.sha256,
        bytes=source.path.stat().st_size,
        findings=tuple(_findings(source, frame, described, counts, asked, layout)),
        asked=asked, layout=layout, reading=reading, row_counts=counts, engine=engine,
    )  # fmt: skip


def _with_text_format(layout: Layout, reading: Reading) -> Layout:
    if reading.text_format is None:
        return layout
    text = reading.text_format
    return layout.or_guess(
        encoding=text.encoding, delimiter=text.delimiter, quote=text.quote, decimal=Decimal(text.decimal)
    )


def _left_out(at: int) -> ColumnFacts:
    return ColumnFacts(name="", letter=letter(at), kind=ColumnKind.EMPTY, missing=0, examples=())


def _facts(one: Described, name: str, records: int, examples: tuple[str, ...]) -> ColumnFacts:
    return ColumnFacts(
        name=name, letter=letter(one.at), kind=one.kind, suppressed=one.marks(Meaning.SUPPRESSED),
        missing=records - one.values + one.marks(Meaning.MISSING), examples=examples,
        markers=one.marked, written=one.written,
    )  # fmt: skip


# ---- findings -------------------------------------------------------------------------------------------------------


def _findings(
    source: _Source, frame: Frame, described: Sequence[Described], counts: RowCounts, asked: Layout, layout: Layout
) -> Iterator[Finding]:
    sheet, engine, reading = layout.sheet or "", source.engine, source.reading
    names = {one.at: frame.names[one.at] for one in described}
    yield from reading.findings
    yield from remarks.sheet_remarks(source.sheets, layout, source.empty, asked.sheet is not None)
    yield from _hidden_findings(engine, reading, frame, layout)
    yield from remarks.value_remarks(reading, sheet)
    yield from remarks.header_remarks(frame.header, frame.top[: frame.header.row - 1], layout)
    yield from remarks.name_remarks(
        frame.header, frame.plain, {one.at: frame.names[one.at] for one in described}, sheet
    )
    yield from remarks.blank_column_remarks(frame.dropped, sheet, frame.header)
    yield from _footer_findings(engine, reading, frame, asked, sheet)
    yield from remarks.row_remarks(counts, first_blank_row(engine, frame) if counts.blank else 0, sheet)
    yield from remarks.decimal_remark(layout, asked, [one.written for one in described if one.written])
    for one in described:
        yield from remarks.column_remarks(one, names[one.at], layout, reading.percent_columns)
        yield from remarks.stored_as_text_remark(one, names[one.at], frame, reading)


def _hidden_findings(engine: Engine, reading: Reading, frame: Frame, layout: Layout) -> Iterator[Finding]:
    rows, first = hidden_records(engine, frame) if reading.hidden_rows else (0, 0)
    yield from remarks.hidden_remarks(rows, frame.hidden_columns, first, layout)


def _footer_findings(
    engine: Engine, reading: Reading, frame: Frame, asked: Layout, sheet: str
) -> Iterator[Finding]:  # fmt: skip
    is_chosen = asked.last_row is not None
    like_records = record_like_footer_rows(engine, frame) if frame.footer and is_chosen else 0
    suspect = None if is_chosen else suspect_row(engine, frame, reading)
    yield from remarks.footer_remarks(frame, like_records, suspect, sheet)
