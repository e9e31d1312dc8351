"""Labels in the window's kinds of text, with **bold** parts and an icon that keeps to the theme."""

from __future__ import annotations

import html
import re

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from workbench.gui import icons, theme

_BOLD = re.compile(r"\*\*(.+?)\*\*")


class Text(QLabel):
    """A label of one kind of text; **double stars** make a part of it bold, everything else is taken literally."""

    def __init__(self, text: str = "", kind: str = "body", *, wrap: bool = False, tone: str = "") -> None:
        super().__init__()
        self.setProperty("kind", kind)
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)
        if wrap:
            self.setMinimumWidth(1)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        has_bold = _BOLD.search(text) is not None
        self.setTextFormat(Qt.TextFormat.RichText if has_bold else Qt.TextFormat.PlainText)
        self.setText(_rich(text) if has_bold else text)
        self.setAccessibleName(plain(text))

    def set_tone(self, tone: str) -> None:
        """Colour the words with a token: accent, muted, ok, warn, block or stale; "" for the kind's own."""
        theme.mark(self, "tone", tone)

    def set_kind(self, kind: str) -> None:
        theme.mark(self, "kind", kind)


class OneLine(Text):
    """Words that end in an ellipsis where the room does, instead of asking for more."""

    def minimumSizeHint(self) -> QSize:
        return QSize(min(theme.scaled(48), super().minimumSizeHint().width()), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        self.style().drawItemText(
            painter, self.rect(), int(self.alignment()), self.palette(), self.isEnabled(), shown, self.foregroundRole()
        )
        painter.end()


def plain(text: str) -> str:
    """The text without its stars, as a screen reader should say it."""
    return _BOLD.sub(r"\1", text)


def _rich(text: str) -> str:
    return _BOLD.sub(r'<span style="font-weight:600">\1</span>', html.escape(text, quote=False))


class IconLabel(QWidget):
    """An icon by itself; pass a name to have it spoken, leave it out when words stand beside it."""

    def __init__(self, icon: str, role: str = "text", size: int = 16, name: str = "") -> None:
        super().__init__()
        self._icon = icon
        self._role = role
        self._size = size
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, icon: str, role: str = "text") -> None:
        self._icon = icon
        self._role = role
        self.update()

    def sizeHint(self) -> QSize:
        side = theme.scaled(self._size)
        return QSize(side, side).grownBy(self.contentsMargins())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        icons.paint_icon(painter, self._icon, self._role, QRectF(self.contentsRect()))
        painter.end()


def line(vertical: bool = False) -> QFrame:
    """A thin dividing line."""
    made = QFrame()
    made.setProperty("surface", "line")
    if vertical:
        made.setFixedWidth(1)
    else:
        made.setFixedHeight(1)
    return made
