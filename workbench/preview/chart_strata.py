"""The chart of accuracy by cell size: one row per range of sizes, one mark per statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.preview.chart_look import (
    LIGHT,
    Palette,
    axis_title,
    draw_frame,
    draw_watermark,
    new_figure,
    points,
    series_mark,
    words,
)
from workbench.preview.strata import Strata, Stratum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEAST_SPAN = 0.2
_KEY_NAMES = 3
_LONGEST_NAME = 15


def strata_figure(strata: Strata, palette: Palette = LIGHT, goal: float | None = None, watermark: str = "") -> Figure:
    """Shares of cells within target by size; the goal is a line where it is such a share."""
    figure = new_figure(palette, 380, 132)
    axes = figure.add_subplot()
    _draw_axes(axes, strata, palette, goal)
    for place, row in enumerate(strata.rows):
        _draw_row(axes, row, place, palette)
    if goal is not None:
        axes.axvline(goal, color=palette.text, linewidth=points(1.8), zorder=2)
    if len(strata.statistics) > 1:
        _draw_key(axes, strata, palette)
    draw_watermark(axes, palette, strata.source, watermark)
    return figure


def strata_table(strata: Strata) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart's data as headings and rows."""
    headings = ("Cell size", "Of all cells", *strata.statistics)
    rows = [
        (f"{row.title} {strata.unit}", f"{100 * row.part:.0f} %", *(f"{100 * share:.1f} %" for share in row.shares))
        for row in strata.rows
    ]
    return headings, rows


def _draw_axes(axes: Axes, strata: Strata, palette: Palette, goal: float | None) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    lowest = min([1 - _LEAST_SPAN, goal or 1.0, *(share for row in strata.rows for share in row.shares)])
    span = 1 - lowest
    axes.set_xlim(max(lowest - 0.06 * span, -0.02), 1 + 0.14 * span)
    axes.set_ylim(len(strata.rows) - 0.4, -0.6)
    axes.set_yticks(range(len(strata.rows)), [_row_title(row, strata.unit) for row in strata.rows])
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %" if value <= 1.0001 else ""))
    axes.set_xlabel("Cells within target", **axis_title(palette))
    draw_frame(axes, palette, grid="x")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, labelcolor=palette.text)


def _row_title(row: Stratum, unit: str) -> str:
    return f"{row.title} {unit} ({100 * row.part:.0f} %)"


def _draw_row(axes: Axes, row: Stratum, place: int, palette: Palette) -> None:
    axes.plot([min(row.shares, default=1), max(row.shares, default=1)], [place, place], color=palette.axis, linewidth=1)
    for at, share in reversed(list(enumerate(row.shares))):
        axes.plot([share], [place], linestyle="", zorder=3 + (at == 0), clip_on=False, **series_mark(palette, at))
    if len(row.shares) == 1:
        axes.annotate(
            f"{100 * row.shares[0]:.0f} %", (row.shares[0], place), xytext=(8, 0), textcoords="offset points",
            va="center", **words(palette, bold=True),
        )  # fmt: skip


def _draw_key(axes: Axes, strata: Strata, palette: Palette) -> None:
    from matplotlib.lines import Line2D

    names = [_short(name) for name in strata.statistics[:_KEY_NAMES]]
    marks = [Line2D([], [], linestyle="", **series_mark(palette, at)) for at in range(len(names))]
    axes.figure.legend(
        marks, names, loc="outside upper center", ncols=_KEY_NAMES, frameon=False, handletextpad=0.3, columnspacing=1,
        labelcolor=palette.text, prop={"family": list(palette.fonts), "size": points(11, palette)},
    )  # fmt: skip


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
