"""How long reading takes beside the fastest plain reader of each format: ratios from one run, files made on the spot.

Run it as `python tests/bench/bench_reading.py [megabytes of csv] [thousands of rows of xlsx]`.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from types import ModuleType

import duckdb

from workbench.data.engine import Engine
from workbench.data.layout import Layout
from workbench.data.readers import compressed, delimited, parquet, spreadsheet

REPEATS = 3
NAMES = ["employer", "county", "sector", "sex", "age", "pay", "hours", "name", "start", "flag"]
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
PARTS = {
    "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="a" Type="{OFFICE}/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="jobs" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    f'<Relationship Id="rId3" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/>'
    "</cellXfs></styleSheet>",
}
Figure = tuple[str, float, float]


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    thousands = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'file':<46} {'ours':>8} {'plain':>8} {'ratio':>7}")
        csv = (*csv_figures(Path(folder), megabytes), *parquet_figures(Path(folder))) if megabytes else ()
        for name, ours, plain in (*csv, *xlsx_figures(Path(folder), 1000 * thousands)):
            print(f"{name:<46} {ours:>7.2f}s {plain:>7.2f}s {ours / plain:>7.2f}")
    print(f"most memory used: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:,} MB")


def csv_figures(folder: Path, megabytes: int) -> Iterator[Figure]:
    """Against DuckDB's own reading of all columns as text into a table, of the clean file."""
    clean = make_csv(folder / "clean.csv", megabytes)
    plain = best_seconds(lambda: table(f"read_csv('{clean}', header = false, all_varchar = true)"))
    yield "csv", best_seconds(lambda: load(delimited, clean)), plain
    text = clean.read_text(encoding="utf-8")
    for name, changed, encoding in (
        ("csv, a blank line in every fifty", blank_lines(text), "utf-8"),
        ("csv, a longer row in every thousand", longer_rows(text), "utf-8"),
        ("csv in UTF-16", text, "utf-16"),
        ("csv in Windows-1252", text.replace("Person", "Köhler"), "cp1252"),
    ):
        path = folder / "changed.csv"
        path.write_text(changed, encoding=encoding, newline="")
        yield name, best_seconds(lambda path=path: load(delimited, path)), plain
    packed = folder / "clean.csv.gz"
    duckdb.connect().execute(f"COPY (FROM '{clean}') TO '{packed}' (COMPRESSION gzip)")
    plain = best_seconds(lambda: table(f"read_csv('{packed}', header = false, all_varchar = true)"))
    yield "csv.gz", best_seconds(lambda: load(compressed, packed)), plain


def parquet_figures(folder: Path) -> Iterator[Figure]:
    """Against DuckDB's own reading into a table; ours is a view, and every value is looked at once."""
    path = folder / "clean.parquet"
    source = f"read_csv('{folder / 'clean.csv'}', header = true, all_varchar = true)"
    duckdb.connect().execute(f"COPY (FROM {source}) TO '{path}'")
    plain = best_seconds(lambda: table(f"read_parquet('{path}')"))
    yield "parquet", best_seconds(lambda: load(parquet, path)), plain


def xlsx_figures(folder: Path, rows: int) -> Iterator[Figure]:
    """Against fastexcel's own reading into Arrow, typed and as text; ours is exact text in the engine."""
    import fastexcel

    path = make_xlsx(folder / "clean.xlsx", rows)
    name = f"xlsx, {rows:,} rows of {len(NAMES)} columns"
    plain = best_seconds(lambda: fastexcel.read_excel(str(path)).load_sheet(0, eager=True))
    text = best_seconds(
        lambda: fastexcel.read_excel(str(path)).load_sheet(0, header_row=None, skip_rows=0, dtypes="string").to_arrow()
    )
    ours = best_seconds(lambda: load(spreadsheet, path))
    yield name, ours, plain
    yield f"{name}, against text", ours, text
    print(f"most memory used for the xlsx alone: {memory_alone(path) // 1024**2:,} MB")


def memory_alone(path: Path) -> int:
    """Bytes that a process takes which does nothing but read this file."""
    script = (
        "import pathlib, resource; from workbench.data import readers; from workbench.data.engine import Engine; "
        "from workbench.data.layout import Layout; "
        f"readers.spreadsheet.load(Engine().connection, pathlib.Path({str(path)!r}), Layout()); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)"
    )
    return int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)


def make_xlsx(path: Path, rows: int) -> Path:
    """Whole numbers, codes, dates, amounts, long fractions, per cents and texts, written as Excel writes them."""
    rng = random.Random(1)
    strings = [*NAMES, *(f"{at:05d}" for at in range(3000)), *(f"Person {at}" for at in range(50_000))]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in PARTS.items():
            archive.writestr(name, content)
        shared = "".join(f"<si><t>{text}</t></si>" for text in strings)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{shared}</sst>')
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">'.encode())
            sheet.write("".join(f'<c r="{c}1" t="s"><v>{at}</v></c>' for at, c in enumerate("ABCDEFGHIJ")).encode())
            sheet.write(b"</row>")
            for row in range(2, rows + 2):
                sheet.write(xlsx_row(rng, row).encode())
            sheet.write(b"</sheetData></worksheet>")
    return path


def xlsx_row(rng: random.Random, row: int) -> str:
    return (
        f'<row r="{row}" spans="1:10"><c r="A{row}"><v>{10**6 + row}</v></c>'
        f'<c r="B{row}" t="s"><v>{10 + rng.randrange(3000)}</v></c>'
        f'<c r="C{row}" t="s"><v>{10 + rng.randrange(20)}</v></c>'
        f'<c r="D{row}" t="s"><v>{10 + rng.randrange(2)}</v></c><c r="E{row}"><v>{rng.randrange(16, 90)}</v></c>'
        f'<c r="F{row}"><v>{rng.randrange(10**7) / 100!r}</v></c><c r="G{row}"><v>{rng.random() * 60!r}</v></c>'
        f'<c r="H{row}" t="s"><v>{3010 + rng.randrange(50_000)}</v></c>'
        f'<c r="I{row}" s="1"><v>{rng.randrange(30_000, 46_000)}</v></c>'
        f'<c r="J{row}" s="2"><v>{rng.randrange(100) / 100!r}</v></c></row>'
    )


def load(reader: ModuleType, path: Path) -> None:
    reader.load(Engine().connection, path, Layout())


def table(source: str) -> None:
    duckdb.connect().execute(f"CREATE TABLE t AS FROM {source}")


def best_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def make_csv(path: Path, megabytes: int) -> Path:
    rng = random.Random(1)
    rows = "".join(
        f"{rng.randrange(10**7):07d},{rng.randrange(1000):05d},{rng.choice(['31-33', '11', '722511'])},"
        f"{rng.choice('MF')},{rng.randrange(16, 90)},{rng.randrange(10**7) / 100:.2f},{rng.randrange(80)},"
        f'"Person {rng.randrange(10**6)}, jr",2020-{rng.randrange(1, 13):02d}-11,{rng.choice(["", "D", "S"])}\n'
        for _ in range(50_000)
    )
    with path.open("w", encoding="utf-8", newline="") as text:
        text.write(",".join(NAMES) + "\n")
        for _ in range(max(megabytes * 1024**2 // len(rows), 1)):
            text.write(rows)
    return path


def blank_lines(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line + "\n" if at % 50 == 0 else line for at, line in enumerate(lines))


def longer_rows(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line + ",more" if at % 1000 == 0 else line for at, line in enumerate(lines))


if __name__ == "__main__":
    main()
