"""A public code list as a table of codes and labels, shown as it is without copying it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from workbench.data.schema import CodeList

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_HEADERS = ("Code", "Label")
_NO_CODES = CodeList((), ())


class CodesModel(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self._codes = _NO_CODES

    def show_codes(self, codes: CodeList | None) -> None:
        self.beginResetModel()
        self._codes = codes or _NO_CODES
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._codes)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADERS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        return (self._codes.codes, self._codes.labels)[index.column()][index.row()]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        is_heading = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return _HEADERS[section] if is_heading else None
