"""A dashed area that takes a dropped file, with a button for those who would rather browse."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.widgets.buttons import Button
from workbench.gui.widgets.text import IconLabel, Text

_CENTRE = Qt.AlignmentFlag.AlignHCenter


class DropArea(QWidget):
    dropped = Signal(Path)
    browse_requested = Signal()

    def __init__(self, title: str, hint: str, button: str, *, icon: str = "grid", primary: bool = False) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setAccessibleName(title)
        self._is_over = False
        self.button = Button(button, "primary" if primary else "plain", "folder-open" if primary else "")
        self.button.clicked.connect(self.browse_requested)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 20, 16, 20)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(IconLabel(icon, "accent", 36 if primary else 26), 0, _CENTRE)
        heading = Text(title, "card" if primary else "bold", wrap=True)
        explanation = Text(hint, "small_muted", wrap=True)
        for words in (heading, explanation):
            words.setAlignment(_CENTRE)
            column.addWidget(words)
        column.addWidget(self.button, 0, _CENTRE)
        column.addStretch(1)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _single_file(event.mimeData()):
            event.acceptProposedAction()
            self._show_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._show_over(False)
        file = _single_file(event.mimeData())
        if file:
            event.acceptProposedAction()
            self.dropped.emit(file)

    def _show_over(self, is_over: bool) -> None:
        self._is_over = is_over
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme.color("accent" if self._is_over else "control_border"), 2)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(theme.color("soft" if self._is_over else "panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.end()


def _single_file(data: QMimeData) -> Path | None:
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return Path(files[0]) if len(files) == 1 else None
