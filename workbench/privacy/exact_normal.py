"""Normal deviates without rounding: each is a sign, a whole part and binary digits drawn only when they are needed.

Karney's algorithm accepts or rejects by comparing uniform numbers digit by digit, so no logarithm or exponential is
ever computed, and the digits not looked at stay uniform. Every statement about such a deviate can be decided exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.intervals import Interval

Words = Callable[[int], NDArray[np.uint64]]  # so many independent uniform words of 64 bits

WORD_BITS = 64

_BATCH = 1024


class Digits:
    """A stream of random words, drawn in batches."""

    def __init__(self, words: Words) -> None:
        self._words, self._ready = words, list[int]()

    def word(self) -> int:
        if not self._ready:
            self._ready = self._words(_BATCH).tolist()
        return self._ready.pop()

    def whole_below(self, limit: int) -> int:
        """A uniform whole number from 0 to limit - 1: words that would favour some of them are drawn again."""
        fair = (1 << WORD_BITS) // limit * limit
        drawn = self.word()
        while drawn >= fair:
            drawn = self.word()
        return drawn % limit


class Uniform:
    """A uniform number between 0 and 1 with as many binary digits as have been asked for."""

    __slots__ = ("_bits", "_digits", "_known")

    def __init__(self, digits: Digits) -> None:
        self._digits, self._known, self._bits = digits, digits.word(), WORD_BITS

    def leading(self, bits: int) -> int:
        """The first digits as a whole number; `bits` is a multiple of 64."""
        while self._bits < bits:
            self._known = self._known << WORD_BITS | self._digits.word()
            self._bits += WORD_BITS
        return self._known >> (self._bits - bits)

    def is_below(self, other: Uniform) -> bool:
        bits = WORD_BITS
        while self.leading(bits) == other.leading(bits):
            bits += WORD_BITS
        return self.leading(bits) < other.leading(bits)

    @property
    def is_below_half(self) -> bool:
        return not self.leading(WORD_BITS) >> (WORD_BITS - 1)


@dataclass(frozen=True)
class Normal:
    """One exact deviate: ±(whole + fraction)."""

    sign: int
    whole: int
    fraction: Uniform

    def enclosure(self, bits: int) -> Interval:
        """An interval of width 2**-bits that holds it."""
        low = (self.whole << bits) + self.fraction.leading(bits)
        return Interval(low, low + 1, bits) if self.sign > 0 else Interval(-low - 1, -low, bits)


def draw_normal(digits: Digits) -> Normal:
    """Karney's algorithm N: the density at k + x is e^(-k/2) · e^(-k(k-1)/2) · e^(-x(2k+x)/2), one factor at a time."""
    while True:
        k = _run_of_successes(digits)
        if not all(_half_exponential(digits) for _ in range(k * (k - 1))):
            continue
        x = Uniform(digits)
        if all(_step_exponential(k, x, digits) for _ in range(k + 1)):
            return Normal(1 - 2 * digits.whole_below(2), k, x)


def _run_of_successes(digits: Digits) -> int:
    """k with chance proportional to e^(-k/2)."""
    k = 0
    while _half_exponential(digits):
        k += 1
    return k


def _half_exponential(digits: Digits) -> bool:
    """True with chance e^(-1/2): 1/2 > U1 > U2 > ... goes on for n terms or more with chance (1/2)^n / n!."""
    last = Uniform(digits)
    if not last.is_below_half:
        return True
    length = 1
    while (following := Uniform(digits)).is_below(last):
        last, length = following, length + 1
    return length % 2 == 0


def _step_exponential(k: int, x: Uniform, digits: Digits) -> bool:
    """True with chance e^(-x(2k+x)/(2k+2)): as above below x, each term kept with chance (2k+x)/(2k+2)."""
    last, length = x, 0
    while (following := Uniform(digits)).is_below(last) and _is_kept(k, x, digits):
        last, length = following, length + 1
    return length % 2 == 0


def _is_kept(k: int, x: Uniform, digits: Digits) -> bool:
    """True with chance (2k + x) / (2k + 2)."""
    side = digits.whole_below(2 * k + 2)
    return side < 2 * k or (side == 2 * k and Uniform(digits).is_below(x))
