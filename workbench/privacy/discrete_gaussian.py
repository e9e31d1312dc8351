"""The distribution of discrete Gaussian noise and of sums of it, for margins, expected errors and audits."""

from __future__ import annotations

from functools import lru_cache
from math import exp, pi, sqrt

import numpy as np

from workbench.privacy.error_law import Floats
from workbench.privacy.magnitude import Magnitude, from_masses
from workbench.privacy.normal import normal_cdf

# From this standard deviation on, discrete normal noise is taken for normal noise, rounded so that margins only widen.
_SMOOTH_FROM = 1024.0
_REACH = 10.0  # standard deviations beyond which a float knows no probability


@lru_cache(maxsize=4096)
def gaussian_magnitude(sd: float, terms: int = 1) -> Magnitude:
    """For `terms` independent draws with P(z) proportional to exp(-z² / (2 sd²))."""
    spread = sd * sqrt(terms)
    if spread < _SMOOTH_FROM:
        return from_masses(_sum(sd, terms))
    places = np.arange(int(_REACH * _SMOOTH_FROM) + 1) / _SMOOTH_FROM
    return Magnitude(1 - 2 * normal_cdf(-places), spread * sqrt(2 / pi), spread / _SMOOTH_FROM)


def discrete_excess(shift: Floats, sd: float, epsilon: float) -> Floats:
    """The delta that two such noises need at an epsilon, a whole number `shift` apart.

    The one exceeds e^ε times the other beyond ε·sd²/shift - shift/2, as seen from its own center.
    """
    turn = np.where(shift > 0, epsilon * sd**2 / np.where(shift > 0, shift, 1), np.inf)
    return _beyond(turn - shift / 2, sd) - exp(epsilon) * _beyond(turn + shift / 2, sd)


def _beyond(distance: Floats, sd: float) -> Floats:
    """P(Z > distance)."""
    if sd >= _SMOOTH_FROM:
        return normal_cdf(-distance / sd)
    reach = int(np.ceil(_REACH * sd)) + 2
    mass = np.exp(-np.square(np.arange(-reach, reach + 1) / sd) / 2)
    tails = np.append(np.cumsum(mass[::-1])[::-1], 0) / mass.sum()
    return np.asarray(tails[np.clip(np.floor(distance) + 1, -reach, reach + 1).astype(np.int64) + reach])


def _sum(sd: float, terms: int) -> Floats:
    """The mass at 0, 1, 2, ...: the transform of one draw, to the power of the number of draws."""
    reach = int(np.ceil(_REACH * sd * sqrt(terms))) + 2
    size = 1 << int(np.ceil(np.log2(2 * reach)))
    places = np.minimum(np.arange(size), size - np.arange(size))
    one = np.exp(-np.square(places / sd) / 2)
    transform = np.fft.rfft(one / one.sum()).real
    return np.maximum(np.fft.irfft(transform**terms, size)[: size // 2], 0)
