"""The CSV files: tidy, exact, in the order of the public lists, and honest about what was drawn."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from made_releases import released, tiny_plan

from workbench.data.schema import CodeList, Column, Role
from workbench.plan.plan import DataReference, Table
from workbench.release.release import Mode, Release
from workbench.report.tables import distinct, shown_columns, table_files, write_noisy_measurements, write_tables


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_table_has_one_row_per_cell_with_codes_labels_number_limits_and_note(live: Release, tmp_path: Path) -> None:
    first, *_ = write_tables(live, tmp_path)
    assert rows_of(first) == [
        ["place", "place_label", "sector", "jobs", "margin_95", "lower_95", "upper_95", "note"],
        ["001", "Alder & Ash", "11", "12", "1", "11", "13", ""],
        ["001", "Alder & Ash", "31-33", "0", "1", "0", "1", "[low]"],
        ["=1+1", "@home", "11", "0", "1", "0", "1", "[low]"],
        ["=1+1", "@home", "31-33", "1302", "1", "1301", "1303", ""],
        ["-3", '+"Cedar"\r\nLake', "11", "1", "1", "0", "2", ""],
        ["-3", '+"Cedar"\r\nLake', "31-33", "30", "1", "29", "31", ""],
    ]


def test_every_total_has_its_own_file_and_is_added_up_from_the_numbers_as_drawn(live: Release, tmp_path: Path) -> None:
    tables = {path.name: rows_of(path) for path in write_tables(live, tmp_path)}
    assert list(tables) == [
        "jobs-r1-place-sector.csv",
        "jobs-r1-total-place.csv",
        "jobs-r1-total-sector.csv",
        "jobs-r1-total.csv",
    ]
    assert [row[2] for row in tables["jobs-r1-total-place.csv"]] == ["jobs", "8", "1302", "31"]
    assert tables["jobs-r1-total.csv"][1][0] == "1341"


def test_only_text_is_quoted_and_lines_end_in_line_feeds(live: Release, tmp_path: Path) -> None:
    content = write_tables(live, tmp_path)[0].read_bytes()
    assert content.startswith(b'"place","place_label"')
    assert b'\n"001","Alder & Ash","11",12,1,11,13,""\n' in content
    assert content.endswith(b"\n") and not content.endswith(b"\n\n")
    assert content.count(b"\r") == 2, "only those inside the label itself"


def test_noisy_measurements_hold_the_numbers_as_drawn_and_no_totals(live: Release, tmp_path: Path) -> None:
    rows = rows_of(write_noisy_measurements(live, tmp_path))
    assert rows[0] == ["table", "statistic", "mechanism", "epsilon", "place", "sector", "value", "note"]
    assert rows[2] == ["place-sector", "count", "geometric", "2", "001", "31-33", "-4", ""]
    assert len(rows) == 1 + 6


def test_tables_with_different_keys_share_the_columns_of_the_noisy_measurements(tmp_path: Path) -> None:
    plan = replace(tiny_plan(), tables=(Table("a", ("place",)), Table("b", ("sector",))))
    rows = rows_of(write_noisy_measurements(released(plan), tmp_path))
    assert [row[:6] for row in rows[1:]] == [
        *(["a", "count", "geometric", "1", code, ""] for code in ("001", "=1+1", "-3")),
        *(["b", "count", "geometric", "1", "", code] for code in ("11", "31-33")),
    ]


def test_every_row_of_a_rehearsal_says_so_and_no_other(tmp_path: Path, rehearsal: Release, live: Release) -> None:
    for release, is_said in ((rehearsal, True), (live, False)):
        for path in (*write_tables(release, tmp_path), write_noisy_measurements(release, tmp_path)):
            assert all((row[-1].split(" ")[0] == "REHEARSAL") is is_said for row in rows_of(path)[1:]), path.name


def test_where_a_margin_would_leak_there_are_neither_limits_nor_marks(live: Release) -> None:
    columns = shown_columns(replace(live.tables[0], margin=None, limits=None))
    assert [column.name for column in columns] == ["place", "place_label", "sector", "jobs", "note"]
    assert set(columns[-1].values) == {""}


def test_a_key_keeps_its_name_when_it_is_called_like_a_column_of_ours() -> None:
    codes = CodeList.typed(("1", "2"))
    plan = replace(
        tiny_plan(),
        data=DataReference(None, "Frame", "Full-time jobs"),
        columns=(Column("note", Role.KEY, codes), Column("Full_Time_Jobs", Role.KEY, codes)),
        tables=(Table("odd", ("note", "Full_Time_Jobs")),),
    )
    names = [column.name for column in shown_columns(released(plan).tables[0])]
    assert names == ["note", "Full_Time_Jobs", "full_time_jobs_2", "margin_95", "lower_95", "upper_95", "note_2"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("../../etc/x", 'a"b\nc', "Ünïon 1"), ("jobs-r1-etc-x.csv", "jobs-r1-a-b-c.csv", "jobs-r1-Ünïon-1.csv")),
        (("Same", "same"), ("jobs-r1-Same.csv", "jobs-r1-same_2.csv")),
        (("//", "x" * 300), ("jobs-r1-table.csv", f"jobs-r1-{'x' * 80}.csv")),
    ],
)
def test_file_names_are_plain_and_never_the_same_twice(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    plan = replace(tiny_plan(), tables=tuple(Table(name, ("sector",)) for name in names))
    assert table_files(released(plan, Mode.LIVE)) == expected


def test_distinct_names_avoid_the_ones_they_would_be_numbered_into() -> None:
    assert distinct(["a", "A", "a_2", "a"]) == ["a", "A_2", "a_2_2", "a_3"]
