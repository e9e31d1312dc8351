"""How much is protected: epsilon as a slider and a typed value, and the parameters of the chosen protection."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import Signal

from workbench.gui.models.counting import exact, whole
from workbench.gui.models.protections import change_of
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.fields import LabelledRow, NumberField
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.slider import EpsilonSlider
from workbench.gui.widgets.text import Text
from workbench.plan.amounts import exact_text, parse_exact
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, WorkerHistory
from workbench.plan.plan import Budget

_TICKS = ("0.1", "0.5", "1", "2", "5", "10")
_ALPHAS = ("0.01", "0.05", "0.1", "0.15", "0.2")
_MOST_RECORDS = 1_000_000


class HowMuchCard(Card):
    """Shows the budget and the protection of a plan, and tells what is wanted instead."""

    epsilon_wanted = Signal(object)  # Fraction
    delta_wanted = Signal(object)  # Fraction
    neighbors_wanted = Signal(object)

    def __init__(self, largest: Fraction) -> None:
        super().__init__("How much")
        self._neighbors: Neighbors | None = None
        self.alpha = EpsilonSlider(
            "Alpha: size hidden within", "0.1", "0.01", "0.2", _ALPHAS, logarithmic=False, step="0.01", beyond="1"
        )
        self.alpha_words = Text("", "small_muted", wrap=True)
        self.contribution = NumberField("Records of one person that count", step="1", check=_at_least_one, width=112)
        self.size_cap = NumberField("Size limit of an employer", step="50", check=_at_least_one, width=112)
        self.epsilon = EpsilonSlider(
            "Epsilon of the whole plan", "1", ticks=_TICKS, ends=("more privacy", "more accuracy"),
            beyond=exact_text(largest),
        )  # fmt: skip
        self.change = Message("info")
        self.no_delta_button = plain_button("Set to 0", small=True)
        self.no_delta_button.setAccessibleName("Set delta to 0")
        self.delta = Message("warn", "", "", self.no_delta_button)
        self._contribution_row = LabelledRow("Records of one person that count", self.contribution).add_stretch()
        self._size_cap_row = LabelledRow("Size limit of an employer", self.size_cap).add_stretch()
        for widget in (self.alpha, self.alpha_words, self._contribution_row, self._size_cap_row, self.epsilon):
            self.add(widget)
        self.add(self.change)
        self.add(self.delta)
        self.add_stretch()
        self._connect()

    def _connect(self) -> None:
        self.epsilon.value_changed.connect(lambda text: self.epsilon_wanted.emit(parse_exact(text)))
        self.alpha.value_changed.connect(lambda text: self._choose(alpha=parse_exact(text)))
        self.contribution.value_changed.connect(lambda text: self._choose(contribution=int(text)))
        self.size_cap.value_changed.connect(lambda text: self._choose(size_cap=int(text)))
        self.no_delta_button.clicked.connect(lambda: self.delta_wanted.emit(Fraction(0)))

    def show_budget(self, neighbors: Neighbors | None, budget: Budget) -> None:
        self._neighbors = neighbors
        self.set_aside(neighbors.title.lower() if neighbors else "")
        _show_on(self.epsilon, budget.epsilon)
        self._show_parameters(neighbors)
        self.change.setVisible(neighbors is not None and bool(budget.epsilon))
        if neighbors is not None and budget.epsilon:
            words = change_of(neighbors, exact(budget.epsilon), exact(2 * budget.epsilon))
            self.change.set_message("info", "", f"{words} The ledger stores ε per step.")
        self.delta.setVisible(budget.delta != 0)
        self.delta.set_message("warn", "", f"Delta is {exact(budget.delta)}. No mechanism of this version uses it.")

    def _show_parameters(self, neighbors: Neighbors | None) -> None:
        self.alpha.setVisible(isinstance(neighbors, StrongAlpha))
        self.alpha_words.setVisible(isinstance(neighbors, StrongAlpha))
        self._contribution_row.setVisible(isinstance(neighbors, WorkerHistory))
        self._size_cap_row.setVisible(isinstance(neighbors, Employer))
        if isinstance(neighbors, StrongAlpha):
            _show_on(self.alpha, neighbors.alpha)
            most = whole(int(1000 * (1 + neighbors.alpha)))
            words = f"An employer of {whole(1000)} cannot be told from one of {most} better than the odds shown."
            self.alpha_words.set_text(words)
        elif isinstance(neighbors, WorkerHistory):
            _show_in(self.contribution, neighbors.contribution)
        elif isinstance(neighbors, Employer):
            _show_in(self.size_cap, neighbors.size_cap)

    def _choose(self, **parameters: object) -> None:
        if self._neighbors is not None:
            self.neighbors_wanted.emit(replace(self._neighbors, **parameters))  # type: ignore[arg-type]


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
