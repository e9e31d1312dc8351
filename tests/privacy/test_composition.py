"""Shares of the budget are exact, and the choice of a mechanism uses public facts only."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from workbench.data.findings import Severity
from workbench.plan.neighbors import StrongAlpha, Worker
from workbench.plan.plan import Budget, ReleasePlan, Statistic, StatisticKind, Table
from workbench.privacy.checks import check_mechanisms
from workbench.privacy.choose import candidates, choose
from workbench.privacy.composition import allotments

COUNT = Statistic()
PLAN = ReleasePlan(
    neighbors=Worker(),
    budget=Budget(Fraction("0.3")),
    tables=(Table("a", statistics=(COUNT, COUNT)), Table("b", statistics=(COUNT,))),
)


def test_three_equal_shares_add_up_exactly() -> None:
    parts = allotments(PLAN)
    assert [part.epsilon for part in parts] == [Fraction("0.1")] * 3
    assert sum(part.epsilon for part in parts) == Fraction("0.3")


def test_shares_are_relative() -> None:
    tables = (Table("a", statistics=(replace(COUNT, share=Fraction(2)), replace(COUNT, share=Fraction(1)))),)
    assert [part.share for part in allotments(replace(PLAN, tables=tables))] == [Fraction(2, 3), Fraction(1, 3)]


def test_counts_of_records_choose_the_geometric_mechanism() -> None:
    chosen = choose(COUNT, Worker(), Fraction(1))
    assert chosen is not None and chosen.name == "geometric"
    assert choose(replace(COUNT, mechanism="geometric"), Worker(), Fraction(1)) == chosen


@pytest.mark.parametrize(
    ("statistic", "neighbors", "reason"),
    [
        (Statistic(StatisticKind.MEAN, "pay"), Worker(), "not for mean"),
        (COUNT, StrongAlpha(Fraction(1, 10)), "no bound on what “strong-alpha” can change"),
    ],
)
def test_what_does_not_fit_says_why(statistic: Statistic, neighbors: Worker, reason: str) -> None:
    assert choose(statistic, neighbors, Fraction(1)) is None
    assert all(reason in one.reason for one in candidates(statistic, neighbors, Fraction(1)))
    plan = replace(PLAN, neighbors=neighbors, tables=(Table("t", statistics=(statistic,)),))
    (finding,) = check_mechanisms(plan)
    assert finding.severity is Severity.BLOCK
    assert reason in finding.what


def test_an_unknown_mechanism_is_refused_with_those_that_fit() -> None:
    plan = replace(PLAN, tables=(Table("t", statistics=(replace(COUNT, mechanism="laplacian"),)),))
    (finding,) = check_mechanisms(plan)
    assert "geometric" in finding.remedy
