"""Page 2: roles, public bounds and public codes are decided here; nothing is ever taken from the data."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from workbench import workflow
from workbench.data.schema import BelongsTo, BoundsSource, CodeList, Column, Role, Unlisted
from workbench.gui.dialogs import code_list
from workbench.gui.dialogs.code_list import CodeListDialog, parse_codes, save_codes
from workbench.gui.models.columns import At, place_in_columns
from workbench.gui.pages.columns import ColumnsPage
from workbench.gui.roles import OFFERED
from workbench.gui.widgets.bounds_form import FROM_DATA
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.text import Text
from workbench.plan.codefile import read_codes


@pytest.fixture
def empty_page(session, qtbot):
    page = ColumnsPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    with qtbot.waitExposed(page):
        page.show()
    return page


@pytest.fixture
def page(empty_page, session, qtbot, open_sample):
    open_sample(session, qtbot, "jobs_of_workers")
    return empty_page


def _idle(session, qtbot):
    qtbot.waitUntil(lambda: not session.tasks.is_busy, timeout=20_000)


def _cell(page, name: str, at: At) -> str:
    rows = range(page.shown_rows.rowCount())
    row = next(row for row in rows if page.shown_rows.index(row, At.NAME).data() == name)
    return page.shown_rows.index(row, at).data()


def _names(page) -> list[str]:
    return [page.shown_rows.index(row, At.NAME).data() for row in range(page.shown_rows.rowCount())]


def _choose_source(page, words: str) -> None:
    at = page.bounds.source.findText(words)
    page.bounds.source.setCurrentIndex(at)
    page.bounds.source.activated.emit(at)


def _type(qtbot, field, text: str) -> None:
    field.line_edit().selectAll()
    qtbot.keyClicks(field.line_edit(), text)


# ---- the table


def test_without_columns_the_page_leads_to_data(empty_page, session, qtbot):
    assert empty_page.empty.isVisible()
    with qtbot.waitSignal(session.place_wanted):
        qtbot.mouseClick(empty_page.empty.button, Qt.MouseButton.LeftButton)


def test_every_column_of_the_file_is_a_row_in_its_order(page, session):
    assert _names(page) == [facts.name for facts in session.dataset.columns]
    assert _cell(page, "job", At.ROLE) == "Ignore"
    assert _cell(page, "place", At.CODES) == "places (24)"
    assert _cell(page, "earnings", At.BOUNDS) == "0 to 50,000"
    assert _cell(page, "earnings", At.SOURCE) == "Policy"
    assert _cell(page, "earnings", At.TYPE) == "number"
    assert page.counts.text() == "7 keys, 1 measure, 1 id, 1 ignored"


def test_closing_the_project_empties_the_page(page, session):
    session.close_project()
    assert page.empty.isVisible()
    assert page.chosen is None


def test_a_column_only_the_plan_knows_is_listed_and_needs_the_officer(page, session, qtbot):
    session.edit("addition", session.plan.with_column(Column("wages", Role.PERSON_ID)))
    _idle(session, qtbot)
    assert _cell(page, "wages", At.TYPE) == "not in the file"
    assert _cell(page, "wages", At.STATE) == "needs you"
    assert page.subtitle().startswith("1 column needs you.")


def test_the_filter_keeps_columns_by_name(page, qtbot):
    qtbot.keyClicks(page.filter, "SE")
    assert _names(page) == ["sector", "sex"]
    page.filter.clear()
    assert len(_names(page)) == 10


def test_only_rows_that_need_me(page, session, qtbot):
    page.only_needing.click()
    assert _names(page) == []
    session.edit("no bound", session.plan.with_column(replace(session.plan.column("earnings"), upper=None)))
    _idle(session, qtbot)
    assert _names(page) == ["earnings"]


def test_editing_keeps_the_selected_row_and_the_scroll_position(page, session, qtbot):
    page._select("education")
    before = page.table.verticalScrollBar().value()
    session.edit("other", session.plan.with_column(replace(session.plan.column("sex"), role=Role.IGNORE)))
    _idle(session, qtbot)
    assert page.chosen.name == "education"
    assert page.table.currentIndex().siblingAtColumn(At.NAME).data() == "education"
    assert page.table.verticalScrollBar().value() == before


# ---- roles


def _role_editor(page) -> QComboBox:
    return next(box for box in page.table.viewport().findChildren(QComboBox) if box.isVisible())


def test_a_role_is_chosen_in_the_table_and_undone(page, session, qtbot):
    page._select("sex")
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    editor = _role_editor(page)
    assert editor.currentText() == "Key"
    editor.setCurrentIndex(editor.findText("Ignore"))
    editor.activated.emit(editor.currentIndex())
    assert session.plan.column("sex").role is Role.IGNORE
    assert _cell(page, "sex", At.ROLE) == "Ignore"
    assert session.undo_stack.undoText() == "change of role of sex"
    session.undo_stack.undo()
    assert _cell(page, "sex", At.ROLE) == "Key"
    _idle(session, qtbot)


def test_one_click_on_the_role_opens_its_choice(page, qtbot):
    index = page.shown_rows.index(2, At.ROLE)
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=page.table.visualRect(index).center())
    assert _role_editor(page).currentText() == "Key"
    QApplication.processEvents()
    _role_editor(page).hidePopup()


def test_a_column_of_the_file_that_the_plan_lacks_can_be_given_a_role(page, session):
    page.model.role_chosen.emit("job", Role.PERSON_ID)
    assert session.plan.column("job") == Column("job", Role.PERSON_ID)


def test_an_id_can_never_become_a_measure(page, session, qtbot):
    page._select("employer")
    page.table.open_role(page.table.currentIndex().row())
    items = _role_editor(page).model()
    assert isinstance(items, QStandardItemModel)
    offered = {items.item(row).text(): items.item(row).isEnabled() for row in range(items.rowCount())}
    assert offered == {"Key": True, "Measure": False, "Person id": True, "Employer id": True, "Ignore": True}
    page.model.role_chosen.emit("employer", Role.MEASURE)
    assert session.plan.column("employer").role is Role.EMPLOYER_ID
    page.roles.aboutToShow.emit()
    assert not page.roles.offers[Role.MEASURE].isEnabled()
    assert page.roles.offers[Role.KEY].isEnabled()
    QApplication.processEvents()
    _role_editor(page).hidePopup()


def test_several_rows_get_one_role_in_one_step(page, session, qtbot):
    page.table.clearSelection()
    for name in ("sex", "race", "education"):
        row = _names(page).index(name)
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        page.table.selectionModel().select(page.shown_rows.index(row, 0), flags)
    assert page.set_role.text() == "Set role of 3 &selected"
    page.roles.offers[Role.IGNORE].trigger()
    assert {session.plan.column(name).role for name in ("sex", "race", "education")} == {Role.IGNORE}
    assert page.counts.text() == "4 keys, 1 measure, 1 id, 4 ignored"
    session.undo_stack.undo()
    assert page.counts.text() == "7 keys, 1 measure, 1 id, 1 ignored"
    _idle(session, qtbot)


def test_five_hundred_columns_are_painted_without_a_widget_each(session, empty_page, qtbot, tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"column_{number:03d}" for number in range(500)]
    path.write_text(",".join(names) + "\n" + ",".join("1" * 500) + "\n", encoding="utf-8")
    session.open_spreadsheet(path)
    _idle(session, qtbot)
    assert len(_names(empty_page)) == 500
    assert len(empty_page.table.viewport().findChildren(QWidget)) == 0
    empty_page._select("column_499")
    assert empty_page.table.visualRect(empty_page.table.currentIndex()).intersects(empty_page.table.viewport().rect())


# ---- bounds


def test_bounds_are_typed_and_applied_exactly(page, session, qtbot):
    page.go_to("columns.earnings.upper")
    assert page.bounds.upper_bound.line_edit().hasFocus()
    assert not page.bounds.apply.isEnabled()
    _type(qtbot, page.bounds.upper_bound, "12,500.10")
    _choose_source(page, "Law")
    qtbot.mouseClick(page.bounds.apply, Qt.MouseButton.LeftButton)
    column = session.plan.column("earnings")
    assert column.upper == Fraction("12500.10")
    assert column.bounds_source is BoundsSource.LAW
    assert _cell(page, "earnings", At.BOUNDS) == "0 to 12,500.1"
    assert session.undo_stack.undoText() == "change of bounds of earnings"
    session.undo_stack.undo()
    assert page.bounds.upper_bound.line_edit().text() == "50,000"
    assert page.bounds.source.currentText() == "Policy"
    _idle(session, qtbot)


def test_enter_in_a_bound_applies_it(page, session, qtbot):
    page.go_to("columns.earnings.lower")
    _type(qtbot, page.bounds.lower_bound, "100")
    qtbot.keyClick(page.bounds.lower_bound.line_edit(), Qt.Key.Key_Return)
    assert session.plan.column("earnings").lower == 100
    _idle(session, qtbot)


def test_an_upper_bound_below_the_lower_one_cannot_be_applied(page, session, qtbot):
    page.go_to("columns.earnings.lower")
    _type(qtbot, page.bounds.lower_bound, "60000")
    assert page.bounds.upper_bound.error() == "Must be above the lower bound."
    assert not page.bounds.apply.isEnabled()
    _type(qtbot, page.bounds.upper_bound, "x")
    assert page.bounds.upper_bound.error() == "Type a number."
    _type(qtbot, page.bounds.upper_bound, "70000")
    assert page.bounds.apply.isEnabled()


def test_a_bound_taken_from_the_data_is_refused_in_place_with_the_reason(page, session):
    page.go_to("columns.earnings.bounds_source")
    assert page.bounds.source.hasFocus()
    before = session.plan
    _choose_source(page, FROM_DATA)
    assert page.bounds.source.currentText() == "Policy"
    assert "“Largest value in the data” was refused." in page.bounds.note.accessibleName()
    assert "would publish one person’s value" in page.bounds.note.accessibleName()
    assert session.plan == before
    _choose_source(page, "Law")
    assert "refused" not in page.bounds.note.accessibleName()


def test_what_is_being_typed_survives_a_change_elsewhere(page, session, qtbot):
    page.go_to("columns.earnings.upper")
    _type(qtbot, page.bounds.upper_bound, "777")
    session.edit("other", session.plan.with_column(replace(session.plan.column("sex"), role=Role.IGNORE)))
    _idle(session, qtbot)
    assert page.bounds.upper_bound.value() == "777"


def test_no_minimum_or_maximum_of_the_data_is_ever_shown(page, session):
    look = "SELECT max(earnings::INT)::TEXT, min(earnings::INT)::TEXT FROM records"
    largest, smallest = session.dataset.engine.connection.execute(look).fetchone()
    page._select("earnings")
    inspector = Inspector()
    page.fill_inspector(inspector)
    labels = [label.text() for label in (*page.findChildren(Text), *inspector.findChildren(Text))]
    cells = [page.model.index(row, column).data() for row in range(10) for column in At if column != At.EXAMPLE]
    words = {word.replace(",", "") for text in (*labels, *cells) for word in text.split()}
    assert "50000" in words, "the public bound is shown"
    assert largest not in words
    assert smallest not in words


# ---- codes


def test_a_key_shows_its_codes_with_labels(page):
    page._select("place")
    assert page.codes.words.accessibleName() == "24 codes, from places.csv."
    assert page.codes.codes.index(0, 0).data() == "0203000"
    assert page.codes.codes.index(0, 1).data() == "Anchorage"


def test_clearing_a_list_is_undoable_and_the_key_then_needs_the_officer(page, session, qtbot):
    page._select("place")
    qtbot.mouseClick(page.codes.clear, Qt.MouseButton.LeftButton)
    assert session.plan.column("place").codes is None
    _idle(session, qtbot)
    assert _cell(page, "place", At.STATE) == "needs you"
    assert not page.codes.clear.isEnabled()
    session.undo_stack.undo()
    assert page.codes.codes.rowCount() == 24
    _idle(session, qtbot)


def _paste(page, qtbot, text: str) -> CodeListDialog:
    qtbot.mouseClick(page.codes.paste, Qt.MouseButton.LeftButton)
    dialog = page.findChild(CodeListDialog)
    dialog.edit.setPlainText(text)
    return dialog


def test_pasted_codes_stay_text(page, session, qtbot):
    page._select("place")
    dialog = _paste(page, qtbot, "02\n04\n31-33\n")
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert session.plan.column("place").codes == CodeList.typed(("02", "04", "31-33"))
    assert page.codes.words.accessibleName() == "3 codes, typed in."
    assert session.undo_stack.undoText() == "change of codes of place"
    _idle(session, qtbot)


def test_pasted_labels_are_kept_in_a_code_file(page, session, qtbot, tmp_path, monkeypatch):
    kept = tmp_path / "place.csv"
    monkeypatch.setattr(code_list.QFileDialog, "getSaveFileName", staticmethod(lambda *asked: (str(kept), "")))
    page._select("place")
    dialog = _paste(page, qtbot, "02\tAlaska\n04\tArizona, all of it\n")
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    codes = session.plan.column("place").codes
    assert codes == CodeList(("02", "04"), ("Alaska", "Arizona, all of it"), kept)
    assert read_codes(kept) == codes
    _idle(session, qtbot)


def test_wrong_lines_are_named_and_cannot_be_taken(page, qtbot):
    page._select("place")
    dialog = _paste(page, qtbot, "02\n04\n02\n,label")
    assert not dialog.accept_button.isEnabled()
    assert "Line 3: “02” stands already in line 1." in dialog.state.accessibleName()
    assert "Line 4 has a label but no code." in dialog.state.accessibleName()
    dialog.reject()


def test_the_dialog_begins_with_the_present_list_and_taking_it_unchanged_changes_nothing(
    page, session, qtbot, tmp_path, monkeypatch
):
    kept = tmp_path / "place.csv"
    monkeypatch.setattr(code_list.QFileDialog, "getSaveFileName", staticmethod(lambda *asked: (str(kept), "")))
    page._select("place")
    qtbot.mouseClick(page.codes.paste, Qt.MouseButton.LeftButton)
    dialog = page.findChild(CodeListDialog)
    assert dialog.edit.toPlainText().startswith("0203000\tAnchorage\n")
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert session.undo_stack.count() == 0
    assert not kept.exists()


@pytest.mark.parametrize(
    ("text", "codes", "labels"),
    [
        ("a\nb", ("a", "b"), ("a", "b")),
        ("code,label\na,First\nb", ("a", "b"), ("First", "b")),
        ('"State, local",Both\n\n  x  ', ("State, local", "x"), ("Both", "x")),
        ("a, b\tFirst", ("a, b",), ("First",)),
        ("", (), ()),
    ],
)
def test_pasted_text_is_read_as_codes_and_labels(text, codes, labels):
    assert parse_codes(text) == (CodeList(codes, labels), ())


def test_a_saved_list_is_read_back_even_when_a_code_is_called_code(tmp_path):
    codes = CodeList(("code", "x,y"), ("A", "B"))
    saved = save_codes(codes, tmp_path / "codes.csv")
    assert read_codes(tmp_path / "codes.csv") == saved


def test_codes_are_read_from_a_file(page, session, qtbot, tmp_path, monkeypatch):
    file = tmp_path / "sexes.csv"
    file.write_text("code,label\nF,Women\nM,Men\n", encoding="utf-8")
    monkeypatch.setattr(code_list.QFileDialog, "getOpenFileName", staticmethod(lambda *asked: (str(file), "")))
    page._select("sex")
    qtbot.mouseClick(page.codes.from_file, Qt.MouseButton.LeftButton)
    _idle(session, qtbot)
    assert session.plan.column("sex").codes == CodeList(("F", "M"), ("Women", "Men"), file)


def test_a_file_that_is_no_code_list_says_so_beside_the_list(page, session, qtbot, tmp_path):
    file = tmp_path / "twice.csv"
    file.write_text("F\nF\n", encoding="utf-8")
    failed = []
    session.tasks.failed.connect(failed.append)
    page._select("sex")
    page.read_code_file(file)
    _idle(session, qtbot)
    assert page.codes.trouble.isVisible()
    assert "“F” stands twice in “twice.csv”" in page.codes.trouble.accessibleName()
    assert failed == []
    assert session.plan.column("sex").codes.source == "sex.csv"


def test_records_off_the_list_can_be_left_out(page, session, qtbot):
    page.go_to("jobs!F2")
    assert page.chosen.name == "sex"
    assert page.codes.remedy.hasFocus()
    qtbot.keyClick(page.codes.remedy, Qt.Key.Key_Down)
    assert session.plan.column("sex").unlisted is Unlisted.LEAVE_OUT
    session.undo_stack.undo()
    assert page.codes.remedy.currentText() == "Refuse the release"
    _idle(session, qtbot)


# ---- whose property a key is


def test_a_key_of_the_workplace_is_declared_by_keyboard_and_undone(page, session, qtbot):
    page._select("race")
    choice = page.codes.belongs_to
    assert choice.isVisible() and choice.currentText() == "Worker"
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert session.plan.column("race").belongs_to is BelongsTo.ESTABLISHMENT
    assert _cell(page, "race", At.BELONGS) == "establishment" and _cell(page, "sex", At.BELONGS) == "worker"
    assert "Cells of such keys share no establishment" in choice.toolTip()
    assert session.undo_stack.undoText() == "change of whose property race is"
    session.undo_stack.undo()
    assert session.plan.column("race").belongs_to is BelongsTo.WORKER and choice.currentText() == "Worker"
    _idle(session, qtbot)


def test_it_is_kept_in_the_plan_file(page, session, qtbot, tmp_path):
    page._select("race")
    page.codes.owner_chosen.emit(BelongsTo.ESTABLISHMENT)
    session.save(tmp_path / "plan.toml")
    plan, problems = workflow.open_plan(tmp_path / "plan.toml")
    assert plan.column("race").belongs_to is BelongsTo.ESTABLISHMENT and not problems
    _idle(session, qtbot)


def test_without_employers_it_is_not_asked(page, session, qtbot):
    assert not page.table.isColumnHidden(At.BELONGS)
    session.edit("x", session.plan.with_column(Column("employer", Role.IGNORE)))
    page._select("sector")
    assert page.table.isColumnHidden(At.BELONGS) and not page.codes.belongs_to.isVisible()
    session.undo_stack.undo()
    assert not page.table.isColumnHidden(At.BELONGS)
    _idle(session, qtbot)


def test_the_table_settles_at_every_width(page, qtbot):
    for width in range(1300, 560, -23):
        page.resize(width, 741)
        QApplication.processEvents()
    assert page.table.isColumnHidden(At.TYPE)
    page.resize(1300, 741)
    QApplication.processEvents()
    assert not page.table.isColumnHidden(At.TYPE)


# ---- other roles, going to fields, the inspector


@pytest.mark.parametrize(("name", "words"), [("employer", "never published"), ("job", "dropped on load")])
def test_ids_and_ignored_columns_are_explained_in_a_sentence(page, name, words):
    page._select(name)
    assert page.sentence.isVisible()
    assert words in page.sentence.text()


def test_roles_without_use_in_this_version_are_not_offered():
    assert Role.WEIGHT not in OFFERED


def test_going_to_a_column_takes_away_the_filter_that_hides_it(page, qtbot):
    qtbot.keyClicks(page.filter, "job")
    page.go_to("columns.place.codes")
    assert page.filter.text() == ""
    assert page.chosen.name == "place"
    assert page.codes.paste.hasFocus()


def test_going_to_a_role_or_to_no_column_focuses_the_table(page):
    for where in ("columns.place.role", "protect.neighbors"):
        page.filter.setFocus()
        page.go_to(where)
        assert page.table.hasFocus()


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("columns.a.lower", ("a", "lower")),
        ("columns.a.b", ("a.b", "")),
        ("columns.a.b.codes", ("a.b", "codes")),
        ("plan.toml, line 3, columns.a.role", ("a", "role")),
        ("tables.0.keys", ("", "")),
    ],
)
def test_a_finding_names_its_column_even_when_names_have_dots(where, place):
    assert place_in_columns(where, frozenset({"a", "a.b"}), None) == place


def test_the_inspector_counts_values_and_missing(page):
    page._select("earnings")
    inspector = Inspector()
    page.fill_inspector(inspector)
    texts = [label.text() for label in inspector.findChildren(Text)]
    assert "column J" in texts
    assert "20,000" in texts
    assert "Id: says who is protected" in texts


def test_everything_that_takes_the_focus_has_a_name(page):
    for widget in page.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            words = widget.accessibleName() or getattr(widget, "text", str)()
            assert words, type(widget).__name__
            assert "&" not in widget.accessibleName()
