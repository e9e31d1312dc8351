"""The table of columns: one row, one decision; roles are chosen in place, by mouse or keyboard."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication

from workbench.gui import theme
from workbench.gui.widgets.role_cells import NameDelegate, RoleDelegate
from workbench.gui.widgets.tables import Rows, TableView

_ROWS_MEASURED = 24
_OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_F2)


class ColumnsTable(TableView):
    """Rows are selected together with Shift and Ctrl; Enter opens the role of the current row."""

    def __init__(self, model: QAbstractItemModel, name_column: int, role_column: int, most: dict[int, int]) -> None:
        super().__init__("Columns", Rows.CONTROLS)
        self._role_column = role_column
        self._most = most
        self.setModel(model)
        self.setItemDelegateForColumn(name_column, NameDelegate(self))
        self.setItemDelegateForColumn(role_column, RoleDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.horizontalHeader().setResizeContentsPrecision(_ROWS_MEASURED)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.clicked.connect(self._open_clicked)

    def selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def open_role(self, row: int) -> None:
        """Put the drop-down of a row's role in place of its picture."""
        index = self.model().index(row, self._role_column)
        self.setCurrentIndex(index)
        self.edit(index)

    def sizeHintForColumn(self, column: int) -> int:
        """At most so wide, so that long names and lists do not make the table scroll sideways."""
        natural = super().sizeHintForColumn(column)
        return min(natural, theme.scaled(self._most[column])) if column in self._most else natural

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPENING_KEYS and self.currentIndex().isValid():
            self.open_role(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _open_clicked(self, index: QModelIndex) -> None:
        is_plain = QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
        if index.column() == self._role_column and is_plain:
            self.edit(index)
