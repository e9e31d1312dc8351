"""The discrete Gaussian mechanism: its ρ, what (ε, δ) that means, its margins and its expected errors."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import pi, sqrt

import numpy as np
import pytest

from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.audit import Pair, audit
from workbench.privacy.discrete_gaussian import discrete_excess, gaussian_magnitude
from workbench.privacy.error_law import Floats, Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.gaussian import Gaussian
from workbench.privacy.noise import NoiseSource, RehearsalNoise, SystemNoise
from workbench.privacy.routes import Route, spendings
from workbench.privacy.unfit import NEEDS_DELTA, Unfit
from workbench.privacy.zcdp import epsilon_of

MILLIONTH = Fraction("1e-6")
BUDGETS = [(Fraction("0.1"), Fraction("1e-10")), (Fraction(1), MILLIONTH), (Fraction(4), MILLIONTH)]
DRAWS = 40_000


def mechanism(epsilon: Fraction | int, delta: Fraction = MILLIONTH, neighbors: Neighbors | None = None) -> Gaussian:
    one = Gaussian.consider(neighbors or Worker(), Fraction(epsilon), delta)
    assert isinstance(one, Gaussian)
    return one


def masses(sd: float, shift: int, reach: int) -> tuple[Floats, Floats]:
    """The chances of whole numbers with and without one unit, summed up the plain way."""
    places = np.arange(-reach, reach + 1)
    weights = [np.exp(-np.square((places - center) / sd) / 2) for center in (0, shift)]
    return weights[0] / weights[0].sum(), weights[1] / weights[1].sum()


@pytest.mark.parametrize("neighbors", [Worker(), WorkerHistory(3)], ids=lambda one: one.name)
@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS, ids=str)
def test_no_order_loses_more_than_its_rho(epsilon: Fraction, delta: Fraction, neighbors: Neighbors) -> None:
    """Rényi divergences of the exact masses stay below a·ρ and reach it where the shifted noise is noise again."""
    one = mechanism(epsilon, delta, neighbors)
    sd = float(one.sd)
    with_unit, without = masses(sd, one.sensitivity, int(30 * sd) + 200)
    used = (with_unit > 1e-300) & (without > 1e-300)
    for order in (1.5, 2.0, 3.0, 8.0):
        parts = order * np.log(with_unit[used]) + (1 - order) * np.log(without[used])
        divergence = np.log(np.exp(parts).sum()) / (order - 1)
        assert divergence <= order * float(one.rho) * (1 + 1e-9)
        if order >= 2 and order.is_integer():
            assert divergence >= order * float(one.rho) * 0.999


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS, ids=str)
def test_the_delta_needed_is_the_one_of_the_masses_and_within_the_promise(epsilon: Fraction, delta: Fraction) -> None:
    one = mechanism(epsilon, delta)
    with_unit, without = masses(float(one.sd), 1, int(40 * one.sd) + 60)
    needed = np.maximum(with_unit - np.exp(float(epsilon)) * without, 0).sum()
    assert float(one.excess(5, 0, 6, 0)) == pytest.approx(needed, rel=1e-9)
    assert float(one.excess(6, 0, 5, 0)) == pytest.approx(needed, rel=1e-9)
    assert float(one.excess(5, 0, 5, 0)) == 0
    assert needed <= float(delta)


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS, ids=str)
def test_the_conversion_wastes_little_epsilon(epsilon: Fraction, delta: Fraction) -> None:
    """With a tenth less epsilon the noise would no longer keep its delta."""
    one = mechanism(epsilon, delta)
    assert discrete_excess(np.array(1.0), float(one.sd), 0.9 * float(epsilon)) > float(delta)


@pytest.mark.parametrize("unit", [Worker(), WorkerHistory(4), Employer(50)], ids=lambda one: one.name)
@pytest.mark.parametrize("reach", [1, 100_000])
def test_the_audit_passes_it_and_catches_less_noise(unit: Neighbors, reach: int) -> None:
    one = Gaussian.consider(unit, Fraction(1), MILLIONTH, reach=reach)
    assert isinstance(one, Gaussian)
    assert unit.most_records is not None and one.sensitivity == unit.most_records * reach
    pairs = [Pair(np.array(9), 0, np.array(9 + step), 0) for step in (1, one.sensitivity)]
    assert audit(one, pairs).holds
    assert not audit(replace(one, rho=2 * one.rho), pairs).holds


@pytest.mark.parametrize("parts", [2, 40])
def test_a_part_of_a_plan_that_adds_up_as_zcdp_promises_what_its_rho_means(parts: int) -> None:
    """Its ε is not the pure ε of the same cost, which it would not keep."""
    (spending, *_) = spendings(Route.ZCDP, Fraction(2), MILLIONTH, (Fraction(1, parts),) * parts)
    one = Gaussian.consider(Worker(), spending.epsilon, spending.delta, spending.rho)
    assert isinstance(one, Gaussian) and spending.rho is not None
    assert one.guarantee.rho == spending.rho
    assert one.guarantee.epsilon == epsilon_of(spending.rho, MILLIONTH) > spending.epsilon
    assert audit(one, [Pair(np.array(9), 0, np.array(10), 0)]).holds


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(5)], ids=["system", "rehearsal"])
def test_draws_have_the_promised_frequencies(source: NoiseSource) -> None:
    one = mechanism(1)
    drawn = one.release(np.full(DRAWS, 100), None, source) - 100
    chances, _ = masses(float(one.sd), 1, 300)
    for value in (-6, -1, 0, 1, 4):
        chance = chances[300 + value]
        assert abs((drawn == value).mean() - chance) < 6 * np.sqrt(chance * (1 - chance) / DRAWS)


@pytest.mark.parametrize("cells", [1, 2, 60])
@pytest.mark.parametrize("epsilon", [Fraction("0.001"), Fraction("0.1"), Fraction(1), Fraction(8)], ids=str)
def test_margins_and_expected_errors_agree_with_simulation(epsilon: Fraction, cells: int) -> None:
    one = mechanism(epsilon)
    draws = RehearsalNoise(6).discrete_gaussian(one.sd, DRAWS * cells).reshape(DRAWS, cells)
    size = np.abs(draws.sum(axis=1))
    law = gaussian_magnitude(float(one.sd), cells)
    assert size.mean() == pytest.approx(law.expected, abs=6 * size.std() / np.sqrt(DRAWS))
    margin, slack = one.margin(0.95, cells), 6 * np.sqrt(0.05 * 0.95 / DRAWS)
    assert (size <= margin).mean() >= 0.95 - slack
    assert (size <= 0.99 * margin - 1).mean() <= 0.95 + slack


@pytest.mark.parametrize("sd", [0.4, 3.0, 1023.0, 1025.0, 1e9])
def test_closed_forms(sd: float) -> None:
    law = gaussian_magnitude(sd)
    if sd < 1000:
        chances, _ = masses(sd, 0, int(40 * sd) + 20)
        places = np.abs(np.arange(len(chances)) - len(chances) // 2)
        assert law.expected == pytest.approx(float(places @ chances), rel=1e-9)
        assert law.chance_within(np.array([1.0, 2.5])) == pytest.approx(
            [chances[places <= 1].sum(), chances[places <= 2].sum()]
        )
    else:
        assert law.expected == pytest.approx(sd * sqrt(2 / pi), rel=1e-6)
        assert 1.959964 * sd - 1 <= law.quantile(0.95) <= 1.962 * sd + 1
        assert law.chance_within(np.array([1.959964 * sd])) == pytest.approx(0.95, abs=1e-3)


def test_sums_of_many_draws_are_normal() -> None:
    assert gaussian_magnitude(2.0, 250_000).expected == pytest.approx(1000 * sqrt(2 / pi), rel=1e-6)
    assert gaussian_magnitude(2.0, 10**8).expected == pytest.approx(20_000 * sqrt(2 / pi), rel=1e-6)


def test_the_standard_deviation_is_rounded_up() -> None:
    one = mechanism(1)
    assert one.sd**2 >= 1 / (2 * one.rho) > (one.sd - Fraction("2e-6")) ** 2


def test_errors_limits_and_words() -> None:
    one = mechanism(2)
    law = one.error(Sizes(np.array([3.0, 900.0]), np.array([1.0, 1.0])))
    assert law.expected[0] == law.expected[1] == pytest.approx(float(one.sd) * sqrt(2 / pi), rel=0.02)
    assert law.bias.tolist() == [0, 0]
    low, high = one.limits(np.array([50]))
    assert (50 - low[0], high[0] - 50) == (one.margin(), one.margin())
    assert one.guarantee.claim is Claim.ZCDP
    assert one.scale_words.startswith("discrete Gaussian noise of standard deviation Δ/√(2ρ), ρ = 0.0")
    assert "from ρ = " in one.guarantee.words
    loss = one.privacy_loss(5, 0, 6, 0, np.array([5.0, 6.0, -100.0]))
    assert loss[0] == -loss[1] == pytest.approx(1 / (2 * float(one.sd) ** 2))
    assert loss[2] > float(one.epsilon)


def test_what_it_refuses() -> None:
    assert Gaussian.consider(Worker(), Fraction(1), Fraction(0)) == NEEDS_DELTA
    assert isinstance(Gaussian.consider(StrongAlpha(Fraction(1, 10)), Fraction(1), MILLIONTH), Unfit)
    tiny = Gaussian.consider(Worker(), Fraction("1e-12"), Fraction("1e-10"))
    assert isinstance(tiny, Unfit) and "so small" in tiny.reason


def test_it_needs_much_less_noise_than_pure_noise_for_many_tables() -> None:
    """A hundred counts at ε = 1 together: pure noise by the basic sum has three times the spread."""
    (spending, *_) = spendings(Route.ZCDP, Fraction(1), MILLIONTH, (Fraction(1, 100),) * 100)
    one = Gaussian.consider(Worker(), spending.epsilon, spending.delta, spending.rho)
    assert isinstance(one, Gaussian)
    assert sqrt(2) * 100 / float(one.sd) == pytest.approx(3.12, abs=0.01)
