"""Neighbouring cells of every protection and every shape in which mechanisms take values, to the bounds they allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from workbench.plan.measures import MeasureGrid
from workbench.privacy.audit import (
    Pair,
    joint_pairs,
    neighbouring_pairs,
    score_pairs,
    sum_and_count_pairs,
    worker_cell_pairs,
)

_VALUES = (0, 1, 100, 20_000)
_SIZES = (0, 1, 2, 10, 11, 99, 100, 1000, 20_000)
_FEW_SIZES = (10, 1000)
_CANDIDATES = 3


def bounded(mechanism: Any) -> Iterator[Pair]:
    """One unit comes with one record, some, or as many as it may have, of the largest value a record can have."""
    most = mechanism.neighbors.most_records
    for value, records in product(_VALUES, sorted({1, (most + 1) // 2, most})):
        yield Pair(np.array(value), 0, np.array(value + records * mechanism.reach), 0)


def whole_workforces(mechanism: Any) -> Iterator[Pair]:
    """Counts of all workers of the establishments in a cell."""
    return neighbouring_pairs(mechanism.neighbors, _SIZES)


def worker_cells(mechanism: Any) -> Iterator[Pair]:
    """Counts, or sums, over some of the workers: also when nobody was counted before."""
    for pair in (*neighbouring_pairs(mechanism.neighbors, _SIZES), *_distinct_cells(mechanism)):
        yield replace(pair, count=pair.count * mechanism.reach, next_count=pair.next_count * mechanism.reach)


def _distinct_cells(mechanism: Any) -> list[Pair]:
    """Losses depend on the step and the sizes alone, so one count stands for all."""
    pairs = worker_cell_pairs(mechanism.neighbors, _SIZES)
    return list({(int(one.next_count - one.count), one.largest, one.next_largest): one for one in pairs}.values())


def workplaces(mechanism: Any) -> Iterator[Pair]:
    """All worker cells of a workplace."""
    for pair in joint_pairs(mechanism.neighbors, _FEW_SIZES, mechanism.cells):
        yield replace(pair, count=pair.count * mechanism.reach, next_count=pair.next_count * mechanism.reach)


def sums_with_counts(mechanism: Any) -> Iterator[Pair]:
    """Those who come have the lowest value, the highest, both or one between."""
    measure = MeasureGrid(Fraction(1), mechanism.lower, mechanism.upper)
    return sum_and_count_pairs(mechanism.neighbors, _FEW_SIZES, measure)


def score_lists(mechanism: Any) -> Iterator[Pair]:
    """Every score moves by as much as one step allows, or not at all."""
    for scores, next_scores in score_pairs(mechanism.sensitivity, _CANDIDATES, mechanism.is_monotonic):
        yield Pair(scores, 0, next_scores, 0)


# Pairs of inputs to draw from: 0 against 1, 100 against 101, n against the largest neighbour of n.


def drawn_bounded(mechanism: Any) -> Iterator[Pair]:
    most = mechanism.neighbors.most_records * mechanism.reach
    for before, after in ((0, 1), (100, 101), (100, 100 + most)):
        yield Pair(np.array(before), 0, np.array(after), 0)


def drawn_workforces(mechanism: Any) -> Iterator[Pair]:
    for before, after in ((0, 1), (100, 101), (100, mechanism.neighbors.next_size(100))):
        yield Pair(np.array(before), before, np.array(after), after)


def drawn_workplaces(mechanism: Any) -> Iterator[Pair]:
    for before, after in ((0, 1), (100, mechanism.neighbors.next_size(100))):
        first = np.full(mechanism.cells, before // mechanism.cells)
        joining = np.where(np.arange(mechanism.cells) == 0, after - before, 0)
        yield Pair(first, before, first + joining, after)


def drawn_sums_with_counts(mechanism: Any) -> Iterator[Pair]:
    for before, after in ((0, 1), (100, mechanism.neighbors.next_size(100))):
        first = np.array([before * mechanism.upper, before])
        yield Pair(first, before, first + (after - before) * np.array([mechanism.upper, 1]), after)


def drawn_scores(mechanism: Any) -> Iterator[Pair]:
    """One candidate gains what the others lose."""
    scores = mechanism.sensitivity * np.array([4, 2, 0])
    others = 0 if mechanism.is_monotonic else -mechanism.sensitivity
    for favoured in range(len(scores)):
        step = np.where(np.arange(len(scores)) == favoured, mechanism.sensitivity, others)
        yield Pair(scores, 0, scores + step, 0)
