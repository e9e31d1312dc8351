"""Opens a file as a Dataset: chooses reader and sheet, finds the header, describes every column."""

from __future__ import annotations

import hashlib
from pathlib import Path

from workbench.data.dataset import ColumnFacts, ColumnKind, Dataset
from workbench.data.engine import RECORDS, Engine, quoted
from workbench.data.findings import Finding, Severity, Stage
from workbench.data.header import LOOK_AT, column_names, find_header, letter
from workbench.data.readers import reader_for
from workbench.errors import EmptyFile, MissingFile, MissingHeader, MissingSheet, NotAFile, UnreadableFile
from workbench.progress import Progress, Silent

_CHUNK = 1024 * 1024
_NUMBER = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"
_CODE = r"^[-+]?0\d"


def open_dataset(
    path: Path, sheet: str | None = None, header_row: int | None = None, progress: Progress | None = None
) -> Dataset:
    """Read a file. Sheet and header row are guessed when not given; the guess is in the result."""
    progress = progress or Silent()
    _refuse_unusable(path)
    reader = reader_for(path)
    progress.step(f"Looking at {path.name}")
    sheets = reader.sheets(path)
    chosen = _choose_sheet(path, sheets, sheet)
    progress.step("Reading the file")
    digest = _sha256(path, progress)
    engine = Engine()
    reader.load(engine.connection, path, chosen)
    progress.step("Finding the header and describing the columns")
    return _describe(path, sheets, chosen, header_row, digest, engine)


def with_header_row(dataset: Dataset, header_row: int) -> Dataset:
    """The same file with another row as its header; nothing is read again."""
    return _describe(dataset.path, dataset.sheets, dataset.sheet, header_row, dataset.sha256, dataset.engine)


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


def _choose_sheet(path: Path, sheets: tuple[str, ...], sheet: str | None) -> str:
    if sheet is not None and sheets and sheet not in sheets:
        raise MissingSheet(path.name, sheet, sheets)
    return sheet or (sheets[0] if sheets else "")


def _sha256(path: Path, progress: Progress) -> str:
    digest = hashlib.sha256()
    total = path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            progress.step("Reading the file", file.tell(), total)
    return digest.hexdigest()


def _describe(
    path: Path, sheets: tuple[str, ...], sheet: str, header_row: int | None, digest: str, engine: Engine
) -> Dataset:
    top = engine.grid_rows(1, LOOK_AT)
    if not any(cell is not None for row in top for cell in row):
        raise EmptyFile(f"{path.name}, {sheet}" if sheet else path.name)
    header_row = find_header(top) if header_row is None else header_row
    header = engine.grid_rows(header_row, 1)
    if not header or not any(header[0]):
        raise MissingHeader(path.name, header_row, engine.grid_height())
    names = column_names(header[0])
    engine.name_records(header_row, names)
    return Dataset(
        path=path, sheets=sheets, sheet=sheet, header_row=header_row, rows=engine.record_count(),
        columns=_column_facts(engine, names), sha256=digest, bytes=path.stat().st_size,
        findings=_name_findings(sheet, header_row, header[0], names), engine=engine,
    )  # fmt: skip


def _column_facts(engine: Engine, names: tuple[str, ...]) -> tuple[ColumnFacts, ...]:
    facts = []
    for at, name in enumerate(names):
        column = quoted(name)
        row = engine.connection.execute(
            f"SELECT count(*) - count({column}), bool_and(regexp_matches({column}, '{_NUMBER}')"
            f" AND NOT regexp_matches({column}, '{_CODE}')) FROM {RECORDS}"
        ).fetchone()
        assert row is not None
        missing, is_number = row
        examples = engine.connection.execute(
            f"SELECT {column} FROM (SELECT {column} FROM {RECORDS} WHERE {column} IS NOT NULL LIMIT 200) "
            f"GROUP BY {column} LIMIT 3"
        ).fetchall()
        kind = {None: ColumnKind.EMPTY, True: ColumnKind.NUMBER, False: ColumnKind.TEXT}[is_number]
        facts.append(ColumnFacts(name, letter(at), kind, missing, tuple(value for (value,) in examples)))
    return tuple(facts)


def _name_findings(
    sheet: str, header_row: int, header: tuple[str | None, ...], names: tuple[str, ...]
) -> tuple[Finding, ...]:
    prefix = f"{sheet}!" if sheet else ""
    return tuple(
        Finding(
            "column-renamed", Severity.NOTE, Stage.DATA, f"{prefix}{letter(at)}{header_row}",
            f"The column {'has no name' if cell is None else 'name is repeated'}; it is called “{name}” here.",
        )
        for at, (cell, name) in enumerate(zip(header, names, strict=True))
        if cell is None or " ".join(cell.split()) != name
    )  # fmt: skip
