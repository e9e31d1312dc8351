"""Header, footer, blank and hidden parts of messy sheets: found, named, left out where anyone can see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest

from workbench.data.dataset import ColumnKind, Dataset
from workbench.data.findings import Severity, blocking
from workbench.data.header import column_names, find_header
from workbench.data.layout import Hidden, Layout
from workbench.data.opening import open_dataset, with_header_row, with_layout
from workbench.data.readers.reading import Merge, Visibility
from workbench.errors import MissingHeader


def rows_of(text: str) -> list[tuple[str | None, ...]]:
    """A sheet drawn as lines: cells between bars, blank where nothing stands."""
    lines = [line[1:-1].split("|") for line in text.splitlines()]
    return [tuple(cell.strip() or None for cell in line) for line in lines]


def csv(folder: Path, text: str) -> Path:
    (folder / "f.csv").write_text(text, encoding="utf-8")
    return folder / "f.csv"


def workbook(
    folder: Path,
    rows: Sequence[Sequence[Any]],
    merges: Sequence[str] = (),
    hidden_rows: Sequence[int] = (),
    hidden_columns: Sequence[str] = (),
) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "jobs"
    for row in rows:
        sheet.append(row)
    for cells in merges:
        sheet.merge_cells(cells)
    for row in hidden_rows:
        sheet.row_dimensions[row].hidden = True
    for column in hidden_columns:
        sheet.column_dimensions[column].hidden = True
    book.save(folder / "f.xlsx")
    return folder / "f.xlsx"


def names(dataset: Dataset) -> list[str]:
    return [column.name for column in dataset.columns]


def said(dataset: Dataset, check: str) -> list[tuple[str, str]]:
    return [(finding.where, finding.what) for finding in dataset.findings if finding.check == check]


def records(dataset: Dataset) -> list[tuple[Any, ...]]:
    return dataset.engine.connection.execute("SELECT * EXCLUDE (_row) FROM records ORDER BY _row").fetchall()


# ---- header


@pytest.mark.parametrize(
    ("sheet", "place", "expected"),
    [
        ("|place|pay|\n|a|5|\n|b|6|", (1, 1), ["place", "pay"]),
        ("|Jobs 2025||\n|[thousands]||\n|||\n|place|pay|\n|a|5|", (4, 1), ["place", "pay"]),
        ("|place|2019|2020|\n|a|5|7|\n|b|6|8|", (1, 1), ["place", "2019", "2020"]),
        ("|table with headers in row 2||\n|area|2010-04-01 00:00:00|\n|a|308745538|", (2, 1), ["area", "2010-04-01"]),
        ("|some|notes at||\n||over|three|\n|name|age|born|\n|ann|5|2001-01-01|", (3, 1), ["name", "age", "born"]),
        ("|place|pay|hours|\n|code|dollars|number|\n|001|5|7|\n|002|6|8|", (1, 2),
         ["place | code", "pay | dollars", "hours | number"]),
        ("|name|weight|\n|(at birth)|(in grams)|\n|Clippy|0.9|", (1, 2), ["name | (at birth)", "weight | (in grams)"]),
        ("|A|A|B|B|\n|key|val|key|val|\n|1|2|3|4|\n|5|6|7|8|", (1, 2), ["A | key", "A | val", "B | key", "B | val"]),
        ("||2018|||2019||\n|place|men|women|all|men|women|\n|a|1|2|3|4|5|\n|b|1|2|3|4|5|", (1, 2),
         ["place", "2018 | men", "2018 | women", "2018 | all", "2019 | men", "2019 | women"]),
        ("||x|y|\n|a|1|2|\n|b|3|4|", (1, 1), ["column A", "x", "y"]),
    ],
)  # fmt: skip
def test_header_is_found_and_its_levels_joined(sheet: str, place: tuple[int, int], expected: list[str]) -> None:
    rows = rows_of(sheet)
    header = find_header(rows)
    assert (header.row, header.rows, header.is_sure) == (*place, True)
    assert list(column_names(rows[header.row - 1 : header.last], (), header.row)) == expected


def test_merged_cells_say_which_columns_a_name_stands_over() -> None:
    rows = rows_of("|Occupation|2018||||\n||Men||Women||\n||full|part|full|part|\n|a|1|2|3|4|\n|b|1|2|3|4|")
    merges = (Merge(1, 3, 0, 0), Merge(1, 1, 1, 4), Merge(2, 2, 1, 2), Merge(2, 2, 3, 4))
    header = find_header(rows, merges)
    assert (header.row, header.rows) == (1, 3)
    assert column_names(rows[:3], merges) == (
        "Occupation", "2018 | Men | full", "2018 | Men | part", "2018 | Women | full", "2018 | Women | part"
    )  # fmt: skip


@pytest.mark.parametrize(
    "first_record",
    ["|a|unknown|7|", "|a|(D)|S|", "|blah blah|blah blah|blah|", "|a|–|–|", "|a|2019|unknown|"],
)
def test_a_first_record_of_words_or_marks_is_never_taken_into_the_header(first_record: str) -> None:
    header = find_header(rows_of(f"|place|pay|hours|\n{first_record}\n|b|5|7|\n|c|6|8|\n|d|6|8|"))
    assert (header.row, header.rows) == (1, 1)


def test_a_sheet_without_column_names_is_told(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "1,2\n3,4\n5,6\n"))
    assert [finding.severity for finding in dataset.findings if finding.check == "header-found"] == [Severity.WARNING]


def test_titles_above_and_joined_levels_are_told_with_their_rows(tmp_path: Path) -> None:
    path = workbook(
        tmp_path,
        [["Jobs by sex"], ["area", 2018, None], [None, "men", "women"], ["a", 1, 2], ["b", 3, 4]],
        ["A1:C1", "A2:A3", "B2:C2"],
    )
    dataset = open_dataset(path)
    assert names(dataset) == ["area", "2018 | men", "2018 | women"]
    assert (dataset.header_row, dataset.layout.header_rows, dataset.first_row, dataset.rows) == (2, 2, 4, 2)
    assert said(dataset, "rows-left-out") == [("jobs!A1", "Row 1 above the header holds no records: “Jobs by sex”")]
    assert said(dataset, "header-found")[0][0] == "jobs!A2:A3"


def test_header_rows_can_be_corrected_and_nothing_is_read_again(tmp_path: Path) -> None:
    path = csv(tmp_path, "place,pay\ncode,dollars\n001,5\n002,6\n")
    dataset = open_dataset(path)
    assert names(dataset) == ["place | code", "pay | dollars"]
    path.unlink()
    path.write_text("gone")
    one = with_layout(dataset, Layout(header_row=1, header_rows=1))
    assert (names(one), one.rows) == (["place", "pay"], 3)
    two = with_header_row(one, 2)
    assert (names(two), two.rows) == (["code", "dollars"], 2)
    with pytest.raises(MissingHeader):
        with_layout(dataset, Layout(header_row=5))


def test_another_delimiter_reads_the_file_again(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "a;b\n1;2\n"))
    assert names(with_layout(dataset, Layout(delimiter=","))) == ["a;b"]


def test_repeated_names_never_collide_with_names_there_are(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "Code,Code,Code (2),,Code\nx,y,z,u,v\n"))
    assert names(dataset) == ["Code", "Code (3)", "Code (2)", "column D", "Code (4)"]
    assert [where for where, _ in said(dataset, "column-renamed")] == ["B1", "D1", "E1"]


# ---- footer, blank rows and columns


@pytest.mark.parametrize(
    ("below", "kept"),
    [
        ("Source: BLS,\nApril 2023,\n", 2),
        (",\nSOURCE:  BLS,\nApril 2023,\n", 2),
        (",\nAll figures are rounded.,\n", 2),
        ("NOTE: Dashes are not zero,\n", 2),
        ("(1) Revised,\n* Preliminary,\n", 2),
        ("1/ Revised,\n", 2),
        ("Wyoming,\n", 3),
        ("Sourceville,\n", 3),
        (",\nWyoming,7\n", 3),
        ("Notes: a,\nWyoming,7\n", 4),
    ],
)
def test_footer_is_left_out_and_records_never_are(tmp_path: Path, below: str, kept: int) -> None:
    dataset = open_dataset(csv(tmp_path, f"area,pay\na,5\nb,6\n{below}"))
    assert dataset.rows == kept
    assert dataset.row_counts.total == dataset.engine.grid_height()
    told = [what for _, what in said(dataset, "rows-left-out") if "below the table" in what]
    assert bool(told) == (dataset.row_counts.footer > 0)


def test_rows_with_a_label_alone_keep_a_lone_label_at_the_end(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "area,pay\nNorth,\na,5\n,\nSouth,\n"))
    assert (dataset.rows, dataset.row_counts.blank, dataset.row_counts.footer) == (3, 1, 0)


def test_words_under_values_are_pointed_out_and_the_last_row_can_be_chosen(tmp_path: Path) -> None:
    text = "name,age,born\nann,5,2001-01-01\nbob,6,2002-01-01\nSome,,\n,like to write,\n,,too!\n"
    dataset = open_dataset(csv(tmp_path, text))
    assert dataset.rows == 5
    (finding,) = [one for one in dataset.findings if "words and no values" in one.what]
    assert (finding.where, finding.severity) == ("A4", Severity.WARNING)
    assert "choose 3 as the last row" in finding.remedy
    cut = with_layout(dataset, Layout(last_row=3))
    assert (cut.rows, cut.row_counts.footer, [column.kind for column in cut.columns]) == (
        2, 3, [ColumnKind.TEXT, ColumnKind.NUMBER, ColumnKind.DATE],
    )  # fmt: skip


def test_a_chosen_last_row_that_cuts_records_off_is_a_warning(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "a,b\n1,2\n3,4\n5,6\n"), Layout(last_row=2))
    (finding,) = [one for one in dataset.findings if one.check == "rows-left-out"]
    assert (dataset.rows, finding.severity, finding.where) == (1, Severity.WARNING, "A3:A4")
    assert "2 rows that look like records" in finding.what


def test_a_guessed_last_row_is_not_written_into_a_plan(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "area,pay\na,5\nSource: BLS,\n"))
    assert dataset.layout.last_row == 2
    assert dataset.chosen == Layout(header_row=1)
    path = csv(tmp_path, "area,pay\na,5\nb,6\nSource: BLS,\n")
    assert open_dataset(path, dataset.chosen).rows == 2


def test_blank_rows_and_columns_are_passed_over_visibly(tmp_path: Path) -> None:
    rows = [["a", None, "b", None], [1, None, 2], [None], [None], [3, None, 4]]
    dataset = open_dataset(workbook(tmp_path, rows))
    assert (names(dataset), dataset.rows) == (["a", "b"], 2)
    assert [facts.name for facts in dataset.sheet_columns[:3]] == ["a", "", "b"]
    assert ("jobs!A3", "2 blank rows are passed over, the first in row 3.") in said(dataset, "rows-left-out")
    assert said(dataset, "columns-left-out")[0][1].startswith("Column B has neither a name nor a value")


def test_a_named_blank_column_is_kept(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "a,b,c\n1,,2\n"))
    assert [(column.name, column.kind) for column in dataset.columns][1] == ("b", ColumnKind.EMPTY)


def test_a_header_alone_has_no_records(tmp_path: Path) -> None:
    dataset = open_dataset(csv(tmp_path, "area,pay\n"))
    assert (dataset.rows, names(dataset)) == (0, ["area", "pay"])
    assert any("no records" in finding.what for finding in dataset.findings)


# ---- hidden parts


ROWS = [["name", "pay", "flag"], ["ann", 5, "x"], ["bob", 6, "y"], ["cat", 7, "z"]]


def test_hidden_parts_stop_a_release_until_somebody_decides(tmp_path: Path) -> None:
    dataset = open_dataset(workbook(tmp_path, ROWS, hidden_rows=[3], hidden_columns=["C"]))
    (stop,) = blocking(dataset.findings)
    assert (stop.where, stop.what) == ("jobs!A3", "The table has 1 hidden row and 1 hidden column (C).")
    assert 'data.hidden to "keep" or "leave-out"' in stop.remedy


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        (Hidden.KEEP, [("ann", "5", "x"), ("bob", "6", "y"), ("cat", "7", "z")]),
        (Hidden.LEAVE_OUT, [("ann", "5"), ("cat", "7")]),
    ],
)
def test_hidden_parts_are_kept_or_left_out_as_decided(
    tmp_path: Path, hidden: Hidden, expected: list[tuple[str, ...]]
) -> None:
    undecided = open_dataset(workbook(tmp_path, ROWS, hidden_rows=[3], hidden_columns=["C"]))
    dataset = with_layout(undecided, replace(undecided.asked, hidden=hidden))
    assert records(dataset) == expected
    assert not blocking(dataset.findings)
    assert "as was decided" in said(dataset, "hidden-parts")[0][1]
    assert dataset.row_counts.total == 4


def test_hidden_titles_and_columns_outside_the_table_do_not_matter(tmp_path: Path) -> None:
    dataset = open_dataset(workbook(tmp_path, [["Jobs"], *ROWS], hidden_rows=[1], hidden_columns=["H"]))
    assert not blocking(dataset.findings)


def test_hidden_sheets_are_marked_and_not_chosen_first(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.title, first.sheet_state = "notes", "veryHidden"
    first.append(["secret"])
    book.create_sheet("empty")
    jobs = book.create_sheet("jobs")
    for row in ROWS:
        jobs.append(row)
    book.active = 1
    book.save(tmp_path / "f.xlsx")
    dataset = open_dataset(tmp_path / "f.xlsx")
    assert dataset.sheet == "jobs"
    assert dataset.sheets[0].visibility is Visibility.VERY_HIDDEN
    assert said(dataset, "sheet-chosen") == [("data.sheet", "“empty” is empty; “jobs” was read.")]
    asked = open_dataset(tmp_path / "f.xlsx", Layout(sheet="notes"))
    assert "very hidden" in said(asked, "sheet-chosen")[0][1]


def test_names_that_the_file_itself_gives_are_never_searched_for(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    table = "(VALUES ('Source: a', 1), ('(1) b', NULL)) t(\"2019\", \"2020\")"
    duckdb.sql(f"SELECT * FROM {table}").write_parquet(str(path))
    dataset = open_dataset(path)
    assert (names(dataset), dataset.rows) == (["2019", "2020"], 2)
