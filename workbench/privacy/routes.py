"""Ways in which private statistics of the same records add up: basic, advanced and zCDP, exact and rounded upwards.

Basic: the epsilons and deltas are added. Advanced: pure statistics cost Σ ε_i·tanh(ε_i/2) + √(2 ln(1/δ) Σ ε_i²) at δ
(Kairouz, Oh and Viswanath 2015, unequal epsilons). zCDP: a pure ε is ε²/2, the ρ are added, and the sum is converted
once, tightly. "√k·ε" is no bound at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil

from workbench.privacy.intervals import Enclosures
from workbench.privacy.zcdp import epsilon_of, pure_within, rho_of_pure, rho_within

_EXACT = Enclosures(128)
_PLACES = 10**12
_PARTS = 10**6  # to which the factor of the advanced route is found
_MOST_FACTOR = 64

Shares = tuple[Fraction, ...]


class Route(StrEnum):
    """How the costs of several statistics are added up."""

    BASIC = "basic"
    ADVANCED = "advanced"
    ZCDP = "zCDP"


@dataclass(frozen=True)
class Spending:
    """What one statistic may spend. With a ρ, delta is the plan's own and is spent once, by all together."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    rho: Fraction | None = None


def basic(epsilons: Sequence[Fraction]) -> Fraction:
    """The sum: true for every δ, also for 0."""
    return sum(epsilons, Fraction(0))


def advanced(epsilons: Sequence[Fraction], delta: Fraction) -> Fraction:
    """The advanced bound in full, rounded up."""
    drift = _EXACT.of(0)
    for epsilon in epsilons:
        decay = _EXACT.exp_minus(_EXACT.of(epsilon))
        drift = drift + epsilon * ((1 - decay) / (1 + decay))
    squares = sum((epsilon * epsilon for epsilon in epsilons), Fraction(0))
    total = drift + _EXACT.sqrt(-2 * squares * _EXACT.log(delta))
    return Fraction(ceil(total.ends[1] * _PLACES), _PLACES)


def by_zcdp(epsilons: Sequence[Fraction], delta: Fraction) -> Fraction:
    """Through ρ = Σ ε_i²/2 and the tight conversion, rounded up."""
    return epsilon_of(sum((rho_of_pure(epsilon) for epsilon in epsilons), Fraction(0)), delta)


def totals(epsilons: Sequence[Fraction], delta: Fraction) -> dict[Route, Fraction]:
    """What pure statistics cost together, by every route that a δ allows; the smallest of them is true."""
    if delta == 0:
        return {Route.BASIC: basic(epsilons)}
    return {
        Route.BASIC: basic(epsilons),
        Route.ADVANCED: advanced(epsilons, delta),
        Route.ZCDP: by_zcdp(epsilons, delta),
    }


@lru_cache(maxsize=4096)
def spendings(route: Route, epsilon: Fraction, delta: Fraction, shares: Shares) -> tuple[Spending, ...]:
    """A budget divided so that, by this route, the statistics cost at most (ε, δ) together."""
    return _DIVISIONS[route](epsilon, delta, shares)


def _divided_plainly(epsilon: Fraction, delta: Fraction, shares: Shares) -> tuple[Spending, ...]:
    return tuple(Spending(epsilon * share, delta * share) for share in shares)


def _divided_for_advanced(epsilon: Fraction, delta: Fraction, shares: Shares) -> tuple[Spending, ...]:
    """Every share of ε times the largest factor with which the advanced bound still holds."""
    low, high = 0, _MOST_FACTOR * _PARTS
    while high - low > 1:
        middle = (low + high) // 2
        parts = [Fraction(middle, _PARTS) * epsilon * share for share in shares]
        low, high = (middle, high) if advanced(parts, delta) <= epsilon else (low, middle)
    return tuple(Spending(Fraction(low, _PARTS) * epsilon * share) for share in shares)


def _divided_as_rho(epsilon: Fraction, delta: Fraction, shares: Shares) -> tuple[Spending, ...]:
    """Shares of ρ; a pure mechanism may spend the ε that costs as much."""
    rho = rho_within(epsilon, delta)
    return tuple(Spending(pure_within(rho * share), delta, rho * share) for share in shares)


_DIVISIONS = {
    Route.BASIC: _divided_plainly,
    Route.ADVANCED: _divided_for_advanced,
    Route.ZCDP: _divided_as_rho,
}
