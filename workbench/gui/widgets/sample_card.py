"""The card of a sample project: what it is, how many cells it has, and a button that opens it in Rehearsal."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout

from workbench.gui.models.samples import Sample
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.text import IconLabel, Text


class SampleCard(Card):
    chosen = Signal(object)

    def __init__(self, sample: Sample) -> None:
        super().__init__()
        self.setAccessibleName(sample.title)
        self.button = plain_button("Open rehearsal")
        self.button.setAccessibleName(f"Open rehearsal: {sample.title}")
        self.button.clicked.connect(lambda: self.chosen.emit(sample.path))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Text(sample.title, "card", wrap=True))
        words.addWidget(Text(sample.sentence, "small_muted", wrap=True))
        words.addStretch(1)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(0, 1)
        grid.addWidget(IconLabel(sample.icon, "accent", 22), 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(words, 0, 1, 1, 2)
        grid.addWidget(Text(f"{shown(str(sample.cells))} cells", "small_muted"), 1, 1)
        grid.addWidget(self.button, 1, 2)
        self.body.addLayout(grid, 1)
