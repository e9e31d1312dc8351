"""The chart of a margin: between which limits the true number lies, given the published one."""

from __future__ import annotations

from io import BytesIO
from math import ceil, log10
from typing import TYPE_CHECKING

import numpy as np

from workbench.release.release import PublishedTable
from workbench.report.words import REHEARSAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ACCENT, _BAND, _MUTED, _AXIS, _LINES, _REHEARSAL = "#12436D", "#D6DFE7", "#52606D", "#808D9B", "#E3E8ED", "#5B4A8A"
_LEAST_DECADES = 3
_DOTS_PER_INCH = 200
_LINE_NAMES = ((6, "upper limit", "normal"), (-3, "published", "bold"), (-12, "lower limit", "normal"))


def figure_points(table: PublishedTable) -> tuple[int, ...]:
    """Published numbers to draw and to list: powers of ten until the margin is small beside them."""
    assert table.margin is not None
    decades = max(_LEAST_DECADES, ceil(log10(100 * table.margin + 1)))
    return tuple(10**power for power in range(decades + 1))


def margin_chart(table: PublishedTable, is_rehearsal: bool) -> bytes:
    """A PNG picture; the same table gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    assert table.margin is not None
    # The font that comes with matplotlib, so that every machine draws the same picture.
    with rc_context({"font.family": "DejaVu Sans", "font.size": 8}):
        figure = Figure(figsize=(8, 2.9), facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.085, 0.16, 0.79, 0.8))
        _draw_limits(axes, table.margin, figure_points(table)[-1])
        _draw_frame(axes, table.unit, figure_points(table)[-1])
        if is_rehearsal:
            _draw_watermark(axes)
        picture = BytesIO()
        figure.savefig(picture, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
    return picture.getvalue()


def _draw_limits(axes: Axes, margin: int, most: int) -> None:
    published = np.geomspace(1, most, 400)
    lower, upper = np.maximum(published - margin, 1e-9), published + margin
    axes.fill_between(published, lower, upper, color=_BAND, linewidth=0)
    for limit in (lower, upper):
        axes.plot(published, limit, color=_ACCENT, linewidth=1, linestyle=(0, (5, 2)))
    axes.plot(published, published, color=_ACCENT, linewidth=1.8)
    for offset, words, weight in _LINE_NAMES:
        axes.annotate(
            words, (most, most), (6, offset), textcoords="offset points", annotation_clip=False,
            color=_ACCENT, fontweight=weight, fontsize=7.5,
        )  # fmt: skip


def _draw_frame(axes: Axes, unit: str, most: int) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(1, most)
    axes.set_ylim(1, most * 1.35)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axis.set_minor_locator(NullLocator())
    of_unit = f" of {unit}" if unit.isascii() else ""  # the chart's font does not know every script
    axes.set_xlabel(f"Published number{of_unit} (log scale)", color=_MUTED, parse_math=False)
    axes.set_ylabel(f"True number{of_unit} (log scale)", color=_MUTED, parse_math=False)
    axes.tick_params(colors=_AXIS, labelcolor=_MUTED, labelsize=7.5)
    axes.grid(True, axis="y", color=_LINES, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_AXIS)


def _draw_watermark(axes: Axes) -> None:
    axes.text(
        0.5, 0.5, REHEARSAL, transform=axes.transAxes, rotation=18, ha="center", va="center",
        fontsize=34, fontweight="bold", color=_REHEARSAL, alpha=0.14, zorder=0,
    )  # fmt: skip
