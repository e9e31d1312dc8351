"""The building blocks do what an officer with mouse, keyboard or screen reader would expect."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDropEvent, QGuiApplication, QStandardItemModel
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QScrollArea, QWidget

from workbench.gui import theme
from workbench.gui.widgets import numbers
from workbench.gui.widgets.budget_bar import BudgetBar
from workbench.gui.widgets.buttons import ReasonedButton
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.dots import OddsDots
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.fields import LabelledRow, NumberField, between
from workbench.gui.widgets.flow import FlowRow
from workbench.gui.widgets.gallery import STAGES, Gallery
from workbench.gui.widgets.inspector import Inspector, MissingItem
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.page import Page
from workbench.gui.widgets.plain_table import Cell, PlainTable
from workbench.gui.widgets.sidebar import LEDGER, Sidebar
from workbench.gui.widgets.slider import EpsilonSlider
from workbench.gui.widgets.status import ModeChip, RemovableTag, State, StatusLabel
from workbench.gui.widgets.strip import Strip
from workbench.gui.widgets.switch import SegmentedSwitch
from workbench.gui.widgets.tables import TableView
from workbench.gui.widgets.text import Text
from workbench.gui.widgets.watermark import Watermark

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def shown(qtbot):
    def show(widget: QWidget, width: int = 600, height: int = 400) -> QWidget:
        qtbot.addWidget(widget)
        widget.resize(width, height)
        with qtbot.waitActive(widget):
            widget.show()
            widget.activateWindow()
        return widget

    return show


def _button(widget: QWidget, words: str) -> QPushButton:
    return next(button for button in widget.findChildren(QPushButton) if button.text() == words)


# Reading the whole window


@pytest.mark.parametrize("stage", STAGES)
def test_everything_that_takes_the_keyboard_has_a_spoken_name(shown, stage: str) -> None:
    gallery = shown(Gallery(), 1440, 870)
    gallery.show_page(stage)
    nameless = [
        widget
        for widget in gallery.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not _spoken(widget)
    ]
    assert not nameless


def _spoken(widget: QWidget) -> str:
    if widget.focusProxy():
        return _spoken(widget.focusProxy())
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


@pytest.mark.parametrize("size", [(1440, 870), (1280, 772)])
@pytest.mark.parametrize("stage", STAGES)
def test_no_page_reaches_beyond_its_width(shown, stage: str, size: tuple[int, int]) -> None:
    gallery = shown(Gallery(), *size)
    gallery.show_page(stage)
    QApplication.processEvents()
    page = next(page for page in gallery.findChildren(Page) if page.isVisible())
    for card in page.findChildren(Card):
        assert card.mapTo(page, card.rect().bottomRight()).x() < page.width()
        assert card.width() >= card.minimumSizeHint().width()


def test_the_theme_can_change_while_everything_is_shown(shown) -> None:
    gallery = shown(Gallery(), 1440, 870)
    light = gallery.grab().toImage()
    theme.apply(QApplication.instance(), "dark", 16)
    dark = gallery.grab().toImage()
    assert light.pixelColor(700, 860).lightness() > 200
    assert dark.pixelColor(700, 860).lightness() < 80


# Words


def test_text_is_taken_literally_except_for_its_stars() -> None:
    label = Text("a <b>tag</b> and **a bold part**")
    assert label.accessibleName() == "a <b>tag</b> and a bold part"
    assert "&lt;b&gt;" in label.text()


def test_plain_text_with_angle_brackets_stays_plain() -> None:
    assert Text("<b>x</b>").textFormat() == Qt.TextFormat.PlainText


def test_a_state_is_always_icon_and_word() -> None:
    label = StatusLabel(State.BLOCKED, "not approved yet")
    assert label.accessibleName() == "not approved yet"
    label.set_state(State.DONE)
    assert label.words() == "done"


def test_states_differ_in_more_than_colour() -> None:
    sidebar_states = [state for state in State if state is not State.INFO]
    assert len({state.icon for state in sidebar_states}) == len(sidebar_states)


def test_the_mode_chip_says_its_consequence() -> None:
    chip = ModeChip()
    assert chip.accessibleName() == "REHEARSAL: synthetic noise, no budget"
    chip.set_live(True)
    assert chip.accessibleName() == "LIVE: releases spend budget"


def test_a_removable_tag_says_which_one_it_was(qtbot) -> None:
    tag = RemovableTag("S suppressed")
    qtbot.addWidget(tag)
    with qtbot.waitSignal(tag.removed) as told:
        tag.findChild(QPushButton).click()
    assert told.args == ["S suppressed"]


def test_a_message_speaks_title_and_text(shown) -> None:
    message = shown(Message("block", "Refused.", "Use **a law**."))
    assert message.accessibleName() == "Refused. Use a law."
    message.set_message("ok", "", "Verified.")
    assert message.accessibleName() == "Verified."


# Pages and cards


def test_the_subtitle_is_the_pages_finding_and_can_change() -> None:
    page = Page("Cells")
    page.set_subtitle("24 × 20 × 3 = **1,440 cells**")
    assert page.subtitle() == "24 × 20 × 3 = 1,440 cells"


def test_a_page_scrolls_down_only_when_it_must_and_never_sideways(shown) -> None:
    page = Page("Long")
    for _ in range(3):
        page.add(Text("A sentence that is long enough to be wrapped. " * 12, wrap=True))
    page.add_stretch()
    shown(page, 500, 700)
    area = page.findChild(QScrollArea)
    assert area.verticalScrollBar().maximum() == 0
    page.resize(260, 240)
    QApplication.processEvents()
    assert area.verticalScrollBar().maximum() > 0
    assert area.horizontalScrollBar().maximum() == 0


def test_a_row_of_controls_wraps_in_a_narrow_window(shown) -> None:
    row = shown(FlowRow(*(QPushButton(f"Button {number}") for number in range(6))), 900, 200)
    assert row.heightForWidth(900) < row.heightForWidth(250)


# Buttons


def test_a_blocked_button_says_why_and_offers_to_fix_it(shown, qtbot) -> None:
    submit = shown(ReasonedButton("Submit for approval"))
    submit.set_blocked("One check needs a reason.")
    assert submit.is_blocked()
    assert submit.button.accessibleDescription() == "One check needs a reason."
    with qtbot.waitSignal(submit.fix_requested):
        _button(submit, "Fix").click()
    submit.set_blocked(None)
    assert not _button(submit, "Fix").isVisible()
    with qtbot.waitSignal(submit.clicked):
        submit.button.click()


def test_a_focused_button_wears_a_ring_of_two_pixels(shown, qtbot) -> None:
    submit = shown(ReasonedButton("Not now", "plain"))
    submit.button.setFocus()
    qtbot.waitUntil(submit.button.hasFocus)
    image = submit.button.grab().toImage()
    middle = image.height() // 2
    assert {image.pixelColor(x, middle).name().upper() for x in (0, 1)} == {theme.tokens().accent}
    assert image.pixelColor(2, middle).name().upper() != theme.tokens().accent


def test_the_switch_moves_with_the_arrow_keys(shown, qtbot) -> None:
    switch = shown(SegmentedSwitch("Source", [("public", "Public preview", "grid"), ("true", "True data…", "lock")]))
    switch.button("public").setFocus()
    with qtbot.waitSignal(switch.chosen) as told:
        qtbot.keyClick(switch.button("public"), Qt.Key.Key_Right)
    assert told.args == ["true"]
    assert switch.current() == "true"


# Sidebar, inspector, strip


@pytest.fixture
def sidebar(shown) -> Sidebar:
    return shown(Sidebar(STAGES), 200, 700)


def _row(sidebar: Sidebar, name: str) -> QAbstractButton:
    return next(row for row in sidebar.findChildren(QAbstractButton) if name in row.accessibleName())


def test_a_click_on_a_stage_chooses_it(sidebar: Sidebar, qtbot) -> None:
    with qtbot.waitSignal(sidebar.chosen) as told:
        qtbot.mouseClick(_row(sidebar, "Cells"), Qt.MouseButton.LeftButton)
    assert told.args == ["Cells"]
    assert sidebar.current() == "Cells"


def test_stages_are_reached_with_arrows_and_enter(sidebar: Sidebar, qtbot) -> None:
    sidebar.focus_current()
    qtbot.keyClick(_row(sidebar, "Data"), Qt.Key.Key_Down)
    assert _row(sidebar, "Columns").hasFocus()
    with qtbot.waitSignal(sidebar.chosen) as told:
        qtbot.keyClick(_row(sidebar, "Columns"), Qt.Key.Key_Return)
    assert told.args == ["Columns"]


def test_a_stage_says_its_number_name_and_state(sidebar: Sidebar) -> None:
    sidebar.set_state("Release", State.BLOCKED, "not approved yet")
    assert _row(sidebar, "Release").accessibleName() == "8 Release, not approved yet"
    sidebar.set_ledger_words("3.5 of 8.0 spent")
    assert sidebar.words(LEDGER) == "3.5 of 8.0 spent"


def test_the_side_panels_are_narrower_in_a_narrow_window(sidebar: Sidebar, qtbot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    widths = {}
    for window in (1440, 1280):
        sidebar.fit(window)
        inspector.fit(window)
        widths[window] = (sidebar.width(), inspector.maximumWidth())
    assert widths == {1440: (200, 288), 1280: (176, 248)}


def test_what_is_missing_leads_to_its_place(shown, qtbot) -> None:
    inspector = shown(Inspector())
    missing = inspector.add_missing([MissingItem("columns", "monthly_earnings lacks an upper bound.")])
    fix = _button(missing, "Fix")
    assert fix.accessibleName() == "Fix: monthly_earnings lacks an upper bound."
    with qtbot.waitSignal(missing.fix_requested) as told:
        fix.click()
    assert told.args == ["columns"]


def test_when_nothing_is_missing_it_says_so(qtbot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    missing = inspector.add_missing([MissingItem("x", "Something.")])
    missing.set_items([], "Nothing. Next: choose statistics.")
    texts = [label.text() for label in missing.findChildren(QLabel) if not label.isHidden()]
    assert "Nothing. Next: choose statistics." in texts


def test_a_cleared_inspector_shows_only_new_sections(shown, qtbot) -> None:
    inspector = shown(Inspector())
    inspector.add_section("Old").add_row("Rows", "1")
    inspector.clear()
    inspector.add_section("New").add_row("Rows", "2", bold=True)
    QApplication.processEvents()
    texts = {label.text() for label in inspector.findChildren(QLabel) if label.isVisible()}
    assert {"New", "2"} <= texts
    assert "Old" not in texts


def test_the_strip_speaks_every_segment(shown) -> None:
    strip = shown(Strip(), 80, 28)
    strip.set_segments([("tick-circle", "0 errors", "0 errors"), (None, "ε 2.0 per step", "2.0")])
    assert strip.accessibleName() == "0 errors; ε 2.0 per step"


# Pictures


def test_the_budget_bar_adds_exactly_and_says_it() -> None:
    bar = BudgetBar()
    bar.set_values("0.1", "0.2", "0.3")
    assert bar.accessibleName() == "0.1 of 0.3 spent, this plan 0.2, remaining 0"


def test_the_budget_bar_shows_spent_solid_and_the_rest_empty(shown) -> None:
    bar = shown(BudgetBar(), 200, 15)
    bar.set_values("4", "0", "8")
    image = bar.grab().toImage()
    assert image.pixelColor(50, 7).name().upper() == theme.tokens().accent
    assert image.pixelColor(150, 7).name().upper() == theme.tokens().panel


def test_the_dots_say_the_odds_in_words() -> None:
    dots = OddsDots(50, 88)
    assert dots.accessibleName() == "Before: right in 50 of 100. After: right in at most 88 of 100."


def test_the_watermark_lets_clicks_through_and_stays_on_top(shown, qtbot) -> None:
    host = shown(QWidget())
    button = QPushButton("Below", host)
    watermark = Watermark(host)
    late = QPushButton("Late", host)
    late.show()
    button.show()
    assert watermark.geometry() == host.rect()
    assert host.children()[-1] is watermark
    assert host.childAt(button.geometry().center()) is not watermark


def test_a_chart_can_be_read_as_a_table(shown, qtbot) -> None:
    from matplotlib.figure import Figure

    chart = shown(ChartView("Cells within target"))
    chart.set_figure(Figure(), ("Epsilon", "Share"), [["1", "75 %"]], "At ε = 1, 75 of 100.", "A rising line.", "rr")
    assert chart.canvas().accessibleDescription() == "A rising line."
    chart.data_table.click()
    table = chart.findChild(PlainTable)
    assert table.isVisible()
    assert table.texts() == [["1", "75 %"]]
    assert chart.sentence() == "At ε = 1, 75 of 100."


# Tables


def test_a_selection_is_copied_for_a_spreadsheet(shown, qtbot) -> None:
    table = shown(PlainTable("Jobs", ("place", "jobs"), [["0203000", "1,302"], ["0236400", Cell("171", bold=True)]]))
    table.selectAll()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "0203000\t1,302\n0236400\t171"


def test_columns_use_the_room_and_cut_no_text(shown) -> None:
    words = ["Agriculture, forestry, fishing and hunting", Cell("10,781", bold=True), Cell("done", state=State.DONE)]
    table = shown(PlainTable("Sectors", ("Sector", "Jobs", "State"), [words], "lrl"), 700, 200)
    widths = [table.columnWidth(column) for column in range(3)]
    assert abs(sum(widths) - table.viewport().width()) <= 1
    assert all(width >= table.sizeHintForColumn(column) for column, width in enumerate(widths))


def test_headers_wrap_before_a_table_scrolls(shown) -> None:
    table = PlainTable("Errors", ("A cell of", "differs by at most"), [["1,000 jobs", "239 jobs"]], "lr")
    shown(table, 400, 120)
    one_line = table.horizontalHeader().height()
    table.resize(190, 120)
    QApplication.processEvents()
    assert not table.horizontalScrollBar().isVisible()
    assert table.horizontalHeader().height() > one_line
    assert table.columnWidth(0) >= table.sizeHintForColumn(0)


def test_a_table_wider_than_its_room_scrolls_within_itself(shown) -> None:
    table = TableView("Wide")
    model = QStandardItemModel(1, 40)
    table.setModel(model)
    table.fit_columns()
    shown(table, 300, 200)
    assert table.horizontalScrollBar().maximum() > 0


def test_a_plain_table_is_as_high_as_its_rows(shown) -> None:
    table = PlainTable("Errors", ("A cell of", "at most"), [["10 jobs", "5 jobs"]] * 3, "lr")
    shown(table)
    table.set_rows([["10 jobs", "5 jobs"]] * 5)
    assert table.sizeHint().height() - table.minimumSizeHint().height() == 0
    assert table.sizeHint().height() >= 5 * 30


# Numbers


@pytest.mark.parametrize(
    ("text", "exact"),
    [("2.0", "2.0"), ("12,500", "12500"), (" 1 000 ", "1000"), (".5", "0.5"), ("−3", "-3"), ("+5", "5")],
)
def test_typed_numbers_are_kept_exactly(text: str, exact: str) -> None:
    assert numbers.typed(text) == exact


@pytest.mark.parametrize("text", ["", "1,5", "1e5", "nan", "inf", "12,50", "abc", "1_000", "1.2.3"])
def test_what_is_no_number_is_not_guessed(text: str) -> None:
    assert numbers.typed(text) is None


def test_numbers_follow_the_officers_locale() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    assert numbers.typed("1,5") == "1.5"
    assert numbers.typed("12.500") == "12500"
    assert numbers.typed("1.5") == "1.5"
    assert numbers.shown("12500.75") == "12.500,75"


def test_steps_are_exact() -> None:
    value = "0.1"
    for _ in range(2):
        value = numbers.stepped(value, "0.1", 1)
    assert value == "0.3"


@pytest.fixture
def bound(shown) -> NumberField:
    return shown(NumberField("Upper bound", "12500", "US $", step="100", check=between("0", "20000", "US $")))


def test_a_number_is_shown_with_thousands_and_kept_exact(bound: NumberField, qtbot) -> None:
    assert bound.line_edit().text() == "12,500"
    bound.line_edit().selectAll()
    with qtbot.waitSignal(bound.committed) as told:
        qtbot.keyClicks(bound.line_edit(), "9000.50")
        qtbot.keyClick(bound.line_edit(), Qt.Key.Key_Return)
    assert told.args == ["9000.50"]
    assert bound.line_edit().text() == "9,000.50"


def test_a_number_out_of_bounds_says_so_and_is_not_passed_on(bound: NumberField, qtbot) -> None:
    bound.line_edit().selectAll()
    with qtbot.assertNotEmitted(bound.committed):
        qtbot.keyClicks(bound.line_edit(), "90000")
        qtbot.keyClick(bound.line_edit(), Qt.Key.Key_Return)
    assert bound.error() == "At most 20,000 US $."
    assert bound.line_edit().accessibleDescription() == bound.error()


def test_the_arrow_keys_step_a_number(bound: NumberField, qtbot) -> None:
    qtbot.keyClick(bound.line_edit(), Qt.Key.Key_Up)
    assert bound.value() == "12600"


def test_a_label_names_the_field_beside_it() -> None:
    row = LabelledRow("Reference", QPushButton())
    assert row.field.accessibleName() == "Reference"


@pytest.fixture
def epsilon(shown) -> EpsilonSlider:
    return shown(EpsilonSlider("Epsilon", "2.0"))


def test_a_typed_epsilon_is_kept_to_the_last_digit(epsilon: EpsilonSlider, qtbot) -> None:
    edit = epsilon.field().line_edit()
    edit.selectAll()
    with qtbot.waitSignal(epsilon.committed) as told:
        qtbot.keyClicks(edit, "1.6749")
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert told.args == ["1.6749"]


def test_dragging_gives_round_values_on_a_log_scale(epsilon: EpsilonSlider) -> None:
    heard = []
    epsilon.value_changed.connect(heard.append)
    epsilon.track().setValue(500)
    assert heard == ["1.0"]
    assert epsilon.value() == "1.0"


def test_showing_a_value_tells_no_one(epsilon: EpsilonSlider, qtbot) -> None:
    with qtbot.assertNotEmitted(epsilon.value_changed):
        epsilon.set_value("10")
    assert epsilon.track().value() == epsilon.track().maximum()


# Dropping


def _drop(area: DropArea, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    area.dropEvent(event)


def test_a_dropped_file_is_passed_on_as_a_path(qtbot, tmp_path: Path) -> None:
    area = DropArea("Drop a spreadsheet here", "xlsx", "Open…")
    qtbot.addWidget(area)
    with qtbot.waitSignal(area.dropped) as told:
        _drop(area, tmp_path / "jobs.xlsx")
    assert told.args == [tmp_path / "jobs.xlsx"]


def test_several_files_at_once_are_not_guessed_among(qtbot, tmp_path: Path) -> None:
    area = DropArea("Drop a spreadsheet here", "xlsx", "Open…")
    qtbot.addWidget(area)
    with qtbot.assertNotEmitted(area.dropped):
        _drop(area, tmp_path / "a.xlsx", tmp_path / "b.xlsx")
