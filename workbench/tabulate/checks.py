"""What the records say against a plan: establishments in two places, values that are no numbers, records left out."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.data.dataset import Dataset
from workbench.data.engine import RECORDS, ROW, quoted
from workbench.data.findings import Finding, Severity, Stage
from workbench.data.schema import BelongsTo, Column, Role
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import ReleasePlan


def check_records(plan: ReleasePlan, dataset: Dataset) -> tuple[Finding, ...]:
    """Findings for the building only: they tell about true values."""
    return (*_moving_establishments(plan, dataset), *_not_numbers(plan, dataset), *_left_out(plan, dataset))


def _moving_establishments(plan: ReleasePlan, dataset: Dataset) -> Iterator[Finding]:
    """Cells of workplace keys share one epsilon because no establishment is in two of them; here one would be."""
    employer = next(iter(_present(dataset, plan.columns_with(Role.EMPLOYER_ID))), None)
    if not isinstance(plan.neighbors, StrongAlpha) or employer is None:
        return
    used = {key for table in plan.tables for key in table.keys}
    keys = [column for column in plan.columns_with(Role.KEY) if column.belongs_to is BelongsTo.ESTABLISHMENT]
    for key in _present(dataset, [column for column in keys if column.name in used]):
        count, first = _of_two_codes(dataset, employer.name, key.name)
        if count:
            yield Finding(
                "workplace-keys", Severity.BLOCK, Stage.COLUMNS, dataset.address(key.name, first),
                f"{_many(count, 'establishment has', 'establishments have')} more than one “{key.name}”, which is "
                "declared to belong to the establishment.",
                f'Give every establishment its own id, correct the file, or let “{key.name}” belong to the worker.',
            )  # fmt: skip


def _of_two_codes(dataset: Dataset, employer: str, key: str) -> tuple[int, int]:
    """How many establishments have two codes or more, and a row of the first that differs."""
    code = f"coalesce({quoted(key)}, '')"
    row = dataset.engine.connection.execute(
        f"SELECT count(*), coalesce(min(last), 0) FROM (SELECT arg_max({ROW}, {code}) AS last FROM {RECORDS} "
        f"GROUP BY {quoted(employer)} HAVING min({code}) <> max({code}))"
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def _not_numbers(plan: ReleasePlan, dataset: Dataset) -> Iterator[Finding]:
    used = {statistic.measure for table in plan.tables for statistic in table.statistics if statistic.measure}
    for column in _present(dataset, [one for one in plan.columns_with(Role.MEASURE) if one.name in used]):
        name = quoted(column.name)
        row = dataset.engine.connection.execute(
            f"SELECT count(*) FILTER ({name} IS NULL), count(*) FILTER ({name} IS NOT NULL), "
            f"coalesce(min({ROW}) FILTER ({name} IS NOT NULL), 0) FROM {RECORDS} "
            f"WHERE try_cast({name} AS DOUBLE) IS NULL OR isnan(try_cast({name} AS DOUBLE))"
        ).fetchone()
        assert row is not None
        missing, wrong, first = row
        if wrong:
            yield Finding(
                "measure-numbers", Severity.BLOCK, Stage.COLUMNS, dataset.address(column.name, first),
                f"{_many(wrong, 'value', 'values')} of “{column.name}” cannot be read as a number.",
                "Correct them in the file, or leave them empty.",
            )  # fmt: skip
        if missing:
            yield Finding(
                "measure-numbers", Severity.NOTE, Stage.COLUMNS, f"columns.{column.name}",
                f"{_many(missing, 'record has', 'records have')} no “{column.name}”.", "They add nothing to sums.",
            )  # fmt: skip


def _left_out(plan: ReleasePlan, dataset: Dataset) -> Iterator[Finding]:
    """The records beyond the contribution bound; how many there are is confidential."""
    neighbors = plan.neighbors
    if neighbors is None or neighbors.needs is None or neighbors.most_records is None:
        return
    for unit in _present(dataset, plan.columns_with(neighbors.needs)[:1]):
        row = dataset.engine.connection.execute(
            f"SELECT coalesce(sum(records), 0), coalesce(sum(greatest(records - ?, 0)), 0) FROM "
            f"(SELECT count(*) AS records FROM {RECORDS} GROUP BY {quoted(unit.name)})",
            [neighbors.most_records],
        ).fetchone()
        assert row is not None
        every, lost = int(row[0]), int(row[1])
        if lost:
            yield Finding(
                "records-kept", Severity.NOTE, Stage.PROTECTION, "protect.neighbors",
                f"At most {neighbors.most_records:,} records for each “{unit.name}” count, so {lost:,} of {every:,} "
                f"records ({100 * lost / every:.1f} %) are left out. This is confidential.",
                "A higher limit keeps more records and needs more noise.",
            )  # fmt: skip


def _present(dataset: Dataset, columns: tuple[Column, ...] | list[Column]) -> list[Column]:
    return [column for column in columns if dataset.column(column.name)]


def _many(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
