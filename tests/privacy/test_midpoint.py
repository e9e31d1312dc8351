"""Midpoint Student-t: a sum and its count at once, for one epsilon, at hardly more noise than the sum alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import hypot

import numpy as np
import pytest
from strong_alpha import agrees, alpha, independent_error

from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Worker
from workbench.plan.plan import StatisticKind
from workbench.privacy.audit import SLACK, Pair, audit, largest_loss, sum_and_count_pairs
from workbench.privacy.brief import Brief
from workbench.privacy.choose import choose
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanism import Takes
from workbench.privacy.mechanisms import offer_named
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
from workbench.privacy.mechanisms.midpoint import MidpointT, best_weight
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.mechanisms.student import StudentMagnitude
from workbench.privacy.noise import RehearsalNoise, SystemNoise
from workbench.privacy.rounding import LIMIT
from workbench.privacy.unfit import Unfit

FEW_SIZES = [0, 1, 9, 10, 11, 100, 1000]
PAY = MeasureGrid(Fraction(1), 0, 100_000)
GRIDS = {
    "from zero": PAY,
    "leaning": MeasureGrid(Fraction(1), -50_000, 100_000),
    "symmetric": MeasureGrid(Fraction(1), -50_000, 50_000),
    "far from zero": MeasureGrid(Fraction(1), 1_000_000, 1_100_000),
    "negative": MeasureGrid(Fraction(1), -100_000, 0),
}
every_grid = pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)


def mechanism(size: str, epsilon: str, grid: MeasureGrid = PAY, strict: bool = False, **more: Fraction) -> MidpointT:
    one = MidpointT.consider(alpha(size, strict), Fraction(epsilon), grid, **more)
    assert isinstance(one, MidpointT)
    return one


@every_grid
@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "1"), ("0.1", "4")])
def test_no_pair_of_neighbours_loses_more_than_epsilon(
    size: str, epsilon: str, grid: MeasureGrid, strict: bool
) -> None:
    one = mechanism(size, epsilon, grid, strict)
    assert audit(one, sum_and_count_pairs(one.neighbors, FEW_SIZES[::2], grid)).holds


@every_grid
def test_the_factor_comes_near_epsilon(grid: MeasureGrid) -> None:
    one = mechanism("0.01", "1", grid)
    assert 0.9 <= largest_loss(one, sum_and_count_pairs(one.neighbors, FEW_SIZES, grid)) <= 1 + SLACK


@pytest.mark.parametrize("weight", [Fraction(1, 8), Fraction(1), Fraction(9)], ids=str)
def test_any_weight_keeps_the_promise(weight: Fraction) -> None:
    one = mechanism("0.1", "2", PAY, weight=weight)
    assert audit(one, sum_and_count_pairs(one.neighbors, FEW_SIZES[::2], PAY)).holds


@pytest.mark.parametrize("change", [{"factor": 2}, {"weight": 3}, {"upper": 2}], ids=str)
def test_too_little_noise_is_caught(change: dict[str, int]) -> None:
    """Half the factor, a third of the weight of the count, or half the width, with the rest as it was."""
    one = mechanism("0.01", "4")
    ((name, divisor),) = change.items()
    careless = replace(
        one, **{name: getattr(one, name) // divisor if name == "upper" else getattr(one, name) / divisor}
    )
    assert not audit(careless, sum_and_count_pairs(one.neighbors, FEW_SIZES, PAY)).holds


def test_a_record_without_a_value_is_covered_because_sums_widen_the_bounds() -> None:
    """Such a record adds (0, 1). With bounds far from 0 that is further from the midpoint than any value is."""
    grid, neighbors = GRIDS["far from zero"], alpha("0.1")
    missing = Pair(np.array([0, 0]), 1000, np.array([0, 100]), 1100)
    narrow = mechanism("0.1", "4", grid)
    assert not audit(narrow, [missing]).holds
    choice = choose(Brief(StatisticKind.SUM, neighbors, Fraction(4), measure=grid, wanted="midpoint-t"))
    assert choice is not None and isinstance(choice.mechanism, MidpointT)
    assert (choice.mechanism.lower, choice.mechanism.upper) == (0, grid.upper)
    assert audit(choice.mechanism, [missing]).holds
    assert audit(choice.mechanism, sum_and_count_pairs(neighbors, FEW_SIZES, grid)).holds


@every_grid
def test_the_weight_gives_the_sum_nearly_its_least_noise(grid: MeasureGrid) -> None:
    """½·√(1+1/w²)·√((U-L)² + (L+U)²w²) is at least max(|L|, |U|), and here at most 3.1 % more."""
    weight = float(best_weight(grid))
    width, twice_middle = grid.upper - grid.lower, grid.lower + grid.upper
    reached = hypot(1, 1 / weight) * hypot(width, twice_middle * weight) / 2
    assert grid.reach * (1 - 1e-12) <= reached <= grid.reach * 1.031
    one = mechanism("0.1", "1", grid)
    for other in (one.weight / 2, one.weight * 2):
        assert mechanism("0.1", "1", grid, weight=other).scale(50) >= one.scale(50) * (1 - 1e-9) or one.weight == 4


@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "1"), ("0.1", "4"), ("0.2", "1")])
def test_it_costs_a_fifth_to_a_third_more_than_the_sum_alone(size: str, epsilon: str) -> None:
    alone = SmoothT.consider(alpha(size), Fraction(epsilon))
    assert isinstance(alone, SmoothT)
    sizes = Sizes(np.zeros(1), np.zeros(1))
    ratio = mechanism(size, epsilon).error(sizes).expected / replace(alone, reach=PAY.reach).error(sizes).expected
    assert 1.19 <= ratio[0] <= 1.34


@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.05", "2"), ("0.1", "1"), ("0.1", "4")])
@pytest.mark.parametrize("name", ["from zero", "leaning", "symmetric"])
def test_independent_noises_would_err_more(name: str, size: str, epsilon: str) -> None:
    """Wherever 0 is within the bounds, as it is for sums."""
    grid = GRIDS[name]
    one = mechanism(size, epsilon, grid)
    width, twice_middle = grid.upper - grid.lower, grid.lower + grid.upper
    assert one.error(Sizes(np.zeros(1), np.zeros(1))).expected[0] < independent_error(
        size, epsilon, width, twice_middle
    )


@every_grid
def test_sums_err_as_the_law_says_and_counts_as_their_weight(grid: MeasureGrid) -> None:
    one, rows = mechanism("0.1", "2", grid), 4000
    values = np.tile(np.array([300 * grid.upper - 7, 300]), (rows, 1))
    largest = np.full(rows, 200)
    pairs = one.release_pair(values, largest, RehearsalNoise(4))
    law = one.error(Sizes(np.full(rows, 300.0), largest.astype(np.float64)))
    unit = float(one.factor) * 20
    for chance in (0.5, 0.95):
        assert agrees(np.abs(one.sums(pairs) - values[:, 0]) <= law.quantile(chance), chance)
        reach = StudentMagnitude(one.degrees).magnitude_quantile(chance)
        away = np.abs(pairs - one.deviations(values)) / [unit * one.width, unit * float(one.weight)]
        assert agrees(away[:, 0] <= reach, chance)
        # The noise of a count is a few whole numbers wide: rounding moves it by at most half of one.
        within = np.abs(pairs[:, 1] - 300)
        assert (within <= unit * float(one.weight) * reach + 0.5).mean() >= chance - 0.05
        assert (within <= unit * float(one.weight) * reach - 0.5).mean() <= chance + 0.05


def test_the_release_is_the_sum_of_the_pair() -> None:
    one = mechanism("0.1", "2", GRIDS["leaning"])
    values, largest = np.array([[1_000_001, 40], [-7, 3], [0, 0]]), np.array([10, 2, 0])
    assert one.sums(one.deviations(values)).tolist() == [1_000_001, -7, 0]
    noisy = one.release(values, largest, RehearsalNoise(8))
    assert noisy.tolist() == one.sums(one.release_pair(values, largest, RehearsalNoise(8))).tolist()
    assert noisy.dtype == np.int64
    assert one.release(values, largest, SystemNoise()).shape == (3,)
    with pytest.raises(ValueError, match="a sum, a count and a largest"):
        one.release(values, None, RehearsalNoise(8))
    with pytest.raises(ValueError, match="a sum, a count and a largest"):
        one.release(values[:, :1], largest, RehearsalNoise(8))


def test_numbers_beyond_the_limit_do_not_wrap_around() -> None:
    one = mechanism("0.1", "2")
    assert one.sums(np.array([[LIMIT, LIMIT], [-LIMIT, -LIMIT]])).tolist() == [LIMIT, -LIMIT]
    assert one.deviations(np.array([[0, LIMIT]])).tolist() == [[-LIMIT, LIMIT]]


def test_it_is_offered_for_sums_under_strong_alpha_and_says_why_not() -> None:
    offer = offer_named("midpoint-t")
    assert offer is not None and offer.kinds == {StatisticKind.SUM} and not offer.publishes_margin
    brief = Brief(StatisticKind.SUM, alpha("0.1"), Fraction(4), measure=PAY, wanted="midpoint-t")
    without = offer.fit(replace(brief, measure=None))
    assert isinstance(without, Unfit) and "public bounds" in without.reason
    shared = choose(replace(brief, worker_cells=4))
    assert shared is not None and isinstance(shared.mechanism, CellByCell)
    assert shared.mechanism.takes is Takes.SUMS_AND_COUNTS
    assert shared.mechanism.guarantee.epsilon == 4
    refused = MidpointT.consider(alpha("0.15"), Fraction("0.25"), PAY)
    assert isinstance(refused, Unfit) and refused.smallest_epsilon == Fraction("0.28")
    assert isinstance(MidpointT.consider(Worker(), Fraction(1), PAY), Unfit)


def test_its_promise_and_its_words() -> None:
    one = mechanism("0.1", "1")
    assert (one.guarantee.claim, one.guarantee.epsilon, one.guarantee.delta) == (Claim.ER_EE, 1, 0)
    assert one.limits(np.array([3])) is None and one.margin() is None
    assert "bivariate Student’s t noise with 3 degrees of freedom times k·max(α·x, 1)" in one.scale_words
    assert "(α·x + 1)" in mechanism("0.1", "1", strict=True).scale_words
