"""A small table of given texts that is as high as its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QSizePolicy

from workbench.gui import theme
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import NUMBER, WORDS, CellRole, Rows, TableView, header_alignment

_ROOT = QModelIndex()


@dataclass(frozen=True)
class Cell:
    """A text and how it stands in its table."""

    text: str
    bold: bool = False
    muted: bool = False
    flagged: bool = False
    second_line: str = ""
    state: State | None = None
    icon: str = ""


_ANSWERS: dict[int, str] = {
    Qt.ItemDataRole.DisplayRole: "text",
    CellRole.BOLD: "bold",
    CellRole.MUTED: "muted",
    CellRole.FLAGGED: "flagged",
    CellRole.SECOND_LINE: "second_line",
    CellRole.STATE: "state",
    CellRole.ICON: "icon",
}


class TextModel(QAbstractTableModel):
    """Rows of texts or Cells; `aligns` has one letter a column, l or r."""

    def __init__(self, headers: Sequence[str], rows: Sequence[Sequence[str | Cell]], aligns: str = "") -> None:
        super().__init__()
        self._headers = tuple(headers)
        self._aligns = aligns.ljust(len(self._headers), "l")
        self._rows: list[list[Cell]] = []
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[Sequence[str | Cell]]) -> None:
        self.beginResetModel()
        self._rows = [[value if isinstance(value, Cell) else Cell(value) for value in row] for row in rows]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._headers)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        answer = _ANSWERS.get(role)
        row = self._rows[index.row()]
        return getattr(row[index.column()], answer) if answer and index.column() < len(row) else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        answers: dict[int, object] = {Qt.ItemDataRole.DisplayRole: self._headers[section]}
        answers[Qt.ItemDataRole.TextAlignmentRole] = header_alignment(self._alignment(section))
        return answers.get(role)

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        return NUMBER if self._aligns[column] == "r" else WORDS


class PlainTable(TableView):
    """Shows at most `most_rows` rows at once, then scrolls; nothing can be chosen in it but text to copy."""

    def __init__(
        self,
        name: str,
        headers: Sequence[str],
        rows: Sequence[Sequence[str | Cell]] = (),
        aligns: str = "",
        *,
        most_rows: int = 12,
        row_height: Rows = Rows.PLAIN,
        inside: bool = False,
    ) -> None:
        super().__init__(name, row_height, inside=inside)
        self._most_rows = most_rows
        self._texts = TextModel(headers, (), aligns)
        self.setModel(self._texts)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_rows(rows)

    def set_rows(self, rows: Sequence[Sequence[str | Cell]]) -> None:
        self._texts.set_rows(rows)
        scrolls = len(rows) > self._most_rows
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.fit_columns(self._spare)
        self.updateGeometry()

    def texts(self) -> list[list[str]]:
        columns = range(self._texts.columnCount())
        return [
            [self._texts.index(row, column).data() or "" for column in columns] for row in range(self._texts.rowCount())
        ]

    def sizeHint(self) -> QSize:
        rows = min(self._texts.rowCount(), self._most_rows)
        height = self.horizontalHeader().height() + rows * self.verticalHeader().defaultSectionSize()
        edge = 2 * self.frameWidth() - 1 if self.frameWidth() else 0  # the last line lies under the frame
        if self.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded:
            edge += self.horizontalScrollBar().sizeHint().height()
        return QSize(theme.scaled(200), height + edge)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())
