"""A list of keys: names at the left, words at the right, and a grip where rows can be dragged into another order."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.gui import icons, theme
from workbench.gui.models.key_model import ENTRY, KeyEntry, KeyModel

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_HEIGHT = 34


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
        self._paint_words(painter, room, index.data(ENTRY))
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
