"""The strip at the bottom of the window: short facts between thin lines, always there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy

from workbench.gui import icons, theme

HEIGHT = 28
Segment = tuple[str | None, str, str]
"""Icon name or None, the text, and the part of the text to set in bold ("" for none)."""


class Strip(QFrame):
    """Segments that no longer fit are left out from the right; all of them stay in the spoken name."""

    def __init__(self) -> None:
        super().__init__()
        self._segments: tuple[Segment, ...] = ()
        self.setProperty("surface", "strip")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_segments(self, segments: Sequence[Segment]) -> None:
        self._segments = tuple(segments)
        spoken = "; ".join(text for _, text, _ in self._segments)
        self.setAccessibleName(spoken)
        self.setToolTip(spoken.replace("; ", "\n"))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, max(HEIGHT, round(QFontMetricsF(theme.font("small")).height()) + 11))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 16.0
        for place, segment in enumerate(self._segments):
            right = left + self._width(segment)
            if right > self.width() - 8:
                break
            if place:
                painter.fillRect(QRectF(round(left - 12), 7, 1, self.height() - 13), theme.color("border"))
            self._paint(painter, segment, left)
            left = right + 24
        painter.end()

    def _width(self, segment: Segment) -> float:
        icon, text, bold = segment
        words = sum(QFontMetricsF(theme.font(kind)).horizontalAdvance(part) for part, kind in _parts(text, bold))
        return words + (theme.scaled(14) + 6 if icon else 0)

    def _paint(self, painter: QPainter, segment: Segment, left: float) -> None:
        icon, text, bold = segment
        side = theme.scaled(14)
        if icon:
            icons.paint_icon(painter, icon, "text", QRectF(left, (self.height() + 1 - side) / 2, side, side))
            left += side + 6
        painter.setPen(theme.color("text"))
        for part, kind in _parts(text, bold):
            font = theme.font(kind)
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.drawText(QPointF(left, (self.height() + 1 - metrics.height()) / 2 + metrics.ascent()), part)
            left += metrics.horizontalAdvance(part)


def _parts(text: str, bold: str) -> tuple[tuple[str, str], ...]:
    before, found, after = text.partition(bold) if bold else (text, "", "")
    parts = ((before, "small"), (found, "small_bold"), (after, "small"))
    return tuple(part for part in parts if part[0])
