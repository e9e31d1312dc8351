"""Choosing the totals of a table: all of them, those of so many keys, or by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from workbench.gui import theme
from workbench.gui.models.counting import many, whole
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.text import Text
from workbench.plan.cells import CellGrid, all_totals, totals_of_order
from workbench.plan.plan import Keys, Table

ALL, BY_ORDER, BY_HAND = "All", "By order", "By hand"
_MOST_BOXES = 127
_BOX = 50  # the box itself and the gaps beside it


def totals_after(totals: tuple[Keys, ...], old: Keys, new: Keys) -> tuple[Keys, ...]:
    """The totals after a change of keys: all stay all, an order stays an order, others keep what still exists."""
    if set(totals) == set(all_totals(old)):
        return all_totals(new)
    order = order_of(totals, old)
    if order is not None:
        return totals_of_order(new, order)
    kept = {frozenset(total) for total in totals if set(total) < set(new)}
    return tuple(total for total in all_totals(new) if frozenset(total) in kept)


def order_of(totals: tuple[Keys, ...], keys: Keys) -> int | None:
    """The number of keys of the totals, when they are all the totals of that many keys."""
    orders = {len(total) for total in totals}
    order = orders.pop() if len(orders) == 1 else None
    return order if order is not None and set(totals) == set(totals_of_order(keys, order)) else None


class TotalsCard(Card):
    """A box per total with its number of cells; ticking one by hand leaves the rule and is By hand."""

    totals_wanted = Signal(tuple)

    def __init__(self) -> None:
        super().__init__("Totals")
        self._table = Table("")
        self._grid: CellGrid | None = None
        self._by_hand: tuple[Keys, ...] | None = None  # the totals that were chosen so
        self._modes = {name: QRadioButton(name) for name in (ALL, BY_ORDER, BY_HAND)}
        self._order = QComboBox()
        self._boxes: dict[Keys, QCheckBox] = {}
        self._counts: dict[Keys, Text] = {}
        self._cells = QGridLayout()
        self._count = Text("", "small_muted", wrap=True)
        self._area = QScrollArea()
        self._lay_out()
        self._order.activated.connect(self._choose_order)

    def _lay_out(self) -> None:
        group = QButtonGroup(self)
        for name, radio in self._modes.items():
            radio.setAccessibleName(f"Totals: {name}")
            radio.clicked.connect(lambda _=False, name=name: self._choose_mode(name))
            group.addButton(radio)
            self.add_header_widget(radio)
        self._order.setAccessibleName("Totals of how many keys")
        self._order.setProperty("small", True)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.viewport().setAutoFillBackground(False)
        self.body.setSpacing(4)
        self.add(self._order)
        self.add(self._area, 1)
        self.add(self._count)

    def show_totals(self, table: Table, grid: CellGrid | None) -> None:
        """Show the totals of a table; without a grid the numbers of cells are not known yet."""
        is_same = (table.keys, grid) == (self._table.keys, self._grid) and bool(self._boxes)
        self._table, self._grid = table, grid
        if not is_same:
            self._make_boxes()
        chosen = {frozenset(total) for total in table.totals}
        for keys, box in self._boxes.items():
            with QSignalBlocker(box):
                box.setChecked(frozenset(keys) in chosen)
        self._modes[self.mode()].setChecked(True)
        self._modes[BY_ORDER].setEnabled(bool(table.keys))
        self._modes[BY_HAND].setEnabled(bool(self._boxes))
        self._show_order()
        self._count.set_text(self._words())

    def mode(self) -> str:
        if self._table.totals == self._by_hand:
            return BY_HAND
        if set(self._table.totals) == set(all_totals(self._table.keys)):
            return ALL
        return BY_ORDER if order_of(self._table.totals, self._table.keys) is not None else BY_HAND

    def box(self, keys: Keys) -> QCheckBox:
        return self._boxes[keys]

    def radio(self, mode: str) -> QRadioButton:
        return self._modes[mode]

    def order_choice(self) -> QComboBox:
        return self._order

    def _make_boxes(self) -> None:
        everything = all_totals(self._table.keys)
        offered = everything if len(everything) <= _MOST_BOXES else ()
        self._boxes = {keys: self._make_box(keys) for keys in offered}
        inside = QWidget()
        self._area.setWidget(inside)
        inside.setAutoFillBackground(False)
        self._cells = QGridLayout(inside)
        self._cells.setContentsMargins(0, 0, 8, 0)
        self._cells.setHorizontalSpacing(8)
        self._cells.setVerticalSpacing(0)
        self._counts = {keys: Text(self._cells_of(keys), "bold") for keys in offered}
        self._arrange()
        for before, after in pairwise((self._modes[BY_HAND], self._order, *self._boxes.values())):
            QWidget.setTabOrder(before, after)

    def _arrange(self) -> None:
        """Two columns of boxes where they fit side by side, else one."""
        names, room = list(self._boxes), self._area.viewport().width() - 8
        half = -(-len(names) // 2)
        columns = 2 if self._needed(names[:half]) + self._needed(names[half:]) <= room else 1
        down = -(-len(names) // columns)
        most = room // columns - self._needed(names) + self._longest(names)
        for at, keys in enumerate(self._boxes):
            column, row = divmod(at, down)
            name = _called(keys)
            shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, most) if columns == 1 else name
            self._boxes[keys].setText(shown)
            self._cells.addWidget(self._boxes[keys], row, 2 * column)
            self._cells.addWidget(self._counts[keys], row, 2 * column + 1, Qt.AlignmentFlag.AlignRight)
        for column in range(2):
            self._cells.setColumnStretch(2 * column, 1 if column < columns else 0)
        for row in range(self._cells.rowCount() + 1):
            self._cells.setRowStretch(row, 1 if row == down else 0)

    def _longest(self, names: Sequence[Keys]) -> int:
        return max((self.fontMetrics().horizontalAdvance(_called(keys)) for keys in names), default=0)

    def _needed(self, names: Sequence[Keys]) -> int:
        """The width of a column of boxes: the longest name, the longest number, and the box with its gaps."""
        numbers = max((self._counts[keys].sizeHint().width() for keys in names), default=0)
        return self._longest(names) + numbers + theme.scaled(_BOX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _make_box(self, keys: Keys) -> QCheckBox:
        box = QCheckBox()
        box.setToolTip(_called(keys))
        box.setAccessibleName(f"Total of {_called(keys)}, {self._cells_of(keys)} cells")
        box.toggled.connect(self._choose_boxes)
        return box

    def _cells_of(self, keys: Keys) -> str:
        return whole(self._grid.total_over(keys).size) if self._grid else "–"

    def _show_order(self) -> None:
        keys = self._table.keys
        self._order.setVisible(self.mode() == BY_ORDER)
        with QSignalBlocker(self._order):
            self._order.clear()
            for order in range(len(keys) - 1, -1, -1):
                words = f"of {order} key{'s' * (order != 1)}" if order else "all together"
                self._order.addItem(f"{words} ({len(totals_of_order(keys, order))})", order)
            self._order.setCurrentIndex(self._order.findData(order_of(self._table.totals, keys)))

    def _words(self) -> str:
        if not self._table.keys:
            return "A table without keys has no totals: its one cell is the total."
        if not self._table.totals:
            return "No totals are published."
        choice = "" if self._boxes else f" {whole(len(all_totals(self._table.keys)))} are too many to tick by hand."
        if self._grid is None:
            return f"Totals are added up and cost nothing.{choice}"
        number = sum(self._grid.total_over(keys).size for keys in self._table.totals)
        return f"{many(number, 'total')}, added up at no cost.{choice}"

    def _choose_mode(self, name: str) -> None:
        self._by_hand = self._table.totals if name == BY_HAND else None
        keys = self._table.keys
        if name == ALL:
            self.totals_wanted.emit(all_totals(keys))
        elif name == BY_ORDER:
            self.totals_wanted.emit(totals_of_order(keys, len(keys) - 1))
        self.show_totals(self._table, self._grid)

    def _choose_order(self) -> None:
        self.totals_wanted.emit(totals_of_order(self._table.keys, self._order.currentData()))

    def _choose_boxes(self) -> None:
        self._by_hand = tuple(keys for keys, box in self._boxes.items() if box.isChecked())
        self.totals_wanted.emit(self._by_hand)


def _called(keys: Keys) -> str:
    return " × ".join(keys) or "all together"
