"""The look all charts share: colours, text sizes, frame and watermark, from the palette they are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from workbench.preview.metrics import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DPI = 100


@dataclass(frozen=True)
class Palette:
    """The colours and fonts of a chart; the window passes its theme's, files use the light ones."""

    panel: str = "#FFFFFF"
    text: str = "#1B2733"
    muted: str = "#52606D"
    axis: str = "#808D9B"
    grid: str = "#E3E8ED"
    watermark: str = "#5B4A8A"
    block: str = "#A3122A"
    series: tuple[str, ...] = ("#12436D", "#28A197", "#801650", "#F46A25", "#3D3D3D", "#A285D1")
    fonts: tuple[str, ...] = ("DejaVu Sans",)
    scale: float = 1.0


LIGHT = Palette()

MARKS = ("D", "s", "^", "o", "v", "P")
DASHES = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)), (0, (1, 1.5)), (0, (8, 3)), (0, (3, 1)))
"""A series is told by colour, dash and mark together, never by colour alone."""

TICK, TITLE = 11, 11.5
"""Text sizes in pixels at 100 %."""


def points(pixels: float, palette: Palette = LIGHT) -> float:
    """A text size or mark given in pixels, in the points of a figure."""
    return pixels * palette.scale * 72 / _DPI


def new_figure(palette: Palette, width: float, height: float) -> Figure:
    """An empty figure of at least so many pixels, whose parts make room for each other."""
    from matplotlib.figure import Figure

    return Figure(
        figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor=palette.panel, layout="constrained"
    )  # fmt: skip


def draw_frame(axes: Axes, palette: Palette, grid: Literal["x", "y"] | None = "y") -> None:
    """Only left and bottom spine, the grid behind everything."""
    axes.set_facecolor(palette.panel)
    axes.tick_params(
        colors=palette.muted, labelsize=points(TICK, palette), labelfontfamily=list(palette.fonts), color=palette.axis
    )
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(palette.axis)
    axes.set_axisbelow(True)
    if grid is not None:
        axes.grid(True, axis=grid, color=palette.grid, linewidth=1)


def axis_title(palette: Palette) -> dict[str, Any]:
    """How the title of an axis is written."""
    return {"color": palette.muted, "fontsize": points(TITLE, palette), "fontfamily": list(palette.fonts)}


def words(palette: Palette, colour: str = "", size: float = TICK, bold: bool = False) -> dict[str, Any]:
    """How words inside a chart are written."""
    weight = "bold" if bold else "normal"
    look = {"color": colour or palette.text, "fontsize": points(size, palette), "fontfamily": list(palette.fonts)}
    return {**look, "fontweight": weight}


def draw_watermark(axes: Axes, palette: Palette, source: Source, watermark: str) -> None:
    """What looked at true cells says so whatever was asked for; anything else says what it was asked to."""
    is_secret = source is Source.CONFIDENTIAL
    said = "CONFIDENTIAL SOURCE\nnot for export" if is_secret else watermark
    if said:
        look = words(palette, palette.block if is_secret else palette.watermark, 25, bold=True)
        axes.text(
            0.5, 0.5, said, transform=axes.transAxes, rotation=18, ha="center", va="center", alpha=0.14, zorder=0,
            in_layout=False, **look,
        )  # fmt: skip


def series_colour(palette: Palette, at: int) -> str:
    return palette.series[at % len(palette.series)]


def series_mark(palette: Palette, at: int) -> dict[str, Any]:
    """The mark of a series: the first is filled, the others are hollow."""
    colour = series_colour(palette, at)
    return {
        "marker": MARKS[at % len(MARKS)],
        "markersize": points(7, palette),
        "markerfacecolor": colour if at == 0 else palette.panel,
        "markeredgecolor": colour,
        "markeredgewidth": 1.4,
    }


def line_look(palette: Palette, at: int) -> dict[str, Any]:
    """The line of a series with its mark: the first is the strongest."""
    width = points(2.8 if at == 0 else 1.8)
    look = {"color": series_colour(palette, at), "linestyle": DASHES[at % len(DASHES)], "linewidth": width}
    return look | series_mark(palette, at)
