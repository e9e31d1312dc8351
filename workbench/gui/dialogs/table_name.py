"""Asks for the name of a table, and says at once why a name cannot be taken."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from workbench.gui.widgets.buttons import plain_button, primary_button
from workbench.gui.widgets.fields import LabelledRow
from workbench.gui.widgets.text import Text

_NOT_IN_FILE_NAMES = set('/\\:*?"<>|')


def objection(name: str, others: Collection[str]) -> str:
    """Why a table cannot be called this; nothing when it can."""
    if not name.strip():
        return "A table needs a name."
    if name.strip() in others:
        return "Another table has this name."
    if _NOT_IN_FILE_NAMES & set(name):
        return 'The name becomes a file name: leave out / \\ : * ? " < > and |.'
    return ""


class TableNameDialog(QDialog):
    """Open it and wait for `accepted`; then `name` is what was typed."""

    def __init__(self, name: str, others: Collection[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Rename table")
        self._others = others
        self.edit = QLineEdit(name)
        self.edit.selectAll()
        self._objection = Text("", "small", wrap=True, tone="block")
        self.rename_button = primary_button("Rename")
        self.rename_button.setDefault(True)
        cancel = plain_button("Cancel")
        cancel.clicked.connect(self.reject)
        self.rename_button.clicked.connect(self.accept)
        self.edit.textChanged.connect(self._check)
        self._lay_out(cancel)
        self._check()

    def _lay_out(self, cancel: QWidget) -> None:
        self.setMinimumWidth(400)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(LabelledRow("Name of the table", self.edit))
        column.addWidget(self._objection)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.rename_button)
        column.addLayout(row)

    @property
    def name(self) -> str:
        return self.edit.text().strip()

    def objection(self) -> str:
        return self._objection.text()

    def _check(self) -> None:
        self._objection.set_text(objection(self.edit.text(), self._others))
        self.rename_button.setEnabled(not self._objection.text())
