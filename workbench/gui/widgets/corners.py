"""Rounds the corners of a panel whose children would paint over them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QWidget

from workbench.gui import theme

RADIUS = 6


class RoundedCorners(QWidget):
    """Lies over the four corners of its host and lets everything else through."""

    def __init__(self, host: QWidget, ground: str = "window") -> None:
        super().__init__(host)
        self._host = host
        self._ground = ground
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        host.installEventFilter(self)
        self._cover()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._cover()
        elif event.type() == QEvent.Type.ChildAdded:
            self.raise_()
        return False

    def _cover(self) -> None:
        self.setGeometry(self._host.rect())
        right, bottom = self.width() - RADIUS, self.height() - RADIUS
        corners = QRegion()
        for x, y in ((0, 0), (right, 0), (0, bottom), (right, bottom)):
            corners += QRegion(QRect(x, y, RADIUS, RADIUS))
        self.setMask(corners)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QPainterPath()
        inside.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        outside = QPainterPath()
        outside.addRect(QRectF(self.rect()))
        painter.fillPath(outside - inside, theme.color(self._ground))
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawPath(inside)
        painter.end()
