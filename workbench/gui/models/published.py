"""The noisy table of a release as a grid that sorts, filters and copies, however many cells it has."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from workbench.gui import theme
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.tables import NUMBER, WORDS
from workbench.plan.cells import CellGrid
from workbench.release.release import PublishedTable
from workbench.report.tables import ShownColumn, shown_columns

_ROOT = QModelIndex()
_KEEP_ZEROS = r"mso-number-format:'\@'"
"""What makes a spreadsheet take a pasted code as text, leading zeros and all."""


@dataclass(frozen=True)
class ShownTable:
    """A published table as its files show it: the same columns under the same headings."""

    table: PublishedTable
    columns: tuple[ShownColumn, ...] = field(repr=False)

    @property
    def fell_below_zero(self) -> int:
        return int((self.table.raw < 0).sum())


def shown_table(table: PublishedTable) -> ShownTable:
    """The columns of a table; long for a long table, so made in the background."""
    return ShownTable(table, tuple(column for column in shown_columns(table) if column.heading))


class PublishedModel(QAbstractTableModel):
    """Rows are cells of the grid in an order of their own; `rows` maps a shown row to its cell."""

    def __init__(self, shown_table: ShownTable) -> None:
        super().__init__()
        self.shown = shown_table
        self._sorted = np.arange(shown_table.table.grid.size)
        self._is_wanted = np.ones(shown_table.table.grid.size, dtype=bool)
        self.rows = self._sorted

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.shown.columns)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.shown.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return _text(column, self.rows[index.row()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return WORDS if column.is_text else NUMBER
        if role == Qt.ItemDataRole.FontRole and self._is_published_number(index.column()):
            return theme.font("table_bold")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return shown(str(self.rows[section] + 1)) if role == Qt.ItemDataRole.DisplayRole else None
        column = self.shown.columns[section]
        align = WORDS if column.is_text else NUMBER
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: column.heading,
            Qt.ItemDataRole.TextAlignmentRole: align,
        }
        return answers.get(role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column, or (below 0) in the order of the grid."""
        cells = np.arange(self.shown.table.grid.size)
        if 0 <= column < len(self.shown.columns):
            cells = np.argsort(_sort_keys(self.shown.columns[column]), kind="stable")
            if order == Qt.SortOrder.DescendingOrder:
                cells = cells[::-1]
        self._sorted = cells
        self._show_rows()

    def set_filter(self, text: str) -> None:
        """Keep the cells one of whose codes or labels contains the text."""
        self._is_wanted = matching_cells(self.shown.table.grid, text)
        self._show_rows()

    def _show_rows(self) -> None:
        self.beginResetModel()
        self.rows = self._sorted[self._is_wanted[self._sorted]]
        self.endResetModel()

    def _is_published_number(self, column: int) -> bool:
        return not self.shown.columns[column].is_text and (column == 0 or self.shown.columns[column - 1].is_text)


def matching_cells(grid: CellGrid, text: str) -> NDArray[np.bool_]:
    """Which cells have a code or label with this text in it; all of them when there is no text."""
    wanted = text.strip().casefold()
    found = np.full(grid.shape, not wanted)
    for axis, codes in enumerate(grid.lists):
        named = zip(codes.codes, codes.labels, strict=True)
        hits = [wanted in code.casefold() or wanted in label.casefold() for code, label in named]
        shape = [1] * len(grid.shape)
        shape[axis] = len(hits)
        found |= np.array(hits).reshape(shape)
    return found.reshape(-1)


def copied(shown_table: ShownTable, rows: NDArray[np.int64], mark: str) -> tuple[str, str]:
    """The rows as tab-separated text and as the HTML a spreadsheet prefers; a mark stands above both."""
    columns = shown_table.columns
    lines = [[column.heading for column in columns]]
    lines += [[str(column.values[row]) for column in columns] for row in rows]
    text = "\n".join("\t".join(line) for line in lines)
    styles = [f' style="{_KEEP_ZEROS}"' if column.is_text else "" for column in columns]
    body = "".join(f"<tr>{_html_cells(styles, line)}</tr>" for line in lines)
    above = f"<tr><td>{html.escape(mark)}</td></tr>" if mark else ""
    return f"{mark}\n{text}" if mark else text, f"<table>{above}{body}</table>"


def _html_cells(styles: Sequence[str], line: Sequence[str]) -> str:
    return "".join(f"<td{style}>{html.escape(value)}</td>" for style, value in zip(styles, line, strict=True))


def _text(column: ShownColumn, row: int) -> str:
    value = column.values[row]
    return value if isinstance(value, str) else shown(str(value))


def _sort_keys(column: ShownColumn) -> NDArray[Any]:
    """Numbers as they are; texts by their rank, which is quicker to sort than the texts."""
    if not column.is_text:
        return np.asarray(column.values)
    texts = [str(value) for value in column.values]
    ranks = {text: rank for rank, text in enumerate(sorted(set(texts)))}
    return np.array([ranks[text] for text in texts])
