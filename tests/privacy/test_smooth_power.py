"""Smooth power tail: its factor, where it holds, that no epsilon is wasted, how far it errs, what its sheet says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha, integral

from workbench import assets
from workbench.plan.neighbors import Worker
from workbench.privacy.audit import audit, largest_loss, neighbouring_pairs, worker_cell_pairs
from workbench.privacy.distributions import PowerTail
from workbench.privacy.error_law import Sizes
from workbench.privacy.mechanisms.smooth_power import POWERS, SmoothPower, factor
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.noise import RehearsalNoise, SystemNoise
from workbench.privacy.unfit import Unfit

GRID = [
    (size, epsilon) for size in ("0.01", "0.1", "0.3", "1") for epsilon in ("0.25", "0.5", "1", "2", "4", "8", "20")
]
UNIT_CELL = Sizes(np.zeros(1), np.zeros(1))


def mechanism(size: str, epsilon: str, strict: bool = False) -> SmoothPower:
    fitting = SmoothPower.consider(alpha(size, strict), Fraction(epsilon))
    assert isinstance(fitting, SmoothPower)
    return fitting


def in_bounds(one: SmoothPower | SmoothT) -> float:
    return float(one.error(UNIT_CELL).expected[0])


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize(("size", "epsilon"), GRID)
def test_no_neighbours_lose_more_than_epsilon_and_some_lose_all_of_it(size: str, epsilon: str, strict: bool) -> None:
    one = SmoothPower.consider(alpha(size, strict), Fraction(epsilon))
    if isinstance(one, Unfit):
        assert 2 * log(1 + float(size)) > float(epsilon)
        return
    assert audit(one, neighbouring_pairs(one.neighbors, SIZES)).holds
    assert audit(one, worker_cell_pairs(one.neighbors, SIZES[::3])).holds
    assert largest_loss(one, neighbouring_pairs(one.neighbors, SIZES)) >= (0.7 if strict else 0.99) * float(one.epsilon)


@pytest.mark.parametrize(("size", "epsilon"), [("0.1", "0.2"), ("0.1", "1"), ("0.5", "1"), ("1", "8")])
def test_a_thousandth_less_noise_would_break_the_promise(size: str, epsilon: str) -> None:
    honest = mechanism(size, epsilon)
    careless = replace(honest, factor=honest.factor * Fraction(999, 1000))
    assert not audit(careless, neighbouring_pairs(honest.neighbors, SIZES)).holds


def test_the_power_is_limited_by_the_way_back() -> None:
    """With m ln(1+α) above ε the loss far out in the tail is too large, whatever the factor."""
    neighbors = alpha("0.5")
    too_heavy = SmoothPower(Fraction(1), neighbors, factor(neighbors.alpha, Fraction(1), 3), power=3)
    assert not audit(too_heavy, neighbouring_pairs(neighbors, SIZES)).holds


@pytest.mark.parametrize(("size", "epsilon"), GRID)
def test_the_power_errs_least_of_all_valid_ones_and_less_than_students_t(size: str, epsilon: str) -> None:
    one = SmoothPower.consider(alpha(size), Fraction(epsilon))
    if isinstance(one, Unfit):
        return
    growth, budget = log(1 + float(size)), float(epsilon)
    for power in POWERS:
        if power * growth <= budget:
            rate = min(
                exp(budget / (power + 1)) - 1, (1 + float(size)) * (exp((budget - growth) / (power + 1)) - 1)
            )  # fmt: skip
            assert in_bounds(one) <= 1 / rate / (power - 1) * (1 + 1e-9)
    student = SmoothT.consider(alpha(size), Fraction(epsilon))
    if isinstance(student, SmoothT):
        assert in_bounds(one) < in_bounds(student)


def test_it_holds_to_the_very_boundary() -> None:
    refused = SmoothPower.consider(alpha("0.15"), Fraction("0.25"))
    assert isinstance(refused, Unfit)
    assert refused.smallest_epsilon == Fraction("0.28")
    assert mechanism("0.15", "0.28").power == 2
    assert isinstance(SmoothPower.consider(Worker(), Fraction(1)), Unfit)


@pytest.mark.parametrize("power", [2, 3, 7, 40])
def test_the_noise_is_what_it_says(power: int) -> None:
    noise = PowerTail(power)
    assert integral(0, noise.density) == pytest.approx(1, abs=1e-6)
    assert integral(0, lambda z: np.abs(z) * noise.density(z)) == pytest.approx(1 / (power - 1), rel=1e-3)
    z = np.geomspace(1e-6, 1e6, 200)
    assert noise.fast_tail(z) == pytest.approx((1 + z) ** -float(power), rel=1e-12)
    for chance in (0.9, 0.5, 1e-3, 1e-12):
        assert noise.fast_tail(noise.tail_quantile(np.array([chance]))) == pytest.approx([chance], rel=1e-9)
    low, high = noise.tail_ball(Fraction(1, 3), 80)
    assert low <= Fraction(3, 4) ** power <= high
    assert high - low < Fraction(1, 2**80)


@pytest.mark.parametrize("source", [RehearsalNoise(5), SystemNoise()], ids=["rehearsal", "system"])
def test_released_counts_err_as_the_law_says(source: RehearsalNoise | SystemNoise) -> None:
    one = mechanism("0.1", "1")
    counts, largest = np.full(60_000, 300), np.full(60_000, 120)
    error = one.release(counts, largest, source) - 300
    law = one.error(Sizes(np.array([300.0]), np.array([120.0])))
    for confidence in (0.5, 0.9, 0.99):
        assert agrees(np.abs(error) <= law.quantile(confidence)[0], law.chance_within(
            np.floor(law.quantile(confidence)) + 0.5)[0])  # fmt: skip
    assert agrees(error > 0, (1 - law.chance_within(np.array([0.5]))[0]) / 2)


def test_the_figures_of_the_sheet_are_the_programs() -> None:
    lines = [line for line in assets.text("methods", "smooth-power.md").splitlines() if line.startswith("|")][2:]
    assert len(lines) == 9
    for line in lines:
        size, epsilon, power, expected, student = (cell.strip() for cell in line.strip("|").split("|"))
        one = mechanism(size, epsilon)
        other = SmoothT.consider(alpha(size), Fraction(epsilon))
        assert isinstance(other, SmoothT)
        assert (f"{one.power}", f"{in_bounds(one):.2f}", f"{in_bounds(other):.2f}") == (power, expected, student)
