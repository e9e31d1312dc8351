"""The choice of whose property a key is: the worker's, or the same for all records of a workplace."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox

from workbench.data.schema import BelongsTo

BELONGINGS = {BelongsTo.WORKER: "Worker", BelongsTo.ESTABLISHMENT: "Establishment"}
MEANINGS = {
    BelongsTo.WORKER: "A property of the person or the job: sex, age, education. "
    "One establishment can be in several cells of such keys.",
    BelongsTo.ESTABLISHMENT: "A property of the workplace, the same for all its records: place, sector. "
    "Cells of such keys share no establishment.",
}


class BelongsToChoice(QComboBox):
    """`chosen` is emitted only when the officer chooses."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Belongs to")
        for at, (one, words) in enumerate(BELONGINGS.items()):
            self.addItem(words, one)
            self.setItemData(at, MEANINGS[one], Qt.ItemDataRole.ToolTipRole)
        self.activated.connect(lambda at: self.chosen.emit(BelongsTo(self.itemData(at))))

    def show_owner(self, owner: BelongsTo) -> None:
        self.setCurrentIndex(self.findData(owner))
        self.setToolTip(MEANINGS[owner])
        self.setAccessibleDescription(MEANINGS[owner])
