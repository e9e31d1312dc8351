"""The steps of a wizard at its left: number or tick, title, and what was decided there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy

from workbench.gui import icons, theme

_ROW = 56
_WIDTH = 224


class StepList(QFrame):
    """Shows where the officer is; the buttons of the wizard move on."""

    def __init__(self, titles: Sequence[str]) -> None:
        super().__init__()
        self._titles = tuple(titles)
        self._words = [""] * len(self._titles)
        self._current = 0
        self.setProperty("surface", "left")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.set_current(0)

    def set_current(self, step: int) -> None:
        self._current = step
        self.setAccessibleName(f"Step {step + 1} of {len(self._titles)}: {self._titles[step]}")
        self.update()

    def set_words(self, step: int, words: str) -> None:
        self._words[step] = words
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.scaled(_WIDTH), theme.scaled(_ROW) * len(self._titles))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = theme.scaled(_ROW)
        for step in range(len(self._titles)):
            self._paint_step(painter, step, QRect(0, 8 + step * high, self.width() - 1, high))
        painter.end()

    def _paint_step(self, painter: QPainter, step: int, room: QRect) -> None:
        is_current = step == self._current
        if is_current:
            painter.fillRect(room, theme.color("selection"))
            painter.fillRect(QRect(room.left(), room.top(), 4, room.height()), theme.color("accent"))
        circle = QRectF(room.left() + 16, room.center().y() - 11, 22, 22)
        painter.setPen(QPen(theme.color("accent" if is_current else "control_border"), 1.4))
        painter.setBrush(theme.color("panel"))
        painter.drawEllipse(circle)
        if step < self._current:
            icons.paint_icon(painter, "tick", "ok", circle.adjusted(5, 5, -5, -5))
        else:
            _write(painter, circle.toRect(), str(step + 1), "small_bold", "text", Qt.AlignmentFlag.AlignCenter)
        left = int(circle.right()) + 10
        words = QRect(left, room.top() + 8, room.right() - left - 8, (room.height() - 16) // 2)
        _write(painter, words, self._titles[step], "bold", "text")
        _write(painter, words.translated(0, words.height()), self._words[step], "small", "muted")


def _write(
    painter: QPainter, room: QRect, text: str, kind: str, role: str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
) -> None:  # fmt: skip
    font = theme.font(kind)
    painter.setFont(font)
    painter.setPen(theme.color(role))
    painter.drawText(room, align, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width()))
