"""The accuracy chart as a matplotlib figure: one builder serves screen, command line and report."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import ChartRefused, OutputError
from workbench.preview.chart_goal import AccuracyChart, Goal, draw_now, goal_marks
from workbench.preview.chart_key import draw_key
from workbench.preview.chart_look import (
    LIGHT,
    Palette,
    axis_title,
    draw_frame,
    draw_watermark,
    line_look,
    new_figure,
)
from workbench.preview.chart_words import is_share
from workbench.preview.curves import AccuracyCurve, AccuracyLine
from workbench.preview.metrics import Metric, Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
_STEPS = "10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91"
_FILE_INCHES = (7.2, 3.4)


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
    draw_key(key, curve, palette)
    draw_watermark(axes, palette, curve.source, watermark)
    chart = AccuracyChart(figure, axes, curve, *goal_marks(axes, curve, palette), draw_now(axes, curve, palette))
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
    if is_share(curve):
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    else:
        axes.set_ylabel(curve.unit, **axis_title(palette))
    draw_frame(axes, palette)


def _fit_height(axes: Axes, curve: AccuracyCurve, goal: Goal | None) -> None:
    """Shares fill the whole height; errors begin at 0 and leave room for the goal."""
    if curve.metric is Metric.SHARE_WITHIN:
        axes.set_ylim(0, 1.03)
        return
    values = [value for line in curve.lines for value in line.values if not isnan(value)]
    axes.set_ylim(0, 1.05 * max([*values, goal.value if goal else 0.0, 1e-9]))


def _draw_line(axes: Axes, curve: AccuracyCurve, line: AccuracyLine, at: int, palette: Palette) -> None:
    epsilons = [float(epsilon) for epsilon in curve.epsilons]
    marked = [place for place, epsilon in enumerate(epsilons) if epsilon in _TICKS]
    axes.plot(epsilons, line.values, markevery=marked, clip_on=False, zorder=3, **line_look(palette, at))
