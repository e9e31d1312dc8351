"""One question about accuracy and its whole answer: the curve, the epsilon a goal needs, sizes and releases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

import numpy as np

from workbench.plan.amounts import exact_text
from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import Policy
from workbench.preview.chart_goal import Goal
from workbench.preview.chart_words import shown_value
from workbench.preview.charts import chart_epsilons
from workbench.preview.curves import AccuracyCurve, accuracy_curve, epsilon_for, value_words
from workbench.preview.hypothetical import Hypothetical, hypothetical_releases
from workbench.preview.metrics import CellSizes, Metric, Target
from workbench.preview.now import planned
from workbench.preview.strata import Strata, strata
from workbench.privacy.composition import Allotment

One = TypeVar("One")


@dataclass(frozen=True)
class Question:
    """What is asked of a plan: a metric and the value wanted, for one statistic or (None) for all of them."""

    plan: ReleasePlan
    sizes: CellSizes
    metric: Metric
    target: Target
    wanted: float
    cell_size: int
    line: int | None = None


@dataclass(frozen=True)
class Answer:
    """What the plan would give. Without an epsilon there is a curve, but nothing about the present."""

    curve: AccuracyCurve
    goal: Goal
    most: Fraction
    statistics: tuple[Allotment, ...]
    strata: Strata
    releases: Hypothetical | None

    @property
    def finding(self) -> str:
        """The page's finding in one sentence or two."""
        if not self.curve.lines:
            return self.curve.sentence
        now = self.curve.lines[0].now
        if now is None:
            return f"Epsilon is not set yet. {self._needed}"
        if self.curve.metric is Metric.SHARE_WITHIN:
            return f"Now about {100 * now:.0f} of 100 cells are within target. {self._needed}"
        return f"Now {value_words(self.curve, now, self.curve.lines[0].unit)}. {self._needed}"

    @property
    def _needed(self) -> str:
        wanted = shown_value(self.curve, self.goal.value)
        reached = f"reaching {wanted}" if self.curve.metric.is_better_high else f"at most {wanted}"
        if self.goal.solved is None:
            return f"No epsilon up to {exact_text(self.most)} gives {reached.removeprefix('reaching ')}."
        return f"{reached.capitalize()} needs ε = {exact_text(self.goal.solved)}."

    @property
    def advice(self) -> str:
        """What the goal needs beside what the plan has, with **bold** parts."""
        solved, now = self.goal.solved, self.curve.epsilon_now
        if solved is None:
            return f"cannot be met: no epsilon up to {exact_text(self.most)} is enough."
        if now is None:
            return f"needs **ε = {exact_text(solved)}**. Epsilon is not set yet."
        if solved == now:
            return f"needs **ε = {exact_text(solved)}**: what the plan has."
        change = "more" if solved > now else "less"
        return f"needs **ε = {exact_text(solved)}**: **{exact_text(abs(solved - now))} {change}** than now."


def answer(question: Question, policy: Policy) -> Answer:
    """Everything at once, from public facts or from the sizes the question carries. Touches no records."""
    goal = Goal(question.wanted, solved(question, policy))
    plan, sizes = question.plan, question.sizes
    epsilons = chart_epsilons(goal.solved, plan.budget.epsilon)
    curve = accuracy_curve(plan, question.metric, question.target, sizes, epsilons)
    statistics = _chosen(planned(plan), question.line)
    return Answer(
        curve=replace(curve, lines=_chosen(curve.lines, question.line)),
        goal=goal,
        most=policy.largest_epsilon,
        statistics=statistics,
        strata=strata(statistics, sizes, question.target, plan.data.unit),
        releases=_releases(question, statistics[0]) if statistics else None,
    )


def solved(question: Question, policy: Policy) -> Fraction | None:
    """The smallest epsilon that gives the value wanted."""
    asked = question
    return epsilon_for(asked.plan, asked.metric, asked.wanted, asked.sizes, asked.target, policy, asked.line)


def _releases(question: Question, part: Allotment) -> Hypothetical:
    cell = CellSizes(np.array([float(question.cell_size)]), question.sizes.source, question.sizes.words)
    return hypothetical_releases(part, cell, question.plan.data.unit)


def _chosen(every: tuple[One, ...], line: int | None) -> tuple[One, ...]:
    return every if line is None else every[line : line + 1]
