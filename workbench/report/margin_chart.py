"""The chart of the limits: between which numbers the true one lies, given the published one."""

from __future__ import annotations

from io import BytesIO
from math import ceil, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.privacy.error_law import Floats
from workbench.privacy.noise import Integers
from workbench.release.release import PublishedTable
from workbench.report import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ACCENT, _BAND, _MUTED, _AXIS, _LINES, _REHEARSAL = "#12436D", "#D6DFE7", "#52606D", "#808D9B", "#E3E8ED", "#5B4A8A"
_LEAST_DECADES, _MOST_DECADES = 3, 4
_POINTS = 400
_FEW_CELLS = 40  # below so many, each is marked
_DOTS_PER_INCH = 200
_LINE_NAMES = ((6, "upper limit", "normal"), (-3, "published", "bold"), (-12, "lower limit", "normal"))


class LimitsRow(NamedTuple):
    """A published number with its limits, in whole steps."""

    published: int
    lower: int
    upper: int


def has_figure(table: PublishedTable) -> bool:
    """Whether there is a publishable error to draw, and a number above zero to draw it beside."""
    return table.limits is not None and (table.margin is not None or bool((table.published > 0).any()))


def figure_rows(table: PublishedTable) -> tuple[LimitsRow, ...]:
    """Numbers to list: powers of ten until the margin is small beside them, or the table's own nearest to those."""
    if table.margin is not None:
        return tuple(_with_margin(table, point) for point in _powers(table.margin, words.is_count(table)))
    published, lower, upper = _own_limits(table)
    powers = [10**power for power in range(len(str(published[-1])) + 1)]
    nearest = sorted({int(np.abs(np.log(published / power)).argmin()) for power in powers})
    return tuple(LimitsRow(int(published[at]), int(lower[at]), int(upper[at])) for at in nearest)


def _with_margin(table: PublishedTable, point: int) -> LimitsRow:
    assert table.margin is not None
    lower = point - table.margin
    return LimitsRow(point, max(lower, 0) if table.is_never_negative else lower, point + table.margin)


def _powers(margin: int, is_count: bool) -> list[int]:
    highest = max(_LEAST_DECADES, ceil(log10(100 * margin + 1)))
    lowest = 0 if is_count else max(highest - _MOST_DECADES, 0)
    return [10**power for power in range(lowest, highest + 1)]


def _own_limits(table: PublishedTable) -> tuple[Integers, Integers, Integers]:
    """The different numbers above zero that a table holds, in order, with their limits."""
    assert table.limits is not None
    published, first = np.unique(table.published, return_index=True)
    is_drawn = published > 0
    return published[is_drawn], table.limits[0][first[is_drawn]], table.limits[1][first[is_drawn]]


def margin_chart(table: PublishedTable, is_rehearsal: bool) -> bytes:
    """A PNG picture; the same table gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # The font that comes with matplotlib, so that every machine draws the same picture.
    with rc_context({"font.family": "DejaVu Sans", "font.size": 8}):
        figure = Figure(figsize=(8, 2.9), facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.085, 0.16, 0.79, 0.8))
        curves = _curves(table)
        _draw_limits(axes, curves)
        _draw_frame(axes, table, float(curves[0][0]), float(curves[0][-1]))
        if is_rehearsal:
            _draw_watermark(axes)
        picture = BytesIO()
        figure.savefig(picture, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
    return picture.getvalue()


def _curves(table: PublishedTable) -> tuple[Floats, Floats, Floats]:
    """Published numbers with their limits, in units."""
    if table.margin is not None:
        rows = figure_rows(table)
        published = np.geomspace(rows[0].published, rows[-1].published, _POINTS)
        steps = (published, published - table.margin, published + table.margin)
    else:
        own = _own_limits(table)
        some = np.unique(np.linspace(0, len(own[0]) - 1, _POINTS).astype(np.int64))
        steps = (own[0][some].astype(np.float64), own[1][some].astype(np.float64), own[2][some].astype(np.float64))
    published, lower, upper = (each * float(table.step) for each in steps)
    return published, np.maximum(lower, 1e-9 * published[0]), upper


def _draw_limits(axes: Axes, curves: tuple[Floats, Floats, Floats]) -> None:
    published, lower, upper = curves
    mark = "." if len(published) < _FEW_CELLS else ""
    axes.fill_between(published, lower, upper, color=_BAND, linewidth=0)
    for limit in (lower, upper):
        axes.plot(published, limit, color=_ACCENT, linewidth=1, linestyle=(0, (5, 2)), marker=mark)
    axes.plot(published, published, color=_ACCENT, linewidth=1.8, marker=mark)
    for offset, name, weight in _LINE_NAMES:
        axes.annotate(
            name, (published[-1], published[-1]), (6, offset), textcoords="offset points", annotation_clip=False,
            color=_ACCENT, fontweight=weight, fontsize=7.5,
        )  # fmt: skip


def _draw_frame(axes: Axes, table: PublishedTable, least: float, most: float) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(least, most)
    axes.set_ylim(least, most * 1.35)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
        axis.set_minor_locator(NullLocator())
    # The chart's font does not know every script.
    what = words.quantity(table) if table.unit.isascii() else words.quantity(table).split()[0]
    axes.set_xlabel(f"Published {what} (log scale)", color=_MUTED, parse_math=False)
    axes.set_ylabel(f"True {what} (log scale)", color=_MUTED, parse_math=False)
    axes.tick_params(colors=_AXIS, labelcolor=_MUTED, labelsize=7.5)
    axes.grid(True, axis="y", color=_LINES, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_AXIS)


def _draw_watermark(axes: Axes) -> None:
    axes.text(
        0.5, 0.5, words.REHEARSAL, transform=axes.transAxes, rotation=18, ha="center", va="center",
        fontsize=34, fontweight="bold", color=_REHEARSAL, alpha=0.14, zorder=0,
    )  # fmt: skip
