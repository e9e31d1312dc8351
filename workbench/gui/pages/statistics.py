"""Stage 4: the statistics of each table, their shares of the budget, their mechanisms and what error to expect."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from workbench.data.findings import Stage
from workbench.gui import theme
from workbench.gui.models.control_table import ControlTable
from workbench.gui.models.counting import exact, percent, rounded
from workbench.gui.models.statistic_cells import ALIGNS, CELLS_COLUMN, HEADERS, drawn_cells, name_of, sum_cells, totals_cells
from workbench.gui.models.statistic_rows import (
    DrawnRow,
    Row,
    TotalMargin,
    TotalsRow,
    rows_of,
    share_within,
    total_margins,
    why_not,
)
from workbench.gui.session import Session
from workbench.gui.stage_page import StagePage
from workbench.gui.tasks import Task
from workbench.gui.widgets.buttons import HelpButton, plain_button
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.mechanism_card import MechanismCard
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.sentence_card import SentenceCard
from workbench.gui.widgets.statistic_controls import StatisticControls, centred, explain_button
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import Rows
from workbench.plan.plan import Statistic, StatisticKind
from workbench.plan.policy import default_policy
from workbench.plan.shares import (
    drawn_statistics,
    is_adjustable,
    redistribute,
    room,
    shared_evenly,
    shares_with_newcomer,
    shares_without,
    with_shares,
)

Margins = dict[int, tuple[TotalMargin, ...]]


class StatisticsPage(StagePage):
    """The table, and below it the row that is being explained."""

    stage = Stage.STATISTICS
    method_sheet_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Statistics")
        self.rows: tuple[Row, ...] = ()
        self.controls: dict[int, StatisticControls] = {}
        self._explained = 1
        self._measured: tuple[Row, ...] = ()
        self._margins: Margins = {}
        self.add_button = plain_button("&Add statistic", "plus")
        self.add_menu = QMenu(self.add_button)
        self.remove_button = plain_button("Re&move row")
        self.even_button = plain_button("Share out &evenly")
        self.table = ControlTable("Statistics", HEADERS, ALIGNS, CELLS_COLUMN, Rows.TWO_LINES)
        self.sentence = SentenceCard()
        self.mechanisms = MechanismCard(lambda mechanism: share_within(session.plan, mechanism, default_policy()))
        self.empty = EmptyState("chart", "", " ", primary=True)
        self._helps = QButtonGroup(self)
        self._content = self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> QWidget:
        self.add_button.setMenu(self.add_menu)
        for button in (self.add_button, self.remove_button, self.even_button):
            self.add_header_button(button)
        self.table.set_least_width(HEADERS.index("Mechanism"), theme.scaled(164))
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
            changed.connect(self._take_change)
        self.add_menu.aboutToShow.connect(self._fill_menu)
        self.remove_button.clicked.connect(self._remove)
        self.even_button.clicked.connect(self._share_evenly)
        self.table.rows_made.connect(self._set_controls)
        self.table.selectionModel().currentRowChanged.connect(self._take_current)
        self.sentence.method_sheet_wanted.connect(self._want_method_sheet)
        self.sentence.protection_wanted.connect(lambda: self.session.go_to(Stage.PROTECTION, "protect.neighbors"))
        self.mechanisms.mechanism_wanted.connect(lambda name: self._choose_mechanism(self.drawn.index, name))
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

    def _take_change(self) -> None:
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the plan as it stands."""
        shape = _shape(self.rows)
        self.rows = rows_of(self.session.plan)
        has_rows, has_tables = bool(self.rows), bool(self.session.plan.tables)
        self._content.setVisible(has_rows)
        self.empty.setVisible(not has_rows)
        self.add_button.setVisible(has_tables)
        for button in (self.remove_button, self.even_button):
            button.setVisible(has_rows)
        if has_rows:
            self._show_rows(afresh=_shape(self.rows) != shape)
            self._measure_totals()
        else:
            self._show_empty()
        self.inspector_changed.emit()

    def _show_empty(self) -> None:
        self.set_subtitle("")
        if self.session.is_open and self.session.plan.tables:
            self.empty.set_sentence("No statistic is chosen yet. Add a count at the top right.")
        else:
            self.empty.set_sentence("Statistics are chosen here once a table has its keys.")
        self.empty.button.setText("Go to Cells" if self.session.is_open else "Go to Data")

    def _show_rows(self, *, afresh: bool) -> None:
        plan = self.session.plan
        self.set_subtitle(_subtitle(plan.budget.epsilon))
        cells = [
            drawn_cells(plan, row) if isinstance(row, DrawnRow) else totals_cells(plan, row, self._margins_of(row))
            for row in self.rows
        ]
        self.table.show_rows([*cells, sum_cells(plan, self.rows)], afresh=afresh)
        statistics = drawn_statistics(plan)
        for row in self.rows:
            if isinstance(row, DrawnRow):
                controls = self.controls[row.index]
                controls.show_row(row, room(statistics, row.index), is_adjustable(statistics, row.index))
        self.even_button.setEnabled(sum(not one.locked for one in statistics) > 1)
        self._show_explained()

    def _show_explained(self) -> None:
        row, unit = self.explained, self.session.plan.data.unit
        self._explained = row.number
        self._helps.button(row.number).setChecked(True)
        self.table.setCurrentIndex(self.table.model().index(row.number - 1, 0))
        margins = self._margins_of(row) if isinstance(row, TotalsRow) else ()
        self.sentence.show_row(row, unit, margins)
        self.mechanisms.show_row(self.drawn, unit)

    def _set_controls(self) -> None:
        """New rows get their controls; the last row sums up the plan."""
        for button in self._helps.buttons():
            self._helps.removeButton(button)
        for controls in self.controls.values():
            controls.deleteLater()
        self.controls = {}
        self.fields = {}
        for row in self.rows:
            if isinstance(row, DrawnRow):
                self._set_drawn_controls(row)
            else:
                self._set_help(row.number, explain_button(row.number))
        last = len(self.rows)
        self.table.setRowHeight(last, theme.scaled(Rows.PLAIN))
        self.table.setSpan(last, 1, 1, 3)
        self.table.setSpan(last, HEADERS.index("Mechanism"), 1, 3)

    def _set_drawn_controls(self, row: DrawnRow) -> None:
        controls = self.controls[row.index] = StatisticControls(row.number, self)
        for header, widget in controls.widgets().items():
            self.table.put_widget(row.number - 1, HEADERS.index(header), widget)
        self._join_help(row.number, controls.help)
        controls.share_wanted.connect(partial(self._choose_share, row.index))
        controls.lock_wanted.connect(partial(self._choose_lock, row.index))
        controls.mechanism_wanted.connect(partial(self._choose_mechanism, row.index))
        for key in (f"statistics.{row.index}", f"tables.{row.table_at}.statistics.{row.at}"):
            self.fields[key] = controls.mechanism

    def _set_help(self, number: int, button: HelpButton) -> None:
        self.table.put_widget(number - 1, len(HEADERS) - 1, centred(button))
        self._join_help(number, button)

    def _join_help(self, number: int, button: HelpButton) -> None:
        self._helps.addButton(button, number)
        button.clicked.connect(lambda: self.explain(number))

    def explain(self, number: int) -> None:
        """Turn a row into a sentence."""
        self._explained = number
        self._show_explained()
        self.inspector_changed.emit()

    def _take_current(self, now: QModelIndex) -> None:
        if now.isValid() and now.row() < len(self.rows) and now.row() + 1 != self._explained:
            self.explain(now.row() + 1)

    def go_to(self, where: str) -> None:
        self.refresh()
        row = next((row for row in self.rows if isinstance(row, DrawnRow) and _is_at(row, where)), None)
        if row is None:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.explain(row.number)
        mechanism = self.controls[row.index].mechanism
        self.show_widget(self.table)
        (mechanism if mechanism.isEnabled() else self.table).setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- margins of totals are worked out in the background: a million cells take their time

    def _margins_of(self, row: TotalsRow) -> tuple[TotalMargin, ...] | None:
        return self._margins.get(row.number) if self._measured == self.rows else None

    def _measure_totals(self) -> None:
        rows = self.rows
        if self._measured == rows:
            return
        totals = [row for row in rows if isinstance(row, TotalsRow)]
        work = partial(_margins, totals)
        then = partial(self._take_margins, rows)
        self.session.tasks.run(Task("Working out totals", work, then, owner=self, topic="total margins", is_quiet=True))

    def _take_margins(self, rows: tuple[Row, ...], margins: Margins) -> None:
        self._measured, self._margins = rows, margins
        if rows == self.rows:
            self._show_rows(afresh=False)
