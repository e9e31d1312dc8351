"""The statistics page: shares that add up exactly, mechanisms with reasons, and rows as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.data.findings import Stage
from workbench.data.schema import BelongsTo, Role
from workbench.gui.models.counting import NO_BREAK, PERCENT
from workbench.gui.models.statistic_cells import HEADERS
from workbench.gui.models.statistic_rows import TotalsRow, rows_of, total_margins
from workbench.gui.pages.statistics import StatisticsPage
from workbench.gui.session import Session
from workbench.gui.widgets.inspector import Inspector
from workbench.plan.cells import totals_of_order
from workbench.plan.changes import with_new_table
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import Statistic, StatisticKind, Table
from workbench.plan.shares import drawn_statistics
from workbench.privacy import choose, mechanisms
from workbench.privacy.composition import allotments
from workbench.privacy.mechanisms import OFFERS

SHARE, LOCK, EPSILON = (HEADERS.index(name) for name in ("Share", "Lock", "ε"))
ERROR = len(HEADERS) - 2


@pytest.fixture
def page(session: Session, qtbot: QtBot, open_sample: Callable[..., None]) -> StatisticsPage:
    open_sample(session, qtbot)
    page = StatisticsPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    qtbot.waitExposed(page)
    settle(page, qtbot)
    return page


@pytest.fixture
def shared(page: StatisticsPage, qtbot: QtBot) -> StatisticsPage:
    """The page with two tables, half of the budget each."""
    keys = ("sex", "education")
    plan = with_new_table(page.session.plan, Table("sex-education", keys, totals_of_order(keys, 1)))
    page.session.edit("a second table", plan)
    settle(page, qtbot)
    return page


def settle(page: StatisticsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.session.tasks.is_busy)


def shares(page: StatisticsPage) -> list[Fraction]:
    return [statistic.share for statistic in drawn_statistics(page.session.plan)]


def type_share(page: StatisticsPage, qtbot: QtBot, index: int, text: str) -> None:
    edit = page.table.controls[index].share.line_edit()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def test_rows_say_what_is_drawn_and_what_is_added_up(page: StatisticsPage) -> None:
    drawn, totals, together = page.table.texts()
    assert drawn[1:3] == ["Jobs", "place × sector × ownership"]
    assert drawn[EPSILON] == "2"
    assert drawn[ERROR] == "at most 1 job"
    assert totals[1] == "Jobs, totals" and totals[SHARE] == "added up" and totals[EPSILON] == "0"
    assert together[1] == "Together: 2,100 published numbers" and together[SHARE] == "100 %"
    assert together[EPSILON] == "2"


def test_totals_have_the_margin_of_all_the_noise_in_them(page: StatisticsPage) -> None:
    totals = next(row for row in rows_of(page.session.plan) if isinstance(row, TotalsRow))
    mechanism = totals.source.mechanism
    assert mechanism is not None
    margins = {one.keys: one.margin for one in total_margins(totals)}
    assert margins[()] == mechanism.margin(cells=1440)
    assert margins[("place", "sector")] == mechanism.margin(cells=3)
    assert page.table.texts()[1][ERROR] == f"at most {margins[()]} jobs"


def test_a_typed_share_leaves_the_rest_to_the_others_exactly(shared: StatisticsPage, qtbot: QtBot) -> None:
    assert shares(shared) == [Fraction(1, 2), Fraction(1, 2)]
    type_share(shared, qtbot, 0, "60")
    assert shares(shared) == [Fraction(3, 5), Fraction(2, 5)]
    assert shared.table.controls[1].share.value() == "40"
    texts = shared.table.texts()
    assert [texts[0][EPSILON], texts[2][EPSILON], texts[4][EPSILON]] == ["1.2", "0.8", "2"]
    shared.session.undo_stack.undo()
    assert shares(shared) == [Fraction(1, 2), Fraction(1, 2)]
    assert shared.table.controls[0].share.value() == "50"


def test_a_share_that_leaves_nothing_is_refused_in_place(shared: StatisticsPage, qtbot: QtBot) -> None:
    type_share(shared, qtbot, 0, "100")
    assert shared.table.controls[0].share.error() == "0 to 100 %"
    assert shares(shared) == [Fraction(1, 2), Fraction(1, 2)]


def test_locked_rows_keep_their_share(shared: StatisticsPage, qtbot: QtBot) -> None:
    third = with_new_table(shared.session.plan, Table("total"))
    shared.session.edit("a third table", third)
    shared.table.controls[0].lock.click()
    assert drawn_statistics(shared.session.plan)[0].locked
    assert not shared.table.controls[0].share.isEnabled()
    type_share(shared, qtbot, 1, "10")
    assert shares(shared)[0] == Fraction(1, 3)
    assert sum(shares(shared)) == 1
    assert shares(shared)[1] == Fraction(1, 10)


def test_the_only_free_row_cannot_change(page: StatisticsPage) -> None:
    field = page.table.controls[0].share
    assert field.value() == "100" and not field.isEnabled() and field.is_valid()
    assert not page.even_button.isEnabled()


def test_shares_that_are_no_short_decimal_are_rounded_on_screen_only(shared: StatisticsPage) -> None:
    shared.session.edit("a third table", with_new_table(shared.session.plan, Table("total")))
    assert shared.table.controls[0].share.value() == "33.33"
    assert shares(shared) == [Fraction(1, 3)] * 3
    assert shared.table.controls[0].share.toolTip() == "Exactly 1/3 of the plan’s ε."


def test_sharing_out_evenly(shared: StatisticsPage, qtbot: QtBot) -> None:
    type_share(shared, qtbot, 0, "60")
    shared.even_button.click()
    assert shares(shared) == [Fraction(1, 2), Fraction(1, 2)]


def test_a_row_is_explained_in_a_sentence_that_can_be_copied(page: StatisticsPage) -> None:
    sentence = page.sentence.sentence.accessibleName()
    assert sentence == (
        "With probability 95 %, the published number of jobs in a cell differs from the true number by at most 1 job."
    )
    page.sentence.copy_button.click()
    assert QGuiApplication.clipboard().text() == sentence
    assert page.sentence.copy_button.text() == "Copied"


def test_the_question_mark_explains_its_row(page: StatisticsPage) -> None:
    page.table.help_button(2).click()
    assert "a published total of jobs" in page.sentence.sentence.accessibleName()
    assert len(page.sentence.totals.texts()) == 7
    assert page.sentence.totals.texts()[-1][0] == "all together"
    assert not page.remove_button.isEnabled()


def test_choosing_a_row_with_the_keyboard_explains_it(page: StatisticsPage, qtbot: QtBot) -> None:
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    assert page.explained.number == 2
    assert page.table.help_button(2).isChecked()


def test_the_method_sheet_of_the_row_is_asked_for(page: StatisticsPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.method_sheet_wanted) as asked:
        page.sentence.method_button.click()
    assert asked.args == ["geometric"]


def test_the_mechanism_can_be_fixed_and_freed_again(page: StatisticsPage) -> None:
    combo = page.table.controls[0].mechanism
    page.mechanisms.radio("geometric").click()
    assert drawn_statistics(page.session.plan)[0].mechanism == "geometric"
    assert combo.currentText() == "Geometric"
    combo.activated.emit(0)
    assert drawn_statistics(page.session.plan)[0].mechanism == "auto"
    page.session.undo_stack.undo()
    assert combo.currentData() == "geometric"


def test_mechanisms_are_listed_with_their_reason(page: StatisticsPage) -> None:
    row = page.drawn
    listed = [one for one in row.considered if one.offer.name in page.mechanisms.names()]
    assert [texts[1] for texts in page.mechanisms.table.texts()] == [one.offer.title for one in listed]
    assert all(page.mechanisms.reason(one.offer.name) == one.reason for one in listed)


@pytest.fixture
def only_geometric(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A version with one mechanism, whatever else this one has."""
    only = tuple(offer for offer in OFFERS if offer.name == "geometric")
    for module in (choose, mechanisms):
        monkeypatch.setattr(module, "OFFERS", only)
    choose.candidates.cache_clear()
    yield
    choose.candidates.cache_clear()


def test_a_protection_without_mechanism_says_so_in_the_row(page: StatisticsPage, only_geometric: None) -> None:
    page.session.edit("x", replace(page.session.plan, neighbors=StrongAlpha(Fraction(1, 10))))
    assert page.table.texts()[0][ERROR] == "–"
    assert "No mechanism fits this statistic" in page.sentence.sentence.text()
    assert page.mechanisms.names() == []
    page.mechanisms.more.click()
    radio = page.mechanisms.radio("geometric")
    assert not radio.isEnabled() and not radio.isChecked()
    assert page.mechanisms.table.texts()[0][2] == "–"


@pytest.fixture
def for_employers(page: StatisticsPage, qtbot: QtBot) -> StatisticsPage:
    """The page under strong alpha, with the place, sector and ownership of the establishment."""
    plan = page.session.plan
    for key in plan.tables[0].keys:
        column = plan.column(key)
        assert column is not None
        plan = plan.with_column(replace(column, belongs_to=BelongsTo.ESTABLISHMENT))
    page.session.edit("x", replace(plan, neighbors=StrongAlpha(Fraction(1, 10))))
    settle(page, qtbot)
    return page


def set_delta(page: StatisticsPage, qtbot: QtBot, delta: Fraction) -> None:
    plan = page.session.plan
    page.session.edit("x", replace(plan, budget=replace(plan.budget, delta=delta)))
    settle(page, qtbot)


def test_only_mechanisms_of_the_protection_are_listed_until_asked(for_employers: StatisticsPage) -> None:
    card = for_employers.mechanisms
    assert {"log-laplace", "smooth-t", "joint-t"} <= set(card.names())
    assert "geometric" not in card.names() and "laplace" not in card.names()
    others = sum(StatisticKind.COUNT in offer.kinds for offer in OFFERS) - len(card.names())
    assert card.more.text() == f"{others} more do not fit this protection"
    card.more.click()
    assert "geometric" in card.names() and not card.radio("geometric").isEnabled()
    assert "laplace" not in card.names(), "made for sums, not for counts"


def test_mechanisms_that_fit_stand_first_by_expected_error(for_employers: StatisticsPage) -> None:
    row, card = for_employers.drawn, for_employers.mechanisms
    considered = {one.offer.name: one for one in row.considered}
    errors = [considered[name].expected_error for name in card.names()]
    assert errors == sorted(errors)
    assert [card.radio(name).isEnabled() for name in card.names()] == [error < float("inf") for error in errors]
    assert "It needs a δ above 0" in card.reason("smooth-laplace")


def test_a_mechanism_in_proportion_is_chosen_and_explained(for_employers: StatisticsPage, qtbot: QtBot) -> None:
    page = for_employers
    page.mechanisms.radio("log-laplace").click()
    assert drawn_statistics(page.session.plan)[0].mechanism == "log-laplace"
    assert page.table.texts()[0][ERROR] == f"±{NO_BREAK}16{PERCENT} of the count"
    said = page.sentence.sentence.accessibleName()
    assert "in a cell of 70 jobs differs from the true number by at most 12 jobs" in said
    assert "each published number gets limits of its own" in page.sentence.note.text()
    edit = page.sentence.cell.line_edit()
    edit.selectAll()
    qtbot.keyClicks(edit, "1000")
    assert "in a cell of 1,000 jobs" in page.sentence.sentence.accessibleName()
    page.session.undo_stack.undo()
    assert drawn_statistics(page.session.plan)[0].mechanism == "auto"


def test_a_margin_that_would_tell_of_an_employer_stays_inside(for_employers: StatisticsPage, qtbot: QtBot) -> None:
    page = for_employers
    page.mechanisms.radio("smooth-t").click()
    settle(page, qtbot)
    assert page.table.texts()[0][ERROR].endswith("jobs on average")
    assert "On average, the published number of jobs in a cell of 70 jobs" in page.sentence.sentence.accessibleName()
    assert "It stays in the building." in page.sentence.note.text()
    assert page.table.texts()[1][ERROR] == "not published"


def test_the_method_sheet_is_that_of_the_form_chosen(for_employers: StatisticsPage, qtbot: QtBot) -> None:
    for_employers.mechanisms.radio("log-laplace-haney").click()
    with qtbot.waitSignal(for_employers.method_sheet_wanted) as asked:
        for_employers.sentence.method_button.click()
    assert asked.args == ["log-laplace"]


def test_the_epsilon_a_mechanism_needs_can_be_taken(for_employers: StatisticsPage, qtbot: QtBot) -> None:
    page = for_employers
    set_delta(page, qtbot, Fraction(1, 10**6))
    name = "smooth-laplace-published"
    assert not page.mechanisms.radio(name).isEnabled()
    button = page.mechanisms.use_button(name)
    assert button.isVisibleTo(page) and button.text() == "Use ε = 2.64"
    button.click()
    assert page.session.plan.budget.epsilon == Fraction("2.64")
    assert page.mechanisms.radio(name).isEnabled()
    page.session.undo_stack.undo()
    assert page.session.plan.budget.epsilon == 2


def test_a_key_of_the_workers_asks_for_a_joint_draw(for_employers: StatisticsPage, qtbot: QtBot) -> None:
    page = for_employers
    page.session.edit("x", with_new_table(page.session.plan, Table("place-sex", ("place", "sex"))))
    settle(page, qtbot)
    page.explain(3)
    assert page.drawn.choice is not None and page.drawn.choice.offer.is_joint
    assert page.mechanisms.radio("joint-t").isEnabled()
    assert not page.mechanisms.radio("log-laplace").isEnabled()
    assert "would have to belong to the establishment" in page.mechanisms.reason("log-laplace")


def test_a_delta_lets_gaussian_noise_in(page: StatisticsPage, qtbot: QtBot) -> None:
    assert not page.mechanisms.radio("gaussian").isEnabled()
    set_delta(page, qtbot, Fraction(1, 10**6))
    assert page.mechanisms.radio("gaussian").isEnabled()
    page.session.undo_stack.undo()
    assert not page.mechanisms.radio("gaussian").isEnabled()


def sum_of(page: StatisticsPage, measure: str) -> QAction:
    """The entry of the menu that adds the sum of a measure."""
    page.fill_menu()
    asks = next(action.menu() for action in page.add_menu.actions() if action.text() == "Sum of")
    return next(action for action in asks.actions() if action.text().partition("\t")[0] == measure)


def test_a_sum_asks_for_its_measure_and_errs_in_its_unit(page: StatisticsPage, qtbot: QtBot) -> None:
    sum_of(page, "earnings").trigger()
    settle(page, qtbot)
    assert drawn_statistics(page.session.plan)[1] == Statistic(StatisticKind.SUM, "earnings", Fraction(1, 2))
    page.explain(3)
    part = allotments(page.session.plan)[1]
    assert part.mechanism is not None and part.brief is not None
    margin = ceil(part.mechanism.margin() * part.brief.step)
    assert page.table.texts()[2][1] == "Earnings" and page.table.texts()[2][ERROR] == f"at most {margin:,}"
    assert page.sentence.sentence.accessibleName() == (
        "With probability 95 %, the published sum of earnings in a cell differs from the true sum "
        f"by at most {margin:,} in earnings."
    )
    assert sum_of(page, "earnings").text().endswith("is in the table already")
    page.session.undo_stack.undo()
    assert len(drawn_statistics(page.session.plan)) == 1


def test_a_sum_without_bounds_or_measure_cannot_be_added(page: StatisticsPage) -> None:
    column = page.session.plan.column("earnings")
    assert column is not None
    page.session.edit("x", page.session.plan.with_column(replace(column, upper=None)))
    assert sum_of(page, "earnings").text().endswith("its public bounds are missing")
    page.session.edit("x", page.session.plan.with_column(replace(column, role=Role.IGNORE)))
    page.fill_menu()
    sums = next(action for action in page.add_menu.actions() if action.text().startswith("Sum"))
    assert sums.text().endswith("no column is a measure") and not sums.isEnabled()


def test_before_protection_is_chosen_the_page_leads_there(page: StatisticsPage, qtbot: QtBot) -> None:
    page.session.edit("x", replace(page.session.plan, neighbors=None))
    assert page.sentence.protection_button.isVisibleTo(page)
    with qtbot.waitSignal(page.session.place_wanted) as asked:
        page.sentence.protection_button.click()
    assert asked.args == [Stage.PROTECTION, "protect.neighbors"]


def test_statistics_can_be_removed_and_added_again(page: StatisticsPage, qtbot: QtBot) -> None:
    page.remove_button.click()
    assert page.session.plan.tables[0].statistics == ()
    assert page.empty.isVisible()
    page.fill_menu()
    count = next(action for action in page.add_menu.actions() if action.text() == "Count")
    count.trigger()
    assert page.session.plan.tables[0].statistics == (Statistic(),)
    assert page.session.undo_stack.undoText() == "addition of a statistic"


def test_statistics_that_cannot_be_added_say_why(page: StatisticsPage, only_geometric: None) -> None:
    page.fill_menu()
    offered = {action.text().partition("\t")[0]: action for action in page.add_menu.actions()}
    assert offered["Count"].text().endswith("is in the table already")
    assert offered["Sum"].text().endswith("no mechanism of this version")
    assert offered["Regression"].text().endswith("no mechanism of this version")
    assert not any(offered[kind.value.capitalize()].isEnabled() for kind in StatisticKind)


def test_with_several_tables_each_has_its_own_menu(shared: StatisticsPage) -> None:
    shared.fill_menu()
    names = [action.text() for action in shared.add_menu.actions() if action.menu()]
    assert names == ["place-sector-ownership", "sex-education"]


def test_while_every_share_is_locked_nothing_can_be_added(page: StatisticsPage) -> None:
    page.table.controls[0].lock.click()
    page.fill_menu()
    assert not any(action.isEnabled() for action in page.add_menu.actions() if "locked" in action.text())
    assert any(action.text().endswith("every share is locked") for action in page.add_menu.actions())


def test_findings_lead_to_their_row(shared: StatisticsPage) -> None:
    shared.go_to("statistics.1")
    assert shared.explained.number == 3
    assert shared.focusWidget() is shared.table.controls[1].mechanism
    shared.go_to("tables.0.statistics.0.measure")
    assert shared.focusWidget() is shared.table.controls[0].mechanism


def test_a_table_without_statistics_leads_to_add(page: StatisticsPage) -> None:
    page.remove_button.click()
    page.go_to("tables.0.statistics")
    assert page.focusWidget() is page.add_button


def test_without_tables_the_page_leads_to_cells(page: StatisticsPage, qtbot: QtBot) -> None:
    page.session.edit("x", replace(page.session.plan, tables=()))
    with qtbot.waitSignal(page.session.place_wanted) as asked:
        page.empty.button.click()
    assert asked.args[0] is Stage.CELLS


def test_refreshing_changes_nothing_and_keeps_the_controls(shared: StatisticsPage) -> None:
    before, controls = shared.session.plan, dict(shared.table.controls)
    count = shared.session.undo_stack.count()
    shared.refresh()
    assert shared.session.plan is before and shared.session.undo_stack.count() == count
    assert shared.table.controls == controls


def test_the_tab_key_goes_through_the_rows_before_the_cards(shared: StatisticsPage) -> None:
    chain: list[QWidget] = []
    widget = shared.table.nextInFocusChain()
    while widget is not shared.table:
        chain.append(widget)
        widget = widget.nextInFocusChain()
    controls = shared.table.controls
    wanted = [controls[0].lock, controls[0].mechanism, controls[0].help, controls[1].lock, shared.sentence.copy_button]
    places = [chain.index(widget) for widget in wanted]
    assert places == sorted(places)


def test_the_inspector_states_the_claim_and_compares_with_the_policy(page: StatisticsPage, qtbot: QtBot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    page.fill_inspector(inspector)
    said = spoken(inspector)
    assert "formal DP (pure)" in said and "4" in said
    assert any("policy asks for 80" in words for words in said)


def spoken(widget: QWidget) -> list[str]:
    return [child.accessibleName() for child in widget.findChildren(QWidget) if child.accessibleName()]
