"""What does not fit between a data set and the columns declared for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.data.dataset import Dataset
from workbench.data.engine import RECORDS, ROW, quoted
from workbench.data.findings import Finding, Severity, Stage
from workbench.data.schema import CodeList, Column, Role, Unlisted


def check_dataset(dataset: Dataset, columns: Sequence[Column]) -> tuple[Finding, ...]:
    """Columns that are not in the file, and records whose codes are not on the public lists."""
    return (
        *dataset.findings,
        *_unknown_columns(dataset, columns),
        *_codes_read_as_marks(dataset, columns),
        *_unlisted_codes(dataset, columns),
    )


def check_ids(dataset: Dataset, id_columns: Sequence[Column]) -> tuple[Finding, ...]:
    """Records without the id that says whose they are: they could belong to anybody, so no bound would hold."""
    return tuple(
        Finding(
            "protection-chosen", Severity.BLOCK, Stage.PROTECTION, "protect.neighbors",
            f"{facts.missing + facts.suppressed:,} records have no “{facts.name}”, which the chosen protection needs.",
            "Complete the ids in the file, or choose another protection.",
        )
        for column in id_columns
        if (facts := dataset.column(column.name)) and facts.missing + facts.suppressed
    )  # fmt: skip


def _unknown_columns(dataset: Dataset, columns: Sequence[Column]) -> Iterator[Finding]:
    for column in columns:
        if column.role is not Role.IGNORE and dataset.column(column.name) is None:
            names = ", ".join(facts.name for facts in dataset.columns[:12])
            yield Finding(
                "columns-known", Severity.BLOCK, Stage.COLUMNS, f"columns.{column.name}",
                f"The file has no column “{column.name}”.", f"Its columns are: {names}.",
            )  # fmt: skip


def _codes_read_as_marks(dataset: Dataset, columns: Sequence[Column]) -> Iterator[Finding]:
    """A public code such as X among digits was taken for a mark, which would empty its cells without a word."""
    for column in columns:
        facts = dataset.column(column.name)
        if column.role is not Role.KEY or not column.codes or not facts:
            continue
        for mark in facts.markers:
            if mark.text in column.codes.codes:
                yield Finding(
                    "codes-listed", Severity.BLOCK, Stage.COLUMNS, dataset.address(column.name, mark.first_row),
                    f"“{mark.text}” is a code of “{column.name}”, but is read as {mark.meaning}.",
                    f'Keep it as text: under data.markers, set "{mark.text}" to "keep".',
                )  # fmt: skip


def _unlisted_codes(dataset: Dataset, columns: Sequence[Column]) -> Iterator[Finding]:
    for column in columns:
        if column.role is Role.KEY and column.codes and dataset.column(column.name):
            count, first = _off_list(dataset, column.name, column.codes)
            if count:
                yield _unlisted(dataset, column, count, first)


def _off_list(dataset: Dataset, name: str, codes: CodeList) -> tuple[int, int]:
    """How many records have no listed code, and the row of the first."""
    row = dataset.engine.connection.execute(
        f"SELECT count(*), coalesce(min({ROW}), 0) FROM {RECORDS} "
        f"WHERE {quoted(name)} IS NULL OR {quoted(name)} NOT IN (SELECT unnest(?))",
        [list(codes.codes)],
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def _unlisted(dataset: Dataset, column: Column, count: int, first: int) -> Finding:
    records = "1 record" if count == 1 else f"{count:,} records"
    what = f"{records} in “{column.name}” carr{'ies' if count == 1 else 'y'} a code that is not on the list."
    where = dataset.address(column.name, first)
    if column.unlisted is Unlisted.LEAVE_OUT:
        return Finding("codes-listed", Severity.NOTE, Stage.COLUMNS, where, what, "They are left out.")
    remedy = 'Add the code to the public list, correct the file, or choose unlisted = "leave-out".'
    return Finding("codes-listed", Severity.BLOCK, Stage.COLUMNS, where, what, remedy)
