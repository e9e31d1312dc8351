"""The mark of a role: a shape of its own, the same beside a column and in the legend."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from workbench.data.schema import Role
from workbench.gui import theme
from workbench.gui.roles import IDS, LOOKS
from workbench.gui.widgets.text import Text

SIDE = 10


def paint_mark(painter: QPainter, role: Role, box: QRectF) -> None:
    """Draw the mark into a square box."""
    look = LOOKS[role]
    colour = theme.color(look.colour)
    painter.setPen(QPen(colour, 1.5) if look.shape == "ring" else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if look.shape == "ring" else colour)
    if look.shape == "square":
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)
    elif look.shape == "diamond":
        painter.drawPolygon(_diamond(box))
    else:
        painter.drawEllipse(box.adjusted(0.75, 0.75, -0.75, -0.75))


def _diamond(box: QRectF) -> QPolygonF:
    middle = box.center()
    corners = ((middle.x(), box.top() - 1), (box.right() + 1, middle.y()),
               (middle.x(), box.bottom() + 1), (box.left() - 1, middle.y()))  # fmt: skip
    return QPolygonF([QPointF(x, y) for x, y in corners])


class RoleMark(QWidget):
    """The mark by itself, beside words that name the role."""

    def __init__(self, role: Role) -> None:
        super().__init__()
        self._role = role
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        side = theme.scaled(SIDE) + 4
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_mark(painter, self._role, QRectF(self.rect()).adjusted(2, 2, -2, -2))
        painter.end()


class RoleLegend(QWidget):
    """What each mark means; both ids share one."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for at, role in enumerate((Role.KEY, Role.MEASURE, Role.PERSON_ID, Role.IGNORE)):
            name = "Id" if role in IDS else LOOKS[role].words
            grid.addWidget(RoleMark(role), at, 0)
            grid.addWidget(Text(f"{name}: {LOOKS[role].meaning}", "small", wrap=True), at, 1)
