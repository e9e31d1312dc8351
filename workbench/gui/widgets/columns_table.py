"""The table of columns: one row, one decision; roles are chosen in place, by mouse or keyboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication

from workbench.gui import theme
from workbench.gui.widgets.role_cells import NameDelegate, RoleDelegate
from workbench.gui.widgets.tables import Rows, TableView

Widths = Mapping[int, tuple[int, int]]
"""The least and most width of a column, in pixels at 100 %; in a narrow window they shrink in this order."""

_ROWS_MEASURED = 24
_PADDING = 9
_OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_F2)


class ColumnsTable(TableView):
    """Rows are selected together with Shift and Ctrl; Enter opens the role of the current row."""

    def __init__(
        self, model: QAbstractItemModel, name_column: int, role_column: int, widths: Widths, spared: int
    ) -> None:
        """`spared` is the column that is left out where the others would not fit."""
        super().__init__("Columns", Rows.CONTROLS)
        self._spared = spared
        self._role_column = role_column
        self._limits = widths
        self._natural: list[int] = []
        self.setModel(model)
        self.setItemDelegateForColumn(name_column, NameDelegate(self))
        self.setItemDelegateForColumn(role_column, RoleDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setResizeContentsPrecision(_ROWS_MEASURED)
        self.clicked.connect(self._open_clicked)

    def selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def open_role(self, row: int) -> None:
        """Put the drop-down of a row's role in place of its picture."""
        index = self.model().index(row, self._role_column)
        self.setCurrentIndex(index)
        self.edit(index)

    def fit_columns(self, spare: Sequence[int] = ()) -> None:
        self._natural = [self._natural_width(column) for column in range(self.model().columnCount())]
        self._spare_column()
        super().fit_columns(spare)

    def _spare_column(self) -> None:
        """Leave a column out while even the least widths of all do not fit; with or without a scroll bar, the same."""
        room = self.width() - self.verticalScrollBar().sizeHint().width()
        least = [
            width if column not in self._limits else min(width, theme.scaled(self._limits[column][0]))
            for column, width in enumerate(self._natural)
            if column == self._spared or not self.isColumnHidden(column)
        ]
        self.setColumnHidden(self._spared, sum(least) + 2 * len(least) > room)

    def _natural_width(self, column: int) -> int:
        least, most = self._limits.get(column, (0, 240))
        longest_word = max(str(self.model().headerData(column, Qt.Orientation.Horizontal)).split(), key=len)
        heading = QFontMetrics(theme.font("table_bold")).horizontalAdvance(longest_word) + 2 * _PADDING
        return max(min(max(super().sizeHintForColumn(column), theme.scaled(least)), theme.scaled(most)), heading)

    def sizeHintForColumn(self, column: int) -> int:
        """Shrunk to the room there is, so that the table does not scroll sideways."""
        widths = [0 if self.isColumnHidden(at) else width + 2 for at, width in enumerate(self._natural)]
        for shrinking, (least, _) in self._limits.items():
            excess = max(sum(widths) - self.viewport().width(), 0)
            if not self.isColumnHidden(shrinking):
                widths[shrinking] -= min(excess, max(widths[shrinking] - theme.scaled(least), 0))
        return widths[column] - 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._natural and event.size().width() != event.oldSize().width():
            self._spare_column()
            super().fit_columns(self._spare)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPENING_KEYS and self.currentIndex().isValid():
            self.open_role(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _open_clicked(self, index: QModelIndex) -> None:
        is_plain = QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
        if index.column() == self._role_column and is_plain:
            self.edit(index)
