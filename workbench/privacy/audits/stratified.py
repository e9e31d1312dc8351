"""Noise without chance: draws from the middles of equal strata, so that a sampler's distribution shows exactly.

Feeding a sampler stratified uniforms gives every outcome as often as its chance says, but for the last one.
It protects nothing, and a live release refuses it.
"""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.audits.laws import gaussian_steps
from workbench.privacy.error_law import Floats
from workbench.privacy.noise import Integers

_TABLE_UP_TO = 1000  # standard deviations for which quantiles are looked up
_HALF = np.uint64(2**62)


class StratifiedNoise:
    """A source that deals out quantiles in order."""

    is_for_release = False

    def order_key(self) -> str:
        return "stratified"

    def words(self, count: int) -> NDArray[np.uint64]:
        """Middles of strata of 63 bits, first all upward and then all downward; the last bit of a word is a sign."""
        strata = np.uint64((count + 1) // 2)
        place = np.arange(count, dtype=np.uint64)
        middle = (2 * (place % strata) + np.uint64(1)) * (_HALF // strata)
        return middle << np.uint64(1) | (place >= strata).astype(np.uint64)

    def discrete_laplace(self, scale: Fraction, count: int) -> Integers:
        """The smallest z with P(Z <= z) of at least each chance."""
        chance = _middles(count)
        tail = np.minimum(chance, 1 - chance)
        reach = -float(scale) * (np.log(tail) + np.log1p(np.exp(-1 / float(scale))))
        size = np.maximum(np.ceil(reach) - 1, 0).astype(np.int64)
        return np.asarray(np.where(chance < 0.5, -size, size), dtype=np.int64)

    def discrete_gaussian(self, sd: Fraction, count: int) -> Integers:
        spread = float(sd)
        if spread > _TABLE_UP_TO:
            drawn = [round(spread * NormalDist().inv_cdf(chance)) for chance in _middles(count)]
            return np.array(drawn, dtype=np.int64)
        places = np.arange(-int(12 * spread) - 2, int(12 * spread) + 3)
        found = np.searchsorted(gaussian_steps(spread, places.astype(np.float64)), _middles(count))
        return np.asarray(places[np.minimum(found, len(places) - 1)], dtype=np.int64)

    def choice(self, scores: Integers, scale: Fraction) -> int:
        """One choice has no strata: it is the best one."""
        return int(np.argmax(scores))


def _middles(count: int) -> Floats:
    return (np.arange(count) + 0.5) / count
