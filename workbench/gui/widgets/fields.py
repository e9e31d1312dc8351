"""Fields the officer types into: exact numbers with their unit, search, and rows that pair a label with a field."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from workbench.gui import icons, theme
from workbench.gui.widgets import numbers
from workbench.gui.widgets.text import Text

Check = Callable[[str], str | None]
"""Given exact decimal text: None when it may stand, or the sentence that says why it may not."""

_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


def between(minimum: str | None, maximum: str | None, unit: str = "") -> Check:
    """A check that a number lies within bounds, the bounds included."""

    def check(exact: str) -> str | None:
        value = Decimal(exact)
        if minimum is not None and value < Decimal(minimum):
            return f"At least {numbers.shown(minimum)} {unit}".strip() + "."
        if maximum is not None and value > Decimal(maximum):
            return f"At most {numbers.shown(maximum)} {unit}".strip() + "."
        return None

    return check


class NumberField(QWidget):
    """A number kept as exact decimal text, with its unit, optional steps, and the reason when it cannot stand.

    `value_changed` follows every keystroke that leaves a valid number; `committed` comes when the officer is done.
    """

    value_changed = Signal(str)
    committed = Signal(str)

    def __init__(
        self, name: str, value: str = "", unit: str = "", *, step: str = "", check: Check | None = None, width: int = 0
    ) -> None:
        super().__init__()
        self._value = value
        self._last_committed = value
        self._step = step
        self._check = check
        self._frame = QFrame()
        self._edit = QLineEdit()
        self._unit = Text(unit, "muted")
        self._error = Text("", "small", wrap=True, tone="block")
        self._lay_out(unit, width)
        self.set_name(name)
        self._edit.installEventFilter(self)
        self._edit.textEdited.connect(self._take_typing)
        self._edit.editingFinished.connect(self._commit)
        self._show_error("")
        self._edit.setText(numbers.shown(value))

    def _lay_out(self, unit: str, width: int) -> None:
        self._frame.setProperty("surface", "field")
        self._frame.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._edit.setProperty("kind", "inner")
        self._edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._edit.setMinimumWidth(24)
        row = QHBoxLayout(self._frame)
        row.setContentsMargins(9, 2, 2 if self._step else 9, 2)
        row.setSpacing(4)
        row.addWidget(self._edit, 1)
        row.addWidget(self._unit)
        self._unit.setVisible(bool(unit))  # not before it has a parent: it would flash as a window of its own
        if self._step:
            row.addSpacing(4)
            row.addLayout(self._stepper())
        self._frame.setFixedWidth(theme.scaled(width) if width else self._natural_width())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._frame)
        column.addWidget(self._error)

    def _natural_width(self) -> int:
        digits = QFontMetrics(theme.font("body")).horizontalAdvance("0" * 6)
        unit = QFontMetrics(theme.font("body")).horizontalAdvance(self._unit.text())
        return digits + unit + (50 if self._step else 24)

    def _stepper(self) -> QHBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        for direction, arrow in ((1, "step-up"), (-1, "step-down")):
            column.addWidget(self._step_button(direction, arrow))
        divided = QHBoxLayout()
        divided.setSpacing(0)
        divider = QFrame()
        divider.setProperty("surface", "line")
        divider.setFixedWidth(1)
        divided.addWidget(divider)
        divided.addLayout(column)
        return divided

    def _step_button(self, direction: int, arrow: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "step")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setAutoRepeat(True)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        button.setFixedWidth(18)
        button.setIconSize(QSize(8, 8))
        button.setAccessibleName("More" if direction > 0 else "Less")
        button.setIcon(icons.icon(arrow, "muted"))
        button.clicked.connect(lambda: self.step(direction))
        return button

    def set_name(self, name: str) -> None:
        self._edit.setAccessibleName(name)
        self.setFocusProxy(self._edit)

    def value(self) -> str:
        """The exact decimal text; what was typed last if that is no number."""
        return self._value

    def set_value(self, exact: str) -> None:
        """Show a value without telling anyone."""
        self._value = self._last_committed = exact
        self._edit.setText(numbers.shown(exact))
        self._show_error(self._complaint() or "")

    def is_valid(self) -> bool:
        return not self._error.text()

    def error(self) -> str:
        return self._error.text()

    def set_error(self, sentence: str | None) -> None:
        """Show a reason found elsewhere; None takes it away."""
        self._show_error(sentence or "")

    def set_check(self, check: Check | None) -> None:
        self._check = check
        self._show_error(self._complaint() or "")

    def set_unit(self, unit: str) -> None:
        self._unit.set_text(unit)
        self._unit.setVisible(bool(unit))

    def set_read_only(self, read_only: bool) -> None:
        self._edit.setReadOnly(read_only)

    def line_edit(self) -> QLineEdit:
        return self._edit

    def step(self, times: int) -> None:
        if self._step and numbers.typed(self._value) is not None:
            candidate = numbers.stepped(self._value, self._step, times)
            if self._check is None or self._check(candidate) is None:
                self._edit.setText(numbers.shown(candidate))
                self._take_typing(self._edit.text())
                self._commit()

    def _take_typing(self, text: str) -> None:
        exact = numbers.typed(text)
        self._value = text.strip() if exact is None else exact
        self._show_error(self._complaint() or "")
        if self.is_valid():
            self.value_changed.emit(self._value)

    def _commit(self) -> None:
        if not self.is_valid():
            return
        self._edit.setText(numbers.shown(self._value))
        if self._value != self._last_committed:
            self._last_committed = self._value
            self.committed.emit(self._value)

    def _complaint(self) -> str | None:
        if not self._value:
            return None
        if numbers.typed(numbers.shown(self._value)) is None:
            return "Type a number."
        return self._check(self._value) if self._check else None

    def _show_error(self, sentence: str) -> None:
        self._error.set_text(sentence)
        self._error.setVisible(bool(sentence))
        self._edit.setAccessibleDescription(sentence)
        theme.mark(self._frame, "invalid", bool(sentence))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            theme.mark(self._frame, "focused", event.type() == QEvent.Type.FocusIn)
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._step:
            times = _STEPS.get(Qt.Key(event.key()))
            if times:
                self.step(times)
                return True
        return False


class SpinBox(QSpinBox):
    """A small whole number with steps, such as a row; for amounts and bounds use NumberField."""

    def __init__(self, name: str, minimum: int, maximum: int, value: int, *, suffix: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setRange(minimum, maximum)
        self.setValue(value)
        self.setSuffix(suffix)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.lineEdit().setTextMargins(8, 0, 6, 0)  # the style sheet's padding does not reach the inner edit


class SearchField(QLineEdit):
    """A line edit with a magnifier, a hint and a cross that empties it."""

    def __init__(self, hint: str = "Filter", width: int = 0) -> None:
        super().__init__()
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.setClearButtonEnabled(True)
        magnifier = QAction(icons.icon("search", "muted"), "", self)
        self.addAction(magnifier, QLineEdit.ActionPosition.LeadingPosition)
        for button in self.findChildren(QWidget):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if width:
            self.setFixedWidth(theme.scaled(width))


class LabelledRow(QWidget):
    """A label and a field side by side; the field takes the label as its spoken name unless it has one."""

    def __init__(self, label: str, field: QWidget, *, label_width: int = 0, after: str = "") -> None:
        super().__init__()
        caption = Text(label, "muted")
        if label_width:
            caption.setFixedWidth(theme.scaled(label_width))
        caption.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(label)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        caption.setMinimumHeight(theme.scaled(30))
        row.addWidget(caption, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(field)
        if after:
            row.addWidget(Text(after, "muted"))
        self.field = field
        self._caption = caption

    def caption(self) -> QLabel:
        return self._caption

    def add_stretch(self) -> LabelledRow:
        """Keep the field at its own width and leave the rest of the row empty."""
        layout = self.layout()
        if isinstance(layout, QHBoxLayout):
            layout.addStretch(1)
        return self
