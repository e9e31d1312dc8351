"""Cells about a column's role: its name with the role's mark, and a drop-down painted until it is opened.

Painting the drop-downs keeps a table of 500 columns as light as one of five: only the open one is a widget.
"""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFontMetrics, QPainter, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.data.schema import Role
from workbench.gui import theme
from workbench.gui.roles import ID_REFUSAL, LOOKS, OFFERED, may_become
from workbench.gui.widgets.role_mark import SIDE, paint_mark
from workbench.gui.widgets.tables import CellDelegate

Index = QModelIndex | QPersistentModelIndex
_PADDING = 8
_BOX_HEIGHT = 26


class RoleAnswer(IntEnum):
    """What the model answers beside Qt's own roles."""

    ROLE = Qt.ItemDataRole.UserRole + 201  # the Role of the column


class NameDelegate(CellDelegate):
    """The role's mark, then the name."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        opt = QStyleOptionViewItem(option)
        self.initStyleOption(opt, index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        opt.widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, opt, painter, opt.widget)
        side = theme.scaled(SIDE)
        top = opt.rect.center().y() - side / 2 + 0.5
        paint_mark(painter, index.data(RoleAnswer.ROLE), QRectF(opt.rect.left() + _PADDING, top, side, side))
        room = opt.rect.adjusted(_PADDING + side + 8, 0, -_PADDING, 0)
        painter.setPen(theme.color("text"))
        painter.setFont(opt.font)
        text = QFontMetrics(opt.font).elidedText(opt.text, opt.textElideMode, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return super().sizeHint(option, index) + QSize(theme.scaled(SIDE) + 8, 0)


class RoleDelegate(CellDelegate):
    """Looks like a drop-down; becomes one while it is edited."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._pattern = role_box()
        self._pattern.setParent(view)
        self._pattern.hide()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        style = option.widget.style()
        opt = QStyleOptionViewItem(option)
        self.initStyleOption(opt, index)
        opt.text = ""
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, opt, painter, opt.widget)
        box = QStyleOptionComboBox()
        box.initFrom(self._pattern)
        box.state = QStyle.StateFlag.State_Enabled
        box.rect = _box(option.rect)
        box.currentText = index.data()
        style = self._pattern.style()
        style.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, box, painter, self._pattern)
        style.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, box, painter, self._pattern)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme.scaled(120), theme.scaled(_BOX_HEIGHT))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = role_box(index.data(RoleAnswer.ROLE))
        editor.setParent(parent)
        editor.activated.connect(lambda _: self._finish(editor))
        QTimer.singleShot(0, editor, editor.showPopup)
        return editor

    def _finish(self, editor: QComboBox) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(index.data(RoleAnswer.ROLE)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(_box(option.rect))


def role_box(now: Role = Role.IGNORE) -> QComboBox:
    """A drop-down of the roles a column may take from its present one."""
    box = QComboBox()
    box.setProperty("small", True)
    box.setAccessibleName("Role")
    for role in dict.fromkeys((*OFFERED, now)):
        box.addItem(LOOKS[role].words, role)
        items = box.model()
        if not may_become(now, role) and isinstance(items, QStandardItemModel):
            item = items.item(box.count() - 1)
            item.setEnabled(False)
            item.setToolTip(ID_REFUSAL)
    return box


def _box(cell: QRect) -> QRect:
    height = min(theme.scaled(_BOX_HEIGHT), cell.height() - 4)
    return QRect(cell.left() + 6, cell.center().y() - height // 2 + 1, cell.width() - 12, height)
