"""Noise: the promised distribution, the promised sources, rounded toward more noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.privacy.noise import NoiseSource, RehearsalNoise, SystemNoise, random_bytes, scale_upward

DRAWS = 200_000


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(7)], ids=["system", "rehearsal"])
@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(3)], ids=str)
def test_frequencies_are_those_of_the_discrete_laplace(source: NoiseSource, scale: Fraction) -> None:
    drawn = source.discrete_laplace(scale, DRAWS)
    decay = np.exp(-1 / float(scale))
    for value in range(-4, 5):
        expected = (1 - decay) / (1 + decay) * decay ** abs(value)
        spread = np.sqrt(expected * (1 - expected) / DRAWS)
        assert abs((drawn == value).mean() - expected) < 6 * spread


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(7)], ids=["system", "rehearsal"])
@pytest.mark.parametrize("sd", [Fraction(5), Fraction(5 * 10**11)], ids=str)
def test_gaussian_draws_have_their_spread(source: NoiseSource, sd: Fraction) -> None:
    drawn = source.discrete_gaussian(sd, 20_000) / float(sd)
    assert abs(drawn.mean()) < 0.04
    assert drawn.std() == pytest.approx(1, abs=0.03)
    assert (np.abs(drawn) < 1.96).mean() == pytest.approx(0.95, abs=0.012)


def test_a_rehearsal_repeats_and_a_release_does_not() -> None:
    again = [RehearsalNoise(5).discrete_laplace(Fraction(10), 50).tolist() for _ in range(2)]
    assert again[0] == again[1]
    assert RehearsalNoise(6).discrete_laplace(Fraction(10), 50).tolist() != again[0]
    live = [SystemNoise().discrete_laplace(Fraction(10), 50).tolist() for _ in range(2)]
    assert live[0] != live[1]


def test_only_system_noise_is_for_releases() -> None:
    assert SystemNoise().is_for_release
    assert not RehearsalNoise().is_for_release


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000))
def test_scales_are_rounded_toward_more_noise(scale: Fraction) -> None:
    rounded = Fraction(scale_upward(scale))
    assert scale <= rounded <= scale * (1 + Fraction(1, 2**50))


def test_no_cells_need_no_noise() -> None:
    assert SystemNoise().discrete_laplace(Fraction(1), 0).tolist() == []
    assert SystemNoise().discrete_gaussian(Fraction(1), 0).tolist() == []
    assert len(random_bytes(16)) == 16
