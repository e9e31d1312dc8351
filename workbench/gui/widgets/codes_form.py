"""The form for a key's public code list: its codes and labels, where they come from, and records off the list."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.data.schema import CodeList, Column
from workbench.gui import theme
from workbench.gui.models.codes import CodesModel
from workbench.gui.widgets.belonging import MEANINGS, BelongsToChoice
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.fields import LabelledRow
from workbench.gui.widgets.flow import FlowRow
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.remedy import RemedyChoice
from workbench.gui.widgets.tables import Rows, TableView
from workbench.gui.widgets.text import Text

_NO_LIST = "Without a public list there are no cells: paste the codes, or choose a file with one code in each line."

_LABEL = 124


class CodesForm(QWidget):
    paste_wanted = Signal()
    file_wanted = Signal()
    cleared = Signal()
    remedy_chosen = Signal(object)
    owner_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.codes = CodesModel()
        self.table = TableView("Codes of this key", Rows.GRID)
        self.words = Text("", wrap=True)
        self.paste = plain_button("&Paste codes…")
        self.from_file = plain_button("From a f&ile…")
        self.clear = plain_button("&Clear")
        self.remedy = RemedyChoice("Records off the list")
        self.belongs_to = BelongsToChoice()
        self.trouble = Message("block")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.table.setModel(self.codes)
        self.table.fit_columns([1])
        self.table.setMinimumHeight(theme.scaled(140))
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.trouble.hide()
        right = QVBoxLayout()
        right.setSpacing(10)
        right.addWidget(self.words)
        right.addWidget(FlowRow(self.paste, self.from_file, self.clear, gap=8))
        self._owner = LabelledRow("&Belongs to", self.belongs_to, label_width=_LABEL).add_stretch()
        self._owner_words = Text("", "small_muted", wrap=True)
        right.addWidget(LabelledRow("Records &off the list", self.remedy, label_width=_LABEL).add_stretch())
        right.addWidget(self._owner)
        right.addWidget(self._owner_words)
        right.addWidget(self.trouble)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(24)
        row.addWidget(self.table, 1)
        row.addLayout(right, 1)

    def _connect(self) -> None:
        self.paste.clicked.connect(self.paste_wanted)
        self.from_file.clicked.connect(self.file_wanted)
        self.clear.clicked.connect(self.cleared)
        self.remedy.chosen.connect(self.remedy_chosen)
        self.belongs_to.chosen.connect(self.owner_chosen)

    def show_column(self, column: Column, *, has_employers: bool = False) -> None:
        """Show a key; whose property it is matters only where the records belong to employers."""
        codes = column.codes
        self.codes.show_codes(codes)
        self.table.fit_columns([1])
        self.table.setVisible(codes is not None)
        self.clear.setEnabled(codes is not None)
        self.remedy.show_remedy(column.unlisted)
        self.belongs_to.show_owner(column.belongs_to)
        self._owner_words.set_text(MEANINGS[column.belongs_to])
        for widget in (self._owner, self._owner_words):
            widget.setVisible(has_employers)
        self.words.set_text(_origin(codes) if codes else _NO_LIST)
        self.show_trouble("", "")

    def show_trouble(self, what: str, remedy: str) -> None:
        """Say why a list was not taken; blank takes the message away."""
        self.trouble.set_message("block", what, remedy)
        self.trouble.setVisible(bool(what))


def _origin(codes: CodeList) -> str:
    source = f"from {codes.source}" if codes.file else codes.source
    return f"**{shown(str(len(codes)))} codes**, {source}."
