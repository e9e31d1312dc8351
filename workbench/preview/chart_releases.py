"""The chart of 25 releases that might be: a dot each, and the ranges most of them lie in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from workbench.plan.units import of_unit
from workbench.preview.chart_look import (
    LIGHT,
    Palette,
    draw_frame,
    draw_watermark,
    new_figure,
    points,
    series_colour,
    words,
)
from workbench.preview.hypothetical import Hypothetical

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 22
_TALLEST = 8
_BESIDE = 0.3
_LEAST_PIXELS = 190
_LEAST_SPAN = 10
_SHADES = (1.0, 0.62, 0.3)


def releases_figure(releases: Hypothetical, palette: Palette = LIGHT, watermark: str = "") -> Figure:
    """Dots stacked over the published number, the 50, 80 and 95 % ranges below, and sampling alone for comparison."""
    figure = new_figure(palette, 380, 132)
    dots, bars = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1))
    _draw_dots(dots, releases, palette)
    _draw_bars(bars, releases, palette)
    draw_watermark(dots, palette, releases.source, watermark)
    return figure


def releases_table(releases: Hypothetical) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart's data as headings and rows."""
    counted = Counter(releases.outcomes)
    rows: list[tuple[str, ...]] = [
        (f"{one:,} {of_unit(one, releases.unit)}", str(counted[one])) for one in sorted(counted)
    ]
    ranges: list[tuple[str, ...]] = [
        (f"{100 * share:.0f} % lie in", f"{low:,} to {high:,}") for share, low, high in releases.ranges
    ]
    return ("Published number", "Of 25 releases"), rows + ranges


def _draw_dots(axes: Axes, releases: Hypothetical, palette: Palette) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = _span(releases)
    width = ceil((high - low) / _COLUMNS) | 1  # odd, so that the middle column stands over the cell
    places = _places(releases, width)
    tallest = max(height for _, height in places)
    across = _LEAST_PIXELS * _BESIDE * width / (high - low)
    axes.set_xlim(low, high)
    axes.set_ylim(0, max(tallest, 6) + 2.2)
    axes.plot(
        *zip(*places, strict=True), "o", color=series_colour(palette, 0), zorder=3,
        markersize=points(min(9, 62 / max(tallest, 6), max(across, 4.5)), palette),
    )  # fmt: skip
    axes.axvline(releases.size, color=palette.text, linewidth=points(1.6), zorder=2)
    axes.annotate(
        f"assumed {releases.size:,}", (releases.size, 1), xycoords=("data", "axes fraction"), xytext=(5, -1),
        textcoords="offset points", va="top", **words(palette, bold=True),
    )  # fmt: skip
    draw_frame(axes, palette, grid=None)
    axes.spines["left"].set_visible(False)
    axes.yaxis.set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.tick_params(axis="x", labelbottom=True)


def _draw_bars(axes: Axes, releases: Hypothetical, palette: Palette) -> None:
    colour = series_colour(palette, 0)
    for (_, low, high), shade in reversed(list(zip(releases.ranges, _SHADES, strict=True))):
        axes.barh([0], [max(high - low, 0.25)], left=low, height=0.62, color=palette.panel, linewidth=0)
        axes.barh([0], [max(high - low, 0.25)], left=low, height=0.62, color=colour, alpha=shade, linewidth=0)
    axes.plot([releases.size] * 2, [0.72, 1.28], color=palette.muted, linewidth=points(2.4))
    confidence, low, high = releases.ranges[-1]
    for row, said in ((0, f"{low:,}–{high:,} ({100 * confidence:.0f} %)"), (1, "none: full register")):
        axes.annotate(
            said, (1, row), xycoords=("axes fraction", "data"), xytext=(4, 0), textcoords="offset points", va="center",
            **words(palette, palette.text if row == 0 else palette.muted),
        )  # fmt: skip
    axes.set_ylim(1.5, -0.5)
    axes.set_yticks((0, 1), ("with privacy noise", "sampling only"))
    draw_frame(axes, palette, grid=None)
    axes.tick_params(axis="both", length=0, labelbottom=False)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def _span(releases: Hypothetical) -> tuple[float, float]:
    """Room for every dot, and never so little that single units look like great differences."""
    low, high = min(releases.outcomes), max(releases.outcomes)
    short = max(_LEAST_SPAN - (high - low), 0) / 2
    margin = 0.04 * (high - low) + 0.5
    return low - short - margin, high + short + margin


def _places(releases: Hypothetical, width: int) -> list[tuple[float, float]]:
    """Where each dot stands: stacked over its number, several abreast where a stack would grow too tall."""
    stacks = Counter((outcome - releases.size + width // 2) // width for outcome in releases.outcomes)
    abreast = ceil(max(stacks.values()) / _TALLEST)
    return [
        place
        for stack, dots in stacks.items()
        for place in _stacked(releases.size + stack * width, dots, abreast, width)
    ]


def _stacked(centre: float, dots: int, abreast: int, width: int) -> Iterator[tuple[float, float]]:
    for dot in range(dots):
        level, at = divmod(dot, abreast)
        in_level = min(abreast, dots - level * abreast)
        yield centre + (at - (in_level - 1) / 2) * _BESIDE * width, level + 0.5
