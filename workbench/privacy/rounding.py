"""Exact rounding to public grids: noisy values whose scale depends on the data, and logarithms on a lattice.

A drawn value is the true value plus scale · η, rounded to the nearest grid point, as if computed with real numbers:
P(g) = F((g + grid/2 - c) / s) - F((g - grid/2 - c) / s) for every grid point g. Float64 proposes the grid point and
proves its choice with two-sided bounds; what it cannot prove is decided with enclosures and further random bits, as
many as it takes. Because every decision is the exact one, rounding is post-processing: what holds for the mechanism on
real numbers holds for its output, and scales stay the exact rationals they are, with nothing added for their rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.distributions import TAIL_ERROR, Distribution, Floats
from workbench.privacy.intervals import Enclosures

Integers = NDArray[np.int64]
Words = Callable[[int], NDArray[np.uint64]]  # so many independent uniform words of 64 bits

# Centers and results beyond so many grid units are set to this public limit. Clipping a center never widens the step
# between two data sets, and clipping a result is post-processing.
LIMIT = 2**61

_WORD_BITS = 64
_TAIL_BITS = _WORD_BITS - 1  # the last bit of a word is the sign
_MOST_STEPS = 2 * LIMIT  # from any center this reaches beyond the limit
_FAST_STEPS = 2.0**53  # floats name every step up to here
_FAST_SPREADS = (2.0**-200, 2.0**200)  # scales in grid units with which no float operation over- or underflows
_SPARE_BITS = 16  # by which an enclosure is finer than what is known of a uniform number
_FINE_BITS = 56  # of logarithms before they are rounded to the lattice
_FINE_ERROR = 4  # a fine logarithm and the fine logarithm of α's numerator are off by less than 2 and 1/2
_MOST_LATTICE_BITS = 48
_BLOCK = 1 << 14  # draws at a time: their arrays stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Scales:
    """Exact scales that are whole multiples of one unit, such as max(p·x, q) of k/q for k·max(α·x, 1) with α = p/q."""

    multiples: Integers
    unit: Fraction

    def __len__(self) -> int:
        return len(self.multiples)

    def __getitem__(self, index: int) -> Fraction:
        return int(self.multiples[index]) * self.unit


def draw_rounded(
    distribution: Distribution,
    centers: Integers | Sequence[int | Fraction],
    scales: Scales | Sequence[Fraction],
    grid: Fraction,
    words: Words,
) -> Integers:
    """One noisy value for each center; centers and results count grid units, scales and the grid share one unit."""
    whole, to_upper, to_lower = _nearest_points(centers)
    spread = _in_grid_units(scales, grid)
    if len(spread) != len(whole):
        raise ValueError("every center needs one scale")
    drawn = words(len(whole))
    sign = 1 - 2 * (drawn & np.uint64(1)).astype(np.int64)
    depth = drawn >> np.uint64(1)
    steps, is_sure = _propose_all(distribution, depth, np.where(sign > 0, to_upper, to_lower), spread)
    for i in np.flatnonzero(~is_sure).tolist():
        lean = _within_limit(centers[i]) - int(whole[i])
        cells = _Cells(distribution, Fraction(1, 2) - int(sign[i]) * lean, scales[i] / grid)
        steps[i] = _decide(cells, int(steps[i]), _LazyUniform(int(depth[i]), words))
    return np.clip(whole + sign * steps, -LIMIT, LIMIT)


def _nearest_points(centers: Integers | Sequence[int | Fraction]) -> tuple[Integers, Floats, Floats]:
    """The grid point nearest to each center, and how far from the center its cell ends above and below."""
    if isinstance(centers, np.ndarray) and centers.dtype.kind == "i":
        half = np.full(len(centers), 0.5)
        return np.clip(centers.astype(np.int64), -LIMIT, LIMIT), half, half
    exact = [_within_limit(center) for center in centers]
    whole = [math.floor(center + Fraction(1, 2)) for center in exact]
    lean = [center - point for center, point in zip(exact, whole, strict=True)]
    to_upper, to_lower = ([float(Fraction(1, 2) - side * part) for part in lean] for side in (1, -1))
    return np.array(whole, dtype=np.int64), np.array(to_upper), np.array(to_lower)


def _within_limit(center: int | Fraction) -> Fraction:
    exact = center if isinstance(center, Fraction) else Fraction(int(center))
    return min(max(exact, Fraction(-LIMIT)), Fraction(LIMIT))


def _in_grid_units(scales: Scales | Sequence[Fraction], grid: Fraction) -> Floats:
    """The scales in grid units, each off by at most 3u, relative."""
    if isinstance(scales, Scales):
        spread = float(scales.unit / grid) * scales.multiples.astype(np.float64)
    else:
        spread = np.array([float(scale / grid) for scale in scales], dtype=np.float64)
    if not (spread > 0).all():
        raise ValueError("every scale must be positive")
    return spread


def _propose_all(
    distribution: Distribution, depth: NDArray[np.uint64], first: Floats, spread: Floats
) -> tuple[Integers, NDArray[np.bool_]]:
    steps, is_sure = np.zeros(len(depth), dtype=np.int64), np.zeros(len(depth), dtype=np.bool_)
    for start in range(0, len(depth), _BLOCK):
        block = slice(start, start + _BLOCK)
        steps[block], is_sure[block] = _propose(distribution, depth[block], first[block], spread[block])
    return steps, is_sure


def _propose(
    distribution: Distribution, depth: NDArray[np.uint64], first: Floats, spread: Floats
) -> tuple[Integers, NDArray[np.bool_]]:
    """How many cells from its center each draw lies, and whether that is proven.

    The magnitude |η| belongs to a uniform U = P(|η'| > |η|) between depth and depth + 1, in units of 2**-63. A draw is
    n cells away when (n - 1 + first) / spread <= |η| < (n + first) / spread, that is when U lies between the tails
    there. With u = 2**-53 these floats are off by 2u + 3u + u, as TAIL_ERROR presumes; the slack is for U itself, for
    its rounding and for that of the sums compared, 8u together where 5u are needed.
    """
    chance = depth.astype(np.float64) * 2.0**-_TAIL_BITS + 2.0 ** -(_TAIL_BITS + 1)
    slack = chance * 2.0**-50 + 2.0 ** -(_TAIL_BITS - 1)
    usable = np.clip(spread, *_FAST_SPREADS)
    steps = np.floor(np.minimum(distribution.tail_quantile(chance) * usable + (1 - first), _FAST_STEPS))
    inner, outer = np.maximum(steps - 1 + first, 0) / usable, (steps + first) / usable
    is_inside = distribution.fast_tail(outer) + TAIL_ERROR / np.maximum(outer, 1) + slack < chance
    is_outside = distribution.fast_tail(inner) - TAIL_ERROR / np.maximum(inner, 1) - slack > chance
    return steps.astype(np.int64), is_inside & (is_outside | (steps == 0)) & (usable == spread)


@dataclass(frozen=True)
class _Cells:
    """The cells of the grid on one side of a center: the first ends `first` grid units away, the others follow."""

    distribution: Distribution
    first: Fraction
    spread: Fraction

    def chance_beyond(self, steps: int, bits: int) -> tuple[Fraction, Fraction]:
        """An enclosure of the chance to be at least so many cells away."""
        return self.distribution.tail_ball((steps - 1 + self.first) / self.spread, bits)


class _LazyUniform:
    """A uniform number of which only the first bits are known; more are drawn when a comparison needs them."""

    def __init__(self, known: int, words: Words) -> None:
        self._known, self._bits, self._words = known, _TAIL_BITS, words

    def is_below(self, enclose: Callable[[int], tuple[Fraction, Fraction]]) -> bool:
        while True:
            low, high = enclose(self._bits + _SPARE_BITS)
            if self._known + 1 <= low * 2**self._bits:
                return True
            if self._known >= high * 2**self._bits:
                return False
            self._known = self._known << _WORD_BITS | int(self._words(1)[0])
            self._bits += _WORD_BITS


def _decide(cells: _Cells, guess: int, uniform: _LazyUniform) -> int:
    """How many cells away the draw lies, exactly: search around the guess in doubling strides, then halve."""

    def reaches(steps: int) -> bool:
        return steps <= 0 or (steps <= _MOST_STEPS and uniform.is_below(partial(cells.chance_beyond, steps)))

    low, high, stride = guess, guess + 1, 1
    while not reaches(low):
        low, high, stride = max(0, low - stride), low, 2 * stride
    while reaches(high):
        low, high, stride = high, high + stride, 2 * stride
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reaches(middle) else (low, middle)
    return low


def log_lattice(counts: Integers, alpha: Fraction, bits: int = 40) -> Integers:
    """2**bits · ln(n + 1/α) for counts n >= 0, rounded exactly to the nearest whole number."""
    if bits > _MOST_LATTICE_BITS or (counts < 0).any():
        raise ValueError("the lattice takes counts, and at most 2**48 points for each factor of e")
    offset, factor = alpha.denominator, alpha.numerator
    is_small = counts <= (2**62 - offset) // factor
    fine = _fine_logs(np.where(is_small, counts, 0) * factor + offset) - _rounded_log(Fraction(factor), _FINE_BITS)
    unit = 1 << (_FINE_BITS - bits)
    lattice, rest = np.divmod(fine + unit // 2, unit)
    is_sure = is_small & (rest >= _FINE_ERROR) & (rest < unit - _FINE_ERROR)
    for i in np.flatnonzero(~is_sure).tolist():
        lattice[i] = _rounded_log(int(counts[i]) + 1 / alpha, bits)
    return lattice


def lattice_sensitivity(alpha: Fraction, bits: int = 40) -> int:
    """How far one step moves a count on the lattice at most: 2**bits · ln(1 + α), rounded up, and one to spare.

    For n' <= (1 + α)n + 1 the logarithm grows by at most ln(1 + α), and rounding to the nearest whole number moves
    with whole shifts, so that the bound rounded up already holds.
    """
    return _whole_log(1 + alpha, bits, math.ceil) + 1


def _fine_logs(numbers: Integers) -> Integers:
    """2**56 · ln N for 1 <= N <= 2**62, off by less than 2.

    N = lead · 2**shift · (1 + rest) with a lead of at most eight bits and rest < 1/127: two entries of tables, each off
    by at most 1/2, and eight terms of ln(1 + rest), which leave out less than 2**-9 and round by less than
    7 · 2**-53 · 2**56 / 127 < 0.5, rounded once more to a whole number. Numbers below 2**56 · 45 fit in 64 bits.
    """
    leads, shifts = _fine_log_tables()
    shift = np.maximum(np.frexp(numbers.astype(np.float64))[1].astype(np.int64) - 8, 0)
    lead = numbers >> shift
    base = lead << shift
    rest = (numbers - base) / base
    series = np.full(len(numbers), 1 / 8)
    for k in range(7, 0, -1):
        series = 1 / k - rest * series
    fine: Integers = leads[lead] + shifts[shift] + np.rint(rest * series * 2.0**_FINE_BITS).astype(np.int64)
    return fine


@lru_cache(maxsize=1)
def _fine_log_tables() -> tuple[Integers, Integers]:
    """2**56 · ln N for N below 257 (no entry for 0), and 2**56 · ln 2**k for k below 56."""
    leads = [0, *(_rounded_log(Fraction(lead), _FINE_BITS) for lead in range(1, 257))]
    shifts = [_rounded_log(Fraction(2**shift), _FINE_BITS) for shift in range(56)]
    return np.array(leads, dtype=np.int64), np.array(shifts, dtype=np.int64)


def _rounded_log(x: Fraction, bits: int) -> int:
    return _whole_log(x, bits, lambda value: math.floor(value + Fraction(1, 2)))


def _whole_log(x: Fraction, bits: int, to_whole: Callable[[Fraction], int]) -> int:
    """2**bits · ln x made whole, at whatever precision decides it; ln x is irrational but for ln 1 = 0."""
    precision = bits + 32
    while True:
        low, high = (to_whole(end * 2**bits) for end in Enclosures(precision).log(x).ends)
        if low == high:
            return low
        precision *= 2
