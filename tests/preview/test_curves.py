"""Accuracy before spending: closed forms agree with simulation, solved epsilons are the smallest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import isnan
from pathlib import Path

import numpy as np
import pytest

from workbench import workflow
from workbench.errors import BadTarget
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import Budget, ReleasePlan, Statistic, StatisticKind
from workbench.plan.planfile import read_plan
from workbench.plan.policy import default_policy
from workbench.preview.chart_words import curve_table
from workbench.preview.metrics import Metric, Source, policy_target, typical_sizes
from workbench.privacy.noise import RehearsalNoise


@pytest.fixture
def plan(small_plan: Callable[..., Path]) -> ReleasePlan:
    return read_plan(small_plan())[0]


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 2)], ids=str)
def test_share_within_target_agrees_with_simulation(plan: ReleasePlan, epsilon: Fraction) -> None:
    curve = workflow.preview(plan, Metric.SHARE_WITHIN, (epsilon,))
    sizes = typical_sizes(plan, default_policy()).sizes
    target = policy_target(default_policy())
    errors = np.abs(RehearsalNoise(3).discrete_laplace(1 / epsilon, 2000 * len(sizes)).reshape(2000, -1))
    simulated = (errors <= np.maximum(target.within * sizes, target.or_within)).mean()
    assert curve.lines[0].values[0] == pytest.approx(simulated, abs=0.005)


@pytest.mark.parametrize("metric", list(Metric))
def test_more_epsilon_is_never_worse(plan: ReleasePlan, metric: Metric) -> None:
    values = np.array(workflow.preview(plan, metric).lines[0].values)
    steps = np.diff(values if metric.is_better_high else -values)
    assert (steps >= 0).all() and steps.any()


@pytest.mark.parametrize("target", ["share-within:0.1>=0.9", "share-within:0.1,10>=0.99", "margin<=5", "absolute<=2.5"])
def test_the_solved_epsilon_is_the_smallest(plan: ReleasePlan, target: str) -> None:
    solved = workflow.solve(plan, target)
    assert solved is not None
    wanted = float(target.rsplit("=", 1)[1])
    metric = Metric(target.split(":")[0].split("<")[0])
    if target in ("margin<=5", "absolute<=2.5"):
        at, below = workflow.preview(plan, metric, (solved, solved - Fraction(1, 100))).lines[0].values
        assert at <= wanted < below


def test_an_unreachable_target_has_no_epsilon(plan: ReleasePlan) -> None:
    assert workflow.solve(plan, "share-within:0.1,10>=1.1") is None


@pytest.mark.parametrize("target", ["", "margin", "margin>=5", "nonsense<=1", "share-within:0.1<=0.9", "margin<=x"])
def test_a_target_that_makes_no_sense_gets_a_sentence(plan: ReleasePlan, target: str) -> None:
    with pytest.raises(BadTarget):
        workflow.solve(plan, target)


def test_curves_exist_before_epsilon_is_chosen_and_say_what_they_looked_at(plan: ReleasePlan) -> None:
    curve = workflow.preview(replace(plan, budget=Budget()))
    assert curve.lines[0].now is None
    assert curve.source is Source.SYNTHETIC
    assert "typical cell of 70 jobs" in curve.source_words


def test_no_mechanism_means_no_line(plan: ReleasePlan) -> None:
    mean = replace(plan.tables[0], statistics=(Statistic(StatisticKind.MEAN, "earnings"),))
    assert workflow.preview(replace(plan, tables=(mean,))).lines == ()


def test_where_nothing_fits_the_line_has_a_gap(plan: ReleasePlan) -> None:
    """Under strong alpha small epsilons admit nothing; what fits larger ones is still shown."""
    curve = workflow.preview(
        replace(plan, neighbors=StrongAlpha(Fraction(1, 20))),
        Metric.ABSOLUTE,
        (Fraction(1, 10), Fraction(1), Fraction(2)),
    )
    small, one, two = curve.lines[0].values
    assert isnan(small)
    assert one > two > 0
    assert curve_table(curve)[1][0][1] == "nothing fits"
    assert "50 % of its cell" in curve.source_words
