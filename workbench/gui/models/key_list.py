"""Lists of keys: a model that can be reordered by drag or keyboard, and how its rows are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.gui import icons, theme

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ENTRY = Qt.ItemDataRole.UserRole
_HEIGHT = 34


@dataclass(frozen=True)
class KeyEntry:
    """A column in a list: its name, the words at the right, and whether it can be used as it is."""

    name: str
    words: str
    is_ready: bool = True


class KeyModel(QAbstractListModel):
    """Entries in order; `reordered` tells the new order after a move."""

    reordered = Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[KeyEntry] = []

    def show_entries(self, entries: Sequence[KeyEntry]) -> None:
        if list(entries) != self._entries:
            self.beginResetModel()
            self._entries = list(entries)
            self.endResetModel()

    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self._entries)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self._entries[index.row()]
        spoken = f"{entry.name}, {entry.words}"
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: entry.name,
            Qt.ItemDataRole.ToolTipRole: spoken,
            Qt.ItemDataRole.AccessibleTextRole: spoken,
            _ENTRY: entry,
        }
        return answers.get(role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        shared = Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else shared

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def moveRows(self, source: Index, row: int, count: int, target: Index, before: int) -> bool:
        """Move one entry to stand before another; the view calls this when a dragged row is dropped."""
        if count != 1 or before in (row, row + 1) or not self.beginMoveRows(_ROOT, row, row, _ROOT, before):
            return False
        entry = self._entries.pop(row)
        self._entries.insert(before - 1 if before > row else before, entry)
        self.endMoveRows()
        self.reordered.emit(self.names())
        return True


class _KeyDelegate(QStyledItemDelegate):
    """The name at the left, its words at the right, a grip before it where rows can be dragged."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        opt = QStyleOptionViewItem(option)
        self.initStyleOption(opt, index)
        opt.text = ""
        opt.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, opt, painter, opt.widget)
        painter.save()
        room = opt.rect.adjusted(16, 0, -10, 0)
        if isinstance(opt.widget, QListView) and opt.widget.dragEnabled():
            icons.paint_icon(painter, "drag", "muted", QRectF(room.left() - 4, room.center().y() - 7, 14, 14))
            room.adjust(16, 0, 0, 0)
        self._paint_words(painter, room, index.data(_ENTRY))
        painter.fillRect(QRect(opt.rect.left(), opt.rect.bottom(), opt.rect.width(), 1), theme.color("border"))
        painter.restore()

    def _paint_words(self, painter: QPainter, room: QRect, entry: KeyEntry) -> None:
        small, bold = theme.font("small"), theme.font("bold" if entry.is_ready else "body")
        width = QFontMetrics(small).horizontalAdvance(entry.words)
        name = QFontMetrics(bold).elidedText(entry.name, Qt.TextElideMode.ElideRight, room.width() - width - 8)
        painter.setFont(bold)
        painter.setPen(theme.color("text" if entry.is_ready else "muted"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, entry.words)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, theme.scaled(_HEIGHT))


class KeyListView(QListView):
    """A list of keys; double click and Enter choose a row, Alt+Up and Alt+Down move it where that is allowed."""

    chosen = Signal(str)

    def __init__(self, name: str, *, is_ordered: bool = False) -> None:
        super().__init__()
        self.keys = KeyModel()
        self.setModel(self.keys)
        self.setItemDelegate(_KeyDelegate(self))
        self.setAccessibleName(name)
        self.setProperty("inside", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if is_ordered:
            self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
            self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.doubleClicked.connect(lambda index: self.chosen.emit(index.data()))

    def current_key(self) -> str:
        return str(self.currentIndex().data() or "") if self.currentIndex().isValid() else ""

    def select_key(self, name: str) -> None:
        if name in self.keys.names():
            self.setCurrentIndex(self.keys.index(self.keys.names().index(name)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._shift(step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_key():
            self.chosen.emit(self.current_key())
        else:
            super().keyPressEvent(event)

    def _shift(self, step: int) -> None:
        row = self.currentIndex().row()
        if self.dragEnabled() and 0 <= row + step < self.keys.rowCount():
            self.keys.moveRows(_ROOT, row, 1, _ROOT, row + 2 if step > 0 else row - 1)
