"""Stage 5: who is protected, how much, and what an outsider can learn at most."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from workbench.data.findings import Stage
from workbench.data.schema import Role
from workbench.gui.lazy_page import LazyPage
from workbench.gui.models.counting import exact, short, whole
from workbench.gui.models.protections import FIRST_CHOICES, protections
from workbench.gui.session import Session
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.how_much_card import HowMuchCard
from workbench.gui.widgets.inspector import Inspector, InspectorSection
from workbench.gui.widgets.outsider_card import OutsiderCard, PrecedentsCard, TradeOffCard
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.protection_card import ProtectionCard
from workbench.gui.widgets.text import Text
from workbench.ledger.accounts import Balance
from workbench.plan.neighbors import DEFINITIONS, Neighbors, StrongAlpha
from workbench.plan.plan import Budget, ReleasePlan
from workbench.plan.policy import default_policy
from workbench.privacy.composition import allotments, with_protection
from workbench.privacy.explanation import composition_words

_QUESTION = "Choose the change an outsider must not be able to notice."


class ProtectionPage(LazyPage):
    """Four cards of the same layout, so that they compare at a glance; epsilon and its meaning below."""

    stage = Stage.PROTECTION

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Who is protected", _QUESTION)
        self.formulas_button = plain_button("Compare &formulas")
        self.formulas_button.setCheckable(True)
        self.cards = {definition: ProtectionCard(definition) for definition in DEFINITIONS}
        self.how_much = HowMuchCard(default_policy())
        self.outsider = OutsiderCard()
        self.total = Card("How the total came about")
        self.total_words = Text("", wrap=True)
        self.trade_off = TradeOffCard()
        self.precedents = PrecedentsCard()
        self.empty = EmptyState("person", "Who is protected is chosen here once a spreadsheet is open.", "Go to Data")
        self._content = self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> QWidget:
        self.add_header_button(self.formulas_button)
        choices = QGridLayout()
        choices.setSpacing(GAP)
        for at, card in enumerate(self.cards.values()):
            choices.addWidget(card, *divmod(at, 2))
            choices.setColumnStretch(at % 2, 1)
        below = QHBoxLayout()
        below.setSpacing(GAP)
        below.addWidget(self.how_much, 4)
        below.addWidget(self.outsider, 5)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addLayout(choices)
        column.addLayout(below, 1)
        self.total.add(self.total_words)
        for unfolded in (self.total, self.trade_off, self.precedents):
            unfolded.hide()
            column.addWidget(unfolded)
        self.add(content, 1)
        self.add(self.empty, 1)
        return content

    def _connect(self) -> None:
        session = self.session
        for changed in (session.plan_changed, session.project_changed):
            changed.connect(self.refresh)
        session.book_changed.connect(self.inspector_changed)
        for definition, card in self.cards.items():
            card.chosen.connect(lambda definition=definition: self._choose_protection(definition))
        self.formulas_button.toggled.connect(self._show_formulas)
        self.how_much.epsilon_wanted.connect(self._choose_epsilon)
        self.how_much.delta_wanted.connect(self._choose_delta)
        self.how_much.neighbors_wanted.connect(self._choose_parameters)
        self.how_much.total_toggled.connect(lambda on: self._unfold(self.total, on))
        self.outsider.trade_off_toggled.connect(lambda on: self._unfold(self.trade_off, on))
        self.outsider.precedents_toggled.connect(lambda on: self._unfold(self.precedents, on))
        self.empty.clicked.connect(lambda: session.go_to(Stage.DATA))

    # ---- what is shown

    def show_now(self) -> None:
        """Show the plan as it stands."""
        plan, policy = self.session.plan, default_policy()
        self._content.setVisible(self.session.is_open)
        self.formulas_button.setVisible(self.session.is_open)
        self.empty.setVisible(not self.session.is_open)
        self.set_subtitle(_subtitle(plan))
        for card, shown in zip(self.cards.values(), protections(plan, policy), strict=True):
            card.show_protection(shown, plan.data.unit, _no_effect(plan))
        self.how_much.show_budget(plan.neighbors, plan.budget)
        for view in (self.outsider, self.trade_off):
            view.show_odds(plan.neighbors, plan.data.unit, plan.budget)
        self.trade_off.setVisible(self.outsider.is_trade_off_wanted())
        self.total_words.set_text(_total_words(plan))
        self._name_fields()
        self.inspector_changed.emit()

    def _name_fields(self) -> None:
        radios = [card.radio for card in self.cards.values() if card.radio.isEnabled()]
        self.fields = {
            "protect": next((radio for radio in radios if radio.isChecked()), radios[0] if radios else self),
            "protect.contribution": self.how_much.contribution,
            "protect.size_cap": self.how_much.size_cap,
            "protect.alpha": self.how_much.alpha,
            "budget": self.how_much.epsilon,
            "budget.delta": self.how_much.delta,
        }

    def go_to(self, where: str) -> None:
        self.refresh()
        super().go_to(where)

    def _show_formulas(self, shown: bool) -> None:
        for card in self.cards.values():
            card.show_formula(shown)

    def _unfold(self, card: QWidget, shown: bool) -> None:
        card.setVisible(shown)
        if shown:
            QTimer.singleShot(0, card, lambda: self.show_widget(card))  # once the page has made room for it

    # ---- what the officer does

    def _choose_protection(self, definition: type[Neighbors]) -> None:
        if type(self.session.plan.neighbors) is not definition:
            self._edit_neighbors("change of protection", FIRST_CHOICES[definition])
        self.refresh()

    def _choose_parameters(self, neighbors: Neighbors) -> None:
        self._edit_neighbors("change of protection", neighbors, topic="protect")

    def _edit_neighbors(self, words: str, neighbors: Neighbors, topic: str = "") -> None:
        self.session.edit(words, with_protection(self.session.plan, neighbors), topic)

    def _choose_epsilon(self, epsilon: Fraction) -> None:
        self._edit_budget("change of epsilon", replace(self.session.plan.budget, epsilon=epsilon), "budget.epsilon")

    def _choose_delta(self, delta: Fraction) -> None:
        self._edit_budget("change of delta", replace(self.session.plan.budget, delta=delta))

    def _edit_budget(self, words: str, budget: Budget, topic: str = "") -> None:
        self.session.edit(words, replace(self.session.plan, budget=budget), topic)

    # ---- the inspector

    def fill_inspector(self, inspector: Inspector) -> None:
        if not self.session.is_open:
            return
        account = inspector.add_section("Account")
        account.add_sentence("Every protection has its own account. Amounts are never added across accounts.")
        own = self.session.balance
        others = [one for one in self.session.book.balances if own is None or one.account != own.account]
        for balance in (*([own] if own else []), *others):
            if balance.account.dataset == self.session.plan.data.name:
                _add_balance(account, balance, is_own=balance is own)
        public = inspector.add_section("What stays public")
        for fact in public_facts(self.session.plan):
            public.add_sentence(f"· {fact}", "small")


def public_facts(plan: ReleasePlan) -> list[str]:
    """What the release does not hide, because it was public before."""
    keys = dict.fromkeys(key for table in plan.tables for key in table.keys)
    lists = [(key, column.codes) for key in keys if (column := plan.column(key)) and column.codes]
    bounded = [column for column in plan.columns_with(Role.MEASURE) if column.bounds_source]
    exists = ["that an establishment exists, and its place among the keys of the workplace"]
    return [
        *(exists if isinstance(plan.neighbors, StrongAlpha) else []),
        *(f"the code list of {key}, {whole(len(codes))} codes" for key, codes in lists),
        *(f"the bounds of {column.name}, set by {column.bounds_source}" for column in bounded),
        "ε, the mechanism, and every margin of error that is printed",
    ]


def _add_balance(section: InspectorSection, balance: Balance, *, is_own: bool) -> None:
    name = f"{balance.account.protection}{', this plan' if is_own else ''}"
    section.add_row(name, f"{exact(balance.spent)} of {exact(balance.cap)}", bold=is_own)


def _no_effect(plan: ReleasePlan) -> str:
    if not plan.budget.epsilon:
        return "Set epsilon to see the effect."
    return "No mechanism fits at this ε." if allotments(plan) else "Choose a statistic to see the effect."


def _total_words(plan: ReleasePlan) -> str:
    parts = allotments(plan)
    if not parts or not all(part.mechanism for part in parts):
        return "The total is known once every statistic has a mechanism."
    return composition_words(plan)


def _subtitle(plan: ReleasePlan) -> str:
    part = next(iter(allotments(plan)), None)
    if part is None:
        return f"{_QUESTION} Its effect is shown once a statistic has its ε."
    what = part.statistic.title if part.statistic.measure else plan.data.unit
    return f"{_QUESTION} The effect shown is for row 1, {what}, at its **ε = {short(part.epsilon)}**."
