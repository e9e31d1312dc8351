"""The charts of the accuracy page: accuracy by epsilon with its target, by cell size, and 25 releases that might be."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from workbench.gui.widgets import charting
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.goal_drag import GoalDrag
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.plain_table import PlainTable
from workbench.gui.widgets.solve_panel import SolvePanel
from workbench.gui.widgets.watermark import CONFIDENTIAL
from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import default_policy
from workbench.preview.answer import Answer
from workbench.preview.chart_releases import releases_figure, releases_table
from workbench.preview.chart_strata import strata_figure, strata_table
from workbench.preview.chart_words import alt_text, curve_table
from workbench.preview.charts import accuracy_chart
from workbench.preview.metrics import Metric, Source

_TITLES = {
    Metric.SHARE_WITHIN: "Cells within target, by epsilon",
    Metric.MARGIN: "Margin of error (95 %), by epsilon",
    Metric.ABSOLUTE: "Expected absolute error, by epsilon",
    Metric.RELATIVE: "Expected relative error, by epsilon",
}
_COPYABLE = QAbstractItemView.SelectionMode.ContiguousSelection
_SMALL_CELL, _LARGE_CELL = 10, 1000


class AccuracyCharts(QWidget):
    """`goal_changed` follows the target as it moves; `goal_settled` comes when it stands still."""

    goal_changed = Signal(float)
    goal_settled = Signal()
    cell_size_chosen = Signal()
    reset = Signal()
    used = Signal(object)
    save_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.curve = ChartView(_TITLES[Metric.SHARE_WITHIN], least_height=170)
        self.strata = ChartView("Within target, by cell size", least_height=112)
        self.releases = ChartView("25 releases", least_height=112)
        self.solve = SolvePanel()
        self.save = plain_button("Save chart…", small=True)
        self.cell = QComboBox()
        self._drag: GoalDrag | None = None
        self._typical = default_policy().typical_cell
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.cell.setAccessibleName("Cell whose releases are shown")
        self.curve.add_header_widget(self.save)
        self.releases.add_title_widget(self.cell)
        self.solve.setFixedWidth(236)
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self.curve, 1)
        top.addWidget(self.solve)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        grid.addLayout(top, 0, 0, 1, 2)
        grid.addWidget(self.strata, 1, 0)
        grid.addWidget(self.releases, 1, 1)
        grid.setRowStretch(0, 3)
        grid.setRowStretch(1, 2)
        for column in (0, 1):
            grid.setColumnStretch(column, 1)

    def _connect(self) -> None:
        self.save.clicked.connect(self.save_requested)
        self.cell.currentIndexChanged.connect(lambda _: self.cell_size_chosen.emit())
        self.solve.goal_changed.connect(self.goal_changed)
        self.solve.field.committed.connect(lambda _: self.goal_settled.emit())
        self.solve.reset.connect(self.reset)
        self.solve.used.connect(self.used)

    # ---- which cell

    def cell_sizes(self) -> tuple[int, ...]:
        """A small, a typical and a large cell."""
        return tuple(sorted({_SMALL_CELL, self._typical, _LARGE_CELL}))

    def cell_size(self) -> int:
        """The size assumed for the cell whose releases are shown."""
        return int(self.cell.currentData() or self._typical)

    def set_plan(self, plan: ReleasePlan) -> None:
        """Take over the plan's unit and its declared typical cell."""
        self._typical = plan.typical_cell or default_policy().typical_cell
        with QSignalBlocker(self.cell):
            self.cell.clear()
            for size in self.cell_sizes():
                kind = "a typical cell" if size == self._typical else "a cell"
                self.cell.addItem(f"{kind} of {shown(str(size))} {plan.data.unit}", size)
            self.cell.setCurrentIndex(self.cell.findData(self._typical))

    # ---- showing

    def show_answer(self, answer: Answer, watermark: str) -> None:
        self._show_curve(answer, watermark)
        self._show_strata(answer, watermark)
        self._show_releases(answer, watermark)
        is_public = answer.curve.source is not Source.CONFIDENTIAL
        self.save.setVisible(is_public)
        for chart in (self.curve, self.strata, self.releases):
            chart.set_watermark(watermark if is_public else CONFIDENTIAL)
            for table in chart.findChildren(PlainTable):
                table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
                table.setSelectionMode(_COPYABLE if is_public else QAbstractItemView.SelectionMode.NoSelection)

    def show_goal(self, answer: Answer) -> None:
        """Move the target in the picture that is there."""
        self.solve.show_answer(answer)
        if self._drag is not None:
            self._drag.show_goal(answer.goal)

    def show_settled(self, answer: Answer, watermark: str) -> None:
        """What else depends on the target; a new picture only where the old one has no place for it."""
        chart = self._drag.chart if self._drag else None
        if chart is None or not chart.has_room_for(answer.goal):
            self._show_curve(answer, watermark)
        self._show_strata(answer, watermark)

    def _show_curve(self, answer: Answer, watermark: str) -> None:
        curve = answer.curve
        old = self.curve.canvas()
        had_focus = old is not None and old.hasFocus()
        chart = accuracy_chart(curve, charting.palette(), answer.goal, watermark)
        headings, rows = curve_table(curve)
        self.curve.set_title(_TITLES[curve.metric])
        self.curve.set_aside("true data" if curve.source is Source.CONFIDENTIAL else "public preview")
        words = alt_text(curve, answer.goal.value)
        self.curve.set_figure(chart.figure, headings, rows, curve.sentence, words, "r" * len(headings))
        self.solve.set_metric(curve.metric, curve.unit)
        self.solve.show_answer(answer)
        self._drag = GoalDrag(chart, self.curve.canvas())
        self._drag.moved.connect(self._take_dragged)
        self._drag.released.connect(self.goal_settled)
        self._drag.stepped.connect(self.solve.step)
        if had_focus:
            self._drag.canvas.setFocus()

    def _take_dragged(self, value: float) -> None:
        self.goal_changed.emit(self.solve.snapped(value))

    def _show_strata(self, answer: Answer, watermark: str) -> None:
        self.strata.setVisible(bool(answer.statistics))
        if answer.statistics:
            goal = answer.goal.value if answer.curve.metric is Metric.SHARE_WITHIN else None
            figure = strata_figure(answer.strata, charting.palette(), goal, watermark)
            self.strata.set_figure(figure, *strata_table(answer.strata), answer.strata.sentence, answer.strata.sentence)

    def _show_releases(self, answer: Answer, watermark: str) -> None:
        releases = answer.releases
        self.releases.setVisible(releases is not None)
        if releases is not None:
            figure = releases_figure(releases, charting.palette(), watermark)
            self.releases.set_figure(figure, *releases_table(releases), releases.sentence, releases.sentence)
