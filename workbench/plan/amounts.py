"""Exact numbers from decimal text: budgets, shares, bounds and alpha are never floats."""

from __future__ import annotations

import re
from fractions import Fraction

_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_RATIO = re.compile(r"[+-]?[0-9]+/[1-9][0-9]*")


def parse_exact(text: str) -> Fraction:
    """The exact value of decimal text such as "0.1" or a ratio such as "2/3"; ValueError for anything else."""
    text = text.strip()
    if not (_DECIMAL.fullmatch(text) or _RATIO.fullmatch(text)):
        raise ValueError(f"“{text[:40]}” is not a number")
    return Fraction(text)


def exact_text(value: Fraction) -> str:
    """The shortest text that `parse_exact` reads back as the same value."""
    twos, fives, rest = _powers(value.denominator)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    if places == 0:
        return str(value.numerator)
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}d}"
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _powers(number: int) -> tuple[int, int, int]:
    """How often 2 and 5 divide a denominator, and what is left."""
    counts = []
    for prime in (2, 5):
        count = 0
        while number % prime == 0:
            number, count = number // prime, count + 1
        counts.append(count)
    return counts[0], counts[1], number
