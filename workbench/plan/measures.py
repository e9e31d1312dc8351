"""The public grid on which a measure is added up: every value is clipped to its bounds and made whole steps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from workbench.data.schema import Column

_STEPS_WIDE = 100_000  # bounds are at least so many steps apart, and fewer than ten times as many


@dataclass(frozen=True)
class MeasureGrid:
    """A measure in whole steps, a power of ten each; it depends on the public bounds alone."""

    step: Fraction
    lower: int
    upper: int

    @property
    def reach(self) -> int:
        """The most one record can add to a sum, or take from it."""
        return max(abs(self.lower), abs(self.upper))

    @property
    def middle(self) -> Fraction:
        """The midpoint of the bounds, in steps."""
        return Fraction(self.lower + self.upper, 2)

    @property
    def half_width(self) -> Fraction:
        """The most a value can be away from the midpoint, in steps."""
        return Fraction(self.upper - self.lower, 2)


def measure_grid(column: Column) -> MeasureGrid | None:
    """The grid of a measure, or None while its bounds are not declared."""
    if column.lower is None or column.upper is None or column.lower >= column.upper:
        return None
    step = _power_of_ten_below((column.upper - column.lower) / _STEPS_WIDE)
    return MeasureGrid(step, _nearest(column.lower / step), _nearest(column.upper / step))


def _power_of_ten_below(value: Fraction) -> Fraction:
    """The largest power of ten that is not above a value."""
    power = Fraction(1)
    while power > value:
        power /= 10
    while 10 * power <= value:
        power *= 10
    return power


def _nearest(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))
