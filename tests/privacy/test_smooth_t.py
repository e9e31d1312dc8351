"""Smooth Student-t: the degrees of freedom, where it holds, what it gives away, how far it errs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha, integral

from workbench.plan.neighbors import Employer
from workbench.privacy.audit import SLACK, audit, largest_loss, neighbouring_pairs, worker_cell_pairs
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.smooth import noise_factor
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma
from workbench.privacy.mechanisms.smooth_t import DEGREES, SmoothT, slide
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.unfit import Unfit

# α, ε, the degrees of freedom and E|error| in units of S.
CHECK_VALUES = [
    ("0.01", "1", 4, 1.30),
    ("0.05", "1", 3, 1.49),
    ("0.1", "0.5", 2, 4.85),
    ("0.1", "1", 3, 1.78),
    ("0.1", "2", 3, 0.74),
    ("0.1", "4", 3, 0.34),
    ("0.2", "1", 2, 2.36),
    ("0.2", "2", 3, 0.88),
    ("0.15", "0.5", 2, 6.80),
    ("0.1", "0.25", 2, 25.3),
]

GRID = [(size, epsilon) for size in ("0.01", "0.1", "0.3", "1") for epsilon in ("0.25", "0.5", "1", "2", "4", "8")]


def mechanism(size: str, epsilon: str, strict: bool = False) -> SmoothT:
    fitting = SmoothT.consider(alpha(size, strict), Fraction(epsilon))
    assert isinstance(fitting, SmoothT)
    return fitting


def in_bounds(one: SmoothT | SmoothGamma) -> float:
    """E|error| of a cell whose S is 1."""
    return float(one.error(Sizes(np.zeros(1), np.zeros(1))).expected[0])


@pytest.mark.parametrize(("size", "epsilon", "degrees", "expected"), CHECK_VALUES)
def test_degrees_and_expected_error_in_units_of_the_bound(
    size: str, epsilon: str, degrees: int, expected: float
) -> None:
    one = mechanism(size, epsilon)
    assert one.degrees == degrees
    assert in_bounds(one) == pytest.approx(expected, abs=0.005 if expected < 10 else 0.05)


@pytest.mark.parametrize("size", ["0.15", "0.2"])
def test_nothing_of_the_family_holds_at_small_epsilon(size: str) -> None:
    assert isinstance(SmoothT.consider(alpha(size), Fraction("0.25")), Unfit)


@pytest.mark.parametrize(("size", "epsilon"), GRID)
def test_no_other_degrees_would_err_less(size: str, epsilon: str) -> None:
    chosen = SmoothT.consider(alpha(size), Fraction(epsilon))
    for degrees in DEGREES:
        factor = noise_factor(slide(degrees), degrees, alpha(size), Fraction(epsilon))
        if factor is not None:
            assert isinstance(chosen, SmoothT)
            other = SmoothT(Fraction(epsilon), alpha(size), factor, degrees=degrees)
            assert in_bounds(chosen) <= in_bounds(other)


@pytest.mark.parametrize(("size", "epsilon"), GRID)
def test_it_errs_less_than_smooth_gamma_wherever_that_holds(size: str, epsilon: str) -> None:
    gamma = SmoothGamma.consider(alpha(size), Fraction(epsilon))
    if isinstance(gamma, SmoothGamma):
        assert in_bounds(mechanism(size, epsilon)) < in_bounds(gamma)


def test_it_says_from_which_epsilon_it_holds() -> None:
    refused = SmoothT.consider(alpha("0.15"), Fraction("0.25"))
    assert isinstance(refused, Unfit)
    assert refused.smallest_epsilon == Fraction("0.28")
    assert refused.reason == (
        "With α = 0.15 it needs ε = 0.28 or more, because its scale moves with the largest establishment; "
        "here ε = 0.25."
    )
    assert mechanism("0.15", "0.28").degrees == 2
    assert SmoothT.consider(Employer(50), Fraction(1)) == Unfit(
        "It protects “strong-alpha” only; the plan protects “employer”."
    )


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize(
    ("size", "epsilon"), [("0.01", "1"), ("0.1", "0.191"), ("0.1", "1"), ("0.1", "4"), ("0.2", "2"), ("1", "1.5")]
)
def test_no_pair_of_neighbours_loses_more_than_epsilon(size: str, epsilon: str, strict: bool) -> None:
    one = mechanism(size, epsilon, strict)
    assert audit(one, neighbouring_pairs(one.neighbors, SIZES)).holds
    assert audit(one, worker_cell_pairs(one.neighbors, SIZES[::3])).holds


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("epsilon", ["0.5", "1", "4"])
def test_every_degree_of_freedom_keeps_its_promise(degrees: int, epsilon: str) -> None:
    neighbors = alpha("0.1")
    factor = noise_factor(slide(degrees), degrees, neighbors, Fraction(epsilon))
    assert factor is not None
    one = SmoothT(Fraction(epsilon), neighbors, factor, degrees=degrees)
    assert audit(one, worker_cell_pairs(neighbors, SIZES[::3])).holds


@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "0.191"), ("0.1", "2"), ("0.1", "4")])
def test_the_factor_comes_near_epsilon(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon)
    loss = largest_loss(one, worker_cell_pairs(one.neighbors, SIZES[::3]))
    assert 0.7 * float(one.epsilon) <= loss <= float(one.epsilon) + SLACK


def test_its_promise_is_the_variant_and_its_margin_stays_in_the_building() -> None:
    one = mechanism("0.1", "1")
    assert (one.guarantee.claim, one.guarantee.epsilon, one.guarantee.delta) == (Claim.ER_EE, 1, 0)
    assert not one.publishes_margin
    assert one.limits(np.array([3])) is None
    assert one.scale_words == (
        "Student’s t noise with 3 degrees of freedom times k·max(α·x, 1), k = 1.617, "
        "x the confidential size of the cell’s largest establishment"
    )


@pytest.mark.parametrize(("size", "epsilon"), [("0.1", "0.5"), ("0.1", "1"), ("0.01", "1"), ("0.001", "4")])
def test_the_error_is_that_of_the_density(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon)
    law = one.error(Sizes(np.array([700.0]), np.array([300.0])))
    density = lambda y: np.exp(one.log_density(700, 300, y))  # noqa: E731
    assert integral(700, density) == pytest.approx(1, abs=1e-6)
    assert integral(700, lambda y: np.abs(y - 700) * density(y)) == pytest.approx(law.expected[0], rel=1e-5)
    for chance in (0.5, 0.9, 0.99):
        within = law.quantile(chance)
        assert law.chance_within(within) == pytest.approx(chance)
        assert integral(700, lambda y, m=within: density(y) * (np.abs(y - 700) <= m)) == pytest.approx(chance, abs=1e-3)


@pytest.mark.parametrize(("size", "epsilon"), [("0.1", "0.5"), ("0.1", "1"), ("0.01", "1")])
def test_released_cells_err_as_the_law_says(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon)
    sizes = Sizes(np.array([0.0, 500.0, 40_000.0]), np.array([0.0, 200.0, 30_000.0]))
    draws = 20_000
    counts, largest = (np.repeat(values.astype(np.int64), draws) for values in (sizes.counts, sizes.largest))
    errors = (one.release(counts, largest, RehearsalNoise(8)) - counts).reshape(3, draws)
    for chance in (0.5, 0.95):
        distance = np.floor(one.error(sizes).quantile(chance)) + 0.5  # halfway, because releases are whole numbers
        for row, m, expected in zip(errors, distance, one.error(sizes).chance_within(distance), strict=True):
            assert agrees(np.abs(row) <= m, expected)
    for row in errors:
        assert agrees(row > 0, (row != 0).mean() / 2)


def test_a_release_without_the_largest_establishments_is_impossible() -> None:
    with pytest.raises(ValueError, match="largest establishment"):
        mechanism("0.1", "1").release(np.array([3]), None, RehearsalNoise(1))
