"""The findings about the data as the officer reads them: alike ones together, each with its remedy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.data.dataset import Dataset
from workbench.data.findings import Finding, Severity, Stage
from workbench.data.schema import Column, Role
from workbench.gui.models.sheet_grid import cell_at
from workbench.gui.widgets.status import State

CODES_LISTED = "codes-listed"
_ABOUT_DATA = frozenset({CODES_LISTED, "columns-known"})
_STATES = {Severity.BLOCK: State.NEEDS_YOU, Severity.WARNING: State.NEEDS_YOU, Severity.NOTE: State.NOTED}
_MOST_LETTERS = 6


@dataclass(frozen=True)
class FoundRow:
    """One line of the findings; `column` is set when the officer can choose what happens to its records."""

    state: State
    where: str
    what: str
    remedy: str = ""
    column: str = ""
    finding: Finding | None = None


def found_rows(findings: Iterable[Finding], dataset: Dataset, columns: Sequence[Column]) -> tuple[FoundRow, ...]:
    """What needs the officer first, then what was noted, in both what can be chosen first; then what is in order."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        if finding.stage is Stage.DATA or finding.check in _ABOUT_DATA:
            groups.setdefault(_alike(finding), []).append(finding)
    rows = [_row(group, dataset) for group in groups.values()]
    rows.sort(key=lambda row: (row.state is not State.NEEDS_YOU, not row.column))
    return (*rows, *_in_order(rows, dataset, columns))


def summary(rows: Sequence[FoundRow]) -> str:
    """ "2 need you, 1 noted, 5 done"."""
    counted = [(sum(row.state is state for row in rows), state) for state in (State.NEEDS_YOU, State.NOTED, State.DONE)]
    verbs = {State.NEEDS_YOU: ("needs you", "need you")}
    return ", ".join(f"{count} {verbs.get(state, (state.words,) * 2)[count != 1]}" for count, state in counted if count)


def _alike(finding: Finding) -> tuple[str, ...]:
    """Renamed columns are one finding however many they are; everything else stands by itself."""
    is_renaming = finding.severity is Severity.NOTE and finding.stage is Stage.DATA
    return (finding.check,) if is_renaming else (finding.where, finding.what)


def _row(group: Sequence[Finding], dataset: Dataset) -> FoundRow:
    first = group[0]
    more = f" and {len(group) - 1} more" if len(group) > 1 else ""
    place = cell_at(dataset, first.where)
    column = dataset.sheet_columns[place[1]].name if place and first.check == CODES_LISTED else ""
    where = f"{first.where.removeprefix('columns.')} (plan)" if first.where.startswith("columns.") else first.where
    return FoundRow(_STATES[first.severity], where + more, first.what, first.remedy or "nothing to do", column, first)


def _in_order(rows: Sequence[FoundRow], dataset: Dataset, columns: Sequence[Column]) -> Iterable[FoundRow]:
    troubled = {row.column for row in rows}
    keys = {column.name for column in columns if column.role is Role.KEY and column.codes} - troubled
    letters = [facts.letter for facts in dataset.columns if facts.name in keys]
    if letters:
        yield FoundRow(
            State.DONE, _columns_in_words(letters), "Every record carries a code of its public list.", "nothing to do"
        )


def _columns_in_words(letters: Sequence[str]) -> str:
    shown = ", ".join(letters[:_MOST_LETTERS])
    rest = f" and {len(letters) - _MOST_LETTERS} more" if len(letters) > _MOST_LETTERS else ""
    return f"column{'s' * (len(letters) != 1)} {shown}{rest}"
