"""Smooth Laplace: the divergence of every pair in closed form, the smallest factor it allows, the published one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha, integral

from workbench.plan.neighbors import Worker
from workbench.privacy.audit import audit, largest_excess, neighbouring_pairs, worker_cell_pairs
from workbench.privacy.error_law import Sizes
from workbench.privacy.mechanisms.smooth_laplace import Calibration, SmoothLaplace, divergence
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.unfit import Unfit

MILLIONTH = Fraction("1e-6")

# α, ε and the exact factor at δ = 1e-6.
CHECK_VALUES = [
    ("0.01", "0.5", 2.35),
    ("0.01", "1", 1.08),
    ("0.01", "2", 0.52),
    ("0.01", "4", 0.25),
    ("0.05", "1", 1.84),
    ("0.05", "2", 0.65),
    ("0.05", "4", 0.28),
    ("0.1", "2", 0.98),
    ("0.1", "4", 0.33),
    ("0.2", "4", 0.52),
]


def mechanism(
    size: str, epsilon: str, delta: Fraction = MILLIONTH, calibration: Calibration = Calibration.EXACT
) -> SmoothLaplace:
    fitting = SmoothLaplace.consider(alpha(size), Fraction(epsilon), delta, calibration)
    assert isinstance(fitting, SmoothLaplace)
    return fitting


def worst_divergence(size: str, epsilon: str, factor: float) -> float:
    """Over a grid of every move of a count by at most S and every growth of S by at most 1 + α."""
    moves, growths = np.meshgrid(np.linspace(0, 1, 201), np.linspace(1, 1 + float(Fraction(size)), 401))
    return float(divergence(float(epsilon), moves / factor, growths).max())


@pytest.mark.parametrize(("size", "epsilon", "factor"), CHECK_VALUES)
def test_exact_factors(size: str, epsilon: str, factor: float) -> None:
    assert float(mechanism(size, epsilon).factor) == pytest.approx(factor, abs=0.0051)


@pytest.mark.parametrize("delta", ["1e-12", "1e-9", "1e-6", "1e-4"])
@pytest.mark.parametrize(("size", "epsilon"), [*((size, epsilon) for size, epsilon, _ in CHECK_VALUES), ("1", "16")])
def test_no_smaller_factor_keeps_delta_and_this_one_does(size: str, epsilon: str, delta: str) -> None:
    considered = SmoothLaplace.consider(alpha(size), Fraction(epsilon), Fraction(delta))
    if isinstance(considered, Unfit):
        assert worst_divergence(size, epsilon, 1e4) > float(delta)
        return
    assert worst_divergence(size, epsilon, float(considered.factor)) <= float(delta) * (1 + 1e-9)
    assert worst_divergence(size, epsilon, float(considered.factor) * (1 - 1e-5)) > float(delta)


@pytest.mark.parametrize(("size", "epsilon"), [("0.001", "1"), ("0.01", "0.5"), ("0.05", "1"), ("0.1", "0.2")])
def test_a_delta_beyond_alpha_brings_no_factor_below_that_of_plain_laplace_noise(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon, Fraction("0.1"))
    assert one.factor >= 1 / one.epsilon
    assert worst_divergence(size, epsilon, float(one.factor)) <= 0.1


@pytest.mark.parametrize("growth", [1.0, 1.001, 1.05, 1.2, 2.0])
@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 2.0])
def test_the_closed_form_is_the_integral_of_what_exceeds(epsilon: float, shift: float, growth: float) -> None:
    points = np.linspace(-200, 200, 400_001)
    narrow = np.exp(-np.abs(points)) / 2
    wide = np.exp(-np.abs(points - shift) / growth) / (2 * growth)
    both = [np.maximum(first - np.exp(epsilon) * second, 0) for first, second in ((narrow, wide), (wide, narrow))]
    integrals = [np.trapezoid(excess, points) for excess in both]
    found = divergence(epsilon, np.array(shift), np.array(growth))
    assert found == pytest.approx(max(integrals), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("calibration", Calibration)
@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.05", "4"), ("0.1", "4")])
def test_no_pair_of_neighbours_needs_more_than_delta(size: str, epsilon: str, calibration: Calibration) -> None:
    one = mechanism(size, epsilon, calibration=calibration)
    assert audit(one, neighbouring_pairs(one.neighbors, SIZES)).holds
    assert audit(one, worker_cell_pairs(one.neighbors, SIZES)).holds


@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "2"), ("0.1", "4"), ("0.2", "4")])
def test_the_exact_factor_uses_all_of_delta(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon)
    assert largest_excess(one, neighbouring_pairs(one.neighbors, SIZES)) == pytest.approx(1e-6, rel=1e-6)


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
def test_the_strict_reading_holds_with_its_own_bound(strict: bool) -> None:
    one = SmoothLaplace.consider(alpha("0.1", strict), Fraction(2), MILLIONTH)
    assert isinstance(one, SmoothLaplace)
    assert audit(one, worker_cell_pairs(one.neighbors, SIZES)).holds


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4"])
@pytest.mark.parametrize("size", ["0.001", "0.01", "0.05", "0.1"])
def test_the_published_factor_is_never_below_the_exact_one(size: str, epsilon: str) -> None:
    published = SmoothLaplace.consider(alpha(size), Fraction(epsilon), MILLIONTH, Calibration.PUBLISHED)
    if isinstance(published, SmoothLaplace):
        assert published.factor == 2 / Fraction(epsilon)
        assert published.factor >= mechanism(size, epsilon).factor
    else:
        needed = 2 * np.log(1e6) * np.log1p(float(Fraction(size)))
        assert needed > float(epsilon)
        assert float(published.smallest_epsilon or 0) == pytest.approx(needed, rel=0.01)


def test_it_says_from_which_epsilon_it_holds_and_needs_a_delta() -> None:
    refused = SmoothLaplace.consider(alpha("0.2"), Fraction(2), MILLIONTH)
    assert isinstance(refused, Unfit)
    assert refused.smallest_epsilon == Fraction("2.23")
    assert refused.reason == "With α = 0.2 and δ = 0.000001 it needs ε = 2.23 or more; here ε = 2."
    assert mechanism("0.2", "2.23").factor > 0
    assert SmoothLaplace.consider(alpha("0.1"), Fraction(2), Fraction(0)) == Unfit(
        "It needs a δ above 0, which the plan does not give."
    )
    assert isinstance(SmoothLaplace.consider(Worker(), Fraction(2), MILLIONTH), Unfit)


def test_its_promise_names_delta_and_its_margin_stays_in_the_building() -> None:
    one = mechanism("0.1", "2")
    assert (one.guarantee.epsilon, one.guarantee.delta) == (2, MILLIONTH)
    assert not one.publishes_margin
    assert one.limits(np.array([3])) is None


def test_the_error_is_that_of_the_density_and_of_releases() -> None:
    one = mechanism("0.1", "2")
    sizes = Sizes(np.array([500.0, 40_000.0]), np.array([200.0, 30_000.0]))
    law = one.error(sizes)
    found = integral(500, lambda y: np.abs(y - 500) * np.exp(one.log_density(500, 200, y)))
    assert found == pytest.approx(law.expected[0], rel=1e-6)
    draws = 20_000
    counts, largest = (np.repeat(values.astype(np.int64), draws) for values in (sizes.counts, sizes.largest))
    errors = np.abs(one.release(counts, largest, RehearsalNoise(9)) - counts).reshape(2, draws)
    assert errors.mean(axis=1) == pytest.approx(law.expected, rel=0.04)
    distance = np.floor(law.quantile(0.95)) + 0.5
    for row, m, expected in zip(errors, distance, law.chance_within(distance), strict=True):
        assert agrees(row <= m, expected)
