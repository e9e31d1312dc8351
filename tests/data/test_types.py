"""Kinds are judged over whole columns; codes stay text, and numbers are rewritten only where every value agrees."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from workbench.data.dataset import ColumnFacts, ColumnKind, Dataset
from workbench.data.findings import Severity
from workbench.data.layout import Decimal, Layout
from workbench.data.opening import open_dataset


def column(
    folder: Path, values: list[str], layout: Layout | None = None
) -> tuple[ColumnFacts, list[str | None], Dataset]:
    """One column beside an id, as described and as it stands in the records."""
    lines = "\n".join(f"r{at}|{value}" for at, value in enumerate(values))
    (folder / "f.csv").write_text(f"id|value of it\n{lines}\n", encoding="utf-8")
    dataset = open_dataset(folder / "f.csv", layout or Layout(delimiter="|"))
    found = dataset.engine.connection.execute('SELECT "value of it" FROM records ORDER BY _row').fetchall()
    return dataset.columns[1], [value for (value,) in found], dataset


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2.5", "-3", ".5"], ColumnKind.NUMBER),
        (["1.5E+03", "2e-7", "0"], ColumnKind.NUMBER),
        (["01001", "01003"], ColumnKind.CODE),
        (["00", "1"], ColumnKind.CODE),
        (["11", "21", "31-33"], ColumnKind.CODE),
        (["1E5", "2E7", "1E10"], ColumnKind.CODE),
        (["00-0000", "11-1000"], ColumnKind.CODE),
        (["111.222.333", "111.222.334"], ColumnKind.CODE),
        (["732 829 320", "732 829 321"], ColumnKind.CODE),
        (["2019-01-01", "2020-12-31 08:00:00"], ColumnKind.DATE),
        (["27.05.2004", "1.6.2004"], ColumnKind.DATE),
        (["TRUE", "false"], ColumnKind.BOOLEAN),
        (["a", "b"], ColumnKind.TEXT),
        (["", ""], ColumnKind.EMPTY),
        (["inf", "nan", "5"], ColumnKind.TEXT),
        (["0x1F", "12"], ColumnKind.TEXT),
        (["1_000", "12"], ColumnKind.TEXT),
        (["١", "٢"], ColumnKind.TEXT),
    ],
)
def test_kinds(tmp_path: Path, values: list[str], kind: ColumnKind) -> None:
    facts, records, _ = column(tmp_path, values)
    assert facts.kind is kind
    assert [value or "" for value in records] == values


@pytest.mark.parametrize(
    ("values", "digits", "words"),
    [
        (["15,913", "12,19,417", "7"], ["15913", "1219417", "7"], "thousands separators"),
        (["$1,200.50", "$3", "0"], ["1200.50", "3", "0"], "thousands separators, currency signs ($)"),
        (["12.5%", "3%"], ["12.5", "3"], "per cent signs"),
        (["(1,234)", "5", "-6"], ["-1234", "5", "-6"], "thousands separators, brackets for negative values"),
        (["1521,1541", "0,377"], ["1521.1541", "0.377"], "a decimal comma"),
        (["1.234,50", "2.345.678", "7"], ["1234.50", "2345678", "7"], "a decimal comma, thousands separators"),
        (["1 234", "56", "7\u00a0890"], ["1234", "56", "7890"], "thousands separators"),
        (["1,234.5", "1.5E+03", "2"], ["1234.5", "1.5E+03", "2"], "thousands separators"),
        (["−5,000", "€3"], ["-5000", "3"], "thousands separators, currency signs (€)"),
        (["3 €", "1 200 €"], ["3", "1200"], "thousands separators, currency signs (€)"),
    ],
)
def test_written_numbers_become_plain_digits_and_it_is_said(
    tmp_path: Path, values: list[str], digits: list[str], words: str
) -> None:
    facts, records, dataset = column(tmp_path, values)
    assert (facts.kind, facts.written, records) == (ColumnKind.NUMBER, words, digits)
    (finding,) = [one for one in dataset.findings if one.check == "number-format" and one.where == "B2"]
    assert (finding.where, finding.severity) == ("B2", Severity.NOTE)
    assert words in finding.what


@pytest.mark.parametrize(
    "values",
    [
        ["1,234", "abc"],
        ["$5", "€5"],
        ["5%", "5"],
        ["1,23,4", "5"],
        ["01,234", "5"],
        ["1.234,5", "1,234.5"],
        ["12,34", "1,234.5"],
        ["5 apples", "6"],
    ],
)
def test_numbers_are_left_alone_when_one_value_disagrees(tmp_path: Path, values: list[str]) -> None:
    facts, records, dataset = column(tmp_path, values)
    assert (facts.kind, records) == (ColumnKind.TEXT, values)
    assert any(finding.check == "column-mixed" for finding in dataset.findings)


def test_the_decimal_sign_decides_what_a_group_is(tmp_path: Path) -> None:
    values = ["1.234", "5.678"]
    assert column(tmp_path, values)[1] == values
    facts, records, _ = column(tmp_path, values, Layout(delimiter="|", decimal=Decimal.COMMA))
    assert (facts.written, records) == ("a decimal comma, thousands separators", ["1234", "5678"])
    assert column(tmp_path, ["1,234", "5,678"])[1] == ["1234", "5678"]
    assert column(tmp_path, ["1,234", "5,678"], Layout(delimiter="|", decimal=Decimal.COMMA))[1] == ["1.234", "5.678"]


def test_spaces_around_values_are_kept_in_codes_and_dropped_around_numbers(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["place", "pay"], ["001", " 1,200"], ["002 ", "7"], [" 003", " (D) "]):
        sheet.append(row)
    book.save(tmp_path / "f.xlsx")
    dataset = open_dataset(tmp_path / "f.xlsx")
    found = dataset.engine.connection.execute("SELECT place, pay FROM records ORDER BY _row").fetchall()
    assert found == [("001", "1200"), ("002 ", "7"), (" 003", None)]
    assert dataset.columns[1].written == "thousands separators, spaces around them"
    (kept,) = [finding for finding in dataset.findings if finding.check == "spaces-kept"]
    assert (kept.where, kept.what[:26]) == ("Sheet!A3", "2 values in “place” begin ")


def test_one_late_value_decides_over_the_whole_column(tmp_path: Path) -> None:
    values = ["7"] * 30_000
    assert column(tmp_path, values)[0].kind is ColumnKind.NUMBER
    facts, records, dataset = column(tmp_path, [*values, "seven"])
    assert (facts.kind, records[-1]) == (ColumnKind.TEXT, "seven")
    (finding,) = [one for one in dataset.findings if one.check == "column-mixed"]
    assert (finding.where, finding.severity) == ("B30002", Severity.WARNING)
    assert "30,000 numbers (first B2), 1 text (first B30002)" in finding.what


def test_mixed_columns_are_counted_by_kind(tmp_path: Path) -> None:
    _, _, dataset = column(tmp_path, ["cabbage", "4.3", "2007-09-10", "TRUE", "39448", "leek", "leek"])
    (finding,) = [one for one in dataset.findings if one.check == "column-mixed"]
    assert finding.severity is Severity.NOTE
    assert "3 texts (first B2), 2 numbers (first B3), 1 date (first B4), 1 boolean (first B5)" in finding.what


def test_numbers_stored_as_text_are_counted_once_for_each_column(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["id", "pay", "hours", 2019])
    for at in range(500):
        sheet.append([f"r{at}", str(at), at if at % 5 else str(at), at])
    book.save(tmp_path / "f.xlsx")
    dataset = open_dataset(tmp_path / "f.xlsx")
    told = [finding.what for finding in dataset.findings if finding.check == "numbers-as-text"]
    assert [what.split(" are")[0] for what in told] == ["500 numbers in “pay”", "100 numbers in “hours”"]


def test_nothing_tells_the_smallest_or_largest_value(tmp_path: Path) -> None:
    """A bound must never come from the data, so the description of a column holds no statistic of its values."""
    facts, _, _ = column(tmp_path, ["5", "1", "987654321", "2", "3"])
    assert facts.examples == ("5", "1", "987654321")
    assert set(vars(facts)) == {"name", "letter", "kind", "missing", "examples", "suppressed", "markers", "written"}
