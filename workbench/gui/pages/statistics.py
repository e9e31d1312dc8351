"""Stage 4: the statistics of each table, their shares of the budget, their mechanisms and what error to expect."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from workbench.data.findings import Stage
from workbench.gui.lazy_page import LazyPage
from workbench.gui.models.additions import Addition, additions
from workbench.gui.models.counting import exact, percent, short
from workbench.gui.models.mechanism_choices import epsilon_that_fits
from workbench.gui.models.protections import two_steps
from workbench.gui.models.statistic_cells import bounds_words, name_of
from workbench.gui.models.statistic_rows import (
    DrawnRow,
    Row,
    TotalMargin,
    TotalsRow,
    rows_of,
    share_within,
    total_margins,
)
from workbench.gui.session import Session
from workbench.gui.tasks import Task
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.mechanism_card import MechanismCard
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.sentence_card import SentenceCard
from workbench.gui.widgets.statistics_table import StatisticsTable
from workbench.gui.widgets.status import State
from workbench.plan.changes import with_new_statistic, with_statistic, without_statistic
from workbench.plan.plan import Statistic, StatisticKind
from workbench.plan.policy import default_policy
from workbench.plan.shares import drawn_statistics, redistribute, shared_evenly, with_shares
from workbench.progress import Progress

Margins = dict[int, tuple[TotalMargin, ...]]


class StatisticsPage(LazyPage):
    """The table, and below it the row that is being explained."""

    stage = Stage.STATISTICS
    method_sheet_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Statistics")
        self.rows: tuple[Row, ...] = ()
        self._explained = 1
        self._measured: tuple[Row, ...] = ()
        self._margins: Margins = {}
        self.add_button = plain_button("&Add statistic", "plus")
        self.add_menu = QMenu(self.add_button)
        self.remove_button = plain_button("Re&move row")
        self.even_button = plain_button("Share out &evenly")
        self.table = StatisticsTable()
        self.sentence = SentenceCard()
        self.mechanisms = MechanismCard(
            lambda part, one: share_within(session.plan, part, one, default_policy()),
            lambda part, one: epsilon_that_fits(session.plan, part, one, default_policy()),
        )
        self.empty = EmptyState("chart", "", " ", primary=True)
        self._content = self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> QWidget:
        self.add_button.setMenu(self.add_menu)
        for button in (self.add_button, self.remove_button, self.even_button):
            self.add_header_button(button)
        below = QHBoxLayout()
        below.setSpacing(GAP)
        below.addWidget(self.sentence, 3)
        below.addWidget(self.mechanisms, 7)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self.table)
        column.addLayout(below, 1)
        self.add(content, 1)
        self.add(self.empty, 1)
        return content

    def _connect(self) -> None:
        for changed in (self.session.plan_changed, self.session.project_changed):
            changed.connect(self.refresh)
        self.add_menu.aboutToShow.connect(self.fill_menu)
        self.remove_button.clicked.connect(self._remove)
        self.even_button.clicked.connect(self._share_evenly)
        self.table.row_chosen.connect(self.explain)
        self.table.share_wanted.connect(self._choose_share)
        self.table.lock_wanted.connect(self._choose_lock)
        self.table.mechanism_wanted.connect(self._choose_mechanism)
        self.mechanisms.mechanism_wanted.connect(lambda name: self._choose_mechanism(self.drawn.index, name))
        self.mechanisms.epsilon_wanted.connect(self._choose_epsilon)
        self.sentence.method_sheet_wanted.connect(self._want_method_sheet)
        self.sentence.protection_wanted.connect(lambda: self.session.go_to(Stage.PROTECTION, "protect.neighbors"))
        self.empty.clicked.connect(lambda: self.session.go_to(Stage.CELLS if self.session.is_open else Stage.DATA))

    # ---- what is shown

    @property
    def explained(self) -> Row:
        return self.rows[min(self._explained, len(self.rows)) - 1]

    @property
    def drawn(self) -> DrawnRow:
        """The drawn row behind the one that is explained."""
        row = self.explained
        return row.source if isinstance(row, TotalsRow) else row

    def show_now(self) -> None:
        """Show the plan as it stands."""
        self.rows = rows_of(self.session.plan)
        self._content.setVisible(bool(self.rows))
        self.empty.setVisible(not self.rows)
        self.add_button.setVisible(bool(self.session.plan.tables))
        for button in (self.remove_button, self.even_button):
            button.setVisible(bool(self.rows))
        if self.rows:
            self._show_rows()
            self._measure_totals()
        else:
            self._show_empty()
        self.inspector_changed.emit()

    def _show_empty(self) -> None:
        self.set_subtitle("")
        if self.session.plan.tables:
            self.empty.set_sentence("No statistic is chosen yet. “Add statistic” above adds a count.")
        else:
            self.empty.set_sentence("Statistics are chosen here once a table has its keys.")
        self.empty.button.setText("Go to Cells" if self.session.is_open else "Go to Data")

    def _show_rows(self) -> None:
        plan = self.session.plan
        self.set_subtitle(_subtitle(plan.budget.epsilon))
        self.table.show_statistics(plan, self.rows, self._margins if self._measured == self.rows else None)
        self.even_button.setEnabled(sum(not one.locked for one in drawn_statistics(plan)) > 1)
        self.fields = {
            key: self.table.controls[row.index].mechanism
            for row in self.rows
            if isinstance(row, DrawnRow)
            for key in (f"statistics.{row.index}", f"tables.{row.table_at}.statistics.{row.at}")
        }
        self._show_explained()

    def _show_explained(self) -> None:
        row, unit = self.explained, self.session.plan.data.unit
        self._explained = row.number
        self.table.mark_row(row.number)
        is_drawn = isinstance(row, DrawnRow)
        self.remove_button.setEnabled(is_drawn)
        self.remove_button.setToolTip(f"Remove row {row.number}" if is_drawn else "Totals are chosen on Cells.")
        margins = self._margins.get(row.number) if self._measured == self.rows else None
        self.sentence.show_row(row, unit, margins)
        self.mechanisms.show_row(self.drawn, unit)

    def explain(self, number: int) -> None:
        """Turn a row into a sentence."""
        if number != self._explained:
            self._explained = number
            self._show_explained()
            self.inspector_changed.emit()

    def go_to(self, where: str) -> None:
        self.refresh()
        field = next((self.fields[key] for key in sorted(self.fields, reverse=True) if where.startswith(key)), None)
        row = next((row for row in self.rows if isinstance(row, DrawnRow) and self._is_row_of(row, field)), None)
        if row is None:
            if where:
                self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.explain(row.number)
        self.show_widget(self.table)
        (field if field and field.isEnabled() else self.table).setFocus(Qt.FocusReason.OtherFocusReason)

    def _is_row_of(self, row: DrawnRow, field: QWidget | None) -> bool:
        return self.table.controls[row.index].mechanism is field

    # ---- margins of totals are worked out in the background: a million cells take their time

    def _measure_totals(self) -> None:
        rows = self.rows
        if self._measured != rows:
            work, then = partial(_margins, rows), partial(self._take_margins, rows)
            task = Task("Working out totals", work, then, owner=self, topic="margins of totals", is_quiet=True)
            self.session.tasks.run(task)

    def _take_margins(self, rows: tuple[Row, ...], margins: Margins) -> None:
        self._measured, self._margins = rows, margins
        if rows and rows == self.rows:
            self._show_rows()

    # ---- what the officer does

    def _row(self, index: int) -> DrawnRow:
        return next(row for row in self.rows if isinstance(row, DrawnRow) and row.index == index)

    def _choose_share(self, index: int, share: Fraction) -> None:
        shares = redistribute(drawn_statistics(self.session.plan), index, share)
        self.session.edit("change of share", with_shares(self.session.plan, shares), topic=f"share {index}")

    def _share_evenly(self) -> None:
        shares = shared_evenly(drawn_statistics(self.session.plan))
        self.session.edit("sharing out evenly", with_shares(self.session.plan, shares))

    def _choose_lock(self, index: int, locked: bool) -> None:
        self._change(index, "locking of a share" if locked else "unlocking of a share", locked=locked)

    def _choose_mechanism(self, index: int, name: str) -> None:
        self._change(index, "change of mechanism", mechanism=name)

    def _choose_epsilon(self, epsilon: Fraction) -> None:
        plan = self.session.plan
        self.session.edit("change of epsilon", replace(plan, budget=replace(plan.budget, epsilon=epsilon)))

    def _change(self, index: int, words: str, **decided: object) -> None:
        row = self._row(index)
        changed = replace(row.statistic, **decided)  # type: ignore[arg-type]
        self.session.edit(words, with_statistic(self.session.plan, row.table_at, row.at, changed))

    def _remove(self) -> None:
        row = self.drawn
        self.session.edit("removal of a statistic", without_statistic(self.session.plan, row.table_at, row.at))

    def _add(self, table_at: int, statistic: Statistic) -> None:
        self.session.edit("addition of a statistic", with_new_statistic(self.session.plan, table_at, statistic))

    def fill_menu(self) -> None:
        """Every kind of statistic for every table, of every measure; those that cannot be added say why."""
        plan = self.session.plan
        self.add_menu.clear()
        for at, table in enumerate(plan.tables):
            menu = self.add_menu if len(plan.tables) == 1 else self.add_menu.addMenu(table.name)
            for kind in StatisticKind:
                self._add_kind(menu, at, kind, additions(plan, table, kind))
        self.add_menu.addSeparator()
        to_cells = self.add_menu.addAction("Add a table on Cells…")
        to_cells.triggered.connect(lambda: self.session.go_to(Stage.CELLS, "tables"))

    def _add_kind(self, menu: QMenu, table_at: int, kind: StatisticKind, offered: tuple[Addition, ...]) -> None:
        """One entry, or a menu that asks which measure."""
        name = kind.value.capitalize()
        asks = any(one.statistic.measure for one in offered)
        inner = menu.addMenu(f"{name} of") if asks else menu
        for one in offered:
            action = inner.addAction(f"{one.statistic.measure or name}\t{one.reason}".rstrip())
            action.setEnabled(one.is_possible)
            action.triggered.connect(lambda _=False, one=one: self._add(table_at, one.statistic))

    def _want_method_sheet(self) -> None:
        if self.drawn.choice is not None:
            self.method_sheet_wanted.emit(self.drawn.choice.offer.method_sheet)

    # ---- the inspector

    def fill_inspector(self, inspector: Inspector) -> None:
        if not self.rows:
            return
        row, plan = self.drawn, self.session.plan
        mechanism = row.mechanism
        if mechanism is not None and row.epsilon is not None and plan.neighbors is not None:
            section = inspector.add_section(f"Row {row.number}, {name_of(plan, row.statistic)}")
            section.add_row("Epsilon", short(row.epsilon))
            section.add_row(two_steps(plan.neighbors), short(2 * row.epsilon))
            section.add_row("Bounds", bounds_words(plan, row.statistic)[0])
            section.add_row("Claim", str(mechanism.guarantee.claim))
            section.add_sentence(_upper_first(f"{mechanism.scale_words}."))
        self._add_verdict(inspector)

    def _add_verdict(self, inspector: Inspector) -> None:
        plan, policy = self.session.plan, default_policy()
        section = inspector.add_section("Is it good enough?")
        for row in self.rows:
            if isinstance(row, TotalsRow):
                continue
            name = f"Row {row.number}, {name_of(plan, row.statistic)}"
            if row.part is None or row.choice is None:
                section.add_state(State.NEEDS_YOU, f"{name}: no mechanism yet.")
                continue
            within = share_within(plan, row.part, row.choice, policy)
            state = State.DONE if within >= policy.target_share else State.NEEDS_YOU
            asked = percent(policy.target_share)
            section.add_state(state, f"{name}: {percent(within)} of cells within target, policy asks for {asked}.")


def _margins(rows: tuple[Row, ...], progress: Progress) -> Margins:
    return {row.number: total_margins(row) for row in rows if isinstance(row, TotalsRow)}


def _subtitle(epsilon: Fraction | None) -> str:
    if not epsilon:
        return "How the plan’s ε will be shared, once it is set. Locked rows keep their share."
    return f"How the plan’s **ε = {exact(epsilon)}** is shared. Locked rows keep their share."


def _upper_first(words: str) -> str:
    return words[:1].upper() + words[1:]
