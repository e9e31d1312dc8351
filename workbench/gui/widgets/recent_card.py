"""The list of recent projects: filter it, open one, take one off the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView

from workbench.gui.models.recent import RecentPlan, when
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.fields import SearchField
from workbench.gui.widgets.plain_table import Cell, TextModel
from workbench.gui.widgets.tables import Rows, TableView
from workbench.gui.widgets.text import Text

_HEADERS = ("Project", "State", "Data", "Last changed")
_KEPT = "A project keeps the plan and where the data are, never the records."
_GONE = "This file was moved, renamed or deleted."


class RecentCard(Card):
    """Double click or Enter opens a project; a file that is gone stays in the list and says so."""

    chosen = Signal(object)
    unwanted = Signal(object)

    def __init__(self) -> None:
        super().__init__("Recent projects", flush=True)
        self._plans: tuple[RecentPlan, ...] = ()
        self._shown: tuple[RecentPlan, ...] = ()
        self.filter = SearchField("Filter projects", 200)
        self.model = TextModel(_HEADERS, ())
        self.table = TableView("Recent projects", Rows.CONTROLS, inside=True)
        self.empty = EmptyState("folder", "Projects you open or save will be listed here.")
        self.words = Text(_KEPT, "small_muted", wrap=True)
        self.forget = plain_button("&Take off the list")
        self.open = plain_button("Open &project")
        self._build()
        self.show_plans(())

    def _build(self) -> None:
        self.table.setModel(self.model)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.fit_columns([0])
        self.add_header_widget(self.filter)
        self.add(self.table, 1)
        self.add(self.empty, 1)
        self.add_footer(self.words, self.forget, self.open)
        self.filter.textChanged.connect(self._show_rows)
        self.table.activated.connect(self._open_chosen)
        self.table.selectionModel().currentRowChanged.connect(self._show_chosen)
        self.open.clicked.connect(self._open_chosen)
        self.forget.clicked.connect(self._forget_chosen)

    def show_plans(self, plans: Sequence[RecentPlan]) -> None:
        self._plans = tuple(plans)
        self.empty.setVisible(not plans)
        self.table.setVisible(bool(plans))
        for control in (self.filter, self.forget, self.open):
            control.setVisible(bool(plans))
        self._show_rows()

    def chosen_plan(self) -> RecentPlan | None:
        row = self.table.currentIndex().row()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def _show_rows(self) -> None:
        self._shown = tuple(plan for plan in self._plans if plan.matches(self.filter.text()))
        now = datetime.now().astimezone()
        self.model.set_rows([_cells(plan, now) for plan in self._shown])
        self.table.fit_columns([0])
        self.table.selectRow(0)
        self._show_chosen()

    def _show_chosen(self, *_: QModelIndex) -> None:
        plan = self.chosen_plan()
        self.open.setEnabled(plan is not None and plan.is_there)
        self.forget.setEnabled(plan is not None)
        self.words.set_text(_GONE if plan is not None and not plan.is_there else _KEPT)

    def _open_chosen(self) -> None:
        plan = self.chosen_plan()
        if plan is not None and plan.is_there:
            self.chosen.emit(plan.path)

    def _forget_chosen(self) -> None:
        plan = self.chosen_plan()
        if plan is not None:
            self.unwanted.emit(plan.path)


def _cells(plan: RecentPlan, now: datetime) -> tuple[Cell, ...]:
    return (
        Cell(plan.title, bold=plan.is_there, muted=not plan.is_there, icon="file"),
        Cell(plan.words, state=plan.state),
        Cell(plan.data, muted=True),
        Cell(when(plan.changed, now) if plan.changed else "–", muted=True),
    )
