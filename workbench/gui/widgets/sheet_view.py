"""A grid that looks like the sheet itself: column letters, row numbers, titles across the top."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

from workbench.gui import theme
from workbench.gui.widgets.tables import CellDelegate, Rows, TableView

Index = QModelIndex | QPersistentModelIndex

_ROWS_MEASURED = 12
_NARROWEST, _WIDEST = 48, 240
_PADDING = 9
_TITLE_ACROSS = 8


class _SheetDelegate(CellDelegate):
    """Lays the ground the model names under the cell: the style sheet would leave it out."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if ground is not None:
            painter.fillRect(option.rect, ground)
        super().paint(painter, option, index)


class SheetView(TableView):
    """One cell is current at a time; nothing here can be edited."""

    cell_chosen = Signal(int, int)

    def __init__(self, name: str, model: QAbstractTableModel) -> None:
        super().__init__(name, Rows.GRID)
        self._first_row = 0
        self.setModel(model)
        self.setItemDelegate(_SheetDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        down = self.verticalHeader()
        down.setVisible(True)
        down.setHighlightSections(False)
        down.setFixedWidth(theme.scaled(64))
        self.selectionModel().currentChanged.connect(lambda now, _: self.cell_chosen.emit(now.row(), now.column()))

    def show_sheet(self, header_row: int, title_rows: Sequence[int]) -> None:
        """Lay out a sheet the model was just given: titles across, columns as wide as header and first records."""
        self._first_row = header_row
        across = min(self.model().columnCount(), _TITLE_ACROSS)
        self.clearSpans()
        for row in title_rows if across > 1 else ():
            self.setSpan(row, 0, 1, across)
        self.fit_columns()
        self.scrollToTop()

    def show_cell(self, row: int, column: int) -> None:
        """Make a cell current and bring it into the middle of the view."""
        index = self.model().index(row, column)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def sizeHintForColumn(self, column: int) -> int:
        """Measured on the header and few records: a sheet of 500 columns must open at once."""
        model = self.model()
        last = min(self._first_row + _ROWS_MEASURED, model.rowCount())
        texts = [model.index(row, column).data() or "" for row in range(self._first_row, last)]
        name = self._of_names.horizontalAdvance(texts[0]) if texts else 0
        widest = max([name, *(self._of_values.horizontalAdvance(text) for text in texts[1:])]) + 2 * _PADDING
        return min(max(widest, theme.scaled(_NARROWEST)), theme.scaled(_WIDEST))

    def fit_columns(self, spare: Sequence[int] = ()) -> None:
        self._of_names = QFontMetrics(theme.font("table_bold"))
        self._of_values = QFontMetrics(theme.font("table"))
        super().fit_columns(spare)
