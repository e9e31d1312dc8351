"""Exact rounding: proven bounds against 300-bit truth, exact counts from stratified uniforms, frequencies, limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor, sqrt

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from numpy.typing import NDArray

from workbench.privacy import rounding
from workbench.privacy.distributions import (
    CDF_ERROR,
    TAIL_ERROR,
    Distribution,
    GammaLike,
    StandardLaplace,
    StudentT,
)
from workbench.privacy.intervals import Enclosures
from workbench.privacy.rounding import LIMIT, Scales, Words, draw_rounded, lattice_sensitivity, log_lattice

DISTRIBUTIONS: list[Distribution] = [GammaLike(), *map(StudentT, (2, 3, 4, 5)), StandardLaplace()]
ONE = Fraction(1)

each_distribution = pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=str)


@pytest.fixture(autouse=True)
def _300_bits() -> Iterable[None]:
    with mpmath.workprec(300):
        yield


def exact(value: Fraction | float) -> mpf:
    numerator, denominator = value.as_integer_ratio()
    return mpf(numerator) / denominator


def fraction(value: mpf) -> Fraction:
    return Fraction(int(value * mpf(2) ** 290), 2**290)


def true_tail(distribution: Distribution, z: Fraction | float) -> mpf:
    """P(|η| > z) by textbook formulas other than those of the program."""
    x = exact(z)
    if isinstance(distribution, StudentT):
        nu = distribution.degrees
        return mpmath.betainc(mpf(nu) / 2, mpf(1) / 2, 0, nu / (nu + x * x), regularized=True)
    if isinstance(distribution, GammaLike):
        root = mpmath.sqrt(2)
        logs = mpmath.log((x * x + root * x + 1) / (x * x - root * x + 1)) / 2
        return 1 - (logs + mpmath.atan(root * x + 1) + mpmath.atan(root * x - 1)) / mpmath.pi
    return mpmath.exp(-x)


def some_magnitudes() -> NDArray[np.float64]:
    draws = np.random.default_rng(4)
    return np.concatenate(
        [[0.0, 2.0**-40, 1.0], 3 * draws.random(150), np.exp(draws.uniform(-15, 30, 150)), 45 * draws.random(100)]
    )


def seeded(seed: int) -> Words:
    source = np.random.PCG64(seed)
    return lambda count: np.asarray(source.random_raw(count), dtype=np.uint64)


def scripted(*given: int) -> Words:
    """These words, in this order, and no more."""
    left = list(given)

    def words(count: int) -> NDArray[np.uint64]:
        assert count <= len(left), "more words were asked for than expected"
        taken = left[:count]
        del left[:count]
        return np.array(taken, dtype=np.uint64)

    return words


def same(scale: Fraction, count: int) -> Scales:
    return Scales(np.ones(count, dtype=np.int64), scale)


def zeros(count: int) -> NDArray[np.int64]:
    return np.zeros(count, dtype=np.int64)


# The distributions


@each_distribution
def test_fast_tail_keeps_its_bound_with_room_to_spare(distribution: Distribution) -> None:
    magnitudes = some_magnitudes()
    for z, fast in zip(magnitudes.tolist(), distribution.fast_tail(magnitudes).tolist(), strict=True):
        assert abs(exact(fast) - true_tail(distribution, z)) <= TAIL_ERROR / 2 / max(1, z)


@each_distribution
def test_fast_tail_keeps_its_bound_when_its_argument_was_rounded_six_times(distribution: Distribution) -> None:
    magnitudes = some_magnitudes()
    for shift in (1 - 6 * 2.0**-53, 1 + 6 * 2.0**-53):
        moved = distribution.fast_tail(magnitudes * shift)
        for z, fast in zip(magnitudes.tolist(), moved.tolist(), strict=True):
            assert abs(exact(fast) - true_tail(distribution, z)) <= TAIL_ERROR / 2 / max(1, z)


@each_distribution
def test_cdf_keeps_its_bound_on_both_sides(distribution: Distribution) -> None:
    for z in some_magnitudes().tolist():
        half = true_tail(distribution, z) / 2
        below, above = distribution.cdf([-z, z]).tolist()
        assert abs(exact(below) - (half if z else mpf(1) / 2)) <= CDF_ERROR
        assert abs(exact(above) - (1 - half)) <= CDF_ERROR


@each_distribution
@pytest.mark.parametrize("bits", [20, 64, 200])
def test_enclosures_hold_the_truth_and_are_as_narrow_as_asked(distribution: Distribution, bits: int) -> None:
    for z in some_magnitudes()[::5].tolist():
        for side in (-1, 1):
            low, high = distribution.cdf_ball(side * Fraction(z), bits)
            half = true_tail(distribution, z) / 2
            assert exact(low) <= (half if side * z < 0 else 1 - half) <= exact(high)
            assert high - low <= Fraction(1, 2**bits)


@each_distribution
def test_density_is_the_slope_of_the_distribution_function(distribution: Distribution) -> None:
    z, step = np.array([-3.0, -0.4, 0.3, 1.0, 2.5, 6.0]), 1e-4
    slope = (distribution.cdf(z + step) - distribution.cdf(z - step)) / (2 * step)
    assert distribution.density(z) == pytest.approx(slope, rel=1e-5)


@each_distribution
def test_quantiles_invert_the_distribution_function(distribution: Distribution) -> None:
    chances = np.array([1e-9, 1e-4, 0.02, 0.31, 0.5, 0.77, 0.999, 1 - 1e-7])
    assert distribution.cdf(distribution.quantile(chances)) == pytest.approx(chances, rel=1e-10)
    within = distribution.magnitude_quantile(chances)
    assert 1 - distribution.fast_tail(within) == pytest.approx(chances, rel=1e-6)


@each_distribution
def test_quantiles_reach_far_into_the_tail(distribution: Distribution) -> None:
    for chance in (2.0**-30, 2.0**-50, 2.0**-62):
        z = float(distribution.quantile([chance])[0])
        assert z < 0
        assert float(true_tail(distribution, -z) / 2) == pytest.approx(chance, rel=1e-2)


@each_distribution
def test_expected_magnitude_is_the_integral_of_the_tail(distribution: Distribution) -> None:
    with mpmath.workprec(60):
        integral = mpmath.quad(lambda z: true_tail(distribution, Fraction(float(z))), [0, 1, 4, 20, 200, 10**4, 10**7])
    assert distribution.expected_magnitude == pytest.approx(float(integral), rel=1e-6)


def test_other_degrees_of_freedom_are_refused() -> None:
    with pytest.raises(ValueError, match="2, 3, 4 and 5"):
        StudentT(6)


@pytest.mark.parametrize("bits", [30, 100, 250])
def test_elementary_enclosures_hold_the_truth(bits: int) -> None:
    arithmetic = Enclosures(bits)
    for x in (Fraction(1, 1000), Fraction(2, 3), Fraction(1), Fraction(11, 10), Fraction(7), Fraction(10**12, 7)):
        for found, truth in (
            (arithmetic.log(x), mpmath.log(exact(x))),
            (arithmetic.exp_minus(arithmetic.of(x)), mpmath.exp(-exact(x))),
            (arithmetic.sqrt(arithmetic.of(x)), mpmath.sqrt(exact(x))),
            (arithmetic.pi, mpmath.pi),
        ):
            low, high = found.ends
            assert exact(low) <= truth <= exact(high)
            assert high - low < Fraction(1, 2 ** (bits - 22))


def test_intervals_refuse_to_divide_by_what_may_be_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        1 / Enclosures(10).of(Fraction(1, 10**6))


def test_intervals_of_different_precision_do_not_mix() -> None:
    with pytest.raises(ValueError, match="precision"):
        Enclosures(10).of(1) + Enclosures(12).of(1)


# Rounding to the grid


def stratified(bits: int) -> NDArray[np.uint64]:
    """The middle of every one of 2**bits strata, with both signs: first all upward, then all downward."""
    upward = (np.arange(2**bits, dtype=np.uint64) * np.uint64(2) + np.uint64(1)) << np.uint64(63 - bits)
    return np.concatenate([upward, upward | np.uint64(1)])


def expected_counts(distribution: Distribution, lean: Fraction, spread: Fraction, bits: int, sign: int) -> Counter[int]:
    """How many middles lie in each cell on one side: those below the tail where it begins and not where it ends."""
    counts: Counter[int] = Counter()
    steps, beyond = 0, 2**bits
    while beyond:
        tail = true_tail(distribution, (steps + Fraction(1, 2) - sign * lean) / spread)
        further = ceil(tail * 2**bits - mpf(1) / 2)
        counts[sign * steps] += beyond - further
        steps, beyond = steps + 1, further
    return counts


@each_distribution
@pytest.mark.parametrize(
    ("center", "spread"), [(ONE * 5, Fraction(37, 10)), (Fraction(-22, 7), Fraction(3, 2)), (Fraction(1, 2), ONE / 3)]
)
def test_stratified_uniforms_give_exact_counts(distribution: Distribution, center: Fraction, spread: Fraction) -> None:
    bits, grid = 11, Fraction(1, 10_000)
    words = stratified(bits)
    nearest = floor(center + Fraction(1, 2))
    expected: Counter[int] = Counter()
    for sign in (1, -1):
        expected += expected_counts(distribution, center - nearest, spread, bits, sign)
    drawn = draw_rounded(
        distribution, [center] * len(words), [spread * grid] * len(words), grid, scripted(*words.tolist())
    )
    assert Counter((drawn - nearest).tolist()) == +expected


@each_distribution
def test_neighbouring_counts_reach_the_same_outputs(distribution: Distribution) -> None:
    """Also when the scale differs, as it does between neighbours: no output tells one from the other for certain."""
    words = stratified(14)
    reach = 25
    for center, scale in ((0, Fraction(4)), (1, Fraction(22, 5))):
        drawn = draw_rounded(
            distribution, np.full(len(words), center), same(scale, len(words)), ONE, scripted(*words.tolist())
        )
        assert set(range(-reach, reach + 1)) <= set(drawn.tolist())


@each_distribution
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(37, 10), Fraction(123_456, 7)], ids=str)
def test_draws_beside_a_boundary_are_decided_as_300_bits_decide_them(
    distribution: Distribution, scale: Fraction
) -> None:
    for steps in (1, 2, 5):
        tail = fraction(true_tail(distribution, (steps - Fraction(1, 2)) / scale))
        edge = floor(tail * 2**63)
        for depth, result in ((edge - 1, steps), (edge + 1, steps - 1)):
            for sign in (1, -1):
                word = depth << 1 | (sign < 0)
                assert draw_rounded(distribution, zeros(1), same(scale, 1), ONE, scripted(word)) == [sign * result]


@each_distribution
@pytest.mark.parametrize("further", [1, 2, 3])
def test_a_draw_on_a_boundary_takes_as_many_words_as_it_needs(distribution: Distribution, further: int) -> None:
    """The first words spell the tail at a boundary; only the last leaves it, downward or upward."""
    scale, steps = Fraction(37, 10), 3
    tail = fraction(true_tail(distribution, (steps - Fraction(1, 2)) / scale))
    spelled = [floor(tail * 2 ** (63 + 64 * k)) % 2 ** (64 if k else 63) for k in range(further + 1)]
    for nudge, result in ((-1, steps), (1, steps - 1)):
        words = [spelled[0] << 1, *spelled[1:-1], spelled[-1] + nudge]
        assert draw_rounded(distribution, zeros(1), same(scale, 1), ONE, scripted(*words)) == [result]


@each_distribution
def test_the_far_tail_is_refined_from_further_words(distribution: Distribution) -> None:
    """A first word of zeros says only that the chance is below 2**-63."""
    word, scale = 2**63 + 12_345, Fraction(10)
    result = int(draw_rounded(distribution, zeros(1), same(scale, 1), ONE, scripted(0, word))[0])
    begin, end = (true_tail(distribution, (result + side * Fraction(1, 2)) / scale) for side in (-1, 1))
    tail = mpf(word) / mpf(2) ** 127
    assert end < tail < begin


@each_distribution
@pytest.mark.parametrize("centers", [zeros(300), [Fraction(k, 7) for k in range(300)]], ids=["whole", "broken"])
def test_proposals_that_count_as_proven_are_what_enclosures_decide(
    distribution: Distribution, centers: NDArray[np.int64] | list[Fraction], monkeypatch: pytest.MonkeyPatch
) -> None:
    scales = Scales(np.arange(1, 301) ** 3, Fraction(3, 8))
    proposed = draw_rounded(distribution, centers, scales, ONE, seeded(1))
    monkeypatch.setattr(rounding, "TAIL_ERROR", 2.0)
    decided = draw_rounded(distribution, centers, scales, ONE, seeded(1))
    assert proposed.tolist() == decided.tolist()


@each_distribution
def test_floats_alone_decide_ordinary_draws(distribution: Distribution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(rounding, "_decide")
    drawn = draw_rounded(distribution, zeros(100_000), same(Fraction(370), 100_000), ONE, seeded(2))
    assert np.abs(drawn).mean() == pytest.approx(370 * distribution.expected_magnitude, rel=0.05)


@each_distribution
def test_frequencies_of_a_million_draws_pass_chi_square(distribution: Distribution) -> None:
    draws, scale, reach = 1_000_000, Fraction(29, 10), 20
    drawn = draw_rounded(distribution, np.full(draws, 7), same(scale, draws), ONE, seeded(20_260_101)) - 7
    edges = [distribution.cdf_ball((k - Fraction(1, 2)) / scale, 60)[0] for k in range(-reach, reach + 2)]
    chances = np.diff(np.array([0, *map(float, edges), 1]))
    found = np.bincount(np.clip(drawn, -reach - 1, reach + 1) + reach + 1, minlength=len(chances))
    large = chances * draws > 20
    statistic = ((found - chances * draws) ** 2 / (chances * draws))[large].sum()
    freedom = large.sum() - 1
    assert large.sum() > 20
    assert abs(statistic - freedom) < 4 * sqrt(2 * freedom)


@each_distribution
def test_each_draw_has_its_own_center_and_scale(distribution: Distribution) -> None:
    count = 60_000
    centers, multiples = np.arange(count) % 3 * 1000, np.arange(count) % 3 * 9 + 1
    drawn = draw_rounded(distribution, centers, Scales(multiples, Fraction(4)), Fraction(2), seeded(3))
    for kind in range(3):
        noise = drawn[kind::3] - kind * 1000
        expected = float(distribution.magnitude_quantile([0.5])[0]) * 2 * (kind * 9 + 1)
        assert np.median(np.abs(noise)) == pytest.approx(expected, rel=0.05, abs=0.5)


def test_results_depend_on_the_scale_in_grid_units_alone() -> None:
    fine, coarse = (
        draw_rounded(GammaLike(), zeros(50), same(Fraction(7, 3) * grid, 50), grid, seeded(9))
        for grid in (Fraction(1, 10_000), ONE)
    )
    assert fine.tolist() == coarse.tolist()


def test_a_scale_far_below_the_grid_leaves_the_nearest_point() -> None:
    for scale in (Fraction(1, 10**40), Fraction(1, 10**80)):
        drawn = draw_rounded(StandardLaplace(), [Fraction(5, 3)] * 20, [scale] * 20, ONE, seeded(5))
        assert drawn.tolist() == [2] * 20


@each_distribution
def test_scales_too_narrow_for_floats_are_drawn_exactly(distribution: Distribution) -> None:
    """The center lies one scale below the end of its cell, and both distances are far below what floats can use."""
    scale = Fraction(1, 10**80)
    words = stratified(6)
    drawn = draw_rounded(distribution, [Fraction(1, 2) - scale] * 128, [scale] * 128, ONE, scripted(*words.tolist()))
    beyond = ceil(true_tail(distribution, 1) * 64 - mpf(1) / 2)
    assert Counter(drawn.tolist()) == {1: beyond, 0: 128 - beyond}


@each_distribution
def test_scales_too_wide_for_floats_are_drawn_exactly(distribution: Distribution) -> None:
    scale, words, further = Fraction(10**17, 3), stratified(3), [0] * 16
    drawn = draw_rounded(distribution, zeros(16), same(scale, 16), ONE, scripted(*words.tolist(), *further))
    for word, result in zip(words.tolist(), drawn.tolist(), strict=True):
        begin, end = (true_tail(distribution, (abs(result) + side * Fraction(1, 2)) / scale) for side in (-1, 1))
        assert end < mpf(word >> 1) / mpf(2) ** 63 < begin
        assert (result < 0) == (word & 1)


def test_values_beyond_the_limit_stop_at_it_from_every_center() -> None:
    """As if the value had been computed without limit and then clipped: also from the opposite end."""
    words = scripted(4, 5, 4, 5)
    centers = np.array([-(2**63), 2**63 - 1, LIMIT, -LIMIT])
    drawn = draw_rounded(StudentT(2), centers, same(Fraction(2**61), 4), ONE, words)
    assert drawn.tolist() == [LIMIT, -LIMIT, LIMIT, -LIMIT]
    assert draw_rounded(StudentT(2), [2**70], same(Fraction(1, 100), 1), ONE, scripted(2**63)) == [LIMIT]


def test_no_cells_need_no_words() -> None:
    assert draw_rounded(GammaLike(), zeros(0), same(ONE, 0), ONE, scripted()).tolist() == []
    assert draw_rounded(GammaLike(), [], [], ONE, scripted()).tolist() == []


@pytest.mark.parametrize(
    ("scales", "what"),
    [(same(ONE, 2), "one scale"), (same(Fraction(0), 3), "positive"), ([ONE, ONE, Fraction(-1)], "positive")],
)
def test_missing_and_senseless_scales_are_refused(scales: Scales | list[Fraction], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        draw_rounded(GammaLike(), zeros(3), scales, ONE, scripted())


# Logarithms on the lattice


def true_lattice(count: int, alpha: Fraction, bits: int) -> int:
    return int(mpmath.nint(mpf(2) ** bits * mpmath.log(count + 1 / exact(alpha))))


def counts_near_a_tie(alpha: Fraction, bits: int) -> NDArray[np.int64]:
    """Counts whose logarithm lies within 2**-13 of the middle between two lattice points, as far as floats can tell."""
    counts = np.arange(3_000_000)
    part = np.log(counts + np.longdouble(1) / np.longdouble(float(alpha))) * 2**bits % 1
    return counts[np.abs(part - 0.5) < 2.0**-13]


ALPHAS = [Fraction(1, 1000), Fraction(1, 20), Fraction(1, 10), Fraction(3, 20), Fraction(1), Fraction(3, 2)]


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize("bits", [20, 40, 48])
def test_lattice_points_are_the_nearest(alpha: Fraction, bits: int) -> None:
    draws = np.random.default_rng(8)
    powers = 2 ** np.arange(62)
    counts = np.concatenate(
        [
            np.arange(300),
            powers - 1,
            powers,
            2**63 - 1 - powers,
            draws.integers(0, 2**62, 50),
            draws.integers(0, 10**7, 300),
        ]
    )
    assert log_lattice(counts, alpha, bits).tolist() == [true_lattice(n, alpha, bits) for n in counts.tolist()]


def test_lattice_points_next_to_a_tie_are_the_nearest() -> None:
    counts = counts_near_a_tie(Fraction(1, 10), 40)
    assert len(counts) > 100
    assert log_lattice(counts, Fraction(1, 10)).tolist() == [
        true_lattice(n, Fraction(1, 10), 40) for n in counts.tolist()
    ]


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize("bits", [4, 40])
def test_no_step_moves_a_count_further_than_the_lattice_sensitivity(alpha: Fraction, bits: int) -> None:
    counts = np.concatenate([np.arange(20_000), 10 ** np.arange(1, 12) * 7])
    largest = np.array([floor((1 + alpha) * n + 1) for n in counts.tolist()])
    moves = log_lattice(largest, alpha, bits) - log_lattice(counts, alpha, bits)
    bound = ceil(mpf(2) ** bits * mpmath.log(1 + exact(alpha)))
    assert lattice_sensitivity(alpha, bits) == bound + 1
    assert bound - 1 <= moves.max() <= bound


def test_negative_counts_and_too_fine_lattices_are_refused() -> None:
    for counts, bits in ((np.array([3, -1]), 40), (np.array([3]), 49)):
        with pytest.raises(ValueError, match="lattice takes counts"):
            log_lattice(counts, Fraction(1, 10), bits)
