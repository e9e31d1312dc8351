"""The model behind the picture of the full cross."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from workbench.gui import theme
from workbench.gui.models.cross import MEANINGS, MORE, NOISE, SUM, Cross, Heading
from workbench.gui.widgets.tables import WORDS, CellRole

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_GROUNDS = {SUM: "soft"}


class CrossModel(QAbstractTableModel):
    """The first column names the rows; every other cell is a mark, spoken in words."""

    def __init__(self) -> None:
        super().__init__()
        self._cross = Cross("", (), (), (), "")

    def show_cross(self, cross: Cross) -> None:
        self.beginResetModel()
        self._cross = cross
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._cross.down)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._cross.across) + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return WORDS if section == 0 else Qt.AlignmentFlag.AlignCenter
        heading = self._cross.across[section - 1] if section else None
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: heading.text if heading else self._cross.corner,
            Qt.ItemDataRole.ToolTipRole: heading.full if heading else self._cross.corner,
        }
        return answers.get(role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        heading = self._cross.down[index.row()]
        if index.column() == 0:
            return self._label(heading).get(role)
        mark = self._cross.marks[index.row()][index.column() - 1]
        column = self._cross.across[index.column() - 1]
        spoken = f"{heading.text}, {column.text}: {MEANINGS[mark]}"
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: mark,
            Qt.ItemDataRole.ToolTipRole: spoken,
            Qt.ItemDataRole.AccessibleTextRole: spoken,
            Qt.ItemDataRole.TextAlignmentRole: Qt.AlignmentFlag.AlignCenter,
            Qt.ItemDataRole.BackgroundRole: theme.color(_GROUNDS[mark]) if mark in _GROUNDS else None,
            Qt.ItemDataRole.ForegroundRole: theme.color("text" if mark in (NOISE, SUM) else "muted"),
        }
        return answers.get(role)

    def _label(self, heading: Heading) -> dict[int, Any]:
        return {
            Qt.ItemDataRole.DisplayRole: heading.text,
            Qt.ItemDataRole.ToolTipRole: heading.full,
            CellRole.BOLD: True,
        }

    def marks_shown(self) -> frozenset[str]:
        return frozenset(mark for row in self._cross.marks for mark in row) - {MORE}
