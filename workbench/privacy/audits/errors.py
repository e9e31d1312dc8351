"""Claimed error: the error law against the claimed distribution, and against draws.

Means of heavy tails converge slowly or never, so draws are held against chances and against means of errors cut off at
a far quantile; the claimed mean and bias are held against sums over the claimed distribution, without drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from workbench.privacy.audits.trial import Cdf, Cell, Drawn, Trial, rows_by_cell, sampling_allowance
from workbench.privacy.audits.verdict import Question, Verdict, at_most
from workbench.privacy.error_law import ErrorLaw, Floats, Sizes
from workbench.privacy.noise import Integers

PROBABILITIES = (0.5, 0.9, 0.95)

_FAR = 0.99  # errors beyond this quantile count as if they were there
_LAW_ALLOWED = 1e-5
_MEAN_ALLOWED = 0.02  # of a mean: laws of continuous noise leave out the rounding to whole numbers
_ROUNDING = 0.25  # of a step, by which the same rounding can move a mean
_FLOAT_CHANCE = 1e-13  # smaller ones may be rounding alone, and would count at the far end of the reach
_REACH = np.unique(np.rint(np.geomspace(1, 1e15, 20_001))) - 1.0


def audit_error(trial: Trial, drawn: Sequence[Drawn]) -> Verdict:
    """How far the worst of all comparisons goes into what it is allowed."""
    seen = rows_by_cell(drawn)
    comparisons = [one for cell, rows in seen.items() for one in _comparisons(trial, cell, rows, 8 * len(seen))]
    what, part = max(comparisons, key=lambda one: one[1])
    return at_most(
        Question.ERROR, 1, part,
        f"Expected error, bias and the 50, 90 and 95 % points of {len(seen)} cells are as claimed." if part <= 1 else
        f"The {what} it claims is off by {part:,.1f} times what is allowed.",
    )  # fmt: skip


def _comparisons(trial: Trial, cell: Cell, rows: Integers, number: int) -> Iterator[tuple[str, float]]:
    """What is compared, and how far off it is in parts of what is allowed."""
    values = np.array(cell.values, dtype=np.float64)
    sizes = Sizes(values, np.full(len(values), float(cell.largest)))
    error = trial.mechanism.error(sizes)
    for at, law in enumerate(trial.laws(cell)):
        yield from _against_law(error, at, law, values[at], len(values))
        yield from _against_draws(error, at, rows[:, at] - values[at], len(values), number)
        yield from _quantiles(error, at, len(values))


def _against_law(error: ErrorLaw, at: int, law: Cdf, value: float, columns: int) -> Iterator[tuple[str, float]]:
    below, above = law(value - _REACH - 1), law(value + _REACH)
    within = above - below
    claimed = np.array([_at(error.chance_within(np.full(columns, reach + 0.5)), at) for reach in _REACH[:400:4]])
    yield "chance of an error", float(np.abs(claimed - within[:400:4]).max()) / _LAW_ALLOWED
    expected = _at(error.expected, at)
    allowed = _MEAN_ALLOWED * expected + _ROUNDING
    upward, downward = _sum_of(1 - above), _sum_of(below)
    yield "expected error", abs(upward + downward - expected) / allowed
    yield "bias", abs(upward - downward - _at(error.bias, at)) / allowed


def _against_draws(error: ErrorLaw, at: int, errors: Floats, columns: int, number: int) -> Iterator[tuple[str, float]]:
    allowed = sampling_allowance(len(errors), number * columns)
    for probability in PROBABILITIES:
        reach = np.floor(_at(error.quantile(probability), at))
        chance = _at(error.chance_within(np.full(columns, reach + 0.5)), at)
        found = float((np.abs(errors) <= reach + 0.5).mean())
        yield f"{probability:.0%} point", abs(found - chance) / allowed
    far = np.floor(_at(error.quantile(_FAR), at)) + 1
    steps = np.unique(np.rint(np.linspace(0, far, 400)))
    chances = np.array([_at(error.chance_within(np.full(columns, step + 0.5)), at) for step in steps[:-1]])
    cut = float(((1 - chances) * np.diff(steps)).sum())
    coarse = float(np.diff(steps).max() - 1) * 0.5
    found = float(np.minimum(np.abs(errors), far).mean())
    yield "mean of all but the largest errors", abs(found - cut) / (far * allowed + coarse)


def _quantiles(error: ErrorLaw, at: int, columns: int) -> Iterator[tuple[str, float]]:
    """A quantile is reached with its probability, and one step less is not enough."""
    for probability in PROBABILITIES:
        point = _at(error.quantile(probability), at)
        enough, too_little = (_at(error.chance_within(np.full(columns, reach)), at) for reach in (point, point - 1))
        yield f"{probability:.0%} point", max(probability - enough, too_little - probability) / _LAW_ALLOWED


def _sum_of(chances: Floats) -> float:
    """Over all whole numbers, of chances that are known at ever wider steps and fall in between."""
    sure = np.where(chances > _FLOAT_CHANCE, chances, 0)
    return float(((sure[1:] + sure[:-1]) / 2 * np.diff(_REACH)).sum() + sure[0] / 2)


def _at(values: Floats, at: int) -> float:
    return float(np.atleast_1d(values)[at])
