"""The short tour over a sample project: one sentence for each stage, above the page, until it is closed."""

from __future__ import annotations

from PySide6.QtCore import Signal

from workbench.data.findings import Stage
from workbench.gui.session import Session
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.message import Message

STEPS = {
    Stage.DATA: "The sheet as it was read. Sheet and header row are guessed: correct them here if need be.",
    Stage.COLUMNS: "Say what each column is for. Keys bring a public code list, measures bring public bounds.",
    Stage.CELLS: "Choose the keys of the table. Every combination of their codes becomes a cell, empty ones included.",
    Stage.STATISTICS: "Choose what is published for each cell, and which share of the privacy budget it gets.",
    Stage.PROTECTION: "Choose who is protected and how much. A smaller epsilon protects more and blurs more.",
    Stage.ACCURACY: "See the expected error before anything is spent, and which epsilon would meet your target.",
    Stage.REVIEW: "Every check in one list. What still needs you comes first, with a way to mend it.",
    Stage.RELEASE: "Rehearse as often as you like: synthetic noise, no budget. Only a live release cannot be undone.",
}


class TourBar(Message):
    """Hidden until the window shows it; [Next] goes through the stages."""

    closed = Signal()

    def __init__(self, session: Session) -> None:
        self._next = plain_button("&Next", small=True)
        self._close = plain_button("&Close tour", small=True)
        super().__init__("info", "", "", self._next, self._close)
        self._session = session
        self._stage = Stage.DATA
        self._next.clicked.connect(self._go_on)
        self._close.clicked.connect(self.closed)
        self.show_stage(Stage.DATA)
        self.hide()

    def show_stage(self, stage: str) -> None:
        """Tell what the stage is for; a page that is no stage keeps the last words."""
        if stage not in STEPS:
            return
        self._stage = Stage(stage)
        number = list(STEPS).index(self._stage) + 1
        self.set_message("info", f"Step {number} of {len(STEPS)}: {self._stage}", STEPS[self._stage])
        self._next.setVisible(number < len(STEPS))

    def _go_on(self) -> None:
        stages = list(STEPS)
        self._session.go_to(stages[stages.index(self._stage) + 1])
