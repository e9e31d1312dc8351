"""Accuracy against epsilon for the statistics of a plan, and the epsilon that meets a target."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from workbench.errors import BadTarget
from workbench.plan.amounts import exact_text, parse_exact
from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import Policy
from workbench.plan.units import of_unit
from workbench.preview.metrics import CellSizes, Metric, Source, Target, measure
from workbench.preview.now import at_epsilon
from workbench.privacy.composition import Allotment, allotments

DEFAULT_EPSILONS = tuple(Fraction(tenths, 10) for tenths in (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100))
Epsilons = tuple[Fraction, ...]
_SOLVE = re.compile(r"([a-z-]+)(?::([\d.]+)(?:,([\d.]+))?)?\s*(>=|<=)\s*([\d.]+)")
_STEP = Fraction(1, 100)


@dataclass(frozen=True)
class AccuracyLine:
    """One statistic: its metric at each epsilon of the plan, not a number where nothing fits, and at the plan's own."""

    statistic: str
    table: str
    unit: str
    mechanism: str
    share: Fraction
    values: tuple[float, ...]
    now: float | None


@dataclass(frozen=True)
class AccuracyCurve:
    """Accuracy against the plan's epsilon. Says what it looked at."""

    metric: Metric
    target: Target
    records: str
    source: Source
    source_words: str
    epsilons: tuple[Fraction, ...]
    epsilon_now: Fraction | None
    lines: tuple[AccuracyLine, ...]

    @property
    def unit(self) -> str:
        """The unit of its values: that of the lines where they share one, or else what the records are called."""
        units = {line.unit for line in self.lines}
        return units.pop() if len(units) == 1 else self.records

    @property
    def sentence(self) -> str:
        """The curve's finding in one sentence."""
        if not self.lines:
            return "Choose statistics and who is protected to see the expected error."
        first = self.lines[0]
        if first.now is None or self.epsilon_now is None:
            return "Set epsilon to see what this plan would give."
        return f"At ε = {exact_text(self.epsilon_now)}: {value_words(self, first.now, first.unit)}."


def value_words(curve: AccuracyCurve, value: float, unit: str) -> str:
    """A metric's value in words, with its unit."""
    relative = round(curve.target.within * 100)
    return {
        Metric.MARGIN: f"a published number is at most {value:,.0f} {of_unit(value, unit)} off, 95 times in 100",
        Metric.ABSOLUTE: f"a published number is about {value:,.1f} {unit} off on average",
        Metric.RELATIVE: f"a published number is about {100 * value:,.1f} % off on average",
        Metric.SHARE_WITHIN: f"about {100 * value:.0f} of 100 cells come within {relative} % "
        f"or {curve.target.or_within:g} {unit}",
    }[curve.metric]


def accuracy_curve(
    plan: ReleasePlan, metric: Metric, target: Target, sizes: CellSizes, epsilons: Epsilons = DEFAULT_EPSILONS
) -> AccuracyCurve:
    """What each statistic of the plan would give at each epsilon. Touches no records."""
    now = plan.budget.epsilon if plan.budget.epsilon and plan.budget.epsilon > 0 else None
    at_each = [allotments(at_epsilon(plan, epsilon)) for epsilon in epsilons]
    at_now = allotments(plan) if now else ()
    count = max((len(parts) for parts in at_each), default=0) if plan.neighbors else 0

    def value(part: Allotment) -> float:
        return measure(metric, part, sizes, target)

    lines = [
        _line([parts[at] for parts in at_each], at_now[at] if now else None, value, plan.data.unit)
        for at in range(count)
    ]  # fmt: skip
    return AccuracyCurve(
        metric, target, plan.data.unit, sizes.source, sizes.words, epsilons, plan.budget.epsilon,
        tuple(line for line in lines if line),
    )  # fmt: skip


def solve(plan: ReleasePlan, text: str, sizes: CellSizes, target: Target, policy: Policy) -> Fraction | None:
    """The smallest epsilon, to a hundredth, at which every statistic meets a target such as "share-within:0.1>=0.9"."""
    metric, target, wanted = _goal(text, target)
    return epsilon_for(plan, metric, wanted, sizes, target, policy)


def epsilon_for(
    plan: ReleasePlan, metric: Metric, wanted: float, sizes: CellSizes, target: Target, policy: Policy,
    line: int | None = None,
) -> Fraction | None:  # fmt: skip
    """The smallest epsilon, to a hundredth, at which one line of the curve or all of them reach a wanted value."""
    is_enough = operator.ge if metric.is_better_high else operator.le
    most = int(policy.largest_epsilon / _STEP)
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        lines = accuracy_curve(plan, metric, target, sizes, (middle * _STEP,)).lines
        judged = lines if line is None else lines[line : line + 1]
        met = bool(judged) and all(is_enough(one.values[0], wanted) for one in judged)
        low, high = (low, middle) if met else (middle, high)
    return high * _STEP if high <= most else None


def _goal(text: str, target: Target) -> tuple[Metric, Target, float]:
    """What is asked for: a metric, its target, and the value wanted."""
    match = _SOLVE.fullmatch(text.strip())
    if not match or match[1] not in tuple(Metric):
        raise BadTarget(text)
    metric = Metric(match[1])
    if match[2]:
        target = Target(float(parse_exact(match[2])), float(match[3] or 0))
    if metric.is_better_high != (match[4] == ">="):
        raise BadTarget(text)
    return metric, target, float(parse_exact(match[5]))


def _line(
    parts: list[Allotment], now: Allotment | None, value: Callable[[Allotment], float], records: str
) -> AccuracyLine | None:
    """One statistic along the epsilons; None when no mechanism fits it at any of them."""
    fitting = [part for part in (now, *reversed(parts)) if part and part.choice]
    if not fitting or fitting[0].choice is None:
        return None
    first = fitting[0]
    return AccuracyLine(
        statistic=first.statistic.title,
        table=first.table.name,
        unit=first.statistic.measure or records,
        mechanism=fitting[0].choice.offer.title,
        share=first.share,
        values=tuple(value(part) for part in parts),
        now=value(now) if now and now.mechanism else None,
    )
