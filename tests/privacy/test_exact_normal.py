"""Exact normal deviates and vectors: the right frequencies, and roundings that more digits never change."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray
from strong_alpha import agrees

from workbench.privacy.exact_normal import Digits, Uniform, draw_normal
from workbench.privacy.joint_rounding import draw_joint_rounded
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.rounding import LIMIT

DRAWS = 40_000


def test_the_deviates_are_normal() -> None:
    digits = Digits(RehearsalNoise(21).words)
    drawn = np.array([draw_normal(digits).enclosure(64).low / 2**64 for _ in range(DRAWS)])
    for point in (-3.0, -1.5, -1.0, -0.3, 0.0, 0.5, 1.0, 2.0, 3.0):
        assert agrees(drawn <= point, NormalDist().cdf(point))


def test_more_digits_refine_and_never_contradict() -> None:
    digits = Digits(RehearsalNoise(22).words)
    for _ in range(500):
        one = draw_normal(digits)
        coarse, fine, again = (one.enclosure(bits) for bits in (64, 256, 64))
        assert coarse == again
        assert coarse.ends[0] <= fine.ends[0] < fine.ends[1] <= coarse.ends[1]


def test_uniform_numbers_with_the_same_first_word_are_told_apart_by_the_next() -> None:
    stream = iter([5, 5, 7, 9])
    words = lambda count: np.array([next(stream)] if count == 1 else list(stream)[::-1], dtype=np.uint64)  # noqa: E731
    digits = Digits(words)
    first, second = Uniform(digits), Uniform(digits)
    assert first.is_below(second)
    assert not second.is_below(first)


@pytest.mark.parametrize("limit", [2, 6, 10])
def test_whole_numbers_are_fair(limit: int) -> None:
    digits = Digits(RehearsalNoise(23).words)
    drawn = np.array([digits.whole_below(limit) for _ in range(DRAWS)])
    for value in range(limit):
        assert agrees(drawn == value, 1 / limit)


def test_words_that_would_favour_small_numbers_are_drawn_again() -> None:
    highest, low = 2**64 - 1, 4
    digits = Digits(lambda count: np.array([low, highest], dtype=np.uint64))
    assert digits.whole_below(6) == 4


def repeated(seed: int) -> NDArray[np.int64]:
    centers = np.array([[0, 5, -3]] * 300)
    return draw_joint_rounded(3, centers, [Fraction(25, 7)] * 300, RehearsalNoise(seed).words)


def test_vectors_are_the_rounded_real_numbers() -> None:
    """Recomputed in floats from the same deviates; they may differ only where a float cannot tell."""
    scale, digits = Fraction(25, 7), Digits(RehearsalNoise(24).words)
    for row in repeated(24) - np.array([0, 5, -3]):
        entries = [draw_normal(digits) for _ in range(3)]
        radius = [draw_normal(digits) for _ in range(3)]
        h, g = (np.array([one.enclosure(128).low / 2**128 for one in part]) for part in (radius, entries))
        real = float(scale) * g / np.sqrt(np.square(h).sum() / 3)
        assert np.abs(real - row).max() <= 0.5 + 1e-9


def test_a_seed_repeats_and_results_are_kept_in_range() -> None:
    assert (repeated(25) == repeated(25)).all()
    assert (repeated(25) != repeated(26)).any()
    huge = draw_joint_rounded(2, np.zeros((50, 2), dtype=np.int64), [Fraction(2**70)] * 50, RehearsalNoise(27).words)
    assert np.abs(huge).max() == LIMIT
    assert draw_joint_rounded(2, np.zeros((0, 2), dtype=np.int64), [], RehearsalNoise(1).words).shape == (0, 2)
