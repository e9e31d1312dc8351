"""One row per column: what the file says of it, what the officer decided, and what it still needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal

from workbench.data.dataset import ColumnFacts, Dataset
from workbench.data.findings import Finding, blocking
from workbench.data.schema import Column, Role
from workbench.gui.models.sheet_grid import cell_at
from workbench.gui.roles import IDS, LOOKS
from workbench.gui.widgets.belonging import BELONGINGS
from workbench.gui.widgets.bounds_form import SOURCES
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.role_cells import RoleAnswer
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import NUMBER, WORDS, CellRole, header_alignment
from workbench.plan.amounts import exact_text
from workbench.plan.plan import ReleasePlan

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_NONE = "–"


class At(IntEnum):
    """The columns of the table."""

    NAME = 0
    EXAMPLE = 1
    TYPE = 2
    ROLE = 3
    MISSING = 4
    BOUNDS = 5
    SOURCE = 6
    CODES = 7
    BELONGS = 8
    STATE = 9


HEADERS = (
    "Column", "Example", "Type", "Role", "Missing", "Public bounds", "Source", "Code list", "Belongs to", "State",
)  # fmt: skip


@dataclass(frozen=True)
class ColumnRow:
    """One column of the data or of the plan, with what stands in the way of using it."""

    column: Column
    facts: ColumnFacts | None
    needs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def example(self) -> str:
        return self.facts.examples[0] if self.facts and self.facts.examples else _NONE

    @property
    def bounds(self) -> str:
        column = self.column
        if column.role is not Role.MEASURE:
            return _NONE
        shown_bounds = ("?" if bound is None else shown(exact_text(bound)) for bound in (column.lower, column.upper))
        return " to ".join(shown_bounds)

    @property
    def source(self) -> str:
        if self.column.role is not Role.MEASURE:
            return _NONE
        return SOURCES[self.column.bounds_source] if self.column.bounds_source else "not said"

    @property
    def codes(self) -> str:
        codes = self.column.codes
        if self.column.role is not Role.KEY or codes is None:
            return _NONE
        return f"{codes.file.stem if codes.file else codes.source} ({shown(str(len(codes)))})"

    @property
    def belongs(self) -> str:
        return BELONGINGS[self.column.belongs_to].lower() if self.column.role is Role.KEY else _NONE

    @property
    def state(self) -> State:
        return State.NEEDS_YOU if self.needs else State.DONE


def column_rows(plan: ReleasePlan, dataset: Dataset | None, findings: Iterable[Finding]) -> tuple[ColumnRow, ...]:
    """The columns of the file in its order, then those only the plan knows."""
    decided = {column.name: column for column in plan.columns}
    facts = {one.name: one for one in dataset.columns} if dataset else {}
    names = tuple(dict.fromkeys((*facts, *decided)))
    needs = _needs(blocking(findings), frozenset(names), dataset)
    return tuple(_row(decided.get(name) or Column(name), facts.get(name), needs.get(name, ())) for name in names)


def _row(column: Column, facts: ColumnFacts | None, needs: Iterable[str]) -> ColumnRow:
    lacks_codes = column.role is Role.KEY and column.codes is None
    return ColumnRow(column, facts, tuple(needs) or (("A key needs its public code list.",) if lacks_codes else ()))


def _needs(findings: Iterable[Finding], names: frozenset[str], dataset: Dataset | None) -> dict[str, list[str]]:
    needs: dict[str, list[str]] = {}
    for finding in findings:
        name, _ = place_in_columns(finding.where, names, dataset)
        needs.setdefault(name, []).append(finding.what)
    return needs


def place_in_columns(where: str, names: frozenset[str], dataset: Dataset | None) -> tuple[str, str]:
    """The column a finding is about and the field of it: ("place", "codes"); blank when it is about no column."""
    cell = cell_at(dataset, where) if dataset else None
    if cell and dataset:
        return dataset.columns[cell[1]].name, "unlisted"
    _, found, key = where.partition("columns.")
    name, _, field = (key, "", "") if key in names else key.rpartition(".")
    return (name, field) if found and name in names else ("", "")


def counts(rows: Iterable[ColumnRow]) -> str:
    """ "3 keys, 1 measure, 2 ids, 3 ignored"."""
    roles = [row.column.role for row in rows]
    keys, measures = roles.count(Role.KEY), roles.count(Role.MEASURE)
    ids = sum(role in IDS for role in roles)
    ignored = roles.count(Role.IGNORE)
    return (
        f"{keys} key{'s' * (keys != 1)}, {measures} measure{'s' * (measures != 1)}, "
        f"{ids} id{'s' * (ids != 1)}, {ignored} ignored"
    )


def finding(rows: Sequence[ColumnRow]) -> str:
    """The page's finding in one sentence."""
    needing = sum(bool(row.needs) for row in rows)
    if not rows:
        return "What each column is for is decided here."
    names = {0: "What each column is for.", 1: "**1 column needs you.**"}
    return f"{names.get(needing, f'**{needing} columns need you.**')} Ids are never published and never summed."


def first_choice(rows: Sequence[ColumnRow]) -> str:
    """The column to show first: one that needs the officer, else one that has a role."""
    by_urgency = sorted(rows, key=lambda row: (not row.needs, row.column.role is Role.IGNORE))
    return by_urgency[0].name if by_urgency else ""


class ColumnsModel(QAbstractTableModel):
    """Shows the rows it is given; a role chosen in the table is only announced, the plan decides."""

    role_chosen = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[ColumnRow, ...] = ()

    def show_rows(self, rows: tuple[ColumnRow, ...]) -> None:
        """Keep selection and scroll position while the columns stay the same."""
        if [row.name for row in rows] != [row.name for row in self.rows]:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        before, self.rows = self.rows, rows
        for at, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(at, 0), self.index(at, At.STATE))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(HEADERS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, at = self.rows[index.row()], At(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return " ".join(row.needs) if at is At.STATE and role != Qt.ItemDataRole.DisplayRole else _TEXTS[at](row)
        answer = _ANSWERS.get((at, role))
        if answer:
            return answer(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return NUMBER if at is At.MISSING else WORDS
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return header_alignment(NUMBER if section == At.MISSING else WORDS)
        return HEADERS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsEditable if index.column() == At.ROLE else usual

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        self.role_chosen.emit(self.rows[index.row()].name, Role(value))
        return True


_TEXTS: Mapping[At, Callable[[ColumnRow], str]] = {
    At.NAME: lambda row: row.name,
    At.EXAMPLE: lambda row: row.example,
    At.TYPE: lambda row: row.facts.kind.value if row.facts else "not in the file",
    At.ROLE: lambda row: LOOKS[row.column.role].words,
    At.MISSING: lambda row: shown(str(row.facts.missing)) if row.facts else _NONE,
    At.BOUNDS: lambda row: row.bounds,
    At.SOURCE: lambda row: row.source,
    At.CODES: lambda row: row.codes,
    At.BELONGS: lambda row: row.belongs,
    At.STATE: lambda row: row.state.words,
}

_ANSWERS: Mapping[tuple[At, int], Callable[[ColumnRow], Any]] = {
    (At.NAME, RoleAnswer.ROLE): lambda row: row.column.role,
    (At.NAME, CellRole.BOLD): lambda row: True,
    (At.EXAMPLE, CellRole.MUTED): lambda row: True,
    (At.ROLE, RoleAnswer.ROLE): lambda row: row.column.role,
    (At.STATE, CellRole.STATE): lambda row: row.state,
}


class ColumnFilter(QSortFilterProxyModel):
    """The rows whose name has the typed words, and, if asked, only those that need the officer."""

    def __init__(self, columns: ColumnsModel) -> None:
        super().__init__()
        self._columns = columns
        self._words: tuple[str, ...] = ()
        self._only_needing = False
        self.setSourceModel(columns)

    def set_words(self, text: str) -> None:
        self._words = tuple(text.lower().split())
        self.invalidate()

    def set_only_needing(self, only: bool) -> None:
        self._only_needing = only
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        row = self._columns.rows[source_row]
        named = all(word in row.name.lower() for word in self._words)
        return named and (bool(row.needs) or not self._only_needing)
