"""The full cross as a picture: which cells get noise and which are added up, one slice at a time."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QSizePolicy

from workbench.gui import theme
from workbench.gui.models.cross import MEANINGS, NOISE, SUM, UNPUBLISHED, cross_of, lead_of
from workbench.gui.models.cross_model import CrossModel
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.tables import Rows, TableView
from workbench.gui.widgets.text import Text
from workbench.plan.cells import CellGrid
from workbench.plan.plan import Table

_LEAST_COLUMN = 34
_LABELS = 190
_MOST_SLICES = 500


class CrossCard(Card):
    def __init__(self) -> None:
        super().__init__("The full cross")
        self._table = Table("")
        self._grid: CellGrid | None = None
        self._model = CrossModel()
        self._view = _cross_view(self._model)
        self.slice_choice = QComboBox()
        self.slice_choice.setProperty("small", True)
        self.slice_choice.setAccessibleName("Slice of the cross")
        self.slice_choice.setMaximumWidth(theme.scaled(240))
        self.add_title_widget(self.slice_choice)
        self._legend = {mark: Text(f"**{mark}** {MEANINGS[mark]}", "small") for mark in (NOISE, SUM, UNPUBLISHED)}
        for word in self._legend.values():
            self.add_header_widget(word)
        self.sentence = Text("", "small_muted", wrap=True)
        self.add(self._view)
        self.add(self.sentence)
        self.add_stretch()
        self.slice_choice.currentIndexChanged.connect(self._show)

    def show_cross(self, table: Table, grid: CellGrid | None) -> None:
        """Draw a table's cells; without a grid, say what is lacking."""
        if (table.keys, grid) != (self._table.keys, self._grid):
            self._offer_slices(grid)
        self._table, self._grid = table, grid
        self._show()

    def marks(self) -> list[list[str]]:
        columns = range(1, self._model.columnCount())
        return [[self._model.index(row, at).data() for at in columns] for row in range(self._model.rowCount())]

    def _offer_slices(self, grid: CellGrid | None) -> None:
        lead = lead_of(grid) if grid else None
        with QSignalBlocker(self.slice_choice):
            self.slice_choice.clear()
            if grid and lead:
                name = grid.keys[0]
                for at in range(min(len(lead), _MOST_SLICES)):
                    shown = lead.codes[at] if not lead.has_labels else f"{lead.codes[at]} {lead.labels[at]}"
                    self.slice_choice.addItem(f"{name}: {shown}", at)
                self.slice_choice.addItem(f"{name}: all, added up", None)
        self.slice_choice.setVisible(lead is not None)

    def _show(self) -> None:
        grid = self._grid
        self._view.setVisible(grid is not None)
        if grid is None:
            self.sentence.set_text("The cross can be drawn once every key has its public code list.")
            return
        cross = cross_of(self._table, grid, self.slice_choice.currentData(), self._columns_that_fit(grid))
        self._model.show_cross(cross)
        self._fit()
        self.sentence.set_text(cross.sentence)
        self._view.setAccessibleDescription(cross.sentence)
        for mark, word in self._legend.items():
            word.setVisible(mark in self._model.marks_shown())

    def _columns_that_fit(self, grid: CellGrid) -> int:
        """As many codes as stand side by side, with a column each for the labels, the rest and the total."""
        longest = max(grid.lists[-2:], key=len, default=None)
        room = self._view.viewport().width() - theme.scaled(_LABELS)
        return max(room // _column_width(longest.codes if longest else ()) - 2, 3)

    def _fit(self) -> None:
        header = self._view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(0, theme.scaled(_LABELS))
        rows = self._model.rowCount() * self._view.verticalHeader().defaultSectionSize()
        self._view.setFixedHeight(header.height() + rows + 2 * self._view.frameWidth())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show()


def _column_width(codes: tuple[str, ...]) -> int:
    metrics = QFontMetrics(theme.font("table_bold"))
    return max([_LEAST_COLUMN, *(metrics.horizontalAdvance(code) + 6 for code in codes[:200])])


def _cross_view(model: CrossModel) -> TableView:
    view = TableView("The full cross", Rows.PLAIN)
    view.setModel(model)
    view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    view.horizontalHeader().setMinimumSectionSize(theme.scaled(24))
    return view


