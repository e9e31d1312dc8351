"""A scroll area for a column: as wide as the view, as high as it needs, never scrolling sideways."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class DownwardScroll(QScrollArea):
    """Scrolls only when the least height does not fit; Qt's own resizing takes the preferred one."""

    def __init__(self, column: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.set_column(column)

    def set_column(self, column: QWidget) -> None:
        """Show another column; the old one is deleted."""
        self.setWidget(column)
        column.show()
        column.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return bool(super().eventFilter(watched, event))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        column = self.widget()
        layout = column.layout() if column else None
        if column is None or layout is None:
            return
        view = self.viewport().size()
        least = layout.totalMinimumHeightForWidth(view.width()) if layout.hasHeightForWidth() else -1
        column.resize(view.width(), max(view.height(), least, layout.totalMinimumSize().height()))
