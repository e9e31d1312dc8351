"""How much is protected: epsilon as a slider and a typed value, delta, and the parameters of the protection."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout

from workbench.gui.models.counting import exact, whole
from workbench.gui.models.protections import change_of, steps_words
from workbench.gui.widgets.buttons import unfolding_link
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.fields import LabelledRow, NumberField
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.slider import EpsilonSlider
from workbench.gui.widgets.text import Text
from workbench.plan.amounts import exact_text, parse_exact
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, WorkerHistory
from workbench.plan.plan import Budget
from workbench.plan.policy import Policy

_TICKS = ("0.1", "0.5", "1", "2", "5", "10")
_ALPHAS = ("0.01", "0.05", "0.1", "0.15", "0.2")
_MOST_RECORDS = 1_000_000
_DELTAS = (Fraction(0), *(Fraction(1, 10**power) for power in (9, 8, 7, 6)))
_DELTA = (
    "The chance, at most, that the promise fails. Above 0 it allows Gaussian and Smooth Laplace noise, and adding up "
    "many tables costs less."
)
_STRICT = (
    "The workforce may then grow to (1 + α)·x rounded up, instead of to the larger of (1 + α)·x and x + 1. Sizes in "
    "between count as hidden too, for slightly more noise."
)


class HowMuchCard(Card):
    """Shows the budget and the protection of a plan, and tells what is wanted instead."""

    epsilon_wanted = Signal(object)  # Fraction
    delta_wanted = Signal(object)  # Fraction
    neighbors_wanted = Signal(object)

    total_toggled = Signal(bool)

    def __init__(self, policy: Policy) -> None:
        super().__init__("How much")
        self._policy = policy
        self._neighbors: Neighbors | None = None
        self.alpha = EpsilonSlider(
            "Alpha: size hidden within", "0.1", "0.01", "0.2", _ALPHAS, logarithmic=False, step="0.01", beyond="1"
        )
        self.alpha_words = Text("", "small_muted", wrap=True)
        self.contribution = NumberField("Records of one person that count", step="1", check=_at_least_one, width=112)
        self.size_cap = NumberField("Size limit of an employer", step="50", check=_at_least_one, width=112)
        self.epsilon = EpsilonSlider(
            "Epsilon of the whole plan", "1", ticks=_TICKS, ends=("more privacy", "more accuracy"),
            beyond=exact_text(policy.largest_epsilon),
        )  # fmt: skip
        self.strict = QCheckBox("S&trict: sizes up to (1 + α)·x, rounded up")
        self.strict.setToolTip(_STRICT)
        self.change = Message("info")
        self.delta = QComboBox()
        self.delta.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.total_link = unfolding_link("How the total came about")
        self._contribution_row = LabelledRow("Records of one person that count", self.contribution).add_stretch()
        self._size_cap_row = LabelledRow("Size limit of an employer", self.size_cap).add_stretch()
        parameters = (self.alpha, self.alpha_words, self.strict, self._contribution_row, self._size_cap_row)
        for widget in (*parameters, self.epsilon):
            self.add(widget)
        self._add_delta()
        self.add(self.change)
        self.add_stretch()
        self.add_footer(Text(""), self.total_link)
        self._connect()

    def _add_delta(self) -> None:
        """As epsilon: the name at the left, the choice at the right, and what it means below."""
        name = Text("&Delta", "bold")
        name.setBuddy(self.delta)
        self.delta.setAccessibleName("Delta")
        row = QHBoxLayout()
        row.addWidget(name, 1)
        row.addWidget(self.delta)
        self.body.addLayout(row)
        self.add(Text(_DELTA, "small_muted", wrap=True))

    def _connect(self) -> None:
        self.epsilon.value_changed.connect(lambda text: self.epsilon_wanted.emit(parse_exact(text)))
        self.alpha.value_changed.connect(lambda text: self._choose(alpha=parse_exact(text)))
        self.contribution.value_changed.connect(lambda text: self._choose(contribution=int(text)))
        self.size_cap.value_changed.connect(lambda text: self._choose(size_cap=int(text)))
        self.strict.toggled.connect(lambda on: self._choose(strict=on))
        self.delta.activated.connect(lambda at: self.delta_wanted.emit(parse_exact(self.delta.itemData(at))))
        self.total_link.toggled.connect(self.total_toggled)

    def show_budget(self, neighbors: Neighbors | None, budget: Budget) -> None:
        self._neighbors = neighbors
        self.set_aside(neighbors.title.lower() if neighbors else "")
        _show_on(self.epsilon, budget.epsilon)
        self._show_parameters(neighbors)
        self.change.setVisible(neighbors is not None and bool(budget.epsilon))
        if neighbors is not None and budget.epsilon:
            words = change_of(neighbors, exact(budget.epsilon), exact(2 * budget.epsilon))
            self.change.set_message("info", "", words)
        self._show_delta(budget.delta)

    def _show_delta(self, delta: Fraction) -> None:
        """What the policy allows, and what the plan says, though it be more."""
        allowed = {value for value in _DELTAS if value <= self._policy.largest_delta}
        with QSignalBlocker(self.delta):
            self.delta.clear()
            for value in sorted({*allowed, delta}):
                above = "" if value in allowed else " (not allowed)"
                self.delta.addItem(f"{_power_words(value)}{above}", exact_text(value))
            self.delta.setCurrentIndex(self.delta.findData(exact_text(delta)))

    def _show_parameters(self, neighbors: Neighbors | None) -> None:
        self.alpha.setVisible(isinstance(neighbors, StrongAlpha))
        self.alpha_words.setVisible(isinstance(neighbors, StrongAlpha))
        self.strict.setVisible(isinstance(neighbors, StrongAlpha))
        self._contribution_row.setVisible(isinstance(neighbors, WorkerHistory))
        self._size_cap_row.setVisible(isinstance(neighbors, Employer))
        if isinstance(neighbors, StrongAlpha):
            _show_on(self.alpha, neighbors.alpha)
            self.alpha_words.set_text(steps_words(neighbors))
            with QSignalBlocker(self.strict):
                self.strict.setChecked(neighbors.strict)
        elif isinstance(neighbors, WorkerHistory):
            _show_in(self.contribution, neighbors.contribution)
        elif isinstance(neighbors, Employer):
            _show_in(self.size_cap, neighbors.size_cap)

    def _choose(self, **parameters: object) -> None:
        if self._neighbors is not None:
            self.neighbors_wanted.emit(replace(self._neighbors, **parameters))  # type: ignore[arg-type]


def _power_words(delta: Fraction) -> str:
    """0, or 0.000001 (1 in 1,000,000)."""
    return f"{exact(delta)} (1 in {whole(delta.denominator)})" if delta.numerator == 1 else exact(delta)


def _at_least_one(text: str) -> str | None:
    if "." in text:
        return "A whole number."
    return None if 1 <= int(text) <= _MOST_RECORDS else f"1 to {whole(_MOST_RECORDS)}."


def _show_in(field: NumberField, value: int) -> None:
    if field.value() != str(value):
        field.set_value(str(value))


def _show_on(slider: EpsilonSlider, value: Fraction | None) -> None:
    """Move a slider to a value, unless it says it already; typing must not be disturbed."""
    if value is None:
        slider.field().set_value("")
    elif value <= 0:
        slider.field().set_value(exact_text(value))
    elif not (slider.is_valid() and slider.value() and parse_exact(slider.value()) == value):
        slider.set_value(_decimal_text(value))


def _decimal_text(value: Fraction) -> str:
    """The exact decimal, or four places of a ratio that has none."""
    text = exact_text(value)
    return text if "/" not in text else f"{float(value):.4f}"
