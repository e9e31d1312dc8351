"""Conversions between ρ and (ε, δ): the tight formula, checked against high precision and never in our favour."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.privacy.zcdp import epsilon_of, pure_within, rho_of_pure, rho_within

TEN_BILLIONTH = Fraction("1e-10")
DELTAS = [Fraction("1e-4"), Fraction("1e-6"), TEN_BILLIONTH]

epsilons = st.fractions(min_value=Fraction(1, 1000), max_value=30, max_denominator=1000)
rhos = st.fractions(min_value=Fraction(1, 10_000), max_value=20, max_denominator=10_000)


def log_delta(rho: Fraction, epsilon: Fraction) -> mp.mpf:
    """min over a > 1 of (a-1)(aρ-ε) + a·ln(1-1/a) - ln(a-1), with forty digits; it is unimodal in ln(a-1)."""
    with mp.workdps(40):
        rho_, epsilon_ = (mp.mpf(x.numerator) / x.denominator for x in (rho, epsilon))

        def at(u: mp.mpf) -> mp.mpf:
            a = 1 + mp.exp(u)
            return (a - 1) * (a * rho_ - epsilon_) + a * mp.log(1 - 1 / a) - mp.log(a - 1)

        low, high = mp.mpf(-12), mp.mpf(30)
        golden = (mp.sqrt(5) - 1) / 2
        for _ in range(120):
            first, second = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, second) if at(first) < at(second) else (first, high)
        return at((low + high) / 2)


def test_the_check_value() -> None:
    assert float(epsilon_of(Fraction("2.5562"), TEN_BILLIONTH)) == pytest.approx(17.14, abs=0.005)
    assert float(rho_within(Fraction("17.1435"), TEN_BILLIONTH)) == pytest.approx(2.5562, abs=1e-4)


@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize(
    "epsilon", [Fraction("1e-5"), Fraction("0.01"), Fraction(1), Fraction(20), Fraction(500)], ids=str
)
def test_rho_is_allowed_and_hardly_more_would_be(epsilon: Fraction, delta: Fraction) -> None:
    rho = rho_within(epsilon, delta)
    assert rho > 0
    assert log_delta(rho, epsilon) <= mp.log(delta.numerator) - mp.log(delta.denominator)
    more = rho * (1 + Fraction(1, 1000)) + Fraction("2e-15")
    assert log_delta(more, epsilon) > mp.log(delta.numerator) - mp.log(delta.denominator)


@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("rho", [Fraction("1e-6"), Fraction("0.001"), Fraction(1), Fraction(40)], ids=str)
def test_epsilon_is_enough_and_hardly_less_would_be(rho: Fraction, delta: Fraction) -> None:
    epsilon = epsilon_of(rho, delta)
    assert log_delta(rho, epsilon) <= mp.log(delta.numerator) - mp.log(delta.denominator)
    less = epsilon * (1 - Fraction(1, 10_000))
    assert log_delta(rho, less) > mp.log(delta.numerator) - mp.log(delta.denominator)


def test_no_epsilon_is_below_zero() -> None:
    assert epsilon_of(Fraction("1e-9"), Fraction("1e-4")) == 0


@settings(deadline=None, max_examples=60)
@given(epsilons, st.sampled_from(DELTAS))
def test_there_and_back_never_gains(epsilon: Fraction, delta: Fraction) -> None:
    assert epsilon_of(rho_within(epsilon, delta), delta) <= epsilon + Fraction("1e-14")


@settings(deadline=None, max_examples=60)
@given(rhos, rhos, st.sampled_from(DELTAS))
def test_more_rho_is_more_epsilon(first: Fraction, second: Fraction, delta: Fraction) -> None:
    low, high = sorted((first, second))
    assert epsilon_of(low, delta) <= epsilon_of(high, delta)
    assert epsilon_of(low, DELTAS[0]) <= epsilon_of(low, DELTAS[-1])


@pytest.mark.parametrize("rho", ["0.01", "0.5", "2.5562", "10"])
def test_it_beats_the_common_conversion(rho: str) -> None:
    for delta in DELTAS:
        common = float(rho) + 2 * sqrt(float(rho) * log(1 / delta))
        assert 0.7 * common < float(epsilon_of(Fraction(rho), delta)) < common


@settings(deadline=None)
@given(st.fractions(min_value=Fraction(1, 10**6), max_value=50))
def test_a_pure_epsilon_of_the_same_cost_costs_no_more(rho: Fraction) -> None:
    epsilon = pure_within(rho)
    assert rho_of_pure(epsilon) <= rho
    assert rho_of_pure(epsilon + Fraction("1e-6")) > rho
