"""Workbooks of every kind: each cell at its true place with its exact value, and what else the workbook says."""

from __future__ import annotations

import random
import struct
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet
from raw_workbooks import (
    STRICT,
    Grid,
    binary_parts,
    cell_record,
    read,
    record,
    row_record,
    sheet_xml,
    wide,
    workbook_parts,
    write_book,
    write_parts,
)  # fmt: skip

from workbench.data.readers import sheet_blocks, spreadsheet
from workbench.data.readers.cell_text import day_text, duration_text, iso_text, number_of, number_text, value_text
from workbench.data.readers.number_formats import Shown, shown
from workbench.data.readers.reading import ErrorCells, Merge, Places, Sheet, Visibility
from workbench.data.readers.sheet_rows import place
from workbench.errors import EmptyFile

GIVEN = Path(__file__).parents[3] / "shared" / "data" / "spreadsheets"


def made(path: Path, *rows: list[Any]) -> tuple[Path, Worksheet]:
    """A workbook as openpyxl writes it; save it again after changing the sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "jobs"
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path, sheet


def column(grid: Grid, at: int = 0) -> list[str | None]:
    return [cells[at] for cells in grid.values()]


def number_cells(*written: str) -> str:
    return "".join(f'<row r="{at}"><c r="A{at}"><v>{text}</v></c></row>' for at, text in enumerate(written, 1))


@pytest.fixture(params=["blocks", "rows"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The two ways of reading an xlsx sheet; both must say the same."""
    if request.param == "rows":
        monkeypatch.setattr(sheet_blocks.BlockReader, "read", lambda *_: None)
    else:
        monkeypatch.setattr("workbench.data.readers.xlsx.SafeParser.feed", _only_around_the_rows)
    return str(request.param)


_feed = spreadsheet.xlsx.SafeParser.feed


def _only_around_the_rows(parser: Any, piece: bytes, last: bool = False) -> None:
    assert b"<row" not in piece, "these rows are written the usual way"
    _feed(parser, piece, last)


# ---- values ---------------------------------------------------------------------------------------------------------

EXACT = {
    "20567967.350000001": "20567967.35",
    "0.30000000000000004": "0.30000000000000004",
    "1E5": "100000",
    "100000": "100000",
    "100000.0": "100000",
    "1.5E-7": "1.5e-07",
    "1e22": "1e+22",
    "-0": "0",
    "-0.0": "0",
    "0": "0",
    "-0.5": "-0.5",
    ".5": "0.5",
    "+7": "7",
    "007": "7",
    "-12.50": "-12.5",
    "5.": "5",
    "123456789012345": "123456789012345",
    "1234567890123456": "1234567890123456",
    "9007199254740993": "9007199254740992",
    "0.1234567890123": "0.1234567890123",
    "29.020000000000003": "29.020000000000003",
}


def test_numbers_read_in_their_shortest_exact_form(tmp_path: Path, way: str) -> None:
    grid, reading = read(write_book(tmp_path / "f.xlsx", number_cells(*EXACT)))
    assert column(grid) == list(EXACT.values())
    assert reading.number_cells == (len(EXACT),)


def test_any_number_reads_back_as_itself(tmp_path: Path, way: str) -> None:
    rnd = random.Random(7)
    floats = [struct.unpack("<d", rnd.randbytes(8))[0] for _ in range(2000)]
    numbers = [value for value in floats if value == value and abs(value) < 1e308]
    numbers += [rnd.randrange(-(10**9), 10**9) / 10 ** rnd.randrange(9) for _ in range(2000)]
    written = [rnd.choice([repr, "{:.17g}".format, "{:.17e}".format])(value) for value in numbers]
    grid, _ = read(write_book(tmp_path / "f.xlsx", number_cells(*written)))
    assert [float(text or "nan") for text in column(grid)] == numbers
    assert column(grid) == [number_text(value) for value in numbers]


def test_text_that_looks_like_a_number_is_not_touched(tmp_path: Path, way: str) -> None:
    codes = ["00", "1E5", "01001", "31-33", "1.50", "20567967.350000001", "TRUE", "2020-01-02 00:00:00", " 7 ", "#N/A!"]
    shared = "".join(f'<si><t xml:space="preserve">{code}</t></si>' for code in codes)
    rows = "".join(
        f'<row r="{at}"><c r="A{at}" t="s"><v>{at - 1}</v></c><c r="B{at}" t="inlineStr"><is><t>{code}</t></is></c>'
        f'<c r="C{at}" t="str"><f>X</f><v>{code}</v></c><c r="D{at}"><v>{at}</v></c></row>'
        for at, code in enumerate(codes, 1)
    )
    grid, reading = read(write_book(tmp_path / "f.xlsx", rows, strings=shared))
    assert column(grid, 0) == column(grid, 1) == column(grid, 2) == codes
    assert reading.number_cells == (0, 0, 0, len(codes))
    assert reading.error_cells == ()


def test_escaped_and_blank_text(tmp_path: Path, way: str) -> None:
    texts = ["a &amp; b &lt;c&gt;", "line_x000D_\nbreak", "_x005F_x000D_", "Köln – Zürich €", "", "  ", " ", "x"]
    shared = "".join(f"<si><t>{text}</t></si>" for text in texts) + "<si><r><t>ri</t></r><r><t>ch</t></r></si>"
    rows = "".join(
        f'<row r="{at}"><c r="A{at}" t="s"><v>{at - 1}</v></c><c r="B{at}" t="str"><v>{text}</v></c></row>'
        for at, text in enumerate([*texts, "rich"], 1)
    )
    grid, _ = read(write_book(tmp_path / "f.xlsx", rows, strings=shared))
    wanted = ["a & b <c>", "line\r\nbreak", "_x000D_", "Köln – Zürich €", "x", "rich"]
    assert column(grid, 0) == column(grid, 1) == wanted
    assert list(grid) == [1, 2, 3, 4, 8, 9]


STYLES = "".join(f'<xf numFmtId="{number}"/>' for number in (14, 22, 20, 46, 9, 164, 165, 166))
FORMATS = (
    '<numFmt numFmtId="164" formatCode="[$-409]d/mmm/yy;@"/><numFmt numFmtId="165" formatCode="0.0%"/>'
    '<numFmt numFmtId="166" formatCode="&quot;day&quot; #,##0.00 [$€-407]"/>'
)
DATED = [  # style, stored, read, read when the dates are counted from 1904
    (1, "43832", "2020-01-02", "2024-01-03"),
    (1, "43832.5", "2020-01-02 12:00:00", "2024-01-03 12:00:00"),
    (1, "1", "1900-01-01", "1904-01-02"),
    (1, "59", "1900-02-28", "1904-02-29"),
    (1, "60", "1900-02-29", "1904-03-01"),
    (1, "61", "1900-03-01", "1904-03-02"),
    (2, "43832.127835648149", "2020-01-02 03:04:05", "2024-01-03 03:04:05"),
    (2, "43832.12783564815", "2020-01-02 03:04:05", "2024-01-03 03:04:05"),
    (3, "0.75", "18:00:00", "18:00:00"),
    (4, "2.0416666666666665", "49:00:00", "49:00:00"),
    (5, "0.25", "0.25", "0.25"),
    (6, "45000", "2023-03-15", "2027-03-16"),
    (7, "0.125", "0.125", "0.125"),
    (8, "12.5", "12.5", "12.5"),
    (1, "-3", "-3", "1903-12-29"),
    (1, "99999999", "99999999", "99999999"),
]


@pytest.mark.parametrize("from_1904", [False, True])
def test_dates_times_and_per_cents(tmp_path: Path, way: str, from_1904: bool) -> None:
    rows = "".join(
        f'<row r="{at}"><c r="A{at}" s="{style}"><v>{stored}</v></c></row>'
        for at, (style, stored, _, _) in enumerate(DATED, 1)
    )
    properties = '<workbookPr date1904="1"/>' if from_1904 else "<workbookPr/>"
    grid, reading = read(write_book(tmp_path / "f.xlsx", rows, styles=STYLES, formats=FORMATS, properties=properties))
    assert column(grid) == [case[3 if from_1904 else 2] for case in DATED]
    assert [finding.check for finding in reading.findings] == (["dates-1904"] if from_1904 else [])


def test_columns_shown_in_per_cent_are_named(tmp_path: Path, way: str) -> None:
    rows = "".join(
        f'<row r="{at}"><c r="B{at}" s="5"><v>0.{at}</v></c>'
        f'<c r="C{at}" s="{7 if at == 3 else 0}"><v>{at}</v></c></row>'
        for at in range(1, 10)
    )
    _, reading = read(write_book(tmp_path / "f.xlsx", rows, styles=STYLES, formats=FORMATS))
    assert reading.percent_columns == (1,)


def test_truth_iso_dates_and_errors(tmp_path: Path, way: str) -> None:
    cells = [("b", "1"), ("b", "0"), ("d", "2020-01-02T00:00:00"), ("d", "2020-01-02T03:04:05Z"), ("d", "2020-01-02")]
    cells += [("e", text) for text in ("#N/A", "#DIV/0!", "#N/A")]
    rows = "".join(
        f'<row r="{at}"><c r="A{at}"><v>{at}</v></c><c r="B{at}" t="{kind}"><v>{text}</v></c></row>'
        for at, (kind, text) in enumerate(cells, 1)
    )
    grid, reading = read(write_book(tmp_path / "f.xlsx", rows))
    assert column(grid, 1) == ["TRUE", "FALSE", "2020-01-02", "2020-01-02 03:04:05", "2020-01-02", None, None, None]
    assert reading.error_cells == (
        ErrorCells("#DIV/0!", Places(1, ("B7",))),
        ErrorCells("#N/A", Places(2, ("B6", "B8"))),
    )


def test_number_formats() -> None:
    for code, how in {
        "yyyy\\-mm\\-dd": Shown.DATE, "[h]:mm:ss": Shown.DURATION, "hh:mm": Shown.TIME, "0.00%": Shown.PERCENT,
        "General": Shown.PLAIN, "#,##0.00": Shown.PLAIN, '0" days"': Shown.PLAIN, "[Red]-0;[Blue]0": Shown.PLAIN,
        "mmm": Shown.DATE, "0.00E+00": Shown.PLAIN, "mm:ss.0": Shown.TIME, '"h"0': Shown.PLAIN, "_-0_d": Shown.PLAIN,
    }.items():  # fmt: skip
        assert shown(170, code) is how, code


def test_words_for_values() -> None:
    assert [day_text(day) for day in (1, 59, 60, 61, 2_958_465)] == [
        "1900-01-01", "1900-02-28", "1900-02-29", "1900-03-01", "9999-12-31",
    ]  # fmt: skip
    assert duration_text(-0.5) == "-12:00:00"
    assert duration_text(1.0000005787) == "24:00:00.050"
    assert iso_text("2020-01-02T10:00:00") == "2020-01-02 10:00:00"
    assert value_text(0, Shown.DATE) == "00:00:00"
    for nonsense in ("nan", "inf", "1_000", "", " 5", "0x10", "1e999", "٣"):
        with pytest.raises(ValueError):
            number_of(nonsense)


# ---- places ---------------------------------------------------------------------------------------------------------


def test_cells_stand_where_they_stand_in_the_sheet(tmp_path: Path, way: str) -> None:
    rows = (
        '<row r="5"><c r="C5"><v>1</v></c><c r="AB5"><v>2</v></c></row><row r="6" spans="1:2"/>'
        '<row r="7"><c r="A7" s="1"/><c r="C7"><v>3</v></c></row><row r="900"><c r="AAA900"><v>4</v></c></row>'
    )
    grid, _ = read(write_book(tmp_path / "f.xlsx", rows.replace('<row r="6" spans="1:2"/>', ""), before="<cols/>"))
    assert list(grid) == [5, 7, 900]
    assert (grid[5][2], grid[5][27], grid[7][2], grid[900][702]) == ("1", "2", "3", "4")
    assert len(grid[5]) == 703
    assert sum(cell is not None for cells in grid.values() for cell in cells) == 4


def test_rows_and_cells_without_address_are_counted(tmp_path: Path) -> None:
    rows = (
        "<row><c><v>1</v></c><c><v>2</v></c></row><row r='4'><c r='B4'><v>3</v></c><c><v>4</v></c></row><row><c/></row>"
    )
    grid, _ = read(write_book(tmp_path / "f.xlsx", rows))
    assert grid == {1: ("1", "2", None), 4: (None, "3", "4")}


def test_a_wrong_dimension_is_not_believed(tmp_path: Path, way: str) -> None:
    for dimension in ("A1", "A1:XFD1048576", "nonsense"):
        path = write_book(tmp_path / "f.xlsx", number_cells("1", "2"), before=f'<dimension ref="{dimension}"/>')
        assert column(read(path)[0]) == ["1", "2"]


def test_both_ways_of_reading_agree_on_a_mixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Usual and unusual rows in one sheet, long enough for several blocks."""
    monkeypatch.setattr("workbench.data.readers.package._AHEAD", 20_000)
    rnd = random.Random(3)
    kinds = ["<v>{n}.5</v>", "<f>A1</f><v>{n}</v>", "<f>A1</f>", "<f>A1</f><v/>", "<v/>", ""]
    rows = []
    for at in range(1, 3000):
        cells = "".join(
            f'<c r="{letter}{at}"{rnd.choice(["", " s=%s1%s" % (2 * (chr(34),))])}>{rnd.choice(kinds).format(n=at)}</c>'
            for letter in "ABCD" if rnd.random() < 0.8
        )  # fmt: skip
        rich = f'<c r="E{at}" t="inlineStr"><is><r><t>a</t></r><r><t>{at}</t></r></is></c>' if at % 700 == 0 else ""
        error = f'<c r="F{at}" t="e"><v>#REF!</v></c>' if rnd.random() < 0.05 else ""
        hidden = ' hidden="1"' if rnd.random() < 0.1 else ""
        rows.append(f'<row r="{at}"{hidden}>{cells}{rich}{error}</row>')
    path = write_book(tmp_path / "f.xlsx", "".join(rows), styles=STYLES, formats=FORMATS)
    quick = read(path)
    monkeypatch.setattr(sheet_blocks.BlockReader, "read", lambda *_: None)
    assert read(path) == quick
    assert len(quick[0]) > 2000 and quick[1].hidden_rows and quick[1].error_cells[0].places.count > 50


def test_the_quick_way_is_taken_for_what_spreadsheet_programs_write(tmp_path: Path, way: str) -> None:
    rows = [["code", "pay", "day", "ok"], *([f"{at:05}", at / 7, date(2024, 1, 1), True] for at in range(300))]
    grid, _ = read(made(tmp_path / "f.xlsx", *rows)[0])
    assert grid[2] == ("00000", "0", "2024-01-01", "TRUE")
    assert len(grid) == 301


# ---- facts ----------------------------------------------------------------------------------------------------------


def test_hidden_and_very_hidden_sheets_are_marked_and_chart_sheets_left_out(tmp_path: Path) -> None:
    sheets = dict.fromkeys(("plain", "hid", "deep", "chart"), sheet_xml(number_cells("1")))
    states = {"hid": 'state="hidden"', "deep": 'state="veryHidden"'}
    parts = workbook_parts(sheets, states=states)
    relations = str(parts["xl/_rels/workbook.xml.rels"])
    parts["xl/_rels/workbook.xml.rels"] = relations.replace(
        'worksheet" Target="worksheets/sheet4', 'chartsheet" Target="worksheets/sheet4'
    )
    assert spreadsheet.sheets(write_parts(tmp_path / "f.xlsx", parts)) == (
        Sheet("plain"), Sheet("hid", Visibility.HIDDEN), Sheet("deep", Visibility.VERY_HIDDEN),
    )  # fmt: skip


def test_hidden_rows_columns_and_merges(tmp_path: Path, way: str) -> None:
    path, sheet = made(tmp_path / "f.xlsx", *([at] * 6 for at in range(1, 21)))
    sheet.row_dimensions[3].hidden = sheet.row_dimensions[19].hidden = sheet.row_dimensions[40].hidden = True
    sheet.column_dimensions.group("C", "D", hidden=True)
    sheet.column_dimensions["XFD"].hidden = True
    sheet.merge_cells("A1:C1")
    sheet.merge_cells("E1:E2")
    assert sheet.parent is not None
    sheet.parent.save(path)
    _, reading = read(path)
    assert reading.hidden_rows == (3, 19)
    assert reading.hidden_columns == (2, 3)
    assert reading.merges == (Merge(1, 1, 0, 2), Merge(1, 2, 4, 4))


def test_formulas_without_a_saved_value_are_counted(tmp_path: Path, way: str) -> None:
    cells = ["<f>B1</f>", "<f>B1</f><v/>", "<f>B1</f><v></v>", '<f t="shared" si="0"/>', "<f>B1</f><v>5</v>"]
    rows = "".join(f'<row r="{at}"><c r="B{at}">{cell}</c></row>' for at, cell in enumerate(cells, 1))
    rows += '<row r="6"><c r="B6" t="str"><f>""</f><v></v></c><c r="C6" t="str"><f>""</f><v/></c></row>'
    rows += '<row r="7"><c r="B7" t="str"><f>B1</f></c></row>'
    grid, reading = read(write_book(tmp_path / "f.xlsx", rows))
    assert grid == {5: (None, "5")}
    assert reading.formulas_without_value == Places(5, ("B1", "B2", "B3", "B4", "B7"))


def test_macros_and_links_are_ignored_and_said(tmp_path: Path) -> None:
    relations = "".join(
        f'<Relationship Id="{kind}" Type="http://schemas/{kind}" Target="{kind}.bin"/>'
        for kind in ("vbaProject", "externalLink")
    )
    path = write_book(tmp_path / "f.xlsm", number_cells("1"), relations=relations)
    assert [finding.check for finding in read(path)[1].findings] == ["macros-ignored", "links-ignored"]


def test_the_strict_dialect_reads_like_the_other(tmp_path: Path) -> None:
    parts = workbook_parts(
        {"jobs": sheet_xml('<row r="1"><c r="A1" t="s"><v>0</v></c></row>')}, strings="<si><t>x</t></si>"
    )
    for old, new in STRICT.items():
        parts = {name: str(content).replace(old, new) for name, content in parts.items()}
    path = write_parts(tmp_path / "f.xlsx", parts)
    assert spreadsheet.sheets(path) == (Sheet("jobs"),)
    assert read(path)[0] == {1: ("x",)}


def test_prefixed_names_comments_and_other_encodings(tmp_path: Path) -> None:
    xml = sheet_xml('<row r="1"><!-- one --><c r="A1" t="str"><v><![CDATA[a<b]]>é</v></c></row>')
    prefixed = xml.replace("<!-- one -->", "").replace('xmlns="', 'xmlns:x="')
    for tag in ("worksheet", "sheetData", "row", "c ", "v", "c>"):
        prefixed = prefixed.replace(f"<{tag}", f"<x:{tag}").replace(f"</{tag}", f"</x:{tag}")
    latin = xml.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    for content in (xml, prefixed, xml.replace("UTF-8", "UTF-16").encode("utf-16"), latin):
        parts = workbook_parts({"jobs": ""}) | {"xl/worksheets/sheet1.xml": content}
        assert read(write_parts(tmp_path / "f.xlsx", parts))[0] == {1: ("a<bé",)}


# ---- other kinds ----------------------------------------------------------------------------------------------------


def binary_book(path: Path) -> Path:
    """Shared, plain and rich text, numbers in both forms, a date, a per cent, truth, errors, formulas, hidden parts."""
    packed = struct.pack("<I", (12345 << 2) | 3)
    rows = row_record(2) + cell_record(7, 1, struct.pack("<I", 1)) + cell_record(6, 2, wide("1E5"))
    rows += cell_record(5, 3, struct.pack("<d", 20567967.35)) + cell_record(2, 4, packed)
    rows += row_record(3, is_hidden=True) + cell_record(5, 1, struct.pack("<d", 43832.5), style=1)
    rows += cell_record(4, 2, b"\1") + cell_record(3, 3, b"\x2a") + cell_record(5, 4, struct.pack("<d", 0.25), style=2)
    rows += (
        row_record(9)
        + cell_record(8, 1, wide("aé") + bytes(10))
        + cell_record(9, 2, struct.pack("<d", -0.5) + bytes(10))
    )
    rows += cell_record(10, 3, b"\0" + bytes(10)) + cell_record(62, 4, b"\0" + wide("rich"))
    columns = record(390) + record(60, struct.pack("<IIIIH", 2, 2, 2000, 0, 1)) + record(391)
    merges = record(177, struct.pack("<I", 1)) + record(176, struct.pack("<IIII", 1, 1, 1, 2)) + record(178)
    return write_parts(path, binary_parts(rows, ("no", "01001"), columns, merges))


def test_binary_workbooks(tmp_path: Path) -> None:
    path = binary_book(tmp_path / "f.xlsb")
    assert spreadsheet.sheets(path) == (Sheet("jobs"), Sheet("notes", Visibility.VERY_HIDDEN))
    grid, reading = read(path)
    assert grid == {
        2: (None, "01001", "1E5", "20567967.35", "123.45"),
        3: (None, "2020-01-02 12:00:00", "TRUE", None, "0.25"),
        9: (None, "aé", "-0.5", "FALSE", "rich"),
    }
    assert reading.error_cells == (ErrorCells("#N/A", Places(1, ("D3",))),)
    assert (reading.hidden_rows, reading.hidden_columns) == ((3,), (2,))
    assert reading.merges == (Merge(2, 2, 1, 2),)


def test_another_reader_agrees_on_the_binary_workbook(tmp_path: Path) -> None:
    fastexcel = pytest.importorskip("fastexcel")
    book = fastexcel.read_excel(str(binary_book(tmp_path / "f.xlsb")))
    cells = book.load_sheet("jobs", header_row=None, skip_rows=0, dtypes="string").to_arrow().to_pylist()
    assert [list(row.values())[-4:-1] for row in cells if any(row.values())] == [
        ["01001", "1E5", "20567967.350000001"],
        ["2020-01-02 12:00:00", "true", None],
        ["aé", "-0.5", "false"],
    ]


ODS = """<o:document-content xmlns:o="o" xmlns:t="t" xmlns:x="x" xmlns:s="s" xmlns:calcext="c"><o:automatic-styles>
<s:style s:name="h"><s:table-properties t:display="false"/></s:style></o:automatic-styles><o:body><o:spreadsheet>
<t:table t:name="jobs"><t:table-column t:number-columns-repeated="2"/><t:table-column t:visibility="collapse"/>
<t:table-row t:number-rows-repeated="3"><t:table-cell/></t:table-row>
<t:table-row><t:table-cell/>
<t:table-cell o:value-type="string"><x:p>01001</x:p><x:p>b<x:s x:c="2"/>c</x:p>
<o:annotation><x:p>note</x:p></o:annotation></t:table-cell>
<t:table-cell o:value-type="float" o:value="20567967.350000001" t:number-columns-repeated="2"/>
</t:table-row>
<t:table-row t:visibility="filter" t:number-rows-repeated="2">
<t:table-cell o:value-type="date" o:date-value="2020-01-02T00:00:00"/>
<t:table-cell o:value-type="time" o:time-value="PT49H00M05S"/>
<t:table-cell o:value-type="boolean" o:boolean-value="true"/>
<t:table-cell o:value-type="percentage" o:value="0.25"/>
<t:table-cell o:value-type="string" calcext:value-type="error"><x:p>#N/A</x:p></t:table-cell></t:table-row>
<t:table-row><t:table-cell t:formula="of:=1"/>
<t:table-cell t:number-columns-spanned="2" t:number-rows-spanned="2" o:value-type="string" o:string-value="m"/>
<t:covered-table-cell/></t:table-row>
<t:table-row t:number-rows-repeated="1048569"><t:table-cell t:number-columns-repeated="16384"/></t:table-row>
</t:table><t:table t:name="hid" t:style-name="h"/></o:spreadsheet></o:body></o:document-content>"""


def test_open_document_spreadsheets(tmp_path: Path) -> None:
    parts = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": ODS}
    path = write_parts(tmp_path / "f.ods", parts)
    assert spreadsheet.sheets(path) == (Sheet("jobs"), Sheet("hid", Visibility.HIDDEN))
    grid, reading = read(path, "jobs")
    repeated = ("2020-01-02", "49:00:05", "TRUE", "0.25")
    assert grid == {
        4: (None, "01001\nb  c", "20567967.35", "20567967.35"),
        5: repeated,
        6: repeated,
        7: (None, "m", None, None),
    }
    assert reading.error_cells == (ErrorCells("#N/A", Places(2, ("E5", "E6"))),)
    assert reading.formulas_without_value == Places(1, ("A7",))
    assert (reading.hidden_rows, reading.hidden_columns) == ((5, 6), (2,))
    assert reading.merges == (Merge(7, 8, 1, 2),)


def test_a_misleading_name_is_said_and_the_contents_are_read(tmp_path: Path) -> None:
    for name in ("f.xls", "f.ods", "f.xlsb", "f.csv"):
        grid, reading = read(write_book(tmp_path / name, number_cells("7")))
        assert grid == {1: ("7",)}
        assert [finding.check for finding in reading.findings] == ["misnamed"]
        assert name in reading.findings[0].what


@pytest.mark.parametrize(
    "name", ["it's.xlsx", 'say "x".xlsx', "two\nlines.xlsx", "таблица – 表.xlsx", "a%20b#.xlsx", "x';--.xlsx"]
)
def test_names_with_odd_characters(tmp_path: Path, name: str) -> None:
    assert read(write_book(tmp_path / name, number_cells("7")))[0] == {1: ("7",)}


def test_sheet_names_with_odd_characters(tmp_path: Path) -> None:
    names = ("it&apos;s", "a &quot;b&quot;", "表", "x&#10;y", "&lt;&amp;&gt;")
    path = write_parts(tmp_path / "f.xlsx", workbook_parts(dict.fromkeys(names, sheet_xml(number_cells("7")))))
    for sheet in spreadsheet.sheets(path):
        assert read(path, sheet.name)[1].sheet == sheet.name
    assert [sheet.name for sheet in spreadsheet.sheets(path)] == ["it's", 'a "b"', "表", "x\ny", "<&>"]


# ---- files that nobody here wrote -----------------------------------------------------------------------------------

CELLS: dict[str, tuple[str, dict[str, str | None]]] = {
    "laucnty19.xlsx": ("laucnty19", {"A1": "Code", "A2": "CN0100100000000", "B2": "01", "C2": "001", "J4": "4"}),
    "cpsaat11.xlsx": ("cpsaat11", {"A8": "Total, 16 years and over", "B8": "158291", "D8": "77", "A7": None}),
    "nst-est2019-01.xlsx": ("NST01", {"B3": "2010-04-01", "M5": "328239523"}),
    "pandas/chartsheet.xlsx": ("Sheet1", {"B3": "0.09496448346290234"}),
    "pandas/dimension_large.xlsx": ("Sheet1", {"A1": "Title", "C6": "9"}),
    "pandas/dimension_missing.xlsx": ("Sheet1", {"A1": "Title", "C6": "9"}),
    "pandas/dimension_small.xlsx": ("Sheet1", {"A1": "Title", "C6": "9"}),
    "pandas/times_1900.xlsx": ("Sheet1", {"A2": "01:02:03", "A3": "02:45:56.100"}),
    "pandas/times_1904.xlsx": ("Sheet1", {"A2": "01:02:03", "A3": "02:45:56.100"}),
    "readxl/big-texty-numbers-xlsx.xlsx": ("Sheet1", {"A7": "-2147483649", "B7": "-2147483649"}),
    "readxl/dates-1900-LibreOffice.xlsx": ("Sheet1", {"A1": "2000-01-01", "E1": "2000-01-01"}),
    "readxl/dates-1904.xls": ("Sheet1", {"A1": "2000-01-01", "E1": "2000-01-01"}),
    "readxl/dates-leap-year-1900-xlsx.xlsx": ("for_testing", {"A5": "1900-02-29 08:00:00"}),
    "readxl/datetime-rounding.xlsx": ("Sheet1", {"A2": "2016-04-28 11:30:00", "A5": "2017-01-03 11:30:00"}),
    "readxl/deaths.xls": ("arts", {"A6": "David Bowie", "C6": "69", "D6": "TRUE", "E6": "1947-01-08"}),
    "readxl/deaths.xlsx": ("arts", {"A6": "David Bowie", "C6": "69", "D6": "TRUE", "E6": "1947-01-08"}),
    "readxl/geometry.xlsx": ("Sheet1", {"A3": None, "B3": "B3", "D6": "D6"}),
    "readxl/inlineStr.xlsx": ("Requirements", {"C1": None, "D2": "1.", "E2": "RQ11610"}),
    "readxl/missing-first-column.xlsx": ("Sheet1", {"A1": None, "B3": "3"}),
    "readxl/new_line_errors.xlsx": ("Blad1", {"A3": 'Will show "_x000D_" in every new line in cell above'}),
    "readxl/nonstandard-xml-ns-prefix.xlsx": ("Sheet1", {"B3": "4"}),
    "readxl/type-me.xlsx": ("date_coercion", {"A4": "2016-04-28 11:30:00"}),
    "readxl/types.xlsx": ("guess_me", {"C2": "2017-02-27"}),
    "tabulator/merged-cells.xls": ("Лист1", {"A1": "data"}),
    "tabulator/table-with-booleans.xls": ("Лист1", {"B2": "TRUE", "B3": "FALSE"}),
    "tabulator/table-with-ints-floats-dates.xls": ("Лист1", {"A2": "2013", "B4": "11.7", "C2": "2009-08-16"}),
    "tabulator/test_scientific_notation.xlsx": ("Sheet1", {"A2": "4.27335427525861e-07"}),
}
ERROR_CELLS = {
    ("readxl/types.xlsx", "smorgasbord"): {
        "#DIV/0!": 1, "#N/A": 2, "#NAME?": 1, "#NULL!": 1, "#NUM!": 1, "#REF!": 1, "#VALUE!": 1,
    },
    ("pandas/test3.xlsx", "Sheet1"): {"#N/A": 1},
}  # fmt: skip
EMPTY_SHEETS = {
    "pandas/blank.xlsx": 3, "pandas/blank_with_header.xlsx": 2, "pandas/empty_with_blank_row.xlsx": 1,
    "pandas/testdateoverflow.xlsx": 2, "readxl/empty-sheets.xlsx": 1, "readxl/list_type.xlsx": 2,
    "readxl/missing-first-column.xlsx": 2, "readxl/new_line_errors.xlsx": 2, "tabulator/sheet2.xls": 1,
    "tabulator/sheet2.xlsx": 1,
}  # fmt: skip
OPENPYXL_FAILS = ("readxl/los-angeles-arrests-xlsx.xlsx", "pandas/testdateoverflow.xlsx")
given = pytest.mark.skipif(not GIVEN.exists(), reason="the spreadsheets are not here")
FILES = sorted(str(path.relative_to(GIVEN)) for path in GIVEN.rglob("*.xls*"))


@given
@pytest.mark.parametrize("name", FILES)
def test_every_given_workbook_reads_the_same_both_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets that hold nothing are refused as empty; every other one is read."""
    quick = [_or_empty(GIVEN / name, sheet.name) for sheet in spreadsheet.sheets(GIVEN / name)]
    assert quick.count(None) == EMPTY_SHEETS.get(name, 0)
    monkeypatch.setattr(sheet_blocks.BlockReader, "read", lambda *_: None)
    assert [_or_empty(GIVEN / name, sheet.name) for sheet in spreadsheet.sheets(GIVEN / name)] == quick


def _or_empty(path: Path, sheet: str) -> tuple[Grid, Any] | None:
    try:
        return read(path, sheet)
    except EmptyFile:
        return None


@given
@pytest.mark.parametrize("name", CELLS)
def test_known_cells_of_given_workbooks(name: str) -> None:
    sheet, cells = CELLS[name]
    grid, _ = read(GIVEN / name, sheet)
    for address, text in cells.items():
        row, at = place(address)
        assert grid.get(row, (None,) * (at + 1))[at] == text, address


@given
@pytest.mark.parametrize(("name", "sheet"), ERROR_CELLS)
def test_error_cells_of_given_workbooks(name: str, sheet: str) -> None:
    found = {cells.text: cells.places.count for cells in read(GIVEN / name, sheet)[1].error_cells}
    assert found == ERROR_CELLS[name, sheet]


@given
def test_facts_of_given_workbooks() -> None:
    _, issue = read(GIVEN / "tabulator/issue320.xlsx")
    assert len(issue.hidden_columns) == 0 and len(issue.merges) == 26 and 7 in issue.percent_columns
    _, percent = read(GIVEN / "tabulator/preserve-formatting-percentage.xlsx")
    assert percent.percent_columns == (1,)
    _, header = read(GIVEN / "cpsaat11.xlsx")
    assert Merge(4, 6, 0, 0) in header.merges and Merge(5, 6, 1, 1) in header.merges
    assert [sheet.name for sheet in spreadsheet.sheets(GIVEN / "pandas/chartsheet.xlsx")] == ["Sheet1"]


@given
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", [name for name in FILES if name.endswith("x") and name not in OPENPYXL_FAILS])
def test_openpyxl_sees_the_same_cells(name: str) -> None:
    """Every number, text and truth value, against a reader that shares no code with this one."""
    book = openpyxl.load_workbook(GIVEN / name, data_only=True)
    for sheet in spreadsheet.sheets(GIVEN / name):
        grid = (_or_empty(GIVEN / name, sheet.name) or ({}, None))[0]
        for row in book[sheet.name].iter_rows():
            for cell in row:
                wanted = _as_read(cell)
                found = grid.get(cell.row, ())[cell.column - 1 : cell.column]
                assert wanted is ... or (found or (None,))[0] == wanted, f"{sheet.name}!{cell.coordinate}"


def _as_read(cell: Any) -> Any:
    """The text of a cell, or … where openpyxl counts or writes otherwise (dates of 1900, line ends, errors)."""
    value = cell.value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return number_text(float(value))
    if isinstance(value, datetime) and value.year > 1900:
        return value.isoformat(" ", "milliseconds").removesuffix(".000").removesuffix(" 00:00:00")
    if isinstance(value, time):
        return value.isoformat("milliseconds").removesuffix(".000")
    if isinstance(value, str) and cell.data_type != "e" and "_x000D_" not in value:
        return value if value.strip() else None
    return ...
