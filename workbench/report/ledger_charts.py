"""Charts of the ledger as matplotlib figures: what remains of an account, and what was entered when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from workbench.ledger.entries import Entry, EntryKind
from workbench.plan.amounts import exact_text
from workbench.preview.chart_look import (
    LIGHT,
    Palette,
    axis_title,
    draw_frame,
    new_figure,
    points,
    series_colour,
    words,
)
from workbench.report.ledger_facts import KIND_WORDS, Step, entry_time, kinds_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = dict(zip(KIND_WORDS, "|_>^dDoPsv<*hHX", strict=True))
_MOST_LABELS = 12
_LEAST_DAYS = 2.0
_SECONDS_A_DAY = 86400


def remaining_figure(steps: Sequence[Step], palette: Palette = LIGHT, planned: Fraction = Fraction(0)) -> Figure:
    """What remains, as steps downward; a plan that is not released yet is dashed."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(palette, 380, 140)
    axes = figure.add_subplot()
    draw_frame(axes, palette)
    left = [float(step.remaining) for step in steps]
    end = _fit_time(axes, [step.time for step in steps])
    line = [*(_day(step.time) for step in steps), end], [*left, left[-1]]
    axes.plot(*line, drawstyle="steps-post", color=series_colour(palette, 0), linewidth=points(2.8))
    _draw_draws(axes, [step for step in steps if step.entry.kind is EntryKind.DRAW], palette)
    if planned > 0:
        _draw_planned(axes, end, steps[-1].remaining, planned, palette)
    axes.set_ylim(0, 1.15 * max(*left, 1e-9))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.set_ylabel("epsilon left", **axis_title(palette))
    return figure


def timeline_figure(entries: Sequence[Entry], palette: Palette = LIGHT) -> Figure:
    """A row for each kind of entry that occurs, a mark for each entry."""
    figure = new_figure(palette, 380, 140)
    axes = figure.add_subplot()
    draw_frame(axes, palette)
    _fit_time(axes, [entry_time(entry) for entry in entries])
    kinds = kinds_in(entries)
    for row, kind in enumerate(kinds):
        days = [_day(entry_time(entry)) for entry in entries if entry.kind is kind]
        look: dict[str, Any] = {"markersize": points(9, palette), "markeredgewidth": 1.6, "clip_on": False, "zorder": 3}
        axes.plot(days, [row] * len(days), linestyle="", marker=_MARKS[kind], color=_colour(kind, row, palette), **look)
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    axes.set_yticks(range(len(kinds)), [KIND_WORDS[kind] for kind in kinds])
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, labelcolor=palette.text)
    return figure


def _colour(kind: EntryKind, row: int, palette: Palette) -> str:
    """Draws in the first colour, refusals in that of what is blocked, the others in turn."""
    chosen = {EntryKind.DRAW: series_colour(palette, 0), EntryKind.REFUSE: palette.block}
    return chosen.get(kind, series_colour(palette, 1 + row % (len(palette.series) - 1)))


def _day(time: datetime) -> float:
    """A moment as matplotlib counts: days since 1970."""
    return time.timestamp() / _SECONDS_A_DAY


def _fit_time(axes: Axes, times: Sequence[datetime]) -> float:
    """Make the axis a little longer than its entries, and say where the newest line may end."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    first, last = _day(min(times)), _day(max(times))
    span = max(last - first, _LEAST_DAYS)
    axes.set_xlim(first - span * 0.06, last + span * 0.25)
    locator = AutoDateLocator(minticks=3, maxticks=6)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, show_offset=False))  # type: ignore[no-untyped-call]
    return last + span * 0.12


def _draw_draws(axes: Axes, draws: Sequence[Step], palette: Palette) -> None:
    """A dot for each draw; where they are few, each says what it cost."""
    for step in draws:
        dot = _day(step.time), float(step.remaining)
        axes.plot(*dot, "o", color=series_colour(palette, 0), markersize=points(8, palette))
        if len(draws) <= _MOST_LABELS:
            cost = f"−{exact_text(step.entry.epsilon)}"
            axes.annotate(cost, dot, xytext=(4, 4), textcoords="offset points", in_layout=False, **words(palette))


def _draw_planned(axes: Axes, end: float, left: Fraction, planned: Fraction, palette: Palette) -> None:
    fits = planned <= left
    after = float(max(left - planned, Fraction(0)))
    colour = series_colour(palette, 1) if fits else palette.block
    axes.plot([end, end], [float(left), after], color=colour, linestyle=(0, (4, 3)), linewidth=points(2.4))
    look: dict[str, Any] = {"markersize": points(8, palette), "clip_on": False, "zorder": 4}
    axes.plot(end, after, "s" if fits else "X", color=colour, markerfacecolor=palette.panel if fits else colour, **look)
    axes.annotate(
        f"this plan: {exact_text(planned)}" if fits else "this plan would not fit", (end, after), xytext=(-8, 4),
        textcoords="offset points", ha="right", in_layout=False,
        **words(palette, palette.text if fits else palette.block, bold=not fits),
    )  # fmt: skip
