"""Solve for epsilon: the target as a number, what it needs, and a button that takes it into the plan."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from PySide6.QtCore import Signal

from workbench.gui.widgets.buttons import plain_button, primary_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.fields import LabelledRow, NumberField, between
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.text import Text
from workbench.plan.amounts import exact_text
from workbench.preview.answer import Answer
from workbench.preview.metrics import Metric


@dataclass(frozen=True)
class GoalUnit:
    """How the goal of a metric is typed: in hundredths or in units, and the smallest step."""

    parts: int
    step: str
    least: str
    most: str | None
    after: str


GOAL_UNITS = {
    Metric.SHARE_WITHIN: GoalUnit(100, "1", "1", "100", "of cells"),
    Metric.RELATIVE: GoalUnit(100, "1", "0.1", None, "at most"),
    Metric.ABSOLUTE: GoalUnit(1, "1", "0.1", None, "at most"),
    Metric.MARGIN: GoalUnit(1, "1", "1", None, "at most"),
}

_NO_EPSILON = "Lower the target, use fewer statistics, or choose larger cells."


class SolvePanel(Card):
    """`goal_changed` gives the value wanted in the metric's own measure; `used` the epsilon to take."""

    goal_changed = Signal(float)
    used = Signal(object)
    reset = Signal()

    def __init__(self) -> None:
        super().__init__("Solve for epsilon")
        self._metric = Metric.SHARE_WITHIN
        self._solved: Fraction | None = None
        self.field = NumberField("Target", "", step="1", width=104)
        self._row = LabelledRow("Target", self.field)
        self._after = Text("", "muted")
        self._advice = Text("", "body", wrap=True)
        self._cost = Text("", "small_muted", wrap=True)
        self.use = primary_button("", small=True)
        self.reset_button = plain_button("Reset", small=True)
        self.reset_button.setToolTip("Back to the target of the policy")
        self.add_row(self._row, self._after)
        self.add(self._advice)
        self.add_row(self.use, self.reset_button)
        self.add(self._cost)
        self.add_stretch()
        self.add(Text("Drag the target line in the chart, move it with the arrow keys, or type it here.", "small_muted",
                      wrap=True))  # fmt: skip
        self.field.value_changed.connect(self._take_typed)
        self.use.clicked.connect(lambda: self.used.emit(self._solved))
        self.reset_button.clicked.connect(self.reset)

    def set_metric(self, metric: Metric, unit: str) -> None:
        typed = GOAL_UNITS[metric]
        self._metric = metric
        self.field.set_unit("%" if typed.parts == 100 else unit)
        self.field.set_check(between(typed.least, typed.most))
        self._after.set_text(typed.after if typed.after == "of cells" else "")
        self._row.caption().setText("At most" if typed.after == "at most" else "Target")

    def show_answer(self, answer: Answer) -> None:
        """The goal as it stands, unless the officer is typing it, and what it needs."""
        if not self.field.line_edit().hasFocus():
            self.field.set_value(self.typed_value(answer.goal.value))
        self._solved = answer.goal.solved
        now = answer.curve.epsilon_now
        self._advice.set_text(answer.advice)
        self.use.setVisible(self._solved is not None and self._solved != now)
        self.use.setText(f"Use ε = {shown(exact_text(self._solved))}" if self._solved is not None else "")
        cost = f"The plan would cost {shown(exact_text(self._solved))}." if self._solved is not None else _NO_EPSILON
        self._cost.set_text(cost)

    def typed_value(self, value: float) -> str:
        """A goal as it is typed: whole steps of the metric, without trailing zeros."""
        scaled = Decimal(str(round(value * GOAL_UNITS[self._metric].parts, 4)))
        return f"{scaled.normalize():f}"

    def snapped(self, value: float) -> float:
        """The nearest goal of whole steps that may be typed."""
        unit = GOAL_UNITS[self._metric]
        steps = max(round(value * unit.parts / float(unit.step)), 1)
        most = float(unit.most) if unit.most else float("inf")
        return min(steps * float(unit.step), most) / unit.parts

    def step(self, times: int) -> None:
        self.field.step(times)

    def advice(self) -> str:
        return self._advice.accessibleName()

    def _take_typed(self, exact: str) -> None:
        if exact:
            self.goal_changed.emit(float(Decimal(exact) / GOAL_UNITS[self._metric].parts))
