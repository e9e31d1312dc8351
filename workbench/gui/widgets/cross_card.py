"""The full cross as a picture: which cells get noise and which are added up, one slice at a time."""

from __future__ import annotations

from itertools import accumulate
from string import Template

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QSizePolicy, QStyleOptionViewItem

from workbench.data.schema import CodeList
from workbench.gui import theme
from workbench.gui.models.cross import MEANINGS, NOISE, SUM, UNPUBLISHED, Cross, cross_of, lead_of
from workbench.gui.models.cross_model import CrossModel
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.tables import CellDelegate, Rows, TableView
from workbench.gui.widgets.text import Text
from workbench.plan.cells import CellGrid
from workbench.plan.plan import Table

_LEAST_COLUMN = 28
_LEAST_LABELS, _MOST_LABELS = 112, 220
_MOST_SLICES = 500
_HEADER_STYLE = Template(
    "QHeaderView::section { padding: 0 3px; font-size: ${size}pt; } QHeaderView::section:first { padding: 0 8px; }"
)


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
        self.slice_choice.setMaximumWidth(theme.scaled(300))
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
                    code, label = lead.codes[at], lead.labels[at]
                    self.slice_choice.addItem(f"{name}: {code if code == label else f'{code} {label}'}", at)
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
        self._fit(cross)
        self.sentence.set_text(cross.sentence)
        self._view.setAccessibleDescription(cross.sentence)
        for mark, word in self._legend.items():
            word.setVisible(mark in self._model.marks_shown())

    def _columns_that_fit(self, grid: CellGrid) -> int:
        """As many codes as stand side by side, with room for the labels, the rest and the total."""
        codes = max(grid.lists[-2:], key=len, default=CodeList((), ())).codes
        room = self._room() - theme.scaled(_LEAST_LABELS) - _width("total")
        taken = list(accumulate(_width(code) for code in codes[: room // _LEAST_COLUMN + 1]))
        if len(taken) == len(codes) and (not taken or taken[-1] <= room):
            return len(codes)
        return max(sum(width <= room - _LEAST_COLUMN for width in taken), 1)

    def _room(self) -> int:
        margins = self.body.contentsMargins()
        return self.contentsRect().width() - margins.left() - margins.right() - 2 - 2 * self._view.frameWidth()

    def _fit(self, cross: Cross) -> None:
        """The labels get what the marks leave them; what is over goes to the marks."""
        widths = [_width(heading.text) for heading in cross.across]
        wanted = max([_width(heading.text, "table_bold") + 12 for heading in cross.down], default=0)
        labels = min(max(wanted, _width(cross.corner) + 12), theme.scaled(_MOST_LABELS), self._room() - sum(widths))
        share, rest = divmod(max(self._room() - labels - sum(widths), 0), max(len(widths), 1))
        self._view.setColumnWidth(0, labels + rest)
        for at, width in enumerate(widths, start=1):
            self._view.setColumnWidth(at, width + share)
        rows = self._model.rowCount() * self._view.verticalHeader().defaultSectionSize()
        self._view.setFixedHeight(self._view.horizontalHeader().height() + rows + 2 * self._view.frameWidth())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show()


def _width(text: str, kind: str = "tiny_bold") -> int:
    return max(QFontMetrics(theme.font(kind)).horizontalAdvance(text) + 8, _LEAST_COLUMN)


class _MarkDelegate(CellDelegate):
    """Draws the ground of a mark, which the style sheet would leave out."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if ground is not None:
            painter.fillRect(option.rect, ground)
        super().paint(painter, option, index)


def _cross_view(model: CrossModel) -> TableView:
    view = TableView("The full cross", Rows.PLAIN)
    view.setModel(model)
    view.setItemDelegate(_MarkDelegate(view))
    view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    view.horizontalHeader().setMinimumSectionSize(_LEAST_COLUMN)
    # Twenty codes stand side by side only without the usual padding of headers.
    size = theme.points(theme.TYPES["tiny"].size)
    view.horizontalHeader().setStyleSheet(_HEADER_STYLE.substitute(size=size))
    return view
