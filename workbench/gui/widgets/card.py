"""A card: a white panel with a header (title, muted aside, controls at the right) and a body."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.widgets.corners import RoundedCorners
from workbench.gui.widgets.text import OneLine, line

HEADER_HEIGHT = 40


class Card(QFrame):
    """`flush` leaves no padding around the body, for a table that reaches the edges."""

    def __init__(self, title: str = "", aside: str = "", *, flush: bool = False, aside_right: bool = False) -> None:
        super().__init__()
        self.setProperty("surface", "card")
        self._title = OneLine(title, "card")
        self._aside = OneLine(aside, "small_muted")
        self._beside_title = QHBoxLayout()
        self._right = QHBoxLayout()
        self._header = self._make_header(aside_right)
        self._header_line = line()
        self.body = QVBoxLayout()
        self.body.setSpacing(0 if flush else 8)
        self.body.setContentsMargins(*((0, 0, 0, 0) if flush else (16, 12, 16, 12)))
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(1, 1, 1, 1)
        self._outer.setSpacing(0)
        self._outer.addWidget(self._header)
        self._outer.addWidget(self._header_line)
        self._outer.addLayout(self.body, 1)
        if flush:
            RoundedCorners(self)
        self.set_title(title)
        self.set_aside(aside)

    def _make_header(self, aside_right: bool) -> QWidget:
        header = QWidget()
        header.setMinimumHeight(theme.scaled(HEADER_HEIGHT))
        row = QHBoxLayout(header)
        row.setContentsMargins(16, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addLayout(self._beside_title)
        row.addWidget(self._aside)
        row.insertStretch(2 if aside_right else 3, 1)
        row.addLayout(self._right)
        for side in (self._beside_title, self._right):
            side.setSpacing(8)
        return header

    def set_title(self, title: str) -> None:
        self._title.set_text(title)
        self.setAccessibleName(title)
        self._header.setVisible(bool(title))
        self._header_line.setVisible(bool(title))

    def set_aside(self, text: str) -> None:
        self._aside.set_text(text)
        self._aside.setVisible(bool(text))

    def add_header_widget(self, widget: QWidget) -> None:
        """At the right end of the header."""
        self._right.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add_title_widget(self, widget: QWidget) -> None:
        """Directly after the title, for a choice the title ends in."""
        self._beside_title.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        self.body.addWidget(widget, stretch)

    def add_row(self, *widgets: QWidget, end: bool = False) -> QHBoxLayout:
        """Widgets side by side at their own size, from the left (or the right with `end`)."""
        row = QHBoxLayout()
        row.setSpacing(8)
        if end:
            row.addStretch(1)
        for widget in widgets:
            row.addWidget(widget)
        if not end:
            row.addStretch(1)
        self.body.addLayout(row)
        return row

    def add_stretch(self) -> None:
        self.body.addStretch(1)

    def add_footer(self, *widgets: QWidget) -> QHBoxLayout:
        """A row under a line at the foot of the card; the first widget takes the spare room."""
        self._outer.addWidget(line())
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(8)
        for place, widget in enumerate(widgets):
            row.addWidget(widget, 1 if place == 0 else 0)
        self._outer.addLayout(row)
        return row

    def set_selected(self, selected: bool) -> None:
        """Outline the card as the chosen one among its neighbours."""
        theme.mark(self, "surface", "chosen" if selected else "card")
