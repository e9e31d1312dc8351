"""The workbook: a fresh spreadsheet with one named table per sheet, laid out for people and screen readers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.indexed_list import IndexedList
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.table import Table, TableColumn
from openpyxl.worksheet.worksheet import Worksheet

from workbench.errors import OutputError
from workbench.plan.amounts import exact_text
from workbench.release.release import PublishedTable, Release
from workbench.report import guarantee_words, odds_words, words
from workbench.report.keys import PublicKey
from workbench.report.sheet_rows import BodyStyles, cell_text, row_chunks, stored_text
from workbench.report.tables import ShownColumn, shown_columns
from workbench.report.workbook_file import Body, save_workbook

HEADING_ROW = 4
MOST_ROWS = 1_048_576 - HEADING_ROW
FRONT_SHEETS = ("Cover", "Contents", "Notes", "Methods and budget")
CREATOR = "Release Workbench"
LANGUAGE = "en"

_LONGEST_SHEET_NAME = 31
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f']")
_ROW_HEIGHT = 20.25
_LINE_HEIGHT = 15.75
_LETTERS_PER_WIDTH = 1.15  # of running text, which is narrower than the digits that widths are counted in
_WIDEST_LIST, _WIDEST = 90, 255

_NO_LIMITS = "Neither a margin nor limits are printed; the Methods and budget sheet says why."

_ACCENT = "12436D"
_BODY_FONT = Font(name="Arial", size=12, family=2)
_RULE = Side(style="thin", color="D9DFE5")
_GRID = Border(left=_RULE, right=_RULE, top=_RULE, bottom=_RULE)
_SHADE = PatternFill("solid", fgColor="F3F7FA")
_HEAD = PatternFill("solid", fgColor=_ACCENT)


def _font(**changes: Any) -> Font:
    return Font(name="Arial", family=2, **{"size": 12, **changes})


def _styles() -> tuple[NamedStyle, ...]:
    """Every style of the workbook; the headings carry Excel's own numbers, so that readers know them as headings."""
    plain = Alignment(horizontal="left", vertical="center")
    wrapped = Alignment(horizontal="left", vertical="center", wrap_text=True)
    left, right = (Alignment(horizontal=side, vertical="center", indent=1) for side in ("left", "right"))
    left_wrapped = Alignment(horizontal="left", vertical="center", indent=1, wrap_text=True)
    head, link = _font(bold=True, color="FFFFFF"), _font(underline="single", color=_ACCENT)
    return (
        NamedStyle("Heading 1", font=_font(size=16, bold=True, color=_ACCENT), alignment=plain, builtinId=16),
        NamedStyle("Heading 2", font=_font(size=14, bold=True, color=_ACCENT), alignment=plain, builtinId=17),
        NamedStyle("Sentence", font=_BODY_FONT, alignment=plain, number_format="@"),
        NamedStyle("Paragraph", font=_BODY_FONT, alignment=wrapped, number_format="@"),
        NamedStyle("Table head", font=head, fill=_HEAD, border=_GRID, alignment=left, number_format="@"),
        NamedStyle("Table head number", font=head, fill=_HEAD, border=_GRID, alignment=right, number_format="@"),
        NamedStyle("Text", font=_BODY_FONT, border=_GRID, alignment=left, number_format="@"),
        NamedStyle("Text shaded", font=_BODY_FONT, fill=_SHADE, border=_GRID, alignment=left, number_format="@"),
        NamedStyle("Text wrapped", font=_BODY_FONT, border=_GRID, alignment=left_wrapped, number_format="@"),
        NamedStyle("Link", font=link, border=_GRID, alignment=left, number_format="@"),
        *_number_styles(0),
    )


def _number_styles(decimals: int) -> tuple[NamedStyle, NamedStyle]:
    """Numbers with so many places, plain and shaded."""
    name, places = _number_style(decimals), f"0.{'0' * decimals}".rstrip(".")
    right = Alignment(horizontal="right", vertical="center", indent=1)
    return (
        NamedStyle(name, font=_BODY_FONT, border=_GRID, alignment=right, number_format=places),
        NamedStyle(f"{name} shaded", font=_BODY_FONT, fill=_SHADE, border=_GRID, alignment=right, number_format=places),
    )


def _number_style(decimals: int) -> str:
    return f"Number {decimals}" if decimals else "Number"


def write_workbook(release: Release, path: Path, signers: Sequence[PublicKey]) -> None:
    """Cover, contents, notes, methods, then a sheet for each table."""
    if any(table.grid.size > MOST_ROWS for table in release.tables):
        raise OutputError(path.name, f"a sheet holds no more than {MOST_ROWS:,} cells of a table")
    workbook = _new_workbook(release)
    _write_cover(workbook, release)
    _write_contents(workbook, release)
    _write_notes(workbook, release)
    _write_methods(workbook, release, signers)
    bodies = {}
    for name, table in zip(sheet_names(release), release.tables, strict=True):
        bodies[name] = _write_table(workbook, release, name, table)
    save_workbook(workbook, path, bodies)


def sheet_names(release: Release) -> tuple[str, ...]:
    """The sheet of each table, in order; the leading number keeps them apart."""
    return tuple(_sheet_name(number, table) for number, table in enumerate(release.tables, 1))


def _sheet_name(number: int, table: PublishedTable) -> str:
    keys = ", ".join(table.grid.keys)
    what = table.unit if words.is_count(table) else f"{table.statistic} of {table.unit}"
    words_after = (f"by {keys}" if keys else "Total") if table.is_total else what.capitalize()
    name = _NOT_IN_SHEET_NAMES.sub(" ", f"Table {number} {words_after}").strip()
    return name if len(name) <= _LONGEST_SHEET_NAME else f"Table {number}"


def _new_workbook(release: Release) -> Workbook:
    workbook = Workbook()
    workbook.remove(workbook.active)
    # Cells without a style, and the width of columns, go by the workbook's first font.
    workbook._fonts = IndexedList([_BODY_FONT])
    workbook._named_styles["Normal"].font = _BODY_FONT
    finer = sorted({table.decimals for table in release.tables} - {0})
    for style in (*_styles(), *(style for decimals in finer for style in _number_styles(decimals))):
        workbook.add_named_style(style)
    workbook.properties.title = cell_text(release.title)
    workbook.properties.creator = CREATOR
    workbook.properties.language = LANGUAGE
    return workbook


def _new_sheet(workbook: Workbook, release: Release, name: str) -> Worksheet:
    sheet = workbook.create_sheet(name)
    sheet.sheet_format.defaultRowHeight = _ROW_HEIGHT
    sheet.sheet_format.customHeight = True
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.page_setup.fitToHeight = 0
    sheet.page_margins = PageMargins(left=0.5, right=0.5, top=0.75, bottom=0.75)
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.oddFooter.left.text = release.id.replace("&", "&&")
    sheet.oddFooter.right.text = "Page &P of &N"
    if release.is_rehearsal:
        sheet.oddHeader.center.text = words.REHEARSAL
    return sheet


def _put(sheet: Worksheet, row: int, column: int, text: str, style: str) -> Any:
    """Text that stays text, whatever it begins with."""
    cell = sheet.cell(row, column)
    cell.value = stored_text(text)
    cell.data_type = "s"
    cell.style = style
    return cell


def _put_heading(sheet: Worksheet, row: int, text: str, style: str = "Heading 1") -> None:
    _put(sheet, row, 1, text, style)
    sheet.row_dimensions[row].height = 30 if style == "Heading 1" else 27


def _put_paragraph(sheet: Worksheet, row: int, column: int, text: str, style: str, width: float) -> None:
    """Text that wraps, in a row tall enough for it: spreadsheets do not fit rows to text by themselves."""
    _put(sheet, row, column, text, style)
    needed = ceil(len(text) / (width * _LETTERS_PER_WIDTH)) * _LINE_HEIGHT + _ROW_HEIGHT - _LINE_HEIGHT
    sheet.row_dimensions[row].height = max(needed, sheet.row_dimensions[row].height or 0)


def _marked(release: Release, sentence: str) -> str:
    return f"{words.REHEARSAL_SENTENCE} {sentence}" if release.is_rehearsal else sentence


def _write_cover(workbook: Workbook, release: Release) -> None:
    sheet = _new_sheet(workbook, release, "Cover")
    width = 108  # what A4 paper takes across: one wide column is not made narrower in print
    sheet.column_dimensions["A"].width = width
    _put_heading(sheet, 1, release.title)
    for row, line in enumerate(_cover_lines(release), 2):
        if line.startswith("# "):
            _put_heading(sheet, row, line.removeprefix("# "), "Heading 2")
        else:
            _put_paragraph(sheet, row, 1, line, "Paragraph", width)


def _cover_lines(release: Release) -> tuple[str, ...]:
    guarantee = release.guarantee
    return (
        _marked(release, words.identity_sentence(release)),
        "# About these tables",
        words.tables_sentence(release),
        odds_words.noise_sentence(release),
        odds_words.odds_sentence(release),
        *(guess.sentence for guess in odds_words.guesses(release)),
        f"Privacy budget, {guarantee.words}.",
        f"{guarantee_words.account_sentence(release)}.",
        "# How to read the tables",
        _limits_line(release),
        _symbols_line(release),
        "The numbers as drawn, below zero where they fell so, are in noisy_measurements.csv.",
        "# Is this the real file?",
        "The file is signed. Follow VERIFY.txt, or use “Verify a release…” in the workbench.",
    )


def _limits_line(release: Release) -> str:
    having = [table for table in release.tables if table.limits is not None]
    if not having:
        return "No limits are printed beside the numbers, because their width would reveal something about the data."
    beside = "Each number stands beside its lower and upper 95 % limit. The limits include the privacy noise."
    if len(having) == len(release.tables):
        return beside
    others = words.numbers_of(release, (table for table in release.tables if table.limits is None))
    return f"{beside} None are printed in {others}; the Methods and budget sheet says why."


def _symbols_line(release: Release) -> str:
    low = words.low_sentence(release)
    return f"{low} This and [note 1] are explained on the Notes sheet." if low else "The Notes sheet explains [note 1]."


def _write_contents(workbook: Workbook, release: Release) -> None:
    rows = (
        ("Notes", "Notes and symbols"),
        ("Methods and budget", "How the numbers were protected, and what that cost"),
        *((name, _contents_words(table)) for name, table in zip(sheet_names(release), release.tables, strict=True)),
    )
    sheet = _write_list(workbook, release, "Contents", "Contents", ("Sheet", "What it holds"), rows)
    for row, (name, _) in enumerate(rows, HEADING_ROW):
        cell = sheet.cell(row, 1)
        cell.style = "Link"
        cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"'{name}'!A1", display=name)


def _contents_words(table: PublishedTable) -> str:
    rows = f"{table.grid.size:,} row{'s' * (table.grid.size != 1)}"
    return f"{table.title}, added up: {rows}" if table.is_total else f"{table.title}: {rows}"


def _note_rows(release: Release) -> list[tuple[str, str]]:
    notes = [(f"[note {number}]", note) for number, note in enumerate(words.notes(release), 1)]
    meanings = [f"{meaning[:1].upper()}{meaning[1:]}." for meaning in words.low_meanings(release)]
    return [*notes, *([(words.LOW, " Or, where the table says so: ".join(meanings))] if meanings else [])]


def _write_notes(workbook: Workbook, release: Release) -> None:
    _write_list(workbook, release, "Notes", "Notes and symbols", ("Mark", "Meaning"), _note_rows(release))


def _write_methods(workbook: Workbook, release: Release, signers: Sequence[PublicKey]) -> None:
    rows = [
        ("Release", release.id),
        ("Data set", release.dataset),
        ("In plain words", f"{odds_words.odds_sentence(release)} {odds_words.wrong_sentence(release)}"),
        *_guess_facts(release),
        *guarantee_words.guarantee_facts(release),
        *(fact for table in release.tables for fact in _table_facts(release, table)),
        ("What was looked at", release.looked_at),
        ("Ledger", words.ledger_sentence(release)),
        ("Signed", words.signed_sentence(signers)),
    ]
    _write_list(workbook, release, "Methods and budget", "Methods and budget", ("Fact", "What it is"), rows)


def _guess_facts(release: Release) -> Iterator[words.Fact]:
    guesses = odds_words.guesses(release)
    if guesses:
        yield "More and fewer steps", " ".join(guess.sentence for guess in guesses)


def _table_facts(release: Release, table: PublishedTable) -> Iterator[words.Fact]:
    number = words.numbered(release, table)
    if not table.is_total:
        yield f"Mechanism of table {number}", f"{table.mechanism_title}: {table.scale_words}"
        yield f"Sensitivity of table {number}", table.sensitivity_words
        if table.bias_words:
            yield f"Bias of table {number}", table.bias_words
    sentences = (words.limits_sentence(table), words.total_sentence(release, table))
    yield f"Limits of table {number}", " ".join(sentences).strip()


def _write_list(
    workbook: Workbook, release: Release, name: str, title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]
) -> Worksheet:
    """A sheet of words: a title, a sentence and one table whose long texts wrap."""
    sheet = _new_sheet(workbook, release, name)
    _put_heading(sheet, 1, title)
    _put(sheet, 2, 1, _marked(release, "This sheet has one table."), "Sentence")
    for at, heading in enumerate(headings, 1):
        _put(sheet, HEADING_ROW - 1, at, heading, "Table head")
        width = min(_column_width([heading, *(row[at - 1] for row in rows)]), _WIDEST_LIST)
        sheet.column_dimensions[get_column_letter(at)].width = width
        for number, row in enumerate(rows, HEADING_ROW):
            _put_paragraph(sheet, number, at, row[at - 1], "Text wrapped", width)
    _finish_table(sheet, headings, HEADING_ROW - 1, len(rows))
    return sheet


def _write_table(workbook: Workbook, release: Release, name: str, table: PublishedTable) -> Body:
    """The sheet of a table down to its heading row, and the rows still to be put in."""
    sheet = _new_sheet(workbook, release, name)
    columns = [column for column in shown_columns(table) if column.heading]
    _put_heading(sheet, 1, f"Table {words.numbered(release, table)}: {table.title} {_note_marks(release, table)}")
    _put(sheet, 2, 1, _marked(release, _units_sentence(table)), "Sentence")
    _put(sheet, 3, 1, _symbols_sentence(release, table), "Sentence")
    for at, column in enumerate(columns, 1):
        _put(sheet, HEADING_ROW, at, column.heading, "Table head" if column.is_text else "Table head number")
        texts = {column.heading, *column.texts}
        sheet.column_dimensions[get_column_letter(at)].width = _column_width(texts)
    _finish_table(sheet, [column.heading for column in columns], HEADING_ROW, table.grid.size)
    return _body(workbook, columns, table.grid.size)


def _units_sentence(table: PublishedTable) -> str:
    quantity = words.quantity(table)
    steps = "" if words.is_count(table) else f", in steps of {exact_text(table.step)}"
    what = f"{quantity[:1].upper()}{quantity[1:]}{steps}."
    limits = words.limits_sentence(table) if table.limits is not None else _NO_LIMITS
    return f"{what} {limits} This sheet has one table."


def _symbols_sentence(release: Release, table: PublishedTable) -> str:
    meaning = words.low_meaning(table)
    symbols = f"{words.LOW} {meaning}." if meaning else "No symbols are used."
    return f"{symbols} {words.total_sentence(release, table)}".strip()


def _note_marks(release: Release, table: PublishedTable) -> str:
    every, about = words.notes(release), words.notes_on(release, table)
    return " ".join(f"[note {number}]" for number, note in enumerate(every, 1) if note in about)


def _column_width(texts: Iterable[str]) -> int:
    return min(max(len(text) for text in texts) + 4, _WIDEST)


def _finish_table(sheet: Worksheet, headings: Sequence[str], heading_row: int, rows: int) -> None:
    """Name the table, keep its headings in view and repeat them on every printed page."""
    last = f"{get_column_letter(len(headings))}{heading_row + rows}"
    table = Table(displayName=f"Sheet_{len(sheet.parent.sheetnames)}", ref=f"A{heading_row}:{last}")
    table.tableColumns = [TableColumn(id=at, name=stored_text(name)) for at, name in enumerate(headings, 1)]
    sheet.add_table(table)
    sheet.freeze_panes = f"A{heading_row + 1}"
    sheet.print_title_rows = f"{heading_row}:{heading_row}"


def _body(workbook: Workbook, columns: Sequence[ShownColumn], rows: int) -> Body:
    first, last = HEADING_ROW + 1, HEADING_ROW + rows
    letters = [get_column_letter(at) for at, column in enumerate(columns, 1) if column.is_text]
    codes = " ".join(f"{letter}{first}:{letter}{last}" for letter in letters)
    places = {column.decimals for column in columns}
    numbers = {decimals: _style_numbers(workbook, _number_style(decimals)) for decimals in places}
    styles = BodyStyles(text=_style_numbers(workbook, "Text"), numbers=numbers)
    return Body(f"A1:{get_column_letter(len(columns))}{last}", codes, row_chunks(columns, first, styles))


def _style_numbers(workbook: Workbook, name: str) -> tuple[int, int]:
    """The numbers a file gives to a style and its shaded twin."""
    numbers = []
    for style in (name, f"{name} shaded"):
        cell = Cell(workbook["Cover"], row=1, column=1)
        cell.style = style
        numbers.append(cell.style_id)
    return numbers[0], numbers[1]
