"""Parquet files: values as text exactly, what has no text refused by name, damage told in a sentence."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from workbench.data.engine import Engine
from workbench.data.layout import Layout
from workbench.data.opening import open_dataset
from workbench.data.readers import parquet, reader_for
from workbench.errors import UnreadableFile

VALUES = {  # each value as SQL writes it, and as it is read
    "VARCHAR": ("' 01001 '", "01001"),
    "blank": ("'  '", None),
    "absent": ("CAST(NULL AS INTEGER)", None),
    "INTEGER": ("CAST(-7 AS INTEGER)", "-7"),
    "BIGINT": ("CAST(9007199254740993 AS BIGINT)", "9007199254740993"),
    "UBIGINT": ("CAST(18446744073709551615 AS UBIGINT)", "18446744073709551615"),
    "DECIMAL": ("CAST('12345678901234567890.10' AS DECIMAL(38,2))", "12345678901234567890.10"),
    "DOUBLE": ("CAST(20567967.35 AS DOUBLE)", "20567967.35"),
    "whole": ("CAST(1001 AS DOUBLE)", "1001"),
    "third": ("CAST(1 AS DOUBLE) / 3", "0.3333333333333333"),
    "FLOAT": ("CAST(0.1 AS FLOAT)", "0.1"),
    "yes": ("true", "TRUE"),
    "no": ("false", "FALSE"),
    "DATE": ("DATE '2021-02-03'", "2021-02-03"),
    "TIMESTAMP": ("TIMESTAMP '2021-02-03 04:05:06.5'", "2021-02-03 04:05:06.5"),
    "TIMESTAMPTZ": ("TIMESTAMPTZ '2021-02-03 04:05:06+02:00'", "2021-02-03 02:05:06Z"),
    "TIME": ("TIME '01:02:03'", "01:02:03"),
}


def make(path: Path, query: str) -> Path:
    duckdb.connect().execute(f"COPY ({query}) TO '{str(path).replace(chr(39), chr(39) * 2)}' (FORMAT parquet)")
    return path


def read(path: Path) -> list[tuple[str | None, ...]]:
    engine = Engine()
    parquet.load(engine.connection, path, Layout())
    return engine.grid_rows(1, 1000)


def test_every_type_is_read_as_exact_text(tmp_path: Path) -> None:
    query = "SELECT " + ", ".join(f'{value} AS "{name}"' for name, (value, _) in VALUES.items())
    assert read(make(tmp_path / "f.parquet", query)) == [tuple(VALUES), tuple(text for _, text in VALUES.values())]


def test_moments_read_the_same_in_every_time_zone(tmp_path: Path) -> None:
    path = make(tmp_path / "f.parquet", "SELECT TIMESTAMPTZ '2021-02-03 04:05:06+02:00' AS t")
    engine = Engine()
    engine.connection.execute("SET GLOBAL TimeZone = 'America/New_York'")
    parquet.load(engine.connection, path, Layout())
    assert engine.grid_rows(2, 1) == [("2021-02-03 02:05:06Z",)]


NAMES = ["it's.parquet", "jobs[1].parquet", "a*b?.parquet", "zwei\nZeilen.parquet", "名前.parquet"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_taken_literally(tmp_path: Path, name: str) -> None:
    make(tmp_path / "jobs1.parquet", "SELECT 'wrong' AS x")
    make(tmp_path / "axbx.parquet", "SELECT 'wrong' AS x")
    make(tmp_path / "right", "SELECT 'right' AS x").rename(tmp_path / name)
    assert read(tmp_path / name) == [("x",), ("right",)]


def test_the_order_of_records_is_that_of_the_file(tmp_path: Path) -> None:
    path = make(tmp_path / "f.parquet", "SELECT range AS n FROM range(300000)")
    engine = Engine()
    parquet.load(engine.connection, path, Layout())
    assert engine.grid_height() == 300_001
    assert engine.grid_rows(250_000, 2) == [("249998",), ("249999",)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("[1, 2]", "“bad” holds lists of values"),
        ("MAP {'a': 1}", "“bad” holds lists of values"),
        ("{'x': 1}", "“bad” holds groups of values"),
        ("'a'::BLOB", "“bad” holds binary data"),
    ],
)
def test_what_is_no_single_value_is_refused_by_name(tmp_path: Path, value: str, words: str) -> None:
    with pytest.raises(UnreadableFile, match=words) as caught:
        read(make(tmp_path / "f.parquet", f"SELECT 1 AS good, {value} AS bad"))
    assert caught.value.remedy


def test_damage_is_told_in_a_sentence(tmp_path: Path) -> None:
    whole = make(tmp_path / "f.parquet", "SELECT range AS n, hash(range)::VARCHAR AS h FROM range(100000)").read_bytes()
    middle = len(whole) // 2
    for name, content in {
        "cut": whole[:-3000],
        "bent": whole[:middle] + bytes(byte ^ 0x5A for byte in whole[middle : middle + 5000]) + whole[middle + 5000 :],
        "short": b"PAR1",
    }.items():
        (tmp_path / f"{name}.parquet").write_bytes(content)
        with pytest.raises(UnreadableFile, match="damaged or cut short"):
            open_dataset(tmp_path / f"{name}.parquet")
    (tmp_path / "text.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(UnreadableFile, match="not Parquet"):
        open_dataset(tmp_path / "text.parquet")


def test_contents_tell_parquet_whatever_the_name(tmp_path: Path) -> None:
    assert reader_for(make(tmp_path / "jobs.csv", "SELECT 1 AS n")) is parquet


def test_a_name_duckdb_needs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="Rename the column"):
        read(make(tmp_path / "f.parquet", "SELECT 1 AS file_row_number"))
