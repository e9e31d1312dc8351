"""The goal and the present epsilon in the accuracy chart: marks that can be moved without drawing the rest again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from workbench.plan.amounts import exact_text
from workbench.preview.chart_look import Palette, points, series_colour, series_mark, words
from workbench.preview.chart_words import shown_value
from workbench.preview.curves import AccuracyCurve

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation


@dataclass(frozen=True)
class Goal:
    """A value wanted of the metric, and the smallest epsilon that gives it, if any does."""

    value: float
    solved: Fraction | None


@dataclass(frozen=True, eq=False)
class AccuracyChart:
    """The figure and the marks of its goal, which can be moved without building the figure again."""

    figure: Figure
    axes: Axes
    curve: AccuracyCurve
    line: Line2D
    handle: Line2D
    ring: Line2D
    drop: Line2D
    label: Annotation
    solved: Annotation
    now: Annotation

    @property
    def marks(self) -> tuple[Artist, ...]:
        """The artists that move with the goal, in the order they are drawn."""
        return (self.line, self.handle, self.drop, self.ring, self.label, self.solved, self.now)

    def move_goal(self, goal: Goal) -> None:
        """Show another goal in place."""
        self.line.set_ydata([goal.value, goal.value])
        self.handle.set_ydata([goal.value])
        self.label.set_text(f"Target {shown_value(self.curve, goal.value)}")
        self.label.xy = (1, goal.value)
        is_shown = self.shows(goal.solved)
        for mark in (self.ring, self.drop, self.solved):
            mark.set_visible(is_shown)
        self._place_now(goal.solved)
        if goal.solved is not None and is_shown:
            self._place_solved(float(goal.solved), goal.value, exact_text(goal.solved))

    def has_room_for(self, goal: Goal) -> bool:
        """Whether a goal and its epsilon lie inside this figure."""
        return goal.value <= self.axes.get_ylim()[1] and (goal.solved is None or self.shows(goal.solved))

    def shows(self, epsilon: Fraction | None) -> bool:
        """Whether an epsilon lies on the axis of this figure."""
        low, high = self.axes.get_xlim()
        return epsilon is not None and low <= float(epsilon) <= high

    def _place_solved(self, epsilon: float, value: float, text: str) -> None:
        self.ring.set_data([epsilon], [value])
        self.drop.set_data([epsilon, epsilon], [self.axes.get_ylim()[0], value])
        self.solved.set_text(f"solved\n{text}")
        self.solved.xy = (epsilon, 0 if self.curve.metric.is_better_high else value)
        now = self.curve.epsilon_now
        is_left = now is not None and epsilon <= now and self._has_room_at_left(epsilon)
        self.solved.set_position((-5 if is_left else 5, 6))
        self.solved.set_horizontalalignment("right" if is_left else "left")

    def _place_now(self, solved: Fraction | None) -> None:
        """Keep the words of the present epsilon clear of those of the solved one."""
        now = self.curve.epsilon_now
        if now is None:
            return
        is_left = solved is not None and solved > now and self._has_room_at_left(float(now))
        is_near = solved is not None and now / 2 < solved < now * 2 and not self.curve.metric.is_better_high
        self.now.set_position((-5 if is_left else 5, 30 if is_near else 6))
        self.now.set_horizontalalignment("right" if is_left else "left")

    def _has_room_at_left(self, epsilon: float) -> bool:
        """Words at the foot of a rising curve may stand at the left, unless the axis is there."""
        return self.curve.metric.is_better_high and epsilon > self.axes.get_xlim()[0] * 1.6


def draw_now(axes: Axes, curve: AccuracyCurve, palette: Palette) -> Annotation:
    """The present epsilon: a diamond on the first line, a dotted drop, and its words, which are given back."""
    now = curve.epsilon_now
    first = curve.lines[0].now if curve.lines else None
    said = axes.annotate(
        "", (1, 0), xycoords=_anchor(curve), xytext=(5, 6), textcoords="offset points", va="bottom", linespacing=1.2,
        zorder=6, **words(palette, palette.muted),
    )  # fmt: skip
    if now is None or first is None or now not in curve.epsilons:
        return said
    drop = [float(now)] * 2, [axes.get_ylim()[0], first]
    axes.plot(*drop, color=palette.muted, linestyle=(0, (1, 2)), linewidth=points(1.6), zorder=2)
    mark = series_mark(palette, 0) | {"markersize": points(12, palette), "markeredgecolor": palette.panel}
    axes.plot([float(now)], [first], linestyle="", clip_on=False, zorder=5, **mark)
    said.set_text(f"now\n{exact_text(now)}")
    said.xy = (float(now), 0 if curve.metric.is_better_high else first)
    return said


def _anchor(curve: AccuracyCurve) -> str | tuple[str, str]:
    """Words stand where the curve is not: at the foot of a rising one, above a falling one."""
    return ("data", "axes fraction") if curve.metric.is_better_high else "data"


def goal_marks(
    axes: Axes, curve: AccuracyCurve, palette: Palette
) -> tuple[Line2D, Line2D, Line2D, Line2D, Annotation, Annotation]:
    """The goal's line and handle, the solved epsilon's ring and drop, and their words; placed by `move_goal`."""
    plan = series_colour(palette, 0)
    below = curve.metric.is_better_high
    line = axes.axhline(0, color=palette.text, linewidth=points(1.8), zorder=4)
    (handle,) = axes.plot(
        [0], [0], transform=axes.get_yaxis_transform(), marker=">", markersize=points(12, palette), color=palette.text,
        linestyle="", clip_on=False, zorder=6,
    )  # fmt: skip
    (drop,) = axes.plot([1, 1], [0, 0], color=plan, linestyle=(0, (4, 3)), linewidth=points(1.8), zorder=4)
    (ring,) = axes.plot(
        [1], [0], marker="o", markersize=points(11, palette), markerfacecolor=palette.panel, markeredgecolor=plan,
        markeredgewidth=points(2.4), linestyle="", clip_on=False, zorder=7,
    )  # fmt: skip
    label = axes.annotate(
        "", (1, 0), xycoords=("axes fraction", "data"), xytext=(-2, -5 if below else 4), textcoords="offset points",
        ha="right", va="top" if below else "bottom", zorder=6, **words(palette, bold=True),
    )  # fmt: skip
    solved = axes.annotate(
        "", (1, 0), xycoords=_anchor(curve), xytext=(5, 6), textcoords="offset points", va="bottom", linespacing=1.2,
        zorder=6, **words(palette, plan, bold=True),
    )  # fmt: skip
    for mark in (line, handle, drop, ring, label, solved):
        mark.set_in_layout(False)
    return line, handle, ring, drop, label, solved
