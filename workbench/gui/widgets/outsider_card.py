"""What an outsider can learn: the odds before and after, as a hundred dots and in one sentence."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from PySide6.QtCore import Signal

from workbench.gui.models.protections import secret_of
from workbench.gui.widgets.buttons import unfolding_link
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.dots import OddsDots
from workbench.gui.widgets.fields import LabelledRow, NumberField, between
from workbench.gui.widgets.plain_table import Cell, PlainTable
from workbench.gui.widgets.tables import Rows
from workbench.gui.widgets.text import Text
from workbench.plan.neighbors import Neighbors
from workbench.plan.plan import Budget
from workbench.privacy.odds import at_least_of_100, at_most_of_100, posterior, power
from workbench.privacy.precedents import Precedent, precedents

_TOSS_UP = 50
_LEVELS = (1, 5, 10, 20)
_ONLY_A_TOSS_UP = "With a delta above 0 the bound is for a toss-up only."
_NOTHING_YET = "Choose who is protected and set epsilon to see what an outsider could learn at most."


class OutsiderCard(Card):
    """The chance before is a question to play with, not a decision of the plan."""

    trade_off_toggled = Signal(bool)
    precedents_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__("What an outsider can learn")
        self._neighbors: Neighbors | None = None
        self._unit = "records"
        self._epsilon: Fraction | None = None
        self._delta = Fraction(0)
        self.prior = NumberField(
            "Outsider’s chance before", str(_TOSS_UP), "of 100", step="1", check=_whole_chance, width=112
        )
        self.sentence = Text("", wrap=True)
        self.dots = OddsDots()
        self.note = Text("", "small_muted", wrap=True)
        self.trade_off_link = unfolding_link("More: detection trade-off")
        self.precedents_link = unfolding_link(f"Precedents with their unit ({len(precedents())})")
        self.trade_off_link.toggled.connect(self.trade_off_toggled)
        self.precedents_link.toggled.connect(self.precedents_toggled)
        self.add_header_widget(LabelledRow("Chance before", self.prior))
        for widget in (self.sentence, self.dots, self.note):
            self.add(widget)
        self.add_stretch()
        self.add_footer(Text(""), self.trade_off_link, self.precedents_link)
        self.prior.value_changed.connect(lambda _: self._show())

    def show_odds(self, neighbors: Neighbors | None, unit: str, budget: Budget) -> None:
        self._neighbors, self._unit, self._epsilon, self._delta = neighbors, unit, budget.epsilon, budget.delta
        self.prior.setEnabled(not self._delta)
        self.prior.setToolTip(_ONLY_A_TOSS_UP if self._delta else "")
        if self._delta:
            self.prior.set_value(str(_TOSS_UP))
        self._show()

    def is_trade_off_wanted(self) -> bool:
        """Whether the detection trade-off is unfolded, and there are odds to show in it."""
        return self.trade_off_link.isChecked() and not self.trade_off_link.isHidden()

    def _show(self) -> None:
        neighbors, epsilon = self._neighbors, self._epsilon
        has_odds = neighbors is not None and epsilon is not None and epsilon > 0
        for widget in (self.dots, self.note, self.trade_off_link):
            widget.setVisible(has_odds)
        if neighbors is None or epsilon is None or epsilon <= 0:
            self.sentence.set_text(_NOTHING_YET)
            return
        before = int(self.prior.value() or _TOSS_UP)
        chance = Fraction(before, 100)
        most = _at_most(posterior(chance, epsilon), self._delta)
        least = at_least_of_100(posterior(chance, -epsilon))
        changed = _at_most(posterior(chance, 2 * epsilon), 2 * self._delta)
        self.sentence.set_text(_sentence(secret_of(neighbors, self._unit), before, most))
        self.note.set_text(_note(before, least, most, changed))
        self._show_dots(before, most)

    def _show_dots(self, before: int, most: int) -> None:
        if before == _TOSS_UP:
            self.dots.set_odds(before, most)
        else:
            self.dots.set_odds(
                before, most, before_words=f"Before: {before} of 100", after_words=f"After: at most {most} of 100"
            )


def _at_most(chance: Decimal, delta: Fraction) -> int:
    """In whole cases of 100; a δ can raise the chance by as much."""
    return min(at_most_of_100(chance + Decimal(delta.numerator) / Decimal(delta.denominator)), 100)


def _whole_chance(text: str) -> str | None:
    return "Whole cases of 100." if "." in text else between("1", "99")(text)


def _sentence(secret: str, before: int, most: int) -> str:
    if before == _TOSS_UP:
        return (
            f"Someone who thought it a toss-up whether {secret} is right in **at most {most} of 100** such cases "
            "after seeing everything published."
        )
    return (
        f"Someone who gave it {before} of 100 that {secret} can give it **at most {most} of 100** "
        "after seeing everything published."
    )


def _note(before: int, least: int, most: int, changed: int) -> str:
    stays = (
        f"At least {100 - most} of 100 such guesses stay wrong, whatever else the outsider knows."
        if before == _TOSS_UP
        else f"The chance cannot fall below {least} of 100 either, whatever else the outsider knows."
    )
    return f"{stays} For a change, which is two steps: at most {changed} of 100."


class TradeOffCard(Card):
    """How often a test can detect at most, for several rates of false alarms."""

    def __init__(self) -> None:
        super().__init__("Detection trade-off", "whatever test an outsider makes")
        self.table = PlainTable("Detection trade-off", ("A test that raises a false alarm in", "detects in at most"))
        self.add(self.table)

    def show_odds(self, neighbors: Neighbors | None, unit: str, budget: Budget) -> None:
        epsilon = budget.epsilon
        if neighbors is None or epsilon is None or epsilon <= 0:
            return
        self.set_aside(f"whether {secret_of(neighbors, unit)}")
        most = {level: _at_most(power(Fraction(level, 100), epsilon), budget.delta) for level in _LEVELS}
        self.table.set_rows([[f"{level} of 100", f"{detected} of 100"] for level, detected in most.items()])


class PrecedentsCard(Card):
    """Published releases; an epsilon never stands there without what it is per."""

    def __init__(self) -> None:
        super().__init__("Precedents with their unit", "an ε of one unit says nothing about an ε of another")
        headers = ("Release", "ε", "What the ε is per")
        rows = [_precedent_row(one) for one in precedents()]
        self.table = PlainTable("Precedents with their unit", headers, rows, row_height=Rows.TWO_LINES)
        self.add(self.table)


def _precedent_row(one: Precedent) -> list[str | Cell]:
    return [Cell(one.release, bold=True, second_line=one.claim), Cell(one.epsilon, second_line=one.beside), one.unit]
