"""The cells page: keys, totals, the spelled-out product and the picture of the cross."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from workbench.data.findings import Stage
from workbench.data.schema import Role
from workbench.gui.dialogs.table_name import TableNameDialog, objection
from workbench.gui.models.counting import many, one_record, percent
from workbench.gui.models.cross import cross_of
from workbench.gui.pages.cells import CellsPage
from workbench.gui.session import Session
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.totals_card import ALL, BY_HAND, BY_ORDER, totals_after
from workbench.plan.cells import all_totals, grid_of, totals_of_order
from workbench.plan.plan import ReleasePlan, Table

KEYS = ("place", "sector", "ownership")


@pytest.fixture
def page(session: Session, qtbot: QtBot, open_sample: Callable[..., None]) -> CellsPage:
    open_sample(session, qtbot)
    page = CellsPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    qtbot.waitExposed(page)
    return page


def places_wanted(session: Session) -> list[tuple[Stage, str]]:
    wanted: list[tuple[Stage, str]] = []
    session.place_wanted.connect(lambda stage, where: wanted.append((stage, where)))
    return wanted


def test_the_product_is_spelled_out(page: CellsPage) -> None:
    assert page.subtitle() == "24 places × 20 sectors × 3 ownerships = 1,440 cells. With all totals: 2,100."


def test_the_arrow_takes_a_key_and_gives_it_back(page: CellsPage, qtbot: QtBot) -> None:
    page.chooser.available.select_key("sex")
    qtbot.mouseClick(page.chooser.add_button, Qt.MouseButton.LeftButton)
    assert page.session.plan.tables[0].keys == (*KEYS, "sex")
    assert "2 sexes = 2,880 cells" in page.subtitle()
    page.chooser.chosen.select_key("sex")
    qtbot.mouseClick(page.chooser.remove_button, Qt.MouseButton.LeftButton)
    assert page.session.plan.tables[0].keys == KEYS


def test_a_double_click_takes_a_key(page: CellsPage, qtbot: QtBot) -> None:
    view = page.chooser.available
    spot = view.visualRect(view.model().index(0, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert page.session.plan.tables[0].keys == (*KEYS, "sex")


def test_enter_takes_a_key_too(page: CellsPage, qtbot: QtBot) -> None:
    page.chooser.available.select_key("race")
    qtbot.keyClick(page.chooser.available, Qt.Key.Key_Return)
    assert page.session.plan.tables[0].keys[-1] == "race"


def test_undo_gives_back_keys_totals_and_words(page: CellsPage) -> None:
    before = page.session.plan
    page.chooser.chosen.select_key("sector")
    page.chooser.remove_button.click()
    assert page.session.undo_stack.undoText() == "removal of key sector"
    assert page.subtitle() == "24 places × 3 ownerships = 72 cells. With all totals: 100."
    page.session.undo_stack.undo()
    assert page.session.plan == before
    assert page.subtitle().startswith("24 places × 20 sectors")
    assert page.chooser.chosen.keys.names() == KEYS


def test_alt_down_moves_a_key_down(page: CellsPage, qtbot: QtBot) -> None:
    page.chooser.chosen.select_key("place")
    qtbot.keyClick(page.chooser.chosen, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert page.session.plan.tables[0].keys == ("sector", "place", "ownership")
    assert page.chooser.chosen.current_key() == "place"


def test_a_dropped_row_is_the_new_order(page: CellsPage) -> None:
    root = QModelIndex()
    assert page.chooser.chosen.keys.moveRows(root, 2, 1, root, 0)
    assert page.session.plan.tables[0].keys == ("ownership", "place", "sector")
    assert page.session.undo_stack.undoText() == "change of key order"
    assert [row[0] for row in page.key_table.texts()] == ["ownership", "place", "sector"]


def test_a_name_made_of_the_keys_follows_them_and_another_stays(page: CellsPage) -> None:
    page.chooser.keys_wanted.emit(("place",))
    assert page.session.plan.tables[0].name == "place"
    page.session.edit("x", page.session.plan.with_table(0, replace(page.session.plan.tables[0], name="towns")))
    page.chooser.keys_wanted.emit(("place", "sector"))
    assert page.session.plan.tables[0].name == "towns"


def test_columns_that_are_no_keys_say_so_and_lead_to_their_role(page: CellsPage, session: Session) -> None:
    column = session.plan.column("sex")
    assert column is not None
    session.edit("x", session.plan.with_column(replace(column, role=Role.IGNORE)))
    view = page.chooser.available
    view.select_key("sex")
    assert view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) == "sex, set role Key"
    wanted = places_wanted(session)
    page.chooser.add_button.click()
    assert wanted == [(Stage.COLUMNS, "columns.sex.role")]
    assert session.plan.tables[0].keys == KEYS


def test_measures_and_ids_are_not_offered(page: CellsPage) -> None:
    assert not {"earnings", "employer"} & set(page.chooser.available.keys.names())


def test_change_leads_to_the_code_list_on_columns(page: CellsPage, session: Session) -> None:
    wanted = places_wanted(session)
    button = page.fields["columns.sector"]
    assert isinstance(button, QPushButton)
    button.click()
    assert wanted == [(Stage.COLUMNS, "columns.sector.codes")]


def test_a_key_without_codes_is_said_instead_of_a_product(page: CellsPage, session: Session) -> None:
    column = session.plan.column("sector")
    assert column is not None
    session.edit("x", session.plan.with_column(replace(column, codes=None)))
    assert page.subtitle() == "The cells can be counted once sector has a code list."
    assert page.key_table.texts()[1][1] == "none yet"
    assert "once every key has its public code list" in page.cross.sentence.text()


def test_unticking_a_total_is_by_hand_and_undone(page: CellsPage) -> None:
    assert page.totals.radio(ALL).isChecked()
    page.totals.box(("place", "sector")).click()
    assert page.totals.radio(BY_HAND).isChecked()
    assert ("place", "sector") not in page.session.plan.tables[0].totals
    assert page.subtitle().endswith("With totals: 1,620.")
    page.session.undo_stack.undo()
    assert page.totals.radio(ALL).isChecked() and page.totals.box(("place", "sector")).isChecked()
    assert page.session.plan.tables[0].totals == all_totals(KEYS)


def test_by_order_takes_all_totals_of_so_many_keys(page: CellsPage) -> None:
    page.totals.radio(BY_ORDER).click()
    assert page.session.plan.tables[0].totals == totals_of_order(KEYS, 2)
    choice = page.totals.order_choice()
    choice.setCurrentIndex(choice.findData(1))
    choice.activated.emit(choice.currentIndex())
    assert page.session.plan.tables[0].totals == totals_of_order(KEYS, 1)
    page.totals.radio(ALL).click()
    assert page.session.plan.tables[0].totals == all_totals(KEYS)


@pytest.mark.parametrize(
    ("totals", "new", "expected"),
    [
        (all_totals(("a", "b")), ("a", "b", "c"), all_totals(("a", "b", "c"))),
        (totals_of_order(("a", "b"), 1), ("a", "b", "c"), totals_of_order(("a", "b", "c"), 1)),
        ((("a",),), ("b", "a", "c"), (("a",),)),
        ((("b",),), ("a",), ()),
    ],
)
def test_totals_follow_their_rule_when_keys_change(
    totals: tuple[tuple[str, ...], ...], new: tuple[str, ...], expected: tuple[tuple[str, ...], ...]
) -> None:
    assert totals_after(totals, ("a", "b"), new) == expected


def test_the_cross_shows_noise_and_sums(page: CellsPage) -> None:
    marks = page.cross.marks()
    assert len(marks) == 4 and len(marks[0]) == 21
    assert set(marks[0][:-1]) == {"≈"} and marks[0][-1] == "Σ"
    assert set(marks[-1]) == {"Σ"}
    assert "Anchorage: every cell gets noise" in page.cross.sentence.text()


def test_another_slice_of_the_cross_can_be_chosen(page: CellsPage) -> None:
    page.cross.slice_choice.setCurrentIndex(page.cross.slice_choice.count() - 1)
    assert {mark for row in page.cross.marks() for mark in row} == {"Σ"}


def test_a_total_that_is_not_published_is_a_dash_in_the_cross(page: CellsPage) -> None:
    page.totals.box(("place", "sector")).click()
    assert set(page.cross.marks()[-1][:-1]) == {"–"}


@pytest.mark.parametrize("keys", [(), ("place",), ("place", "sector"), ("place", "sector", "ownership", "sex")])
def test_crosses_of_any_number_of_keys_have_one_mark_per_heading(page: CellsPage, keys: tuple[str, ...]) -> None:
    table = Table("t", keys, all_totals(keys))
    grid = grid_of(page.session.plan, table)
    assert grid is not None
    cross = cross_of(table, grid, 0, 12)
    assert len(cross.marks) == len(cross.down)
    assert all(len(row) == len(cross.across) for row in cross.marks)
    assert cross.marks[0][0] == "≈"


def test_a_large_cross_is_cut_and_says_so(page: CellsPage) -> None:
    table = Table("t", ("place", "sector"))
    grid = grid_of(page.session.plan, table)
    assert grid is not None
    cross = cross_of(table, grid, None, 12)
    assert cross.sentence.endswith("12 of 24 codes of place and 8 of 20 codes of sector; the others are treated alike.")
    assert "…" in cross.marks[0]


def test_tables_can_be_added_switched_renamed_and_removed(page: CellsPage, session: Session, qtbot: QtBot) -> None:
    page.add_button.click()
    assert [table.name for table in session.plan.tables] == ["place-sector-ownership", "total"]
    assert page.subtitle() == "No keys: the table is 1 cell, the total of all records."
    assert sum(table.statistics[0].share for table in session.plan.tables) == 1
    page.rename_button.click()
    dialog = page.findChild(TableNameDialog)
    assert dialog is not None
    dialog.edit.setText("place-sector-ownership")
    assert not dialog.rename_button.isEnabled() and dialog.objection() == "Another table has this name."
    dialog.edit.setText("all jobs")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    assert session.plan.tables[1].name == "all jobs"
    page.show_table(0)
    assert page.subtitle().startswith("24 places")
    page.remove_button.click()
    assert [table.name for table in session.plan.tables] == ["all jobs"]
    assert session.plan.tables[0].statistics[0].share == 1


def test_without_tables_the_page_offers_to_add_one(page: CellsPage, session: Session) -> None:
    page.remove_button.click()
    assert page.empty.isVisible() and page.empty.button.text() == "Add table"
    page.empty.button.click()
    assert session.plan.tables[0].keys == () and not page.empty.isVisible()


def test_without_a_project_the_page_leads_to_data(session: Session, qtbot: QtBot) -> None:
    page = CellsPage(session)
    qtbot.addWidget(page)
    wanted = places_wanted(session)
    page.empty.button.click()
    assert wanted == [(Stage.DATA, "")]


def test_findings_lead_to_their_fields(page: CellsPage, qtbot: QtBot) -> None:
    page.add_button.click()
    page.activateWindow()
    for where, widget in (
        ("tables.0.keys", page.chooser.available),
        ("tables.1.name", page.rename_button),
        ("tables", page.add_button),
    ):
        page.go_to(where)
        assert page.focusWidget() is widget, where
    page.go_to("tables.0.keys")
    page.go_to("columns.sector.codes")
    assert page.focusWidget() is page.fields["columns.sector"]


def test_refreshing_changes_nothing(page: CellsPage) -> None:
    before = page.session.plan
    page.refresh()
    assert page.session.plan is before
    assert page.session.undo_stack.count() == 0


def test_the_inspector_counts_cells_and_says_how_they_share_epsilon(page: CellsPage, qtbot: QtBot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    page.fill_inspector(inspector)
    said = spoken(inspector)
    assert "1,440" in said and "= 24 × 20 × 3" in said and "660" in said
    assert any(words.startswith("Within a table every record is in one cell") for words in said)


def spoken(widget: QWidget) -> list[str]:
    return [child.accessibleName() for child in widget.findChildren(QWidget) if child.accessibleName()]


@pytest.mark.parametrize(
    ("name", "others", "why"),
    [("jobs", [], ""), (" ", [], "A table needs a name."), ("a/b", [], "file name"), ("a", ["a"], "Another table")],
)
def test_names_that_cannot_be_taken_say_why(name: str, others: list[str], why: str) -> None:
    assert objection(name, others) == why or (why and why in objection(name, others))


def test_words_for_counts() -> None:
    assert [many(24, "place"), many(1, "cell"), many(4, "county"), many(2, "sex")] == [
        "24 places", "1 cell", "4 counties", "2 sexes",
    ]  # fmt: skip
    assert many(10, "years_since_leaving") == "10 years_since_leaving codes"
    assert [one_record(unit) for unit in ("jobs", "people", "graduate records", "businesses")] == [
        "job record", "person record", "graduate record", "business record",
    ]  # fmt: skip
    assert [percent(part) for part in (1, 0.9999, 0.834, 0.001, 0)] == [
        "100\N{NO-BREAK SPACE}%", "99.9\N{NO-BREAK SPACE}%", "83\N{NO-BREAK SPACE}%",
        "<\N{NO-BREAK SPACE}1\N{NO-BREAK SPACE}%", "0\N{NO-BREAK SPACE}%",
    ]  # fmt: skip


def test_an_empty_plan_has_no_table_to_show(session: Session, qtbot: QtBot) -> None:
    page = CellsPage(session)
    qtbot.addWidget(page)
    assert session.plan == ReleasePlan() and page.table is None
