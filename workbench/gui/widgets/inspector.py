"""The inspector at the right: sections of facts about what is chosen, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.widgets.budget_bar import Swatch
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.scroll import DownwardScroll
from workbench.gui.widgets.status import State
from workbench.gui.widgets.text import IconLabel, Text, line

WIDTH = 288
NARROW_WIDTH = 248

_TOP = Qt.AlignmentFlag.AlignTop


class InspectorSection(QWidget):
    """A titled group of rows; everything added goes below what is there."""

    def __init__(self, title: str, aside: str = "") -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(16, 16, 16, 16)
        self.body.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(Text(title, "bold", wrap=True), 1)
        self._aside = Text(aside, "small_muted")
        head.addWidget(self._aside, 0, Qt.AlignmentFlag.AlignRight)
        self.body.addLayout(head)
        self._head = head

    def set_aside(self, text: str) -> None:
        self._aside.set_text(text)

    def add_header_widget(self, widget: QWidget) -> None:
        """At the right of the title, such as a tag."""
        self._head.addWidget(widget)

    def add_row(self, label: str, value: str, bold: bool = False, *, mono: bool = False) -> Text:
        """ "label ... value"; returns the value's label so that it can be changed."""
        shown = Text(value, "mono" if mono else "small_bold" if bold else "small")
        shown.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Text(label, "small_muted", wrap=True), 1)
        row.addWidget(shown)
        self.body.addLayout(row)
        return shown

    def add_legend_row(self, pattern: str, label: str, value: str = "", bold: bool = False, *, role: str = "") -> Text:
        """A swatch (solid, hatched, striped, empty, or a token's colour), its meaning and its value."""
        shown = Text(value, "small_bold" if bold else "small")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Swatch(pattern, role))
        row.addWidget(Text(label, "small", wrap=True), 1)
        row.addWidget(shown)
        self.body.addLayout(row)
        return shown

    def add_figure(self, figure: str, words: str) -> Text:
        """A large figure with its unit or context; returns the figure's label."""
        shown = Text(figure, "figure")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(shown, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addWidget(Text(words, "muted", wrap=True), 1, Qt.AlignmentFlag.AlignBaseline)
        self.body.addLayout(row)
        return shown

    def add_sentence(self, text: str, kind: str = "small_muted") -> Text:
        sentence = Text(text, kind, wrap=True)
        self.body.addWidget(sentence)
        return sentence

    def add_state(self, state: State, sentence: str) -> Text:
        """An icon and a sentence that says how something stands."""
        words = Text(sentence, "body", wrap=True)
        self.body.addLayout(_beside_icon(state, words))
        return words

    def add_widget(self, widget: QWidget) -> None:
        self.body.addWidget(widget)

    def add_buttons(self, *buttons: QWidget) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        self.body.addSpacing(4)
        self.body.addLayout(row)

    def add_line(self) -> None:
        self.body.addSpacing(4)
        self.body.addWidget(line())
        self.body.addSpacing(4)


def _beside_icon(state: State, *widgets: QWidget) -> QHBoxLayout:
    icon = IconLabel(state.icon, state.role)
    icon.setContentsMargins(0, 2, 0, 0)
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(icon, 0, _TOP)
    for place, widget in enumerate(widgets):
        row.addWidget(widget, 1 if place == 0 else 0, _TOP)
    return row


@dataclass(frozen=True)
class MissingItem:
    """Something the officer still has to do; `key` says where [Fix] leads, "" offers none."""

    key: str
    sentence: str
    state: State = State.NEEDS_YOU


class Missing(InspectorSection):
    """What is missing? Each finding is a sentence with a [Fix] that goes there."""

    fix_requested = Signal(str)

    def __init__(self, title: str = "What is missing?") -> None:
        super().__init__(title)
        self._list = QWidget()
        self.body.addWidget(self._list)
        self.set_items(())

    def set_items(self, items: Sequence[MissingItem], nothing: str = "Nothing.") -> None:
        fresh = QWidget()
        column = QVBoxLayout(fresh)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        for item in items:
            column.addLayout(self._row(item))
        if not items:
            column.addLayout(_beside_icon(State.DONE, Text(nothing, "body", wrap=True)))
        self.body.replaceWidget(self._list, fresh)
        self._list.deleteLater()
        self._list.hide()
        self._list = fresh

    def _row(self, item: MissingItem) -> QHBoxLayout:
        sentence = Text(item.sentence, "body", wrap=True)
        if not item.key:
            return _beside_icon(item.state, sentence)
        fix = plain_button("Fix", small=True)
        fix.setAccessibleName(f"Fix: {item.sentence}")
        fix.clicked.connect(lambda: self.fix_requested.emit(item.key))
        return _beside_icon(item.state, sentence, fix)


class Inspector(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Inspector")
        self._area = DownwardScroll(QWidget())
        self._body = QFrame()
        self._body.setProperty("surface", "right")
        inset = QVBoxLayout(self._body)
        inset.setContentsMargins(1, 0, 0, 0)
        inset.addWidget(self._area)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._header())
        outer.addWidget(self._body, 1)
        self.clear()
        self._window_width = theme.NARROW_WINDOW
        self.fit(self._window_width)
        theme.current.changed.connect(self._take_text_size)

    def _header(self) -> QWidget:
        header = QFrame()
        header.setProperty("surface", "right_head")
        header.setMinimumHeight(36)
        row = QHBoxLayout(header)
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(Text("Inspector", "small_bold"), 1)
        row.addWidget(Text("F6", "small_muted"))
        return header

    def clear(self) -> None:
        """Take every section away."""
        column = QWidget()
        column.setProperty("surface", "panel")
        self._sections = QVBoxLayout(column)
        self._sections.setContentsMargins(0, 0, 0, 0)
        self._sections.setSpacing(0)
        self._sections.addStretch(1)
        self._column = column
        self._area.set_column(column)

    @contextmanager
    def refilling(self) -> Iterator[None]:
        """Replace every section; the new ones appear together, so that none is left waiting to be shown."""
        self.clear()
        self._column.hide()
        yield
        self._column.show()

    def add(self, section: QWidget) -> None:
        """A section made elsewhere, under a dividing line unless it is the first."""
        if self._sections.count() > 1:
            self._sections.insertWidget(self._sections.count() - 1, line())
        self._sections.insertWidget(self._sections.count() - 1, section)

    def add_section(self, title: str, aside: str = "") -> InspectorSection:
        section = InspectorSection(title, aside)
        self.add(section)
        return section

    def add_missing(self, items: Sequence[MissingItem], nothing: str = "Nothing.") -> Missing:
        section = Missing()
        section.set_items(items, nothing)
        self.add(section)
        return section

    def _take_text_size(self) -> None:
        self.fit(self._window_width)

    def fit(self, window_width: int) -> None:
        """Take the narrow form in a narrow window."""
        self._window_width = window_width
        width = NARROW_WIDTH if window_width < theme.NARROW_WINDOW else WIDTH
        self.setFixedWidth(theme.scaled(width))
