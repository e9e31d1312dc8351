"""The black box: bucketed frequencies of releases from two neighbouring inputs, with nothing known of the mechanism.

The sum over buckets of max(0, pA - e^ε pB) must stay under δ and what chance adds to it, both ways.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.privacy.audits.trial import Drawn, Trial, false_alarm, views, whole_numbers_around
from workbench.privacy.audits.verdict import Question, Verdict, at_most
from workbench.privacy.error_law import Floats
from workbench.privacy.noise import Integers

_BUCKETS = 32


def audit_black_box(trial: Trial, drawn: Sequence[Drawn]) -> Verdict:
    """The largest excess over delta, over all pairs and all that an outsider may look at."""
    promise = trial.mechanism.guarantee
    epsilon, delta = float(promise.epsilon), float(promise.delta)
    found = [
        largest_excess(frequencies(first, edges), frequencies(second, edges), epsilon)
        for one in drawn
        for first, second, edges in zip(views(one.first), views(one.second), _edges(trial, one), strict=True)
    ]
    tolerance = chance_excess(drawn[0].count, _BUCKETS, epsilon, 2 * len(found))
    return at_most(
        Question.BLACK_BOX, delta + tolerance, max(found),
        f"Frequencies of {drawn[0].count:,} releases from each of {len(drawn)} pairs of inputs need a δ of at most "
        f"{max(found):.4f} at its ε; chance explains {delta + tolerance:.4f}.",
    )  # fmt: skip


def largest_excess(first: Floats, second: Floats, epsilon: float) -> float:
    """The sum of what one frequency exceeds e^ε times the other by, the larger of both ways."""
    ways = (first - np.exp(epsilon) * second, second - np.exp(epsilon) * first)
    return max(float(np.maximum(way, 0).sum()) for way in ways)


def chance_excess(draws: int, buckets: int, epsilon: float, comparisons: int = 1) -> float:
    """What chance adds at most: the mean of all positive parts by Jensen, and McDiarmid's bound on what exceeds it."""
    spread = (1 + np.exp(2 * epsilon)) / draws
    return float(np.sqrt(buckets * spread) / 2 + np.sqrt(spread * -np.log(false_alarm(comparisons)) / 2))


def frequencies(drawn: Integers, edges: Floats) -> Floats:
    """The shares of draws up to the first edge, from each to the next, and beyond the last."""
    found = np.searchsorted(edges, drawn, side="left")
    return np.bincount(found, minlength=len(edges) + 1) / len(drawn)


def _edges(trial: Trial, one: Drawn) -> list[Floats]:
    """Where the claimed distribution of the first input puts equal shares: fixed before anything is drawn.

    A sum and a difference of values have those of the first value, moved to where they are without noise.
    """
    outcomes, values = whole_numbers_around(one.cell), one.cell.values
    shares = np.arange(1, _BUCKETS) / _BUCKETS
    alone = [
        outcomes[np.minimum(np.searchsorted(law(outcomes), shares), len(outcomes) - 1)] for law in trial.laws(one.cell)
    ]
    moved = [alone[0] - values[0] + middle for middle in (sum(values), values[0] - values[1])] if len(alone) > 1 else []
    return [*alone, *moved]
