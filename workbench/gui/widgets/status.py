"""How things stand, always as icon and word: states, mode chips and small tags."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from workbench.gui import icons, theme
from workbench.gui.widgets.text import IconLabel, Text


@dataclass(frozen=True)
class Look:
    """The icon, colour token and usual words of a state."""

    icon: str
    role: str
    words: str


class State(Enum):
    DONE = Look("tick-circle", "ok", "done")
    IN_PROGRESS = Look("pencil", "text", "in progress")
    NEEDS_YOU = Look("warning", "warn", "needs you")
    BLOCKED = Look("block", "block", "blocked")
    OUT_OF_DATE = Look("clock", "stale", "out of date")
    NOT_STARTED = Look("not-started", "muted", "not started")
    NOTED = Look("info", "accent", "noted")
    INFO = Look("info", "accent", "information")

    @property
    def icon(self) -> str:
        return self.value.icon

    @property
    def role(self) -> str:
        return self.value.role

    @property
    def words(self) -> str:
        return self.value.words


class StatusLabel(QWidget):
    """`toned` colours the words like the icon; leave it off for a sentence to be read."""

    def __init__(
        self, state: State, words: str = "", *, kind: str = "body", wrap: bool = False, toned: bool = True
    ) -> None:
        super().__init__()
        self._toned = toned
        self._icon = IconLabel(state.icon)
        self._words = Text("", kind, wrap=wrap)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop if wrap else Qt.AlignmentFlag.AlignVCenter)
        self._icon.setContentsMargins(0, 2 if wrap else 0, 0, 0)
        row.addWidget(self._words, 1)
        self.set_state(state, words)

    def set_state(self, state: State, words: str = "") -> None:
        """Show a state; the words default to its own."""
        self.state = state
        self._icon.set_icon(state.icon, state.role)
        self._words.set_text(words or state.words)
        self._words.set_tone(state.role if self._toned and state.role != "text" else "")
        self.setAccessibleName(words or state.words)

    def words(self) -> str:
        return self.accessibleName()


class _Painted(QWidget):
    """A rounded box of one colour pair with an icon and a short text."""

    radius = 3.0
    padding = 8
    kind = "tiny_bold"
    outlined = False
    trailing = 0

    def __init__(self, text: str, role: str, ground: str, icon: str = "") -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_as(text, role, ground, icon)

    def show_as(self, text: str, role: str, ground: str, icon: str = "") -> None:
        self._text, self._role, self._ground, self._icon = text, role, ground, icon
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(theme.font(self.kind))
        room = self._icon_room() + 2 * self.padding + self.trailing + metrics.horizontalAdvance(self._text)
        return QSize(round(room) + 1, round(metrics.height()) + (10 if self.outlined else 3))

    def _icon_room(self) -> int:
        return theme.scaled(14) + 6 if self._icon else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        ink = theme.color(self._role)
        painter.setPen(QPen(ink if self.outlined else QColor(Qt.GlobalColor.transparent), 1))
        painter.setBrush(theme.color(self._ground))
        painter.drawRoundedRect(box, self.radius, self.radius)
        if self._icon:
            side = theme.scaled(14)
            icons.paint_icon(
                painter, self._icon, self._role, QRectF(self.padding, (self.height() - side) / 2, side, side)
            )
        painter.setPen(ink)
        painter.setFont(theme.font(self.kind))
        words = box.adjusted(self.padding + self._icon_room(), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._text)
        painter.end()


class ModeChip(_Painted):
    """The chip at the top right: Rehearsal or Live, with its consequence."""

    radius = 4.0
    padding = 10
    kind = "bold"
    outlined = True

    def __init__(self, *, live: bool = False) -> None:
        super().__init__("", "stale", "stale_soft")
        self.set_live(live)

    def set_live(self, live: bool) -> None:
        if live:
            self.show_as("LIVE: releases spend budget", "block", "block_soft", "seal")
        else:
            self.show_as("REHEARSAL: synthetic noise, no budget", "stale", "stale_soft", "pencil")


_TAG_LOOKS = {
    "info": ("accent", "soft"),
    "ok": ("ok", "ok_soft"),
    "warn": ("warn", "warn_soft"),
    "block": ("block", "block_soft"),
    "stale": ("stale", "stale_soft"),
    "plain": ("muted", "head"),
}


class Tag(_Painted):
    """A small tag such as "units" or "signed"; tones: info, ok, warn, block, stale, plain."""

    def __init__(self, text: str, tone: str = "info", icon: str = "") -> None:
        super().__init__(text, *_TAG_LOOKS[tone], icon)

    def set_tag(self, text: str, tone: str = "info", icon: str = "") -> None:
        self.show_as(text, *_TAG_LOOKS[tone], icon)


class RemovableTag(Tag):
    """A tag with a small cross that takes it away, as in a list of missing codes."""

    removed = Signal(str)
    trailing = 18

    def __init__(self, text: str, tone: str = "info") -> None:
        super().__init__(text, tone)
        self._cross = QPushButton(self)
        self._cross.setProperty("kind", "bare")
        self._cross.setIcon(icons.icon("cross", _TAG_LOOKS[tone][0]))
        self._cross.setIconSize(QSize(9, 9))
        self._cross.setAccessibleName(f"Remove {text}")
        self._cross.clicked.connect(lambda: self.removed.emit(self.text()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        side = min(self.height() - 2, 18)
        self._cross.setGeometry(self.width() - side - 3, (self.height() - side) // 2, side, side)
