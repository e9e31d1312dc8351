"""The draw of every kind of statistic: the right values reach the right mechanism and come back in the right order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench import workflow
from workbench.data.dataset import Dataset
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker
from workbench.plan.plan import Budget, ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.planfile import read_plan
from workbench.privacy.composition import allotments, plan_guarantee
from workbench.privacy.error_law import Sizes
from workbench.privacy.noise import Integers, RehearsalNoise, SystemNoise
from workbench.release.assembling import assemble
from workbench.release.draw import Draw, draw_noise
from workbench.release.release import Mode, Release
from workbench.release.releasing import account_of
from workbench.tabulate.cells import Cells, largest_of_each, tabulate

TWO = Fraction(2)
TENTH = StrongAlpha(Fraction(1, 10))
COUNT, SUM = Statistic(), Statistic(StatisticKind.SUM, "earnings")
WORKPLACE, MIXED = ("place", "sector", "ownership"), ("sex", "place", "age_group")
SO_MUCH = Fraction(10**11)  # an epsilon with which the noise is zero, so that only mistakes are left to see


@pytest.fixture(scope="module")
def jobs() -> tuple[ReleasePlan, Dataset]:
    plan, _ = read_plan(Path(__file__).parents[2] / "sample_data" / "plans" / "lodes_jobs.toml")
    return plan, workflow.data_of(plan)


def planned(
    plan: ReleasePlan,
    keys: tuple[str, ...],
    statistic: Statistic,
    neighbors: Neighbors,
    epsilon: Fraction = TWO,
) -> ReleasePlan:
    table = Table("t", keys, totals=(keys[:1], ()), statistics=(statistic,))
    return replace(plan, tables=(table,), neighbors=neighbors, budget=Budget(epsilon, Fraction(1, 10**6)))


def drawn(plan: ReleasePlan, dataset: Dataset, seed: int = 1) -> tuple[Cells, Integers]:
    cells = tabulate(plan, plan.tables[0], dataset, "any")
    (noisy,) = draw_noise(plan, [cells], RehearsalNoise(seed))
    return cells, noisy


def sizes_of(cells: Cells) -> Sizes:
    largest = largest_of_each(cells)
    counts = cells.counts.astype(np.float64)
    return Sizes(counts, np.zeros_like(counts) if largest is None else largest.astype(np.float64))


def assembled(plan: ReleasePlan, noisy: Integers) -> Release:
    draw = Draw("r", Mode.REHEARSAL, "2026-01-01T00:00:00Z", "someone", "0" * 64, None, (noisy,))
    return assemble(plan, draw, "public facts")


@pytest.mark.parametrize("statistic", [COUNT, SUM], ids=["count", "sum"])
@pytest.mark.parametrize("keys", [WORKPLACE, MIXED], ids=["workplace", "mixed"])
@pytest.mark.parametrize("neighbors", [Worker(), Employer(200), TENTH], ids=lambda one: one.name)
def test_without_noise_every_mechanism_gives_the_true_cells_in_their_order(
    jobs: tuple[ReleasePlan, Dataset], neighbors: Neighbors, keys: tuple[str, ...], statistic: Statistic
) -> None:
    plan = planned(jobs[0], keys, statistic, neighbors, SO_MUCH)
    names = [one.offer.name for one in allotments(plan)[0].candidates if one.is_admissible]
    assert names
    for name in names:
        asked = planned(jobs[0], keys, replace(statistic, mechanism=name), neighbors, SO_MUCH)
        cells, noisy = drawn(asked, jobs[1])
        true = cells.sums["earnings"] if statistic.measure else cells.counts
        mechanism = allotments(asked)[0].mechanism
        assert mechanism is not None
        slack = mechanism.error(sizes_of(cells)).quantile(1 - 1e-9)
        assert np.median(slack) <= 0.05 * np.abs(true).mean() + 1, "or this shows nothing"
        assert (np.abs(noisy - true) <= slack + 1).all(), name


@pytest.mark.parametrize("name", ["smooth-t", "smooth-gamma", "log-laplace"])
def test_noise_of_each_cell_follows_its_own_size(jobs: tuple[ReleasePlan, Dataset], name: str) -> None:
    """Errors in proportion to what the law says they are, in cells with small and with large establishments."""
    plan = planned(jobs[0], WORKPLACE, replace(COUNT, mechanism=name), TENTH)
    mechanism = allotments(plan)[0].mechanism
    assert mechanism is not None
    cells, _ = drawn(plan, jobs[1])
    assert cells.largest is not None
    law = mechanism.error(sizes_of(cells))
    inside = [np.abs(drawn(plan, jobs[1], seed)[1] - cells.counts) <= law.quantile(0.9) + 0.5 for seed in range(12)]
    is_large = cells.largest >= np.quantile(cells.largest, 0.8)
    for group in (is_large, ~is_large):
        share = np.mean([one[group] for one in inside])
        draws = 12 * int(group.sum())
        assert share >= 0.9 - 5 * np.sqrt(0.09 / draws)
    assert np.mean([one[is_large] for one in inside]) <= 0.9 + 5 * np.sqrt(0.09 / (12 * int(is_large.sum()))) + 0.02


def test_limits_hold_as_often_as_they_say(jobs: tuple[ReleasePlan, Dataset]) -> None:
    plan = planned(jobs[0], WORKPLACE, replace(COUNT, mechanism="log-laplace"), TENTH)
    cells, _ = drawn(plan, jobs[1])
    held = []
    for seed in range(20):
        _, noisy = drawn(plan, jobs[1], seed)
        table, by_place, in_all = assembled(plan, noisy).tables
        assert table.limits is not None
        held.append(((table.limits[0] <= cells.counts) & (cells.counts <= table.limits[1])).mean())
        assert by_place.limits is None and in_all.limits is None, "the error of a total is not public"
        assert by_place.raw.tolist() == cells.grid.add_up(noisy, ("place",)).tolist()
    draws = 20 * cells.grid.size
    assert np.mean(held) >= 0.95 - 5 * np.sqrt(0.05 * 0.95 / draws)


@pytest.mark.parametrize("name", ["smooth-t", "smooth-gamma", "smooth-laplace"])
def test_nothing_about_the_error_of_the_smooth_family_is_in_a_release(
    jobs: tuple[ReleasePlan, Dataset], name: str
) -> None:
    plan = planned(jobs[0], WORKPLACE, replace(COUNT, mechanism=name), TENTH, Fraction(4))
    cells, noisy = drawn(plan, jobs[1])
    assert cells.largest is not None
    for table in assembled(plan, noisy).tables:
        assert table.margin is None
        assert table.limits is None
        assert str(int(cells.largest.max())) not in table.scale_words


def test_a_sum_is_published_in_its_own_units(jobs: tuple[ReleasePlan, Dataset]) -> None:
    plan = planned(jobs[0], ("place",), SUM, Worker(), SO_MUCH)
    cells, noisy = drawn(plan, jobs[1])
    table = assembled(plan, noisy).tables[0]
    assert (table.unit, table.title, table.step) == ("earnings", "Sum of earnings by place", Fraction(1, 10))
    assert table.decimals == 1
    shown = table.in_units(table.published)
    assert shown == pytest.approx([value / 10 for value in cells.sums["earnings"].tolist()], abs=0.2)
    assert "each by at most 50000" in table.sensitivity_words


def test_what_is_charged_is_what_the_mechanisms_spend(jobs: tuple[ReleasePlan, Dataset]) -> None:
    ours = planned(jobs[0], WORKPLACE, replace(COUNT, mechanism="log-laplace"), TENTH)
    theirs = planned(jobs[0], WORKPLACE, replace(COUNT, mechanism="log-laplace-haney"), TENTH)
    assert (plan_guarantee(ours).epsilon, plan_guarantee(theirs).epsilon) == (2, 1)
    assert account_of(ours) == account_of(theirs)
    assert account_of(ours).claim == "formal variant: (α, ε)-ER-EE"


def test_formal_claims_of_one_protection_share_an_account(jobs: tuple[ReleasePlan, Dataset]) -> None:
    pure, with_delta = (
        planned(jobs[0], WORKPLACE, replace(COUNT, mechanism=name), Worker()) for name in ("geometric", "gaussian")
    )
    assert plan_guarantee(pure).claim != plan_guarantee(with_delta).claim
    assert account_of(pure) == account_of(with_delta)


def test_a_live_source_draws_a_strong_alpha_table(jobs: tuple[ReleasePlan, Dataset]) -> None:
    plan = planned(jobs[0], MIXED, COUNT, TENTH)
    cells = tabulate(plan, plan.tables[0], jobs[1], "any")
    first, second = (draw_noise(plan, [cells], SystemNoise())[0] for _ in range(2))
    assert first.dtype == np.int64
    assert (first != second).mean() > 0.5


@pytest.mark.parametrize(
    ("neighbors", "mechanism", "title", "bias"),
    [
        (TENTH, "log-laplace", "Log-Laplace", ""),
        (TENTH, "log-laplace-plain", "Log-Laplace, plain", "0.23 % of (n + 1/α) too high on average"),
        (TENTH, "log-laplace-haney", "Log-Laplace, as in Haney et al.", "0.92 % of (n + 1/α) too high on average"),
        (TENTH, "smooth-power", "Smooth power tail", ""),
        (
            Employer(200),
            "truncated-laplace",
            "Truncated Laplace",
            "too low by what employers have above the size limit",
        ),
    ],
)
def test_a_table_says_which_form_it_was_and_its_bias(
    jobs: tuple[ReleasePlan, Dataset], neighbors: Neighbors, mechanism: str, title: str, bias: str
) -> None:
    plan = planned(jobs[0], WORKPLACE, replace(COUNT, mechanism=mechanism), neighbors)
    table = assembled(plan, drawn(plan, jobs[1])[1]).tables[0]
    assert table.mechanism_title == title
    assert table.bias_words.startswith(bias)
    assert bool(table.bias_words) == bool(bias)
