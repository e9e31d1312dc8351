"""Asks before the accuracy page looks at true cells, and says what such a look means."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.text import Text

_MEANS = (
    "The look is written to the ledger before it happens, with your name, and every later report counts it.",
    "The charts are watermarked. They cannot be saved, and their tables cannot be copied.",
    "Choosing epsilon after such a look is itself informed by the data. The public preview is not.",
)


class TrueDataDialog(QDialog):
    """Accepted when the officer wants the look."""

    def __init__(self, parent: QWidget, by: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Look at the true cells?")
        self.setAccessibleName("Look at the true cells?")
        self.setMinimumWidth(460)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(10)
        column.addWidget(Text("Look at the true cells?", "title"))
        for sentence in _MEANS:
            column.addWidget(Text(sentence, "body", wrap=True))
        column.addWidget(Text(f"It will be logged as looked at by **{by}**.", "body", wrap=True))
        self.stay = plain_button("Stay with the public preview")
        self.look = plain_button("Look, and log it", "lock")
        self.stay.setDefault(True)
        self.stay.clicked.connect(self.reject)
        self.look.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.look)
        column.addSpacing(6)
        column.addLayout(row)
        self.stay.setFocus()
