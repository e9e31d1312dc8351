"""The ledger: what each account has left, what was entered when, and whether a release verifies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTime
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench import workflow
from workbench.errors import WorkbenchError
from workbench.gui import files, theme
from workbench.gui.lazy_page import LazyPage
from workbench.gui.models.ledger_tables import ABOUT, BAR, PROTECTION, AccountModel, BarDelegate, EntryModel
from workbench.gui.session import Session
from workbench.gui.tasks import Task
from workbench.gui.widgets import charting
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.fields import SearchField
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.plain_table import PlainTable
from workbench.gui.widgets.tables import CellDelegate, Rows, TableView
from workbench.ledger.accounts import Account
from workbench.progress import Progress
from workbench.release.releasing import account_of
from workbench.report.ledger_charts import remaining_figure, timeline_figure
from workbench.report.ledger_facts import (
    KIND_WORDS,
    kinds_in,
    remaining_sentence,
    remaining_steps,
    remaining_table,
    timeline_sentence,
    timeline_table,
)
from workbench.report.verdict import Verdict

_EMPTY = "No budget has been spent yet. Every live release, every look at true data and every refusal will be here."
_ALL_ACCOUNTS, _THIS_ACCOUNT, _ALL_TYPES = "All accounts", "This account", "All types"
_MOST_ACCOUNTS, _MOST_VERDICTS = 4, 3


class LedgerPage(LazyPage):
    """Not a stage: it looks at the whole book, whatever project is open."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Ledger")
        self.accounts, self.entries = AccountModel(), EntryModel()
        self.account_table = TableView("Accounts", Rows.PLAIN, inside=True)
        self.entry_table = TableView("Entries of the ledger", Rows.GRID, inside=True)
        self.remaining = ChartView("Remaining epsilon", least_height=120)
        self.timeline = ChartView("Timeline", least_height=120)
        self.which, self.kind, self.filter = QComboBox(), QComboBox(), SearchField("Filter", 150)
        self.verify_chain = plain_button("&Verify the chain", "refresh")
        self.trouble = Message("block")
        self.empty = EmptyState("ledger", _EMPTY)
        self.verdicts: list[tuple[str, str]] = []
        self._read_at = ""
        self._build()
        self._connect()

    # ---- building

    def _build(self) -> None:
        self.add_header_button(self.verify_chain)
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._accounts_card())
        charts = QHBoxLayout()
        charts.setSpacing(GAP)
        for chart in (self.remaining, self.timeline):
            charts.addWidget(chart, 1)
        column.addLayout(charts, 3)
        column.addWidget(self._entries_card(), 4)
        self.add(self.trouble)
        self.add(self._content, 1)
        self.add(self.empty, 1)

    def _accounts_card(self) -> Card:
        table = self.account_table
        table.setModel(self.accounts)
        table.setItemDelegateForColumn(BAR, BarDelegate(table))
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(PROTECTION, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(BAR, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(BAR, theme.scaled(168))
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        card = Card(flush=True)
        card.add(table)
        return card

    def _entries_card(self) -> Card:
        self.which.addItems([_ALL_ACCOUNTS, _THIS_ACCOUNT])
        for combo, name in ((self.which, "Entries of which account"), (self.kind, "Entries of which type")):
            combo.setAccessibleName(name)
            combo.setProperty("small", True)
        table = self.entry_table
        table.setModel(self.entries)
        table.setItemDelegate(CellDelegate(table))
        table.setMinimumHeight(theme.scaled(110))
        card = Card("Entries", flush=True)
        for widget in (self.which, self.kind, self.filter):
            card.add_header_widget(widget)
        card.add(table, 1)
        return card

    def _connect(self) -> None:
        self.session.book_changed.connect(self._note_time)
        for signal in (self.session.book_changed, self.session.plan_changed, theme.current.changed):
            signal.connect(self.refresh)
        self.verify_chain.clicked.connect(self.session.read_book)
        self.account_table.selectionModel().currentRowChanged.connect(lambda now, before: self._show_account())
        for combo in (self.which, self.kind):
            combo.currentIndexChanged.connect(self._filter)
        self.filter.textChanged.connect(self._filter)

    # ---- showing

    @property
    def account(self) -> Account | None:
        """The account chosen in the table."""
        return self.accounts.account(self.account_table.currentIndex().row())

    def _note_time(self) -> None:
        self._read_at = QTime.currentTime().toString("HH:mm")

    def show_now(self) -> None:
        charting.when_charts_can_be_drawn(self.session.tasks, self, self._show)

    def _show(self) -> None:
        book, kept = self.session.book, self.account
        self.trouble.set_message("block", "The ledger cannot be used.", book.trouble)
        self.trouble.setVisible(bool(book.trouble))
        self._content.setVisible(bool(book.entries))
        self.empty.setVisible(not book.entries and not book.trouble)
        self.set_subtitle(self._finding())
        self._show_kinds()
        self.entries.set_entries(book.entries)
        self.accounts.set_balances(book.balances)
        self.account_table.selectRow(self.accounts.row_of(kept or self._plan_account()))
        self._fit_accounts()
        self._show_account()
        self._filter()
        self.entry_table.fit_columns((ABOUT,))
        self.inspector_changed.emit()

    def _fit_accounts(self) -> None:
        table = self.account_table
        rows = min(max(self.accounts.rowCount(), 1), _MOST_ACCOUNTS)
        height = table.horizontalHeader().height() + rows * table.verticalHeader().defaultSectionSize()
        table.setFixedHeight(height + 1)

    def _finding(self) -> str:
        book = self.session.book
        if book.trouble:
            return "No release is possible from this ledger."
        if not book.entries:
            return ""
        when = f" at {self._read_at}" if self._read_at else ""
        return f"One account per data set, protection and claim. Entries never change; the chain was verified{when}."

    def _show_kinds(self) -> None:
        names = [_ALL_TYPES, *(KIND_WORDS[kind] for kind in kinds_in(self.session.book.entries))]
        if [self.kind.itemText(at) for at in range(self.kind.count())] != names:
            with QSignalBlocker(self.kind):
                self.kind.clear()
                self.kind.addItems(names)

    def _show_account(self) -> None:
        """The charts, and the entries if they are of one account."""
        entries = self.session.book.entries
        if not entries:
            return
        self._show_timeline()
        steps = remaining_steps(entries, self.account) if self.account else ()
        self.remaining.setVisible(bool(steps))
        if steps:
            planned = self._planned()
            sentence = remaining_sentence(steps, planned)
            figure = remaining_figure(steps, charting.palette(), planned)
            self.remaining.set_figure(figure, *remaining_table(steps), sentence, sentence, "llrr")
            _let_shrink(self.remaining)
        self._filter()

    def _show_timeline(self) -> None:
        entries = self.session.book.entries
        sentence = timeline_sentence(entries)
        figure = timeline_figure(entries, charting.palette())
        self.timeline.set_figure(figure, *timeline_table(entries), sentence, sentence, "lrl")
        _let_shrink(self.timeline)

    def _plan_account(self) -> Account | None:
        return account_of(self.session.plan) if self.session.balance else None

    def _planned(self) -> Fraction:
        """What the open plan would still spend from the chosen account."""
        is_released = self.session.released_plan == self.session.plan
        return Fraction(0) if is_released or self._plan_account() != self.account else self.session.cost

    def _filter(self) -> None:
        account = self.account if self.which.currentText() == _THIS_ACCOUNT else None
        kinds = (None, *kinds_in(self.session.book.entries))
        self.entries.filter(account, kinds[max(self.kind.currentIndex(), 0)], self.filter.text())

    def fill_inspector(self, inspector: Inspector) -> None:
        section = inspector.add_section("Verify a release")
        area = DropArea("Drop a bundle here", "a release folder, from anyone", "Browse…", icon="download")
        area.dropped.connect(self.verify)
        area.browse_requested.connect(self._browse)
        section.add_widget(area)
        for kind, sentence in self.verdicts:
            section.add_widget(Message(kind, "", sentence))
        head = self.session.book.head
        if head.sequence:
            facts = inspector.add_section("Head of the ledger")
            facts.add_row("Entry", str(head.sequence), bold=True)
            facts.add_row("Hash", f"{head.hash[:4]} {head.hash[4:8]} … {head.hash[-4:]}", mono=True)
            facts.add_sentence("Printed in every report: a chain cannot show by itself that its end was cut off.")

    # ---- what the officer does

    def _browse(self) -> None:
        if path := files.ask_bundle(self, self.session.settings):
            self.verify(path)

    def verify(self, path: Path) -> None:
        """Check every bundle at a path and show the verdicts in the inspector."""

        def work(progress: Progress) -> tuple[Verdict, ...] | WorkbenchError:
            try:
                return workflow.verify(path)
            except WorkbenchError as error:
                return error

        self.session.tasks.run(Task("Verifying", work, self._take_verdicts, self, "verify bundle"))

    def _take_verdicts(self, found: tuple[Verdict, ...] | WorkbenchError) -> None:
        if isinstance(found, WorkbenchError):
            fresh = [("warn", str(found))]
        else:
            fresh = [("ok" if verdict.is_verified else "block", verdict.sentence) for verdict in found]
        self.verdicts = [*fresh, *self.verdicts][:_MOST_VERDICTS]
        self.inspector_changed.emit()


def _let_shrink(chart: ChartView) -> None:
    """The data table takes the room of the chart instead of asking for its own."""
    for table in chart.findChildren(PlainTable):
        table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
