"""Log-Gaussian: rho from epsilon and delta, what it gives away, its relative error, limits from published values."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha

from workbench.plan.neighbors import Worker
from workbench.privacy.audit import audit, neighbouring_pairs
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.log_gaussian import LogGaussian
from workbench.privacy.mechanisms.log_scale import LATTICE
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.unfit import Unfit
from workbench.privacy.zcdp import rho_within

MILLIONTH = Fraction("1e-6")
DRAWS = 20_000


def mechanism(size: str, epsilon: str, delta: Fraction = MILLIONTH, strict: bool = False) -> LogGaussian:
    fitting = LogGaussian.consider(alpha(size, strict), Fraction(epsilon), delta)
    assert isinstance(fitting, LogGaussian)
    return fitting


def delta_of(rho: float, epsilon: float) -> float:
    """The tight conversion: the least of e^((a-1)(aρ-ε)) (1-1/a)^a / (a-1) over a > 1."""
    order = 1 + np.exp(np.linspace(-5, 15, 200_001))
    logs = (order - 1) * (order * rho - epsilon) + order * np.log1p(-1 / order) - np.log(order - 1)
    return exp(logs.min())


@pytest.mark.parametrize("delta", ["1e-3", "1e-6", "1e-10"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4", "17"])
def test_rho_uses_all_of_delta(epsilon: str, delta: str) -> None:
    rho = float(rho_within(Fraction(epsilon), Fraction(delta)))
    assert delta_of(rho, float(epsilon)) == pytest.approx(float(delta), rel=1e-3)


def test_the_rho_of_the_2020_census() -> None:
    assert float(rho_within(Fraction("17.14"), Fraction("1e-10"))) == pytest.approx(2.5562, rel=1e-3)


@pytest.mark.parametrize("size", ["0.01", "0.1", "1"])
def test_one_step_costs_at_most_rho(size: str) -> None:
    """Discrete Gaussian noise on a lattice costs shift² / (2σ²) for a shift of so many points."""
    one = mechanism(size, "1")
    cost = Fraction(one.sensitivity) ** 2 / (2 * one.lattice_sd**2)
    assert one.rho * Fraction(999_999, 1_000_000) < cost <= one.rho
    assert one.sd == pytest.approx(log(1 + float(one.neighbors.alpha)) / sqrt(2 * float(one.rho)), rel=1e-9)


@pytest.mark.parametrize("order", [1.5, 2.0, 5.0, 30.0])
def test_the_divergence_of_every_order_is_within_rho(order: float) -> None:
    one = mechanism("0.1", "1")
    sd = float(one.lattice_sd)
    shift = float(one.points(np.array([1]))[0] - one.points(np.array([0]))[0])
    points = np.linspace(-60 * sd, 60 * sd, 400_001)
    first, second = one.log_mass(points), one.log_mass(points - shift)
    total = np.log(np.trapezoid(np.exp(first), points))
    moment = np.log(np.trapezoid(np.exp(order * first + (1 - order) * second - total), points))
    assert moment / (order - 1) <= order * float(one.rho) * (1 + 1e-6)
    assert moment / (order - 1) >= order * float(one.rho) * 0.99


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "0.2"), ("0.1", "4"), ("1", "2")])
def test_no_pair_of_neighbours_needs_more_than_delta(size: str, epsilon: str, strict: bool) -> None:
    one = mechanism(size, epsilon, strict=strict)
    assert audit(one, neighbouring_pairs(one.neighbors, SIZES)).holds


def test_less_noise_than_calibrated_needs_more_delta() -> None:
    one = mechanism("0.1", "1")
    careless = LogGaussian(one.epsilon, one.neighbors, one.delta, rho=4 * one.rho)
    assert not audit(careless, neighbouring_pairs(one.neighbors, SIZES)).holds


@pytest.mark.parametrize(("size", "epsilon"), [("0.1", "1"), ("0.05", "4")])
def test_the_error_in_closed_form_is_that_of_the_exponent(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon)
    law = one.error(Sizes(np.array([0.0, 100.0]), np.zeros(2)))
    eta = np.linspace(-12 * one.sd, 14 * one.sd, 2_000_001)
    density = np.exp(-((eta / one.sd) ** 2) / 2) / (one.sd * sqrt(2 * np.pi))
    proportion = float(one.shrink) * np.exp(eta) - 1
    level = np.array([0.0, 100.0]) + float(1 / one.neighbors.alpha)
    assert law.expected == pytest.approx(level * np.trapezoid(np.abs(proportion) * density, eta), rel=1e-6)
    assert law.bias == pytest.approx([0, 0], abs=1e-9)
    assert one.relative_sd == pytest.approx(sqrt(np.trapezoid(proportion**2 * density, eta)), rel=1e-6)
    for chance in (0.2, 0.9, 0.99):
        assert law.chance_within(law.quantile(chance)) == pytest.approx(chance)
        inside = np.abs(proportion) <= law.relative_quantile(chance)
        assert np.trapezoid(density * inside, eta) == pytest.approx(chance, abs=1e-4)


def test_released_cells_err_as_the_law_says_and_lie_within_their_limits() -> None:
    one = mechanism("0.05", "2")
    sizes = Sizes(np.array([0.0, 300.0, 50_000.0]), np.zeros(3))
    law = one.error(sizes)
    counts = np.repeat(sizes.counts.astype(np.int64), DRAWS)
    noisy = one.release(counts, None, RehearsalNoise(5))
    errors = (noisy - counts).reshape(3, DRAWS)
    assert np.abs(errors[1:]).mean(axis=1) == pytest.approx(law.expected[1:], rel=0.03)
    assert errors[2].mean() == pytest.approx(0, abs=5 * errors[2].std() / sqrt(DRAWS))
    lower, upper = one.limits(noisy)
    covered = ((lower <= counts) & (counts <= upper)).reshape(3, DRAWS)
    assert agrees(covered[2], 0.95)
    assert covered[:2].mean(axis=1).min() > 0.945


def test_its_promise_and_what_it_needs() -> None:
    one = mechanism("0.1", "1")
    assert (one.guarantee.claim, one.guarantee.epsilon, one.guarantee.delta) == (Claim.ER_EE, 1, MILLIONTH)
    assert one.publishes_margin
    assert float(one.shrink) == pytest.approx(exp(-(one.sd**2) / 2), abs=1e-14)
    assert one.lattice_sd > LATTICE * log(1.1) / sqrt(2 * float(one.rho))
    assert LogGaussian.consider(alpha("0.1"), Fraction(1), Fraction(0)) == Unfit(
        "It needs a δ above 0, which the plan does not give."
    )
    assert isinstance(LogGaussian.consider(Worker(), Fraction(1), MILLIONTH), Unfit)
