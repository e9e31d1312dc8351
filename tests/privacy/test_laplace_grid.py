"""Laplace on a grid and truncated Laplace: sums in whole steps, with noise for all that one unit can add."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import StatisticKind
from workbench.privacy.audit import Pair, audit, largest_loss
from workbench.privacy.brief import Brief
from workbench.privacy.choose import candidates, choose
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.mechanisms.laplace import GridLaplace
from workbench.privacy.mechanisms.truncated_laplace import TruncatedLaplace
from workbench.privacy.noise import RehearsalNoise, SystemNoise
from workbench.privacy.unfit import Unfit

ONE = Fraction(1)
PAY = MeasureGrid(Fraction("0.1"), -20_000, 150_000)
UNITS = [Worker(), WorkerHistory(3), Employer(40)]
DRAWS = 40_000

each_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda one: one.name)


def fitted(kind: type[Geometric], unit: Neighbors, epsilon: Fraction | int = 1, reach: int = PAY.reach) -> Geometric:
    one = kind.consider(unit, Fraction(epsilon), reach)
    assert isinstance(one, kind)
    return one


@each_unit
def test_the_noise_covers_all_records_of_a_unit_at_the_farther_bound(unit: Neighbors) -> None:
    one = fitted(GridLaplace, unit, Fraction(1, 2))
    assert PAY.reach == 150_000
    assert one.sensitivity == (unit.most_records or 0) * 150_000
    assert one.scale == 2 * one.sensitivity
    assert (one.guarantee.claim, one.guarantee.epsilon) == (Claim.PURE, Fraction(1, 2))


@each_unit
def test_taking_a_unit_away_costs_epsilon_and_never_more(unit: Neighbors) -> None:
    one = fitted(GridLaplace, unit, 2)
    records = unit.most_records or 0
    moved = [records * PAY.lower, records * PAY.upper, PAY.upper, 0]
    pairs = [Pair(np.array(10**7), 0, np.array(10**7 + step), 0) for step in moved]
    assert audit(one, pairs).holds
    assert largest_loss(one, pairs) == pytest.approx(2)
    careless = replace(one, reach=PAY.upper - PAY.lower - PAY.reach)  # as if only the lower bound counted
    assert not audit(careless, pairs).holds


@pytest.mark.parametrize("cells", [1, 25])
@pytest.mark.parametrize("kind", [GridLaplace, TruncatedLaplace])
def test_margins_and_errors_agree_with_simulation(kind: type[Geometric], cells: int) -> None:
    one = fitted(kind, Employer(40))
    drawn = RehearsalNoise(2).discrete_laplace(one.scale, DRAWS * cells).reshape(DRAWS, cells).sum(axis=1)
    size, slack = np.abs(drawn), 6 * np.sqrt(0.05 * 0.95 / DRAWS)
    margin = one.margin(0.95, cells)
    assert (size <= margin).mean() >= 0.95 - slack
    assert (size <= 0.99 * margin).mean() <= 0.95 + slack
    if cells == 1:
        law = one.error(Sizes(np.zeros(2), np.zeros(2)))
        assert law.expected.tolist() == pytest.approx([float(one.scale)] * 2, rel=1e-3)
        assert size.mean() == pytest.approx(law.expected[0], rel=0.03)
        assert law.chance_within(np.full(2, float(margin)))[0] == pytest.approx(0.95, abs=2e-3)


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(4)], ids=["system", "rehearsal"])
def test_sums_stay_whole_steps_and_get_their_noise(source: SystemNoise | RehearsalNoise) -> None:
    one = fitted(GridLaplace, Worker(), 1, reach=3)
    noisy = one.release(np.full(DRAWS, -500), None, source) + 500
    decay = np.exp(-1 / 3)
    assert noisy.dtype == np.int64
    for value in (-3, 0, 5):
        chance = (1 - decay) / (1 + decay) * decay ** abs(value)
        assert abs((noisy == value).mean() - chance) < 6 * np.sqrt(chance * (1 - chance) / DRAWS)


def test_truncation_is_for_employers_and_counts_the_size_limit_once() -> None:
    one = fitted(TruncatedLaplace, Employer(500), 2, reach=1)
    assert (one.sensitivity, one.scale) == (500, 250)
    assert fitted(TruncatedLaplace, Employer(500), 2, reach=7).scale == 1750
    for unit in (Worker(), WorkerHistory(2), StrongAlpha(Fraction(1, 10))):
        refused = TruncatedLaplace.consider(unit, ONE)
        assert isinstance(refused, Unfit) and unit.name in refused.reason
    assert "size limit θ" in one.scale_words


def test_an_employer_far_above_the_limit_costs_no_more() -> None:
    """What counts of it is at most θ records, so the pair differs by at most θ steps of the count."""
    one = fitted(TruncatedLaplace, Employer(40), 1, reach=1)
    assert audit(one, [Pair(np.array(100), 0, np.array(100 + min(workers, 40)), 0) for workers in (1, 40, 9000)]).holds
    assert not audit(one, [Pair(np.array(100), 0, np.array(100 + 41), 0)]).holds


@pytest.mark.parametrize(
    ("unit", "kind", "name"),
    [
        (Worker(), StatisticKind.SUM, "laplace"),
        (WorkerHistory(2), StatisticKind.SUM, "laplace"),
        (Employer(30), StatisticKind.SUM, "truncated-laplace"),
        (Employer(30), StatisticKind.COUNT, "truncated-laplace"),
        (Worker(), StatisticKind.COUNT, "geometric"),
    ],
)
def test_what_is_chosen_for_whom(unit: Neighbors, kind: StatisticKind, name: str) -> None:
    measure = PAY if kind is StatisticKind.SUM else None
    brief = Brief(kind, unit, ONE, measure=measure)
    choice = choose(brief)
    assert choice is not None and choice.offer.name == name
    assert isinstance(choice.mechanism, Geometric) and choice.mechanism.reach == brief.reach
    expected = float(choice.mechanism.scale) * float(brief.step)
    assert choice.expected_error == pytest.approx(expected, rel=0.2 if measure is None else 1e-3)
    assert choice.expected_error == min(one.expected_error for one in candidates(brief))


def test_the_words_say_what_is_public() -> None:
    assert GridLaplace.publishes_margin and TruncatedLaplace.publishes_margin
    assert "Δ from the public bounds" in fitted(GridLaplace, Worker()).scale_words
    assert isinstance(GridLaplace.consider(StrongAlpha(Fraction(1, 10)), ONE), Unfit)
