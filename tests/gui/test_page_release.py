"""The release page: a rehearsal at one press, a live release only signed, and a result that can be verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPushButton

from workbench import places
from workbench.data.findings import Stage
from workbench.gui.dialogs.new_key import NewKeyDialog
from workbench.gui.dialogs.release_wizard import ReleaseWizard
from workbench.gui.models.published import PublishedModel, matching_cells, shown_table
from workbench.gui.pages.release import ReleasePage
from workbench.gui.session import Session
from workbench.gui.settings import OUT_FOLDER
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.result_table import fitted
from workbench.gui.widgets.text import Text
from workbench.ledger.entries import EntryKind
from workbench.release.release import Mode
from workbench.report.keys import create_key

PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def page(session: Session, qtbot, open_sample: Callable[..., None], tmp_path: Path) -> ReleasePage:
    session.settings.set(OUT_FOLDER, str(tmp_path / "releases"))
    page = ReleasePage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    open_sample(session, qtbot, "tract_mobility")
    return page


@pytest.fixture
def rehearsed(page: ReleasePage, session: Session, qtbot) -> ReleasePage:
    page.release.button.click()
    qtbot.waitUntil(lambda: session.bundle is not None and not session.tasks.is_busy, timeout=20_000)
    return page


@pytest.fixture
def wizard(page: ReleasePage, session: Session, qtbot) -> Iterator[ReleaseWizard]:
    """The wizard of a live release, with one key to sign with."""
    create_key("A. Moreno", PASSPHRASE, places.key_folder())
    session.set_mode(Mode.LIVE)
    qtbot.waitUntil(lambda: not session.tasks.is_busy)
    page.release.button.click()
    assert page.wizard is not None
    yield page.wizard
    if page.wizard is not None:
        page.wizard.reject()


def fill_in(wizard: ReleaseWizard, qtbot, passphrase: str = PASSPHRASE, amount: str = "1") -> None:
    wizard.next.click()
    wizard.next.click()
    qtbot.keyClicks(wizard.sign.passphrase, passphrase)
    qtbot.keyClicks(wizard.sign.typed, amount)
    wizard.sign.checked.setChecked(True)


class Opened(QObject):
    """Takes the place of the desktop for files."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url)


@pytest.fixture
def desktop() -> Iterator[Opened]:
    opened = Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")
    yield opened
    QDesktopServices.unsetUrlHandler("file")


# ---- before


def test_the_page_says_what_will_be_published_and_what_it_would_cost(page):
    assert page.tables.texts()[0][:4] == ["People by tract", "Geometric", "111", "1"]
    assert page.cost.after_words() == "1 of 8 spent"
    assert page.release.button.text() == "Rehearse release" and not page.release.is_blocked()


def test_in_live_the_button_opens_the_wizard(page, session, qtbot):
    session.set_mode(Mode.LIVE)
    assert page.release.button.text() == "Release…"
    assert "only act without undo" in page.subtitle()


def test_a_plan_that_is_not_ready_says_why_and_leads_there(page, session, qtbot):
    earnings = session.plan.column("parent_rank")
    session.edit("bound", session.plan.with_column(replace(earnings, upper=None)))
    qtbot.waitUntil(lambda: page.release.is_blocked())
    assert page.release.reason() == "parent_rank lacks an upper bound."
    with qtbot.waitSignal(session.place_wanted) as wanted:
        page.release.fix_requested.emit()
    assert wanted.args == [Stage.COLUMNS, "columns.parent_rank.upper"]


def test_a_plan_without_tables_shows_an_empty_page(page, session, qtbot):
    session.edit("epsilon", replace(session.plan, budget=replace(session.plan.budget, epsilon=None)))
    assert page.empty.isVisible() and not page.tables.isVisible()


# ---- a rehearsal


def test_a_rehearsal_writes_a_bundle_and_charges_nothing(rehearsed, session, tmp_path: Path):
    assert rehearsed.result.isVisible()
    assert rehearsed.result.banner.accessibleName().startswith("Rehearsed: rehearsal-children-by-tract-r1")
    assert (tmp_path / "releases" / "rehearsal-children-by-tract-r1" / "public").is_dir()
    assert not session.settings.ledger.exists()


def test_the_result_shows_the_noisy_numbers_of_the_release(rehearsed, session):
    table = session.bundle.release.tables[0]
    model = rehearsed.result.table.model()
    assert model.rowCount() == 111
    assert [model.index(row, 2).data() for row in range(3)] == [str(number) for number in table.published[:3]]
    assert rehearsed.result.count_words() == "111 of 111 rows"


def test_each_table_has_its_tab(rehearsed, qtbot, session):
    result = rehearsed.result
    assert [result.tabs.tabText(at) for at in range(result.tabs.count())] == ["1 tract", "2 all"]
    result.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: result.table.model().rowCount() == 1)


def test_the_filter_keeps_the_cells_that_name_it(rehearsed, session, qtbot):
    label = session.bundle.release.tables[0].grid.lists[0].labels[4]
    qtbot.keyClicks(rehearsed.result.filter, label)
    model = rehearsed.result.table.model()
    assert model.rowCount() >= 1 and label in model.index(0, 1).data()
    assert rehearsed.result.count_words() == f"{model.rowCount()} of 111 rows"


def test_numbers_sort_as_numbers(rehearsed, session):
    rehearsed.result.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    model = rehearsed.result.table.model()
    largest = [int(model.index(row, 2).data().replace(",", "")) for row in range(5)]
    assert largest == sorted(session.bundle.release.tables[0].published.tolist(), reverse=True)[:5]


def test_copying_for_a_spreadsheet_keeps_leading_zeros_and_says_it_is_a_rehearsal(rehearsed, session, qtbot):
    rehearsed.result.copy.click()
    qtbot.waitUntil(lambda: "REHEARSAL" in QGuiApplication.clipboard().text())
    lines = QGuiApplication.clipboard().text().splitlines()
    code = session.bundle.release.tables[0].grid.lists[0].codes[0]
    assert lines[2].split("\t")[0] == code and len(lines) == 2 + 111
    assert rf"""<td style="mso-number-format:'\@'">{code}</td>""" in QGuiApplication.clipboard().mimeData().html()


def test_verifying_the_result_says_that_it_matches(rehearsed, qtbot):
    rehearsed.result.verify.click()
    qtbot.waitUntil(lambda: rehearsed.result.verdict.isVisible())
    assert rehearsed.result.verdict.accessibleName().startswith("Verified: rehearsal-children-by-tract-r1.")


def test_verifying_names_an_altered_file(rehearsed, session, qtbot):
    (session.bundle.public / "report.json").write_text("{}")
    rehearsed.result.verify.click()
    qtbot.waitUntil(lambda: rehearsed.result.verdict.isVisible())
    said = rehearsed.result.verdict.accessibleName()
    assert said.startswith("Not verified: report.json") and rehearsed.result.verdict.property("message") == "block"


def test_the_folder_the_report_and_the_workbook_can_be_opened(rehearsed, session, desktop):
    rehearsed.result.open_folder.click()
    inspector = Inspector()
    rehearsed.fill_inspector(inspector)
    for text in ("Open report", "Open workbook"):
        next(button for button in inspector.findChildren(QPushButton) if button.text() == text).click()
    opened = [Path(url.toLocalFile()) for url in desktop.urls]
    assert opened[0] == session.bundle.folder
    assert [path.suffix for path in opened[1:]] == [".html", ".xlsx"] and all(path.exists() for path in opened)
    inspector.deleteLater()


def test_the_inspector_lists_the_public_files(rehearsed):
    inspector = Inspector()
    rehearsed.fill_inspector(inspector)
    said = [text.accessibleName() for text in inspector.findChildren(Text)]
    assert {"Workbook", "Tables as CSV, 2 files", "Numbers as drawn", "Report", "Signature"} <= set(said)
    assert any("must not leave" in words for words in said)
    inspector.deleteLater()


def test_a_changed_plan_makes_the_result_out_of_date(rehearsed, session):
    assert not rehearsed.result.stale.isVisible()
    session.edit("title", replace(session.plan, title="Other"))
    assert rehearsed.result.stale.isVisible()
    session.undo_stack.undo()
    assert not rehearsed.result.stale.isVisible()


def test_a_new_release_returns_to_the_plan_and_gets_its_own_name(rehearsed, session, qtbot):
    first = session.bundle
    rehearsed.result.new_release.click()
    assert rehearsed.tables.isVisible() and not rehearsed.result.isVisible()
    rehearsed.release.button.click()
    qtbot.waitUntil(lambda: session.bundle is not first and not session.tasks.is_busy, timeout=20_000)
    assert rehearsed.result.banner.accessibleName().startswith("Rehearsed: rehearsal-children-by-tract-r2")


def test_another_project_begins_without_the_old_result(rehearsed, session, qtbot, open_sample):
    open_sample(session, qtbot, "tract_mobility")
    assert not rehearsed.result.isVisible()


# ---- a live release


def test_not_now_is_the_answer_to_enter_at_every_step(wizard, qtbot, session):
    for _ in range(2):
        assert wizard.not_now.isDefault()
        wizard.next.click()
    assert wizard.not_now.isDefault() and wizard.focusWidget() is wizard.not_now
    qtbot.keyClick(wizard.sign.passphrase, Qt.Key.Key_Return)
    assert wizard.result() == 0 and not wizard.isVisible()
    assert not session.settings.ledger.exists()


def test_the_wizard_says_what_it_costs(wizard):
    wizard.next.click()
    assert wizard.words() == "Nothing has been spent yet."
    said = " ".join(text.accessibleName() for text in wizard.findChildren(Text))
    assert "7 remain. 7 more releases like this one would fit" in said and "1 of 8 spent" in said


@pytest.mark.parametrize(
    ("undo", "missing"),
    [
        (lambda step: step.passphrase.clear(), "Type the passphrase of the key."),
        (lambda step: step.typed.setText("2"), "Type the amount, 1, to confirm the charge."),
        (lambda step: step.typed.setText("one"), "Type the amount, 1, to confirm the charge."),
        (lambda step: step.checked.setChecked(False), "Confirm that you have checked the tables."),
    ],
)
def test_the_release_button_waits_for_everything_and_says_for_what(wizard, qtbot, undo, missing):
    fill_in(wizard, qtbot)
    assert wizard.release.isEnabled() and wizard.release.text() == "Release and spend 1"
    undo(wizard.sign)
    assert not wizard.release.isEnabled() and wizard.words() == missing


def test_the_amount_may_be_typed_with_a_decimal(wizard, qtbot):
    fill_in(wizard, qtbot, amount="1.0")
    assert wizard.release.isEnabled()


def test_a_wrong_passphrase_is_said_and_nothing_is_spent(wizard, session, qtbot):
    fill_in(wizard, qtbot, passphrase="not the passphrase")
    wizard.release.click()
    qtbot.waitUntil(lambda: wizard.sign.trouble.isVisible(), timeout=10_000)
    assert "passphrase does not open the key" in wizard.sign.trouble.accessibleName()
    assert wizard.isVisible() and not session.settings.ledger.exists()
    qtbot.keyClicks(wizard.sign.passphrase, "x")
    assert not wizard.sign.trouble.isVisible()


def test_a_signed_release_spends_and_shows_its_entry(wizard, page, session, qtbot):
    fill_in(wizard, qtbot)
    wizard.release.click()
    qtbot.waitUntil(lambda: session.bundle is not None and not session.tasks.is_busy, timeout=20_000)
    assert page.result.banner.accessibleName().startswith("Released and signed: children-by-tract-r1")
    assert "1 charged, ledger entry 3" in page.result.banner.accessibleName()
    assert [entry.kind for entry in session.book.entries][-1] is EntryKind.DRAW
    assert session.book.balances[0].spent == Fraction(1)
    assert page.wizard is None


def test_a_key_made_in_the_wizard_is_chosen(page, session, qtbot):
    session.set_mode(Mode.LIVE)
    qtbot.waitUntil(lambda: not session.tasks.is_busy)
    page.release.button.click()
    step = page.wizard.sign
    page.wizard.next.click()
    page.wizard.next.click()
    assert page.wizard.words() == "Make a signing key first."
    step.new_key.click()
    dialog = step.findChild(NewKeyDialog)
    qtbot.keyClicks(dialog.name, "J. Okafor")
    qtbot.keyClicks(dialog.passphrase, PASSPHRASE)
    assert not dialog.make.isEnabled()
    qtbot.keyClicks(dialog.again, PASSPHRASE)
    dialog.make.click()
    qtbot.waitUntil(lambda: step.keys.count() == 1, timeout=10_000)
    assert step.keys.currentText().startswith("J. Okafor, ")
    assert page.wizard.words() == "Type the passphrase of the key."
    page.wizard.reject()


def test_a_key_of_the_same_name_is_refused_in_the_dialog(wizard, qtbot):
    wizard.sign.new_key.click()
    dialog = wizard.sign.findChild(NewKeyDialog)
    qtbot.keyClicks(dialog.name, "A. Moreno")
    for field in (dialog.passphrase, dialog.again):
        qtbot.keyClicks(field, PASSPHRASE)
    dialog.make.click()
    qtbot.waitUntil(lambda: dialog.trouble.isVisible(), timeout=10_000)
    assert "already a key file" in dialog.trouble.accessibleName()
    dialog.reject()


# ---- the grid of numbers


def test_a_filter_looks_at_codes_and_labels_of_every_key(rehearsed, session):
    grid = session.bundle.release.tables[0].grid
    assert matching_cells(grid, "").all() and matching_cells(grid, "  ").all()
    assert not matching_cells(grid, "no such place").any()
    assert matching_cells(grid, grid.lists[0].codes[7]).nonzero()[0].tolist() == [7]


def test_sorting_and_filtering_go_together(rehearsed, session):
    table = session.bundle.release.tables[0]
    model = PublishedModel(shown_table(table))
    wanted = table.grid.lists[0].codes[0][:8]
    model.set_filter(wanted)
    kept = model.rowCount()
    model.sort(2, Qt.SortOrder.AscendingOrder)
    assert model.rowCount() == kept
    shown = table.published[model.rows]
    assert (shown[:-1] <= shown[1:]).all()
    assert model.headerData(0, Qt.Orientation.Vertical) == str(model.rows[0] + 1)


def test_words_give_way_before_numbers():
    assert fitted([100, 300, 200, 60], [0, 1, 2], 460) == [100, 150, 150, 60]
    assert fitted([100, 300, 60], [0, 1], 500) == [100, 340, 60]
    assert fitted([300, 60], [0], 100) == [64, 60]
