"""A mechanism that does not fit: which condition fails, and the smallest epsilon that would do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

_DIGITS = 3


@dataclass(frozen=True)
class Unfit:
    """The condition that fails, in one sentence; `smallest_epsilon` is None when no epsilon would do."""

    reason: str
    smallest_epsilon: Fraction | None = None


def readable_above(value: Fraction) -> Fraction:
    """The next number above with three digits, to print where anything larger than `value` would do."""
    unit = Fraction(1)
    while 0 < value < unit * 10 ** (_DIGITS - 1):
        unit /= 10
    return (value // unit + 1) * unit


NEEDS_DELTA = Unfit("It needs a δ above 0, which the plan does not give.")

TOO_LITTLE = Unfit("Its ε is so small that no noise of this kind would do: give the statistic a larger share.")
