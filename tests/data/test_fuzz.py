"""Damaged files by the thousand, from fixed seeds: each is read or refused with a sentence, soon, and loses nothing."""

from __future__ import annotations

import csv
import io
import random
import signal
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import openpyxl
import pytest

from workbench.data.dataset import Dataset
from workbench.data.findings import Severity
from workbench.data.opening import open_dataset
from workbench.errors import WorkbenchError

MOST_SECONDS = 10
Damage = Callable[[random.Random, bytes], bytes]


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Stop what hangs, where the system can."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"still at it after {seconds} seconds")

    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def read_or_refused(path: Path) -> Dataset | None:
    """The data set, or None when the file was refused as it should be: with a sentence that names it."""
    with within(MOST_SECONDS):
        try:
            dataset = open_dataset(path)
        except WorkbenchError as error:
            assert path.name in str(error)
            assert str(error).endswith(".")
            return None
    assert dataset.row_counts.total == dataset.engine.grid_height()
    assert dataset.row_counts.records == dataset.rows == dataset.engine.record_count()
    assert len({column.name for column in dataset.columns}) == len(dataset.columns)
    return dataset


# ---- damage


def flipped(chance: random.Random, content: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 3, 30))):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def truncated(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(1, len(content))]


def cut_out(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.randrange(1, 200) :]


def doubled(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[: start + 100] + content[start:]


def spliced(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + chance.choice(SPLICES) + content[at:]


SPLICES = (
    b"<", b">", b"&", b"]]>", b"\0", b"\xff\xfe", b'"', b"\n", b",,,,", b'r="XFD1048576"', b"<v>", b"</row>", b"&#0;",
    b'<c r="A1"><v>1e999</v></c>', b' t="e"', b' t="s"', b"-99999999999", b"<!ENTITY a 'b'>",
    b'<mergeCell ref="A1:ZZ9"/>',
)  # fmt: skip
DAMAGES: tuple[Damage, ...] = (flipped, truncated, cut_out, doubled, spliced)


def in_a_part(damage: Damage) -> Damage:
    """The same damage inside one part of the package, which stays a sound package."""

    def damaged(chance: random.Random, content: bytes) -> bytes:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = {name: package.read(name) for name in package.namelist()}
        name = chance.choice(
            [name for name in parts if "sheet" in name or "String" in name or "styles" in name or "workbook" in name]
        )
        parts[name] = damage(chance, parts[name])
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as package:
            for part, text in parts.items():
                package.writestr(part, text)
        return out.getvalue()

    return damaged


@pytest.fixture(scope="module")
def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Jobs by place"], ["place", 2019, None], [None, "men", "women"], ["001", 5, "(D)"], ["002", 2.5, True],
                ["003", "=B4+B5", "=1/0"], ["Source: nobody"]):  # fmt: skip
        sheet.append(row)
    sheet.merge_cells("B2:C2")
    sheet.row_dimensions[5].hidden = True
    book.create_sheet("notes").append(["a", "b"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize("seed", range(10))
def test_damaged_workbooks(tmp_path: Path, workbook: bytes, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "f.xlsx"
    outcomes = set()
    for _ in range(100):
        path.write_bytes(chance.choice(DAMAGES)(chance, workbook))
        outcomes.add(read_or_refused(path) is None)
    assert True in outcomes


@pytest.mark.parametrize("seed", range(10))
def test_damaged_parts_of_sound_packages(tmp_path: Path, workbook: bytes, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "f.xlsx"
    outcomes = set()
    for _ in range(20):
        path.write_bytes(in_a_part(chance.choice(DAMAGES))(chance, workbook))
        outcomes.add(read_or_refused(path) is None)
    assert outcomes == {True, False}


@pytest.mark.parametrize("seed", range(8))
def test_damaged_text(tmp_path: Path, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "f.csv"
    content = ("Jobs;;\nplace;pay;Größe\n" + "".join(f'{at:03};"1.{at:03},5";ä{at}\n' for at in range(20))).encode()
    for _ in range(15):
        path.write_bytes(chance.choice(DAMAGES)(chance, content))
        read_or_refused(path)


# ---- nothing is lost


CELLS = (
    "5",
    "7.5",
    "001",
    "(D)",
    "S",
    "–",
    "1,234",
    "x",
    "Source: a",
    "Total",
    "2019",
    "2020-01-01",
    "TRUE",
    "",
    "",
    " ",
)


def messy_rows(chance: random.Random) -> list[list[str]]:
    """Rows that are no row of blanks at the end: titles, a header, records with anything in them, notes."""
    width = chance.randrange(1, 6)
    header = [f"name {at}" for at in range(width)]
    titles = [["Jobs"] + [""] * (width - 1) for _ in range(chance.randrange(3))] if width > 1 else []
    body = [[chance.choice(CELLS) for _ in range(width)] for _ in range(chance.randrange(1, 12))]
    notes = [["Note: rounded"] + [""] * (width - 1)] if width > 1 and chance.random() < 0.5 else []
    return [*titles, header, *body, ["end"] + ["1"] * (width - 1), *notes]


@pytest.mark.parametrize("seed", range(8))
def test_every_row_is_read_or_told_to_be_left_out(tmp_path: Path, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "f.csv"
    for _ in range(15):
        rows = messy_rows(chance)
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        dataset = read_or_refused(path)
        assert dataset is not None
        counts = dataset.row_counts
        assert counts.total == len(rows)
        told = [finding for finding in dataset.findings if finding.check in ("rows-left-out", "header-found")]
        unrecorded = counts.above + counts.blank + counts.footer + (counts.header - 1)
        assert bool(told) or unrecorded == 0
        assert all(finding.severity is not Severity.BLOCK for finding in dataset.findings)
        assert values_of(dataset) == expected_values(rows, dataset)


def values_of(dataset: Dataset) -> list[list[str | None]]:
    """The cells of the records as they stand in the sheet."""
    filled = " OR ".join(f"c{at} IS NOT NULL" for at in range(dataset.engine.width))
    cells = ", ".join(f"c{at}" for at in range(dataset.engine.width))
    last = dataset.layout.last_row or dataset.engine.grid_height()
    rows = dataset.engine.connection.execute(
        f"SELECT {cells} FROM grid WHERE _row BETWEEN {dataset.first_row} AND {last} AND ({filled}) ORDER BY _row"
    ).fetchall()
    assert len(rows) == dataset.rows
    return [list(row) for row in rows]


def expected_values(rows: list[list[str]], dataset: Dataset) -> list[list[str | None]]:
    last = dataset.layout.last_row or len(rows)
    body = rows[dataset.first_row - 1 : last]
    return [[cell if cell.strip() else None for cell in row] for row in body if any(cell.strip() for cell in row)]
