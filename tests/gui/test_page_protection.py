"""The protection page: four cards that compare, epsilon by slider or typed, and the odds in frequencies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.data.findings import Stage
from workbench.data.schema import Role
from workbench.gui.models.counting import percent
from workbench.gui.models.protections import FIRST_CHOICES, protections
from workbench.gui.pages.protection import ProtectionPage, public_facts
from workbench.gui.session import Session
from workbench.gui.widgets.inspector import Inspector
from workbench.plan.amounts import parse_exact
from workbench.plan.changes import with_statistic
from workbench.plan.neighbors import DEFINITIONS, Employer, StrongAlpha, Worker, WorkerHistory
from workbench.plan.policy import default_policy
from workbench.preview.metrics import Metric, measure, policy_target, typical_sizes
from workbench.privacy import choose
from workbench.privacy.choose import candidates
from workbench.privacy.composition import allotments
from workbench.privacy.explanation import composition_words
from workbench.privacy.precedents import precedents


@pytest.fixture
def page(session: Session, qtbot: QtBot, open_sample: Callable[..., None]) -> ProtectionPage:
    open_sample(session, qtbot)
    page = ProtectionPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    qtbot.waitExposed(page)
    return page


def type_epsilon(page: ProtectionPage, qtbot: QtBot, text: str) -> None:
    edit = page.how_much.epsilon.field().line_edit()
    edit.selectAll()
    qtbot.keyClicks(edit, text)


def test_the_plans_own_protection_is_the_chosen_card(page: ProtectionPage) -> None:
    assert page.cards[Worker].radio.isChecked()
    assert [card.radio.isChecked() for card in page.cards.values()].count(True) == 1
    assert "ε = 2" in page.subtitle()


def test_every_card_shows_the_effect_on_this_plan(page: ProtectionPage) -> None:
    plan, policy = page.session.plan, default_policy()
    for definition, card in page.cards.items():
        protected = replace(plan, neighbors=FIRST_CHOICES[definition])
        part = allotments(protected)[0]
        within = measure(Metric.SHARE_WITHIN, part, typical_sizes(protected, policy), policy_target(policy))
        assert card.within.text() == percent(within)
    assert page.cards[Worker].error.text() == "0.3 jobs"


def test_a_protection_without_a_mechanism_says_so_and_cannot_be_chosen(
    page: ProtectionPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "OFFERS", ())
    candidates.cache_clear()
    page.refresh()
    candidates.cache_clear()
    for card in page.cards.values():
        assert not card.radio.isEnabled()
        assert card.obstacle.text() == "This version has no mechanism for the count under this protection."
        assert card.radio.accessibleDescription() == card.obstacle.text()
        assert not card.within.isVisible()


def test_cards_agree_with_the_mechanisms_of_this_version(page: ProtectionPage) -> None:
    for definition, shown in zip(DEFINITIONS, protections(page.session.plan, default_policy()), strict=True):
        part = allotments(replace(page.session.plan, neighbors=shown.neighbors))[0]
        fits = any(one.is_admissible for one in part.candidates)
        assert page.cards[definition].radio.isEnabled() == fits


def test_an_id_that_is_needed_stands_as_a_condition(page: ProtectionPage) -> None:
    assert "employer id: employer" in page.cards[Employer].condition.text()
    assert "needs a person id" in page.cards[WorkerHistory].condition.text()
    column = page.session.plan.column("sex")
    assert column is not None
    page.session.edit("x", page.session.plan.with_column(replace(column, role=Role.PERSON_ID)))
    assert "person id: sex" in page.cards[WorkerHistory].condition.text()


def test_a_click_on_a_card_chooses_it_and_undo_goes_back(page: ProtectionPage, qtbot: QtBot) -> None:
    page.session.edit("x", replace(page.session.plan, neighbors=None))
    assert not any(card.radio.isChecked() for card in page.cards.values())
    qtbot.mouseClick(page.cards[Worker], Qt.MouseButton.LeftButton)
    assert page.session.plan.neighbors == Worker()
    assert page.session.undo_stack.undoText() == "change of protection"
    page.session.undo_stack.undo()
    assert page.session.plan.neighbors is None


def test_choosing_the_chosen_card_again_changes_nothing(page: ProtectionPage) -> None:
    page.cards[Worker].radio.click()
    assert page.cards[Worker].radio.isChecked()
    assert page.session.undo_stack.count() == 0


def test_the_formula_takes_the_place_of_the_words(page: ProtectionPage) -> None:
    card = page.cards[StrongAlpha]
    card.formula_link.click()
    assert card.statement.isVisible()
    assert card.statement.text() == StrongAlpha(Fraction(1, 10)).statement
    page.formulas_button.click()
    assert all(one.is_formula_shown() for one in page.cards.values())
    page.formulas_button.click()
    assert not any(one.is_formula_shown() for one in page.cards.values())


def test_typing_epsilon_changes_the_plan_exactly_and_the_odds(page: ProtectionPage, qtbot: QtBot) -> None:
    type_epsilon(page, qtbot, "1.25")
    assert page.session.plan.budget.epsilon == Fraction(5, 4)
    assert page.how_much.epsilon.field().line_edit().text() == "1.25"
    assert "at most 78 of 100" in page.outsider.sentence.accessibleName()


def test_dragging_epsilon_is_one_undo_step(page: ProtectionPage) -> None:
    track = page.how_much.epsilon.track()
    for position in (300, 400, 500):
        track.setValue(position)
    assert page.session.plan.budget.epsilon == 1
    assert page.session.undo_stack.count() == 1
    page.session.undo_stack.undo()
    assert page.session.plan.budget.epsilon == 2
    assert page.how_much.epsilon.value() == "2"


@pytest.mark.parametrize("text", ["0", "21", "abc"])
def test_an_epsilon_that_cannot_be_is_refused_in_place(page: ProtectionPage, qtbot: QtBot, text: str) -> None:
    type_epsilon(page, qtbot, text)
    assert not page.how_much.epsilon.is_valid()
    assert page.session.plan.budget.epsilon == 2


@pytest.mark.parametrize("epsilon", [None, Fraction(0), Fraction(1, 3), Fraction(15), Fraction(1, 20)])
def test_any_epsilon_of_a_plan_file_can_be_shown(page: ProtectionPage, epsilon: Fraction | None) -> None:
    page.session.edit("x", replace(page.session.plan, budget=replace(page.session.plan.budget, epsilon=epsilon)))
    assert page.session.plan.budget.epsilon == epsilon
    assert page.outsider.dots.isVisible() == bool(epsilon)


def test_the_odds_of_a_toss_up_are_a_sentence(page: ProtectionPage) -> None:
    assert page.outsider.sentence.accessibleName() == (
        "Someone who thought it a toss-up whether one job record is in the data is right in at most 89 of 100 "
        "such cases after seeing everything published."
    )
    assert page.outsider.dots.accessibleName() == "Before: right in 50 of 100. After: right in at most 89 of 100."
    assert "At least 11 of 100" in page.outsider.note.text()


def test_another_chance_before_changes_the_sentence_but_not_the_plan(page: ProtectionPage, qtbot: QtBot) -> None:
    edit = page.outsider.prior.line_edit()
    edit.selectAll()
    qtbot.keyClicks(edit, "20")
    assert "gave it 20 of 100 that one job record is in the data can give it at most 65 of 100" in (
        page.outsider.sentence.accessibleName()
    )
    assert "cannot fall below 3 of 100" in page.outsider.note.text()
    assert page.session.undo_stack.count() == 0


@pytest.mark.parametrize(
    ("neighbors", "secret"),
    [
        (WorkerHistory(2), "one person’s records are in the data"),
        (Employer(50), "one employer’s records are in the data"),
        (StrongAlpha(Fraction(1, 5)), "an employer has 1,000 or 1,200 workers"),
    ],
)
def test_the_secret_is_that_of_the_protection(page: ProtectionPage, neighbors: object, secret: str) -> None:
    page.session.edit("x", replace(page.session.plan, neighbors=neighbors))
    assert secret in page.outsider.sentence.accessibleName()


def test_the_parameters_of_the_chosen_protection_can_be_changed(page: ProtectionPage, qtbot: QtBot) -> None:
    for neighbors, name, text, expected in (
        (WorkerHistory(2), "contribution", "3", WorkerHistory(3)),
        (Employer(500), "size_cap", "250", Employer(250)),
        (StrongAlpha(Fraction(1, 10)), "alpha", "0.15", StrongAlpha(Fraction(3, 20))),
    ):
        page.session.edit("x", replace(page.session.plan, neighbors=neighbors))
        field = getattr(page.how_much, name)
        assert field.isVisible()
        edit = field.field().line_edit() if name == "alpha" else field.line_edit()
        edit.selectAll()
        qtbot.keyClicks(edit, text)
        assert page.session.plan.neighbors == expected
    page.session.edit("x", replace(page.session.plan, neighbors=Worker()))
    assert not any(getattr(page.how_much, name).isVisible() for name in ("contribution", "size_cap", "alpha"))


def test_a_change_is_said_to_be_two_steps(page: ProtectionPage) -> None:
    assert "Changing a record is two steps" in page.how_much.change.accessibleName()
    assert "ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}4 for it" in page.how_much.change.accessibleName()


def test_the_detection_trade_off_and_precedents_unfold(page: ProtectionPage) -> None:
    assert not page.trade_off.isVisible() and not page.precedents.isVisible()
    page.outsider.trade_off_link.click()
    assert page.trade_off.isVisible()
    assert ["5 of 100", "37 of 100"] in page.trade_off.table.texts()
    page.outsider.precedents_link.click()
    assert [row[0] for row in page.precedents.table.texts()] == [one.release for one in precedents()]
    page.session.edit("x", replace(page.session.plan, neighbors=None))
    assert not page.trade_off.isVisible()
    page.session.undo_stack.undo()
    assert page.trade_off.isVisible()
    page.outsider.trade_off_link.click()
    assert not page.trade_off.isVisible()


def choose_delta(page: ProtectionPage, text: str) -> None:
    combo = page.how_much.delta
    combo.setCurrentIndex(combo.findData(text))
    combo.activated.emit(combo.currentIndex())


def test_delta_is_chosen_within_the_policy_and_undone(page: ProtectionPage) -> None:
    combo = page.how_much.delta
    offered = [combo.itemData(at) for at in range(combo.count())]
    assert offered == ["0", "0.000000001", "0.00000001", "0.0000001", "0.000001"]
    assert all(parse_exact(text) <= default_policy().largest_delta for text in offered)
    choose_delta(page, "0.000001")
    assert page.session.plan.budget.delta == Fraction(1, 10**6)
    assert combo.currentText() == "0.000001 (1 in 1,000,000)"
    assert page.session.undo_stack.undoText() == "change of delta"
    page.session.undo_stack.undo()
    assert page.session.plan.budget.delta == 0 and combo.currentText() == "0"


def test_a_delta_beyond_the_policy_is_shown_as_such(page: ProtectionPage) -> None:
    budget = replace(page.session.plan.budget, delta=Fraction(1, 100))
    page.session.edit("x", replace(page.session.plan, budget=budget))
    assert page.how_much.delta.currentText() == "0.01 (1 in 100) (not allowed)"
    assert page.session.plan.budget.delta == Fraction(1, 100)


def test_with_a_delta_only_a_toss_up_has_odds(page: ProtectionPage, qtbot: QtBot) -> None:
    page.outsider.prior.set_value("20")
    choose_delta(page, "0.000001")
    assert page.outsider.prior.value() == "50" and not page.outsider.prior.isEnabled()
    assert "at most 89 of 100" in page.outsider.sentence.accessibleName()


def test_strong_alpha_is_chosen_with_its_steps_in_words(page: ProtectionPage, qtbot: QtBot) -> None:
    qtbot.mouseClick(page.cards[StrongAlpha], Qt.MouseButton.LeftButton)
    assert page.session.plan.neighbors == StrongAlpha(Fraction(1, 10))
    words = page.how_much.alpha_words.text()
    assert "1,000 and 1,100 are one step apart" in words
    assert f"1,000 and 2,000 are {StrongAlpha(Fraction(1, 10)).steps_between(1000, 2000)}" in words
    assert "A job move is two steps" in page.how_much.change.accessibleName()
    assert "1,000 or 1,100 workers" in page.outsider.sentence.accessibleName()
    page.session.undo_stack.undo()
    assert page.session.plan.neighbors == Worker()


def test_the_strict_reading_is_an_option_of_strong_alpha(page: ProtectionPage) -> None:
    assert not page.how_much.strict.isVisible()
    page.session.edit("x", replace(page.session.plan, neighbors=StrongAlpha(Fraction(1, 10))))
    assert page.how_much.strict.isVisible() and not page.how_much.strict.isChecked()
    page.how_much.strict.click()
    assert page.session.plan.neighbors == StrongAlpha(Fraction(1, 10), strict=True)
    assert "rounded up" in page.cards[StrongAlpha].statement.text()
    page.session.undo_stack.undo()
    assert not page.how_much.strict.isChecked()


def test_a_card_says_when_nothing_fits_at_this_epsilon(page: ProtectionPage, qtbot: QtBot) -> None:
    statistic = replace(page.session.plan.tables[0].statistics[0], mechanism="smooth-gamma")
    plan = replace(with_statistic(page.session.plan, 0, 0, statistic), neighbors=StrongAlpha(Fraction(1, 10)))
    page.session.edit("x", plan)
    type_epsilon(page, qtbot, "0.1")
    card = page.cards[StrongAlpha]
    assert card.obstacle.text() == "No mechanism fits at this ε." and card.radio.isEnabled()


def test_how_the_total_came_about_unfolds(page: ProtectionPage) -> None:
    assert not page.total.isVisible()
    page.how_much.total_link.click()
    assert page.total.isVisible()
    assert page.total_words.text() == composition_words(page.session.plan)
    page.session.edit("x", replace(page.session.plan, neighbors=None))
    assert page.total_words.text() == "The total is known once every statistic has a mechanism."


def test_findings_lead_to_their_fields(page: ProtectionPage) -> None:
    page.go_to("protect.neighbors")
    assert page.focusWidget() is page.cards[Worker].radio
    page.go_to("budget.epsilon")
    assert page.focusWidget() is page.how_much.epsilon.field().line_edit()


def test_without_a_project_the_page_leads_to_data(session: Session, qtbot: QtBot) -> None:
    page = ProtectionPage(session)
    qtbot.addWidget(page)
    with qtbot.waitSignal(session.place_wanted) as asked:
        page.empty.button.click()
    assert asked.args[0] is Stage.DATA


def test_refreshing_changes_nothing(page: ProtectionPage) -> None:
    before = page.session.plan
    page.refresh()
    assert page.session.plan is before and page.session.undo_stack.count() == 0


def test_the_inspector_keeps_accounts_apart_and_lists_what_is_public(page: ProtectionPage, qtbot: QtBot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    page.fill_inspector(inspector)
    said = spoken(inspector)
    assert "Every protection has its own account. Amounts are never added across accounts." in said
    assert "Worker (one record), this plan" in said and "0 of 8" in said
    assert "· the code list of sector, 20 codes" in said
    assert "the bounds of earnings, set by policy" in public_facts(page.session.plan)


def spoken(widget: QWidget) -> list[str]:
    return [child.accessibleName() for child in widget.findChildren(QWidget) if child.accessibleName()]
