"""The key of the accuracy chart: a sample of each line, its name, and its value at the present epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.plan.amounts import exact_text
from workbench.preview.chart_look import Palette, line_look, points, words
from workbench.preview.chart_words import shown_value
from workbench.preview.curves import AccuracyCurve, AccuracyLine

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Transform

_ROWS, _TOP, _STEP = 6, 34, 34
"""How many lines are named, and where in pixels."""

_LONGEST_NAME, _LONGEST_ROW = 22, 34


def draw_key(key: Axes, curve: AccuracyCurve, palette: Palette) -> None:
    """Fill the axes of the key."""
    key.set_axis_off()
    key.set_xlim(0, 1)
    now = curve.epsilon_now
    _write(key, 0, 8, "Statistic", palette, colour=palette.muted)
    _write(key, 1, 8, f"at ε = {exact_text(now)}" if now else "", palette, colour=palette.muted)
    key.plot([0, 1], [1, 1], color=palette.grid, linewidth=1, transform=_lowered(key, 20, palette), clip_on=False)
    for at, line in enumerate(curve.lines[:_ROWS]):
        _draw_row(key, curve, line, at, palette)
    if len(curve.lines) > _ROWS:
        more = f"and {len(curve.lines) - _ROWS} more in the data table"
        _write(key, 0, _TOP + _ROWS * _STEP, more, palette, colour=palette.muted)


def _draw_row(key: Axes, curve: AccuracyCurve, line: AccuracyLine, at: int, palette: Palette) -> None:
    down = _TOP + at * _STEP
    sample: dict[str, Any] = {"transform": _lowered(key, down + 7, palette), "clip_on": False} | line_look(palette, at)
    key.plot([0, 0.055, 0.11], [1] * 3, markevery=[1], **sample)
    _write(key, 0.145, down, _shortened(line.table, _LONGEST_NAME), palette, bold=at == 0)
    value = "" if line.now is None else shown_value(curve, line.now, unit=line.unit)
    what = _shortened(f"{line.statistic}, {line.mechanism}", _LONGEST_ROW - len(value))
    _write(key, 0.145, down + 14, what, palette, colour=palette.muted)
    _write(key, 1, down + 14, value, palette, bold=at == 0)


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _write(key: Axes, across: float, down: float, text: str, palette: Palette, **look: Any) -> None:
    side = "right" if across == 1 else "left"
    place = _lowered(key, down, palette)
    key.text(across, 1, text, transform=place, ha=side, va="center", in_layout=False, **words(palette, **look))


def _lowered(key: Axes, down: float, palette: Palette) -> Transform:
    """Places in the key: across as a part of its width, down in pixels, so that rows never close up."""
    from matplotlib.transforms import ScaledTranslation

    return key.transAxes + ScaledTranslation(0, -points(down, palette) / 72, key.figure.dpi_scale_trans)
