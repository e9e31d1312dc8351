"""The start page says what is wanted: a spreadsheet, a plan, a sample, the ledger or a verification."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from workbench import assets
from workbench.data.findings import Stage
from workbench.gui.models.recent import read_recent, when
from workbench.gui.pages.start import StartPage
from workbench.gui.settings import RECENT, SHOW_TOUR, Settings
from workbench.gui.tour import STEPS, TourBar
from workbench.gui.widgets.status import State
from workbench.gui.widgets.text import Text

LODES = assets.sample_plans() / "lodes_jobs.toml"
TRACTS = assets.sample_plans() / "tract_mobility.toml"


@pytest.fixture
def make_page(session, qtbot):
    def make(*recent: Path) -> StartPage:
        session.settings.set(RECENT, [str(path) for path in recent])
        page = StartPage(session)
        qtbot.addWidget(page)
        page.resize(1440, 812)
        with qtbot.waitExposed(page):
            page.show()
        qtbot.waitUntil(lambda: not session.tasks.is_busy)
        return page

    return make


def _rows(page: StartPage) -> list[list[str]]:
    model = page.recent.model
    return [[model.index(row, column).data() for column in range(4)] for row in range(model.rowCount())]


# ---- ways in


@pytest.mark.parametrize(
    ("button", "signal"),
    [
        (lambda page: page.drop_area.button, "spreadsheet_wanted"),
        (lambda page: page.browse, "plan_wanted"),
        (lambda page: page.verify, "verify_wanted"),
        (lambda page: page.ledger, "ledger_wanted"),
    ],
)
def test_every_button_says_what_is_wanted(make_page, qtbot, button, signal):
    page = make_page()
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.mouseClick(button(page), Qt.MouseButton.LeftButton)


def test_a_dropped_spreadsheet_and_a_dropped_plan_are_told_apart(make_page):
    page = make_page()
    spreadsheets, plans = [], []
    page.spreadsheet_dropped.connect(spreadsheets.append)
    page.plan_chosen.connect(plans.append)
    page.drop_area.dropped.emit(Path("jobs.xlsx"))
    page.drop_area.dropped.emit(Path("jobs.TOML"))
    assert spreadsheets == [Path("jobs.xlsx")]
    assert plans == [Path("jobs.TOML")]


def test_the_first_thing_in_hand_is_opening_a_spreadsheet(make_page):
    page = make_page()
    page.setFocus()
    assert page.drop_area.button.hasFocus()


# ---- recent projects


def test_with_no_recent_project_the_place_says_what_will_be_there(make_page):
    page = make_page()
    assert page.recent.empty.isVisible()
    assert not page.recent.open.isVisible()


def test_recent_projects_show_title_state_data_and_when(make_page, tmp_path):
    unfinished = tmp_path / "unfinished.toml"
    unfinished.write_text('title = "Class of 2020"\n', encoding="utf-8")
    yesterday = (datetime.now() - timedelta(days=1)).replace(hour=9, minute=5)
    os.utime(unfinished, (yesterday.timestamp(),) * 2)
    page = make_page(LODES, unfinished)
    first, second = _rows(page)
    assert first[:3] == ["Jobs by place, sector and ownership", "plan complete", "lodes_jobs.xlsx"]
    assert second[:3] == ["Class of 2020", "4 to mend", ""]
    assert second[3].replace("\u202f", " ") == "yesterday 9:05 AM"


def test_a_missing_file_is_listed_as_missing_and_cannot_be_opened(make_page, tmp_path, qtbot):
    page = make_page(tmp_path / "gone.toml", LODES)
    assert _rows(page)[0] == ["gone", "file is missing", "", "–"]
    assert not page.recent.open.isEnabled()
    assert page.recent.words.text() == "This file was moved, renamed or deleted."
    page.recent.table.selectRow(1)
    assert page.recent.open.isEnabled()


def test_a_file_that_is_no_plan_is_listed_as_unreadable(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("title = [", encoding="utf-8")
    (recent,) = read_recent([str(broken)])
    assert (recent.state, recent.words) == (State.BLOCKED, "cannot be read")


def test_open_enter_and_double_click_open_the_chosen_project(make_page, qtbot):
    page = make_page(LODES, TRACTS)
    chosen = []
    page.plan_chosen.connect(chosen.append)
    page.recent.table.selectRow(1)
    qtbot.mouseClick(page.recent.open, Qt.MouseButton.LeftButton)
    qtbot.keyClick(page.recent.table, Qt.Key.Key_Return)
    table = page.recent.table
    place = table.visualRect(table.model().index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == [TRACTS, TRACTS, LODES]


def test_the_filter_keeps_matching_projects(make_page, qtbot):
    page = make_page(LODES, TRACTS)
    qtbot.keyClicks(page.recent.filter, "tract CHILDREN")
    assert [row[0] for row in _rows(page)] == ["Children by tract"]
    assert page.recent.chosen_plan().path == TRACTS
    page.recent.filter.clear()
    assert len(_rows(page)) == 2


def test_a_project_can_be_taken_off_the_list(make_page, session, qtbot):
    page = make_page(LODES, TRACTS)
    qtbot.mouseClick(page.recent.forget, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not session.tasks.is_busy)
    assert [row[0] for row in _rows(page)] == ["Children by tract"]
    assert session.settings.get(RECENT) == [str(TRACTS)]


@pytest.mark.parametrize(
    ("days", "words"), [(0, "today 2:30 PM"), (1, "yesterday 2:30 PM"), (2, "13 Mar 2025"), (400, "9 Feb 2024")]
)
def test_when_is_said_in_words(app, days, words):
    now = datetime(2025, 3, 15, 14, 30).astimezone()
    moment = (datetime(2025, 3, 15, 14, 30) - timedelta(days=days)).astimezone()
    assert when(moment, now).replace("\u202f", " ") == words


# ---- samples and tour


def test_four_samples_show_their_title_and_computed_cells(make_page):
    page = make_page()
    texts = [[label.text() for label in card.findChildren(Text)] for card in page.samples]
    cells = ["1,440 cells", "320 cells", "111 cells", "480 cells"]
    assert all(count in words for count, words in zip(cells, texts, strict=True))
    assert "Children by tract" in texts[2]


def test_open_rehearsal_chooses_the_plan_of_the_sample(make_page, qtbot):
    page = make_page()
    chosen = []
    page.plan_chosen.connect(chosen.append)
    for card in page.samples:
        qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert {path.stem for path in chosen} == {path.stem for path in assets.sample_plans().glob("*.toml")}
    assert all(path.exists() for path in chosen)


def test_whether_the_tour_is_shown_is_remembered(make_page, session, tmp_path, qtbot):
    page = make_page()
    assert page.show_tour.isChecked()
    page.show_tour.setFocus()
    qtbot.keyClick(page.show_tour, Qt.Key.Key_Space)
    assert session.settings.get(SHOW_TOUR) is False
    session.settings._file.sync()
    assert Settings(tmp_path / "settings.ini").get(SHOW_TOUR) is False
    assert not make_page().show_tour.isChecked()


@pytest.fixture
def tour(session, qtbot):
    tour = TourBar(session)
    qtbot.addWidget(tour)
    return tour


def _button(widget, words: str) -> QPushButton:
    return next(button for button in widget.findChildren(QPushButton) if button.text().replace("&", "") == words)


def test_the_tour_is_hidden_until_asked_for_and_has_a_sentence_for_every_stage(tour):
    assert not tour.isVisible()
    assert set(STEPS) == set(Stage)
    tour.show_stage("Accuracy")
    assert tour.accessibleName().startswith("Step 6 of 8: Accuracy")


def test_next_goes_to_the_following_stage_until_the_last(tour, session, qtbot):
    wanted = []
    session.place_wanted.connect(lambda stage, where: wanted.append(stage))
    tour.show_stage("Columns")
    tour.show()
    qtbot.mouseClick(_button(tour, "Next"), Qt.MouseButton.LeftButton)
    assert wanted == [Stage.CELLS]
    tour.show_stage("Release")
    assert not _button(tour, "Next").isVisible()


def test_a_page_outside_the_stages_leaves_the_tour_as_it_is(tour):
    tour.show_stage("Columns")
    tour.show_stage("Ledger")
    assert tour.accessibleName().startswith("Step 2 of 8: Columns")


def test_the_tour_can_be_closed(tour, qtbot):
    tour.show()
    with qtbot.waitSignal(tour.closed):
        qtbot.mouseClick(_button(tour, "Close tour"), Qt.MouseButton.LeftButton)


def test_nothing_is_cut_at_1280(make_page):
    page = make_page(LODES)
    page.resize(1280, 716)
    QApplication.processEvents()
    for button in page.findChildren(QPushButton):
        if button.isVisible() and button.text():
            assert button.width() >= button.sizeHint().width(), button.text()


def test_everything_that_takes_the_focus_has_a_name(make_page):
    for widget in make_page(LODES).findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            words = widget.accessibleName() or getattr(widget, "text", str)()
            assert words, type(widget).__name__
            assert "&" not in widget.accessibleName()
