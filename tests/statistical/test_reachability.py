"""The attack on last bits: it tells floats with noise apart, and finds nothing in whole numbers."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.plan.neighbors import StrongAlpha, Worker
from workbench.privacy.audits.reachability import impossible_share, low_bits_share, unseen_share
from workbench.privacy.audits.table import TABLE, Row
from workbench.privacy.audits.trial import draw_pairs
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.noise import RehearsalNoise

Floats = NDArray[np.float64]

DRAWS = 20_000
UNIFORMS = 2.0**53  # numpy's uniform numbers are whole multiples of 1 / this
NEARBY = 24  # of its uniforms around where an output lies, all are tried

_log = np.frompyfunc(log, 1, 1)  # the logarithm of the C library, which numpy's Laplace uses


def numpy_laplace(uniform: Floats) -> Floats:
    """Numpy's own transform, from a uniform number to a Laplace one."""
    upper = uniform >= 0.5
    inside = np.where(upper, 2.0 - uniform - uniform, uniform + uniform)
    return np.where(upper, -1.0, 1.0) * np.asarray(_log(inside), dtype=np.float64)


def is_reachable(output: float, count: float) -> bool:
    """Whether any uniform number makes count + noise this very float."""
    distance = output - count
    chance = 1 - np.exp(-distance) / 2 if distance > 0 else np.exp(distance) / 2
    near = np.rint(chance * UNIFORMS) + np.arange(-NEARBY, NEARBY + 1)
    uniform = near[(near > 0) & (near < UNIFORMS)] / UNIFORMS
    return bool((count + numpy_laplace(uniform) == output).any())


def draws(count: float, seed: int) -> Floats:
    return count + np.random.default_rng(seed).laplace(0, 1, DRAWS)


def test_the_transform_is_that_of_numpy() -> None:
    uniform, drawn = (np.random.default_rng(5) for _ in range(2))
    assert numpy_laplace(uniform.random(2000)).tolist() == drawn.laplace(0, 1, 2000).tolist()


def test_most_float_outputs_of_zero_are_impossible_from_one() -> None:
    outputs = draws(0, 6)[:3000].tolist()
    assert all(is_reachable(output, 0) for output in outputs)
    impossible = np.mean([not is_reachable(output, 1) for output in outputs])
    assert impossible == pytest.approx(0.81, abs=0.04)


def test_last_bits_alone_betray_a_quarter_of_the_float_outputs_of_zero() -> None:
    """The general attack knows nothing of the sampler: near 0 the floats from 0 are finer than those from 1."""
    assert low_bits_share(draws(0, 7), draws(1, 8)) == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize("scale", [0.001, 1, 37.5, 1e6])
def test_nothing_is_told_of_two_samples_of_the_same_floats(scale: float) -> None:
    assert low_bits_share(scale * draws(0, 9), scale * draws(0, 10)) < 0.02


def test_whole_numbers_give_nothing_away() -> None:
    mechanism = Geometric(Fraction(1), Worker())
    for before, after in ((0, 1), (100, 101)):
        first, second = (
            mechanism.release(np.full(DRAWS, count), None, RehearsalNoise(11 + count)) for count in (before, after)
        )
        assert impossible_share(first, second, 1) == impossible_share(second, first, 1) == 0
        assert low_bits_share(first.astype(np.float64), second.astype(np.float64)) == 0


def test_a_neighbour_that_reaches_half_of_the_numbers_is_found() -> None:
    mechanism = SmoothT.consider(StrongAlpha(Fraction(1, 10)), Fraction(1))
    assert isinstance(mechanism, SmoothT)
    noisy = mechanism.release(np.full(DRAWS, 100), np.full(DRAWS, 100), RehearsalNoise(12))
    other = mechanism.release(np.full(DRAWS, 110), np.full(DRAWS, 110), RehearsalNoise(13))
    assert unseen_share(noisy, other, 1, 1) == 0
    assert unseen_share(noisy, other // 2 * 2, 1, 1) > 0.2


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_mechanism_publishes_exact_whole_numbers(row: Row) -> None:
    for drawn in draw_pairs(row.drawn_trial(), 200, RehearsalNoise(14)):
        assert drawn.first.dtype == drawn.second.dtype == np.int64
