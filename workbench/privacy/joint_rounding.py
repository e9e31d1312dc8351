"""Exact rounding of vectors with multivariate Student's t noise whose scale may depend on the data.

With independent normal deviates g and h, scale · g · √ν / |h| is multivariate t for h of ν entries. Columns may have
weights, by which their entries are scaled besides. The deviates are known to as many digits as it takes to decide the
nearest whole number of every entry, so that the result is the rounded real-valued vector and rounding is
post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.exact_normal import WORD_BITS, Digits, Normal, Words, draw_normal
from workbench.privacy.intervals import Enclosures, Interval
from workbench.privacy.rounding import LIMIT, Scales

Integers = NDArray[np.int64]


def draw_joint_rounded(
    degrees: int,
    centers: Integers,
    scales: Scales | Sequence[Fraction],
    words: Words,
    weights: Sequence[Fraction] | None = None,
) -> Integers:
    """One noisy vector for each row of centers, with one scale for each row and one weight for each column."""
    digits = Digits(words)
    columns = weights or [Fraction(1)] * centers.shape[1]
    drawn = [
        _rounded_vector(degrees, [scales[row] * weight for weight in columns], digits) for row in range(len(centers))
    ]
    noisy = centers + np.array(drawn, dtype=np.int64).reshape(centers.shape)
    return np.asarray(np.clip(noisy, -LIMIT, LIMIT), dtype=np.int64)


def _rounded_vector(degrees: int, scales: list[Fraction], digits: Digits) -> list[int]:
    entries = [draw_normal(digits) for _ in scales]
    radius = [draw_normal(digits) for _ in range(degrees)]
    bits = 2 * WORD_BITS
    while (whole := _whole_numbers(entries, radius, scales, bits)) is None:
        bits += WORD_BITS
    return whole


def _whole_numbers(entries: list[Normal], radius: list[Normal], scales: list[Fraction], bits: int) -> list[int] | None:
    """The nearest whole numbers, or None when so many bits do not decide one of them."""
    exact = Enclosures(bits)
    squares = (one * one for one in (deviate.enclosure(bits) for deviate in radius))
    length = exact.sqrt(sum(squares, exact.of(0)) / len(radius))
    if length.low <= 0:
        return None
    ends = [_rounded(scale * one.enclosure(bits) / length) for one, scale in zip(entries, scales, strict=True)]
    return [low for low, _ in ends] if all(low == high for low, high in ends) else None


def _rounded(value: Interval) -> tuple[int, int]:
    half = 1 << (value.bits - 1)
    low, high = ((end + half) >> value.bits for end in (value.low, value.high))
    return min(max(low, -LIMIT), LIMIT), min(max(high, -LIMIT), LIMIT)
