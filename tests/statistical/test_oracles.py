"""Google's calibrated cases on our mechanisms: pairs of inputs as a black box, shapes of noise against references.

A vote accepts with a chance of about 0.9 when a mechanism is right, so that the majority of nine counts; the draws are
seeded, so that it is always the same majority. A first vote that is far from its limit settles the matter. Exactly
geometric noise meets its epsilon at every outcome, which leaves less room than the rounded noise of the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles import FOLDER, Case, cases, kinds, parameters

from workbench.plan.neighbors import WorkerHistory
from workbench.privacy.audits.black_box import largest_excess
from workbench.privacy.audits.laws import gaussian_steps
from workbench.privacy.distributions import StandardLaplace
from workbench.privacy.mechanisms.gaussian import Gaussian
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.mechanisms.laplace import GridLaplace
from workbench.privacy.noise import RehearsalNoise
from workbench.privacy.normal import normal_cdf
from workbench.privacy.rounding import Scales, draw_rounded

if not FOLDER.is_dir():
    pytest.skip("the cases of the statistical tester are not here", allow_module_level=True)

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

PAIRS = ("count_dp", "bounded_sum_dp", "long_bounded_sum_dp")
SHAPES = ("laplace_closeness", "gaussian_closeness")
WITHOUT_COUNTERPART = {
    "approximate_bounds_dp": "bounds come from the plan here, never from the data",
    "bounded_mean_dp": "means are released as a sum and a count, which the cases of both cover",
    "bounded_quantiles_dp": "there is no mechanism for quantiles by trees",
    "bounded_stdv_dp": "there is no mechanism for standard deviations",
}
VOTES = 9
FINER = 64  # steps of our grid in one bucket

each_pair = pytest.mark.parametrize("case", [case for kind in PAIRS for case in cases(kind)], ids=str)


def test_every_case_is_run_or_has_a_reason() -> None:
    numbers = {kind: len(cases(kind)) for kind in kinds()}
    assert set(numbers) == {*PAIRS, *SHAPES, *WITHOUT_COUNTERPART}
    assert sum(numbers.values()) == 296
    assert sum(numbers[kind] for kind in (*PAIRS, *SHAPES)) == 154


@pytest.mark.parametrize("kind", WITHOUT_COUNTERPART)
def test_cases_without_a_counterpart(kind: str) -> None:
    pytest.skip(f"{len(cases(kind))} cases: {WITHOUT_COUNTERPART[kind]}")


# Pairs of inputs


def majority(found: Callable[[int], float], limit: float) -> bool:
    """Whether most votes find less than the limit."""
    accepted = rejected = 0
    while max(accepted, rejected) <= VOTES // 2:
        one = found(accepted + rejected)
        if accepted + rejected == 0 and not limit / 2 <= one <= 2 * limit:
            return one < limit
        accepted, rejected = accepted + (one < limit), rejected + (one >= limit)
    return accepted > rejected


def step_of(case: Case) -> Fraction:
    """Counts are whole; sums are on a grid that is finer than the buckets."""
    return Fraction(1) if case.kind == "count_dp" else case.number("granularity") / FINER


def true_values(case: Case, step: Fraction) -> tuple[int, int, int]:
    """What is released of both inputs, in steps, and how many records of the largest value the second has more."""
    if case.kind == "count_dp":
        first, second = (int(sum(case.numbers(f"{one}raw_increment_by"))) for one in ("", "neighbour_"))
        return first, second, second - first
    lower, upper = case.number("lower_bound"), case.number("upper_bound")
    entries = [case.numbers(f"{one}raw_entry") for one in ("", "neighbour_")]
    first, second = (floor(sum(min(max(entry, lower), upper) for entry in one) / step) for one in entries)
    return first, second, len(entries[1]) - len(entries[0])


def reach_of(case: Case, step: Fraction) -> int:
    if case.kind == "count_dp":
        return 1
    return ceil(max(abs(case.number("lower_bound")), abs(case.number("upper_bound"))) / step)


def mechanism_of(case: Case, contribution: int, reach: int) -> Any:
    """For as many records as the two inputs differ by, which is what the cases are calibrated to."""
    neighbors, epsilon = WorkerHistory(contribution), case.number("epsilon")
    if case.word("noise_type") == "GAUSSIAN":
        return Gaussian.consider(neighbors, epsilon, case.number("delta"), reach=reach)
    return (Geometric if case.kind == "count_dp" else GridLaplace)(epsilon, neighbors, reach)


def excess_of(case: Case, mechanism: Any, seed: int) -> float:
    """How much more often an outcome comes from one input than e^ε times as often as from the other, in all."""
    noise = RehearsalNoise(seed)
    width = 1 if case.kind == "count_dp" else FINER
    first, second = (
        (mechanism.release(np.full(case.samples, value), None, noise) + width // 2) // width
        for value in true_values(case, step_of(case))[:2]
    )
    return largest_excess(*histograms(first, second), float(case.number("epsilon")))


def allowed(case: Case) -> float:
    return float(case.number("delta", "0") + case.number("delta_tolerance"))


def histograms(first: Integers, second: Integers) -> tuple[Floats, Floats]:
    """Shares of every outcome of either; all that are far apart are few."""
    lowest = min(first.min(), second.min())
    size = int(max(first.max(), second.max()) - lowest) + 1
    one, other = (np.bincount(drawn - lowest, minlength=size) / len(drawn) for drawn in (first, second))
    return one, other


@each_pair
def test_two_neighbouring_inputs_cannot_be_told_apart(case: Case) -> None:
    step = step_of(case)
    mechanism = mechanism_of(case, true_values(case, step)[2], reach_of(case, step))
    assert majority(lambda vote: excess_of(case, mechanism, 1_000 + vote), allowed(case))


LAPLACE_SUMS = [case for case in cases("bounded_sum_dp") if case.word("noise_type") == "LAPLACE"]


@pytest.mark.parametrize("case", LAPLACE_SUMS, ids=str)
def test_noise_for_a_smaller_distance_is_rejected(case: Case) -> None:
    """The cases promise to reject noise for a distance that is 1.185 times too small."""
    (specificity,) = parameters("bounded_sum_dp")["distance_specificity"]
    step = step_of(case)
    reach = floor(reach_of(case, step) / specificity)
    careless = mechanism_of(case, true_values(case, step)[2], reach)
    assert not majority(lambda vote: excess_of(case, careless, 2_000 + vote), allowed(case))


# Shapes of noise


def bucket_chances(case: Case, cdf: Callable[[Floats], Floats]) -> Floats:
    """Of all buckets from far below the mean to far above; `cdf` takes distances from the mean."""
    granularity, sd = float(case.number("granularity")), sqrt(case.number("variance"))
    reach = ceil(40 * sd / granularity)
    return np.diff(cdf((np.arange(-reach, reach + 1) - 0.5) * granularity))


def reference(case: Case) -> Callable[[Floats], Floats]:
    variance = float(case.number("variance"))
    if case.kind == "gaussian_closeness":
        return lambda z: normal_cdf(z / sqrt(variance))
    return lambda z: StandardLaplace().cdf(z / sqrt(variance / 2))


def ours(case: Case, stretch: float = 1.0, shift: float = 0.0) -> Callable[[Floats], Floats]:
    """Discrete noise on our grid, as a distribution function of distances from the mean."""
    step = float(case.number("granularity")) / FINER
    sd = sqrt(case.number("variance")) * stretch / step

    def steps(z: Floats) -> Floats:
        """The last step of a bucket; its edges lie between two steps."""
        return np.floor((z - shift * sd * step) / step - 1e-6)

    if case.kind == "gaussian_closeness":
        return lambda z: gaussian_steps(sd, steps(z))
    decay = float(np.exp(-sqrt(2) / sd))
    return lambda z: np.where(
        steps(z) >= 0,
        1 - decay ** (np.maximum(steps(z), 0) + 1) / (1 + decay),
        decay ** -np.minimum(steps(z), 0) / (1 + decay),
    )


def distance(case: Case, law: Callable[[Floats], Floats]) -> float:
    return float(np.sqrt(np.square(bucket_chances(case, law) - bucket_chances(case, reference(case))).sum()))


@pytest.mark.parametrize("case", [case for kind in SHAPES for case in cases(kind)], ids=str)
def test_discrete_noise_on_a_fine_grid_has_the_shape_of_the_reference(case: Case) -> None:
    """The tester accepts shapes that are nearer than half its tolerance; noise of a wrong scale is further away."""
    tolerance = float(case.number("l2_tolerance"))
    given = parameters(case.kind)
    assert distance(case, ours(case)) < tolerance / 2
    assert distance(case, ours(case, stretch=1.25)) > tolerance / 2
    assert distance(case, ours(case, shift=4 * float(given["shift_specificity"][0]))) > distance(case, ours(case))


def closeness(first: Integers, second: Integers) -> float:
    """The squared distance of two distributions, estimated from the collisions of as many draws of each."""
    lowest = min(first.min(), second.min())
    one, other = (np.bincount(drawn - lowest).astype(np.float64) for drawn in (first, second))
    shared = min(len(one), len(other))
    within = (one * (one - 1)).sum() / 2 + (other * (other - 1)).sum() / 2
    count = len(first)
    return float(within - (count - 1) / count * (one[:shared] @ other[:shared])) / (count * (count - 1))


def draws_of(case: Case, seed: int, stretch: float = 1.0) -> tuple[Integers, Integers]:
    """Buckets of exactly rounded Laplace draws, and of draws of the reference."""
    granularity, scale = case.number("granularity"), sqrt(case.number("variance") / 2) * stretch
    source = np.random.Generator(np.random.PCG64(seed))
    step, center = granularity / FINER, floor(case.number("mean") * FINER / case.number("granularity"))
    scales = Scales(np.ones(case.samples, dtype=np.int64), Fraction(scale))
    drawn = draw_rounded(
        StandardLaplace(), np.full(case.samples, center), scales, step,
        lambda count: source.integers(0, 2**64, size=count, dtype=np.uint64),
    )  # fmt: skip
    lean = float(case.number("mean") - center * step)
    expected = np.floor((source.laplace(lean, scale / stretch, case.samples) / float(step) + FINER / 2) / FINER)
    return (drawn - center + FINER // 2) // FINER, expected.astype(np.int64)


@pytest.mark.parametrize("case", cases("laplace_closeness"), ids=str)
def test_exactly_rounded_laplace_draws_have_the_shape_of_the_reference(case: Case) -> None:
    limit = float(case.number("l2_tolerance")) ** 2 / 4
    assert majority(lambda vote: closeness(*draws_of(case, 3_000 + vote)), limit)


def test_draws_of_another_scale_are_rejected() -> None:
    case = cases("laplace_closeness")[0]
    limit = float(case.number("l2_tolerance")) ** 2 / 4
    assert not majority(lambda vote: closeness(*draws_of(case, 4_000 + vote, stretch=1.0625)), limit)
