"""A switch of two or more exclusive choices side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from workbench.gui import icons, theme

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class _Segment(QPushButton):
    def __init__(self, key: str, words: str, icon: str, place: str) -> None:
        super().__init__(words)
        self.key = key
        self._icon_name = icon
        self.setProperty("kind", "segment")
        self.setProperty("place", place)
        self.setCheckable(True)
        self.setIconSize(QSize(22, 16))
        self.toggled.connect(self._show_icon)
        self._show_icon(False)

    def _show_icon(self, checked: bool) -> None:
        if self._icon_name:
            self.setIcon(icons.icon(self._icon_name, "on_accent" if checked else "text"))

    def sizeHint(self) -> QSize:
        """Room for the words in the weight they have when chosen."""
        bold = QFontMetrics(theme.font("bold")).horizontalAdvance(self.text())
        return super().sizeHint() + QSize(max(bold - self.fontMetrics().horizontalAdvance(self.text()), 0), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self.isChecked():
            painter = QPainter(self)
            painter.setPen(QPen(theme.color("on_accent"), 1.5))
            painter.drawRoundedRect(self.rect().adjusted(3, 3, -4, -4), 2, 2)
            painter.end()


class SegmentedSwitch(QWidget):
    """Choices are (key, words, icon name or ""); Left and Right move the choice."""

    chosen = Signal(str)

    def __init__(self, name: str, choices: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._segments: list[_Segment] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for place, (key, words, icon) in enumerate(choices):
            segment = _Segment(key, words, icon, _place(place, len(choices)))
            segment.setAccessibleDescription(name)
            self._group.addButton(segment)
            self._segments.append(segment)
            row.addWidget(segment)
        self._segments[0].setChecked(True)
        self._group.buttonClicked.connect(self._choose)

    def current(self) -> str:
        return next(segment.key for segment in self._segments if segment.isChecked())

    def set_current(self, key: str) -> None:
        """Move the choice without telling anyone."""
        for segment in self._segments:
            if segment.key == key:
                segment.setChecked(True)

    def button(self, key: str) -> QPushButton:
        return next(segment for segment in self._segments if segment.key == key)

    def _choose(self) -> None:
        self.chosen.emit(self.current())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        keys = [segment.key for segment in self._segments]
        place = min(max(keys.index(self.current()) + step, 0), len(keys) - 1)
        self._segments[place].setFocus(Qt.FocusReason.OtherFocusReason)
        self._segments[place].click()


def _place(place: int, count: int) -> str:
    if count == 1:
        return "only"
    return {0: "first", count - 1: "last"}.get(place, "middle")
