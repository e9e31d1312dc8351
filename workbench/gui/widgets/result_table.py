"""The grid of published numbers: words give way before a number would be pushed out of sight."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHeaderView

from workbench.gui import theme
from workbench.gui.widgets.tables import Rows, TableView

_LEAST = 64
_AROUND = 20


class ResultTable(TableView):
    """Columns of words are narrowed, the widest first, until all columns fit; the spare room goes to the widest."""

    def __init__(self) -> None:
        super().__init__("Published numbers", Rows.GRID, inside=True)
        self._natural: list[int] = []
        self.verticalHeader().setVisible(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSortingEnabled(True)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        self._measure()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _measure(self) -> None:
        columns = range(self.model().columnCount() if self.model() else 0)
        self._natural = [max(self.sizeHintForColumn(column), self._heading_width(column)) + 1 for column in columns]
        self._fit()

    def _heading_width(self, column: int) -> int:
        """Without room for the arrow of a sorted column, which may lie over the heading's end."""
        heading = str(self.model().headerData(column, Qt.Orientation.Horizontal))
        return QFontMetrics(theme.font("table_bold")).horizontalAdvance(heading) + _AROUND

    def _fit(self) -> None:
        words = [column for column in range(len(self._natural)) if not self._is_number(column)]
        for column, width in enumerate(fitted(self._natural, words, self.viewport().width())):
            self.setColumnWidth(column, width)

    def _is_number(self, column: int) -> bool:
        alignment = self.model().headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        return bool(Qt.AlignmentFlag(int(alignment)) & Qt.AlignmentFlag.AlignRight)


def fitted(natural: Sequence[int], words: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room: the widest words get what is spare, or are cut to a common limit."""
    widths = list(natural)
    excess = sum(widths) - room
    if not words:
        return widths
    if excess <= 0:
        widths[max(words, key=widths.__getitem__)] -= excess
        return widths
    left = sum(widths[column] for column in words) - excess
    limit = max(_limit(sorted(widths[column] for column in words), left), _LEAST)
    return [min(width, limit) if column in words else width for column, width in enumerate(widths)]


def _limit(ascending: Sequence[int], left: int) -> int:
    """The largest width that all may have when they must share what is left."""
    for place, width in enumerate(ascending):
        share = left // (len(ascending) - place)
        if width > share:
            return share
        left -= width
    return ascending[-1]
