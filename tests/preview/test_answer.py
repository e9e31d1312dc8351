"""One question about accuracy: the answer's words agree with its numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.plan.plan import ReleasePlan
from workbench.plan.planfile import read_plan
from workbench.plan.policy import default_policy
from workbench.preview.answer import Question, answer
from workbench.preview.metrics import Metric, policy_target, typical_sizes
from workbench.preview.outline import outline

JOBS_OF_WORKERS = Path(__file__).parents[1] / "plans" / "jobs_of_workers.toml"
POLICY = default_policy()


@pytest.fixture(scope="module")
def plan() -> ReleasePlan:
    return read_plan(JOBS_OF_WORKERS)[0]


def asked(plan: ReleasePlan, wanted: float = 0.8, metric: Metric = Metric.SHARE_WITHIN, line: int | None = None):
    sizes = typical_sizes(plan, POLICY)
    return answer(Question(plan, sizes, metric, policy_target(POLICY), wanted, 70, line), POLICY)


def with_epsilon(plan: ReleasePlan, epsilon: str | None) -> ReleasePlan:
    return replace(plan, budget=replace(plan.budget, epsilon=None if epsilon is None else Fraction(epsilon)))


def with_second_table(plan: ReleasePlan, share: str) -> ReleasePlan:
    """The same counts by education, for a part of the budget."""
    first = plan.tables[0]
    statistic = replace(first.statistics[0], share=Fraction(share))
    second = replace(first, name="education", keys=("education",), totals=(), statistics=(statistic,))
    return replace(plan, tables=(first, second))


def test_the_solved_epsilon_is_the_smallest_hundredth_that_meets_the_goal(plan):
    solved = asked(plan).goal.solved
    assert solved is not None
    below, at = (
        asked(with_epsilon(plan, str(float(epsilon)))).curve.lines[0].now
        for epsilon in (solved - Fraction("0.01"), solved)
    )
    assert below < 0.8 <= at


def test_the_finding_says_what_the_plan_gives_and_what_the_goal_needs(plan):
    found = asked(plan)
    said = f"Now about 100 of 100 cells are within target. Reaching 80 % needs ε = {float(found.goal.solved):g}."
    assert found.finding == said


def test_the_advice_says_how_much_less_or_more(plan):
    less = asked(plan)
    assert f"**{float(2 - less.goal.solved):g} less** than now" in less.advice
    more = asked(with_epsilon(plan, "0.05"))
    assert "more** than now" in more.advice
    same = asked(with_epsilon(plan, str(float(less.goal.solved))))
    assert same.advice.endswith("what the plan has.")


def test_a_goal_out_of_reach_says_so(plan):
    found = asked(with_second_table(plan, "0.0001"), 0.99)
    assert found.goal.solved is None and found.advice == "cannot be met: no epsilon up to 20 is enough."
    assert found.finding.endswith("No epsilon up to 20 gives 99 %.")


def test_a_plan_without_epsilon_has_a_curve_but_no_present(plan):
    found = asked(with_epsilon(plan, None))
    assert found.curve.lines and found.releases is None and not found.statistics
    assert found.finding.startswith("Epsilon is not set yet. Reaching 80 % needs")


def test_a_plan_without_protection_says_what_to_choose(plan):
    assert asked(replace(plan, neighbors=None)).finding.startswith("Choose statistics and who is protected")


def test_one_statistic_is_solved_by_itself_and_all_by_the_hardest(plan):
    plan = with_second_table(plan, "0.25")
    everything, first, second = asked(plan), asked(plan, line=0), asked(plan, line=1)
    assert [line.table for line in second.curve.lines] == ["education"]
    assert first.goal.solved < second.goal.solved == everything.goal.solved
    assert second.statistics[0].title == "education: count"


@pytest.mark.parametrize("metric", list(Metric))
def test_every_metric_has_a_finding_with_its_unit(plan, metric):
    found = asked(plan, 0.5 if metric is Metric.SHARE_WITHIN else 5, metric)
    unit = "%" if metric in (Metric.SHARE_WITHIN, Metric.RELATIVE) else "jobs"
    assert unit in found.finding and "needs ε" in found.finding


def test_the_outline_lists_each_table_with_its_totals_and_what_they_cost(plan):
    tables = outline(plan)
    assert [table.cells for table in tables] == [1440, 480, 72, 60, 24, 20, 3, 1]
    assert tables[0].title == "Jobs by place, sector and ownership" and tables[-1].title == "Jobs in all"
    assert [table.epsilon for table in tables] == [2, *[0] * 7]
    assert [table.is_total for table in tables] == [False, *[True] * 7]
    margins = [table.margin for table in tables]
    assert margins == sorted(margins) and margins[0] == 1


def test_the_outline_leaves_out_what_cannot_be_drawn_yet(plan):
    place = plan.column("place")
    assert outline(plan.with_column(replace(place, codes=None))) == ()
    assert outline(with_epsilon(plan, None)) == ()
