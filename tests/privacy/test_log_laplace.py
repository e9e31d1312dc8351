"""Log-Laplace: what it spends, its relative error in closed form, limits from published values, what it refuses."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest
from strong_alpha import SIZES, agrees, alpha

from workbench.plan.neighbors import Worker
from workbench.privacy.audit import SLACK, audit, largest_loss, neighbouring_pairs, worker_cell_pairs
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms.log_laplace import Form, LogLaplace
from workbench.privacy.mechanisms.log_scale import LATTICE
from workbench.privacy.noise import RehearsalNoise, SystemNoise
from workbench.privacy.odds import at_most_of_100, posterior
from workbench.privacy.unfit import Unfit

DRAWS = 20_000
HALF = Fraction(1, 2)


def mechanism(size: str, epsilon: str, form: Form = Form.UNBIASED, strict: bool = False) -> LogLaplace:
    fitting = LogLaplace.consider(alpha(size, strict), Fraction(epsilon), form=form)
    assert isinstance(fitting, LogLaplace)
    return fitting


@pytest.mark.parametrize("strict", [False, True], ids=["definition", "strict"])
@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize(("size", "epsilon"), [("0.01", "1"), ("0.1", "0.2"), ("0.1", "1"), ("0.2", "4"), ("1", "2")])
def test_one_step_loses_what_is_accounted_and_no_more(size: str, epsilon: str, form: Form, strict: bool) -> None:
    """Both readings of the size limit are covered: up to (1+α)x + 1 the logarithm moves by at most ln(1+α)."""
    one = mechanism(size, epsilon, form, strict)
    loss = largest_loss(one, neighbouring_pairs(one.neighbors, SIZES))
    spent = float(one.guarantee.epsilon)
    assert 0.99 * spent <= loss <= spent + SLACK


def test_the_published_scale_spends_half_of_epsilon_per_step() -> None:
    as_published, own = mechanism("0.1", "1", Form.HANEY), mechanism("0.1", "1", Form.PLAIN)
    assert as_published.guarantee.epsilon == HALF
    assert own.guarantee.epsilon == 1
    assert as_published.scale == 2 * own.scale
    assert float(as_published.scale) == pytest.approx(2 * log(1.1), rel=1e-10)
    assert own.guarantee.claim is Claim.ER_EE


def test_every_count_of_a_whole_workforce_moves_by_at_most_the_sensitivity() -> None:
    for size in ("0.01", "0.1", "1/3", "1"):
        one = mechanism(size, "2")
        counts = np.arange(5000)
        grown = np.array([int((1 + one.neighbors.alpha) * int(count) + 1) for count in counts])
        moves = one.points(grown) - one.points(counts)
        assert 0.99 * one.sensitivity < moves.max() <= one.sensitivity
        assert one.sensitivity <= LATTICE * log(1 + float(one.neighbors.alpha)) + 3


def test_cells_of_some_workers_are_not_covered() -> None:
    """Such a cell may grow from 0 by α times the size of its establishment in one step."""
    one = mechanism("0.1", "1")
    assert not audit(one, worker_cell_pairs(one.neighbors, SIZES[::3])).holds


def test_two_sizes_that_are_steps_apart() -> None:
    """Whether an employer has 1,000 or 1,100 workers: right in at most 88 of 100 such guesses."""
    one = mechanism("0.1", "2")
    loss = one.loss_between(1000, 1100)
    assert float(loss) == pytest.approx(2 / log(1.1) * log(1110 / 1010), rel=1e-9)
    assert at_most_of_100(posterior(HALF, loss)) == 88
    assert loss <= one.epsilon * one.neighbors.steps_between(1000, 1100)


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize(("size", "epsilon"), [("0.1", "1"), ("0.2", "0.5"), ("0.1", "4")])
def test_the_error_in_closed_form_is_that_of_the_exponent(size: str, epsilon: str, form: Form) -> None:
    """E and the quantiles of (n + 1/α)(c·e^η - 1), integrated over the Laplace density of η."""
    one = mechanism(size, epsilon, form)
    law = one.error(Sizes(np.array([0.0, 100.0]), np.zeros(2)))
    scale, shrink = float(one.scale), float(one.shrink)
    eta = np.linspace(-60 * scale, 200 * scale, 4_000_001)
    density = np.exp(-np.abs(eta) / scale) / (2 * scale)
    proportion = shrink * np.exp(eta) - 1
    level = np.array([0.0, 100.0]) + float(1 / one.neighbors.alpha)
    assert law.expected == pytest.approx(level * np.trapezoid(np.abs(proportion) * density, eta), rel=1e-4)
    assert law.bias == pytest.approx(level * np.trapezoid(proportion * density, eta), rel=1e-4, abs=1e-5)
    for chance in (0.2, 0.5, 0.9, 0.99):
        within = law.quantile(chance)
        assert law.chance_within(within) == pytest.approx(chance)
        assert np.trapezoid(density * (np.abs(proportion) <= law.relative_quantile(chance)), eta) == pytest.approx(
            chance, abs=1e-4
        )


def test_closed_forms_of_the_plain_and_the_unbiased_form() -> None:
    sizes = Sizes(np.array([90.0]), np.zeros(1))
    plain, unbiased = mechanism("0.1", "1", Form.PLAIN), mechanism("0.1", "1")
    scale = float(plain.scale)
    assert plain.error(sizes).expected == pytest.approx(100 * scale / (1 - scale**2))
    assert plain.error(sizes).bias == pytest.approx(100 * scale**2 / (1 - scale**2))
    assert unbiased.error(sizes).bias == pytest.approx(0, abs=1e-12)
    assert unbiased.relative_sd == pytest.approx(sqrt((1 - scale**2) ** 2 / (1 - 4 * scale**2) - 1))


@pytest.mark.parametrize("form", Form)
def test_released_cells_err_as_the_law_says_and_lie_within_their_limits(form: Form) -> None:
    one = mechanism("0.1", "1", form)
    sizes = Sizes(np.array([0.0, 300.0, 50_000.0]), np.zeros(3))
    law = one.error(sizes)
    counts = np.repeat(sizes.counts.astype(np.int64), DRAWS)
    noisy = one.release(counts, None, RehearsalNoise(3))
    assert noisy.dtype == np.int64
    errors = (noisy - counts).reshape(3, DRAWS)
    assert np.abs(errors[1:]).mean(axis=1) == pytest.approx(law.expected[1:], rel=0.04)
    assert errors[2].mean() == pytest.approx(law.bias[2], abs=5 * errors[2].std() / sqrt(DRAWS))
    assert agrees(np.abs(errors[2]) <= law.quantile(0.9)[2], 0.9)
    lower, upper = one.limits(noisy)
    covered = ((lower <= counts) & (counts <= upper)).reshape(3, DRAWS)
    assert agrees(covered[2], 0.95)
    assert covered[:2].mean(axis=1).min() > 0.945
    assert (lower >= 0).all()


def test_limits_are_a_public_proportion_of_the_published_value() -> None:
    one = mechanism("0.1", "1", Form.PLAIN)
    lower, upper = one.limits(np.array([990, -30]))
    reach = exp(float(one.scale) * log(20))
    assert lower.tolist() == [np.ceil(999.5 / reach - 10), 0]
    assert upper.tolist() == [np.floor(1000.5 * reach - 10), 0]


@pytest.mark.parametrize("source", [SystemNoise(), RehearsalNoise(1)], ids=["system", "rehearsal"])
def test_both_sources_release_on_the_lattice(source: SystemNoise | RehearsalNoise) -> None:
    one = mechanism("0.1", "1")
    noisy = one.release(np.full(DRAWS, 990), None, source)
    law = one.error(Sizes(np.array([990.0]), np.zeros(1)))
    assert agrees(np.abs(noisy - 990) <= law.quantile(0.5)[0], 0.5)


def test_going_back_from_the_lattice_is_exact_and_bounded() -> None:
    plain = mechanism("0.1", "1", Form.PLAIN)
    counts = np.array([0, 1, 2, 17, 12_345, 10**9])
    assert plain.published(plain.points(counts)).tolist() == counts.tolist()
    far = plain.published(np.array([-(2**62), 2**62]))
    assert far.tolist()[0] == -10
    assert 10**18 < far.tolist()[1] < 2**61
    assert far.tolist()[1] < plain.limits(far)[1].tolist()[1] <= 2**62


def test_it_refuses_errors_without_a_mean_and_warns_of_those_without_a_variance() -> None:
    refused = LogLaplace.consider(alpha("0.1"), Fraction("0.095"))
    assert isinstance(refused, Unfit)
    assert refused.smallest_epsilon == Fraction("0.0954")
    assert refused.reason == (
        "With α = 0.1 it needs ε = 0.0954 or more, or its error has no finite mean; here ε = 0.095."
    )
    heavy = mechanism("0.1", "0.0954")
    assert heavy.relative_sd is None
    assert "λ = 1.00" in (heavy.warning or "")
    assert mechanism("0.1", "0.19").warning
    assert mechanism("0.1", "0.191").warning is None
    as_published = LogLaplace.consider(alpha("0.1"), Fraction("0.19"), form=Form.HANEY)
    assert isinstance(as_published, Unfit)
    assert as_published.smallest_epsilon == Fraction("0.191")
    assert isinstance(LogLaplace.consider(Worker(), Fraction(1)), Unfit)


def test_its_margin_may_be_published() -> None:
    one = mechanism("0.1", "1")
    assert one.publishes_margin
    assert "λ = 0.09531" in one.scale_words
