"""What a release costs its account: a bar before, a bar after, and the scale under them."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from workbench.gui.widgets.budget_bar import BudgetBar
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.text import Text
from workbench.ledger.accounts import Balance
from workbench.plan.amounts import exact_text

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def amount(value: Fraction) -> str:
    """An exact amount as it is read on screen."""
    return shown(exact_text(value))


class CostCard(Card):
    """Before and after, in the words of the account."""

    def __init__(self, title: str = "") -> None:
        super().__init__(title)
        self.before, self.after = BudgetBar(height=24), BudgetBar(height=24)
        self._words = {self.before: Text("", "body"), self.after: Text("", "bold")}
        self._marks = [Text("", "tiny_muted") for _ in range(5)]
        self._bars = QWidget()
        grid = QGridLayout(self._bars)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        for row, (name, bar) in enumerate((("Before", self.before), ("After", self.after))):
            grid.addWidget(Text(name, "bold"), row, 0)
            grid.addWidget(bar, row, 1)
            self._words[bar].setAlignment(_RIGHT)
            grid.addWidget(self._words[bar], row, 2)
        grid.addLayout(self._scale(), 2, 1)
        grid.setColumnStretch(1, 1)
        self._note = Text("", "small_muted", wrap=True)
        self.add(self._bars)
        self.add(self._note)

    def _scale(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for place, mark in enumerate(self._marks):
            if place:
                row.addStretch(1)
            row.addWidget(mark)
        return row

    def show_cost(self, balance: Balance, cost: Fraction, note: str = "") -> None:
        """The account as it stands, and as it would stand."""
        cap = amount(balance.cap)
        taken = balance.spent + balance.reserved
        self.before.set_values(exact_text(taken), "0", exact_text(balance.cap))
        self.after.set_values(exact_text(taken), exact_text(cost), exact_text(balance.cap))
        self._words[self.before].set_text(f"{amount(taken)} of {cap} spent")
        self._words[self.after].set_text(f"{amount(taken + cost)} of {cap} spent")
        for quarter, mark in enumerate(self._marks):
            mark.set_text(amount(balance.cap * quarter / 4))
        self._note.set_text(note)
        self._note.setVisible(bool(note))

    def after_words(self) -> str:
        return self._words[self.after].text()
