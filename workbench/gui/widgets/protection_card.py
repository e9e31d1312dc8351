"""A card for one answer to “Who is protected”: what it protects, what it leaves open, and its effect on this plan."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QRadioButton, QStackedWidget, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.models.counting import percent, whole
from workbench.gui.models.error_words import average_in_unit
from workbench.gui.models.protections import ICONS, Protection
from workbench.gui.widgets.budget_bar import SPENT, Share, ShareBar
from workbench.gui.widgets.buttons import link_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.text import IconLabel, Text, line
from workbench.plan.neighbors import Neighbors

_TOP = Qt.AlignmentFlag.AlignTop


class ProtectionCard(Card):
    """Chosen by its radio button or by a click anywhere on it."""

    chosen = Signal()

    def __init__(self, definition: type[Neighbors]) -> None:
        super().__init__()
        self.definition = definition
        self.radio = QRadioButton()
        self.radio.setAccessibleName(f"Protect: {definition.title}")
        self.radio.setAutoExclusive(False)
        self.formula_link = link_button("Formula", small=True)
        self.formula_link.setAccessibleName(f"Formula of {definition.title}")
        self.statement = Text("", "body", wrap=True)
        self.condition = Text("", "small_muted", wrap=True)
        self._words = QStackedWidget()
        self.within = Text("", "figure")
        self._bar = ShareBar(height=8)
        self.error = Text("", "bold")
        self._size = Text("", "small_muted", wrap=True)
        self.obstacle = Text("", "small_muted", wrap=True)
        self._figures = self._effect()
        self._lay_out()
        self.radio.clicked.connect(self.chosen)
        self.formula_link.clicked.connect(lambda: self.show_formula(not self.is_formula_shown()))

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setSpacing(0)
        title.addWidget(self.radio)
        title.addWidget(IconLabel(ICONS[self.definition], "accent", 18))
        title.addSpacing(8)
        title.addWidget(Text(self.definition.title, "card", wrap=True), 1)
        self._words.addWidget(_points(self.definition))
        self._words.addWidget(_top(self.statement))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.formula_link)
        foot.addWidget(self.condition, 1)
        left = QVBoxLayout()
        left.setSpacing(2)
        left.addLayout(title)
        left.addWidget(self._words, 1)
        left.addLayout(foot)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addLayout(left, 1)
        row.addWidget(line(vertical=True))
        row.addWidget(self._figures)
        self.body.setContentsMargins(16, 8, 16, 8)
        self.body.addLayout(row)

    def _effect(self) -> QWidget:
        holder = QWidget()
        holder.setFixedWidth(theme.scaled(118))
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self._figure_labels = (Text("Cells within target", "small_muted"), Text("Average error", "small_muted"))
        column.addWidget(self._figure_labels[0])
        column.addWidget(self.within)
        column.addWidget(self._bar)
        column.addSpacing(4)
        column.addWidget(self._figure_labels[1])
        column.addWidget(self.error)
        column.addWidget(self._size)
        column.addWidget(self.obstacle)
        column.addStretch(1)
        return holder

    def show_protection(self, shown: Protection, unit: str, no_effect: str) -> None:
        """Show a protection; `no_effect` says why its effect cannot be told, where it cannot."""
        self.statement.set_text(shown.neighbors.statement)
        self.condition.set_text(", ".join(part for part in (shown.condition, shown.neighbors.summary) if part))
        self.condition.set_tone("" if shown.is_condition_met else "warn")
        self.obstacle.set_text(shown.obstacle or no_effect)
        with QSignalBlocker(self.radio):
            self.radio.setChecked(shown.is_chosen)
        self.radio.setEnabled(shown.is_available)
        self.radio.setAccessibleDescription(shown.obstacle)
        self.setToolTip(shown.obstacle)
        self.set_selected(shown.is_chosen)
        self._show_effect(shown, unit)

    def _show_effect(self, shown: Protection, unit: str) -> None:
        has_effect = shown.within is not None and shown.error is not None
        for widget in (*self._figure_labels, self.within, self._bar, self.error, self._size):
            widget.setVisible(has_effect)
        self.obstacle.setVisible(not has_effect)
        if shown.within is not None and shown.error is not None:
            words = f"{percent(shown.within)} of cells within target"
            self.within.set_text(percent(shown.within))
            self._bar.set_shares([Share(shown.within, SPENT)], words)
            self.error.set_text(average_in_unit(shown.error.average, shown.statistic, unit))
            self._size.set_text(f"in a cell of {whole(shown.error.size)}")

    def is_formula_shown(self) -> bool:
        return self._words.currentIndex() == 1

    def show_formula(self, shown: bool) -> None:
        """The neighbour relation instead of the plain words, or the other way round."""
        self._words.setCurrentIndex(1 if shown else 0)
        self.formula_link.setText("In words" if shown else "Formula")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.radio.isEnabled():
            self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
            self.chosen.emit()


def _points(definition: type[Neighbors]) -> QWidget:
    """What is protected, with a tick, and what is left open, with a cross."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    points = (
        ("tick-circle", "ok", "Protects", definition.protects),
        ("cross", "block", "Leaves open", definition.leaves_open),
    )
    for icon, role, spoken, words in points:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(IconLabel(icon, role, 16, spoken), 0, _TOP)
        row.addWidget(Text(words, wrap=True), 1)
        column.addLayout(row)
    column.addStretch(1)
    return holder


def _top(widget: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(widget)
    column.addStretch(1)
    return holder
