"""The sentences promise no more than the guarantee holds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_releases import KINDS, drawn, released, tiny_plan

from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import Budget, Table
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.mechanisms.log_gaussian import LogGaussian
from workbench.privacy.mechanisms.log_laplace import LogLaplace
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.odds import at_most_of_100, posterior
from workbench.privacy.zcdp import CONVERSION
from workbench.release.release import Mode, Release
from workbench.report import guarantee_words, odds_words, words
from workbench.report.clamping import gaussian_increase, laplace_increase, log_increase
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
    assert odds_words.odds(promise(epsilon)).words == said


@given(st.decimals("0.0001", "40", places=4))
def test_odds_never_promise_more_than_epsilon_does_and_never_certainty(epsilon: object) -> None:
    odds = odds_words.odds(promise(str(epsilon)))
    wrong = Fraction(1 / (1 + exp(float(str(epsilon)))))
    assert 0 < odds.wrong <= odds.of * wrong * Fraction(1_000_001, 1_000_000)
    assert odds.wrong + 1 >= odds.of * wrong * Fraction(999_999, 1_000_000)


def test_odds_count_delta_against_the_guarantee() -> None:
    assert odds_words.odds(promise("1", "0.1")).right > odds_words.odds(promise("1")).right
    assert odds_words.odds(promise("1", "1")).wrong == 0


@pytest.mark.parametrize("neighbors", [Worker(), WorkerHistory(3), Employer(500), StrongAlpha(Fraction("0.1"))])
def test_every_protection_has_its_words(neighbors: Neighbors) -> None:
    assert odds_words.secret(neighbors).startswith("whether ")
    assert guarantee_words.contribution_sentence(neighbors)


@pytest.mark.parametrize("epsilon", ["0.25", "1", "2"])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_odds_over_several_steps_are_the_posterior_of_so_many_epsilons(epsilon: str, steps: int) -> None:
    expected = at_most_of_100(posterior(Fraction(1, 2), steps * Fraction(epsilon)))
    found = odds_words.odds(promise(epsilon), steps)
    assert found.right == expected or found.of > 100


def test_delta_grows_over_several_steps_and_ends_in_no_promise() -> None:
    assert odds_words.odds(promise("1", "0.05"), 2).right > odds_words.odds(promise("2", "0.05")).right
    assert odds_words.odds(promise("1", "0.05"), 9).wrong == 0


def test_guesses_about_an_employer_are_said_by_their_steps() -> None:
    said = {guess.about: guess for guess in odds_words.guesses(drawn(KINDS["log-laplace"]))}
    sizes = said["whether an employer has 1,000 or 1,100 workers"]
    assert sizes.sentence == (
        "Whether an employer has 1,000 or 1,100 workers (1 step, ε = 2): right in at most 89 of 100 such guesses."
    )
    assert said["whether a worker changed employers"].sentence.endswith(
        "(2 steps, ε = 4): right in at most 99 of 100 such guesses."
    )
    assert said["whether an employer has 1,000 or 2,000 workers"].sentence.endswith(
        "(8 steps, ε = 16): this is not hidden."
    )
    assert odds_words.guesses(drawn(KINDS["geometric"])) == ()


def test_a_smaller_alpha_makes_two_sizes_more_steps_apart() -> None:
    release = drawn(KINDS["log-laplace"])
    finer = StrongAlpha(Fraction("0.05"))
    release = replace(
        release, neighbors=finer, guarantee=replace(release.guarantee, neighbors=finer, epsilon=Fraction(1))
    )
    sizes = next(guess for guess in odds_words.guesses(release) if "1,100" in guess.about)
    assert sizes.steps == 2 and sizes.epsilon == 2 and sizes.odds.words == "at most 89 of 100"
    assert odds_words.secret(finer) == "whether an employer has 1,000 or 1,050 workers"


@pytest.mark.parametrize(("kind", "reading"), [("smooth-t", "The definition:"), ("smooth-t strict", "Strict:")])
def test_alpha_its_reading_and_epsilon_for_a_job_move_stand_with_the_claim(kind: str, reading: str) -> None:
    facts = dict(guarantee_words.guarantee_facts(drawn(KINDS[kind])))
    assert facts["Claim"] == "Formal variant: (α, ε)-ER-EE, δ = 0"
    assert facts["Alpha"] == "0.1" and facts["Reading of the size requirement"].startswith(reading)
    assert facts["Epsilon of this release"].startswith("2 for each step in all")
    assert facts["Epsilon for two steps"] == "4: a worker who changes employers"


def test_rho_and_the_formula_that_converts_it_are_said() -> None:
    one = dict(guarantee_words.guarantee_facts(drawn(KINDS["log-gaussian"])))
    assert one["Rho"].startswith("0.088") and one["Conversion"] == f"From ρ, tightly: {CONVERSION}"
    assert one["Epsilon for two steps"].endswith("δ is then (1 + e^ε) times as large")
    several = dict(guarantee_words.guarantee_facts(drawn(KINDS["gaussian"])))
    assert "of table 1, each tightly" in several["Conversion"] and "Rho" not in several


def test_an_epsilon_below_the_sum_of_its_parts_says_so() -> None:
    tables = tuple(Table(f"t{number}", ("sector",)) for number in range(40))
    plan = replace(tiny_plan(), budget=Budget(Fraction(2), Fraction(1, 10**6)), tables=tables)
    facts = dict(guarantee_words.guarantee_facts(released(plan)))
    assert "Together they cost less than their sum" in facts["Epsilon of this release"]
    assert facts["Conversion"] != "None: the noise was drawn with this epsilon itself"


def test_tables_of_sums_are_named_as_such() -> None:
    said = words.tables_sentence(drawn(KINDS["signed sum"]))
    assert said == "The tables count jobs by place and sector, and give the sum of pay by place and sector."


def test_two_sizes_of_an_employer_are_one_step_apart() -> None:
    assert odds_words.secret(StrongAlpha(Fraction("0.1"))) == "whether an employer has 1,000 or 1,100 workers"


@pytest.mark.parametrize("sensitivity", [1, 2])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_clamping_bias_is_what_drawing_shows(count: int, sensitivity: int) -> None:
    epsilon = Fraction(1, 2)
    noise = RehearsalNoise(7).discrete_laplace(sensitivity / epsilon, 400_000)
    seen = np.maximum(count + noise, 0).mean() - count
    assert laplace_increase(float(epsilon), sensitivity, count) == pytest.approx(seen, abs=0.025)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_increase_by_showing_0_is_what_drawing_gaussian_noise_shows(count: int) -> None:
    noise = RehearsalNoise(7).discrete_gaussian(Fraction(3), 400_000)
    seen = np.maximum(count + noise, 0).mean() - count
    assert gaussian_increase(3.0, count) == pytest.approx(seen, abs=0.025)


@pytest.mark.parametrize("mechanism", [LogLaplace, LogGaussian])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_increase_by_showing_0_is_what_drawing_noise_on_logarithms_shows(
    count: int, mechanism: type[LogLaplace | LogGaussian]
) -> None:
    fitted = mechanism.consider(StrongAlpha(Fraction("0.1")), Fraction(2), Fraction(1, 10**6))
    assert isinstance(fitted, mechanism)
    noisy = fitted.release(np.full(200_000, count, dtype=np.int64), None, RehearsalNoise(7))
    seen = (np.maximum(noisy, 0) - noisy).mean()
    assert log_increase(fitted.neighbors, fitted.exponent, count) == pytest.approx(seen, abs=0.02)


@pytest.mark.parametrize(("neighbors", "most"), [(WorkerHistory(3), "3"), (Employer(1500), "1,500")])
def test_what_was_left_out_is_told(neighbors: Neighbors, most: str) -> None:
    assert f"at most {most} records" in words.left_out_sentence(neighbors)
    assert words.left_out_sentence(Worker()) == ""


def test_epsilon_stands_with_everything_it_means(live: Release) -> None:
    facts = dict(guarantee_words.guarantee_facts(live))
    assert facts["Claim"] == "Formal DP (pure), δ = 0"
    assert facts["Neighbours"] == "Two data sets are neighbours when one record is added or removed."
    assert facts["Epsilon of this release"].startswith("2 in all: 2 for table 1")
    assert facts["Epsilon for two steps"].startswith("4:")
    assert facts["This data set so far"].startswith("ε = 5.5 of 8 spent, 2.5 remaining")


def test_a_rehearsal_says_that_nothing_was_spent(rehearsal: Release) -> None:
    assert (
        guarantee_words.account_sentence(rehearsal)
        == "No budget was spent. A live release of this plan would spend ε = 2"
    )
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
