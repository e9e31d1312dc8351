"""Line icons in the colour of a token, drawn afresh whenever the theme changes."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from workbench import assets
from workbench.gui import theme


def icon(name: str, role: str = "text") -> QIcon:
    """The icon of that name in resources/icons, in the colour of a token; it follows the theme."""
    return QIcon(_TokenIcon(name, role))


def paint_icon(painter: QPainter, name: str, role: str, rect: QRectF) -> None:
    _renderer(name, theme.color(role).name()).render(painter, rect)


def names() -> tuple[str, ...]:
    files = (file.name for file in assets.resource("icons").iterdir())
    return tuple(sorted(name.removesuffix(".svg") for name in files if name.endswith(".svg")))


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    drawing = assets.text("icons", f"{name}.svg").replace("currentColor", colour)
    return QSvgRenderer(QByteArray(drawing.encode()))


class _TokenIcon(QIconEngine):
    """Looks its colour up at the moment of painting."""

    _clones: list[_TokenIcon] = []  # noqa: RUF012 - Qt owns a clone only while Python still refers to it

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        role = "control_border" if mode == QIcon.Mode.Disabled else self._role
        side = min(rect.width(), rect.height())
        square = QRectF(0, 0, side, side)
        square.moveCenter(QRectF(rect).center())
        paint_icon(painter, self._name, role, square)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(QPoint(), size), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        made = _TokenIcon(self._name, self._role)
        self._clones.append(made)
        return made
