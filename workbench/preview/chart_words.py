"""The accuracy chart in words: its data as a table, its values with their unit, and a text instead of the picture."""

from __future__ import annotations

from math import isnan

from workbench.plan.amounts import exact_text
from workbench.plan.units import of_unit
from workbench.preview.curves import AccuracyCurve, AccuracyLine
from workbench.preview.metrics import Metric


def curve_table(curve: AccuracyCurve) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart's data as headings and rows."""
    headings = ("ε of the plan", *(f"{line.table}: {line.mechanism}" for line in curve.lines))
    rows = [
        (exact_text(epsilon), *(shown_value(curve, line.values[at], 1, line.unit) for line in curve.lines))
        for at, epsilon in enumerate(curve.epsilons)
    ]
    return headings, rows


def shown_value(curve: AccuracyCurve, value: float, places: int = 0, unit: str | None = None) -> str:
    """A value of the metric with its unit, to so many places where it has any."""
    if isnan(value):
        return "nothing fits"
    if is_share(curve):
        return f"{100 * value:.{places}f} %"
    digits = places if curve.metric is Metric.MARGIN else max(places, 1)
    unit = unit or curve.unit
    return f"{value:,.{digits}f} {unit}" if value % 1 else f"{value:,.0f} {of_unit(value, unit)}"


def alt_text(curve: AccuracyCurve, goal: float | None = None) -> str:
    """The chart in words, for those who do not see it."""
    ends = "; ".join(
        f"{line.table}, {line.statistic}: {_at_end(curve, line, 0)}, {_at_end(curve, line, -1)}" for line in curve.lines
    )
    wanted = "" if goal is None else f" The target is {shown_value(curve, goal)}."
    return f"{curve.metric.heading} against epsilon, {curve.source_words}. {ends}.{wanted}"


def _at_end(curve: AccuracyCurve, line: AccuracyLine, end: int) -> str:
    return f"{shown_value(curve, line.values[end], unit=line.unit)} at ε = {exact_text(curve.epsilons[end])}"


def is_share(curve: AccuracyCurve) -> bool:
    """Whether the metric is read in per cent."""
    return curve.metric in (Metric.SHARE_WITHIN, Metric.RELATIVE)
