"""A slider over decades with the exact value typed beside it: both say the same number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.widgets import numbers
from workbench.gui.widgets.fields import NumberField, between
from workbench.gui.widgets.text import Text

_POSITIONS = 1000
_HANDLE = 18


class _Scale:
    """Turns exact values into slider positions and back; positions are only for the eye."""

    def __init__(self, minimum: str, maximum: str, *, logarithmic: bool) -> None:
        self._low, self._high = (self._measure(minimum, logarithmic), self._measure(maximum, logarithmic))
        self._logarithmic = logarithmic

    @staticmethod
    def _measure(exact: str, logarithmic: bool) -> float:
        return math.log(float(exact)) if logarithmic else float(exact)

    def share(self, exact: str) -> float:
        share = (self._measure(exact, self._logarithmic) - self._low) / (self._high - self._low)
        return min(max(share, 0.0), 1.0)

    def value(self, share: float) -> str:
        """A round value there: two significant digits."""
        measure = self._low + share * (self._high - self._low)
        number = Decimal(math.exp(measure) if self._logarithmic else measure)
        places = 1 - number.adjusted() if number else 1
        return f"{round(number, places):f}" if places > 0 else f"{round(number, places):f}".split(".")[0]


class _Track(QSlider):
    """A slider whose handle comes to where it is clicked."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, _POSITIONS)
        self.setSingleStep(10)
        self.setPageStep(100)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            span = max(self.width() - _HANDLE, 1)
            self.setValue(round((event.position().x() - _HANDLE / 2) / span * _POSITIONS))
        super().mousePressEvent(event)


class _Ticks(QWidget):
    """The values written under the track."""

    def __init__(self, scale: _Scale, ticks: Sequence[str]) -> None:
        super().__init__()
        self._places = tuple((scale.share(tick), numbers.shown(tick)) for tick in ticks)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(120, round(QFontMetricsF(theme.font("tiny")).height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(theme.font("tiny"))
        painter.setPen(theme.color("muted"))
        metrics = QFontMetricsF(painter.font())
        for share, words in self._places:
            width = metrics.horizontalAdvance(words)
            left = _HANDLE / 2 + share * (self.width() - _HANDLE) - width / 2
            painter.drawText(QPointF(min(max(left, 0), self.width() - width), metrics.ascent()), words)
        painter.end()


class EpsilonSlider(QWidget):
    """Label, typed value, track, ticks and end words. The value is exact decimal text.

    `value_changed` follows typing and dragging; `committed` comes when the officer lets go or presses Enter.
    """

    value_changed = Signal(str)
    committed = Signal(str)

    def __init__(
        self,
        label: str,
        value: str,
        minimum: str = "0.1",
        maximum: str = "10",
        ticks: Sequence[str] = ("0.1", "0.5", "1", "2", "5", "10"),
        *,
        logarithmic: bool = True,
        ends: tuple[str, str] = ("", ""),
        step: str = "0.1",
        beyond: str | None = None,
    ) -> None:
        """`beyond` is the largest value that may be typed when it lies past the end of the track."""
        super().__init__()
        self._scale = _Scale(minimum, maximum, logarithmic=logarithmic)
        self._field = NumberField(label, value, step=step, width=92)
        self._field.set_check(between(minimum, beyond or maximum))
        self._track = _Track()
        self._track.setAccessibleName(f"{label}, slider")
        self._lay_out(label, _Ticks(self._scale, ticks), ends)
        self.setFocusProxy(self._field)
        self._field.value_changed.connect(self._take_typed)
        self._field.committed.connect(self.committed)
        self._track.valueChanged.connect(self._take_dragged)
        self._track.sliderReleased.connect(lambda: self.committed.emit(self.value()))
        self._place_handle(value)

    def _lay_out(self, label: str, ticks: QWidget, ends: tuple[str, str]) -> None:
        head = QHBoxLayout()
        head.addWidget(Text(label, "bold", wrap=True), 1)
        head.addWidget(self._field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self._track)
        column.addWidget(ticks)
        if any(ends):
            foot = QHBoxLayout()
            foot.addWidget(Text(ends[0], "small_muted"))
            foot.addStretch(1)
            foot.addWidget(Text(ends[1], "small_muted"))
            column.addLayout(foot)

    def value(self) -> str:
        return self._field.value()

    def set_value(self, exact: str) -> None:
        """Show a value without telling anyone."""
        self._field.set_value(exact)
        self._place_handle(exact)

    def is_valid(self) -> bool:
        return self._field.is_valid()

    def field(self) -> NumberField:
        return self._field

    def track(self) -> QSlider:
        return self._track

    def _place_handle(self, exact: str) -> None:
        self._track.blockSignals(True)
        self._track.setValue(round(self._scale.share(exact) * _POSITIONS))
        self._track.blockSignals(False)

    def _take_typed(self, exact: str) -> None:
        if exact:
            self._place_handle(exact)
            self.value_changed.emit(exact)

    def _take_dragged(self, position: int) -> None:
        exact = self._scale.value(position / _POSITIONS)
        self._field.set_value(exact)
        self.value_changed.emit(exact)
        if not self._track.isSliderDown():
            self.committed.emit(exact)
