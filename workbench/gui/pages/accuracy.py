"""Stage 6, Accuracy: which epsilon meets the target, and at what price."""

from __future__ import annotations

import getpass
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction
from pathlib import Path

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from workbench import workflow
from workbench.data.findings import Stage, blocking
from workbench.errors import WorkbenchError
from workbench.gui import theme
from workbench.gui.dialogs.true_data import TrueDataDialog
from workbench.gui.lazy_page import LazyPage
from workbench.gui.models.counting import with_unit
from workbench.gui.models.error_words import IN_PROPORTION, CellError, error_of, in_unit
from workbench.gui.session import Session
from workbench.gui.tasks import Task
from workbench.gui.widgets.accuracy_charts import AccuracyCharts
from workbench.gui.widgets.accuracy_controls import AccuracyControls
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.charting import when_charts_can_be_drawn
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.plain_table import PlainTable
from workbench.gui.widgets.switch import SegmentedSwitch
from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import default_policy
from workbench.preview.answer import Answer, Question, answer
from workbench.preview.charts import save_accuracy_chart
from workbench.preview.metrics import CellSizes, Metric, Source, typical_sizes
from workbench.preview.now import planned, with_some_epsilon
from workbench.progress import Progress
from workbench.release.release import Mode

PUBLIC, TRUE = "public", "true"
_SOURCES = ((PUBLIC, "Public preview", "grid"), (TRUE, "True data…", "lock"))
_TRUE_DATA = "**True data in use.** Charts are watermarked and cannot be exported; this look is logged."


class Due(IntEnum):
    """How much of the page an answer is to change; more is never lost to less that is asked later."""

    GOAL = 0
    SETTLED = 1
    EVERYTHING = 2


class AccuracyPage(LazyPage):
    """Asks one question of the plan, shows the answer, and takes the solved epsilon into the plan when told to.

    Answers come from the background: with many mechanisms to fit at many epsilons they can take half a second.
    """

    stage = Stage.ACCURACY

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Accuracy")
        self.source = SegmentedSwitch("Source of the preview", _SOURCES)
        self.controls, self.charts = AccuracyControls(default_policy()), AccuracyCharts()
        self.back = plain_button("Back to public", small=True)
        self.banner = Message("warn", "", _TRUE_DATA, self.back)
        self.empty = EmptyState("chart", "", "Go there")
        self._true_sizes: CellSizes | None = None
        self._wanted = _policy_goal(self.controls.chosen_metric)
        self._answer: Answer | None = None
        self._due = Due.GOAL
        self._lay_out()
        self._connect()

    # ---- building

    def _lay_out(self) -> None:
        self.add_header_button(self.source)
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self.banner)
        column.addWidget(self.controls)
        column.addWidget(self.charts, 1)
        self.add(self._content, 1)
        self.add(self.empty, 1)
        self.banner.hide()
        self.empty.hide()
        self.fields = {"preview": self.controls.within, "budget": self.charts.solve.field}

    def _connect(self) -> None:
        session = self.session
        session.plan_changed.connect(self._take_plan)
        session.findings_changed.connect(self._show_source)
        session.findings_changed.connect(self._prepare)
        for signal in (session.mode_changed, theme.current.changed):
            signal.connect(self.refresh)
        self.source.chosen.connect(self._choose_source)
        self.back.clicked.connect(self._return_to_public)
        self.controls.metric_changed.connect(self._forget_goal)
        self.controls.changed.connect(self.refresh)
        self.empty.clicked.connect(self._mend)
        self.charts.goal_changed.connect(self._choose_goal)
        self.charts.goal_settled.connect(self._settle_goal)
        self.charts.cell_size_chosen.connect(self.refresh)
        self.charts.reset.connect(self._reset_goal)
        self.charts.used.connect(self._use)
        self.charts.save_requested.connect(self._choose_chart_file)

    # ---- what is asked

    @property
    def question(self) -> Question:
        plan, asked = self.session.plan, self.controls
        return Question(
            plan=plan,
            sizes=self._true_sizes or typical_sizes(plan, default_policy()),
            metric=asked.chosen_metric,
            target=asked.target,
            wanted=self._wanted,
            cell_size=self.charts.cell_size(),
            line=asked.chosen_line,
        )

    @property
    def is_confidential(self) -> bool:
        return self._true_sizes is not None

    # ---- showing

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._return_to_public()

    def _prepare(self) -> None:
        """Load what draws charts before the page is first seen."""
        when_charts_can_be_drawn(self.session.tasks, self, lambda: None)

    def show_now(self) -> None:
        if self._answer is None:
            self._content.hide()
            self.empty.set_sentence("Preparing the charts …")
            self.empty.button.hide()
            self.empty.show()
        when_charts_can_be_drawn(self.session.tasks, self, self._ask_all)

    def _ask_all(self) -> None:
        plan = self.session.plan
        self.controls.set_statistics([one.title for one in planned(with_some_epsilon(plan))], plan.data.unit)
        self._ask(Due.EVERYTHING)

    def _ask(self, due: Due) -> None:
        """Have the question answered in the background; the newest one wins."""
        self._due = max(self._due, due)
        question = self.question
        self.session.tasks.run(
            Task(
                "Working out accuracy",
                lambda progress: answer(question, default_policy()),
                lambda found: self._take_answer(question, found),
                self,
                topic="accuracy",
                is_quiet=True,
            )
        )

    def _take_answer(self, question: Question, found: Answer) -> None:
        looked = question.sizes.source is Source.CONFIDENTIAL
        if question.plan is not self.session.plan or looked != self.is_confidential:
            return
        due, self._due, self._answer = self._due, Due.GOAL, found
        if due is Due.EVERYTHING:
            self._show(found)
            return
        self.set_subtitle(found.finding)
        self.charts.show_goal(found)
        if due is Due.SETTLED:
            self.charts.show_settled(found, self._watermark)

    def _show(self, found: Answer) -> None:
        has_lines = bool(found.curve.lines)
        self._content.setVisible(has_lines)
        self.empty.setVisible(not has_lines)
        self.source.setVisible(has_lines)
        self._show_source()
        self.set_subtitle(found.finding if has_lines else "")
        if has_lines:
            self.charts.show_answer(found, self._watermark)
        else:
            self.empty.set_sentence(found.curve.sentence)
            self.empty.button.show()
        self.inspector_changed.emit()

    def _show_source(self) -> None:
        ready = self.session.is_ready
        self.source.set_current(TRUE if self.is_confidential else PUBLIC)
        self.source.button(TRUE).setEnabled(ready)
        reason = "" if ready else "True data can be looked at once nothing stands in the way of a release."
        self.source.button(TRUE).setToolTip(reason)
        self.banner.setVisible(self.is_confidential)

    @property
    def _watermark(self) -> str:
        return "REHEARSAL" if self.session.mode is Mode.REHEARSAL else ""

    def fill_inspector(self, inspector: Inspector) -> None:
        if self._answer is None or not self._answer.statistics:
            return
        unit, part = self.session.plan.data.unit, self._answer.statistics[0]
        errors = [error for size in self.charts.cell_sizes() if (error := error_of(part, size))]
        section = inspector.add_section("Expected error (95 %)")
        rows = [(with_unit(error.size, unit), in_unit(_reach(error), part.statistic, unit)) for error in errors]
        section.add_widget(PlainTable("Expected error (95 %)", ("A cell of", "differs by at most"), rows, "lr"))
        section.add_sentence(_what_is_public(errors[0]) if errors else "")
        section.add_sentence(f"Looked at: {self._answer.curve.source_words}.")

    # ---- what the officer does

    def _take_plan(self) -> None:
        self._forget_true()
        self.charts.set_plan(self.session.plan)
        self.refresh()

    def _forget_goal(self) -> None:
        self._wanted = _policy_goal(self.controls.chosen_metric)

    def _choose_goal(self, wanted: float) -> None:
        """Answer while the goal moves: only what depends on it."""
        self._wanted = wanted
        if self._answer is not None:
            self._ask(Due.GOAL)

    def _settle_goal(self) -> None:
        if self._answer is not None:
            self._ask(Due.SETTLED)

    def _reset_goal(self) -> None:
        self._forget_goal()
        self.refresh()

    def _use(self, epsilon: Fraction) -> None:
        plan = self.session.plan
        self.session.edit("change of epsilon", replace(plan, budget=replace(plan.budget, epsilon=epsilon)))

    def _mend(self) -> None:
        stops = blocking(self.session.findings)
        first = next((one for one in stops if one.stage not in (Stage.REVIEW, Stage.RELEASE)), None)
        self.session.go_to(first.stage if first else Stage.DATA, first.where if first else "")

    def _choose_source(self, source: str) -> None:
        if source == PUBLIC:
            self._return_to_public()
            return
        self.source.set_current(PUBLIC)
        dialog = TrueDataDialog(self, getpass.getuser())
        dialog.accepted.connect(self._look_at_true_cells)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _look_at_true_cells(self) -> None:
        plan, dataset, ledger_path = self.session.plan, self.session.dataset, self.session.settings.ledger
        assert dataset is not None, "the button is enabled only when the data have been read"

        def work(progress: Progress) -> CellSizes:
            with workflow.open_ledger(ledger_path) as ledger:
                return workflow.look_at_true_cells(plan, dataset, ledger, getpass.getuser())

        self.session.tasks.run(
            Task("Looking at the true cells", work, lambda sizes: self._take_true(plan, sizes), self, "true cells")
        )

    def _take_true(self, plan: ReleasePlan, sizes: CellSizes) -> None:
        self.session.read_book()
        if self.session.plan is plan and self.isVisible():
            self._true_sizes = sizes
            self.refresh()

    def _return_to_public(self) -> None:
        self.source.set_current(PUBLIC)
        if self.is_confidential:
            self._forget_true()
            self.refresh()

    def _forget_true(self) -> None:
        """Take what was seen off the screen at once, not when the next answer is there."""
        if self.is_confidential:
            self._true_sizes = self._answer = None
            self._content.hide()
            self._show_source()

    def _choose_chart_file(self) -> None:
        suggested = str(Path(self.session.settings.last_folder) / "accuracy.png")
        chosen, _ = QFileDialog.getSaveFileName(self, "Save the chart", suggested, "Pictures (*.png)")
        if chosen:
            self.save_chart(Path(chosen))

    def save_chart(self, path: Path) -> None:
        """Save the main chart of public facts."""
        if self._answer is None:
            return
        goal = self._answer.goal
        try:
            save_accuracy_chart(self._answer.curve, path, goal.value, self._watermark, goal.solved)
        except WorkbenchError as error:
            self.session.troubled.emit(error)


def _reach(error: CellError) -> Fraction | float:
    return error.nearly_all if error.margin is None else error.margin


def _what_is_public(error: CellError) -> str:
    if not error.is_public:
        return "If the largest employer is as assumed. The true margin follows its size, so it stays in the building."
    return "Does not depend on the data, so it may be published." if error.margin is not None else IN_PROPORTION


def _policy_goal(metric: Metric) -> float:
    """The agency's own target, in the measure of a metric."""
    policy = default_policy()
    goals = {Metric.SHARE_WITHIN: policy.target_share, Metric.RELATIVE: policy.within}
    return float(goals.get(metric, policy.or_within))
