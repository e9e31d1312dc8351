"""What a place shows while it is empty: an icon, one sentence saying what will be here, one button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui.widgets.buttons import Button
from workbench.gui.widgets.text import IconLabel, Text

_CENTRE = Qt.AlignmentFlag.AlignHCenter


class EmptyState(QWidget):
    clicked = Signal()

    def __init__(self, icon: str, sentence: str, button: str = "", *, primary: bool = False) -> None:
        super().__init__()
        self._words = Text(sentence, "muted", wrap=True)
        self._words.setAlignment(_CENTRE)
        self.button = Button(button, "primary" if primary else "plain")
        self.button.setVisible(bool(button))
        self.button.clicked.connect(self.clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(IconLabel(icon, "muted", 32), 0, _CENTRE)
        column.addWidget(self._words)
        column.addWidget(self.button, 0, _CENTRE)
        column.addStretch(1)

    def set_sentence(self, sentence: str) -> None:
        self._words.set_text(sentence)
