"""The ledger page: accounts, charts and entries of a real book, and verdicts on bundles."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from workbench.errors import InsufficientAllowance
from workbench.gui.models.ledger_tables import AccountModel, EntryModel
from workbench.gui.pages.ledger import LedgerPage
from workbench.gui.session import Session
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.plain_table import PlainTable
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import CellRole
from workbench.gui.widgets.text import Text
from workbench.ledger.accounts import Account
from workbench.ledger.book import open_ledger
from workbench.ledger.entries import EntryKind

TRACTS = Account("Tract mobility frame 2025", "Worker (one record)", "formal DP")
GRADUATES = Account("Graduates 2020", "Worker (one record)", "formal DP")


def write_book(path: Path) -> None:
    """Two accounts: one with two draws, a look and a refusal, one with a reservation."""
    moment = [datetime(2025, 5, 12, 13, 55, tzinfo=UTC)]
    path.parent.mkdir(parents=True, exist_ok=True)

    def pay(account: Account, epsilon: str, about: str) -> None:
        ledger.charge(account, Fraction(epsilon), cap=8, dataset_sha256=account.dataset, by="A. Moreno", about=about,
                      release=about)  # fmt: skip

    with open_ledger(path, clock=lambda: moment[0]) as ledger:
        pay(TRACTS, "2", "First quarter")
        moment[0] = datetime(2025, 7, 30, 14, 30, tzinfo=UTC)
        ledger.append(EntryKind.VIEW_CONFIDENTIAL, account=TRACTS, by="A. Moreno", about="Accuracy preview")
        pay(TRACTS, "1.5", "Second quarter")
        with suppress(InsufficientAllowance):
            pay(TRACTS, "6", "Blocks")
        pay(GRADUATES, "1", "Graduates")
        ledger.append(
            EntryKind.RESERVE, account=GRADUATES, epsilon=Fraction(2), by="J. Okafor", about="Next", release="next"
        )


@pytest.fixture
def page(session: Session, qtbot) -> LedgerPage:
    write_book(session.settings.ledger)
    page = LedgerPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    session.read_book()
    qtbot.waitUntil(lambda: page.entries.rowCount() > 0 and not session.tasks.is_busy)
    return page


def row_of(model: AccountModel | EntryModel, row: int) -> list[str]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def entry_words(page: LedgerPage) -> list[str]:
    return [page.entries.index(row, 2).data() for row in range(page.entries.rowCount())]


def filled(page: LedgerPage) -> Inspector:
    inspector = Inspector()
    page.fill_inspector(inspector)
    return inspector


def test_each_account_shows_spent_reserved_remaining_and_cap(page):
    assert row_of(page.accounts, 0)[:6] == [
        "Tract mobility frame 2025", "Worker (one record), formal DP", "3.5", "0", "4.5", "8",
    ]  # fmt: skip
    assert row_of(page.accounts, 1)[2:6] == ["1", "2", "5", "8"]
    bar = page.accounts.index(1, 6).data(Qt.ItemDataRole.AccessibleTextRole)
    assert bar == "1 spent and 2 reserved of 8"


def test_the_subtitle_says_when_the_chain_was_verified(page):
    assert "the chain was verified at " in page.subtitle()


def test_entries_are_listed_newest_first_with_refusals_marked(page):
    assert entry_words(page)[0] == "reserved" and page.entries.index(0, 0).data() == "10"
    refused = entry_words(page).index("refused")
    assert page.entries.index(refused, 2).data(CellRole.STATE) is State.BLOCKED
    assert page.entries.index(refused, 4).data() == "Blocks: asked 6, 4.5 left"


def test_times_are_read_as_utc_in_words(page):
    assert page.entries.index(page.entries.rowCount() - 1, 1).data() == "12 May 2025 13:55"


def test_entries_can_be_kept_to_the_chosen_account(page):
    page.account_table.selectRow(1)
    page.which.setCurrentText("This account")
    assert entry_words(page) == ["reserved", "draw", "cap set", "data named"]
    page.account_table.selectRow(0)
    assert "refused" in entry_words(page) and "reserved" not in entry_words(page)


def test_entries_can_be_kept_to_a_type_and_a_text(page, qtbot):
    page.kind.setCurrentText("draw")
    assert entry_words(page) == ["draw"] * 3
    qtbot.keyClicks(page.filter, "second")
    assert [page.entries.index(0, 4).data()] == ["Second quarter"] and page.entries.rowCount() == 1


def test_the_charts_follow_the_chosen_account(page):
    assert page.remaining.sentence() == "4.5 remain."
    page.account_table.selectRow(1)
    assert page.remaining.sentence() == "5 remain."
    assert page.timeline.sentence() == "3 draws, 1 true-data look, 1 refused."


def test_the_open_plan_is_shown_as_what_it_would_leave(page, session, qtbot, open_sample):
    open_sample(session, qtbot, "tract_mobility")
    assert page.remaining.sentence() == "4.5 remain now, 3.5 after this plan."
    session.edit("epsilon", replace(session.plan, budget=replace(session.plan.budget, epsilon=Fraction(5))))
    qtbot.waitUntil(lambda: "it would be refused" in page.remaining.sentence())


def test_each_chart_has_its_data_as_a_table(page):
    for chart in (page.remaining, page.timeline):
        chart.data_table.setChecked(True)
    tables = [table for table in page.remaining.findChildren(PlainTable) if not table.isHidden()]
    assert [row[1:] for row in tables[0].texts()[-2:]] == [["draw", "1.5", "4.5"], ["refused", "0", "4.5"]]


def test_verifying_the_chain_reads_the_book_again(page, session, qtbot):
    with open_ledger(session.settings.ledger) as ledger:
        ledger.append(EntryKind.KEY_ADD, by="A. Moreno", about="Key of A. Moreno")
    page.verify_chain.click()
    qtbot.waitUntil(lambda: entry_words(page)[0] == "key added")


def test_a_broken_chain_is_said_and_nothing_else_is_shown(page, session, qtbot):
    with closing(sqlite3.connect(session.settings.ledger, isolation_level=None)) as intruder:
        intruder.execute("DROP TRIGGER entries_are_never_changed")
        intruder.execute("UPDATE entry SET about = 'Another' WHERE sequence = 3")
    page.verify_chain.click()
    qtbot.waitUntil(lambda: page.trouble.isVisible())
    assert "does not verify at entry 3" in page.trouble.accessibleName()
    assert not page.account_table.isVisible() and "No release is possible" in page.subtitle()


def test_an_empty_ledger_says_what_will_be_here(session, qtbot):
    page = LedgerPage(session)
    qtbot.addWidget(page)
    page.show()
    session.read_book()
    qtbot.waitUntil(lambda: page.empty.isVisible())
    said = [text.accessibleName() for text in page.empty.findChildren(Text)]
    assert said[0].startswith("No budget has been spent")


def test_the_head_of_the_ledger_is_in_the_inspector(page, session):
    inspector = filled(page)
    said = [text.accessibleName() for text in inspector.findChildren(Text)]
    head = session.book.head
    assert "10" in said and f"{head.hash[:4]} {head.hash[4:8]} … {head.hash[-4:]}" in said
    inspector.deleteLater()


def test_a_folder_without_a_bundle_is_said_to_be_none(page, qtbot, tmp_path: Path):
    (tmp_path / "holiday").mkdir()
    with qtbot.waitSignal(page.inspector_changed):
        page.verify(tmp_path / "holiday")
    inspector = filled(page)
    assert "“holiday” holds no release bundle." in inspector.findChild(Message).accessibleName()
    inspector.deleteLater()


def test_a_dropped_bundle_is_verified_and_an_altered_one_names_the_file(
    page, session, qtbot, tmp_path: Path, open_sample: Callable[..., None]
):
    open_sample(session, qtbot, "tract_mobility")
    session.rehearse(tmp_path, seed=7)
    qtbot.waitUntil(lambda: session.bundle is not None and not session.tasks.is_busy, timeout=20_000)
    inspector = filled(page)
    with qtbot.waitSignal(page.inspector_changed):
        inspector.findChild(DropArea).dropped.emit(session.bundle.folder)
    (session.bundle.public / "report.json").write_text("{}")
    with qtbot.waitSignal(page.inspector_changed):
        page.verify(session.bundle.folder)
    inspector.clear()
    page.fill_inspector(inspector)
    altered, verified = inspector.findChildren(Message)
    assert altered.property("message") == "block" and "report.json" in altered.accessibleName()
    assert verified.property("message") == "ok" and verified.accessibleName().startswith("Verified: ")
    inspector.deleteLater()


def test_browsing_is_offered_beside_dropping(page):
    inspector = filled(page)
    area = inspector.findChild(DropArea)
    assert any(button.text() == "Browse…" for button in area.findChildren(QPushButton))
    inspector.deleteLater()
