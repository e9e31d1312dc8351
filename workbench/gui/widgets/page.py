"""A page of the window: title, its finding in one sentence, and a column of cards that scrolls only downward."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui.widgets.scroll import DownwardScroll
from workbench.gui.widgets.text import Text

MARGIN = 16
GAP = 12


class Page(QWidget):
    def __init__(self, title: str, subtitle: str = "") -> None:
        super().__init__()
        self._title = Text(title, "title", wrap=True)
        self._subtitle = Text(subtitle, "muted", wrap=True)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._column = QWidget()
        self._column.setProperty("surface", "column")
        self.body = QVBoxLayout(self._column)
        self.body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.body.setSpacing(GAP)
        self.body.addLayout(self._header())
        self._scroll = DownwardScroll(self._column)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._scroll)
        self.set_title(title)
        self.set_subtitle(subtitle)

    def _header(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._subtitle)
        header = QHBoxLayout()
        header.setSpacing(MARGIN)
        header.addLayout(words, 1)
        header.addLayout(self._buttons)
        header.setAlignment(self._buttons, Qt.AlignmentFlag.AlignTop)
        return header

    def set_title(self, title: str) -> None:
        self._title.set_text(title)
        self.setAccessibleName(title)

    def set_subtitle(self, sentence: str) -> None:
        """The page's finding in one sentence; **stars** make a part bold."""
        self._subtitle.set_text(sentence)
        self._subtitle.setVisible(bool(sentence))

    def subtitle(self) -> str:
        return self._subtitle.accessibleName()

    def add_header_button(self, button: QWidget) -> None:
        self._buttons.addWidget(button)

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        self.body.addWidget(widget, stretch)

    def add_row(self, *widgets: QWidget, stretches: tuple[int, ...] = (), stretch: int = 0) -> QHBoxLayout:
        """Widgets side by side; `stretches` shares the width, `stretch` is the row's share of the height."""
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for place, widget in enumerate(widgets):
            row.addWidget(widget, stretches[place] if stretches else 1)
        self.body.addLayout(row, stretch)
        return row

    def add_stretch(self) -> None:
        self.body.addStretch(1)

    def show_widget(self, widget: QWidget) -> None:
        """Scroll so that a widget of this page is in view."""
        self._scroll.ensureWidgetVisible(widget, 0, MARGIN)
