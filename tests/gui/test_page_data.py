"""Page 1: the sheet is shown as it stands, guesses can be corrected, and every finding has an address and a remedy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QPushButton, QWidget

from workbench.data.findings import Stage
from workbench.data.opening import open_dataset
from workbench.data.schema import CodeList, Unlisted
from workbench.gui.models.sheet_grid import BLOCK, SheetGrid, cell_at
from workbench.gui.pages.data import DataPage
from workbench.gui.widgets.findings_card import REMEDY, SHOW
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.tables import CellRole
from workbench.gui.widgets.text import Text


@pytest.fixture
def page(session, qtbot):
    page = DataPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    with qtbot.waitExposed(page):
        page.show()
    return page


@pytest.fixture
def employees(page, session, qtbot, open_sample):
    """The sample with titles above its header."""
    open_sample(session, qtbot, "university_employees")
    return page


@pytest.fixture
def shortened(employees, session, qtbot):
    """The same, with a code list that lacks the sector of the first record."""
    column = session.plan.column("sector")
    codes = tuple(code for code in column.codes.codes if code != "Academia")
    session.edit("shorter list", session.plan.with_column(replace(column, codes=CodeList.typed(codes))))
    qtbot.waitUntil(lambda: not session.tasks.is_busy)
    return employees


def _idle(session, qtbot):
    qtbot.waitUntil(lambda: not session.tasks.is_busy, timeout=20_000)


def _inspector_texts(page):
    inspector = Inspector()
    page.fill_inspector(inspector)
    return [label.accessibleName() for label in inspector.findChildren(Text)]


def _drop(page, path: Path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    page.dropEvent(event)
    return event


# ---- the sheet


def test_without_data_there_is_one_button_that_asks_for_a_file(page, qtbot):
    assert page.drop_area.isVisible()
    assert not page.view.isVisible()
    with qtbot.waitSignal(page.file_wanted):
        qtbot.mouseClick(page.drop_area.button, Qt.MouseButton.LeftButton)


def test_the_sheet_stands_there_with_letters_numbers_and_tagged_titles(employees):
    grid = employees.grid
    assert grid.headerData(3, Qt.Orientation.Horizontal) == "D"
    assert grid.headerData(4, Qt.Orientation.Vertical) == "5"
    assert grid.index(0, 0).data() == "Earnings and sector of former university employees"
    assert grid.index(0, 0).data(CellRole.TAG) == "title, skipped"
    assert grid.index(0, 0).data(CellRole.MUTED)
    assert grid.index(3, 0).data() == "person"
    assert grid.index(3, 0).data(CellRole.BOLD)
    assert grid.index(4, 0).data(CellRole.TAG) is None
    assert employees.view.columnSpan(0, 0) == 6


def test_while_the_file_is_read_the_page_says_so_and_a_missing_file_is_named(page, session, qtbot, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('title = "Jobs"\n[data]\npath = "moved.xlsx"\n', encoding="utf-8")
    session.open_plan(plan)
    assert page.subtitle() == "Reading moved.xlsx …"
    _idle(session, qtbot)
    assert page.subtitle() == "“moved.xlsx” is not read. If it has moved, open it where it is now."
    assert page.drop_area.isVisible()


def test_subtitle_and_guess_say_what_was_read(employees):
    assert employees.subtitle().startswith("university_employees.xlsx, sheet “employees”.")
    assert employees.guess.text() == "Records start in row 5; the 3 rows above it are skipped."
    assert employees.header_row.value() == 4


def test_only_the_blocks_in_view_are_fetched(tmp_path, app):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "\n".join(f"{row},x" for row in range(20_000)), encoding="utf-8")
    dataset = open_dataset(path)
    asked = []
    fetch = dataset.engine.grid_rows
    dataset.engine.grid_rows = lambda start, count: asked.append(start) or fetch(start, count)
    grid = SheetGrid()
    grid.set_dataset(dataset)
    assert grid.rowCount() == 20_001
    assert asked == []
    for _ in range(3):
        assert grid.index(15_000, 0).data() == "14999"
    assert asked == [15_000 // BLOCK * BLOCK + 1]


def test_the_last_row_of_a_long_sheet_can_be_reached(tmp_path, session, page, qtbot):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "\n".join(f"{row},x" for row in range(5_000)), encoding="utf-8")
    session.open_spreadsheet(path)
    _idle(session, qtbot)
    page.go_to("A5001")
    assert page.view.currentIndex().data() == "4999"
    assert page.view.visualRect(page.view.currentIndex()).intersects(page.view.viewport().rect())


def test_closing_the_project_empties_the_page(employees, session):
    session.close_project()
    assert employees.drop_area.isVisible()
    assert employees.grid.rowCount() == 0
    assert _inspector_texts(employees) == ["Inspector", "F6"]


def test_an_address_names_a_row_and_a_column(employees, session):
    assert cell_at(session.dataset, "employees!D5") == (4, 3)
    assert cell_at(session.dataset, "D5") == (4, 3)
    assert cell_at(session.dataset, "Z5") is None
    assert cell_at(session.dataset, "columns.sector.codes") is None


# ---- correcting the guesses


def test_another_header_row_can_be_chosen_and_undone(employees, session, qtbot):
    employees.header_row.setValue(5)
    _idle(session, qtbot)
    assert session.dataset.header_row == 5
    assert session.plan.data.header_row == 5
    assert employees.grid.index(4, 0).data(CellRole.BOLD)
    assert employees.guess.text() == "Records start in row 6; the 4 rows above it are skipped."
    session.undo_stack.undo()
    assert session.plan.data.header_row == 4


def test_typing_a_header_row_reads_only_when_it_is_complete(employees, session, qtbot):
    read = []
    session.tasks.started.connect(lambda words, work: read.append(words))
    field = employees.header_row
    assert isinstance(field, QAbstractSpinBox)
    field.selectAll()
    qtbot.keyClicks(field, "12")
    assert read == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    _idle(session, qtbot)
    assert len(read) == 1
    assert session.dataset.header_row == 12


def test_a_header_row_that_cannot_be_is_put_back(employees, session, qtbot):
    with qtbot.waitSignal(session.tasks.failed):
        employees.header_row.setValue(3)
    assert employees.header_row.value() == 4
    assert session.dataset.header_row == 4


def test_another_sheet_can_be_chosen(tmp_path, session, page, qtbot):
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "first"
    book.active.append(["place", "jobs"])
    book.active.append(["02", 1])
    other = book.create_sheet("second")
    other.append(["sector", "staff"])
    other.append(["31-33", 2])
    book.save(tmp_path / "two.xlsx")
    session.open_spreadsheet(tmp_path / "two.xlsx")
    _idle(session, qtbot)
    assert [page.sheet.itemText(at) for at in range(page.sheet.count())] == ["first", "second"]
    page.sheet.setCurrentText("second")
    page.sheet.textActivated.emit("second")
    _idle(session, qtbot)
    assert page.grid.index(0, 0).data() == "sector"
    assert session.plan.data.sheet == "second"


def test_a_file_without_sheets_offers_no_choice_of_sheet(session, page, qtbot, open_sample):
    open_sample(session, qtbot, "tract_mobility")
    assert not page.sheet.isVisible()
    assert page.header_row.isVisible()


def test_a_dropped_file_replaces_the_data_and_a_plan_is_left_to_the_window(employees, session, qtbot, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("person,sector\n1,Academia\n", encoding="utf-8")
    assert _drop(employees, path).isAccepted()
    _idle(session, qtbot)
    assert session.dataset.path == path
    assert session.plan.title.startswith("Former university employees")
    _drop(employees, tmp_path / "plan.toml")
    assert not session.tasks.is_busy


def test_dropping_on_the_empty_page_begins_a_plan(page, session, qtbot, tmp_path):
    path = tmp_path / "pay_2025.csv"
    path.write_text("place,pay\n02,10\n", encoding="utf-8")
    page.drop_area.dropped.emit(path)
    _idle(session, qtbot)
    assert session.is_open
    assert session.plan.title == "Pay 2025"
    assert page.view.isVisible()


# ---- findings


def test_with_listed_codes_everything_is_in_order(employees):
    titles, codes = employees.findings.table.texts()
    assert titles[:2] == ["noted", "employees!A1:A3"]  # the rows of the title, left out where anyone can see it
    assert codes[:3] == ["done", "columns B, C, D, E", "Every record carries a code of its public list."]


def test_codes_off_the_list_are_found_with_address_and_outlined(shortened):
    first = shortened.findings.table.texts()[0]
    assert first[:2] == ["needs you", "employees!D5"]
    assert first[2] == "1,536 records in “sector” carry a code that is not on the list."
    grid = shortened.grid
    assert grid.index(4, 3).data() == "Academia"
    assert grid.index(4, 3).data(CellRole.FLAGGED)
    assert not grid.index(5, 3).data(CellRole.FLAGGED)
    assert not grid.index(3, 3).data(CellRole.FLAGGED), "the header is no record"


def test_go_to_selects_the_cell(shortened, qtbot):
    button = shortened.findings.control(0, SHOW)
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    current = shortened.view.currentIndex()
    assert (current.row(), current.column()) == (4, 3)
    assert shortened.view.hasFocus()


def test_a_finding_about_the_plan_goes_to_its_stage(employees, session, qtbot):
    column = session.plan.column("sector")
    session.edit("rename", replace(session.plan, columns=(*session.plan.columns, replace(column, name="wages"))))
    _idle(session, qtbot)
    row = next(at for at, texts in enumerate(employees.findings.table.texts()) if "wages" in texts[1])
    with qtbot.waitSignal(session.place_wanted) as wanted:
        qtbot.mouseClick(employees.findings.control(row, SHOW), Qt.MouseButton.LeftButton)
    assert wanted.args == [Stage.COLUMNS, "columns.wages"]


def test_leaving_records_out_edits_the_plan_and_keeps_the_focus(shortened, session, qtbot):
    choice = shortened.findings.control(0, REMEDY)
    assert isinstance(choice, QComboBox)
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    _idle(session, qtbot)
    assert session.plan.column("sector").unlisted is Unlisted.LEAVE_OUT
    assert session.undo_stack.undoText() == "remedy for sector"
    assert shortened.findings.table.texts()[0][0] == "noted"
    assert shortened.findings.control(0, REMEDY).hasFocus()
    session.undo_stack.undo()
    _idle(session, qtbot)
    assert shortened.findings.table.texts()[0][0] == "needs you"
    assert shortened.findings.control(0, REMEDY).currentText() == "Refuse the release"


def test_findings_of_the_old_file_do_no_harm_while_the_new_one_is_checked(shortened, session, qtbot, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("person,university,title,blank\nP1,U04,Faculty,\n", encoding="utf-8")
    session.replace_data(path)
    _idle(session, qtbot)
    assert session.dataset.path == path
    assert "The file has no column “sector”." in [row[2] for row in shortened.findings.table.texts()]


def test_renamed_columns_are_one_finding(tmp_path, session, page, qtbot):
    path = tmp_path / "blank.csv"
    path.write_text("place,pay,,,\n02,1,2,3,4\n", encoding="utf-8")
    session.open_spreadsheet(path)
    _idle(session, qtbot)
    rows = page.findings.table.texts()
    assert [row[:2] for row in rows] == [["noted", "C1 and 2 more"]]
    assert "“column C”" in rows[0][2]


# ---- the inspector


def test_the_inspector_tells_about_the_file_and_the_selected_cell(employees, session):
    employees.view.show_cell(4, 1)
    texts = _inspector_texts(employees)
    assert "6,000" in texts
    assert session.dataset.sha256[:4] in " ".join(texts)
    assert "Selected cell: B5" in texts
    labels = session.plan.column("university").codes
    assert labels.labels[labels.codes.index("U04")] in texts


def test_selecting_a_cell_asks_for_the_inspector(employees, qtbot):
    with qtbot.waitSignal(employees.inspector_changed):
        employees.view.show_cell(6, 2)


def test_a_cell_off_the_list_says_so(shortened):
    shortened.view.show_cell(4, 3)
    assert any(text.startswith("Not one of the") for text in _inspector_texts(shortened))


@pytest.mark.parametrize(("where", "field"), [("data.path", "replace_button"), ("data.header_row", "header_row")])
def test_a_finding_leads_to_its_field(employees, where, field):
    employees.go_to(where)
    assert getattr(employees, field).hasFocus()


def test_everything_that_takes_the_focus_has_a_name(shortened):
    for widget in shortened.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            words = widget.accessibleName() or getattr(widget, "text", str)()
            assert words, type(widget).__name__
            assert "&" not in widget.accessibleName()
