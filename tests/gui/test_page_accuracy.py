"""The accuracy page: the target moved by typing, keys and mouse; epsilon taken into the plan; true data kept in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.data.findings import Stage
from workbench.data.schema import BelongsTo
from workbench.gui import theme
from workbench.gui.dialogs.true_data import TrueDataDialog
from workbench.gui.pages.accuracy import PUBLIC, TRUE, AccuracyPage
from workbench.gui.session import Session
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.plain_table import PlainTable
from workbench.ledger.entries import EntryKind
from workbench.plan.changes import with_new_statistic, with_new_table, with_statistic
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import Statistic, StatisticKind, Table
from workbench.preview.metrics import Metric
from workbench.privacy.choose import candidates
from workbench.privacy.composition import allotments
from workbench.release.release import Mode


@pytest.fixture
def page(session: Session, qtbot, open_sample: Callable[..., None]) -> AccuracyPage:
    page = AccuracyPage(session)
    qtbot.addWidget(page)
    page.resize(919, 741)
    page.show()
    open_sample(session, qtbot, "jobs_of_workers")
    qtbot.waitUntil(lambda: page.charts.curve.canvas() is not None and not session.tasks.is_busy)
    return page


def canvas_of(page: AccuracyPage) -> QWidget:
    canvas = page.charts.curve.canvas()
    assert canvas is not None
    return canvas


def handle_place(page: AccuracyPage, share: float) -> QPoint:
    """Where the target line of that share meets the axis, in pixels of the canvas."""
    chart = page.charts._drag.chart
    box, ratio = chart.axes.bbox, canvas_of(page).devicePixelRatioF()
    height = chart.axes.transData.transform((1, share))[1]
    return QPoint(round(box.x0 / ratio), round(canvas_of(page).height() - height / ratio))


def table_of(chart: ChartView) -> PlainTable:
    """The table shown now; the one before it may still wait to be deleted."""
    return next(table for table in chart.findChildren(PlainTable) if not table.isHidden())


def look_at_true_data(page: AccuracyPage, qtbot) -> None:
    page.source.button(TRUE).click()
    dialog = page.findChild(TrueDataDialog)
    dialog.look.click()
    qtbot.waitUntil(lambda: page.is_confidential and not page.session.tasks.is_busy)


def settle(page: AccuracyPage, qtbot) -> None:
    """Answers come from the background."""
    qtbot.waitUntil(lambda: not page.session.tasks.is_busy)


def type_target(page: AccuracyPage, qtbot, text: str) -> None:
    field = page.charts.solve.field.line_edit()
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(page, qtbot)


def test_the_subtitle_says_what_the_plan_gives_and_what_the_target_needs(page):
    assert page.subtitle() == "Now about 100 of 100 cells are within target. Reaching 80 % needs ε = 0.13."


def test_a_typed_target_is_solved_at_once(page, qtbot):
    type_target(page, qtbot, "95")
    assert "Reaching 95 % needs ε = 0.25" in page.subtitle()
    assert page.charts.solve.use.text() == "Use ε = 0.25"
    assert list(page.charts._drag.chart.line.get_ydata()) == [0.95, 0.95]


def test_a_target_above_all_cells_is_refused_beside_the_field(page, qtbot):
    type_target(page, qtbot, "120")
    assert page.charts.solve.field.error() == "At most 100."
    assert "120 %" not in page.subtitle()


def test_the_solved_epsilon_is_taken_into_the_plan_and_undone(page, session, qtbot):
    page.charts.solve.use.click()
    assert session.plan.budget.epsilon == Fraction("0.13")
    qtbot.waitUntil(lambda: page.subtitle().startswith("Now about 8"))
    assert not page.charts.solve.use.isVisible(), "the plan has it already"
    session.undo_stack.undo()
    assert session.plan.budget.epsilon == 2
    assert session.undo_stack.redoText() == "change of epsilon"


def test_the_target_line_can_be_dragged(page, qtbot):
    canvas = canvas_of(page)
    canvas.draw()
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=handle_place(page, 0.8))
    assert page.charts._drag.is_dragging
    qtbot.mouseMove(canvas, handle_place(page, 0.9))
    settle(page, qtbot)
    assert "Reaching 90 % needs" in page.subtitle()
    assert page.charts.solve.field.value() == "90"
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=handle_place(page, 0.9))
    assert not page.charts._drag.is_dragging
    assert canvas is canvas_of(page), "moved in the picture that was there"


def test_a_target_whose_epsilon_is_off_the_axis_gets_a_longer_axis(page, qtbot):
    type_target(page, qtbot, "60")
    assert "needs ε = 0.07" in page.subtitle()
    assert page.charts._drag.chart.ring.get_visible()


def test_a_press_away_from_the_line_moves_nothing(page, qtbot):
    canvas = canvas_of(page)
    canvas.draw()
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=handle_place(page, 0.4))
    assert not page.charts._drag.is_dragging and "Reaching 80 %" in page.subtitle()


def test_arrow_keys_move_the_target(page, qtbot):
    canvas_of(page).setFocus()
    qtbot.keyClick(canvas_of(page), Qt.Key.Key_Up)
    qtbot.keyClick(canvas_of(page), Qt.Key.Key_Up)
    settle(page, qtbot)
    assert "Reaching 82 %" in page.subtitle()
    qtbot.keyClick(canvas_of(page), Qt.Key.Key_PageDown)
    settle(page, qtbot)
    assert "Reaching 72 %" in page.subtitle()


def test_reset_returns_to_the_policy(page, qtbot):
    type_target(page, qtbot, "95")
    page.charts.solve.reset_button.setFocus()
    page.charts.solve.reset_button.click()
    settle(page, qtbot)
    assert "Reaching 80 %" in page.subtitle() and page.charts.solve.field.value() == "80"


def test_another_metric_has_its_own_unit_and_goal(page, qtbot):
    page.controls.metric_choice.setCurrentText(Metric.MARGIN.heading)
    settle(page, qtbot)
    assert page.subtitle().endswith("At most 10 jobs needs ε = 0.29.")
    assert page.charts.curve.accessibleName() == "Margin of error (95 %), by epsilon"


def test_a_wider_tolerance_needs_less(page, qtbot):
    field = page.controls.or_within.line_edit()
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "40")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(page, qtbot)
    assert "within 10 % or 40 jobs" in page.charts.curve.sentence()
    assert "needs ε = 0.04" in page.subtitle()


def test_one_statistic_can_be_looked_at_alone(page, session, qtbot):
    table = session.plan.tables[0]
    second = replace(table, name="education", keys=("education",), totals=())
    session.edit("second table", replace(session.plan, tables=(table, second)))
    qtbot.waitUntil(lambda: page.controls.statistic_choice.count() == 3)
    page.controls.statistic_choice.setCurrentText("education: count")
    settle(page, qtbot)
    headings = table_of(page.charts.curve).model().headerData(1, Qt.Orientation.Horizontal)
    assert headings == "education: Geometric"


def test_each_chart_has_the_same_facts_as_a_table(page):
    for chart in (page.charts.curve, page.charts.strata, page.charts.releases):
        chart.data_table.setChecked(True)
        assert table_of(chart).isVisible()
        assert chart.sentence()


def test_the_cell_of_the_releases_can_be_chosen(page, qtbot):
    page.charts.cell.setCurrentIndex(page.charts.cell.findData(1000))
    settle(page, qtbot)
    assert page.charts.releases.sentence() == "95 of 100 releases of this cell fall between 999 and 1,001 jobs."


def test_true_data_are_asked_for_logged_and_watermarked(page, session, qtbot):
    look_at_true_data(page, qtbot)
    assert page.banner.isVisible() and not page.charts.save.isVisible()
    assert [entry.kind for entry in session.book.entries] == [EntryKind.VIEW_CONFIDENTIAL]
    shown = [text.get_text() for text in page.charts._drag.chart.axes.texts]
    assert "CONFIDENTIAL SOURCE\nnot for export" in shown


def test_staying_with_the_public_preview_logs_nothing(page, session, qtbot):
    page.source.button(TRUE).click()
    dialog = page.findChild(TrueDataDialog)
    assert dialog.stay.isDefault()
    dialog.stay.click()
    assert page.source.current() == PUBLIC and not page.is_confidential
    assert not session.settings.ledger.exists()


def test_tables_of_true_data_cannot_be_copied(page, qtbot):
    look_at_true_data(page, qtbot)
    QGuiApplication.clipboard().setText("before")
    table = table_of(page.charts.strata)
    table.selectAll()
    assert table.selected_text() == ""


@pytest.mark.parametrize("leave", ["edit", "hide", "button"])
def test_true_data_do_not_outlast_the_look(page, session, qtbot, leave):
    look_at_true_data(page, qtbot)
    acts = {
        "edit": lambda: session.edit("title", replace(session.plan, title="Other")),
        "hide": page.hide,
        "button": lambda: page.source.button(PUBLIC).click(),
    }
    acts[leave]()
    page.show()
    assert not page.is_confidential and page.source.current() == PUBLIC
    assert not page.charts.isVisible(), "what was seen is off the screen at once"
    settle(page, qtbot)
    assert page.charts.isVisible() and not page.banner.isVisible()


def test_a_public_chart_is_saved_and_one_of_true_data_is_refused(page, session, qtbot, tmp_path: Path):
    page.save_chart(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").stat().st_size > 10_000
    look_at_true_data(page, qtbot)
    with qtbot.waitSignal(session.troubled) as told:
        page.save_chart(tmp_path / "true.png")
    assert "true" in str(told.args[0]) and not (tmp_path / "true.png").exists()


def test_charts_are_watermarked_in_rehearsal_only(page, session, qtbot):
    def marks() -> list[str]:
        return [text.get_text() for text in page.charts._drag.chart.axes.texts]

    assert "REHEARSAL" in marks()
    session.set_mode(Mode.LIVE)
    qtbot.waitUntil(lambda: "REHEARSAL" not in marks())


def test_the_charts_follow_the_theme(page, app, qtbot):
    theme.apply(app, "dark")
    settle(page, qtbot)
    assert page.charts._drag.chart.figure.get_facecolor()[0] == pytest.approx(0x1C / 255)


def test_the_inspector_gives_the_error_of_three_cells(page):
    inspector = Inspector()
    page.fill_inspector(inspector)
    table = inspector.findChild(PlainTable)
    assert table.texts() == [["10 jobs", "1 job"], ["70 jobs", "1 job"], ["1,000 jobs", "1 job"]]
    inspector.deleteLater()


def strong_alpha(session: Session, mechanism: str = "auto", **budget: Fraction) -> None:
    """The sample's plan for the sizes of employers, with all its keys the workplace's."""
    plan = session.plan
    for key in plan.tables[0].keys:
        column = plan.column(key)
        assert column is not None
        plan = plan.with_column(replace(column, belongs_to=BelongsTo.ESTABLISHMENT))
    plan = with_statistic(plan, 0, 0, replace(plan.tables[0].statistics[0], mechanism=mechanism))
    protection = StrongAlpha(Fraction(1, 10))
    session.edit("x", replace(plan, neighbors=protection, budget=replace(plan.budget, **budget)))


def inspected(page: AccuracyPage) -> tuple[list[list[str]], str]:
    inspector = Inspector()
    page.fill_inspector(inspector)
    table, said = inspector.findChild(PlainTable), spoken(inspector)
    inspector.deleteLater()
    return table.texts(), said


def spoken(widget: QWidget) -> str:
    return " ".join(child.accessibleName() for child in widget.findChildren(QWidget))


def test_an_error_in_proportion_grows_with_the_cell(page, session, qtbot):
    strong_alpha(session, "log-laplace")
    settle(page, qtbot)
    rows, said = inspected(page)
    part = allotments(session.plan)[0]
    law = part.mechanism.error(part.brief.sizes(np.array([10.0, 70.0, 1000.0])))
    assert [row[1] for row in rows] == [f"{ceil(one)} jobs" for one in law.quantile(0.95)]
    assert "The error is a proportion of the count" in said


def test_a_margin_that_follows_the_largest_employer_stays_in_the_building(page, session, qtbot):
    strong_alpha(session, "smooth-t")
    settle(page, qtbot)
    rows, said = inspected(page)
    assert len({row[1] for row in rows}) == 3
    assert "stays in the building" in said and "largest establishment with 50" in said


def test_where_nothing_fits_the_line_has_a_gap(page, session, qtbot):
    strong_alpha(session, "smooth-gamma")
    settle(page, qtbot)
    page.charts.curve.data_table.setChecked(True)
    values = [row[1] for row in table_of(page.charts.curve).texts()]
    assert values[0] == "nothing fits" and values[-1].endswith(" %")


def test_the_window_does_not_wait_for_the_answer(page, session, qtbot):
    """Three statistics, a delta, three ways of adding up: half a second of work, none of it on the window's thread."""
    strong_alpha(session, delta=Fraction(1, 10**6))
    plan = with_new_statistic(session.plan, 0, Statistic(StatisticKind.SUM, "earnings"))
    session.edit("x", with_new_table(plan, Table("place-sex", ("place", "sex"))))
    settle(page, qtbot)
    candidates.cache_clear()
    asked: list[str] = []
    page.session.tasks.run = lambda task: asked.append(task.words)
    began = perf_counter()
    page._choose_goal(0.9)
    assert perf_counter() - began < 0.1 and asked == ["Working out accuracy"]


def test_an_incomplete_plan_says_what_to_choose_and_leads_there(page, session, qtbot):
    session.edit("protection", replace(session.plan, neighbors=None))
    qtbot.waitUntil(lambda: page.empty.isVisible() and not session.tasks.is_busy)
    with qtbot.waitSignal(session.place_wanted) as wanted:
        page.empty.button.click()
    assert wanted.args == [Stage.PROTECTION, "protect.neighbors"]


def test_a_page_that_is_not_seen_does_not_draw(session, qtbot, open_sample):
    page = AccuracyPage(session)
    qtbot.addWidget(page)
    open_sample(session, qtbot, "tract_mobility")
    assert page.charts.curve.canvas() is None


def test_every_widget_that_takes_focus_has_a_name(page):
    nameless = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]  # fmt: skip
    assert not nameless
