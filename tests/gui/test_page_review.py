"""The review page: every check with its facts, [Fix] leads to the field, and release waits until nothing is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from workbench import workflow
from workbench.data.findings import Severity, Stage
from workbench.gui.models.check_list import CheckModel
from workbench.gui.pages.review import ReviewPage
from workbench.gui.session import Session
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.text import Text
from workbench.plan.planfile import plan_digest
from workbench.release.checks import CHECKS
from workbench.release.release import Mode
from workbench.release.releasing import account_of


@pytest.fixture
def page(session: Session, qtbot, open_sample: Callable[..., None]) -> ReviewPage:
    page = ReviewPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    open_sample(session, qtbot, "tract_mobility")
    return page


def titles(model: CheckModel) -> list[str]:
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def words_of(page: ReviewPage) -> list[str]:
    return [text.accessibleName() for text in page.facts.findChildren(Text) if text.isVisible()]


def take_epsilon(session: Session, qtbot) -> None:
    session.edit("epsilon", replace(session.plan, budget=replace(session.plan.budget, epsilon=None)))
    qtbot.waitUntil(lambda: not session.tasks.is_busy and not session.is_ready)


def test_a_complete_plan_passes_every_check(page):
    count = len(CHECKS)
    assert page.subtitle() == f"{count} checks: {count} passed. Nothing is drawn before all of them allow it."
    assert not page.release.is_blocked()
    assert sorted(titles(page.checks)) == sorted(check.title for check in CHECKS)


def test_what_needs_the_officer_comes_first_and_is_chosen(page, session, qtbot):
    take_epsilon(session, qtbot)
    assert titles(page.checks)[0] == "Epsilon and delta are allowed"
    assert page.list.currentIndex().row() == 0
    assert {"Epsilon is not set.", "Where: Protection, budget.epsilon"} <= set(words_of(page))
    assert "1 needs you" in page.subtitle()


def test_fix_leads_to_the_field_of_the_finding(page, session, qtbot):
    take_epsilon(session, qtbot)
    fix = next(button for button in page.facts.findChildren(QPushButton) if button.text() == "Fix")
    with qtbot.waitSignal(session.place_wanted) as wanted:
        fix.click()
    assert wanted.args == [Stage.PROTECTION, "budget.epsilon"]


def test_release_says_what_is_missing_and_leads_there(page, session, qtbot):
    take_epsilon(session, qtbot)
    assert page.release.is_blocked() and page.release.reason() == "1 thing must be mended first."
    with qtbot.waitSignal(session.place_wanted) as wanted:
        page.release.fix_requested.emit()
    assert wanted.args == [Stage.PROTECTION, "budget.epsilon"]
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: not page.release.is_blocked())


def test_a_ready_plan_goes_on_to_release(page, session, qtbot):
    with qtbot.waitSignal(session.place_wanted) as wanted:
        page.release.button.click()
    assert wanted.args[0] is Stage.RELEASE


def test_choosing_a_check_shows_its_facts(page, qtbot):
    row = titles(page.checks).index("Bounds have a public source")
    page.list.selectRow(row)
    assert page.facts.accessibleName() == "Bounds have a public source"
    assert "None is taken from the data." in words_of(page)


def test_the_chosen_check_stays_chosen_when_the_plan_changes(page, session, qtbot):
    page.list.selectRow(titles(page.checks).index("Bounds have a public source"))
    session.edit("title", replace(session.plan, title="Other"))
    qtbot.waitUntil(lambda: not session.tasks.is_busy)
    assert page.facts.accessibleName() == "Bounds have a public source"


def test_checks_can_be_listed_by_stage(page, session, qtbot):
    take_epsilon(session, qtbot)
    page.order.setCurrentText("In order of stages")
    stages = [page.checks.result(row).check.stage for row in range(page.checks.rowCount())]
    assert stages == sorted(stages, key=list(Stage).index)


def test_state_is_said_in_words_too(page, session, qtbot):
    take_epsilon(session, qtbot)
    spoken = page.checks.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Epsilon and delta are allowed: must be mended. Epsilon is not set."
    assert page.checks.result(0).severity is Severity.BLOCK


def test_what_will_be_published_is_listed_with_its_cost_and_margin(page):
    assert page.tables.texts() == [["tract", "111", "1", "± 3"], ["all together", "1", "0", page.tables.texts()[1][3]]]


def test_a_plan_without_tables_says_so(page, session, qtbot):
    take_epsilon(session, qtbot)
    assert page.nothing.isVisible() and not page.tables.isVisible()


def test_checks_run_again_see_what_the_ledger_says_now(page, session, qtbot):
    account = account_of(session.plan)
    session.settings.ledger.parent.mkdir(parents=True, exist_ok=True)
    with workflow.open_ledger(session.settings.ledger) as ledger:
        ledger.charge(account, Fraction("7.5"), cap=8, dataset_sha256="0" * 64, by="Other", about="Theirs", release="x")
    page.again.click()
    qtbot.waitUntil(lambda: titles(page.checks)[0] == "The charge fits the allowance")
    assert not page.release.is_blocked(), "a rehearsal spends nothing"
    session.set_mode(Mode.LIVE)
    qtbot.waitUntil(lambda: page.release.is_blocked())


def test_one_signature_is_said_plainly(page):
    said = " ".join(text.accessibleName() for text in page.findChildren(Text))
    assert "One person signs. This version records one signature; it has no second approval." in said


def test_the_inspector_shows_what_a_release_is_bound_to(page, session):
    inspector = Inspector()
    page.fill_inspector(inspector)
    said = [text.accessibleName() for text in inspector.findChildren(Text)]
    digest = plan_digest(session.plan)
    assert f"{digest[:4]} {digest[4:8]} … {digest[-4:]}" in said
    assert f"{session.dataset.sha256[:4]} {session.dataset.sha256[4:8]} … {session.dataset.sha256[-4:]}" in said
    inspector.deleteLater()


def test_without_a_project_the_page_says_what_will_be_here(session, qtbot):
    page = ReviewPage(session)
    qtbot.addWidget(page)
    page.show()
    assert page.empty.isVisible() and not page.again.isVisible()
    with qtbot.waitSignal(session.place_wanted) as wanted:
        page.empty.button.click()
    assert wanted.args[0] is Stage.DATA


def test_in_live_the_rehearsal_key_is_not_mentioned(page, session):
    session.set_mode(Mode.LIVE)
    inspector = Inspector()
    page.fill_inspector(inspector)
    assert not any("demonstration key" in text.accessibleName() for text in inspector.findChildren(Text))
    inspector.deleteLater()
