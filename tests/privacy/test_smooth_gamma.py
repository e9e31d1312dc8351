"""Smooth Gamma: tight and published factors, where they hold, what they give away, how far they err."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha, integral

from workbench.plan.neighbors import Worker
from workbench.privacy.audit import SLACK, audit, largest_loss, neighbouring_pairs, worker_cell_pairs
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma, Split
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.unfit import Unfit

# α, ε, then E|error| in units of S as published and tight; None where it does not hold.
CHECK_VALUES = [
    ("0.01", "1", 3.72, 1.66),
    ("0.05", "1", 4.68, 1.89),
    ("0.1", "0.5", 150.8, 7.53),
    ("0.1", "1", 6.75, 2.26),
    ("0.1", "2", 2.32, 0.94),
    ("0.1", "4", 1.00, 0.43),
    ("0.2", "1", 40.0, 3.56),
    ("0.2", "2", 3.25, 1.11),
    ("0.15", "0.5", None, 19.97),
    ("0.1", "0.25", None, None),
    ("0.15", "0.25", None, None),
    ("0.2", "0.25", None, None),
]


def mechanism(size: str, epsilon: str, split: Split = Split.TIGHT, strict: bool = False) -> SmoothGamma:
    fitting = SmoothGamma.consider(alpha(size, strict), Fraction(epsilon), split=split)
    assert isinstance(fitting, SmoothGamma)
    return fitting


def in_bounds(size: str, epsilon: str, split: Split) -> float | None:
    """E|error| of a cell whose S is 1."""
    considered = SmoothGamma.consider(alpha(size), Fraction(epsilon), split=split)
    return None if isinstance(considered, Unfit) else considered.error(Sizes(np.zeros(1), np.zeros(1))).expected[0]


@pytest.mark.parametrize(("size", "epsilon", "published", "tight"), CHECK_VALUES)
def test_expected_error_in_units_of_the_bound(
    size: str, epsilon: str, published: float | None, tight: float | None
) -> None:
    for split, expected in ((Split.PUBLISHED, published), (Split.TIGHT, tight)):
        found = in_bounds(size, epsilon, split)
        assert found == (None if expected is None else pytest.approx(expected, abs=0.005 if expected < 100 else 0.05))


@pytest.mark.parametrize(("split", "dilation"), [(Split.TIGHT, 3), (Split.PUBLISHED, 5)])
def test_it_holds_from_the_boundary_of_validity_and_says_where_that_is(split: Split, dilation: int) -> None:
    refused = SmoothGamma.consider(alpha("0.1"), Fraction("0.25"), split=split)
    assert isinstance(refused, Unfit)
    smallest = refused.smallest_epsilon
    assert smallest is not None
    assert dilation * np.log(1.1) < smallest < dilation * np.log(1.1) + 0.001
    assert isinstance(SmoothGamma.consider(alpha("0.1"), smallest, split=split), SmoothGamma)
    assert str(float(smallest)) in refused.reason


def test_it_is_for_strong_alpha_only() -> None:
    assert SmoothGamma.consider(Worker(), Fraction(1)) == Unfit(
        "It protects “strong-alpha” only; the plan protects “worker”."
    )


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "0.48"), ("0.1", "1"), ("0.2", "2"), ("1", "4")])
def test_no_pair_of_neighbours_loses_more_than_epsilon(size: str, epsilon: str, split: Split, strict: bool) -> None:
    one = mechanism(size, epsilon, split, strict)
    assert audit(one, neighbouring_pairs(one.neighbors, SIZES)).holds
    assert audit(one, worker_cell_pairs(one.neighbors, SIZES[::3])).holds


@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "0.286"), ("0.1", "2"), ("0.1", "4")])
def test_the_tight_factor_comes_near_epsilon(size: str, epsilon: str) -> None:
    one = mechanism(size, epsilon)
    loss = largest_loss(one, worker_cell_pairs(one.neighbors, SIZES[::3]))
    assert 0.7 * float(one.epsilon) <= loss <= float(one.epsilon) + SLACK


def test_its_promise_is_the_variant_and_its_margin_stays_in_the_building() -> None:
    one = mechanism("0.1", "1")
    assert (one.guarantee.claim, one.guarantee.epsilon, one.guarantee.delta) == (Claim.ER_EE, 1, 0)
    assert not one.publishes_margin
    assert one.limits(np.array([3])) is None
    assert "confidential" in one.scale_words


def test_the_error_is_that_of_the_density() -> None:
    one = mechanism("0.1", "1")
    law = one.error(Sizes(np.array([700.0]), np.array([300.0])))
    density = lambda y: np.exp(one.log_density(700, 300, y))  # noqa: E731
    assert integral(700, density) == pytest.approx(1, abs=1e-6)
    assert integral(700, lambda y: np.abs(y - 700) * density(y)) == pytest.approx(law.expected[0], rel=1e-6)
    assert law.bias == [0]
    for chance in (0.5, 0.9, 0.99):
        within = law.quantile(chance)
        assert law.chance_within(within) == pytest.approx(chance)
        assert integral(700, lambda y, m=within: density(y) * (np.abs(y - 700) <= m)) == pytest.approx(chance, abs=1e-3)


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
def test_released_cells_err_as_the_law_says(strict: bool) -> None:
    one = mechanism("0.1", "1", strict=strict)
    sizes = Sizes(np.array([0.0, 500.0, 40_000.0]), np.array([0.0, 200.0, 30_000.0]))
    draws = 20_000
    counts, largest = (np.repeat(values.astype(np.int64), draws) for values in (sizes.counts, sizes.largest))
    noisy = one.release(counts, largest, RehearsalNoise(7))
    assert noisy.dtype == np.int64
    errors = np.abs(noisy - counts).reshape(3, draws)
    for chance in (0.5, 0.95):
        distance = np.floor(one.error(sizes).quantile(chance)) + 0.5  # halfway, because releases are whole numbers
        for row, m, expected in zip(errors, distance, one.error(sizes).chance_within(distance), strict=True):
            assert agrees(row <= m, expected)
    assert errors[1:].mean(axis=1) == pytest.approx(one.error(sizes).expected[1:], rel=0.05)
