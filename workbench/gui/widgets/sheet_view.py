"""A grid that looks like the sheet itself: column letters, row numbers, titles across the top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QAbstractTableModel, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractItemView

from workbench.gui import theme
from workbench.gui.widgets.tables import CellDelegate, Rows, TableView

_ROWS_MEASURED = 20
_NARROWEST, _WIDEST = 56, 240
_TITLE_ACROSS = 8


class SheetView(TableView):
    """One cell is current at a time; nothing here can be edited."""

    cell_chosen = Signal(int, int)

    def __init__(self, name: str, model: QAbstractTableModel) -> None:
        super().__init__(name, Rows.GRID)
        self._first_row = 0
        self.setModel(model)
        self.setItemDelegate(CellDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
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

    def _natural_widths(self) -> list[int]:
        """Measured on few rows: a sheet of 500 columns must open at once."""
        model = self.model()
        rows = range(self._first_row, min(self._first_row + _ROWS_MEASURED, model.rowCount()))
        metrics = QFontMetrics(theme.font("table_bold"))
        columns = range(model.columnCount())
        return [_width(metrics, (model.index(row, column).data() for row in rows)) for column in columns]


def _width(metrics: QFontMetrics, texts: Iterable[str | None]) -> int:
    widest = max((metrics.horizontalAdvance(text) for text in texts if text), default=0) + 20
    return min(max(widest, theme.scaled(_NARROWEST)), theme.scaled(_WIDEST))
