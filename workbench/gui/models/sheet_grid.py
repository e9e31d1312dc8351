"""The sheet as it stands, a million rows of it: blocks of rows are fetched from the engine as they come into view."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from workbench.data.dataset import ColumnFacts, ColumnKind, Dataset
from workbench.data.schema import CodeList, Column, Role
from workbench.gui import theme
from workbench.gui.widgets.tables import NUMBER, WORDS, CellRole

Index = QModelIndex | QPersistentModelIndex
GridRow = tuple[str | None, ...]

BLOCK = 256
_BLOCKS_KEPT = 64
_ROOT = QModelIndex()
_ADDRESS = re.compile(r"(?:.*!)?([A-Z]{1,3})([1-9]\d*)", re.DOTALL)


def cell_at(dataset: Dataset, where: str) -> tuple[int, int] | None:
    """The row and column, from 0, that an address such as jobs!D12 names in this data set."""
    match = _ADDRESS.fullmatch(where)
    letters = [facts.letter for facts in dataset.sheet_columns]
    if match is None or match[1] not in letters:
        return None
    return int(match[2]) - 1, letters.index(match[1])


class SheetGrid(QAbstractTableModel):
    """Rows and columns count from 0 here and from 1 on screen, as in the sheet."""

    def __init__(self) -> None:
        super().__init__()
        self._dataset: Dataset | None = None
        self._height = 0
        self._codes: dict[int, CodeList] = {}
        self._listed: dict[int, frozenset[str]] = {}
        self._block = lru_cache(_BLOCKS_KEPT)(self._fetch)

    # ---- what is shown

    def set_dataset(self, dataset: Dataset | None) -> None:
        self.beginResetModel()
        self._dataset = dataset
        self._height = dataset.engine.grid_height() if dataset else 0
        self._block.cache_clear()
        self._codes, self._listed = {}, {}
        self.endResetModel()

    def set_columns(self, columns: Mapping[str, Column]) -> None:
        """Take the code lists of the keys, so that values off the list are flagged."""
        lists = {at: codes for at, facts in enumerate(self._facts) if (codes := _public_codes(columns.get(facts.name)))}
        if lists != self._codes:
            self._codes = lists
            self._listed = {at: frozenset(codes.codes) for at, codes in lists.items()}
            self.dataChanged.emit(self.index(0, 0), self.index(self._height - 1, len(self._facts) - 1))

    # ---- what can be asked about a cell

    @property
    def header_row(self) -> int:
        return self._dataset.header_row - 1 if self._dataset else 0

    @property
    def header_end(self) -> int:
        """The last row of the header."""
        return self._dataset.first_row - 2 if self._dataset else 0

    def row(self, row: int) -> GridRow:
        block = self._block(row // BLOCK)
        at = row % BLOCK
        return block[at] if at < len(block) else ()

    def text(self, row: int, column: int) -> str | None:
        cells = self.row(row)
        return cells[column] if column < len(cells) else None

    def facts(self, column: int) -> ColumnFacts:
        return self._facts[column]

    def codes(self, column: int) -> CodeList | None:
        return self._codes.get(column)

    def is_title(self, row: int) -> bool:
        """Whether a row above the header holds one text in its first cell and nothing else."""
        cells = self.row(row)
        return row < self.header_row and bool(cells) and cells[0] is not None and not any(cells[1:])

    def is_off_list(self, row: int, column: int) -> bool:
        """Whether a record carries a code that is not on the public list of its column."""
        listed = self._listed.get(column)
        if listed is None or row <= self.header_end or self.text(row, column) in listed:
            return False
        return any(cell is not None for cell in self.row(row))

    # ---- what Qt asks

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else self._height

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._facts)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        answer = _ANSWERS.get(role)
        return answer(self, index.row(), index.column()) if answer else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_letter = orientation is Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole:
            return self._facts[section].letter if is_letter else str(section + 1)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter if is_letter else NUMBER
        return None

    @property
    def _facts(self) -> tuple[ColumnFacts, ...]:
        return self._dataset.sheet_columns if self._dataset else ()

    def _fetch(self, block: int) -> list[GridRow]:
        return self._dataset.engine.grid_rows(block * BLOCK + 1, BLOCK) if self._dataset else []

    def _tag(self, row: int, column: int) -> str | None:
        if row >= self.header_row:
            return None
        if self.is_title(row):
            return "title, skipped" if column == 0 else None
        is_last = column == len(self._facts) - 1
        return "skipped" if is_last and any(self.row(row)) else None

    def _ground(self, row: int, column: int) -> QColor | None:
        if row > self.header_end:
            return None
        return theme.color("alternate" if row < self.header_row else "soft")

    def _alignment(self, row: int, column: int) -> Qt.AlignmentFlag:
        is_number = self._facts[column].kind is ColumnKind.NUMBER and row > self.header_end
        return NUMBER if is_number else WORDS

    def _spoken(self, row: int, column: int) -> str:
        text = self.text(row, column) or "empty"
        off = ", not on the code list" if self.is_off_list(row, column) else ""
        return f"{self._facts[column].letter}{row + 1}, {text}{off}"


_ANSWERS: Mapping[int, Callable[[SheetGrid, int, int], Any]] = {
    Qt.ItemDataRole.DisplayRole: SheetGrid.text,
    Qt.ItemDataRole.ToolTipRole: SheetGrid.text,
    Qt.ItemDataRole.TextAlignmentRole: SheetGrid._alignment,
    Qt.ItemDataRole.BackgroundRole: SheetGrid._ground,
    Qt.ItemDataRole.AccessibleTextRole: SheetGrid._spoken,
    CellRole.BOLD: lambda grid, row, column: grid.header_row <= row <= grid.header_end,
    CellRole.MUTED: lambda grid, row, column: row < grid.header_row,
    CellRole.FLAGGED: SheetGrid.is_off_list,
    CellRole.TAG: SheetGrid._tag,
}


def _public_codes(column: Column | None) -> CodeList | None:
    return column.codes if column is not None and column.role is Role.KEY else None
