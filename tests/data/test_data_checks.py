"""What does not fit between the data and the declared columns becomes a finding with its cell address."""

from __future__ import annotations

from pathlib import Path

import openpyxl

from workbench.data.checks import check_dataset
from workbench.data.findings import Severity
from workbench.data.opening import open_dataset
from workbench.data.schema import CodeList, Column, Role, Unlisted


def test_codes_off_the_list_are_counted_with_the_first_address(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "jobs"
    for row in (["id", "place"], ["a", "001"], ["b", "002"], ["c", None], ["d", "002"]):
        sheet.append(row)
    book.save(tmp_path / "f.xlsx")
    dataset = open_dataset(tmp_path / "f.xlsx")
    column = Column("place", Role.KEY, CodeList.typed(("001", "003")))
    (refused,) = check_dataset(dataset, [column])
    assert (refused.severity, refused.where) == (Severity.BLOCK, "jobs!B3")
    assert refused.what.startswith("3 records")
    (noted,) = check_dataset(dataset, [Column("place", Role.KEY, column.codes, unlisted=Unlisted.LEAVE_OUT)])
    assert noted.severity is Severity.NOTE


def test_unknown_column_names_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("place,pay\n1,2\n")
    (finding,) = check_dataset(open_dataset(tmp_path / "f.csv"), [Column("plaec", Role.KEY)])
    assert finding.severity is Severity.BLOCK
    assert "place, pay" in finding.remedy
