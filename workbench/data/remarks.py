"""What the officer is told about how a file was read: every guess that matters, everything left out, with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.data.dataset import RowCounts, address
from workbench.data.describing import Described
from workbench.data.findings import Finding, Severity, Stage
from workbench.data.footer import TailRow
from workbench.data.header import Header, Row, is_value, letter
from workbench.data.kinds import ColumnKind, parts_of
from workbench.data.layout import Decimal, Hidden, Layout, Meaning
from workbench.data.readers.reading import Reading, Sheet, Visibility
from workbench.data.structure import Frame

_FIRST_WORDS = 60
_TAKEN_FOR = {Meaning.MISSING: "missing", Meaning.SUPPRESSED: "suppressed"}


def sheet_remarks(sheets: Sequence[Sheet], layout: Layout, empty: Sequence[str], is_chosen: bool) -> Iterator[Finding]:
    """Which sheet was taken, when there was a choice or when it is a hidden one."""
    names = ", ".join(sheet.name for sheet in sheets if sheet.name != layout.sheet)
    chosen = next((sheet for sheet in sheets if sheet.name == layout.sheet), None)
    if chosen and chosen.visibility is not Visibility.VISIBLE:
        yield _note(
            "sheet-chosen", "data.sheet", f"The sheet “{chosen.name}” is {chosen.visibility} in the workbook.",
            severity=Severity.WARNING, remedy="Make sure that it is the one you mean.",
        )  # fmt: skip
    if empty:
        yield _note("sheet-chosen", "data.sheet", f"{_quoted(empty)} {_is(empty)} empty; “{layout.sheet}” was read.")
    elif len(sheets) > 1 and not is_chosen:
        yield _note(
            "sheet-chosen", "data.sheet", f"The sheet “{layout.sheet}” was read. There are others: {names}.",
            remedy="Choose another sheet if it is not the one you mean.",
        )  # fmt: skip


def header_remarks(header: Header, above: Sequence[Row], layout: Layout) -> Iterator[Finding]:
    sheet = layout.sheet or ""
    words = [cell for row in above for cell in row if cell is not None]
    if words:
        yield _note(
            "rows-left-out", address(sheet, f"A1:A{header.row - 1}" if header.row > 2 else "A1"),
            f"{_rows(1, header.row - 1)} above the header {_hold(header.row - 1)} no records: {_first(words[0])}",
        )  # fmt: skip
    if header.rows > 1:
        yield _note(
            "header-found", address(sheet, f"A{header.row}:A{header.last}"),
            f"The column names are joined from {_rows(header.row, header.last).lower()}.",
            remedy="Choose the number of header rows if some of them are records.",
        )  # fmt: skip
    if not header.is_sure:
        yield _note(
            "header-found", address(sheet, f"A{header.row}"),
            f"No row looks like column names; row {header.row} is used as such, though it may be a record.",
            severity=Severity.WARNING, remedy="Add a row of column names to the file, or choose the header row.",
        )  # fmt: skip


def name_remarks(header: Header, plain: Sequence[str], names: Mapping[int, str], sheet: str) -> Iterator[Finding]:
    for at, name in names.items():
        if plain[at] != name:
            why = "name is repeated" if plain[at] else "has no name"
            yield _note(
                "column-renamed", address(sheet, f"{letter(at)}{header.last}"),
                f"The column {why}; it is called “{name}” here.",
            )  # fmt: skip


def row_remarks(counts: RowCounts, first_blank: int, sheet: str) -> Iterator[Finding]:
    if counts.blank and first_blank:
        what = "1 blank row is" if counts.blank == 1 else f"{counts.blank:,} blank rows are"
        where = address(sheet, f"A{first_blank}")
        yield _note("rows-left-out", where, f"{what} passed over, the first in row {first_blank}.")
    if not counts.records:
        yield _note(
            "rows-left-out", address(sheet, "A1"), "There are no records below the header.", severity=Severity.WARNING,
            remedy="Choose another sheet or header row.",
        )  # fmt: skip


def footer_remarks(frame: Frame, like_records: int, suspect: TailRow | None, sheet: str) -> Iterator[Finding]:
    if frame.footer:
        many = frame.height - frame.last
        first = frame.last + 1
        held = f"{like_records:,} rows that look like records" if like_records else "notes"
        yield _note(
            "rows-left-out", address(sheet, f"A{first}:A{frame.height}" if many > 1 else f"A{first}"),
            f"{_rows(first, frame.height)} below the table {_hold(many)} {held} and {_are(many)} left out: "
            f"{_first(frame.footer.words)}",
            severity=Severity.WARNING if like_records else Severity.NOTE,
            remedy="Choose another last row if they are records.",
        )  # fmt: skip
    if suspect:
        many = frame.last - suspect.number + 1
        yield _note(
            "rows-left-out", address(sheet, f"A{suspect.number}"),
            f"{_rows(suspect.number, frame.last)} {_hold(many)} words and no values: {_first(suspect.texts[0])}",
            severity=Severity.WARNING, remedy=f"If they are notes, choose {suspect.number - 1} as the last row.",
        )  # fmt: skip


def blank_column_remarks(dropped: Sequence[int], sheet: str, header: Header) -> Iterator[Finding]:
    if dropped:
        letters = [letter(at) for at in dropped]
        what = f"Column {letters[0]} has" if len(letters) == 1 else f"{len(letters):,} columns ({_some(letters)}) have"
        yield _note(
            "columns-left-out", address(sheet, f"{letters[0]}{header.row}"), f"{what} neither a name nor a value and "
            f"{_is(letters)} left out.",
        )  # fmt: skip


def hidden_remarks(rows: int, columns: Sequence[int], first_row: int, layout: Layout) -> Iterator[Finding]:
    """Hidden records and columns: nobody decided yet, or what was decided."""
    if not rows and not columns:
        return
    letters = [letter(at) for at in columns]
    parts = {
        f"{rows:,} hidden row{'s' * (rows != 1)}": rows,
        f"{len(columns):,} hidden column{'s' * (len(columns) != 1)} ({_some(letters)})": len(columns),
    }
    what = f"The table has {' and '.join(words for words, count in parts.items() if count)}"
    where = address(layout.sheet or "", f"A{first_row}" if rows else f"{letters[0]}{layout.header_row}")
    if layout.hidden is Hidden.REFUSE:
        yield _note(
            "hidden-parts", where, f"{what}.", severity=Severity.BLOCK,
            remedy='Decide what becomes of them: set data.hidden to "keep" or "leave-out".',
        )  # fmt: skip
    else:
        done = "kept" if layout.hidden is Hidden.KEEP else "left out"
        yield _note("hidden-parts", where, f"{what}; they are {done}, as was decided.")


def value_remarks(reading: Reading, sheet: str) -> Iterator[Finding]:
    """Cells whose value is an error or was never computed."""
    for error in reading.error_cells:
        yield _note(
            "values-read", address(sheet, error.places.first[0]),
            f"{_cells(error.places.count)} {error.text}, read as missing: "
            f"{_some(error.places.first, error.places.count)}.",
            severity=Severity.WARNING, remedy="Correct the formula in the file if the value is needed.",
        )  # fmt: skip
    if missing := reading.formulas_without_value.count:
        first = reading.formulas_without_value.first
        yield _note(
            "values-read", address(sheet, first[0]),
            f"{missing:,} formula{'s have' if missing > 1 else ' has'} no stored result; read as missing: "
            f"{_some(first, missing)}.",
            severity=Severity.WARNING, remedy="Open the file in the program that made it, save it, and read it again.",
        )  # fmt: skip


def column_remarks(
    described: Described, name: str, layout: Layout, percent_columns: Sequence[int]
) -> Iterator[Finding]:
    """Marks taken for missing values, numbers not written in plain digits, and values of several kinds."""
    at, sheet = letter(described.at), layout.sheet or ""
    for mark in described.marked:
        yield _note(
            "markers", address(sheet, f"{at}{mark.first_row}"),
            f"“{mark.text}” stands {_times(mark.count)} in “{name}” and is taken as {_TAKEN_FOR[mark.meaning]}.",
            remedy="Choose another meaning for it if that is wrong.",
        )  # fmt: skip
    if described.written:
        first = min(seen.first_row for seen in described.seen.values())
        yield _note(
            "number-format", address(sheet, f"{at}{first}"),
            f"The numbers in “{name}” are written with {described.written}; they are read in plain digits"
            f"{', 25% as 25' if described.spelling.percents else ''}.",
        )  # fmt: skip
    elif many := described.padded.count:
        yield _note(
            "spaces-kept", address(sheet, f"{at}{described.padded.first_row}"),
            f"{many:,} value{'s' * (many > 1)} in “{name}” {'begin or end' if many > 1 else 'begins or ends'} with "
            "a space, which is kept as it is.",
        )  # fmt: skip
    if described.at in percent_columns and described.kind is ColumnKind.NUMBER:
        yield _note(
            "number-format", address(sheet, f"{at}{layout.header_row}"),
            f"“{name}” is shown in per cent in the workbook; its values are read as they are stored, 25 % as 0.25.",
        )  # fmt: skip
    if described.judged.is_mixed:
        yield _mixed(described, name, sheet)


def _mixed(described: Described, name: str, sheet: str) -> Finding:
    at = letter(described.at)
    parts = parts_of(described.seen)
    listed = ", ".join(
        f"{seen.count:,} {word if seen.count > 1 else word[:-1]} (first {at}{seen.first_row})"
        for word, seen in parts.items()
    )
    rarest = min(parts.values(), key=lambda seen: seen.count)
    numbers = parts["numbers"].count if "numbers" in parts else 0
    is_grave = 2 * numbers >= described.values
    alike = " that are not written alike" if len(parts) == 1 else ""
    return _note(
        "column-mixed", address(sheet, f"{at}{rarest.first_row}"),
        f"“{name}” holds {listed}{alike}; it is read as text.",
        severity=Severity.WARNING if is_grave else Severity.NOTE,
        remedy="Correct the file, or say what the texts mean, if it is to be a measure." if is_grave else "",
    )  # fmt: skip


def stored_as_text_remark(described: Described, name: str, frame: Frame, reading: Reading) -> Iterator[Finding]:
    """Numbers that the workbook holds as text; numbers in the header are stored as numbers, as far as one can tell."""
    if reading.number_cells is None or described.kind is not ColumnKind.NUMBER:
        return
    above = sum(is_value(row[described.at] or "") for row in frame.top[: frame.header.last])
    as_text = min(described.plain_numbers - reading.number_cells[described.at] + above, described.plain_numbers)
    if as_text > above:
        yield _note(
            "numbers-as-text", address(reading.sheet, f"{letter(described.at)}{frame.header.last + 1}"),
            f"{as_text:,} number{'s' * (as_text > 1)} in “{name}” {_are(as_text)} stored as text in the workbook; "
            f"{'they are' if as_text > 1 else 'it is'} read as number{'s' * (as_text > 1)} all the same.",
        )  # fmt: skip


def decimal_remark(layout: Layout, asked: Layout, written: Sequence[str]) -> Iterator[Finding]:
    if layout.decimal is Decimal.COMMA and asked.decimal is None and written:
        yield _note(
            "number-format", "data.decimal", "The comma is read as the decimal sign.",
            remedy="Choose the decimal point if that is wrong.",
        )  # fmt: skip


# ---- words ----------------------------------------------------------------------------------------------------------


def _note(check: str, where: str, what: str, remedy: str = "", severity: Severity = Severity.NOTE) -> Finding:
    return Finding(check, severity, Stage.DATA, where, what, remedy)


def _rows(first: int, last: int) -> str:
    return f"Row {first:,}" if first == last else f"Rows {first:,} to {last:,}"


def _hold(count: int) -> str:
    return "holds" if count == 1 else "hold"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _is(things: Sequence[object]) -> str:
    return _are(len(things))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _cells(count: int) -> str:
    return "1 cell holds" if count == 1 else f"{count:,} cells hold"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _some(things: Sequence[str], count: int | None = None) -> str:
    rest = (len(things) if count is None else count) - len(things[:5])
    return ", ".join(things[:5]) + (f" and {rest:,} more" if rest > 0 else "")


def _first(words: str) -> str:
    plain = " ".join(words.split()) or "nothing"
    return f"“{plain if len(plain) <= _FIRST_WORDS else plain[:_FIRST_WORDS].rstrip() + ' …'}”"
