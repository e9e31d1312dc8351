"""Joint power tail: one epsilon for all worker cells, tight, drawn exactly, and as its sheet says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha

from workbench import assets
from workbench.plan.neighbors import Worker
from workbench.privacy.audit import audit, joint_pairs, largest_loss
from workbench.privacy.error_law import Sizes
from workbench.privacy.exact_exponential import draw_exponential
from workbench.privacy.exact_normal import Digits
from workbench.privacy.mechanisms.joint_power import JointPower
from workbench.privacy.mechanisms.joint_t import JointT
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.unfit import Unfit

CASES = [("0.05", 8, "4"), ("0.1", 16, "2"), ("0.1", 2, "2"), ("0.1", 3, "0.3"), ("0.5", 2, "1"), ("0.01", 40, "4")]
UNIT_CELL = Sizes(np.zeros(1), np.zeros(1))


def mechanism(size: str, cells: int, epsilon: str) -> JointPower:
    fitting = JointPower.consider(alpha(size), Fraction(epsilon), cells=cells)
    assert isinstance(fitting, JointPower)
    return fitting


@pytest.mark.parametrize(("size", "cells", "epsilon"), CASES)
def test_no_neighbours_lose_more_than_epsilon_and_some_lose_all_of_it(size: str, cells: int, epsilon: str) -> None:
    one = mechanism(size, cells, epsilon)
    pairs = list(joint_pairs(one.neighbors, SIZES, cells))
    assert audit(one, pairs).holds
    assert largest_loss(one, pairs) >= 0.99 * float(one.epsilon)
    careless = replace(one, factor=one.factor * Fraction(99, 100))
    assert not audit(careless, pairs).holds


def test_one_cell_alone_is_smooth_power_tail() -> None:
    alone = JointPower.consider(alpha("0.1"), Fraction(1), cells=1)
    assert isinstance(alone, JointPower)
    assert (alone.power, float(alone.factor)) == (10, pytest.approx(10.6052, abs=1e-4))


def test_it_says_from_which_epsilon_it_holds() -> None:
    refused = JointPower.consider(alpha("0.1"), Fraction("1.5"), cells=16)
    assert isinstance(refused, Unfit)
    assert refused.smallest_epsilon == Fraction("1.53")
    assert mechanism("0.1", 16, "1.53").power >= 2
    assert isinstance(JointPower.consider(Worker(), Fraction(1), cells=2), Unfit)


def test_released_cells_err_as_the_law_says() -> None:
    one = mechanism("0.05", 4, "2")
    counts = np.arange(4)[None, :] + np.zeros((6000, 1), dtype=np.int64)
    largest = np.full(6000, 200)
    error = one.release(counts, largest, RehearsalNoise(8)) - counts
    law = one.error(Sizes(np.zeros(1), np.array([200.0])))
    for cell in range(4):
        for confidence in (0.5, 0.9):
            reach = np.floor(law.quantile(confidence))
            assert agrees(np.abs(error[:, cell]) <= reach[0], law.chance_within(reach + 0.5)[0])


def test_the_cells_of_a_workplace_share_their_divisor() -> None:
    """The sum of the magnitudes is beta prime: P(sum <= 1) for d = 2, m = 2 is 1/2 in units of the scale."""
    one = replace(mechanism("0.1", 2, "1"), power=2)
    far = 10**9  # a scale so large that rounding does not matter
    counts = np.zeros((5000, 2), dtype=np.int64)
    noisy = one.release(counts, np.full(5000, far), RehearsalNoise(3))
    total = np.abs(noisy).sum(axis=1) / float(one.scale(np.array([far]))[0])
    assert agrees(total <= 1, 0.5)
    assert agrees(total <= 3, 3**2 * (3 + 3) / 4**3)


def test_exponential_deviates_are_exponential_and_keep_their_digits() -> None:
    digits = Digits(RehearsalNoise(11).words)
    drawn = [draw_exponential(digits) for _ in range(20_000)]
    values = np.array([float(one.enclosure(64).ends[0]) for one in drawn])
    for limit in (0.1, 0.5, 1.0, 2.5, 5.0):
        assert agrees(values <= limit, 1 - np.exp(-limit))
    for one in drawn[:50]:
        (low, high), (finer_low, finer_high) = (one.enclosure(bits).ends for bits in (64, 192))
        assert low <= finer_low < finer_high <= high


def test_a_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="one row"):
        mechanism("0.1", 2, "2").release(
            np.zeros((3, 3), dtype=np.int64), np.ones(3, dtype=np.int64), RehearsalNoise(1)
        )


def test_the_figures_of_the_sheet_are_the_programs() -> None:
    lines = [line for line in assets.text("methods", "joint-power.md").splitlines() if line.startswith("|")][2:]
    assert len(lines) == 3
    for line in lines:
        size, cells, epsilon, power, expected, student, alone = (cell.strip() for cell in line.strip("|").split("|"))
        one = mechanism(size, int(cells), epsilon)
        joint = JointT.consider(alpha(size), Fraction(epsilon), cells=int(cells))
        each = SmoothT.consider(alpha(size), Fraction(epsilon) / int(cells))
        assert isinstance(joint, JointT)
        assert (f"{one.power}", f"{one.error(UNIT_CELL).expected[0]:.2f}") == (power, expected)
        assert f"{joint.expected_in_bounds:.2f}" == student
        assert alone == ("not valid" if isinstance(each, Unfit) else f"{each.error(UNIT_CELL).expected[0]:.2f}")
