"""Stata, SPSS and SAS files: codes, exact numbers and ISO dates as text; declared missing codes stay visible."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from workbench.data.engine import Engine
from workbench.data.findings import Severity
from workbench.data.layout import Layout
from workbench.data.opening import open_dataset
from workbench.data.readers import statistical
from workbench.errors import UnreadableFile

TABLE = pd.DataFrame(
    {
        "code": ["01001", "31-33", ""],
        "pay": [1234.5, 20567967.35, None],
        "n": [1.0, 2.0, 9.0],
        "day": [date(2020, 1, 2), date(1960, 1, 1), None],
        "moment": [datetime(2020, 1, 2, 3, 4, 5), datetime(2020, 1, 2), None],
    }
)
EXPECTED = [
    ("code", "pay", "n", "day", "moment"),
    ("01001", "1234.5", "1", "2020-01-02", "2020-01-02 03:04:05"),
    ("31-33", "20567967.35", "2", "1960-01-01", "2020-01-02 00:00:00"),
    (None, None, "9", None, None),
]
WRITERS = {"dta": pyreadstat.write_dta, "sav": pyreadstat.write_sav, "xpt": pyreadstat.write_xport}


def grid(path: Path) -> Engine:
    engine = Engine()
    statistical.load(engine.connection, path, Layout())
    return engine


@pytest.mark.parametrize("ending", WRITERS)
def test_values_are_read_as_text(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"jobs.{ending}"
    WRITERS[ending](TABLE, str(path))
    assert grid(path).grid_rows(1, 9) == EXPECTED
    assert [column.name for column in open_dataset(path).columns] == list(EXPECTED[0])


def test_long_files_are_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistical, "_CELLS_AT_ONCE", 500)
    pyreadstat.write_sav(pd.DataFrame({"n": range(1750), "m": range(1750)}), str(tmp_path / "long.sav"))
    engine = grid(tmp_path / "long.sav")
    assert engine.grid_height() == 1751
    assert engine.grid_rows(1, 2000)[1:] == [(str(n), str(n)) for n in range(1750)]


def test_single_precision_reads_as_it_was_typed(tmp_path: Path) -> None:
    assert statistical._text(0.10000000149011612, "float") == "0.1"
    assert statistical._text(0.1, "double") == "0.1"


def test_labels_and_declared_missing_codes_are_said(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sav"
    labels = {"n": {1: "yes", 2: "no", 9: "refused"}}
    pyreadstat.write_sav(TABLE, str(path), variable_value_labels=labels, missing_ranges={"n": [9]})
    engine = Engine()
    reading = statistical.load(engine.connection, path, Layout())
    assert engine.grid_rows(4, 1)[0][2] == "9"
    assert [(finding.where, finding.severity) for finding in reading.findings] == [
        ("C1", Severity.NOTE),
        ("C1", Severity.WARNING),
    ]


@pytest.mark.parametrize("ending", statistical.SUFFIXES)
def test_other_contents_get_a_sentence(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"jobs{ending}"
    path.write_bytes(b"this is no such file\n" * 50)
    with pytest.raises(UnreadableFile, match="damaged"):
        open_dataset(path)


def test_a_file_cut_short_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "jobs.dta"
    pyreadstat.write_dta(pd.DataFrame({"n": range(5000)}), str(path))
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(UnreadableFile, match="damaged"):
        open_dataset(path)
