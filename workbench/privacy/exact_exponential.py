"""Exponential deviates without rounding: a whole part and binary digits drawn only when they are needed."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.privacy.exact_normal import Digits, Uniform
from workbench.privacy.intervals import Interval


@dataclass(frozen=True)
class Exponential:
    """One exact deviate: whole + fraction."""

    whole: int
    fraction: Uniform

    def enclosure(self, bits: int) -> Interval:
        """An interval of width 2**-bits that holds it."""
        low = (self.whole << bits) + self.fraction.leading(bits)
        return Interval(low, low + 1, bits)


def draw_exponential(digits: Digits) -> Exponential:
    """Von Neumann's algorithm: x > U1 > U2 > ... breaks after an even number of terms with chance e^-x.

    The chance that no x is kept is 1/e, so failures before the first success are the whole part.
    """
    whole = 0
    while True:
        x = Uniform(digits)
        if _falls_evenly(x, digits):
            return Exponential(whole, x)
        whole += 1


def _falls_evenly(x: Uniform, digits: Digits) -> bool:
    last, length = x, 0
    while (following := Uniform(digits)).is_below(last):
        last, length = following, length + 1
    return length % 2 == 0
