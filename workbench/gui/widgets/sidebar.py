"""The sidebar of stages: number, name, how it stands in icon and words, and the ledger below a line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from workbench.gui import icons, theme
from workbench.gui.widgets.status import State
from workbench.gui.widgets.text import line

WIDTH = 200
NARROW_WIDTH = 176
ROW_HEIGHT = 56
LEDGER = "Ledger"

_CIRCLE = 26
_LEFT = 16
_STEPS: dict[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_KEY_REASONS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class _Row(QAbstractButton):
    """One stage; painted whole, so that its circle, words and highlight stay aligned at every text size."""

    def __init__(self, name: str, badge: str) -> None:
        super().__init__()
        self.name = name
        self._badge = badge
        self._state: State | None = None
        self._words = ""
        self._reached_by_key = False
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_state(self, state: State | None, words: str) -> None:
        self._state = state
        self._words = words or (state.words if state else "")
        number = f"{self._badge} " if self._badge.isdigit() else ""
        self.setAccessibleName(f"{number}{self.name}, {self._words}" if self._words else f"{number}{self.name}")
        self.setToolTip(self._words)
        self.update()

    def words(self) -> str:
        return self._words

    def sizeHint(self) -> QSize:
        lines = QFontMetricsF(theme.font("bold")).height() + QFontMetricsF(theme.font("tiny")).height()
        return QSize(NARROW_WIDTH, max(ROW_HEIGHT, round(lines) + 20))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._reached_by_key = event.reason() in _KEY_REASONS
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_circle(painter)
        self._paint_words(painter)
        painter.end()

    def _paint_ground(self, painter: QPainter) -> None:
        whole = QRectF(self.rect())
        if self.isChecked():
            painter.fillRect(whole, theme.color("selection"))
            painter.fillRect(QRectF(0, 0, 4, self.height()), theme.color("accent"))
        elif self.underMouse():
            painter.fillRect(whole, theme.color("soft"))
        if self.hasFocus() and self._reached_by_key:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 3, 3)

    def _paint_circle(self, painter: QPainter) -> None:
        chosen = self.isChecked()
        circle = QRectF(_LEFT, (self.height() - _CIRCLE) / 2, _CIRCLE, _CIRCLE)
        painter.setPen(QPen(theme.color("accent" if chosen else "control_border"), 1))
        painter.setBrush(theme.color("accent" if chosen else "panel"))
        painter.drawEllipse(circle.adjusted(0.5, 0.5, -0.5, -0.5))
        ink = "on_accent" if chosen else "text"
        if not self._badge.isdigit():
            icons.paint_icon(painter, self._badge, ink, circle.adjusted(6, 6, -6, -6))
            return
        painter.setPen(theme.color(ink))
        painter.setFont(theme.font("small_bold"))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, self._badge)

    def _paint_words(self, painter: QPainter) -> None:
        left = _LEFT + _CIRCLE + 10
        name_font, words_font = theme.font("bold"), theme.font("tiny")
        name_height = QFontMetricsF(name_font).height()
        words_metrics = QFontMetricsF(words_font)
        top = (self.height() - name_height - words_metrics.height()) / 2
        painter.setFont(name_font)
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(left, top + QFontMetricsF(name_font).ascent()), self.name)
        middle = top + name_height + words_metrics.height() / 2
        role = self._state.role if self._state else "muted"
        if self._state:
            side = theme.scaled(13)
            icons.paint_icon(painter, self._state.icon, role, QRectF(left, middle - side / 2, side, side))
            left += side + 4
        painter.setFont(words_font)
        painter.setPen(theme.color(role))
        baseline = QPointF(left, top + name_height + words_metrics.ascent())
        room = self.width() - left - 6
        painter.drawText(baseline, words_metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room))


class Sidebar(QFrame):
    """Up and Down move between the stages, Enter or Space opens one."""

    chosen = Signal(str)

    def __init__(self, stages: Sequence[str]) -> None:
        super().__init__()
        self.setProperty("surface", "left")
        self.setAccessibleName("Stages")
        self._rows = {name: _Row(name, str(number)) for number, name in enumerate(stages, 1)}
        self._rows[LEDGER] = _Row(LEDGER, "ledger")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 1, 0)
        outer.addWidget(self._scrolling_list())
        for row in self._rows.values():
            row.clicked.connect(self._choose)
            row.installEventFilter(self)
            row.show_state(None if row.name == LEDGER else State.NOT_STARTED, "")
        self.set_current(stages[0])
        self._window_width = theme.NARROW_WINDOW
        self.fit(self._window_width)
        theme.current.changed.connect(self._take_text_size)

    def _scrolling_list(self) -> QScrollArea:
        content = QWidget()
        content.setProperty("surface", "panel")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(0)
        for row in self._rows.values():
            if row.name == LEDGER:
                column.addSpacing(8)
                separator = QVBoxLayout()
                separator.setContentsMargins(12, 0, 12, 0)
                separator.addWidget(line())
                column.addLayout(separator)
                column.addSpacing(8)
            column.addWidget(row)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        return area

    def set_state(self, name: str, state: State, words: str = "") -> None:
        """Show how a stage stands; the words default to the state's own."""
        self._rows[name].show_state(state, words)

    def set_ledger_words(self, words: str) -> None:
        self._rows[LEDGER].show_state(None, words)

    def words(self, name: str) -> str:
        return self._rows[name].words()

    def set_current(self, name: str) -> None:
        """Highlight a stage without telling anyone; "" highlights none."""
        for row in self._rows.values():
            row.setChecked(row.name == name)
        entrance = name or next(iter(self._rows))
        for row in self._rows.values():
            row.setFocusPolicy(Qt.FocusPolicy.StrongFocus if row.name == entrance else Qt.FocusPolicy.ClickFocus)

    def current(self) -> str:
        return next((row.name for row in self._rows.values() if row.isChecked()), "")

    def _take_text_size(self) -> None:
        self.fit(self._window_width)

    def fit(self, window_width: int) -> None:
        """Take the narrow form in a narrow window."""
        self._window_width = window_width
        width = NARROW_WIDTH if window_width < theme.NARROW_WINDOW else WIDTH
        self.setFixedWidth(theme.scaled(width))

    def focus_current(self) -> None:
        self._rows[self.current() or next(iter(self._rows))].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _choose(self) -> None:
        row = self.sender()
        if isinstance(row, _Row):
            self.set_current(row.name)
            self.chosen.emit(row.name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, _Row) and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(watched, event.key())
        return bool(super().eventFilter(watched, event))

    def _take_key(self, row: _Row, key: int) -> bool:
        rows = list(self._rows.values())
        if key in _STEPS:
            place = min(max(rows.index(row) + _STEPS[key], 0), len(rows) - 1)
            rows[place].setFocus(Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            row.click()
        else:
            return False
        return True
