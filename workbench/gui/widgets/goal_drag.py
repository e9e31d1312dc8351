"""Moves the target line of the accuracy chart by mouse or arrow keys, redrawing only what moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from workbench.preview.chart_goal import AccuracyChart, Goal

if TYPE_CHECKING:
    from matplotlib.backend_bases import KeyEvent, MouseEvent

_REACH = 9
_STEPS = {"up": 1, "down": -1, "pageup": 10, "pagedown": -10}


class GoalDrag(QObject):
    """Says where the line is dragged to; what that means is for others to work out and to give back by `show_goal`."""

    moved = Signal(float)
    released = Signal()
    stepped = Signal(int)

    def __init__(self, chart: AccuracyChart, canvas: Any) -> None:
        super().__init__(canvas)
        self.chart, self.canvas = chart, canvas
        self._still: Any = None
        for name, slot in (
            ("button_press_event", self._press),
            ("motion_notify_event", self._move),
            ("button_release_event", self._let_go),
            ("key_press_event", self._step),
        ):
            canvas.mpl_connect(name, slot)

    @property
    def is_dragging(self) -> bool:
        return self._still is not None

    def show_goal(self, goal: Goal) -> None:
        """Move the marks: over the still picture while dragging, otherwise in a picture of its own."""
        self.chart.move_goal(goal)
        if not self.is_dragging:
            self.canvas.draw_idle()
            return
        self.canvas.restore_region(self._still)
        for mark in self.chart.marks:
            self.chart.axes.draw_artist(mark)
        self.canvas.blit(self.chart.figure.bbox)

    def _press(self, event: MouseEvent) -> None:
        if event.button == 1 and self._is_on_line(event):
            self._set_animated(True)
            self.canvas.draw()
            self._still = self.canvas.copy_from_bbox(self.chart.figure.bbox)
            self.moved.emit(self._value(event))

    def _move(self, event: MouseEvent) -> None:
        if self.is_dragging:
            self.moved.emit(self._value(event))
        else:
            on_line = self._is_on_line(event)
            self.canvas.setCursor(Qt.CursorShape.SizeVerCursor if on_line else Qt.CursorShape.ArrowCursor)

    def _let_go(self, event: MouseEvent) -> None:
        if self.is_dragging:
            self._still = None
            self._set_animated(False)
            self.canvas.draw_idle()
            self.released.emit()

    def _step(self, event: KeyEvent) -> None:
        if event.key in _STEPS:
            self.stepped.emit(_STEPS[event.key])

    def _set_animated(self, animated: bool) -> None:
        for mark in self.chart.marks:
            mark.set_animated(animated)

    def _is_on_line(self, event: MouseEvent) -> bool:
        box = self.chart.axes.bbox
        line = self.chart.axes.transData.transform((1, float(self.chart.line.get_ydata()[1])))[1]  # type: ignore[index,arg-type]
        return bool(box.x0 - 2 * _REACH <= event.x <= box.x1 and abs(event.y - line) <= _REACH)

    def _value(self, event: MouseEvent) -> float:
        """The height of the pointer, kept inside the axes."""
        low, high = self.chart.axes.get_ylim()
        value = self.chart.axes.transData.inverted().transform((event.x, event.y))[1]
        return float(min(max(value, low), high))
