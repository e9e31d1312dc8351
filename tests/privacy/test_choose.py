"""The choice of a mechanism: public facts only, best first, and for what does not fit the epsilon that would do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import StatisticKind
from workbench.privacy.brief import Brief
from workbench.privacy.choose import Candidate, candidates, choose, served_by
from workbench.privacy.error_law import Sizes
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanisms import OFFERS
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
from workbench.privacy.mechanisms.smooth_t import SmoothT

TENTH = StrongAlpha(Fraction(1, 10))
MILLIONTH = Fraction(1, 10**6)
DOLLARS = MeasureGrid(Fraction(1), 0, 250_000)


def brief(neighbors: Neighbors, epsilon: str = "2", **facts: object) -> Brief:
    return replace(Brief(StatisticKind.COUNT, neighbors, Fraction(epsilon)), **facts)  # type: ignore[arg-type]


def named(name: str, asked: Brief) -> Candidate:
    return next(one for one in candidates(asked) if one.offer.name == name)


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        (brief(Worker()), "geometric"),
        (brief(WorkerHistory(3)), "geometric"),
        (brief(Employer(50)), "truncated-laplace"),
        (brief(TENTH), "smooth-power"),
        (brief(TENTH, worker_cells=8), "joint-power"),
        (brief(Worker(), kind=StatisticKind.SUM, measure=DOLLARS), "laplace"),
        (brief(TENTH, kind=StatisticKind.SUM, measure=DOLLARS), "smooth-power"),
        (brief(TENTH, "1", largest_share=Fraction(1)), "log-laplace"),
    ],
)
def test_the_best_mechanism_of_a_brief(asked: Brief, best: str) -> None:
    chosen = choose(asked)
    assert chosen is not None
    assert chosen.offer.name == best
    assert choose(replace(asked, wanted=best)) == chosen


@pytest.mark.parametrize("asked", [brief(Worker(), delta=MILLIONTH), brief(TENTH, delta=MILLIONTH)], ids=str)
def test_admissible_ones_come_first_by_expected_error(asked: Brief) -> None:
    ranked = candidates(asked)
    fitting = [one for one in ranked if one.is_admissible]
    assert len(ranked) == len(OFFERS)
    assert len(fitting) > 1
    assert ranked[: len(fitting)] == tuple(fitting)
    assert [one.expected_error for one in fitting] == sorted(one.expected_error for one in fitting)
    assert all(one.reason for one in ranked)


def test_the_expected_error_is_that_of_the_declared_typical_cells() -> None:
    asked = brief(TENTH, typical_cell=500, largest_share=Fraction(1, 4))
    one = named("smooth-t", asked)
    assert isinstance(one.mechanism, SmoothT)
    sizes = asked.typical_sizes()
    assert np.median(sizes.counts) == pytest.approx(500, rel=0.02)
    assert sizes.largest == pytest.approx(np.ceil(sizes.counts / 4))
    assert one.expected_error == pytest.approx(float(one.mechanism.error(sizes).expected.mean()))
    closer = named("smooth-t", replace(asked, largest_share=Fraction(1, 8)))
    assert closer.expected_error < one.expected_error


@pytest.mark.parametrize("worker_cells", [1, 8])
@pytest.mark.parametrize("delta", [Fraction(0), MILLIONTH], ids=["pure", "delta"])
def test_the_smallest_epsilon_would_do_and_hardly_less_would(delta: Fraction, worker_cells: int) -> None:
    asked = brief(StrongAlpha(Fraction(1, 5)), "0.05", delta=delta, worker_cells=worker_cells)
    refused = [one for one in candidates(asked) if one.smallest_epsilon is not None]
    assert len(refused) >= (3 if worker_cells == 1 else 4)
    for one in refused:
        enough = one.smallest_epsilon
        assert enough is not None
        assert named(one.offer.name, replace(asked, epsilon=enough)).is_admissible, one.offer.name
        assert not named(one.offer.name, replace(asked, epsilon=enough * Fraction(98, 100))).is_admissible
        assert "ε = " in one.reason


def test_counts_of_some_workers_are_refused_to_the_log_family() -> None:
    for one in candidates(brief(TENTH, worker_cells=8)):
        if one.offer.name.startswith("log-"):
            assert not one.is_admissible
            assert "whole workforces" in one.reason


def test_cells_of_one_establishment_are_charged_one_by_one() -> None:
    """α = 0.05, d = 8, ε = 4: sequential 3.60 S, joint 0.45 S."""
    asked = brief(StrongAlpha(Fraction(1, 20)), "4", worker_cells=8)
    alone, together = named("smooth-t", asked), named("joint-t", asked)
    assert isinstance(alone.mechanism, CellByCell)
    one_cell = Sizes(np.zeros(1), np.zeros(1))
    assert alone.mechanism.each.guarantee.epsilon == Fraction(1, 2)
    assert alone.mechanism.guarantee.epsilon == 4
    assert alone.mechanism.error(one_cell).expected[0] == pytest.approx(3.60, abs=0.005)
    assert together.mechanism is not None
    assert together.mechanism.error(one_cell).expected[0] == pytest.approx(0.45, abs=0.005)
    assert "do not share one ε" in alone.reason


def test_forms_as_published_are_offered_and_err_more() -> None:
    asked = brief(TENTH, "4", delta=MILLIONTH)
    for ours, theirs in [
        ("smooth-gamma", "smooth-gamma-published"),
        ("smooth-laplace", "smooth-laplace-published"),
        ("log-laplace", "log-laplace-haney"),
    ]:
        assert named(ours, asked).expected_error < named(theirs, asked).expected_error
    haney = named("log-laplace-haney", asked).mechanism
    assert haney is not None
    assert haney.guarantee.epsilon == 2, "half is spent per step"


def test_a_sum_has_the_reach_of_its_public_bounds() -> None:
    counted, summed = brief(Worker()), brief(Worker(), kind=StatisticKind.SUM, measure=DOLLARS)
    count, total = choose(counted), choose(summed)
    assert count is not None
    assert total is not None
    assert total.expected_error == pytest.approx(250_000 / 2, rel=1e-3)
    hours = replace(summed, measure=MeasureGrid(Fraction(1, 1000), 0, 80_000))
    assert candidates(hours)[0].expected_error == pytest.approx(80 / 2, rel=1e-3)
    both_ways = replace(summed, measure=MeasureGrid(Fraction(1), -300_000, 100))
    assert candidates(both_ways)[0].expected_error == pytest.approx(300_000 / 2, rel=1e-3)


def test_every_offer_says_whom_it_serves() -> None:
    served = {offer.name: served_by(offer) for offer in OFFERS}
    assert all(served.values())
    assert set(served["geometric"]) == {"worker", "worker-history", "employer"}
    assert set(served["truncated-laplace"]) == {"employer"}
    assert served["gaussian"]["worker"] is Claim.ZCDP
    strong = [name for name, claims in served.items() if "strong-alpha" in claims]
    assert {
        "log-laplace",
        "log-gaussian",
        "smooth-t",
        "smooth-gamma",
        "smooth-laplace",
        "joint-t",
        "smooth-power",
        "joint-power",
    } <= set(strong)
    assert all(served[name] == {"strong-alpha": Claim.ER_EE} for name in strong)
