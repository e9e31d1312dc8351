"""What is asked about accuracy: which statistic, which metric, and when a cell counts as on target."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox

from workbench.gui.widgets.fields import LabelledRow, NumberField, between
from workbench.gui.widgets.flow import FlowRow
from workbench.plan.amounts import exact_text
from workbench.plan.policy import Policy
from workbench.preview.metrics import Metric, Target

_ALL = "All statistics"
_METRICS = (Metric.SHARE_WITHIN, Metric.MARGIN, Metric.ABSOLUTE, Metric.RELATIVE)


class AccuracyControls(FlowRow):
    """`changed` comes after every choice; `metric_changed` before it, because a goal belongs to its metric."""

    changed = Signal()
    metric_changed = Signal()

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self.statistic_choice, self.metric_choice = QComboBox(), QComboBox()
        self.within = NumberField("Within, % of the cell", "", "%", step="1", check=between("0", "100"), width=84)
        self.or_within = NumberField("Or within, units", "", "", step="1", check=between("0", None), width=116)
        for label, field in (("&Statistic", self.statistic_choice), ("&Metric", self.metric_choice),
                             ("within", self.within), ("or", self.or_within)):  # fmt: skip
            self.add(LabelledRow(label, field))
        self.statistic_choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.statistic_choice.setMinimumContentsLength(13)
        self.statistic_choice.setAccessibleName("Statistic")
        self.metric_choice.setAccessibleName("Metric")
        self.statistic_choice.addItem(_ALL)
        self.metric_choice.addItems([metric.heading for metric in _METRICS])
        self.within.set_value(exact_text(100 * policy.within))
        self.or_within.set_value(exact_text(policy.or_within))
        self.statistic_choice.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.metric_choice.currentIndexChanged.connect(self._choose_metric)
        for field in (self.within, self.or_within):
            field.committed.connect(lambda _: self.changed.emit())

    @property
    def chosen_metric(self) -> Metric:
        return _METRICS[self.metric_choice.currentIndex()]

    @property
    def chosen_line(self) -> int | None:
        """The statistic chosen, by its place in the plan; None for all."""
        chosen = self.statistic_choice.currentIndex() - 1
        return chosen if chosen >= 0 else None

    @property
    def target(self) -> Target:
        return Target(float(Decimal(self.within.value())) / 100, float(Decimal(self.or_within.value())))

    def set_statistics(self, names: Sequence[str], unit: str) -> None:
        """List the statistics of a plan; other statistics than before put the choice back to all."""
        self.or_within.set_unit(unit)
        choice = self.statistic_choice
        if [choice.itemText(at) for at in range(1, choice.count())] != list(names):
            with QSignalBlocker(choice):
                choice.clear()
                choice.addItems([_ALL, *names])

    def _choose_metric(self) -> None:
        self.metric_changed.emit()
        self.changed.emit()
