"""The only module that draws randomness: the operating system's for releases, a seeded source for rehearsals."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_SMOOTH_FROM = 64  # rounding adds a 1/12 to the square of a standard deviation: 0.001 % of it here


def random_bytes(count: int) -> bytes:
    """Bytes from the operating system's generator, for keys, salts and rehearsal seeds."""
    return os.urandom(count)


def scale_upward(scale: Fraction) -> float:
    """The smallest float not below an exact scale: rounding may only add noise."""
    nearest = float(scale)
    return nearest if Fraction(nearest) >= scale else math.nextafter(nearest, math.inf)


class NoiseSource(Protocol):
    """Where a mechanism gets its noise; passed in, never reached for."""

    @property
    def is_for_release(self) -> bool:
        """Whether noise from here may protect a live release."""

    def order_key(self) -> str:
        """A fresh key for the order in which records beyond a contribution bound are dropped."""

    def words(self, count: int) -> NDArray[np.uint64]:
        """Independent uniform words of 64 bits, for samplers that decide exactly."""

    def discrete_laplace(self, scale: Fraction, count: int) -> Integers:
        """Independent integers with P(z) proportional to exp(-|z| / scale)."""

    def discrete_gaussian(self, sd: Fraction, count: int) -> Integers:
        """Independent integers with P(z) proportional to exp(-z² / (2 sd²))."""

    def choice(self, scores: Integers, scale: Fraction) -> int:
        """One index, with P(i) proportional to exp(scores[i] / scale)."""


class SystemNoise:
    """Exact samplers of OpenDP on the operating system's generator: the only source a live release accepts."""

    is_for_release = True

    def order_key(self) -> str:
        return random_bytes(16).hex()

    def words(self, count: int) -> NDArray[np.uint64]:
        return np.frombuffer(random_bytes(8 * count), dtype=np.uint64)

    def discrete_laplace(self, scale: Fraction, count: int) -> Integers:
        if count == 0:
            return np.zeros(0, dtype=np.int64)
        measurement = _opendp_laplace(scale_upward(scale))
        return np.asarray(measurement([0] * count), dtype=np.int64)

    def discrete_gaussian(self, sd: Fraction, count: int) -> Integers:
        if count == 0:
            return np.zeros(0, dtype=np.int64)
        measurement = _opendp_gaussian(scale_upward(sd))
        return np.asarray(measurement([0] * count), dtype=np.int64)

    def choice(self, scores: Integers, scale: Fraction) -> int:
        return int(_opendp_choice(scale_upward(scale))(scores.tolist()))


@lru_cache(maxsize=64)
def _opendp_laplace(scale: float) -> Any:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale=scale)


@lru_cache(maxsize=64)
def _opendp_gaussian(sd: float) -> Any:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64")
    return dp.m.make_gaussian(*space, scale=sd)


@lru_cache(maxsize=64)
def _opendp_choice(scale: float) -> Any:
    """The exponential mechanism. It is OpenDP's noisy maximum for zCDP; the one for pure privacy permutes and flips."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    return dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)


class RehearsalNoise:
    """A seeded source with the same distribution, so that a rehearsal can be repeated; a live release refuses it."""

    is_for_release = False

    def __init__(self, seed: int | None = None) -> None:
        self._draws = np.random.Generator(np.random.PCG64(seed))

    def order_key(self) -> str:
        return self._draws.bytes(16).hex()

    def words(self, count: int) -> NDArray[np.uint64]:
        return self._draws.integers(0, 2**64, size=count, dtype=np.uint64)

    def discrete_laplace(self, scale: Fraction, count: int) -> Integers:
        stop = -math.expm1(-1 / float(scale))
        first, second = self._draws.geometric(stop, size=(2, count))
        return np.asarray(first - second, dtype=np.int64)

    def discrete_gaussian(self, sd: Fraction, count: int) -> Integers:
        """Rounded normal draws, which from a certain spread on a rehearsal cannot tell from the discrete ones."""
        if sd >= _SMOOTH_FROM:
            return np.rint(self._draws.normal(0, float(sd), count)).astype(np.int64)
        places = np.arange(-10 * _SMOOTH_FROM, 10 * _SMOOTH_FROM + 1)
        weights = np.exp(-np.square(places / float(sd)) / 2)
        return np.asarray(self._draws.choice(places, count, p=weights / weights.sum()), dtype=np.int64)

    def choice(self, scores: Integers, scale: Fraction) -> int:
        """The largest of the scores after Gumbel noise, which has the same chances."""
        return int(np.argmax((scores - scores.max()) / float(scale) + self._draws.gumbel(size=len(scores))))
