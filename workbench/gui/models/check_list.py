"""The list of checks a reviewer goes through: state, title, and what was found, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.data.findings import Severity
from workbench.gui import icons, theme
from workbench.gui.widgets.status import State
from workbench.release.checks import CheckResult

_ROOT = QModelIndex()
_STATE_ROLE = Qt.ItemDataRole.UserRole + 1
_WORDS_ROLE = Qt.ItemDataRole.UserRole + 2

STATES = {
    Severity.BLOCK: (State.BLOCKED, "must be mended"),
    Severity.WARNING: (State.NEEDS_YOU, "look at it"),
    Severity.NOTE: (State.INFO, "for your information"),
    None: (State.DONE, "passed"),
}


class CheckModel(QAbstractTableModel):
    """One column; the state is also in the words, for those who cannot see its icon."""

    def __init__(self) -> None:
        super().__init__()
        self._results: tuple[CheckResult, ...] = ()

    def set_results(self, results: Sequence[CheckResult]) -> None:
        self.beginResetModel()
        self._results = tuple(results)
        self.endResetModel()

    def result(self, row: int) -> CheckResult:
        return self._results[row]

    def row_of(self, check_id: str) -> int:
        """Where a check stands now; the first row when it is not there."""
        return next((row for row, result in enumerate(self._results) if result.check.id == check_id), 0)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._results)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        result = self._results[index.row()]
        state, words = STATES[result.severity]
        answers = {
            Qt.ItemDataRole.DisplayRole: result.check.title,
            Qt.ItemDataRole.ToolTipRole: result.words,
            Qt.ItemDataRole.AccessibleTextRole: f"{result.check.title}: {words}. {result.words}",
            _STATE_ROLE: state,
            _WORDS_ROLE: result.words,
        }
        return answers.get(role)


class CheckDelegate(QStyledItemDelegate):
    """Draws a check: icon in the colour of its state, title in bold, what was found under it."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        state, words, title = index.data(_STATE_ROLE), index.data(_WORDS_ROLE), option.text
        option.text = ""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        room = option.rect.adjusted(12, 8, -10, -8)
        side = theme.scaled(16)
        icons.paint_icon(painter, state.icon, state.role, QRectF(room.left(), room.top() + 1, side, side))
        room.setLeft(room.left() + side + 8)
        half = room.height() // 2
        _write(painter, QRect(room.left(), room.top(), room.width(), half), title, "table_bold", "text")
        _write(painter, QRect(room.left(), room.top() + half, room.width(), half), words, "small", "muted")
        painter.restore()


def _write(painter: QPainter, room: QRect, text: str, kind: str, role: str) -> None:
    font = theme.font(kind)
    painter.setFont(font)
    painter.setPen(theme.color(role))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
