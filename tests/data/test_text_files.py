"""Text files: every dialect and encoding comes back as written, under the row numbers Excel shows; nothing is left."""

from __future__ import annotations

import csv
import gzip
import io
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.data.engine import Engine
from workbench.data.findings import Finding, Severity
from workbench.data.layout import ENCODINGS, NO_DELIMITER, NO_QUOTE, Layout
from workbench.data.opening import open_dataset
from workbench.data.readers import compressed, delimited, reader_for, text_rows
from workbench.data.readers.reading import Reading
from workbench.errors import (
    DataError,
    EmptyFile,
    FileTooLarge,
    HostileFile,
    OtherContent,
    SeveralFiles,
    UnreadableFile,
)  # fmt: skip

ROOT = Path(__file__).parent.parent.parent
SHARED = ROOT.parent / "shared" / "data"
TABLE = [
    ["code", "name", "pay", "note"],
    ["01001", "Köln", "1234.5", 'say "yes"'],
    ["31-33", "O'Brien", "20", ""],
    ["00", "a;b,c|d\te", "0.25", "x y"],
    ["1E5", "Zürich", "17000", "two\nlines"],
    ["", "é ü", "8", "~^:"],
    ["00123", "straße", "12", "last"],
]

Cells = list[tuple[str | None, ...]]


def write(path: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def read(path: Path, **layout: object) -> tuple[Cells, Reading]:
    engine = Engine()
    reading = delimited.load(engine.connection, path, Layout(**layout))  # type: ignore[arg-type]
    return engine.grid_rows(1, 2_000_000), reading


def text_format(path: Path) -> tuple[str, str, str, str]:
    found = read(path)[1].text_format
    assert found is not None
    return found.encoding, found.delimiter, found.quote, found.decimal


def as_read(rows: Sequence[Sequence[str]]) -> Cells:
    return [tuple(value.strip() or None for value in row) for row in rows]


def about(reading: Reading, where: str) -> list[Finding]:
    return [finding for finding in reading.findings if finding.where == where]


# ---- every dialect and encoding -------------------------------------------------------------------------------------

DELIMITERS = [",", ";", "\t", "|", ":", " ", "^", "~", "\x1f", "#", "!"]
CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "cp1252", "iso-8859-15",
          "mac-roman"]  # fmt: skip


@pytest.mark.parametrize("codec", CODECS)
def test_every_dialect_is_guessed_and_comes_back_as_written(tmp_path: Path, codec: str) -> None:
    for delimiter, quote, line_end in product(DELIMITERS, "\"'", ["\n", "\r\n", "\r"]):
        table = [[value.replace("\n", line_end) for value in row] for row in TABLE * 4]
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=delimiter, quotechar=quote, lineterminator=line_end).writerows(table)
        rows, _ = read(write(tmp_path / "f.csv", text.getvalue(), codec))
        assert rows == as_read(table), (delimiter, quote, line_end)


VALUES = st.text(st.sampled_from("ab0 1.,;|\t'\"\n\rÖß–\\"), max_size=6)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    table=st.integers(2, 5).flatmap(lambda width: st.lists(st.tuples(*[VALUES] * width), min_size=1)),
    delimiter=st.sampled_from(",;\t|§"),
    quote=st.sampled_from("\"'"),
    codec=st.sampled_from(["utf-8", "utf-16-le", "windows-1252"]),
)
def test_any_table_comes_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, table: list[tuple[str, ...]], delimiter: str, quote: str, codec: str
) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quotechar=quote, quoting=csv.QUOTE_ALL).writerows(table)
    path = write(tmp_path_factory.getbasetemp() / "f.csv", text.getvalue(), codec)
    rows, _ = read(path, delimiter=delimiter, quote=quote, encoding=codec)
    width = max((at + 1 for row in table for at, value in enumerate(row) if value.strip()), default=1)
    assert rows == [row[:width] for row in as_read(table)]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_can_be_chosen(tmp_path: Path, encoding: str) -> None:
    letters = {"windows-1251": "Й", "windows-1253": "Ω", "shift-jis": "ポ", "gb18030": "中"}.get(encoding, "ü")
    path = write(tmp_path / "f.csv", f"name,pay\n{letters},1\n", encoding)
    assert read(path, encoding=encoding)[0] == [("name", "pay"), (letters, "1")]


def test_delimiters_of_more_than_one_byte(tmp_path: Path) -> None:
    path = write(tmp_path / "f.txt", "a§b\n«x§y»§2\n«z»§3\n")
    assert read(path, delimiter="§", quote="«")[0][0] == ("a", "b")
    assert read(write(path, "a§b\n1§2\n3§4\n"))[0] == [("a", "b"), ("1", "2"), ("3", "4")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a, b, c\n1, "x, y", 3\n4, "z, w", 6\n', ("1", "x, y", "3")),
        ('a,b\n"x \\"q\\" y",2\n"p",3\n', ('x "q" y', "2")),
        ('a,b,c\n1,5" pipe,3\n4,"a, b",9\n', ("1", '5" pipe', "3")),
        ("a | b | c\n1 | 2 | 3\n", ("1", "2", "3")),
        ("id,url\n1,http://a.b/c?d=1;e\n2,http://x.y/z?d=2;e\n", ("1", "http://a.b/c?d=1;e")),
        ("time,value\n12:30:00,5\n12:31:00,6\n", ("12:30:00", "5")),
        ("a\tb\n1, 2\t3\n4\t5\n", ("1, 2", "3")),
    ],
)
def test_what_programs_write_beside_the_standard(tmp_path: Path, text: str, expected: tuple[str, ...]) -> None:
    assert read(write(tmp_path / "f.csv", text))[0][1] == expected


@pytest.mark.parametrize(
    "lines",
    [
        ["wert", "1,5", "2,7", "3,25"],
        ["zeit", "10:30", "11:45"],
        ["day", "2021-01-01", "2021-01-02"],
        ["name", "Anna Maria", "Bob", "Carl von Eck"],
        ["code", "01001", "00", "31-33"],
        ["x"],
    ],
)
def test_one_column_is_not_taken_apart(tmp_path: Path, lines: list[str]) -> None:
    rows, reading = read(write(tmp_path / "f.csv", "\n".join(lines)))
    assert rows == [(line,) for line in lines]
    assert reading.text_format is not None and reading.text_format.delimiter == NO_DELIMITER


def test_a_chosen_dialect_is_obeyed(tmp_path: Path) -> None:
    path = write(tmp_path / "f.csv", 'a,b;c\n"1",2;3\n')
    assert read(path, delimiter=";", quote=NO_QUOTE)[0] == [("a,b", "c"), ('"1",2', "3")]
    assert read(path, delimiter=NO_DELIMITER, quote=NO_QUOTE)[0] == [("a,b;c",), ('"1",2;3',)]


# ---- encodings that are not said -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("codec", "text", "guess"),
    [
        ("cp1252", "ort,wert\nKöln,“1”\n", "windows-1252"),
        ("iso-8859-15", "ort,preis\nKöln,5 €\nŠibenik,7 €\n", "iso-8859-15"),
        ("mac-roman", "name,pay\nJosé,1\nMüller,2\n", "mac-roman"),
        ("utf-16-le", "名前,給与\n太郎,10\n花子,20\n", "utf-16-le"),
    ],
)
def test_letters_tell_the_encoding(tmp_path: Path, codec: str, text: str, guess: str) -> None:
    path = write(tmp_path / "f.csv", text, codec)
    assert text_format(path)[0] == guess
    assert read(path)[0] == [tuple(line.split(",")) for line in text.splitlines()]


def test_an_uncertain_encoding_is_said_and_can_be_corrected(tmp_path: Path) -> None:
    path = write(tmp_path / "f.csv", "имя,зарплата\nИван,10\nПётр,20\n", "cp1251")
    (said,) = about(read(path)[1], "data.encoding")
    assert said.severity is Severity.WARNING and said.remedy
    rows, reading = read(path, encoding="windows-1251")
    assert rows[1] == ("Иван", "10") and not about(reading, "data.encoding")


def test_a_likely_encoding_is_a_note_with_its_letters(tmp_path: Path) -> None:
    (said,) = about(read(write(tmp_path / "f.csv", "ort,n\nKöln,1\nMünchen,2\n", "cp1252"))[1], "data.encoding")
    assert said.severity is Severity.NOTE and "ö ü" in said.what
    assert not read(write(tmp_path / "f.csv", "ort,n\nKöln,1\n"))[1].findings


def test_letters_far_down_tell_the_encoding_too(tmp_path: Path) -> None:
    path = write(tmp_path / "f.csv", b"a,b\n" + b"1,2\n" * 200_000 + "Köln,4\n".encode("cp1252"))
    rows, reading = read(path)
    assert rows[-1] == ("Köln", "4") and about(reading, "data.encoding")


# ---- decimal sign ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "decimal", "is_clear"),
    [
        ("ort;wert\nKöln;1.234,50\nBonn;7,25\n", ",", True),
        ("ort;wert\nKöln;1,234\nBonn;7,250\n", ",", False),
        ("ort;wert\nKöln;1,234.50\n", ".", True),
        ('ort,wert\nKöln,"15,913"\n', ".", True),
        ('ort,wert\nKöln,"15,9"\n', ",", True),
        ("ort\twert\nKöln\t1,234\n", ".", False),
        ("ort;wert\nKöln;12\n", ".", True),
    ],
)
def test_the_decimal_sign_is_guessed(tmp_path: Path, text: str, decimal: str, is_clear: bool) -> None:
    path = write(tmp_path / "f.csv", text)
    assert text_format(path)[3] == decimal
    assert (not about(read(path)[1], "data.decimal")) == is_clear
    assert not about(read(path, decimal=",")[1], "data.decimal")


# ---- rows and their numbers -----------------------------------------------------------------------------------------


def test_rows_have_the_numbers_a_spreadsheet_shows(tmp_path: Path) -> None:
    text = 'Title\n\n\na,b,c\n1,2,3\n\n4,"5\n\n5",6\n7\n\n8,9,10,11\n'
    rows, reading = read(write(tmp_path / "f.csv", text))
    numbered = {number: row for number, row in enumerate(rows, start=1) if any(row)}
    assert numbered == {
        1: ("Title", None, None, None),
        4: ("a", "b", "c", None),
        5: ("1", "2", "3", None),
        7: ("4", "5\n\n5", "6", None),
        8: ("7", None, None, None),
        10: ("8", "9", "10", "11"),
    }
    (said,) = reading.findings
    assert (said.where, said.severity) == ("D10", Severity.WARNING) and "1 row has more than 3 values" in said.what


def test_row_numbers_hold_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_rows, "LONGEST_RECORD", 4096)
    monkeypatch.setattr(text_rows, "_AT_ONCE", 500)
    rng = random.Random(7)
    table = [[str(rng.randrange(10**6))] * rng.choice([3] * 20 + [0, 1, 2, 4, 7]) for _ in range(20_000)]
    path = write(tmp_path / "f.csv", "\n".join(",".join(row) for row in table))
    rows, _ = read(path, delimiter=",")
    assert rows == [(*row, *[None] * (7 - len(row))) for row in table]


def test_line_ends_may_be_mixed(tmp_path: Path) -> None:
    mixed = write(tmp_path / "f.csv", b"a,b\n1,2\r\n3,4\r5,6")
    assert read(mixed)[0] == [("a", "b"), ("1", "2"), ("3", "4"), ("5", "6")]
    assert read(write(tmp_path / "f.csv", b"a,b\r\n1,2\r\n\x1a"))[0][:2] == [("a", "b"), ("1", "2")]


@pytest.mark.parametrize("start", ["sep=;\n", "\ufeffsep=;\r\n", "SEP=;\r"])
def test_excels_separator_line_is_obeyed_and_not_counted(tmp_path: Path, start: str) -> None:
    for codec in ("utf-8", "utf-16-le"):
        rows, reading = read(write(tmp_path / "f.csv", start + "ort,x;wert\nKöln;1\n", codec))
        assert rows == [("ort,x", "wert"), ("Köln", "1")]
        assert reading.text_format is not None and reading.text_format.delimiter == ";"


def test_empty_columns_at_the_right_are_left_out_visibly(tmp_path: Path) -> None:
    rows, reading = read(write(tmp_path / "f.csv", "a,b,,,\n1,2,,,\n3,4,,,\n"))
    assert rows == [("a", "b"), ("1", "2"), ("3", "4")]
    assert [(finding.where, finding.severity) for finding in reading.findings] == [("C1", Severity.NOTE)]


def test_empty_columns_on_the_left_stay(tmp_path: Path) -> None:
    assert read(write(tmp_path / "f.csv", ",a,,b\n,1,,2\n"))[0] == [(None, "a", None, "b"), (None, "1", None, "2")]


# ---- bad files ------------------------------------------------------------------------------------------------------

QUOTED = {"quote": '"', "delimiter": ","}


@pytest.mark.parametrize(
    ("content", "layout", "error", "words"),
    [
        (bytes(range(256)) * 40, {}, UnreadableFile, "not text"),
        (b"a,b\n1,2\0\n" * 10, {}, UnreadableFile, "not text"),
        (b"a,b\n" + b"1,2\n" * 100_000 + b"1,\0\n", {}, UnreadableFile, "NUL"),
        (b"sep=;\n", {}, EmptyFile, "empty"),
        ("ort\nKöln\n".encode("cp1252"), {"encoding": "utf-8"}, UnreadableFile, "Choose another encoding"),
        (b"a,b\n\x81\x8d,1\n", {"encoding": "windows-1252"}, UnreadableFile, "Choose another encoding"),
        (b'a,b,c\n1,"2,3\n4,5,6\n', QUOTED, UnreadableFile, "row 2 is never closed"),
        (b'a,b,c\n1,2,"3\n4,5,6\n', QUOTED, UnreadableFile, "row 2 is never closed"),
        (b"a,b\n" * 9 + b'1,"2\n' + b"3,4\n" * 100_000, QUOTED, UnreadableFile, "row 10 is never closed"),
        (b"x" * 17 * 1024**2, {}, FileTooLarge, "16 MB"),
        (b"a,b\n" + b"x" * 40 * 1024**2, {}, UnreadableFile, "more than 16 MB"),
        (b'a,b\n1,"' + b"2,3\n" * 9 * 1024**2, QUOTED, UnreadableFile, "quotation mark is never closed"),
        (b"x," * 1_000_000 + b"\n", {}, FileTooLarge, "1,000,001 columns"),
        (b"a,b\n1,2\n" + b"x," * 1_000_000 + b"\n", {"delimiter": ","}, FileTooLarge, "1,000,001 columns"),
        (b"a,b\n1,2\n" * 40_000 + b"x," * 1_000_000 + b"\n", {}, FileTooLarge, "1,000,001 columns"),
    ],
)
def test_bad_text_gets_a_sentence_soon(
    tmp_path: Path, content: bytes, layout: dict[str, str], error: type[DataError], words: str
) -> None:
    path = write(tmp_path / "jobs.csv", content)
    started = time.monotonic()
    with pytest.raises(error, match=words) as caught:
        read(path, **layout)
    assert "jobs.csv" in str(caught.value) and caught.value.remedy
    assert time.monotonic() - started < 20


def test_quotation_marks_that_enclose_nothing_stay_and_are_said(tmp_path: Path) -> None:
    rows, reading = read(write(tmp_path / "f.csv", 'a,b,c\n1,"2,3\n4,5,6\n7,8,9\n'))
    assert rows[1] == ("1", '"2', "3") and about(reading, "data.quote")


def test_a_value_that_swallows_lines_is_pointed_at(tmp_path: Path) -> None:
    lines = [f"{n},jobs in place number {n}" for n in range(2000)]
    lines[1000], lines[1050] = '1000,"open', '1050",x'
    rows, reading = read(write(tmp_path / "f.csv", "id,name\n" + "\n".join(lines)), **QUOTED)
    assert len(rows) < 1960
    assert "B1002" in [finding.where for finding in reading.findings]


# ---- packed files ---------------------------------------------------------------------------------------------------


def packed(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_packed_text_is_read_as_it_is_unpacked(tmp_path: Path) -> None:
    text = "ort;wert\nKöln;1,5\n".encode("cp1252")
    for path in (
        write(tmp_path / "jobs.csv.gz", gzip.compress(text)),
        write(tmp_path / "misnamed.csv", gzip.compress(text)),
        packed(tmp_path / "jobs.zip", {"2025/jobs.csv": text, "__MACOSX/2025/._jobs.csv": "y"}),
    ):
        dataset = open_dataset(path)
        assert [column.name for column in dataset.columns] == ["ort", "wert"]
        assert dataset.engine.grid_rows(2, 1) == [("Köln", "1,5")]


def test_a_packed_workbook_is_read_with_its_sheets(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    second = book.create_sheet("jobs")
    for row in (["code", "pay"], ["01001", 5]):
        second.append(row)
    content = io.BytesIO()
    book.save(content)
    dataset = open_dataset(packed(tmp_path / "jobs.zip", {"jobs.xlsx": content.getvalue()}), Layout(sheet="jobs"))
    assert dataset.engine.grid_rows(1, 2) == [("code", "pay"), ("01001", "5")]


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("cut.csv.gz", gzip.compress(random.Random(1).randbytes(9000).hex().encode())[:-50], UnreadableFile, "cut"),
        ("twice.gz", gzip.compress(gzip.compress(b"a,b\n")), UnreadableFile, "packed twice"),
        ("broken.zip", b"PK\x03\x04 nothing", UnreadableFile, "damaged"),
    ],
)
def test_bad_archives_get_a_sentence(
    tmp_path: Path, name: str, content: bytes, error: type[DataError], words: str
) -> None:
    with pytest.raises(error, match=words):
        open_dataset(write(tmp_path / name, content))


def test_archives_of_several_files_or_none(tmp_path: Path) -> None:
    with pytest.raises(SeveralFiles, match=r"holds 2 files: a\.csv, b\.csv"):
        open_dataset(packed(tmp_path / "two.zip", {"a.csv": "a", "b.csv": "b"}))
    with pytest.raises(EmptyFile):
        open_dataset(packed(tmp_path / "none.zip", {}))


def test_a_bomb_is_refused_before_it_unfolds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "_SMALL", 1024**2)
    with pytest.raises(HostileFile, match="two hundredfold"):
        open_dataset(write(tmp_path / "bomb.csv.gz", gzip.compress(b"a,b\n" * 4 * 1024**2)))


@pytest.mark.parametrize(("name", "reader"), [("jobs", delimited), ("jobs.dat", delimited), ("jobs.csv", compressed)])
def test_the_contents_choose_the_reader(tmp_path: Path, name: str, reader: object) -> None:
    content = b"a,b\n1,2\n"
    assert reader_for(write(tmp_path / name, gzip.compress(content) if reader is compressed else content)) is reader


def test_a_web_page_called_csv_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OtherContent, match="web page"):
        reader_for(write(tmp_path / "jobs.csv", "<!DOCTYPE html><html><body>Log in</body></html>"))


# ---- public files ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not SHARED.exists(), reason="the public files are not here")
def test_public_files_come_as_they_are() -> None:
    rows, reading = read(SHARED / "susb_us_state_2digitnaics_2021.csv")
    assert rows[1][:8] == (
        "00", "United States", "11", "Agriculture, Forestry, Fishing and Hunting", "02: <5 employees", "15,913",
        "15,931", "22,946",
    )  # fmt: skip
    assert rows[9][15:] == ("Row Labels", "Sum of Firms")  # somebody’s pivot table beside the data
    assert len(rows) == 5001 and not reading.findings
    rows, reading = read(SHARED / "spreadsheets" / "national_May2021_dl.csv")
    assert rows[0][0] == "AREA"  # without the byte order mark
    assert rows[1][4:12] == (
        "000000", "Cross-industry", "cross-industry", "1235", "00-0000", "All Occupations", "total", "140,886,310",
    )  # fmt: skip
    assert {"#", "*"} < {value for row in rows for value in row}
    assert not reading.findings


@pytest.mark.skipif(not SHARED.exists(), reason="the public files are not here")
def test_public_files_agree_with_another_reader() -> None:
    for path in sorted(SHARED.glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as text:
            expected = as_read(list(csv.reader(text)))
        rows, _ = read(path)
        assert [row[: len(rows[0])] for row in expected] == rows, path.name


# ---- larger than memory, and nothing left ---------------------------------------------------------------------------

SPILLING = """
    import sys
    from pathlib import Path
    from workbench.data.engine import Engine
    from workbench.data.layout import Layout
    from workbench.data.readers import delimited

    engine = Engine()
    engine.connection.execute("SET memory_limit = '120MB'")
    delimited.load(engine.connection, Path(sys.argv[1]), Layout())
    distinct = engine.connection.execute("SELECT count(DISTINCT c3) FROM grid").fetchone()[0]
    print(engine.grid_height(), distinct, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.csv"
    rng = random.Random(3)
    with path.open("w", newline="") as text:
        text.write("id,place,sector,name\n")
        text.writelines(f"{n},{n % 997:05d},31-33,Person {rng.randrange(10**12)} of {n}\n" for n in range(2_000_000))
    return path


@pytest.mark.skipif(os.name != "posix", reason="processes are killed differently elsewhere")
@pytest.mark.parametrize("end", ["normally", "killed"])
def test_no_record_is_left_on_disk(tmp_path: Path, long_file: Path, end: str) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SPILLING), str(long_file)], cwd=tmp_path, text=True,
        env={**os.environ, "TMPDIR": str(scratch), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    with process.stdin, process.stdout:
        assert process.stdout.readline() == "2000001 2000001\n"
        spilled = sum(file.stat().st_size for file in scratch.rglob("*.tmp"))
        assert spilled > 10 * 1024**2, "the file fitted into memory: the test shows nothing"
        if end == "killed":
            process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    deadline = time.monotonic() + 20
    while list(scratch.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [str(left) for left in tmp_path.rglob("*") if left not in (scratch, tmp_path / "home")] == []
