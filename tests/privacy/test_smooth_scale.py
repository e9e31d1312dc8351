"""The smooth scale S: it bounds every step, and grows by at most 1 + α; factors are rounded toward more noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strong_alpha import alpha

from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.mechanisms.growth import EXACT, growth_log
from workbench.privacy.mechanisms.smooth import exact_scales, noise_factor, smooth_bound
from workbench.privacy.unfit import readable_above

EVERY_SIZE = np.arange(0, 3000)
ONE = Fraction(1)

both_readings = pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])


def exact_bounds(neighbors: StrongAlpha, sizes: list[int]) -> list[Fraction]:
    scales = exact_scales(neighbors, ONE, np.array(sizes))
    return [scales[i] for i in range(len(sizes))]


@both_readings
@pytest.mark.parametrize("text", ["0.01", "0.07", "0.1", "0.15", "1/3", "1"])
def test_every_step_is_within_the_bound_and_the_bound_grows_by_at_most_one_plus_alpha(text: str, strict: bool) -> None:
    neighbors = alpha(text, strict)
    bounds = exact_bounds(neighbors, list(range(6100)))
    for size in range(3000):
        grown = neighbors.next_size(size)
        assert grown - size <= bounds[size]
        assert bounds[size] <= bounds[grown] <= (1 + neighbors.alpha) * bounds[size]


def test_the_strict_bound_grows_by_exactly_one_plus_alpha_when_it_must() -> None:
    neighbors = alpha("0.1", strict=True)
    grown = neighbors.next_size(11)
    assert grown - 11 == 2
    assert exact_bounds(neighbors, [11, grown]) == [Fraction("2.1"), Fraction("2.3")]
    assert exact_bounds(neighbors, [10, 11])[1] < Fraction("1.1") * exact_bounds(neighbors, [10, 11])[0]


@both_readings
def test_previews_use_the_same_bound(strict: bool) -> None:
    neighbors = alpha("0.07", strict)
    exact = [float(bound) for bound in exact_bounds(neighbors, EVERY_SIZE.tolist())]
    assert smooth_bound(neighbors, EVERY_SIZE.astype(np.float64)) == pytest.approx(exact, rel=1e-14)


@both_readings
def test_an_alpha_of_many_digits_does_not_overflow(strict: bool) -> None:
    neighbors = alpha("0.1234567890123456789", strict)
    bound = neighbors.alpha * 10**9 + strict
    assert exact_bounds(neighbors, [0, 10**9]) == [ONE, bound]


@given(st.fractions(Fraction(1, 1000), 1), st.fractions(Fraction(1, 100), 10), st.integers(1, 8))
def test_the_factor_is_never_rounded_toward_less_noise(size: Fraction, epsilon: Fraction, dilation: int) -> None:
    factor = noise_factor(EXACT.of(2), dilation, StrongAlpha(size), epsilon)
    low, high = growth_log(size).ends
    if factor is None:
        assert epsilon <= dilation * high
    else:
        assert factor >= 2 / (epsilon - dilation * low)
        assert factor <= 2 / (epsilon - dilation * high) + Fraction(2, 10**12)


@given(st.fractions(Fraction(1, 10**9), 10**6))
def test_the_epsilon_shown_lies_above_and_has_three_digits(value: Fraction) -> None:
    shown = readable_above(value)
    assert value < shown <= value * Fraction(101, 100) or (value >= 100 and shown == value // 1 + 1)


def test_the_growth_is_enclosed() -> None:
    low, high = growth_log(Fraction(1, 10)).ends
    assert float(low) == pytest.approx(np.log(1.1), rel=1e-15)
    assert 0 < high - low < Fraction(1, 2**170)
