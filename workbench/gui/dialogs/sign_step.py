"""The last step before a live release: whose key, the passphrase, the amount typed, and one promise."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from workbench import places
from workbench.errors import WorkbenchError
from workbench.gui.dialogs.new_key import NewKeyDialog
from workbench.gui.session import Session
from workbench.gui.widgets import numbers
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.cost_card import CostCard, amount
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.page import Page
from workbench.gui.widgets.status import State, StatusLabel
from workbench.gui.widgets.text import Text
from workbench.ledger.accounts import Balance
from workbench.privacy.composition import plan_guarantee
from workbench.report.keys import list_keys


class SignStep(Page):
    """Says what is still missing; opening the key and releasing are for others."""

    changed = Signal()

    def __init__(self, session: Session, balance: Balance) -> None:
        cost = amount(session.cost)
        super().__init__("Sign and release", f"This draws the noise once, charges {cost} and cannot be undone.")
        self._session, self._cost = session, session.cost
        self.keys, self.passphrase, self.typed = QComboBox(), QLineEdit(), QLineEdit()
        self.new_key = plain_button("New &key…", "key")
        self.checked = QCheckBox("I have checked that these are the tables &meant for publication.")
        self.trouble = Message("block")
        self._build(balance)
        self._list_keys()
        self.keys.currentIndexChanged.connect(self._forget_trouble)
        self.passphrase.textChanged.connect(self._forget_trouble)
        self.typed.textChanged.connect(lambda _: self.changed.emit())
        self.checked.toggled.connect(lambda _: self.changed.emit())
        self.new_key.clicked.connect(self._make_key)

    def _build(self, balance: Balance) -> None:
        self.add(self._facts())
        self.add(self._form())
        self.add(self.trouble)
        self.trouble.hide()
        self.add(self.checked)
        bars = CostCard()
        bars.show_cost(balance, self._cost)
        self.add(bars)
        self.add_stretch()

    def _facts(self) -> Card:
        card = Card()
        grid = QGridLayout()
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, 130)
        grid.setColumnStretch(1, 1)
        claim = Text(plan_guarantee(self._session.plan).words, wrap=True)
        randomness = StatusLabel(State.DONE, "operating system generator")
        signatures = Text("one; this version has no second approval", wrap=True)
        rows: dict[str, QWidget] = {"Claim": claim, "Randomness": randomness, "Signatures": signatures}
        for row, (label, widget) in enumerate(rows.items()):
            grid.addWidget(Text(label, "muted"), row, 0)
            grid.addWidget(widget, row, 1)
        card.body.addLayout(grid)
        return card

    def _form(self) -> Card:
        card = Card()
        grid = QGridLayout()
        grid.setVerticalSpacing(10)
        grid.setColumnMinimumWidth(0, 130)
        grid.setColumnStretch(1, 1)
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.typed.setMaximumWidth(96)
        amount_row = QHBoxLayout()
        amount_row.setSpacing(8)
        amount_row.addWidget(self.typed)
        amount_row.addWidget(Text(f"type {amount(self._cost)} to confirm the charge", "small_muted"))
        amount_row.addStretch(1)
        fields = {"&Signing key": self.keys, "&Passphrase": self.passphrase, "&Amount": self.typed}
        for row, (label, field) in enumerate(fields.items()):
            caption = Text(label, "muted")
            caption.setBuddy(field)
            for named in (caption, field):
                named.setAccessibleName(label.replace("&", ""))
            grid.addWidget(caption, row, 0)
        grid.addWidget(self.keys, 0, 1)
        grid.addWidget(self.new_key, 0, 2)
        grid.addWidget(self.passphrase, 1, 1)
        grid.addLayout(amount_row, 2, 1, 1, 2)
        card.body.addLayout(grid)
        return card

    def _list_keys(self, chosen: Path | None = None) -> None:
        self.keys.clear()
        for path, key in list_keys(places.key_folder()):
            self.keys.addItem(f"{key.name}, {key.fingerprint}", str(path))
            if path == chosen:
                self.keys.setCurrentIndex(self.keys.count() - 1)
        self.keys.setEnabled(self.keys.count() > 0)
        self.keys.setPlaceholderText("" if self.keys.count() else "no key yet: make one")
        self.changed.emit()

    def key_file(self) -> Path:
        return Path(self.keys.currentData())

    def missing(self) -> str:
        """What must still be given, in one sentence; empty when all is there."""
        reasons = (
            (self.keys.currentIndex() < 0, "Make a signing key first."),
            (not self.passphrase.text(), "Type the passphrase of the key."),
            (not self._is_amount_typed(), f"Type the amount, {amount(self._cost)}, to confirm the charge."),
            (not self.checked.isChecked(), "Confirm that you have checked the tables."),
        )
        return next((sentence for is_missing, sentence in reasons if is_missing), "")

    def _is_amount_typed(self) -> bool:
        exact = numbers.typed(self.typed.text())
        return exact is not None and Fraction(exact) == self._cost

    def show_trouble(self, error: WorkbenchError) -> None:
        self.trouble.set_message("block", error.what, error.remedy)
        self.trouble.show()

    def _forget_trouble(self) -> None:
        self.trouble.hide()
        self.changed.emit()

    def _make_key(self) -> None:
        dialog = NewKeyDialog(self, self._session.tasks)
        dialog.accepted.connect(lambda: self._list_keys(dialog.path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
