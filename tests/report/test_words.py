"""The sentences promise no more than the guarantee holds."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_releases import released, tiny_plan

from workbench.plan.neighbors import Employer, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.noise import RehearsalNoise
from workbench.release.release import Mode, Release
from workbench.report import words
from workbench.report.keys import SigningKey, demo_key


def promise(epsilon: str, delta: str = "0") -> Guarantee:
    return Guarantee(Claim.PURE, Worker(), Fraction(epsilon), Fraction(delta))


@pytest.mark.parametrize(
    ("epsilon", "said"),
    [
        ("0.1", "at most 53 of 100"),
        ("1", "at most 74 of 100"),
        ("2", "at most 89 of 100"),
        ("8", "at most 9,997 of 10,000"),
    ],
)
def test_odds_are_said_in_whole_cases_rounded_up(epsilon: str, said: str) -> None:
    assert words.odds(promise(epsilon)).words == said


@given(st.decimals("0.0001", "40", places=4))
def test_odds_never_promise_more_than_epsilon_does_and_never_certainty(epsilon: object) -> None:
    odds = words.odds(promise(str(epsilon)))
    wrong = Fraction(1 / (1 + exp(float(str(epsilon)))))
    assert 0 < odds.wrong <= odds.of * wrong * Fraction(1_000_001, 1_000_000)
    assert odds.wrong + 1 >= odds.of * wrong * Fraction(999_999, 1_000_000)


def test_odds_count_delta_against_the_guarantee() -> None:
    assert words.odds(promise("1", "0.1")).right > words.odds(promise("1")).right
    assert words.odds(promise("1", "1")).wrong == 0


@pytest.mark.parametrize("neighbors", [Worker(), WorkerHistory(3), Employer(500), StrongAlpha(Fraction("0.1"))])
def test_every_protection_has_its_words(neighbors: words.Neighbors) -> None:
    assert words.secret(neighbors).startswith("whether ")
    assert words.contribution_sentence(neighbors)


def test_two_sizes_of_an_employer_are_one_step_apart() -> None:
    assert words.secret(StrongAlpha(Fraction("0.1"))) == "whether an employer has 1,000 or 1,100 workers"


@pytest.mark.parametrize("sensitivity", [1, 2])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_clamping_bias_is_what_drawing_shows(count: int, sensitivity: int) -> None:
    epsilon = Fraction(1, 2)
    noise = RehearsalNoise(7).discrete_laplace(sensitivity / epsilon, 400_000)
    seen = np.maximum(count + noise, 0).mean() - count
    assert words.clamping_bias(epsilon, sensitivity, count) == pytest.approx(seen, abs=0.025)


@pytest.mark.parametrize(("neighbors", "most"), [(WorkerHistory(3), "3"), (Employer(1500), "1,500")])
def test_what_was_left_out_is_told(neighbors: words.Neighbors, most: str) -> None:
    assert f"at most {most} records" in words.left_out_sentence(neighbors)
    assert words.left_out_sentence(Worker()) == ""


def test_epsilon_stands_with_everything_it_means(live: Release) -> None:
    facts = dict(words.guarantee_facts(live))
    assert facts["Claim"] == "Formal DP (pure), δ = 0"
    assert facts["Neighbours"] == "Two data sets are neighbours when one record is added or removed."
    assert facts["Epsilon of this release"].startswith("2 in all: 2 for table 1")
    assert facts["Epsilon for two steps"].startswith("4:")
    assert facts["This data set so far"].startswith("ε = 5.5 of 8 spent, 2.5 remaining")


def test_a_rehearsal_says_that_nothing_was_spent(rehearsal: Release) -> None:
    assert words.account_sentence(rehearsal) == "No budget was spent. A live release of this plan would spend ε = 2"
    assert words.ledger_sentence(rehearsal) == "No ledger entry was made."
    assert "2025" not in words.identity_sentence(rehearsal)


def test_the_number_of_signers_is_said(officers: tuple[SigningKey, SigningKey]) -> None:
    people = [key.public for key in officers]
    assert words.signed_sentence(people[:1]) == "Signed by one person; no second approval."
    assert words.signed_sentence(people) == "Signed by two people."
    assert "demonstration key" in words.signed_sentence([demo_key().public])


def test_a_live_release_says_its_day() -> None:
    release = released(tiny_plan(), Mode.LIVE)
    assert words.identity_sentence(release) == "Drawn 7 October 2025. Release jobs-r1."
