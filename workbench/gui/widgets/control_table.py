"""A table as high as its rows whose cells hold controls: a refresh changes the texts and leaves the controls alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import theme
from workbench.gui.widgets.plain_table import Cell, TextModel
from workbench.gui.widgets.tables import Rows, TableView

CELL_PADDING = 8
"""What the style sheet keeps free at either side of a control in a cell."""

_LEAST_ELASTIC = 60
_READABLE = 120
_MOST_WIDTH = 210
_HEADER_HEIGHTS = {0: 32, 1: 42}


class _SteadyModel(TextModel):
    """Keeps its indexes, and the controls set into them, while the number of rows stays the same."""

    def set_rows(self, rows: Sequence[Sequence[str | Cell]]) -> None:
        if len(rows) != self.rowCount():
            super().set_rows(rows)
            return
        self._rows = [[value if isinstance(value, Cell) else Cell(value) for value in row] for row in rows]
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole:
            cell = self._rows[index.row()][index.column()]
            return "\n".join(part for part in (cell.text, cell.second_line) if part)
        return super().data(index, role)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class ControlTable(TableView):
    """`elastic` is the column that takes the spare room and gives way when there is none.

    `spared` is a column that is left out where the elastic one would become too narrow to read.
    """

    rows_made = Signal()  # the rows are new: controls have to be set into them
    fitted = Signal()  # the columns have new widths

    def __init__(
        self,
        name: str,
        headers: Sequence[str],
        aligns: str,
        elastic: int,
        rows: Rows = Rows.CONTROLS,
        *,
        spared: int | None = None,
        inside: bool = False,
    ) -> None:
        super().__init__(name, rows, inside=inside)
        self._elastic = elastic
        self._spared = spared
        self._titles = tuple(headers)
        self._last_control: QWidget | None = None
        self._least = [0] * len(headers)
        self._texts = _SteadyModel(headers, (), aligns)
        self.setModel(self._texts)
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.current.changed.connect(self._fit)
        self._fit()

    def show_rows(self, rows: Sequence[Sequence[str | Cell]], *, afresh: bool = False) -> None:
        """Show texts; `afresh` makes the rows anew although there are as many as before."""
        is_new = afresh or len(rows) != self._texts.rowCount()
        if afresh:
            self._texts.set_rows(())
        self._texts.set_rows(rows)
        if is_new:
            self._last_control = None
            self.clearSpans()
            self.rows_made.emit()
        self._fit()
        self.updateGeometry()

    def texts(self) -> list[list[str]]:
        columns = range(self._texts.columnCount())
        return [[self._texts.index(row, at).data() or "" for at in columns] for row in range(self._texts.rowCount())]

    def set_control_width(self, column: int, width: int) -> None:
        """Room a column needs for its control."""
        self._least[column] = width

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Widths by content; the elastic column takes what is left over or gives what is lacking."""
        header = self.horizontalHeader()
        header.setFixedHeight(theme.scaled(_HEADER_HEIGHTS[max(header.count("\n") for header in self._titles)]))
        most = theme.scaled(_MOST_WIDTH)
        widths = [
            max(min(self.sizeHintForColumn(column), most), header_width, theme.scaled(least) + 2 * CELL_PADDING) + 1
            for column, (header_width, least) in enumerate(zip(self._title_widths(), self._least, strict=True))
        ]
        room = self.viewport().width() - sum(widths) + widths[self._elastic]
        if self._spared is not None:
            is_crowded = room < min(widths[self._elastic], theme.scaled(_READABLE))
            self.setColumnHidden(self._spared, is_crowded)
            room += widths[self._spared] if is_crowded else 0
        widths[self._elastic] = max(room, _LEAST_ELASTIC)
        for column, width in enumerate(widths):
            if not self.isColumnHidden(column):
                self.setColumnWidth(column, width)
        self.fitted.emit()

    def _title_widths(self) -> list[int]:
        metrics = QFontMetrics(theme.font("table_bold"))
        return [
            max(metrics.horizontalAdvance(line) for line in header.split("\n")) + 2 * CELL_PADDING + 4
            for header in self._titles
        ]

    def put_widget(self, row: int, column: int, widget: QWidget) -> None:
        """Set a control into a cell; the Tab key reaches it after those that were set before."""
        super().put_widget(row, column, widget)
        for control in (widget, *widget.findChildren(QWidget)):
            if control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.window() is self.window():
                QWidget.setTabOrder(self._last_control or self, control)
                self._last_control = control

    def sizeHint(self) -> QSize:
        height = self.horizontalHeader().height() + self.verticalHeader().length()
        return QSize(200, height + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())
