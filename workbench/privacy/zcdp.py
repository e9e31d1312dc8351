"""Zero-concentrated privacy: what a ρ means as (ε, δ), by the tight conversion, never rounded in our favour.

For every order a > 1, ρ-zCDP implies (ε, δ) with δ = e^((a-1)(aρ-ε)) (1-1/a)^a / (a-1). The best order is found in
floats; what is said about it is computed with enclosures, so that a poor order could only cost accuracy.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt, log

import numpy as np

from workbench.privacy.error_law import Floats
from workbench.privacy.intervals import Enclosures, Interval

CONVERSION = "δ = min over a > 1 of e^((a-1)(aρ-ε)) (1-1/a)^a / (a-1)"

_EXACT = Enclosures(192)
_PLACES = 10**15
_FEW_PLACES = 10**6
_ORDERS = 1 + np.exp(np.linspace(-8, 24, 8001))  # among which the best order for a conversion is found


@lru_cache(maxsize=1024)
def rho_within(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest ρ, rounded down, of which ρ-zCDP implies (ε, δ)."""
    rhos = (float(epsilon) + _log_terms(float(delta)) / (_ORDERS - 1)) / _ORDERS
    order = Fraction(_ORDERS[np.argmax(rhos)])
    rho = ((epsilon + _exact_log_terms(order, delta) / (order - 1)) / order).ends[0]
    return Fraction(floor(rho * _PLACES), _PLACES)


@lru_cache(maxsize=1024)
def epsilon_of(rho: Fraction, delta: Fraction) -> Fraction:
    """The smallest ε, rounded up, for which ρ-zCDP implies (ε, δ)."""
    epsilons = _ORDERS * float(rho) - _log_terms(float(delta)) / (_ORDERS - 1)
    order = Fraction(_ORDERS[np.argmin(epsilons)])
    epsilon = (order * rho - _exact_log_terms(order, delta) / (order - 1)).ends[1]
    return max(Fraction(ceil(epsilon * _PLACES), _PLACES), Fraction(0))


def rho_of_pure(epsilon: Fraction) -> Fraction:
    """A pure ε is ε²/2-zCDP."""
    return epsilon * epsilon / 2


def pure_within(rho: Fraction) -> Fraction:
    """The largest pure ε, to six places, that costs at most ρ."""
    return Fraction(isqrt(floor(2 * rho * _FEW_PLACES**2)), _FEW_PLACES)


def _log_terms(delta: float) -> Floats:
    logs = log(delta) + np.log(_ORDERS - 1) - _ORDERS * np.log1p(-1 / _ORDERS)
    return np.asarray(logs, dtype=np.float64)


def _exact_log_terms(order: Fraction, delta: Fraction) -> Interval:
    return _EXACT.log(delta) + _EXACT.log(order - 1) - order * _EXACT.log(1 - 1 / order)
