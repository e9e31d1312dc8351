"""Ways of adding up: each is sound against the exact composition, and budgets divided by them are never exceeded."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.privacy.routes import Route, advanced, basic, by_zcdp, spendings, totals
from workbench.privacy.zcdp import epsilon_of, rho_of_pure, rho_within

MILLIONTH = Fraction("1e-6")
DELTAS = [Fraction("1e-4"), MILLIONTH, Fraction("1e-10")]

weights = st.lists(st.integers(min_value=1, max_value=40), min_size=1, max_size=12)


def equal(parts: int) -> tuple[Fraction, ...]:
    return (Fraction(1, parts),) * parts


def exact_delta(count: int, each: float, together: float) -> mp.mpf:
    """The δ that `count` pure statistics can need: randomised answers, than which no pure mechanism tells more."""
    with mp.workdps(50):
        yes = mp.exp(each) / (1 + mp.exp(each))
        terms = (
            comb(count, right) * yes**right * (1 - yes) ** (count - right)
            * (1 - mp.exp(together - (2 * right - count) * mp.mpf(each)))
            for right in range(count + 1)
            if (2 * right - count) * each > together
        )  # fmt: skip
        return mp.fsum(terms)


@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("each", ["0.01", "0.1", "0.5", "2"])
@pytest.mark.parametrize("count", [1, 3, 30, 400])
def test_every_route_is_sound(count: int, each: str, delta: Fraction) -> None:
    costs = totals([Fraction(each)] * count, delta)
    assert set(costs) == set(Route)
    for cost in costs.values():
        assert exact_delta(count, float(each), float(cost)) <= float(delta)


def test_the_square_root_of_k_is_no_bound() -> None:
    """A hundred statistics of ε = 0.1 do not cost 1 together: the exact δ at 1 is 0.13."""
    needed = exact_delta(100, 0.1, 1.0)
    assert 0.1 < needed < 0.2
    assert min(totals([Fraction(1, 10)] * 100, MILLIONTH).values()) > 4


def test_check_values_and_who_wins() -> None:
    tenth = Fraction(1, 10)
    assert totals([tenth] * 4, MILLIONTH)[Route.BASIC] == Fraction("0.4")
    assert winner(4) is winner(10) is Route.BASIC
    assert winner(100) is winner(1000) is Route.ZCDP
    assert float(advanced([tenth] * 1000, MILLIONTH)) == pytest.approx(21.6184, abs=1e-4)
    assert float(by_zcdp([tenth] * 1000, MILLIONTH)) < 21.0
    assert totals([tenth] * 4, Fraction(0)) == {Route.BASIC: Fraction("0.4")}


def winner(count: int) -> Route:
    costs = totals([Fraction(1, 10)] * count, MILLIONTH)
    return min(costs, key=costs.__getitem__)


@pytest.mark.parametrize("epsilons", [["1"], ["0.1"] * 7, ["0.01", "0.5", "3"], ["1e-6"] * 3])
@pytest.mark.parametrize("delta", DELTAS, ids=str)
def test_the_advanced_bound_is_the_formula_rounded_up(epsilons: list[str], delta: Fraction) -> None:
    with mp.workdps(60):
        exact = [mp.mpf(Fraction(one).numerator) / Fraction(one).denominator for one in epsilons]
        drift = mp.fsum(one * mp.tanh(one / 2) for one in exact)
        spread = 2 * mp.log(mp.mpf(delta.denominator) / delta.numerator) * mp.fsum(one**2 for one in exact)
        formula = drift + mp.sqrt(spread)
        found = advanced([Fraction(one) for one in epsilons], delta)
        excess = mp.mpf(found.numerator) / found.denominator - formula
        assert 0 <= excess <= mp.mpf("1.1e-12")


@settings(deadline=None, max_examples=40)
@given(weights, st.sampled_from(DELTAS), st.fractions(min_value=Fraction(1, 100), max_value=10, max_denominator=100))
def test_divided_budgets_are_never_exceeded(parts: list[int], delta: Fraction, epsilon: Fraction) -> None:
    shares = tuple(Fraction(part, sum(parts)) for part in parts)
    plain = spendings(Route.BASIC, epsilon, delta, shares)
    assert basic([one.epsilon for one in plain]) == epsilon
    assert sum(one.delta for one in plain) == delta
    further = spendings(Route.ADVANCED, epsilon, delta, shares)
    assert advanced([one.epsilon for one in further], delta) <= epsilon
    assert all(one.delta == 0 and one.rho is None for one in further)
    as_rho = spendings(Route.ZCDP, epsilon, delta, shares)
    assert sum(one.rho or 0 for one in as_rho) == rho_within(epsilon, delta)
    assert all(one.rho and rho_of_pure(one.epsilon) <= one.rho and one.delta == delta for one in as_rho)
    assert by_zcdp([one.epsilon for one in as_rho], delta) <= epsilon + Fraction("1e-14")


@pytest.mark.parametrize("count", [1, 5, 50, 500])
def test_divided_budgets_are_used_up(count: int) -> None:
    further = spendings(Route.ADVANCED, Fraction(2), MILLIONTH, equal(count))
    assert float(advanced([one.epsilon for one in further], MILLIONTH)) == pytest.approx(2, rel=1e-4)
    as_rho = spendings(Route.ZCDP, Fraction(2), MILLIONTH, equal(count))
    assert float(epsilon_of(sum((one.rho or Fraction(0) for one in as_rho), Fraction(0)), MILLIONTH)) == pytest.approx(
        2
    )


def test_more_statistics_leave_less_for_each() -> None:
    for route in Route:
        each = [spendings(route, Fraction(1), MILLIONTH, equal(count))[0].epsilon for count in (1, 2, 8, 64)]
        assert each == sorted(each, reverse=True)
    few, many = (
        {route: spendings(route, Fraction(1), MILLIONTH, equal(n))[0].epsilon for route in Route} for n in (3, 300)
    )
    assert max(few, key=few.__getitem__) is Route.BASIC
    assert max(many, key=many.__getitem__) is Route.ZCDP


@settings(deadline=None, max_examples=40)
@given(st.lists(st.fractions(min_value=Fraction(1, 1000), max_value=3, max_denominator=1000), min_size=1, max_size=8))
def test_another_statistic_always_costs_more(epsilons: list[Fraction]) -> None:
    for route, cost in totals(epsilons, MILLIONTH).items():
        assert totals([*epsilons, Fraction(1, 100)], MILLIONTH)[route] > cost
