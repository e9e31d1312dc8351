"""The bounds on what an outsider can learn are the exact ones and are never rounded in our favour."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.privacy.odds import at_least_of_100, at_most_of_100, posterior, power
from workbench.privacy.precedents import precedents

CHANCES = st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100)
EPSILONS = st.fractions(Fraction(1, 100), 20, max_denominator=1000)


@pytest.mark.parametrize(
    ("prior", "epsilon", "most"),
    [("0.5", "2", 89), ("0.5", "1", 74), ("0.5", "0.1", 53), ("0.01", "2", 7), ("0.5", "20", 100), ("0.37", "0", 37)],
)
def test_the_belief_afterwards_is_rounded_up_to_whole_cases(prior: str, epsilon: str, most: int) -> None:
    assert at_most_of_100(posterior(Fraction(prior), Fraction(epsilon))) == most


def test_a_belief_can_fall_no_lower_than_the_mirrored_bound() -> None:
    assert at_least_of_100(posterior(Fraction("0.5"), Fraction("-2"))) == 11


@given(CHANCES, EPSILONS)
def test_the_odds_grow_by_exactly_e_to_the_epsilon(prior: Fraction, epsilon: Fraction) -> None:
    after = float(posterior(prior, epsilon))
    assert math.isclose(after, float(prior) * math.exp(epsilon) / (float(prior) * math.expm1(epsilon) + 1))
    assert prior < posterior(prior, epsilon) < 1


@given(CHANCES, EPSILONS)
def test_up_and_down_are_mirror_images(prior: Fraction, epsilon: Fraction) -> None:
    risen, fallen = posterior(prior, epsilon), posterior(1 - prior, -epsilon)
    assert math.isclose(risen + fallen, 1)


@pytest.mark.parametrize(("level", "epsilon", "most"), [("0.05", "1", 14), ("0.05", "2", 37), ("0.2", "4", 99)])
def test_detection_is_bounded_for_a_given_rate_of_false_alarms(level: str, epsilon: str, most: int) -> None:
    assert at_most_of_100(power(Fraction(level), Fraction(epsilon))) == most


@given(CHANCES, EPSILONS)
def test_a_test_is_never_perfect_and_never_worse_than_its_false_alarms(level: Fraction, epsilon: Fraction) -> None:
    best = float(power(level, epsilon))
    alarm, growth = float(level), math.exp(epsilon)
    assert alarm < best < 1
    assert best <= growth * alarm * (1 + 1e-12)
    assert 1 - alarm <= growth * (1 - best) * (1 + 1e-6)


def test_every_precedent_says_what_its_epsilon_is_per_and_what_it_claims() -> None:
    assert len(precedents()) == 4
    assert all(one.unit and one.epsilon and one.claim for one in precedents())
