"""Marks for missing and suppressed values: recognised among numbers only, counted, and mapped by the officer."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.data.checks import check_dataset
from workbench.data.dataset import ColumnFacts, ColumnKind, Dataset
from workbench.data.findings import Severity, blocking
from workbench.data.layout import Layout, Meaning
from workbench.data.opening import open_dataset, with_layout
from workbench.data.schema import CodeList, Column, Role, Unlisted


def opened(folder: Path, values: list[str], layout: Layout | None = None) -> tuple[ColumnFacts, Dataset]:
    lines = "".join(f"r{at}|{value}\n" for at, value in enumerate(values))
    (folder / "f.csv").write_text(f"id|pay\n{lines}", encoding="utf-8")
    dataset = open_dataset(folder / "f.csv", layout or Layout(delimiter="|"))
    return dataset.columns[1], dataset


def pay(dataset: Dataset) -> list[str | None]:
    return [row[0] for row in dataset.engine.connection.execute("SELECT pay FROM records ORDER BY _row").fetchall()]


@pytest.mark.parametrize("mark", ["(D)", "D", "(S)", "S", "X", "(X)", "*", "**", "#"])
def test_marks_of_suppression(tmp_path: Path, mark: str) -> None:
    facts, dataset = opened(tmp_path, ["5", mark, "", "7.5", mark])
    assert (facts.kind, facts.suppressed, facts.missing) == (ColumnKind.NUMBER, 2, 1)
    assert pay(dataset) == ["5", None, None, "7.5", None]
    (marked,) = facts.markers
    assert (marked.text, marked.meaning, marked.count, marked.first_row) == (mark, Meaning.SUPPRESSED, 2, 3)
    (finding,) = [one for one in dataset.findings if one.check == "markers"]
    assert (finding.where, finding.severity) == ("B3", Severity.NOTE)
    assert f"“{mark}” stands 2 times" in finding.what


@pytest.mark.parametrize("mark", ["-", "–", "—", "N/A", "NA", "n.a.", ":", "..", "...", "…", "."])
def test_marks_of_missing_values(tmp_path: Path, mark: str) -> None:
    facts, dataset = opened(tmp_path, ["5", mark, "1,234"])
    assert (facts.kind, facts.suppressed, facts.missing) == (ColumnKind.NUMBER, 0, 1)
    assert pay(dataset) == ["5", None, "1234"]


@pytest.mark.parametrize(
    "values",
    [
        ["01", "02", "S", "-"],
        ["11", "31-33", "X"],
        ["A", "S", "-", "5"],
        ["S", "X", "*"],
        ["2019-01-01", "-"],
        ["TRUE", "N/A"],
    ],
)
def test_marks_are_values_where_the_rest_are_not_numbers(tmp_path: Path, values: list[str]) -> None:
    facts, dataset = opened(tmp_path, values)
    assert (facts.markers, facts.missing, facts.suppressed, pay(dataset)) == ((), 0, 0, values)


def test_the_officer_says_what_a_mark_means(tmp_path: Path) -> None:
    values = ["5", "S", "-99", "unknown", "7"]
    _, plain = opened(tmp_path, values)
    assert pay(plain) == values
    layout = Layout(delimiter="|").with_marker("unknown", Meaning.MISSING).with_marker("-99", Meaning.SUPPRESSED)
    facts, dataset = opened(tmp_path, values, layout)
    assert pay(dataset) == ["5", None, None, None, "7"]
    assert (facts.missing, facts.suppressed) == (1, 2)
    kept = with_layout(dataset, layout.with_marker("S", Meaning.KEEP))
    assert pay(kept) == values
    assert any(finding.check == "column-mixed" for finding in kept.findings)


def test_what_was_recognised_is_in_the_layout_and_reads_the_same_again(tmp_path: Path) -> None:
    facts, dataset = opened(tmp_path, ["5", "(D)", "–", "7"])
    assert dict(dataset.layout.markers) == {"(D)": Meaning.SUPPRESSED, "–": Meaning.MISSING}
    again = open_dataset(dataset.path, dataset.layout)
    assert (again.columns, again.layout) == (dataset.columns, dataset.layout)
    assert facts == again.columns[1]


def test_numbers_the_officer_calls_a_mark_are_missing_even_in_plain_columns(tmp_path: Path) -> None:
    facts, dataset = opened(tmp_path, ["5", "9999"], Layout(delimiter="|").with_marker("9999", Meaning.MISSING))
    assert (pay(dataset), facts.missing) == (["5", None], 1)


@pytest.mark.parametrize("unlisted", list(Unlisted))
def test_a_public_code_read_as_a_mark_stops_a_release(tmp_path: Path, unlisted: Unlisted) -> None:
    _, dataset = opened(tmp_path, ["1", "2", "X", "1"])
    key = Column("pay", Role.KEY, CodeList.typed(("1", "2", "X")), unlisted=unlisted)
    stops = blocking(check_dataset(dataset, [key]))
    assert any("under data.markers" in stop.remedy and stop.where == "B4" for stop in stops)
    kept = with_layout(dataset, dataset.layout.with_marker("X", Meaning.KEEP))
    assert not blocking(check_dataset(kept, [key]))
    assert pay(kept) == ["1", "2", "X", "1"]


def test_marks_with_quotes_are_only_text(tmp_path: Path) -> None:
    layout = Layout(delimiter="|", quote="").with_marker("' OR 1=1 --", Meaning.MISSING)
    _, dataset = opened(tmp_path, ["5", "' OR 1=1 --", "7"], layout)
    assert pay(dataset) == ["5", None, "7"]
