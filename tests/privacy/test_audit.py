"""The audit: it passes what keeps its promise and catches what does not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import SIZES, Floats, alpha

from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.audit import audit, joint_pairs, largest_excess, neighbouring_pairs, worker_cell_pairs
from workbench.privacy.mechanisms.log_laplace import LogLaplace
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma
from workbench.privacy.mechanisms.smooth_laplace import SmoothLaplace
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.noise import Integers
from workbench.privacy.rounding import log_lattice

ONE = Fraction(1)
NEIGHBORS = alpha("0.1")
STRICT = alpha("0.1", strict=True)


class RoundedBound(SmoothT):
    """S = max(⌈α·x⌉, 1), which doubles between 10 and 11."""

    def bound(self, largest: Floats) -> Floats:
        return np.maximum(np.ceil(0.1 * largest - 1e-9), 1)


class UnboundedBelow(SmoothT):
    """S = α·x as on the slides, without the one worker who may join a small establishment."""

    def bound(self, largest: Floats) -> Floats:
        return 0.1 * np.maximum(largest, 0.1)


class WrongOffset(LogLaplace):
    """ln(n + 1) in place of ln(n + 1/α)."""

    def points(self, counts: Integers) -> Integers:
        return log_lattice(counts, ONE)


class SlightlyWrongOffset(LogLaplace):
    """An offset of 9.9 where 10 is the smallest that works."""

    def points(self, counts: Integers) -> Integers:
        return log_lattice(counts, Fraction(10, 99))


@pytest.mark.parametrize("kind", [SmoothT, SmoothGamma, LogLaplace])
def test_it_passes_the_mechanisms_as_they_are(kind: type) -> None:
    assert audit(kind.consider(NEIGHBORS, ONE), neighbouring_pairs(NEIGHBORS, SIZES)).holds


@pytest.mark.parametrize("broken", [RoundedBound, UnboundedBelow, WrongOffset, SlightlyWrongOffset])
def test_it_catches_a_wrong_bound_or_offset(broken: type) -> None:
    result = audit(broken.consider(NEIGHBORS, ONE), neighbouring_pairs(NEIGHBORS, SIZES))
    assert not result.holds
    assert result.found > result.promised == 1


@pytest.mark.parametrize("kind", [SmoothT, SmoothGamma])
def test_it_catches_half_the_scale(kind: type) -> None:
    honest = kind.consider(NEIGHBORS, Fraction(4))
    careless = replace(honest, factor=honest.factor / 2)
    assert not audit(careless, neighbouring_pairs(NEIGHBORS, SIZES)).holds


def test_it_catches_a_scale_without_the_cost_of_its_growth() -> None:
    honest = SmoothT.consider(NEIGHBORS, Fraction("0.25"))
    assert isinstance(honest, SmoothT)
    careless = replace(honest, factor=Fraction("1.0607") / honest.epsilon)
    assert not audit(careless, worker_cell_pairs(NEIGHBORS, SIZES)).holds


def test_it_catches_a_delta_that_is_too_small_for_the_noise() -> None:
    honest = SmoothLaplace.consider(NEIGHBORS, Fraction(2), Fraction("1e-6"))
    assert isinstance(honest, SmoothLaplace)
    careless = replace(honest, factor=honest.factor * Fraction(99, 100))
    pairs = list(neighbouring_pairs(NEIGHBORS, SIZES))
    assert audit(honest, pairs).holds
    assert not audit(careless, pairs).holds
    assert largest_excess(careless, pairs) > 1e-6


def test_it_catches_the_definition_under_the_strict_reading() -> None:
    loose, strict = SmoothT.consider(NEIGHBORS, Fraction(4)), SmoothT.consider(STRICT, Fraction(4))
    assert isinstance(loose, SmoothT)
    assert isinstance(strict, SmoothT)
    assert not audit(loose, neighbouring_pairs(STRICT, SIZES)).holds
    assert audit(strict, neighbouring_pairs(STRICT, SIZES)).holds


@pytest.mark.parametrize("neighbors", [NEIGHBORS, STRICT], ids=["definition", "strict"])
def test_the_pairs_are_neighbours(neighbors: StrongAlpha) -> None:
    for pair in neighbouring_pairs(neighbors, SIZES):
        assert 1 <= int(pair.next_count - pair.count) <= neighbors.next_size(pair.largest) - pair.largest
        assert pair.largest <= pair.next_largest <= neighbors.next_size(pair.largest)
        assert pair.count >= pair.largest
    for pair in worker_cell_pairs(neighbors, SIZES):
        assert 0 <= int(pair.next_count - pair.count) <= neighbors.next_size(pair.largest) - pair.largest
    for pair in joint_pairs(neighbors, SIZES, 3):
        joining = pair.next_count - pair.count
        assert 1 <= int(joining.sum()) <= neighbors.next_size(pair.largest) - pair.largest
        assert joining.min() >= 0


def test_the_pairs_reach_the_limits_of_the_definition() -> None:
    pairs = list(neighbouring_pairs(NEIGHBORS, [0, 10, 11, 1000]))
    found = {(pair.largest, pair.next_largest) for pair in pairs}
    assert {(0, 1), (10, 11), (11, 12), (1000, 1001), (1000, 1100)} <= found
    assert any(pair.largest == pair.next_largest and pair.next_count - pair.count == 100 for pair in pairs)
