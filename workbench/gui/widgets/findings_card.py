"""The findings about the data as a table: state, place, what was found, the remedy to choose, and a way there."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStyleOptionViewItem, QToolTip, QWidget

from workbench.data.findings import Finding
from workbench.data.schema import Unlisted
from workbench.gui import theme
from workbench.gui.models.data_findings import FoundRow, summary
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.plain_table import Cell, PlainTable
from workbench.gui.widgets.remedy import RemedyChoice
from workbench.gui.widgets.status import State, StatusLabel
from workbench.gui.widgets.tables import CellDelegate, Rows

Index = QModelIndex | QPersistentModelIndex

HEADERS = ("Finding", "Where", "What was found", "Remedy", "Show")
WHAT, REMEDY, SHOW = 2, 3, 4
_MOST_ROWS = 4
_MOST_WIDTH = {WHAT: 160, REMEDY: 188}


class _WholeCell(CellDelegate):
    """Gives a control the whole cell; its holder leaves the margins."""

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect)


class _FindingsTable(PlainTable):
    """Shortens the long columns rather than scroll sideways; what was cut is in the tip."""

    def __init__(self) -> None:
        super().__init__("Findings", HEADERS, most_rows=_MOST_ROWS, row_height=Rows.CONTROLS, inside=True)
        self.setItemDelegate(_WholeCell(self))
        self.fit_columns([WHAT])

    def sizeHintForColumn(self, column: int) -> int:
        return min(super().sizeHintForColumn(column), theme.scaled(_MOST_WIDTH.get(column, 240)))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.indexAt(event.pos()).data() or "", self)
            return True
        return super().viewportEvent(event)


class FindingsCard(Card):
    """Controls are made for what needs them; the rest of a row is text."""

    remedy_chosen = Signal(str, object)  # the column, and what happens to its records
    place_wanted = Signal(object)  # the Finding to go to

    def __init__(self) -> None:
        super().__init__("Findings", flush=True)
        self._rows: tuple[FoundRow, ...] = ()
        self._remedies: Mapping[str, Unlisted] = {}
        self.table = _FindingsTable()
        self._nothing = StatusLabel(State.DONE, "Nothing was found that needs you.")
        self._nothing.setContentsMargins(16, 12, 16, 12)
        self.add(self.table)
        self.add(self._nothing)

    def show_rows(self, rows: tuple[FoundRow, ...], remedies: Mapping[str, Unlisted]) -> None:
        """Show findings; the control in hand keeps the focus."""
        if rows == self._rows and remedies == self._remedies:
            return
        self._rows, self._remedies = rows, remedies
        held = self._focused_place()
        self.table.set_rows([_cells(row) for row in rows])
        for at, row in enumerate(rows):
            self._put_controls(at, row)
        self._order_controls()
        self.table.fit_columns([WHAT])
        self.set_aside(summary(rows))
        self.table.setVisible(bool(rows))
        self._nothing.setVisible(not rows)
        if held is not None:
            self._focus(held)

    def control(self, row: int, column: int) -> QWidget | None:
        """The control standing in a cell."""
        holder = self.table.indexWidget(self.table.model().index(row, column))
        return holder.focusProxy() if holder else None

    def _put_controls(self, at: int, row: FoundRow) -> None:
        if row.column:
            remedy = self._remedies.get(row.column, Unlisted.REFUSE)
            choice = RemedyChoice(f"Remedy for {row.where}", remedy, small=True)
            choice.chosen.connect(lambda chosen: self.remedy_chosen.emit(row.column, chosen))
            self.table.put_widget(at, REMEDY, _held(choice))
        if row.finding:
            self.table.put_widget(at, SHOW, _held(self._go_to_button(row.where, row.finding)))

    def _order_controls(self) -> None:
        """Tab goes from the table through its controls, row by row."""
        before: QWidget = self.table
        for row in range(len(self._rows)):
            for control in (self.control(row, REMEDY), self.control(row, SHOW)):
                if control is not None:
                    QWidget.setTabOrder(before, control)
                    before = control

    def _go_to_button(self, where: str, finding: Finding) -> QWidget:
        button = plain_button("Go to", small=True)
        button.setAccessibleName(f"Go to {where}")
        button.clicked.connect(lambda: self.place_wanted.emit(finding))
        return button

    def _focused_place(self) -> tuple[int, int] | None:
        focused = QApplication.focusWidget()
        if focused is None:
            return None
        places = ((row, column) for row in range(len(self._rows)) for column in (REMEDY, SHOW))
        return next((place for place in places if self.control(*place) is focused), None)

    def _focus(self, place: tuple[int, int]) -> None:
        control = self.control(*place)
        if control is not None:
            control.setFocus()


def _cells(row: FoundRow) -> tuple[Cell, ...]:
    return (
        Cell(row.state.words, state=row.state),
        Cell(row.where, bold=True),
        Cell(row.what),
        Cell("" if row.column else row.remedy, muted=True),
        Cell(""),
    )


def _held(control: QWidget) -> QWidget:
    """A control with a little room around it, as wide as its cell."""
    holder = QWidget()
    control.ensurePolished()
    row = QHBoxLayout(holder)
    row.setContentsMargins(6, 0, 6, 0)
    row.addWidget(control)
    holder.setFocusProxy(control)
    return holder
