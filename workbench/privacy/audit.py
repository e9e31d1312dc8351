"""Measures what a mechanism gives away: the largest privacy loss over neighbouring cells, against what it promises.

The losses are computed from the mechanism's own log densities over a wide grid of outcomes, whatever its proof says;
a scale that is too small, an offset that is wrong or a bound that is not smooth shows as a loss above epsilon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.error_law import Floats
from workbench.privacy.guarantee import Guarantee

SLACK = 1e-9

_REACH = np.geomspace(1e-3, 1e13, 801)
_DISTANCES = np.concatenate([-_REACH[::-1], [0.0], _REACH])
_PLANE = np.stack(np.meshgrid(_DISTANCES[::13], _DISTANCES[::13])).reshape(2, -1)  # two directions of a joint release

Counts = NDArray[np.int64]


class Audited(Protocol):
    """What an audit needs of a mechanism."""

    @property
    def guarantee(self) -> Guarantee: ...

    def privacy_loss(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike, outputs: Floats) -> Floats: ...


@runtime_checkable
class AuditedWithDelta(Audited, Protocol):
    """A mechanism that may fail with a small chance, and knows that chance for every pair."""

    def excess(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike) -> Floats: ...


class Choosing(Protocol):
    """What an audit needs of a mechanism that chooses a candidate by scores."""

    @property
    def guarantee(self) -> Guarantee: ...

    def privacy_loss(self, scores: Counts, next_scores: Counts) -> Floats: ...


@dataclass(frozen=True)
class Pair:
    """A cell before and after one step: its count or counts, and the size of its largest establishment."""

    count: Counts
    largest: int
    next_count: Counts
    next_largest: int


@dataclass(frozen=True)
class Audit:
    """The largest loss found, or the largest delta needed, beside what was promised."""

    guarantee: Guarantee
    found: float
    promised: float

    @property
    def holds(self) -> bool:
        return self.found <= self.promised + SLACK * min(1, self.promised)


def audit(mechanism: Audited, pairs: Iterable[Pair]) -> Audit:
    """Whether a mechanism keeps its promise on these pairs."""
    promise = mechanism.guarantee
    if isinstance(mechanism, AuditedWithDelta):
        return Audit(promise, largest_excess(mechanism, pairs), float(promise.delta))
    return Audit(promise, largest_loss(mechanism, pairs), float(promise.epsilon))


def largest_loss(mechanism: Audited, pairs: Iterable[Pair]) -> float:
    """The largest log ratio of the outcomes' densities, either way, over all pairs."""
    return max(float(np.abs(_losses(mechanism, pair)).max()) for pair in pairs)


def largest_excess(mechanism: AuditedWithDelta, pairs: Iterable[Pair]) -> float:
    """The largest delta that a pair needs at the promised epsilon."""
    return max(float(mechanism.excess(p.count, p.largest, p.next_count, p.next_largest)) for p in pairs)


def audit_choice(mechanism: Choosing, pairs: Iterable[tuple[Counts, Counts]]) -> Audit:
    """Whether a choice by scores keeps its promise on neighbouring lists of scores: all its outcomes are looked at."""
    losses = (mechanism.privacy_loss(scores, next_scores) for scores, next_scores in pairs)
    found = max(float(np.abs(loss).max()) for loss in losses)
    return Audit(mechanism.guarantee, found, float(mechanism.guarantee.epsilon))


def _losses(mechanism: Audited, pair: Pair) -> Floats:
    return mechanism.privacy_loss(pair.count, pair.largest, pair.next_count, pair.next_largest, _outcomes(pair))


def _outcomes(pair: Pair) -> Floats:
    """Values near and far on both sides; of a vector, those that change and the others go their own ways."""
    if pair.count.ndim == 0:
        return np.concatenate([pair.count + _DISTANCES, pair.next_count + _DISTANCES])
    step = pair.next_count - pair.count
    moves = np.where(step != 0, _PLANE[0][:, None] * step / np.abs(step).max(initial=1), _PLANE[1][:, None])
    return np.concatenate([pair.count + moves, pair.next_count + moves])


def neighbouring_pairs(neighbors: StrongAlpha, sizes: Iterable[int]) -> Iterator[Pair]:
    """Cells of whole workforces: one establishment grows by a step, alone or beside another of any size."""
    for size, grown, other in _steps(neighbors, sizes):
        yield _pair(size + other, max(size, other), grown + other, max(grown, other))


def worker_cell_pairs(neighbors: StrongAlpha, sizes: Iterable[int]) -> Iterator[Pair]:
    """Cells of some of the workers: of those who come, none, one or all are counted, whatever the count was."""
    for size, grown, other in _steps(neighbors, sizes):
        for count, joining in product({0, 1, size // 2, size}, {0, 1, grown - size}):
            yield _pair(count, max(size, other), count + joining, max(grown, other))


def joint_pairs(neighbors: StrongAlpha, sizes: Iterable[int], cells: int) -> Iterator[Pair]:
    """All worker cells of a workplace cell: those who come are in one cell, in two, or spread over all."""
    for size, grown, other in _steps(neighbors, sizes):
        for spread in {1, min(2, cells), cells}:
            count = np.full(cells, size // cells)
            joining = np.zeros(cells, dtype=np.int64)
            joining[:spread] = (grown - size) // spread
            joining[0] += (grown - size) % spread
            yield Pair(count, max(size, other), count + joining, max(grown, other))


def sum_and_count_pairs(neighbors: StrongAlpha, sizes: Iterable[int], measure: MeasureGrid) -> Iterator[Pair]:
    """A cell's sum and count: those who come are all at one bound, half at each, or all midway between them."""
    extremes = [(measure.lower, measure.lower), (measure.lower, measure.upper), (measure.upper, measure.upper)]
    for size, grown, other in _steps(neighbors, sizes):
        before = np.array([size * measure.upper, size])
        for first, second in [*extremes, (int(measure.middle), int(measure.middle))]:
            joining = grown - size
            added = joining // 2 * first + (joining - joining // 2) * second
            yield Pair(before, max(size, other), before + np.array([added, joining]), max(grown, other))


def score_pairs(reach: int, candidates: int, is_monotonic: bool = False) -> Iterator[tuple[Counts, Counts]]:
    """Level, rising and very uneven scores; one step moves every single one as far as it can, or not at all."""
    moves = (0, reach) if is_monotonic else (-reach, 0, reach)
    ranks = np.arange(candidates)
    for scores in (0 * ranks, reach * ranks, 1000 * reach * (ranks == 0)):
        for step in product(moves, repeat=candidates):
            yield scores, scores + np.array(step)


def _steps(neighbors: StrongAlpha, sizes: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """An establishment's size, its size after the smallest, a middling and the largest step, and another one's size."""
    for size in sizes:
        largest = neighbors.next_size(size)
        for grown in sorted({size + 1, (size + largest + 1) // 2, largest}):
            for other in sorted({0, size, (size + grown) // 2, grown, 10 * grown}):
                yield size, grown, other


def _pair(count: int, largest: int, next_count: int, next_largest: int) -> Pair:
    return Pair(np.array(count), largest, np.array(next_count), next_largest)
