"""The exponential mechanism: the promised chances, the promised loss, and the factor 2 that slides leave out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.plan.neighbors import Employer, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.audit import SLACK, audit_choice, score_pairs
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.exponential import Exponential
from workbench.privacy.noise import Integers, NoiseSource, RehearsalNoise, SystemNoise
from workbench.privacy.unfit import Unfit

DRAWS = 20_000
EPSILONS = [Fraction(1, 2), Fraction(1), Fraction(4)]
SCORES = np.array([0, 3, -2, 1, 3, -40])


class TwiceTheSharpness(Exponential):
    """exp(ε·u/Δ) without the 2, as on the slides."""

    @property
    def scale(self) -> Fraction:
        return self.sensitivity / self.epsilon


def mechanism(epsilon: Fraction | int, reach: int = 1, is_monotonic: bool = False) -> Exponential:
    one = Exponential.consider(Worker(), Fraction(epsilon), reach, is_monotonic)
    assert isinstance(one, Exponential)
    return one


def chances(scores: Integers, exponent: float) -> np.ndarray:
    weights = np.exp(exponent * scores)
    return weights / weights.sum()


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(3)], ids=["system", "rehearsal"])
@pytest.mark.parametrize(("epsilon", "is_monotonic"), [(1, False), (4, False), (Fraction(1, 3), True)])
def test_candidates_are_chosen_with_the_promised_chances(
    source: NoiseSource, epsilon: Fraction, is_monotonic: bool
) -> None:
    one = mechanism(epsilon, 1, is_monotonic)
    drawn = np.bincount([one.release(SCORES, source) for _ in range(DRAWS)], minlength=len(SCORES)) / DRAWS
    promised = chances(SCORES, float(epsilon) / (1 if is_monotonic else 2))
    assert np.exp(one.log_chances(SCORES)) == pytest.approx(promised)
    assert (np.abs(drawn - promised) < 6 * np.sqrt(promised * (1 - promised) / DRAWS) + 1e-4).all()


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(3)], ids=["system", "rehearsal"])
def test_scores_of_any_size_are_told_apart(source: NoiseSource) -> None:
    huge = np.array([-(2**61), 2**61 - 1, 2**61], dtype=np.int64)
    drawn = {mechanism(20).release(huge, source) for _ in range(200)}
    assert 2 in drawn and 0 not in drawn
    assert mechanism(1).release(np.array([7]), source) == 0
    with pytest.raises(ValueError, match="at least one candidate"):
        mechanism(1).release(np.array([], dtype=np.int64), source)


@pytest.mark.parametrize("is_monotonic", [False, True], ids=["any", "monotonic"])
@pytest.mark.parametrize("reach", [1, 25])
@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_no_pair_of_scores_loses_more_than_epsilon_and_some_lose_nearly_all(
    epsilon: Fraction, reach: int, is_monotonic: bool
) -> None:
    one = mechanism(epsilon, reach, is_monotonic)
    found = audit_choice(one, score_pairs(reach, 5, is_monotonic))
    assert found.holds
    assert found.found >= 0.95 * float(epsilon) - SLACK


def test_without_the_factor_two_it_spends_up_to_twice_epsilon() -> None:
    careless = TwiceTheSharpness(Fraction(1), Worker(), 1)
    found = audit_choice(careless, score_pairs(1, 5))
    assert not found.holds
    assert found.found == pytest.approx(2, abs=0.05)


def test_one_way_scores_are_a_condition_not_a_gift() -> None:
    """Scores that can move both ways must not be called monotonic."""
    assert not audit_choice(mechanism(1, 1, is_monotonic=True), score_pairs(1, 4)).holds


def test_opendp_states_the_same_costs() -> None:
    """Its own map charges 2Δ/scale for pure privacy, Δ/scale where scores move one way."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    for is_monotonic in (False, True):
        one = mechanism(Fraction(1, 2), 3, is_monotonic)
        metric = dp.linf_distance(T="i64", monotonic=is_monotonic)
        pure = dp.m.make_noisy_max(domain, metric, dp.max_divergence(), scale=float(one.scale))
        assert pure.map(one.sensitivity) == pytest.approx(0.5)


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_the_shortfall_is_that_of_the_draws(epsilon: Fraction) -> None:
    one, source = mechanism(epsilon), RehearsalNoise(9)
    law = one.error(SCORES)
    drawn = 3 - SCORES[[one.release(SCORES, source) for _ in range(DRAWS)]]
    assert drawn.mean() == pytest.approx(law.expected, abs=6 * drawn.std() / np.sqrt(DRAWS))
    for distance in (0, 2, 5):
        chance = law.chance_within(distance)
        assert (drawn <= distance).mean() == pytest.approx(chance, abs=6 * np.sqrt(0.25 / DRAWS))
        assert law.quantile(chance) <= distance
    assert law.chance_within(law.quantile(0.9)) >= 0.9 > law.chance_within(law.quantile(0.9) - 1)


@pytest.mark.parametrize("candidates", [1, 2, 10, 1000])
def test_the_public_margin_holds_for_the_worst_scores(candidates: int) -> None:
    """All but one candidate just beyond the margin: the worst list there is."""
    one = mechanism(1)
    margin = one.margin(0.95, candidates)
    worst = np.where(np.arange(candidates) == 0, margin + 1, 0)
    assert one.error(worst).chance_within(margin) >= 0.95
    assert one.margin(0.95, 1) == 0
    assert one.margin(0.95, 10) == 11


def test_its_promise_and_what_it_refuses() -> None:
    assert (mechanism(2).guarantee.claim, mechanism(2).guarantee.epsilon) == (Claim.PURE, 2)
    assert mechanism(2, 5).scale == 5
    assert replace(mechanism(2, 5), is_monotonic=True).scale == Fraction(5, 2)
    assert Exponential.consider(WorkerHistory(3), Fraction(1), 2) == Exponential(Fraction(1), WorkerHistory(3), 6)
    assert Exponential.consider(Employer(50), Fraction(1)) == Exponential(Fraction(1), Employer(50), 50)
    assert isinstance(Exponential.consider(StrongAlpha(Fraction(1, 10)), Fraction(1)), Unfit)
    assert "exp(ε·u/(2Δ))" in mechanism(1).scale_words
    assert "exp(ε·u/Δ," in mechanism(1, 1, is_monotonic=True).scale_words
