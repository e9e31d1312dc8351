"""The table of statistics with its controls: a row for each one drawn, a row for its totals, and their sum."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QButtonGroup

from workbench.gui import theme
from workbench.gui.models.statistic_cells import (
    ALIGNS,
    CELLS_COLUMN,
    HEADERS,
    drawn_cells,
    sum_cells,
    totals_cells,
)
from workbench.gui.models.statistic_rows import DrawnRow, Row, TotalMargin
from workbench.gui.widgets.buttons import HelpButton
from workbench.gui.widgets.control_table import ControlTable
from workbench.gui.widgets.statistic_controls import StatisticControls, centred, explain_button
from workbench.gui.widgets.tables import Rows
from workbench.plan.plan import ReleasePlan
from workbench.plan.shares import drawn_statistics, is_adjustable, room

Margins = Mapping[int, tuple[TotalMargin, ...]]
_MECHANISM = HEADERS.index("Mechanism")
_CONTROL_WIDTHS = {"Share": 92, "Lock": 26, "Mechanism": 126, "": 24}


class StatisticsTable(ControlTable):
    """Rows are told by their number, statistics by their index among all that are drawn."""

    share_wanted = Signal(int, object)  # Fraction
    lock_wanted = Signal(int, bool)
    mechanism_wanted = Signal(int, str)
    row_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("Statistics", HEADERS, ALIGNS, CELLS_COLUMN, Rows.TWO_LINES, spared=HEADERS.index("Bounds"))
        self._rows_shown: tuple[Row, ...] = ()
        self._helps = QButtonGroup(self)
        self.controls: dict[int, StatisticControls] = {}
        for header, width in _CONTROL_WIDTHS.items():
            self.set_control_width(HEADERS.index(header), width)
        self.rows_made.connect(self._set_controls)
        self.selectionModel().currentRowChanged.connect(self._take_current)

    def show_statistics(self, plan: ReleasePlan, rows: tuple[Row, ...], margins: Margins | None) -> None:
        """Show the rows of a plan; the margins of totals are None while they are being worked out."""
        is_new = _shape(rows) != _shape(self._rows_shown)
        self._rows_shown = rows
        cells = [
            drawn_cells(plan, row)
            if isinstance(row, DrawnRow)
            else totals_cells(plan, row, margins.get(row.number) if margins is not None else None)
            for row in rows
        ]
        self.show_rows([*cells, sum_cells(plan, rows)], afresh=is_new)
        statistics = drawn_statistics(plan)
        for row in rows:
            if isinstance(row, DrawnRow):
                at = row.index
                self.controls[at].show_row(row, room(statistics, at), is_adjustable(statistics, at))

    def mark_row(self, number: int) -> None:
        """Show which row is being explained, without telling anyone."""
        self._helps.button(number).setChecked(True)
        if self.currentIndex().row() != number - 1:
            self.selectRow(number - 1)

    def help_button(self, number: int) -> HelpButton:
        button = self._helps.button(number)
        assert isinstance(button, HelpButton)
        return button

    def _set_controls(self) -> None:
        """New rows get their controls; the last row sums up the plan."""
        for button in self._helps.buttons():
            self._helps.removeButton(button)
        for controls in self.controls.values():
            controls.deleteLater()
        self.controls = {}
        for row in self._rows_shown:
            if isinstance(row, DrawnRow):
                self._set_drawn(row)
            else:
                button = explain_button(row.number)
                self.put_widget(row.number - 1, len(HEADERS) - 1, centred(button))
                self._join(row.number, button)
        last = len(self._rows_shown)
        self.setRowHeight(last, theme.scaled(Rows.PLAIN))
        self.setSpan(last, 1, 1, 3)
        self.setSpan(last, _MECHANISM, 1, 3)

    def _set_drawn(self, row: DrawnRow) -> None:
        controls = self.controls[row.index] = StatisticControls(row.number, self)
        for header, widget in controls.widgets().items():
            self.put_widget(row.number - 1, HEADERS.index(header), widget)
        self._join(row.number, controls.help)
        controls.share_wanted.connect(partial(self.share_wanted.emit, row.index))
        controls.lock_wanted.connect(partial(self.lock_wanted.emit, row.index))
        controls.mechanism_wanted.connect(partial(self.mechanism_wanted.emit, row.index))

    def _join(self, number: int, button: HelpButton) -> None:
        self._helps.addButton(button, number)
        button.clicked.connect(lambda: self.row_chosen.emit(number))

    def _take_current(self, now: QModelIndex) -> None:
        if now.isValid() and now.row() < len(self._rows_shown):
            self.row_chosen.emit(now.row() + 1)


def _shape(rows: tuple[Row, ...]) -> tuple[tuple[str, int], ...]:
    """What decides which controls there are."""
    return tuple((type(row).__name__, row.number) for row in rows)
