"""The workbook: what is in it, that it keeps its rules, and that a real spreadsheet program reads the same numbers."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_releases import KINDS, TINY_NUMBERS, drawn, released, tiny_plan
from openpyxl import Workbook, load_workbook
from openpyxl.comments import Comment
from openpyxl.formatting.rule import ColorScaleRule
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table as ExcelTable

from workbench.data.schema import CodeList
from workbench.errors import OutputError
from workbench.plan.cells import CellGrid
from workbench.plan.plan import DataReference, Table
from workbench.release.release import Mode, PublishedTable, Release
from workbench.report.content_digest import content_digest, read_digest
from workbench.report.keys import PublicKey, demo_key
from workbench.report.tables import shown_columns
from workbench.report.workbook import sheet_names, write_workbook
from workbench.report.workbook_rules import broken_rules, require_rules

GOLDEN = Path(__file__).parent.parent / "golden" / "tiny_workbook.json"
SIGNERS: list[PublicKey] = [demo_key().public]
FIRST_TABLE = "Table 1 Jobs"


@pytest.fixture
def workbook(release: Release, tmp_path: Path) -> Path:
    path = tmp_path / "tables.xlsx"
    write_workbook(release, path, SIGNERS)
    return path


@pytest.fixture
def live_workbook(live: Release, tmp_path: Path) -> Path:
    path = tmp_path / "tables.xlsx"
    write_workbook(live, path, SIGNERS)
    return path


def summary(path: Path) -> dict[str, Any]:
    """Everything a person sees or a printer uses, sheet by sheet."""
    return {sheet.title: _sheet_summary(sheet) for sheet in load_workbook(path)}


def _sheet_summary(sheet: Any) -> dict[str, Any]:
    written = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    return {
        "rows": [[cell.value for cell in row] for row in sheet.iter_rows()],
        "styles": [[cell.style for cell in row] for row in sheet.iter_rows()],
        "fonts": sorted({f"{cell.font.name} {cell.font.sz:g}" for cell in written}),
        "widths": {letter: column.width for letter, column in sheet.column_dimensions.items()},
        "tables": {table.displayName: table.ref for table in sheet.tables.values()},
        "links": links_of(sheet),
        "frozen": sheet.freeze_panes,
        "print": [sheet.page_setup.orientation, sheet.print_title_rows, sheet.oddHeader.center.text],
    }


def links_of(sheet: Any) -> list[str]:
    return [cell.hyperlink.location for row in sheet.iter_rows() for cell in row if cell.hyperlink]


def test_the_tiny_workbook_is_as_agreed(tmp_path: Path) -> None:
    """A change is accepted by running this test with WRITE_GOLDEN=1 and reading the difference in version control."""
    path = tmp_path / "tables.xlsx"
    write_workbook(released(tiny_plan(), numbers=TINY_NUMBERS), path, SIGNERS)
    found = summary(path)
    if os.environ.get("WRITE_GOLDEN"):
        GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_rules_hold(workbook: Path) -> None:
    assert broken_rules(workbook) == ()


def test_the_rules_hold_for_a_sample_with_all_its_totals(sample: Release, tmp_path: Path) -> None:
    write_workbook(sample, tmp_path / "sample.xlsx", SIGNERS)
    assert broken_rules(tmp_path / "sample.xlsx") == ()


def test_the_same_release_gives_the_same_bytes(release: Release, workbook: Path, tmp_path: Path) -> None:
    write_workbook(release, tmp_path / "again.xlsx", SIGNERS)
    assert (tmp_path / "again.xlsx").read_bytes() == workbook.read_bytes()


def test_text_that_looks_like_a_formula_stays_text(live_workbook: Path) -> None:
    book = load_workbook(live_workbook)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {"=Jobs by <place> & sector", "=1+1", "-3", "@home"} <= {cell.value for cell in cells}
    assert {cell.data_type for cell in cells} == {"s", "n"}
    codes = [cell for row in book[FIRST_TABLE].iter_rows(min_row=5, max_col=3) for cell in row]
    assert {cell.number_format for cell in codes} == {"@"}, "so that editing the cell does not wake it"


def test_numbers_are_whole_numbers_and_codes_are_text(live_workbook: Path) -> None:
    first, *_ = load_workbook(live_workbook)[FIRST_TABLE].iter_rows(min_row=5, values_only=True)
    assert first == ("001", "Alder & Ash", "11", 12, 11, 13, None)


def test_a_rehearsal_says_so_on_every_sheet(rehearsal: Release, tmp_path: Path) -> None:
    write_workbook(rehearsal, tmp_path / "tables.xlsx", SIGNERS)
    for sheet in load_workbook(tmp_path / "tables.xlsx"):
        assert sheet["A2"].value.startswith("REHEARSAL: no budget was spent"), sheet.title
        assert sheet.oddHeader.center.text == "REHEARSAL"


def test_a_live_release_never_says_rehearsal(live: Release, tmp_path: Path, officers: Any) -> None:
    write_workbook(live, tmp_path / "tables.xlsx", [key.public for key in officers])
    assert "rehearsal" not in json.dumps(summary(tmp_path / "tables.xlsx")).lower()


def test_the_contents_link_to_every_sheet_that_follows(live_workbook: Path) -> None:
    book = load_workbook(live_workbook)
    assert links_of(book["Contents"]) == [f"'{name}'!A1" for name in book.sheetnames[2:]]


def test_a_table_without_publishable_margin_has_no_limits(live: Release, tmp_path: Path) -> None:
    tables = tuple(replace(table, margin=None, limits=None) for table in live.tables)
    write_workbook(replace(live, tables=tables), tmp_path / "tables.xlsx", SIGNERS)
    sheet = load_workbook(tmp_path / "tables.xlsx")[FIRST_TABLE]
    assert [cell.value for cell in sheet[4]] == ["Place code", "Place", "Sector", "Jobs", "Note"]
    assert "Neither a margin nor limits are printed" in sheet["A2"].value
    assert broken_rules(tmp_path / "tables.xlsx") == ()


def test_hostile_names_still_give_a_workbook_that_keeps_its_rules(tmp_path: Path) -> None:
    plan = tiny_plan()
    nasty = CodeList.typed(("_x0041_", "a\x0bb", "=HYPERLINK(1)", "<t>&amp;", "x" * 40_000, "#N/A"))
    plan = replace(
        plan,
        title="Tab\tand\x00null",
        data=DataReference(None, "Frame", "[jobs]: 'a'/b*c? with a very long name indeed"),
        columns=(*plan.columns[:1], replace(plan.columns[1], codes=nasty)),
        tables=(Table("t", ("sector",), ((),)), Table("u", ("place", "sector"), (("sector",),))),
    )
    release = released(plan, Mode.LIVE)
    path = tmp_path / "tables.xlsx"
    write_workbook(release, path, SIGNERS)
    assert broken_rules(path) == ()
    for table, sheet in zip(release.tables, sheet_names(release), strict=True):
        assert read_digest(path, sheet) == content_digest(table)


def test_a_table_longer_than_a_sheet_is_refused_in_words(live: Release, tmp_path: Path) -> None:
    codes = CodeList.typed(tuple(str(number) for number in range(1025)))
    endless = replace(live.tables[0], grid=CellGrid(("a", "b"), (codes, codes)))
    with pytest.raises(OutputError, match="no more than 1,048,572 cells"):
        write_workbook(replace(live, tables=(endless,)), tmp_path / "tables.xlsx", SIGNERS)


def test_the_digest_read_back_is_that_of_the_release_until_a_number_changes(live: Release, live_workbook: Path) -> None:
    names = sheet_names(live)
    assert [read_digest(live_workbook, name) for name in names] == [content_digest(table) for table in live.tables]
    book = load_workbook(live_workbook)
    book[FIRST_TABLE]["D5"].value += 1
    book.save(live_workbook)
    assert read_digest(live_workbook, names[0]) != content_digest(live.tables[0])
    assert read_digest(live_workbook, names[1]) == content_digest(live.tables[1])


def _below(book: Workbook) -> None:
    book[FIRST_TABLE]["A11"] = "Source: us"


def _merge(book: Workbook) -> None:
    book[FIRST_TABLE].merge_cells("A1:C1")


def _hide_row(book: Workbook) -> None:
    book[FIRST_TABLE].row_dimensions[6].hidden = True


def _hide_column(book: Workbook) -> None:
    book[FIRST_TABLE].column_dimensions["C"].hidden = True


def _blank_row(book: Workbook) -> None:
    for cell in book["Cover"][4]:
        cell.value = None
        cell.style = "Normal"


def _link_out(book: Workbook) -> None:
    book["Cover"]["A3"].hyperlink = "https://example.org/"


def _no_title(book: Workbook) -> None:
    book["Notes"]["A1"].value = None


def _two_alike(book: Workbook) -> None:
    book[FIRST_TABLE]["F4"].value = "jobs"


def _second_table(book: Workbook) -> None:
    book["Cover"].add_table(ExcelTable(displayName="Extra", ref="A1:A3"))
    book["Notes"].tables.clear()


def _validation(book: Workbook) -> None:
    check = DataValidation(type="whole")
    check.add("D5")
    book[FIRST_TABLE].add_data_validation(check)


SPOILERS: dict[str, tuple[Callable[[Workbook], None], str]] = {
    "formula": (lambda book: book[FIRST_TABLE].__setitem__("D5", "=SUM(D6:D9)"), "Table 1 Jobs: holds a formula"),
    "merge": (_merge, "Table 1 Jobs: holds merged cells"),
    "row hidden": (_hide_row, "Table 1 Jobs: hides rows or columns"),
    "column hidden": (_hide_column, "Table 1 Jobs: hides rows or columns"),
    "sheet hidden": (lambda book: setattr(book["Notes"], "sheet_state", "hidden"), "the sheet Notes is hidden"),
    "comment": (lambda book: setattr(book["Cover"]["A1"], "comment", Comment("x", "me")), "Cover: holds a comment"),
    "below": (_below, "Table 1 Jobs: has cells beside or below its table"),
    "beside": (
        lambda book: book[FIRST_TABLE].__setitem__("Z9", 1),
        "Table 1 Jobs: has cells beside or below its table",
    ),
    "blank row": (_blank_row, "Cover: has a blank row 4"),
    "link": (_link_out, "it links to https://example.org/"),
    "title": (_no_title, "Notes: has no title in A1"),
    "heading style": (
        lambda book: setattr(book["Notes"]["A1"], "style", "Sentence"),
        "Notes: has no heading style in A1",
    ),
    "headings alike": (_two_alike, "Table 1 Jobs: has headings that are not one line each, all different"),
    "headings differ": (_two_alike, "Table 1 Jobs: has headings that differ from its table’s"),
    "tables": (_second_table, "Notes: does not have exactly one table"),
    "boolean": (
        lambda book: book[FIRST_TABLE].__setitem__("D5", True),
        "Table 1 Jobs: holds cells that are neither text nor number",
    ),
    "filter": (lambda book: setattr(book["Cover"].auto_filter, "ref", "A1:A3"), "Cover: holds a filter"),
    "validation": (_validation, "Table 1 Jobs: holds a data validation"),
    "colours": (
        lambda book: book[FIRST_TABLE].conditional_formatting.add(
            "D5:D9", ColorScaleRule(start_type="min", start_color="FF0000", end_type="max", end_color="00FF00")
        ),
        "Table 1 Jobs: holds conditional formatting",
    ),
    "font": (
        lambda book: setattr(book["Cover"]["A3"], "font", Font(name="Calibri", size=12)),
        "it uses another font than",
    ),
    "small font": (
        lambda book: setattr(book["Cover"]["A3"], "font", Font(name="Arial", size=9)),
        "it uses another font than",
    ),
    "frozen": (
        lambda book: setattr(book[FIRST_TABLE], "freeze_panes", None),
        "Table 1 Jobs: does not keep its headings in view",
    ),
    "portrait": (
        lambda book: setattr(book["Cover"].page_setup, "orientation", "portrait"),
        "Cover: is not set up for printing",
    ),
    "name": (
        lambda book: book.defined_names.add(DefinedName("secret", attr_text="Cover!$A$1")),
        "it defines the name secret",
    ),
    "author": (lambda book: setattr(book.properties, "creator", "officer-login"), "it names who made it"),
    "editor": (
        lambda book: setattr(book.properties, "lastModifiedBy", "officer-login"),
        "it has the property lastModifiedBy",
    ),
    "language": (lambda book: setattr(book.properties, "language", None), "its language is not set"),
    "order": (lambda book: book.move_sheet("Notes", 1), "its first sheets are not Cover"),
    "width": (lambda book: book[FIRST_TABLE].column_dimensions.clear(), "Table 1 Jobs: has columns without a width"),
    "clock": (lambda book: None, "its parts tell when it was written"),
    "date": (lambda book: None, "its properties tell when it was written"),
}


@pytest.mark.parametrize("spoiler", SPOILERS)
def test_every_broken_rule_is_named(spoiler: str, live_workbook: Path) -> None:
    spoil, expected = SPOILERS[spoiler]
    assert not any(words.startswith(expected) for words in broken_rules(live_workbook))
    book = load_workbook(live_workbook)
    spoil(book)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl speaks up about some of them as well
        book.save(live_workbook)
    assert any(words.startswith(expected) for words in broken_rules(live_workbook)), broken_rules(live_workbook)


def test_a_file_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.xlsx"
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(OutputError, match="it is not a workbook"):
        require_rules(path)


@pytest.fixture(scope="module", params=["counts", "sum of cents"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, Path]:
    """The workbook after LibreOffice opened it: every sheet as CSV, the whole saved again, and printed."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path_factory.mktemp("office")
    is_tiny = request.param == "counts"
    release = released(tiny_plan(), Mode.LIVE, TINY_NUMBERS) if is_tiny else drawn(KINDS[request.param])
    write_workbook(release, folder / "tables.xlsx", SIGNERS)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    all_sheets_quoted_text = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1"
    for form, out in ((all_sheets_quoted_text, "csv"), ("xlsx", "saved"), ("pdf", "pdf")):
        command = [office, profile, "--headless", "--convert-to", form, "--outdir", str(folder / out)]
        subprocess.run([*command, str(folder / "tables.xlsx")], check=True, capture_output=True, timeout=180)
    return release, folder


def shown_rows(table: PublishedTable) -> list[list[str]]:
    columns = [column for column in shown_columns(table) if column.heading]
    texts = [[_exported(value) for value in column.values] for column in columns]
    return [[column.heading for column in columns], *map(list, zip(*texts, strict=True))]


def _exported(value: object) -> str:
    """Without line breaks, and without the places that are all zero: the export gives the number, not its format."""
    return str(value).removesuffix(".0") if isinstance(value, float) else " ".join(str(value).split("\r\n"))


def test_a_spreadsheet_program_shows_exactly_the_release(opened: tuple[Release, Path]) -> None:
    release, folder = opened
    for table, name in zip(release.tables, sheet_names(release), strict=True):
        with (folder / "csv" / f"tables-{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[3:]
        assert [[" ".join(text.split()) for text in row] for row in rows] == shown_rows(table)


def test_a_copy_saved_by_another_program_keeps_its_content_digest(opened: tuple[Release, Path]) -> None:
    release, folder = opened
    saved = folder / "saved" / "tables.xlsx"
    digests = [read_digest(saved, name) for name in sheet_names(release)]
    assert digests == [content_digest(table) for table in release.tables]


def test_it_prints(opened: tuple[Release, Path]) -> None:
    _, folder = opened
    assert (folder / "pdf" / "tables.pdf").read_bytes().startswith(b"%PDF")
