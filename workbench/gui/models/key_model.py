"""The columns of a list of keys, in an order that can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
ENTRY = Qt.ItemDataRole.UserRole
"""The role that answers with the KeyEntry itself."""


@dataclass(frozen=True)
class KeyEntry:
    """A column in a list: its name, the words at the right, and whether it can be used as it is."""

    name: str
    words: str
    is_ready: bool = True


class KeyModel(QAbstractListModel):
    """Entries in order; `reordered` tells the new order after a move."""

    reordered = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[KeyEntry] = []

    def show_entries(self, entries: Sequence[KeyEntry]) -> None:
        if list(entries) != self._entries:
            self.beginResetModel()
            self._entries = list(entries)
            self.endResetModel()

    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self._entries)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self._entries[index.row()]
        spoken = f"{entry.name}, {entry.words}"
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: entry.name,
            Qt.ItemDataRole.ToolTipRole: spoken,
            Qt.ItemDataRole.AccessibleTextRole: spoken,
            ENTRY: entry,
        }
        return answers.get(role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        shared = Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else shared

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def moveRows(self, source: Index, row: int, count: int, target: Index, before: int) -> bool:
        """Move one entry to stand before another; the view calls this when a dragged row is dropped."""
        if count != 1 or before in (row, row + 1) or not self.beginMoveRows(_ROOT, row, row, _ROOT, before):
            return False
        entry = self._entries.pop(row)
        self._entries.insert(before - 1 if before > row else before, entry)
        self.endMoveRows()
        self.reordered.emit(self.names())
        return True
