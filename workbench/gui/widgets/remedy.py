"""The choice of what happens to records whose code is not on the public list."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from workbench.data.schema import Unlisted

REMEDIES = {Unlisted.REFUSE: "Refuse the release", Unlisted.LEAVE_OUT: "Leave these records out"}


class RemedyChoice(QComboBox):
    """`chosen` is emitted only when the officer chooses."""

    chosen = Signal(object)

    def __init__(self, name: str, remedy: Unlisted = Unlisted.REFUSE, *, small: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("small", small)
        for one, words in REMEDIES.items():
            self.addItem(words, one)
        self.show_remedy(remedy)
        self.activated.connect(lambda at: self.chosen.emit(Unlisted(self.itemData(at))))

    def show_remedy(self, remedy: Unlisted) -> None:
        self.setCurrentIndex(self.findData(remedy))
