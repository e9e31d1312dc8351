"""Odds as a hundred dots before and a hundred dots after, the way frequencies are best understood."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import icons, theme

_ROWS, _COLUMNS = 5, 20
_GAP = 32


class OddsDots(QWidget):
    """Two blocks of 100 dots with an arrow between; filled dots are the guesses that are right."""

    def __init__(self, before: int = 50, after: int = 50, *, before_words: str = "", after_words: str = "") -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_odds(before, after, before_words=before_words, after_words=after_words)

    def set_odds(self, before: int, after: int, *, before_words: str = "", after_words: str = "") -> None:
        self._before, self._after = min(max(before, 0), 100), min(max(after, 0), 100)
        self._before_words = before_words or f"Before: right in {before} of 100"
        self._after_words = after_words or f"After: right in at most {after} of 100"
        self.setAccessibleName(f"{self._before_words}. {self._after_words}.")
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._title_height() + _ROWS * self._pitch(width) * 1.75)

    def sizeHint(self) -> QSize:
        return QSize(480, self.heightForWidth(480))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(240))

    def _title_height(self) -> float:
        return QFontMetricsF(theme.font("small_bold")).height() + 10

    def _pitch(self, width: float) -> float:
        return min(max((width - _GAP) / 2 / _COLUMNS, 4.0), 13.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        block = (self.width() - _GAP) / 2
        pitch = self._pitch(self.width())
        second = block + _GAP
        if pitch * _COLUMNS < block:
            second = pitch * _COLUMNS + _GAP
        self._paint_block(painter, 0, block, self._before, self._before_words)
        self._paint_block(painter, second, block, self._after, self._after_words)
        middle = self._title_height() + pitch * 1.75 * _ROWS / 2 - pitch * 0.2
        icons.paint_icon(painter, "arrow-right", "muted", QRectF(second - _GAP / 2 - 9, middle - 8, 16, 16))
        painter.end()

    def _paint_block(self, painter: QPainter, left: float, width: float, filled: int, words: str) -> None:
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("small_bold"))
        title = QRectF(left, 0, width, self._title_height())
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, words)
        pitch = self._pitch(self.width())
        radius = pitch * 0.43
        for dot in range(100):
            row, column = divmod(dot, _COLUMNS)
            centre = QPointF(left + (column + 0.5) * pitch, self._title_height() + (row * 1.75 + 0.7) * pitch)
            is_filled = dot < filled
            painter.setPen(QPen(theme.color("accent" if is_filled else "control_border"), 1))
            painter.setBrush(theme.color("accent") if is_filled else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, radius, radius)
