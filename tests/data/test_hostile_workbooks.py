"""Damaged, protected and hostile workbooks: a plain sentence, soon, and without filling memory or disk."""

from __future__ import annotations

import io
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from raw_workbooks import (
    HEAD,
    MAIN,
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
)

from workbench.data.readers import package, spreadsheet
from workbench.data.readers.content import Content, content_of
from workbench.errors import (
    DataError,
    EmptyFile,
    FarCell,
    FileTooLarge,
    HostileFile,
    MissingSheet,
    NoSheets,
    OtherContent,
    ProtectedFile,
    UnreadableFile,
)

ONE = '<row r="1"><c r="A1"><v>7</v></c></row>'
SHEET = "xl/worksheets/sheet1.xml"
LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    """No file may hold the officer up, however it was made."""
    start = time.process_time()
    yield
    assert time.process_time() - start < 20


def refused(path: Path, error: type[DataError], words: str = "") -> None:
    """Refused with a sentence that names the file, the reason and a remedy, and shows no traceback, path or value."""
    with pytest.raises(error) as caught:
        read(path)
    sentence = str(caught.value)
    assert words in sentence and path.name in sentence and caught.value.remedy
    assert str(path.parent) not in sentence and "Traceback" not in sentence and "Error" not in sentence


# ---- bombs ----------------------------------------------------------------------------------------------------------


def test_a_part_that_grows_a_thousandfold_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    for part in (SHEET, "xl/media/picture.png"):
        parts = workbook_parts({"jobs": sheet_xml(ONE)}) | {part: b" " * 60_000_000}
        refused(write_parts(tmp_path / "bomb.xlsx", parts), HostileFile, "two hundredfold")


def test_the_size_of_all_parts_together_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MOST_UNPACKED", 1_000_000)
    noise = {f"xl/media/{at}.bin": bytes(range(256)) * 800 for at in range(6)}
    refused(write_parts(tmp_path / "big.xlsx", workbook_parts({"jobs": sheet_xml(ONE)}) | noise), FileTooLarge)


def test_a_size_that_lies_does_not_help(tmp_path: Path) -> None:
    """The directory says 10 bytes where there are 60 million: no more than 10 are unpacked."""
    path = write_parts(tmp_path / "liar.xlsx", workbook_parts({"jobs": sheet_xml(ONE)}) | {SHEET: b" " * 60_000_000})
    data = path.read_bytes().replace((60_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)
    refused(path, UnreadableFile)


def test_too_many_parts(tmp_path: Path) -> None:
    path = tmp_path / "many.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for at in range(20_100):
            archive.writestr(f"xl/{at}", b"")
        for name, content in workbook_parts({"jobs": sheet_xml(ONE)}).items():
            archive.writestr(name, content)
    refused(path, HostileFile, "parts")


@pytest.mark.parametrize(
    "part",
    [SHEET, "xl/workbook.xml", "xl/sharedStrings.xml", "xl/styles.xml", "_rels/.rels", "xl/_rels/workbook.xml.rels"],
)
def test_billion_laughs(tmp_path: Path, part: str) -> None:
    parts = workbook_parts({"jobs": sheet_xml(ONE)}, strings="<si><t>&amp;</t></si>")
    parts[part] = str(parts[part]).replace(HEAD, HEAD + LAUGHS).replace("<v>7</v>", "<v>&i;</v>")
    refused(write_parts(tmp_path / "laughs.xlsx", parts), UnreadableFile, "document type")


def test_files_outside_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password")
    doctype = f'<!DOCTYPE x [<!ENTITY i SYSTEM "file://{tmp_path}/secret">]>'
    xml = sheet_xml('<row r="1"><c r="A1" t="str"><v>&i;</v></c></row>').replace(HEAD, HEAD + doctype)
    refused(write_parts(tmp_path / "f.xlsx", workbook_parts({"jobs": xml})), UnreadableFile, "document type")


def test_billion_laughs_in_open_document(tmp_path: Path) -> None:
    content = f"{HEAD}{LAUGHS}<office:spreadsheet>&i;</office:spreadsheet>"
    parts = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content}
    refused(write_parts(tmp_path / "laughs.ods", parts), UnreadableFile, "document type")


def test_nesting_without_end(tmp_path: Path) -> None:
    rows = "<row>" + "<a>" * 500_000 + "</a>" * 500_000 + "</row>"
    refused(write_book(tmp_path / "deep.xlsx", rows), UnreadableFile, "nested")


def test_a_tag_without_end(tmp_path: Path) -> None:
    noise = (
        "".join(chr(33 + (at * 7919) % 90) for at in range(1_000_000))
        .replace("<", "x")
        .replace('"', "x")
        .replace("&", "x")
    )
    rows = f'<row r="1" x="{noise * 40}"/>'
    refused(write_book(tmp_path / "long.xlsx", rows), UnreadableFile)


def test_a_long_text_behind_every_cell_is_not_multiplied(tmp_path: Path) -> None:
    """One text of 32,767 letters, 100,000 times: three gigabytes if every cell had its own."""
    rows = "".join(f'<row r="{at}"><c r="A{at}" t="s"><v>0</v></c></row>' for at in range(1, 100_001))
    path = write_book(tmp_path / "strings.xlsx", rows, strings=f"<si><t>{'a1b2' * 8191}</t></si>")
    refused(path, FileTooLarge, "bytes of text")


def test_more_shared_text_than_can_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.data.readers.xlsx_parts._MOST_SHARED", 1000)
    refused(write_book(tmp_path / "f.xlsx", ONE, strings="<si><t>x</t></si>" * 100), FileTooLarge, "shared text")


# ---- far and many ---------------------------------------------------------------------------------------------------


def test_one_cell_in_the_last_corner(tmp_path: Path) -> None:
    rows = ONE + '<row r="1048576"><c r="XFD1048576"><v>9</v></c></row>'
    refused(write_book(tmp_path / "far.xlsx", rows), FarCell, "XFD1048576")


def test_one_cell_in_the_last_row(tmp_path: Path) -> None:
    rows = ONE + '<row r="1048576"><c r="C1048576"><v>9</v></c></row>'
    assert read(write_book(tmp_path / "low.xlsx", rows))[0] == {1: ("7", None, None), 1_048_576: (None, None, "9")}


def test_blank_styled_cells_reach_as_far_as_they_like(tmp_path: Path) -> None:
    rows = ONE + '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"/></row>'
    assert read(write_book(tmp_path / "far.xlsx", rows))[0] == {1: ("7",)}


def test_a_staircase_is_refused(tmp_path: Path) -> None:
    """Cells that stretch a sheet over more than can be held: the farthest one is named."""
    rows = "".join(f'<row r="{at}"><c r="A{at}"><v>1</v></c></row>' for at in range(1, 40_000))
    rows += '<row r="40000"><c r="EZZ40000"><v>1</v></c></row>'
    refused(write_book(tmp_path / "stairs.xlsx", rows), FarCell, "EZZ40000")


def test_cells_outside_every_sheet(tmp_path: Path) -> None:
    for address in ("XFE1", "ZZZ1", "A1048577", "A9999999", "A0", "1A", "A", "A99999999999"):
        row = "".join(filter(str.isdigit, address)) or "1"
        refused(write_book(tmp_path / "f.xlsx", f'<row r="{row}"><c r="{address}"><v>1</v></c></row>'), UnreadableFile)


def test_fifty_thousand_merges(tmp_path: Path) -> None:
    merges = "".join(f'<mergeCell ref="A{at}:B{at}"/>' for at in range(1, 50_001))
    _, reading = read(write_book(tmp_path / "merges.xlsx", ONE, after=f"<mergeCells>{merges}</mergeCells>"))
    assert 0 < len(reading.merges) < 100
    side_by_side = '<mergeCell ref="A1:XFD1048576"/>' * 50_000
    _, reading = read(write_book(tmp_path / "merges.xlsx", ONE, after=f"<mergeCells>{side_by_side}</mergeCells>"))
    assert len(reading.merges) <= 10_000


def test_hidden_columns_without_end(tmp_path: Path) -> None:
    columns = '<cols><col min="2" max="4000000000" hidden="1"/></cols>'
    assert read(write_book(tmp_path / "f.xlsx", ONE, before=columns))[1].hidden_columns == ()


def test_open_document_runs_without_end(tmp_path: Path) -> None:
    for rows, columns in ((1_048_576, 16_384), (10**11, 10**11), (1_048_576, 100), (40_000, 4_000)):
        cell = f'<t:table-cell t:number-columns-repeated="{columns}" o:value-type="float" o:value="1"/>'
        content = (
            '<o:c xmlns:o="o" xmlns:t="t"><t:table t:name="jobs">'
            f'<t:table-row t:number-rows-repeated="{rows}">{cell}</t:table-row></t:table></o:c>'
        )
        parts = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content}
        refused(write_parts(tmp_path / "runs.ods", parts), FarCell)


# ---- damage ---------------------------------------------------------------------------------------------------------


def binary(rows: bytes) -> Callable[[Path], Path]:
    return lambda path: write_parts(path.with_suffix(".xlsb"), binary_parts(rows, ("x",)))


def long_book(path: Path) -> Path:
    rows = "".join(f'<row r="{at}"><c r="A{at}"><v>{at * 7919 % 10007}</v></c></row>' for at in range(1, 9000))
    return write_book(path, rows)


@pytest.mark.parametrize("kept", [1, 4, 30, 200, 0.1, 0.5, 0.9, 0.99, -1])
def test_truncated_workbooks(tmp_path: Path, kept: float) -> None:
    whole = long_book(tmp_path / "f.xlsx").read_bytes()
    cut = int(kept * len(whole)) if 0 < kept < 1 else int(kept)
    (tmp_path / "cut.xlsx").write_bytes(whole[:cut])
    refused(tmp_path / "cut.xlsx", UnreadableFile)


def test_flipped_bytes_are_noticed_or_harmless(tmp_path: Path) -> None:
    whole = bytearray(long_book(tmp_path / "f.xlsx").read_bytes())
    good = read(tmp_path / "f.xlsx")[0]
    for at in range(200, len(whole) - 1, len(whole) // 60):
        flipped = bytes(whole[:at]) + bytes([whole[at] ^ 0x55]) + bytes(whole[at + 1 :])
        (tmp_path / "flip.xlsx").write_bytes(flipped)
        try:
            assert read(tmp_path / "flip.xlsx")[0] == good
        except DataError as error:
            assert "flip.xlsx" in str(error)


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="1"><c r="A1"><v>abc</v></c></row>',
        '<row r="1"><c r="A1"><v>nan</v></c></row>',
        '<row r="1"><c r="A1"><v>1_0</v></c></row>',
        '<row r="1"><c r="A1"><v>1.2.3</v></c></row>',
        '<row r="1"><c r="A1"><v>1-2</v></c></row>',
        '<row r="1"><c r="A1"><v>1e999</v></c></row>',
        '<row r="1"><c r="A1" t="s"><v>5</v></c></row>',
        '<row r="1"><c r="A1" t="s"><v>-1</v></c></row>',
        '<row r="1"><c r="A1" t="s"><v>x</v></c></row>',
        '<row r="2"><c r="A2"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>',
        '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>',
        '<row r="1"><c r="A2"><v>1</v></c></row>',
        '<row r="x"><c r="A1"><v>1</v></c></row>',
        '<row r="1"><c r="A1" s="x"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>1</v></row>',
        '<row r="1"><c r="A1"><v>1</v></c>',
        '<row r="1"><c r="A1" t="str"><v>&nothing;</v></c></row>',
        '<row r="1"><c r="A1" t="str"><v>a\x01b</v></c></row>',
    ],
)  # fmt: skip
def test_wrong_cells_are_refused(tmp_path: Path, rows: str) -> None:
    refused(write_book(tmp_path / "f.xlsx", rows), UnreadableFile)


def test_missing_parts(tmp_path: Path) -> None:
    whole = workbook_parts({"jobs": sheet_xml(ONE)})
    for part, error in (
        ("xl/workbook.xml", UnreadableFile),
        ("xl/_rels/workbook.xml.rels", NoSheets),
        (SHEET, NoSheets),
    ):
        refused(write_parts(tmp_path / "f.xlsx", {name: whole[name] for name in whole if name != part}), error)
    for part in ("xl/styles.xml", "xl/sharedStrings.xml", "_rels/.rels", "[Content_Types].xml"):
        path = write_parts(tmp_path / "f.xlsx", {name: whole[name] for name in whole if name != part})
        assert read(path)[0] == {1: ("7",)}


def test_targets_that_climb_out_stay_inside(tmp_path: Path) -> None:
    parts = workbook_parts({"jobs": sheet_xml(ONE)})
    relations = str(parts["xl/_rels/workbook.xml.rels"])
    parts["xl/_rels/workbook.xml.rels"] = relations.replace("worksheets/sheet1.xml", "../../../../etc/passwd")
    refused(write_parts(tmp_path / "f.xlsx", parts), NoSheets)


def test_no_sheets_chart_sheets_only_and_empty_sheets(tmp_path: Path) -> None:
    refused(write_parts(tmp_path / "none.xlsx", workbook_parts({})), NoSheets)
    parts = workbook_parts({"chart": f'{HEAD}<chartsheet xmlns="{MAIN}"/>'})
    parts["xl/_rels/workbook.xml.rels"] = str(parts["xl/_rels/workbook.xml.rels"]).replace(
        '/worksheet"', '/chartsheet"'
    )
    refused(write_parts(tmp_path / "chart.xlsx", parts), NoSheets)
    for rows in (
        "",
        '<row r="5"/>',
        '<row r="5"><c r="B5" s="1"/></row>',
        '<row r="1"><c r="A1" t="str"><v> </v></c></row>',
    ):
        refused(write_book(tmp_path / "blank.xlsx", rows), EmptyFile, "jobs")
    with pytest.raises(MissingSheet, match="jobs"):
        read(write_book(tmp_path / "f.xlsx", ONE), "wages")


@pytest.mark.parametrize(
    "rows",
    [
        cell_record(5, 0, b"\0" * 8),
        row_record(1) + cell_record(5, 20_000, b"\0" * 8),
        row_record(1) + cell_record(5, 3, b"\0" * 8) + cell_record(5, 2, b"\0" * 8),
        row_record(2) + cell_record(5, 0, b"\0" * 8) + row_record(1),
        row_record(3_000_000),
        row_record(1) + cell_record(7, 0, b"\xff\xff\xff\xff"),
        row_record(1) + cell_record(6, 0, b"\xfe\xff\xff\xff"),
        row_record(1) + cell_record(5, 0, b"\0"),
        row_record(1) + record(5, b"\0"),
        row_record(1) + b"\x05\xff\xff\xff\xff",
        row_record(1) + b"\x05\xff\xff\xff\x0f",
        record(0, b"\0"),
    ],
)  # fmt: skip
def test_wrong_records_of_binary_workbooks(tmp_path: Path, rows: bytes) -> None:
    refused(binary(rows)(tmp_path / "f"), UnreadableFile)


def test_one_cell_in_the_last_corner_of_a_binary_workbook(tmp_path: Path) -> None:
    rows = row_record(1) + cell_record(6, 0, wide("x")) + row_record(1_048_576) + cell_record(6, 16_383, wide("y"))
    refused(binary(rows)(tmp_path / "f"), FarCell, "XFD1048576")


GIVEN = Path(__file__).parents[3] / "shared" / "data" / "spreadsheets"


@pytest.mark.skipif(not GIVEN.exists(), reason="the spreadsheets are not here")
def test_damaged_old_workbooks(tmp_path: Path) -> None:
    """Cut, and with single bytes changed all over: read or refused, never anything else."""
    whole = (GIVEN / "tabulator" / "sheet2.xls").read_bytes()
    path = tmp_path / "old.xls"
    for cut in (9, 100, 512, 1500, 3000, len(whole) - 700):
        path.write_bytes(whole[:cut])
        with pytest.raises(DataError, match=r"old\.xls"):
            read(path, "Sheet2")
    outcomes = set()
    for at in range(8, len(whole), 41):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            read(path, "Sheet2")
            outcomes.add("read")
        except DataError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


# ---- other contents -------------------------------------------------------------------------------------------------


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<html><body><table><tr><td>1</td></tr></table></body></html>", Content.HTML),
        (b"\xef\xbb\xbf\r\n<!DOCTYPE html><p>x", Content.HTML),
        (
            b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
            Content.SPREADSHEET_XML,
        ),
        (b"a,b\n1,2\n", Content.TEXT),
        ("a,b\n1,2\n".encode("utf-16"), Content.TEXT),
        (b"%PDF-1.7 ...", Content.PDF),
        (b"PAR1....", Content.PARQUET),
        (b"\x1f\x8b\x08\x00", Content.GZIP),
        (zipped(a=b"x"), Content.ZIP),
        (zipped(word__document=b"x") + b"", Content.ZIP),
        (b"\x09\x04\x06\x00\x00\x00\x10\x00", Content.OLD_EXCEL),
        (bytes(range(256)) * 4, Content.OTHER),
    ],
)
def test_other_contents_are_recognised_and_named(tmp_path: Path, content: bytes, kind: Content) -> None:
    path = tmp_path / "table.xlsx"
    path.write_bytes(content)
    assert content_of(path) is kind
    refused(path, OtherContent, kind)


def test_an_office_document_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "letter.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w/>")
    refused(path, OtherContent, "Office document")


# ---- protection -----------------------------------------------------------------------------------------------------


def test_members_protected_one_by_one(tmp_path: Path) -> None:
    path = write_book(tmp_path / "f.xlsx", ONE)
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(bytes(data))
    refused(path, ProtectedFile, "password")


def test_protected_open_document(tmp_path: Path) -> None:
    manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    parts = {"mimetype": mimetype, "content.xml": b"\x81\x02", "META-INF/manifest.xml": manifest}
    refused(write_parts(tmp_path / "f.ods", parts), ProtectedFile, "password")


def protected(path: Path, password: str) -> Path:
    library = pytest.importorskip(
        "msoffcrypto.format.ooxml", reason="the library that opens protected files is not here"
    )
    plain = io.BytesIO(long_book(path).read_bytes())
    with path.open("wb") as file:
        library.OOXMLFile(plain).encrypt(password, file)
    return path


def test_protected_workbooks_say_so_and_open_with_the_password(tmp_path: Path) -> None:
    path = protected(tmp_path / "f.xlsx", "correct horse")
    assert content_of(path) is Content.PROTECTED
    refused(path, ProtectedFile, "it is protected by a password")
    with pytest.raises(ProtectedFile, match="the password does not open it"):
        spreadsheet.sheets(path, "wrong horse")
    assert read(path, password="correct horse")[0][2] == ("5831",)


def test_what_excel_opens_without_asking_opens_here_too(tmp_path: Path) -> None:
    assert read(protected(tmp_path / "f.xlsx", "VelvetSweatshop"))[0][2] == ("5831",)


# ---- bounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="memory is limited by the system here")
@pytest.mark.parametrize("how", ["far", "strings"])
def test_memory_stays_small(tmp_path: Path, how: str) -> None:
    """The same files again, in a process that may not use more than 1.5 GB."""
    path = tmp_path / "f.xlsx"
    if how == "far":
        write_book(path, ONE + '<row r="1048576"><c r="EZZ1048576"><v>9</v></c></row>')
    else:
        test_a_long_text_behind_every_cell_is_not_multiplied(tmp_path)
        path = tmp_path / "strings.xlsx"
    script = f"""
        import duckdb, resource
        from pathlib import Path
        from workbench.data.layout import Layout
        from workbench.data.readers import spreadsheet
        from workbench.errors import DataError
        try:
            spreadsheet.load(duckdb.connect(), Path({str(path)!r}), Layout())
        except DataError as error:
            print(error)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * {1 if sys.platform == "darwin" else 1024} < 1.5e9
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr


def test_nothing_is_written_beside_the_file(tmp_path: Path) -> None:
    path = long_book(tmp_path / "f.xlsx")
    read(path)
    assert {one.name for one in tmp_path.iterdir()} <= {"f.xlsx", "home"}
