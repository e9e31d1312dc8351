"""How far published numbers are off, in as many words as may be said of them: a margin, a proportion, or an average."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

import numpy as np

from workbench.gui.models.counting import NO_BREAK, estimate, exact, percent, whole, with_unit
from workbench.plan.plan import Statistic, StatisticKind
from workbench.privacy.brief import Brief
from workbench.privacy.choose import Candidate
from workbench.privacy.composition import Allotment
from workbench.privacy.mechanism import Mechanism

CONFIDENCE = 0.95
_LARGE = 100  # from here on a margin is told in whole units

STAYS_INSIDE = (
    "Its margin follows the largest employer of each cell, so printing it would tell how large that one is. "
    "It stays in the building."
)
SAME_EVERYWHERE = "The margin is the same whatever the data are, so it may be printed beside every cell."
IN_PROPORTION = "The error is a proportion of the count, so each published number gets limits of its own."


@dataclass(frozen=True)
class CellError:
    """The error of one statistic in a cell of a given size, in its units, from public facts alone.

    `margin` is one public number for all cells; `nearly_all` is what the error stays within 95 times in 100 in a cell
    of this size; `is_public` tells whether anything of that may be printed beside a published number.
    """

    size: int
    value: float
    margin: Fraction | None
    nearly_all: float
    average: float
    is_public: bool

    @property
    def proportion(self) -> str:
        """± 12 %"""
        share = self.nearly_all / abs(self.value) if self.value else 0
        return f"±{NO_BREAK}{percent(share)}"


def error_of(part: Allotment | None, size: int | None = None) -> CellError | None:
    """The error in a cell of so many records, the typical one unless told; None while nothing would be drawn."""
    if part is None or part.brief is None or part.mechanism is None:
        return None
    return _cell_error(part.brief, part.mechanism, size or part.brief.typical_cell)


def _cell_error(brief: Brief, mechanism: Mechanism, size: int) -> CellError:
    counts = np.array([float(size)])
    law, step = mechanism.error(brief.sizes(counts)), float(brief.step)
    margin = mechanism.margin(CONFIDENCE)
    return CellError(
        size=size,
        value=float(brief.values(counts)[0]),
        margin=None if margin is None else margin * brief.step,
        nearly_all=float(law.quantile(CONFIDENCE)[0]) * step,
        average=float(law.expected[0]) * step,
        is_public=mechanism.publishes_margin,
    )


def released_by(part: Allotment, candidate: Candidate) -> Allotment:
    """The same statistic, released by another of its mechanisms."""
    brief = replace(part.brief, wanted=candidate.offer.name) if part.brief else None
    return replace(part, brief=brief)


def amount(value: Fraction | float) -> str:
    """A margin: exact while it is small, in whole units above, never rounded down."""
    return whole(ceil(value)) if value >= _LARGE or not isinstance(value, Fraction) else exact(value)


def in_unit(value: Fraction | float, statistic: Statistic, unit: str) -> str:
    """A margin and what it counts: 24 jobs; of a sum, 12,500 in earnings."""
    if statistic.measure:
        return f"{amount(value)} in {statistic.measure}"
    return with_unit(ceil(value), unit)


def average_in_unit(value: float, statistic: Statistic, unit: str) -> str:
    return f"{estimate(value)} in {statistic.measure}" if statistic.measure else f"{estimate(value)} {unit}"


def cell_of(error: CellError, unit: str) -> str:
    return f"a cell of {with_unit(error.size, unit)}"


def error_figures(part: Allotment | None, unit: str) -> tuple[str, str]:
    """The error as a figure and a short word beneath it, where a column says what it is."""
    error = error_of(part)
    if error is None or part is None:
        return "–", ""
    plain = part.statistic.measure is not None
    if error.margin is not None:
        shown = amount(error.margin) if plain else with_unit(int(error.margin), unit)
        return shown, f"{estimate(error.average)} on average"
    if error.is_public:
        return error.proportion, f"{amount(error.nearly_all)} of {with_unit(error.size, unit)}"
    return estimate(error.average) if plain else f"{estimate(error.average)} {unit}", "on average"


def error_lines(part: Allotment | None, unit: str) -> tuple[str, str]:
    """The error in two short lines that stand by themselves."""
    error, (figure, beneath) = error_of(part), error_figures(part, unit)
    if error is None:
        return figure, beneath
    if error.margin is not None:
        return f"at most {figure}", beneath
    return (f"{figure} of the count", beneath) if error.is_public else (f"{figure} {beneath}", "margin stays inside")


def error_sentence(part: Allotment, unit: str, size: int | None = None) -> str:
    """The error as a sentence for anyone, with **bold** parts; for a cell of a size where that matters."""
    error, statistic = error_of(part, size), part.statistic
    if error is None:
        return ""
    what, true = _what(statistic, unit)
    if error.margin is not None:
        most = in_unit(error.margin, statistic, unit)
        return f"With probability **95 %**, {what} in a cell differs from {true} by **at most {most}**."
    where = f"{what} in {cell_of(error, unit)}"
    if error.is_public:
        most = in_unit(error.nearly_all, statistic, unit)
        return (
            f"With probability **95 %**, {where} differs from {true} by **at most {most}**: "
            f"about **{error.proportion}** of the count."
        )
    return f"On average, {where} differs from {true} by **{average_in_unit(error.average, statistic, unit)}**."


def error_note(part: Allotment, unit: str, size: int | None = None) -> str:
    """What may be printed about the error, and why."""
    error = error_of(part, size)
    if error is None:
        return ""
    if not error.is_public:
        return STAYS_INSIDE
    average = f"On average it differs by {average_in_unit(error.average, part.statistic, unit)}."
    return f"{average} {SAME_EVERYWHERE if error.margin is not None else IN_PROPORTION}"


def _what(statistic: Statistic, unit: str) -> tuple[str, str]:
    if statistic.kind is StatisticKind.COUNT:
        return f"the published number of {unit}", "the true number"
    return f"the published {statistic.title}", f"the true {statistic.kind}"
