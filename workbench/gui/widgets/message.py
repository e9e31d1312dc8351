"""A message inside a page: what happened and what to do, spoken aloud when it appears."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.widgets.text import IconLabel, Text

_LOOKS = {
    "info": ("info", "accent"),
    "ok": ("tick-circle", "ok"),
    "warn": ("warning", "warn"),
    "block": ("block", "block"),
}


class Message(QFrame):
    """Kinds: info, ok, warn, block. Buttons stand at the right."""

    def __init__(self, kind: str, title: str = "", text: str = "", *buttons: QWidget) -> None:
        super().__init__()
        self._icon = IconLabel("info")
        self._title = Text("", "bold", wrap=True)
        self._text = Text("", "body", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(10)
        row.addLayout(self._words(), 1)
        for button in buttons:
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.set_message(kind, title, text)

    def _words(self) -> QVBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._text)
        beside_icon = QHBoxLayout()
        beside_icon.setSpacing(10)
        beside_icon.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        beside_icon.addLayout(words, 1)
        self._icon.setContentsMargins(0, 2, 0, 0)
        middle = QVBoxLayout()
        middle.addStretch(1)
        middle.addLayout(beside_icon)
        middle.addStretch(1)
        return middle

    def set_message(self, kind: str, title: str = "", text: str = "") -> None:
        icon, role = _LOOKS[kind]
        theme.mark(self, "message", kind)
        self._icon.set_icon(icon, role)
        for label, words in ((self._title, title), (self._text, text)):
            label.set_text(words)
            label.setVisible(bool(words))
        self.setAccessibleName(" ".join(label.accessibleName() for label in (self._title, self._text)).strip())
        if self.isVisible():
            self._announce()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._announce()

    def _announce(self) -> None:
        if self.accessibleName():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))
