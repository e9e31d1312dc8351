"""Exact rounding of vectors with joint power-tail noise whose scale may depend on the data.

With independent exponential deviates e and g, ±e / (g1 + ... + gm) has the density (1 + |z1| + ... + |zd|)^-(m+d), up
to a constant. The deviates are known to as many digits as it takes to decide the nearest whole number of every entry,
so that the result is the rounded real-valued vector and rounding is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.exact_exponential import Exponential, draw_exponential
from workbench.privacy.exact_normal import WORD_BITS, Digits, Words
from workbench.privacy.intervals import Enclosures
from workbench.privacy.rounding import LIMIT, Scales

Integers = NDArray[np.int64]


def draw_power_rounded(power: int, centers: Integers, scales: Scales | Sequence[Fraction], words: Words) -> Integers:
    """One noisy vector for each row of centers, with one scale for each row."""
    digits = Digits(words)
    drawn = [_rounded_vector(power, centers.shape[1], scales[row], digits) for row in range(len(centers))]
    noisy = centers + np.array(drawn, dtype=np.int64).reshape(centers.shape)
    return np.asarray(np.clip(noisy, -LIMIT, LIMIT), dtype=np.int64)


def _rounded_vector(power: int, cells: int, scale: Fraction, digits: Digits) -> list[int]:
    signs = [1 - 2 * digits.whole_below(2) for _ in range(cells)]
    entries = [draw_exponential(digits) for _ in range(cells)]
    divisor = [draw_exponential(digits) for _ in range(power)]
    bits = 2 * WORD_BITS
    while (sizes := _whole_sizes(entries, divisor, scale, bits)) is None:
        bits += WORD_BITS
    return [sign * size for sign, size in zip(signs, sizes, strict=True)]


def _whole_sizes(
    entries: Sequence[Exponential], divisor: Sequence[Exponential], scale: Fraction, bits: int
) -> list[int] | None:
    """The nearest whole numbers, or None when so many bits do not decide one of them."""
    total = sum((one.enclosure(bits) for one in divisor), Enclosures(bits).of(0))
    if total.low <= 0:
        return None
    ends = [(scale * (one.enclosure(bits) / total)).ends for one in entries]
    whole = [tuple(min(_nearest(end), LIMIT) for end in pair) for pair in ends]
    return [low for low, _ in whole] if all(low == high for low, high in whole) else None


def _nearest(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
