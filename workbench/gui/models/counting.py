"""How many of what, in words: 24 places, 1 cell, one job record."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from workbench.gui.widgets import numbers
from workbench.plan.amounts import exact_text
from workbench.plan.units import of_unit, singular

NO_BREAK = "\N{NO-BREAK SPACE}"
PERCENT = f"{NO_BREAK}%"

_SHORT = 7
_PLURALS = ((r"(?<=[^aeiou])y$", "ies"), (r"(s|x|ch|sh)$", r"\1es"), (r"$", "s"))


def whole(number: int) -> str:
    """A whole number with the locale's thousands."""
    return numbers.shown(str(number))


def rounded(number: float, places: int = 1) -> str:
    """An estimate with so many places, in the locale."""
    return numbers.shown(f"{number:.{places}f}")


def estimate(number: float) -> str:
    """An expected error: as many places as say something, none for large ones."""
    places = 1 if number >= 0.1 or number == 0 else min(2 - math.floor(math.log10(number)), 9)
    return rounded(number, 0 if number >= 10 else places)


def exact(value: Fraction) -> str:
    """An exact amount, in the locale as far as it is a decimal."""
    return numbers.shown(exact_text(value))


def short(value: Fraction) -> str:
    """An amount for the eye: exact where that is short, else to four figures."""
    text = exact_text(value)
    return numbers.shown(text if len(text) <= _SHORT else f"{float(value):.4g}")


def percent(part: float | Fraction) -> str:
    """A part of one in whole per cent; what is almost all is never called 100, what is almost nothing never 0."""
    nearest = round(100 * part)
    if nearest == 100 and part < 1:
        return f"{rounded(math.floor(1000 * part) / 10)}{PERCENT}"
    return f"<{NO_BREAK}1{PERCENT}" if nearest == 0 and part > 0 else f"{whole(nearest)}{PERCENT}"


def many(number: int, noun: str) -> str:
    """A number of things called by a plain word; other names are counted in codes."""
    if not noun.isalpha():
        return f"{whole(number)} {noun} code{'s' * (number != 1)}"
    return f"{whole(number)} {noun if number == 1 else _inflected(noun, _PLURALS)}"


def with_unit(number: int, unit: str) -> str:
    """A whole number and what it counts: 1 job, 24 jobs."""
    return f"{whole(number)} {of_unit(number, unit)}"


def one_record(unit: str) -> str:
    """One record of the data by the plan's unit: jobs -> job record."""
    single = singular(unit)
    return single if single.endswith("record") else f"{single} record"


def _inflected(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    """The word changed by the first rule that fits."""
    return next((re.sub(ending, instead, word, count=1) for ending, instead in rules if re.search(ending, word)), word)
