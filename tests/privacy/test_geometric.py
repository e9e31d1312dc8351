"""The geometric mechanism: its privacy loss, its margins and its expected error."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from workbench.plan.neighbors import Employer, Worker, WorkerHistory
from workbench.privacy.discrete_laplace import magnitude
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.noise import RehearsalNoise

EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(2), Fraction(4)]


def mechanism(epsilon: Fraction) -> Geometric:
    return Geometric(epsilon, Worker())


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_privacy_loss_of_one_record_is_epsilon_and_never_more(epsilon: Fraction) -> None:
    """The log ratio of the exact masses for counts 5 and 6, over all outcomes that matter."""
    rate = float(1 / mechanism(epsilon).scale)
    outcomes = np.arange(-200, 211)
    losses = rate * (np.abs(outcomes - 6) - np.abs(outcomes - 5))
    assert np.abs(losses).max() == pytest.approx(float(epsilon))
    assert mechanism(epsilon).guarantee.epsilon == epsilon
    assert mechanism(epsilon).guarantee.claim is Claim.PURE


@pytest.mark.parametrize("cells", [1, 2, 60])
@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_margin_and_error_agree_with_simulation(epsilon: Fraction, cells: int) -> None:
    draws = 40_000
    noise = (
        RehearsalNoise(11).discrete_laplace(mechanism(epsilon).scale, draws * cells).reshape(draws, cells).sum(axis=1)
    )
    size = np.abs(noise)
    expected = magnitude(float(1 / mechanism(epsilon).scale), cells).expected
    assert size.mean() == pytest.approx(expected, abs=5 * size.std() / np.sqrt(draws))
    margin = mechanism(epsilon).margin(0.95, cells)
    slack = 4 * np.sqrt(0.05 * 0.95 / draws)
    assert (size <= margin).mean() >= 0.95 - slack
    assert margin == 0 or (size <= margin - 1).mean() <= 0.95 + slack


def test_closed_forms_for_one_cell() -> None:
    decay = exp(-1)
    law = mechanism(Fraction(1)).error(Sizes(np.array([0.0, 5.0, 900.0]), np.zeros(3)))
    assert law.expected == pytest.approx([2 * decay / (1 - decay**2)] * 3)
    assert law.bias.tolist() == [0, 0, 0]
    within = law.chance_within(np.array([0.0, 1.5, 3.0]))
    assert within == pytest.approx(
        [1 - 2 * decay / (1 + decay), 1 - 2 * decay**2 / (1 + decay), 1 - 2 * decay**4 / (1 + decay)]
    )


def test_tiny_epsilons_cost_no_memory_and_scale() -> None:
    assert magnitude(1e-9).quantile(0.95) == pytest.approx(2.9957e9, rel=1e-3)
    assert magnitude(1e-9).within.nbytes < 10_000_000


def test_the_noise_grows_with_what_one_unit_can_contribute() -> None:
    assert Geometric(Fraction(2), WorkerHistory(3)).scale == Fraction(3, 2)
    assert Geometric(Fraction(2), Employer(500)).scale == 250


def test_release_adds_noise_to_every_cell() -> None:
    counts = np.array([0, 5, 10_000])
    draws = np.array([mechanism(Fraction(1, 2)).release(counts, None, RehearsalNoise(seed)) for seed in range(400)])
    assert (draws.std(axis=0) > 1).all()
    assert draws.mean(axis=0) == pytest.approx(counts, abs=0.8)
    assert draws.dtype == np.int64
