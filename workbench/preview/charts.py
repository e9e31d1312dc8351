"""The accuracy chart as a matplotlib figure: one builder serves screen, command line and report."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import ChartRefused, OutputError
from workbench.plan.amounts import exact_text
from workbench.preview.chart_look import (
    DASHES,
    LIGHT,
    Palette,
    axis_title,
    draw_frame,
    draw_watermark,
    new_figure,
    points,
    series_colour,
    series_mark,
    words,
)
from workbench.preview.curves import AccuracyCurve, AccuracyLine
from workbench.preview.metrics import Metric, Source

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation
    from matplotlib.transforms import Transform

_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
_STEPS = "10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91"
_KEY_ROWS, _KEY_TOP, _KEY_STEP = 6, 34, 34
_FILE_INCHES = (7.2, 3.4)
_LONGEST_NAME = 22


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


def chart_epsilons(*also: Fraction | None) -> tuple[Fraction, ...]:
    """A close grid from 0.1 to 10, reaching out to 0.01 or 20 where an epsilon to be shown lies there."""
    shown = [epsilon for epsilon in also if epsilon is not None and epsilon > 0]
    low = Fraction(1, 100) if any(epsilon < Fraction(1, 10) for epsilon in shown) else Fraction(1, 10)
    high = Fraction(20) if any(epsilon > 10 for epsilon in shown) else Fraction(10)
    grid = {Fraction(int(step), 10) * Fraction(10) ** decade for decade in range(-2, 2) for step in _STEPS.split()}
    return tuple(sorted(epsilon for epsilon in grid | {high, *shown} if low <= epsilon <= high))


def accuracy_chart(
    curve: AccuracyCurve, palette: Palette = LIGHT, goal: Goal | None = None, watermark: str = ""
) -> AccuracyChart:
    """Accuracy against epsilon on a log axis: a line per statistic with its key, the present epsilon, the goal."""
    figure = new_figure(palette, 560, 190)
    axes, key = figure.subplots(1, 2, width_ratios=(1.75, 1))
    _draw_axes(axes, curve, palette)
    for at, line in enumerate(curve.lines):
        _draw_line(axes, curve, line, at, palette)
    _fit_height(axes, curve, goal)
    _draw_key(key, curve, palette)
    draw_watermark(axes, palette, curve.source, watermark)
    chart = AccuracyChart(figure, axes, curve, *_goal_marks(axes, curve, palette), _draw_now(axes, curve, palette))
    for mark in chart.marks[:-1]:
        mark.set_visible(goal is not None)
    if goal is not None:
        chart.move_goal(goal)
    return chart


def accuracy_figure(
    curve: AccuracyCurve, palette: Palette = LIGHT, goal: float | None = None, watermark: str = "",
    solved: Fraction | None = None,
) -> Figure:  # fmt: skip
    """The chart as a picture."""
    return accuracy_chart(curve, palette, None if goal is None else Goal(goal, solved), watermark).figure


def save_accuracy_chart(
    curve: AccuracyCurve, path: Path, goal: float | None = None, watermark: str = "", solved: Fraction | None = None
) -> None:
    """Save a chart of public facts; one that looked at true cells never leaves."""
    if curve.source is Source.CONFIDENTIAL:
        raise ChartRefused
    figure = accuracy_figure(curve, goal=goal, watermark=watermark, solved=solved)
    figure.set_size_inches(*_FILE_INCHES)
    try:
        figure.savefig(path, dpi=200, format="png", metadata={"Software": None})
    except OSError as error:
        raise OutputError(path.name, error.strerror or "the disk refused it") from error


def curve_table(curve: AccuracyCurve) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart's data as headings and rows."""
    headings = ("ε of the plan", *(f"{line.table}: {line.mechanism}" for line in curve.lines))
    rows = [
        (exact_text(epsilon), *(shown_value(curve, line.values[at], 1) for line in curve.lines))
        for at, epsilon in enumerate(curve.epsilons)
    ]
    return headings, rows


def shown_value(curve: AccuracyCurve, value: float, places: int = 0) -> str:
    """A value of the metric with its unit, to so many places where it has any."""
    if _is_share(curve):
        return f"{100 * value:.{places}f} %"
    digits = places if curve.metric is Metric.MARGIN else max(places, 1)
    return f"{value:,.{digits}f} {curve.unit}" if value % 1 else f"{value:,.0f} {curve.unit}"


def alt_text(curve: AccuracyCurve, goal: Goal | None = None) -> str:
    """The chart in words, for those who do not see it."""
    ends = "; ".join(
        f"{line.table}, {line.statistic}: {shown_value(curve, line.values[0])} at ε = {exact_text(curve.epsilons[0])}, "
        f"{shown_value(curve, line.values[-1])} at ε = {exact_text(curve.epsilons[-1])}"
        for line in curve.lines
    )
    wanted = f" The target is {shown_value(curve, goal.value)}." if goal else ""
    return f"{curve.metric.heading} against epsilon, {curve.source_words}. {ends}.{wanted}"


def _is_share(curve: AccuracyCurve) -> bool:
    return curve.metric in (Metric.SHARE_WITHIN, Metric.RELATIVE)


def _draw_axes(axes: Axes, curve: AccuracyCurve, palette: Palette) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    first, last = float(min(curve.epsilons)), float(max(curve.epsilons))
    axes.set_xscale("log")
    axes.set_xlim(first, last if last > first else first * 10)
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in _TICKS if first <= tick <= last]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.set_xlabel("Epsilon of the plan (log scale)", **axis_title(palette))
    if _is_share(curve):
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    else:
        axes.set_ylabel(curve.unit, **axis_title(palette))
    draw_frame(axes, palette)


def _fit_height(axes: Axes, curve: AccuracyCurve, goal: Goal | None) -> None:
    """Shares fill the whole height; errors begin at 0 and leave room for the goal."""
    if curve.metric is Metric.SHARE_WITHIN:
        axes.set_ylim(0, 1.03)
        return
    values = [value for line in curve.lines for value in line.values]
    axes.set_ylim(0, 1.05 * max([*values, goal.value if goal else 0.0, 1e-9]))


def _draw_line(axes: Axes, curve: AccuracyCurve, line: AccuracyLine, at: int, palette: Palette) -> None:
    epsilons = [float(epsilon) for epsilon in curve.epsilons]
    marked = [place for place, epsilon in enumerate(epsilons) if epsilon in _TICKS]
    axes.plot(epsilons, line.values, markevery=marked, clip_on=False, zorder=3, **_line_look(palette, at))


def _line_look(palette: Palette, at: int) -> dict[str, Any]:
    width = points(2.8 if at == 0 else 1.8)
    look = {"color": series_colour(palette, at), "linestyle": DASHES[at % len(DASHES)], "linewidth": width}
    return look | series_mark(palette, at)


def _draw_now(axes: Axes, curve: AccuracyCurve, palette: Palette) -> Annotation:
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


def _goal_marks(
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


def _draw_key(key: Axes, curve: AccuracyCurve, palette: Palette) -> None:
    """Right of the plot: a sample of each line, its name, and its value at the present epsilon."""
    key.set_axis_off()
    key.set_xlim(0, 1)
    now = curve.epsilon_now
    _key_text(key, 0, 8, "Statistic", palette, colour=palette.muted)
    _key_text(key, 1, 8, f"at ε = {exact_text(now)}" if now else "", palette, colour=palette.muted)
    key.plot([0, 1], [1, 1], color=palette.grid, linewidth=1, transform=_lowered(key, 20, palette), clip_on=False)
    for at, line in enumerate(curve.lines[:_KEY_ROWS]):
        _draw_key_row(key, curve, line, at, palette)
    if len(curve.lines) > _KEY_ROWS:
        more = f"and {len(curve.lines) - _KEY_ROWS} more in the data table"
        _key_text(key, 0, _KEY_TOP + _KEY_ROWS * _KEY_STEP, more, palette, colour=palette.muted)


def _draw_key_row(key: Axes, curve: AccuracyCurve, line: AccuracyLine, at: int, palette: Palette) -> None:
    down = _KEY_TOP + at * _KEY_STEP
    sample: dict[str, Any] = {"transform": _lowered(key, down + 7, palette), "clip_on": False} | _line_look(palette, at)
    key.plot([0, 0.055, 0.11], [1] * 3, markevery=[1], **sample)
    name = line.table if len(line.table) <= _LONGEST_NAME else line.table[: _LONGEST_NAME - 1] + "…"
    _key_text(key, 0.145, down, name, palette, bold=at == 0)
    _key_text(key, 0.145, down + 14, f"{line.statistic}, {line.mechanism}", palette, colour=palette.muted)
    if line.now is not None:
        _key_text(key, 1, down + 14, shown_value(curve, line.now), palette, bold=at == 0)


def _key_text(key: Axes, across: float, down: float, text: str, palette: Palette, **look: Any) -> None:
    side = "right" if across == 1 else "left"
    place = _lowered(key, down, palette)
    key.text(across, 1, text, transform=place, ha=side, va="center", in_layout=False, **words(palette, **look))


def _lowered(key: Axes, down: float, palette: Palette) -> Transform:
    """Places in the key: across as a part of its width, down in pixels, so that rows never close up."""
    from matplotlib.transforms import ScaledTranslation

    return key.transAxes + ScaledTranslation(0, -points(down, palette) / 72, key.figure.dpi_scale_trans)
