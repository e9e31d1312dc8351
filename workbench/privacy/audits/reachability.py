"""Reachability: whether a published number can betray its input by being impossible from the neighbouring one.

Numbers that floats can hold are unevenly spaced, so noise added in floats leaves its mark in the last bits. Whole
numbers leave none; what remains to be seen is that outcomes frequent from one input do occur from the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, log, log1p

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.audits.trial import Drawn, Trial, false_alarm, views
from workbench.privacy.audits.verdict import Question, Verdict
from workbench.privacy.error_law import Floats

_MANTISSA_BITS = 53
_FEW = 100  # draws of one magnitude below which nothing is said about their last bits


def audit_reachability(trial: Trial, drawn: Sequence[Drawn]) -> Verdict:
    """The largest share of outputs of one input that are impossible from the other; none may be."""
    epsilon = float(trial.mechanism.guarantee.epsilon)
    columns = [
        (first, second)
        for one in drawn
        for rows, others in ((one.first, one.second), (one.second, one.first))
        for first, second in zip(views(rows), views(others), strict=True)
    ]
    share = max(impossible_share(first, second, epsilon, len(columns)) for first, second in columns)
    are_whole = all(first.dtype == np.int64 for first, _ in columns)
    sentence = _sentence(share, len(drawn)) if are_whole else _sentence_on_floats(share)
    return Verdict(Question.REACHABILITY, 0, share, are_whole and share == 0, sentence)


def _sentence(share: float, pairs: int) -> str:
    if share > 0:
        return f"{share:.1%} of the outputs from one input never occur from its neighbour."
    return f"Over {pairs} pairs of inputs every output is a whole number that the neighbour reaches too."


def _sentence_on_floats(share: float) -> str:
    return (
        f"It publishes numbers that are not exact whole ones: by their last bits {share:.0%} of those from one input "
        "are impossible from its neighbour."
    )


def impossible_share(
    first: NDArray[np.generic], second: NDArray[np.generic], epsilon: float, comparisons: int = 1
) -> float:
    """The share of the first outputs that tell them from the second for certain."""
    if first.dtype.kind == "f":
        return low_bits_share(first.astype(np.float64), second.astype(np.float64))
    return unseen_share(first, second, epsilon, comparisons)


def low_bits_share(first: Floats, second: Floats) -> float:
    """The share of the first outputs with finer last bits than any second output of the same magnitude has."""
    binade, finest = _last_bits(first)
    other_binade, other_finest = _last_bits(second)
    betrayed = np.zeros(len(first), dtype=np.bool_)
    for place in np.unique(other_binade):
        others = other_finest[other_binade == place]
        if len(others) >= _FEW:
            betrayed |= (binade == place) & (finest < others.min())
    return float(betrayed.mean())


def _last_bits(outputs: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The power of two above each number, and that of its last bit that is set."""
    mantissa, exponent = np.frexp(np.abs(outputs))
    digits = (mantissa * 2.0**_MANTISSA_BITS).astype(np.int64)
    lowest = np.log2(np.maximum(digits & -digits, 1).astype(np.float64)).astype(np.int64)
    return exponent.astype(np.int64), exponent - _MANTISSA_BITS + lowest


def unseen_share(first: NDArray[np.generic], second: NDArray[np.generic], epsilon: float, comparisons: int) -> float:
    """The share of the first outputs whose value is frequent there, and never occurs among as many second ones.

    Were the loss at most epsilon, each of k draws of a value would come from the first input with a chance of at most
    1/(1 + e^-ε): all k of them for certain too rarely to be a false alarm.
    """
    values, counts = np.unique(first, return_counts=True)
    frequent = ceil(log(false_alarm(comparisons * len(values))) / -log1p(exp(-epsilon)))
    unseen = (counts >= frequent) & ~np.isin(values, second)
    return float(counts[unseen].sum() / len(first))
