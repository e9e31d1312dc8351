"""Files become data sets: values stay as they were written, bad files get a sentence."""

from __future__ import annotations

import gzip
from pathlib import Path

import duckdb
import openpyxl
import pytest

from workbench.data.dataset import ColumnKind
from workbench.data.layout import Layout
from workbench.data.opening import open_dataset, with_header_row
from workbench.errors import (
    Cancelled,
    DataError,
    EmptyFile,
    MissingFile,
    MissingHeader,
    MissingSheet,
    NotAFile,
    UnknownFormat,
    UnreadableFile,
)  # fmt: skip
from workbench.progress import Stoppable

CODES = ["01001", "31-33", "00", "1E5", "0.10"]


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def first_column(path: Path, **how: object) -> list[str | None]:
    dataset = open_dataset(path, **how)  # type: ignore[arg-type]
    return [row[0] for row in dataset.engine.grid_rows(dataset.header_row + 1, 100)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_codes_survive_delimited_text(tmp_path: Path, delimiter: str) -> None:
    rows = "\n".join(f"{code}{delimiter}x" for code in CODES)
    assert first_column(write(tmp_path / "f.csv", f"code{delimiter}name\n{rows}\n")) == CODES


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_are_recognised(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "f.csv", "stadt,zahl\nKöln,1\nZürich,2\n", encoding)
    assert first_column(path) == ["Köln", "Zürich"]
    assert open_dataset(path).columns[0].name == "stadt"


def test_codes_survive_a_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["code", "pay"], *([code, 1] for code in CODES)):
        sheet.append(row)
    book.save(tmp_path / "f.xlsx")
    assert first_column(tmp_path / "f.xlsx") == CODES


def test_parquet_is_read_without_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "it's.parquet"
    duckdb.sql('SELECT * FROM (VALUES (\'01\', 2.5), (\'02\', NULL)) t(code, "pay ""x""")').write_parquet(str(path))
    dataset = open_dataset(path)
    assert [column.name for column in dataset.columns] == ["code", 'pay "x"']
    assert dataset.columns[1].missing == 1
    assert dataset.engine.grid_rows(1, 9) == [("code", 'pay "x"'), ("01", "2.5"), ("02", None)]


def test_header_is_found_under_titles_and_can_be_corrected(tmp_path: Path) -> None:
    text = "Jobs 2025,,\nnot for publication,,\n\nplace,sector,pay\nunits,code,dollars\n001,11,5\n"
    dataset = open_dataset(write(tmp_path / "f.csv", text))
    assert (dataset.header_row, dataset.first_row, dataset.rows) == (4, 6, 1)  # the row of units names columns too
    assert [column.name for column in dataset.columns] == ["place | units", "sector | code", "pay | dollars"]
    corrected = with_header_row(dataset, 5)
    assert [column.name for column in corrected.columns] == ["units", "code", "dollars"]
    assert corrected.rows == 1


def test_repeated_and_empty_names_are_repaired_visibly(tmp_path: Path) -> None:
    dataset = open_dataset(write(tmp_path / "f.csv", "code,code,,name\n1,2,3,x\n"))
    assert [column.name for column in dataset.columns] == ["code", "code (2)", "column C", "name"]
    assert [finding.where for finding in dataset.findings] == ["B1", "C1"]


def test_numbers_are_judged_over_the_whole_column(tmp_path: Path) -> None:
    rows = "\n".join(["7,07,7"] * 30_000 + ["seven,08,D"])
    late, zeros, marked = open_dataset(write(tmp_path / "f.csv", f"late,zeros,marked\n{rows}\n")).columns
    assert (late.kind, zeros.kind, marked.kind) == (ColumnKind.TEXT, ColumnKind.CODE, ColumnKind.NUMBER)
    assert marked.suppressed == 1


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("empty.xlsx", b"", EmptyFile),
        ("spaces.csv", b"\n\n \n", EmptyFile),
        ("binary.csv", bytes(range(256)) * 40, UnreadableFile),
        ("text.xlsx", b"this is no workbook", UnreadableFile),
        ("text.parquet", b"this is no parquet", UnreadableFile),
        ("table.docx", b"PK", UnknownFormat),
        ("zipped.xlsx", gzip.compress(b"x" * 100), UnreadableFile),
    ],
)
def test_bad_files_get_a_sentence(tmp_path: Path, name: str, content: bytes, error: type[DataError]) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(error) as caught:
        open_dataset(path)
    assert name in str(caught.value)
    assert caught.value.remedy


def test_missing_file_folder_sheet_and_header(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        open_dataset(tmp_path / "none.csv")
    with pytest.raises(NotAFile):
        open_dataset(tmp_path)
    openpyxl.Workbook().save(tmp_path / "f.xlsx")
    with pytest.raises(MissingSheet, match="Its sheets are: Sheet"):
        open_dataset(tmp_path / "f.xlsx", Layout(sheet="jobs"))
    with pytest.raises(MissingHeader):
        open_dataset(write(tmp_path / "f.csv", "a,b\n1,2\n"), Layout(header_row=9))


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    progress = Stoppable()
    progress.cancel()
    with pytest.raises(Cancelled):
        open_dataset(write(tmp_path / "f.csv", "a,b\n1,2\n"), progress=progress)
