"""A row of the statistics table as a sentence that anyone can read, ready to copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from workbench.gui.models.error_words import error_note, error_of, error_sentence, in_unit
from workbench.gui.models.statistic_rows import DrawnRow, Row, TotalMargin, TotalsRow
from workbench.gui.widgets.buttons import link_button, plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.fields import LabelledRow, NumberField, between
from workbench.gui.widgets.plain_table import PlainTable
from workbench.gui.widgets.text import Text, plain

_COPY = "Copy sentence"
_MOST_TOTALS = 8


class SentenceCard(Card):
    """Shows one row at a time."""

    method_sheet_wanted = Signal()
    protection_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("Row in a sentence")
        self._shown: tuple[Row, str, Sequence[TotalMargin] | None] | None = None
        self._typical = 0
        self.sentence = Text("", "lead", wrap=True)
        self.cell = NumberField("Cell of", step="10", check=_whole_size, width=120)
        self._cell_row = LabelledRow("Ce&ll of", self.cell).add_stretch()
        self.note = Text("", "small_muted", wrap=True)
        self.totals = PlainTable("Margin of each total", ("Total", "At most"), aligns="lr", most_rows=_MOST_TOTALS)
        self.copy_button = plain_button(_COPY, small=True)
        self.method_button = link_button("Method sheet")
        self.protection_button = plain_button("Go to Protection", small=True)
        for widget in (self.sentence, self._cell_row, self.totals, self.note):
            self.add(widget)
        self.add_stretch()
        buttons = self.add_row(self.copy_button, self.protection_button)
        buttons.addWidget(self.method_button)
        self.cell.value_changed.connect(lambda _: self._say())
        self.copy_button.clicked.connect(self._copy)
        self.method_button.clicked.connect(self.method_sheet_wanted)
        self.protection_button.clicked.connect(self.protection_wanted)

    def show_row(self, row: Row, unit: str, margins: Sequence[TotalMargin] | None) -> None:
        """Explain a row; `margins` are those of its totals, None while they are being worked out."""
        source = row.source if isinstance(row, TotalsRow) else row
        self.set_title(f"Row {row.number} in a sentence")
        has_mechanism = source.mechanism is not None
        self._shown = row, unit, margins
        self._show_cell(row, unit)
        self._say()
        self.totals.set_rows(_rows(row, unit, margins or ()))
        self.totals.setVisible(isinstance(row, TotalsRow) and bool(margins))
        self.note.setVisible(has_mechanism)
        self.copy_button.setVisible(has_mechanism)
        self.method_button.setVisible(has_mechanism)
        self.protection_button.setVisible(not source.considered)
        self.copy_button.setText(_COPY)

    def _show_cell(self, row: Row, unit: str) -> None:
        """The size to play with, where the error depends on it; it begins at the plan's typical cell."""
        error = error_of(row.part) if isinstance(row, DrawnRow) else None
        self._cell_row.setVisible(error is not None and error.margin is None)
        self.cell.set_unit(unit)
        if error is not None and error.size != self._typical:
            self._typical = error.size
            self.cell.set_value(str(error.size))

    def _say(self) -> None:
        if self._shown is not None:
            size = int(self.cell.value()) if self.cell.value() and self.cell.is_valid() else None
            self.sentence.set_text(_sentence(*self._shown, size))
            self.note.set_text(_note(self._shown[0], self._shown[1], size))
            self.copy_button.setText(_COPY)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(plain(self.sentence.accessibleName()))
        self.copy_button.setText("Copied")


def _whole_size(text: str) -> str | None:
    return "A whole number." if "." in text else between("1", "1000000000")(text)


def _sentence(row: Row, unit: str, margins: Sequence[TotalMargin] | None, size: int | None) -> str:
    if isinstance(row, TotalsRow):
        return _totals_sentence(row, unit, margins)
    if row.part is None or not row.considered:
        return "Choose who is protected and how much to see how far a published number can be off."
    if row.mechanism is None:
        return "No mechanism fits this statistic, so it cannot be published."
    return error_sentence(row.part, unit, size)


def _totals_sentence(row: TotalsRow, unit: str, margins: Sequence[TotalMargin] | None) -> str:
    statistic = row.source.statistic
    if row.source.mechanism is None:
        return f"The totals follow once row {row.source.number} has a mechanism."
    if margins is None:
        return "The margins of the totals are being worked out."
    if not margins:
        return f"The totals are added up from row {row.source.number}; no margin of them can be published."
    widest = max(margins, key=lambda one: one.margin)
    return (
        f"With probability **95 %**, a published total of {statistic.measure or unit} differs from the true total "
        f"by **at most {in_unit(widest.margin, statistic, unit)}**."
    )


def _note(row: Row, unit: str, size: int | None) -> str:
    if not isinstance(row, TotalsRow):
        return error_note(row.part, unit, size) if row.part else ""
    mechanism = row.source.mechanism
    free = "Totals are added up from published cells and cost nothing."
    if mechanism is not None and mechanism.publishes_margin and mechanism.margin() is None:
        return f"{free} The error of each cell is a proportion of it, so that of a sum is no public number."
    return free


def _rows(row: Row, unit: str, margins: Sequence[TotalMargin]) -> list[list[str]]:
    if not isinstance(row, TotalsRow):
        return []
    statistic = row.source.statistic
    return [[" × ".join(one.keys) or "all together", in_unit(one.margin, statistic, unit)] for one in margins]
