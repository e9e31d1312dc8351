"""Two arithmetics for one formula: float64 whose rounding errors can be counted, and enclosures of any precision.

A formula written once as `f(x, arithmetic)` runs fast with `FLOATS` and provably with `Enclosures(bits)`. Both know
sums, products, quotients, square roots, odd power series and e^-x, and nothing else. `FLOATS` therefore rests on the
five operations that IEEE 754 rounds correctly on every machine (one array at a time, so never fused) and not on the
accuracy of a system's own functions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

Number = Any  # an array of float64 under FLOATS, an Interval under Enclosures


class Arithmetic(Protocol):
    """What a formula may use besides + - * /."""

    @property
    def halvings(self) -> int:
        """How often an angle is halved before its series is summed."""

    @property
    def pi(self) -> Number:
        """π."""

    def of(self, value: Fraction | int) -> Number:
        """An exact number in this arithmetic."""

    def sqrt(self, x: Number) -> Number:
        """The square root of a number that is not negative."""

    def odd_series(self, square: Number) -> Number:
        """1 + x²/3 + x⁴/5 + ..., for small x² of either sign: artanh(x) / x, or arctan(|x|) / |x|."""

    def exp_minus(self, x: Number) -> Number:
        """e^-x of a number that is not negative."""


def angle(y: Number, x: Number, arithmetic: Arithmetic) -> Number:
    """The angle of the point (x, y) with x >= 0 and y > 0, without cancellation: tan(a/2) = y / (|(x, y)| + x)."""
    return 2 * _inverse_tangent(y / (arithmetic.sqrt(x * x + y * y) + x), -1, arithmetic)


def artanh(x: Number, arithmetic: Arithmetic) -> Number:
    """The inverse hyperbolic tangent of 0 <= x <= 0.71."""
    return _inverse_tangent(x, 1, arithmetic)


def _inverse_tangent(x: Number, sign: int, arithmetic: Arithmetic) -> Number:
    """arctan for sign -1, artanh for +1: halve the argument a few times, then sum the series."""
    for _ in range(arithmetic.halvings):
        x = x / (1 + arithmetic.sqrt(1 - sign * (x * x)))
    return 2**arithmetic.halvings * (x * arithmetic.odd_series(sign * (x * x)))


class FloatArithmetic:
    """float64 arrays.

    With u = 2**-53 and the relative error of the arguments left out of account (no step magnifies it for arctan, and
    artanh up to 0.71 magnifies it by at most 1.61):
    a halving costs at most 3.2u, after two of them x² <= 0.0471, where twelve terms of the odd series leave out less
    than 0.05u and Horner's rule rounds by less than 1.2u: `angle` costs 4u + 2 · 3.2u + 2.3u < 13u, `artanh` 9u.
    `exp_minus`: n·ln2 is removed exactly but for 0.4u, fourteen terms leave out less than 0.06u, and Horner's rule
    rounds by less than 2.5u: 3u together.
    """

    halvings = 2
    pi = math.pi
    _odd_terms = tuple(1 / (2 * k + 1) for k in range(12))
    _longest = 700.0  # e^-700 is still a normal number
    _ln2_high = float.fromhex("0x1.62e42feep-1")  # 32 bits: its product with n < 2**20 is exact
    _ln2_low = float.fromhex("0x1.a39ef35793c76p-33")

    def of(self, value: Fraction | int) -> float:
        return float(value)

    def sqrt(self, x: Number) -> Number:
        return np.sqrt(x)

    def odd_series(self, square: Number) -> Number:
        total = self._odd_terms[-1]
        for term in reversed(self._odd_terms[:-1]):
            total = total * square + term
        return total

    def exp_minus(self, x: Number) -> Number:
        x = np.minimum(x, self._longest)
        halves = np.rint(x / math.log(2))
        rest = (x - halves * self._ln2_high) - halves * self._ln2_low
        total = 1.0
        for k in range(13, 0, -1):
            total = 1 - rest / k * total
        return np.ldexp(total, -halves.astype(np.int32))


FLOATS = FloatArithmetic()


@dataclass(frozen=True)
class Interval:
    """All numbers from low / 2**bits to high / 2**bits; every operation rounds outward."""

    low: int
    high: int
    bits: int

    @classmethod
    def around(cls, value: Fraction | int, bits: int) -> Interval:
        numerator, denominator = value.as_integer_ratio()
        return cls((numerator << bits) // denominator, -((-numerator << bits) // denominator), bits)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.low, 1 << self.bits), Fraction(self.high, 1 << self.bits)

    def _alike(self, other: Interval | Fraction | int) -> Interval:
        if not isinstance(other, Interval):
            return Interval.around(other, self.bits)
        if other.bits != self.bits:
            raise ValueError("intervals of different precision do not mix")
        return other

    def __add__(self, other: Interval | Fraction | int) -> Interval:
        other = self._alike(other)
        return Interval(self.low + other.low, self.high + other.high, self.bits)

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.bits)

    def __sub__(self, other: Interval | Fraction | int) -> Interval:
        return self + -self._alike(other)

    def __rsub__(self, other: Interval | Fraction | int) -> Interval:
        return -self + other

    def __mul__(self, other: Interval | Fraction | int) -> Interval:
        other = self._alike(other)
        products = [mine * theirs for mine in (self.low, self.high) for theirs in (other.low, other.high)]
        return Interval(min(products) >> self.bits, -(-max(products) >> self.bits), self.bits)

    __rmul__ = __mul__

    def __truediv__(self, other: Interval | Fraction | int) -> Interval:
        """The quotient by a divisor that is surely positive."""
        other = self._alike(other)
        if other.low <= 0:
            raise ZeroDivisionError("the divisor may be zero at this precision")
        low = (self.low << self.bits) // (other.high if self.low >= 0 else other.low)
        high = -((-self.high << self.bits) // (other.low if self.high >= 0 else other.high))
        return Interval(low, high, self.bits)

    def __rtruediv__(self, other: Interval | Fraction | int) -> Interval:
        return self._alike(other) / self

    def spread_by(self, units: int) -> Interval:
        return Interval(self.low - units, self.high + units, self.bits)


@dataclass(frozen=True)
class Enclosures:
    """Intervals on multiples of 2**-bits."""

    bits: int

    @property
    def halvings(self) -> int:
        return 4 + math.isqrt(self.bits) // 2

    @property
    def pi(self) -> Interval:
        return _pi(self)

    def of(self, value: Fraction | int) -> Interval:
        return Interval.around(value, self.bits)

    def sqrt(self, x: Interval) -> Interval:
        return Interval(math.isqrt(x.low << self.bits), math.isqrt(x.high << self.bits) + 1, self.bits)

    def odd_series(self, square: Interval) -> Interval:
        """For |x²| <= 1/2 what is left out after a power is less than that power."""
        total = power = self.of(1)
        k = 0
        while _size(power) > 1:
            k += 1
            power = power * square
            total = total + power / (2 * k + 1)
        return total.spread_by(_size(power))

    def exp_minus(self, x: Interval) -> Interval:
        """(e^-(x / 2**k))**(2**k) by the alternating series, where what is left out is less than the next term."""
        if x.low > x.bits << x.bits:
            return Interval(0, 1, self.bits)
        halvings = max(0, x.high.bit_length() - self.bits) + 4 + math.isqrt(self.bits) // 2
        part = x / 2**halvings
        total = term = self.of(1)
        k = 0
        while _size(term) > 1:
            k += 1
            term = -term * part / k
            total = total + term
        total = total.spread_by(_size(term))
        for _ in range(halvings):
            total = total * total
        return total

    def log(self, x: Fraction | int) -> Interval:
        """ln x of a positive number: k·ln 2 + 2 artanh((m - 1) / (m + 1)) with x = m·2**k and 1/2 < m < 2."""
        numerator, denominator = x.as_integer_ratio()
        power = numerator.bit_length() - denominator.bit_length()
        mantissa = Fraction(numerator << max(0, -power), denominator << max(0, power))
        lean = (mantissa - 1) / (mantissa + 1)
        sign = -1 if lean < 0 else 1
        half: Interval = sign * artanh(self.of(abs(lean)), self) + power * artanh(self.of(Fraction(1, 3)), self)
        return 2 * half


@lru_cache(maxsize=64)
def _pi(exact: Enclosures) -> Interval:
    whole: Interval = 4 * angle(exact.of(1), exact.of(1), exact)
    return whole


def _size(x: Interval) -> int:
    return max(abs(x.low), abs(x.high))
