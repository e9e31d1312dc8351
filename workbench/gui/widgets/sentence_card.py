"""A row of the statistics table as a sentence that anyone can read, ready to copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from workbench.gui.models.counting import estimate, with_unit
from workbench.gui.models.statistic_rows import DrawnRow, Row, TotalMargin, TotalsRow
from workbench.gui.widgets.buttons import link_button, plain_button
from workbench.gui.widgets.card import Card
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
        self.sentence = Text("", "lead", wrap=True)
        self.note = Text("", "small_muted", wrap=True)
        self.totals = PlainTable("Margin of each total", ("Total", "At most"), aligns="lr", most_rows=_MOST_TOTALS)
        self.copy_button = plain_button(_COPY, small=True)
        self.method_button = link_button("Method sheet")
        self.protection_button = plain_button("Go to Protection", small=True)
        for widget in (self.sentence, self.totals, self.note):
            self.add(widget)
        self.add_stretch()
        buttons = self.add_row(self.copy_button, self.protection_button)
        buttons.addWidget(self.method_button)
        self.copy_button.clicked.connect(self._copy)
        self.method_button.clicked.connect(self.method_sheet_wanted)
        self.protection_button.clicked.connect(self.protection_wanted)

    def show_row(self, row: Row, unit: str, margins: Sequence[TotalMargin] | None) -> None:
        """Explain a row; `margins` are those of its totals, None while they are being worked out."""
        source = row.source if isinstance(row, TotalsRow) else row
        self.set_title(f"Row {row.number} in a sentence")
        has_mechanism = source.mechanism is not None
        self.sentence.set_text(_sentence(row, unit, margins))
        self.note.set_text(_note(row, unit))
        self.totals.set_rows(_rows(row, unit, margins or ()))
        self.totals.setVisible(isinstance(row, TotalsRow) and bool(margins))
        self.note.setVisible(has_mechanism)
        self.copy_button.setVisible(has_mechanism)
        self.method_button.setVisible(has_mechanism)
        self.protection_button.setVisible(not source.considered)
        self.copy_button.setText(_COPY)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(plain(self.sentence.accessibleName()))
        self.copy_button.setText("Copied")


def _sentence(row: Row, unit: str, margins: Sequence[TotalMargin] | None) -> str:
    if isinstance(row, TotalsRow):
        return _totals_sentence(row, unit, margins)
    if not row.considered:
        return "Choose who is protected and how much to see how far a published number can be off."
    if row.mechanism is None:
        return "No mechanism fits this statistic, so it cannot be published."
    if not row.mechanism.is_margin_publishable:
        return f"On average the published {row.statistic.kind} differs by **{_average(row)} {unit}**."
    return (
        f"With probability **95 %**, the published number of {unit} in a cell differs from the true number "
        f"by **at most {with_unit(row.mechanism.margin(), unit)}**."
    )


def _totals_sentence(row: TotalsRow, unit: str, margins: Sequence[TotalMargin] | None) -> str:
    if row.source.mechanism is None:
        return f"The totals follow once row {row.source.number} has a mechanism."
    if margins is None:
        return "The margins of the totals are being worked out."
    if not margins:
        return f"The totals are added up from row {row.source.number}; their margin may not be published."
    widest = max(margins, key=lambda one: one.margin)
    return (
        f"With probability **95 %**, a published total of {unit} differs from the true total "
        f"by **at most {with_unit(widest.margin, unit)}**."
    )


def _note(row: Row, unit: str) -> str:
    if isinstance(row, TotalsRow):
        return "Totals are added up from published cells and cost nothing."
    if row.mechanism is None:
        return ""
    average = f"On average it differs by {_average(row)} {unit}."
    if not row.mechanism.is_margin_publishable:
        return "The margin depends on the data, so it stays internal."
    return f"{average} The margin is the same whatever the data are, so it may be printed beside every cell."


def _average(row: DrawnRow) -> str:
    return estimate(row.mechanism.expected_error()) if row.mechanism else ""


def _rows(row: Row, unit: str, margins: Sequence[TotalMargin]) -> list[list[str]]:
    if not isinstance(row, TotalsRow):
        return []
    return [[" × ".join(one.keys) or "all together", with_unit(one.margin, unit)] for one in margins]
