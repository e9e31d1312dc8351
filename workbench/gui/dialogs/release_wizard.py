"""The three steps before budget is spent: what will be published, what it costs, sign. Enter means “Not now”."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.dialogs.sign_step import SignStep
from workbench.gui.session import Session
from workbench.gui.tasks import Task
from workbench.gui.widgets.buttons import plain_button, primary_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.cost_card import CostCard, amount
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.outline_table import OutlineTable
from workbench.gui.widgets.page import Page
from workbench.gui.widgets.step_list import StepList
from workbench.gui.widgets.text import Text
from workbench.ledger.accounts import Balance
from workbench.preview.outline import outline
from workbench.privacy.explanation import composition_words
from workbench.progress import Progress
from workbench.report.keys import SigningKey, load_key

_PAY_FIRST = "The charge is in the ledger before any number is drawn. It stays, even if the result is thrown away."
_TITLES = ("What will be published", "What it costs", "Sign")


class ReleaseWizard(QDialog):
    """Accepted when the officer has signed; `key` is then the opened key. Nothing is spent in here."""

    def __init__(self, parent: QWidget, session: Session, balance: Balance) -> None:
        super().__init__(parent)
        self.key: SigningKey | None = None
        self._session, self._balance = session, balance
        self._is_opening = False
        self.steps, self.sign = StepList(_TITLES), SignStep(session, balance)
        self.back, self.not_now = plain_button("&Back"), plain_button("Not now")
        self.next, self.release = primary_button("&Next"), primary_button("", "seal")
        self._pages, self._words = QStackedWidget(), Text("", "muted", wrap=True)
        self.setWindowTitle(f"Release: {session.plan.title} – LIVE")
        self.setAccessibleName("Release")
        self.resize(894, 634)
        self._build()
        self._connect()
        self._show_step(0)

    # ---- building

    def _build(self) -> None:
        for page in (self._published_step(), self._cost_step(), self.sign):
            self._pages.addWidget(page)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.steps)
        middle.addWidget(self._pages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(middle, 1)
        column.addWidget(self._foot())
        self.release.setText(f"Release and spend {amount(self._session.cost)}")
        self.not_now.setDefault(True)

    def _foot(self) -> QFrame:
        foot = QFrame()
        foot.setProperty("surface", "strip")
        row = QHBoxLayout(foot)
        row.setContentsMargins(24, 12, 24, 12)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        for button in (self.back, self.not_now, self.next, self.release):
            row.addWidget(button)
        return foot

    def _published_step(self) -> Page:
        tables = outline(self._session.plan)
        numbers = shown(str(sum(table.cells for table in tables)))
        page = Page(
            _TITLES[0], "Every number of these tables leaves the building, with its margin where one may be told."
        )
        listed = OutlineTable(wide=True, most_rows=11)
        listed.show_tables(tables)
        card = Card(flush=True)
        card.add(listed)
        page.add(card)
        page.add(Text(composition_words(self._session.plan), "small_muted", wrap=True))
        page.add_stretch()
        self.steps.set_words(0, f"{len(tables)} tables, {numbers} numbers")
        return page

    def _cost_step(self) -> Page:
        cost, balance = self._session.cost, self._balance
        page = Page(_TITLES[1], _PAY_FIRST)
        card = CostCard(balance.account.dataset)
        card.set_aside(f"{balance.account.protection}, {balance.account.claim}")
        card.show_cost(balance, cost)
        page.add(card)
        page.add(Message("info", "", _forecast(balance, self._session)))
        page.add_stretch()
        before, after = balance.spent, balance.spent + cost
        self.steps.set_words(1, f"{amount(cost)}, from {amount(before)} to {amount(after)} of {amount(balance.cap)}")
        self.steps.set_words(2, "your key and passphrase")
        return page

    def _connect(self) -> None:
        self.back.clicked.connect(lambda: self._show_step(self._pages.currentIndex() - 1))
        self.next.clicked.connect(lambda: self._show_step(self._pages.currentIndex() + 1))
        self.not_now.clicked.connect(self.reject)
        self.release.clicked.connect(self._open_key)
        self.sign.changed.connect(self._show_what_is_missing)

    # ---- showing

    def _show_step(self, step: int) -> None:
        self._pages.setCurrentIndex(step)
        self.steps.set_current(step)
        is_last = step == len(_TITLES) - 1
        self.back.setVisible(step > 0)
        self.next.setVisible(not is_last)
        self.next.setText("&Next: sign" if step == 1 else "&Next: what it costs")
        self.release.setVisible(is_last)
        self._show_what_is_missing()
        self.not_now.setFocus()

    def _show_what_is_missing(self) -> None:
        missing = self.sign.missing()
        is_last = self._pages.currentIndex() == len(_TITLES) - 1
        self.release.setEnabled(not missing and not self._is_opening)
        self.release.setAccessibleDescription(missing)
        said = (missing or "Enter means “Not now”.") if is_last else "Nothing has been spent yet."
        self._words.set_text("Opening the key…" if self._is_opening else said)

    def words(self) -> str:
        """What the foot says: that nothing is spent, or what is missing."""
        return self._words.text()

    # ---- what the officer does

    def _open_key(self) -> None:
        path, passphrase = self.sign.key_file(), self.sign.passphrase.text()

        def work(progress: Progress) -> SigningKey | WorkbenchError:
            try:
                return load_key(path, passphrase)
            except WorkbenchError as error:
                return error

        self._is_opening = True
        self._show_what_is_missing()
        self._session.tasks.run(Task("Opening the key", work, self._take_key, self))

    def _take_key(self, opened: SigningKey | WorkbenchError) -> None:
        self._is_opening = False
        if isinstance(opened, WorkbenchError):
            self.sign.show_trouble(opened)
            self._show_what_is_missing()
            return
        self.key = opened
        self.accept()


def _forecast(balance: Balance, session: Session) -> str:
    left = balance.remaining - session.cost
    more = left // session.cost if session.cost else 0
    fits = f"{more} more release{'s' * (more != 1)} like this one" if more else "No other release like this one"
    beyond = "beyond that the ledger refuses, unless two people raise the cap"
    return f"**{amount(left)} remain.** {fits} would fit; {beyond}."
