"""A watermark over any part of the window; it can be seen through and clicked through."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.gui import theme

REHEARSAL = "REHEARSAL"
CONFIDENTIAL = "CONFIDENTIAL SOURCE\nnot for export"

ANGLE = 18
OPACITY = 0.13


class Watermark(QWidget):
    """Covers its host and stays on top of it; "" shows nothing."""

    def __init__(self, host: QWidget, text: str = REHEARSAL) -> None:
        super().__init__(host)
        self._host = host
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        host.installEventFilter(self)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(f"Watermark: {text}" if text else "")
        self.setVisible(bool(text))
        self.setGeometry(self._host.rect())
        self.raise_()
        self.update()

    def text(self) -> str:
        return self._text

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.setGeometry(self._host.rect())
            self.raise_()
        elif event.type() == QEvent.Type.ChildAdded:
            self.raise_()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(OPACITY)
        painter.setPen(theme.color("block" if self._text == CONFIDENTIAL else "stale"))
        font = theme.font("title")
        font.setWeight(QFont.Weight.Bold)
        font.setPointSizeF(font.pointSizeF() * self._scale(font))
        painter.setFont(font)
        painter.translate(self.rect().center())
        painter.rotate(-ANGLE)
        reach = float(self.width() + self.height())
        painter.drawText(QRectF(-reach, -reach, 2 * reach, 2 * reach), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()

    def _scale(self, font: QFont) -> float:
        """Fill some two thirds of the width, without leaving the height."""
        metrics = QFontMetricsF(font)
        lines = self._text.split("\n")
        wide = max(metrics.horizontalAdvance(line) for line in lines)
        high = metrics.height() * len(lines) + wide * 0.31
        return min(max(min(0.65 * self.width() / wide, 0.8 * self.height() / high), 0.6), 3.0)
