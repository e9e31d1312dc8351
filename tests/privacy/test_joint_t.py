"""Joint Student-t: one epsilon for all worker cells of a workplace cell, in the form that errs least."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import agrees, alpha

from workbench.plan.neighbors import Worker
from workbench.privacy.audit import SLACK, audit, joint_pairs, largest_loss
from workbench.privacy.distributions import StudentT
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.joint_t import Form, JointT, joint_slide
from workbench.privacy.mechanisms.smooth import noise_factor
from workbench.privacy.mechanisms.smooth_t import SmoothT, slide
from workbench.privacy.mechanisms.student import StudentMagnitude
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.unfit import Unfit

FEW_SIZES = [0, 1, 9, 10, 11, 100, 1000]


def mechanism(size: str, epsilon: str, cells: int, strict: bool = False) -> JointT:
    fitting = JointT.consider(alpha(size, strict), Fraction(epsilon), cells=cells)
    assert isinstance(fitting, JointT)
    return fitting


def of_form(form: Form, size: str, epsilon: str, cells: int, degrees: int, strict: bool = False) -> JointT | None:
    slides = {Form.INDEPENDENT: slide(degrees), Form.MULTIVARIATE: joint_slide(degrees, cells)}
    dilations = {Form.INDEPENDENT: cells * degrees, Form.MULTIVARIATE: max(cells, degrees)}
    factor = noise_factor(slides[form], dilations[form], alpha(size, strict), Fraction(epsilon))
    return factor and JointT(Fraction(epsilon), alpha(size, strict), factor, cells=cells, form=form, degrees=degrees)


def best(form: Form, size: str, epsilon: str, cells: int) -> float | None:
    degrees = range(2, 6) if form is Form.INDEPENDENT else range(2, 40)
    fitting = filter(None, (of_form(form, size, epsilon, cells, nu) for nu in degrees))
    return min((one.expected_in_bounds for one in fitting), default=None)


def test_eight_cells_together_err_an_eighth_of_one_after_the_other() -> None:
    sequential = SmoothT.consider(alpha("0.05"), Fraction(4) / 8)
    assert isinstance(sequential, SmoothT)
    assert sequential.error(Sizes(np.zeros(1), np.zeros(1))).expected[0] == pytest.approx(3.60, abs=0.005)
    assert best(Form.INDEPENDENT, "0.05", "4", 8) == pytest.approx(0.45, abs=0.005)
    assert best(Form.MULTIVARIATE, "0.05", "4", 8) == pytest.approx(0.69, abs=0.005)
    chosen = mechanism("0.05", "4", 8)
    assert chosen.form is Form.INDEPENDENT
    assert chosen.expected_in_bounds == best(Form.INDEPENDENT, "0.05", "4", 8)


def test_sixteen_cells_at_a_small_epsilon_need_the_multivariate_form() -> None:
    assert isinstance(SmoothT.consider(alpha("0.1"), Fraction(2) / 16), Unfit)
    assert best(Form.INDEPENDENT, "0.1", "2", 16) is None
    chosen = mechanism("0.1", "2", 16)
    assert chosen.form is Form.MULTIVARIATE
    assert chosen.expected_in_bounds == pytest.approx(7.06, abs=0.005)


@pytest.mark.parametrize("cells", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4", "8"])
@pytest.mark.parametrize("size", ["0.01", "0.1"])
def test_the_best_valid_form_is_chosen(size: str, epsilon: str, cells: int) -> None:
    valid = [found for form in Form if (found := best(form, size, epsilon, cells)) is not None]
    chosen = JointT.consider(alpha(size), Fraction(epsilon), cells=cells)
    if isinstance(chosen, Unfit):
        assert not valid
    else:
        assert chosen.expected_in_bounds == min(valid)


def test_one_cell_is_smooth_student_t() -> None:
    single = SmoothT.consider(alpha("0.1"), Fraction(1))
    assert isinstance(single, SmoothT)
    one = mechanism("0.1", "1", 1)
    assert (one.factor, one.degrees) == (single.factor, single.degrees)


def test_it_says_from_which_epsilon_it_holds() -> None:
    refused = JointT.consider(alpha("0.1"), Fraction(1), cells=16)
    assert isinstance(refused, Unfit)
    assert refused.smallest_epsilon == Fraction("1.53")
    assert mechanism("0.1", "1.53", 16).form is Form.MULTIVARIATE
    assert isinstance(JointT.consider(Worker(), Fraction(1)), Unfit)


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize(
    ("size", "epsilon", "cells", "degrees"), [("0.1", "2", 2, 3), ("0.05", "4", 8, 3), ("0.1", "1", 4, 2)]
)
def test_no_pair_of_neighbours_loses_more_than_epsilon(
    form: Form, size: str, epsilon: str, cells: int, degrees: int, strict: bool
) -> None:
    one = of_form(form, size, epsilon, cells, degrees, strict)
    assert one is not None
    assert audit(one, joint_pairs(one.neighbors, FEW_SIZES[::2], cells)).holds


@pytest.mark.parametrize("form", Form)
def test_the_factor_comes_near_epsilon(form: Form) -> None:
    one = of_form(form, "0.01", "4", 2, 3)
    assert one is not None
    assert 0.7 * 4 <= largest_loss(one, joint_pairs(one.neighbors, FEW_SIZES, 2)) <= 4 + SLACK


@pytest.mark.parametrize("form", Form)
def test_half_the_noise_is_caught(form: Form) -> None:
    one = of_form(form, "0.1", "2", 2, 3)
    assert one is not None
    careless = JointT(one.epsilon, one.neighbors, one.factor / 2, cells=2, form=form, degrees=3)
    assert not audit(careless, joint_pairs(one.neighbors, FEW_SIZES[:4], 2)).holds


@pytest.mark.parametrize("degrees", [2, 3, 4, 5])
def test_the_magnitude_agrees_with_the_noise_that_is_drawn(degrees: int) -> None:
    magnitude, drawn = StudentMagnitude(degrees), StudentT(degrees)
    distances = np.array([0.0, 0.1, 1.0, 3.0, 50.0])
    assert magnitude.magnitude_cdf(distances) == pytest.approx(1 - drawn.fast_tail(distances), abs=1e-13)
    assert magnitude.expected_magnitude == pytest.approx(drawn.expected_magnitude, rel=1e-13)
    assert magnitude.magnitude_quantile(0.95) == pytest.approx(float(drawn.magnitude_quantile(0.95)), rel=1e-12)


@pytest.mark.parametrize("degrees", [6, 7, 16, 33])
def test_the_magnitude_of_more_degrees_of_freedom_is_that_of_its_density(degrees: int) -> None:
    magnitude = StudentMagnitude(degrees)
    z = np.linspace(0, 2000, 4_000_001)
    shape = (1 + z * z / degrees) ** (-(degrees + 1) / 2)
    density = shape / np.trapezoid(shape, z)
    assert np.trapezoid(z * density, z) == pytest.approx(magnitude.expected_magnitude, rel=1e-6)
    middle = magnitude.magnitude_quantile(0.9)
    assert np.trapezoid(density[z <= middle], z[z <= middle]) == pytest.approx(0.9, abs=1e-3)
    assert magnitude.magnitude_cdf(np.array([middle])) == pytest.approx(0.9)


@pytest.mark.parametrize("form", Form)
def test_released_cells_err_as_the_law_says(form: Form) -> None:
    one = of_form(form, "0.05", "4", 4, 4)
    assert one is not None
    rows = 4000
    counts = np.tile(np.array([0, 10, 200, 3000]), (rows, 1))
    largest = np.full(rows, 2000)
    noisy = one.release(counts, largest, RehearsalNoise(11))
    assert noisy.shape == counts.shape
    law = one.error(
        Sizes(counts.astype(np.float64), np.broadcast_to(largest[:, None], counts.shape).astype(np.float64))
    )
    for chance in (0.5, 0.95):
        within = np.abs(noisy - counts) <= law.quantile(chance)
        for column in within.T:
            assert agrees(column, chance)


def test_the_two_forms_hang_together_as_they_say() -> None:
    """The squared lengths of multivariate noise are more often extreme than sums of independent squares."""
    counts, largest = np.zeros((6000, 8), dtype=np.int64), np.full(6000, 20_000)
    lengths = {}
    for form in Form:
        one = of_form(form, "0.01", "4", 8, 5)
        assert one is not None
        drawn = one.release(counts, largest, RehearsalNoise(12)) / one.scale(20_000)
        assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(0, abs=0.1)
        lengths[form] = np.square(drawn).sum(axis=1) / 8
    # For multivariate t these follow F with 8 and 5 degrees of freedom: median 1.0545, 95 % point 4.8183.
    assert agrees(lengths[Form.MULTIVARIATE] <= 1.0545, 0.5)
    assert agrees(lengths[Form.MULTIVARIATE] <= 4.8183, 0.95)
    assert (lengths[Form.INDEPENDENT] > 4.8183).mean() < 0.04


def test_its_promise_and_what_a_release_needs() -> None:
    one = mechanism("0.05", "4", 8)
    assert (one.guarantee.claim, one.guarantee.epsilon, one.guarantee.delta) == (Claim.ER_EE, 4, 0)
    assert not one.publishes_margin
    assert one.limits(np.zeros((1, 8), dtype=np.int64)) is None
    assert "over 8 worker cells" in one.scale_words
    with pytest.raises(ValueError, match="one row"):
        one.release(np.zeros((3, 8), dtype=np.int64), None, RehearsalNoise(1))
    with pytest.raises(ValueError, match="one row"):
        one.release(np.zeros((3, 2), dtype=np.int64), np.zeros(3, dtype=np.int64), RehearsalNoise(1))
