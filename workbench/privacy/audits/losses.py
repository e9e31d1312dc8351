"""Claimed privacy: exact losses over neighbouring pairs, from a mechanism's log densities and from its claimed law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from workbench.privacy.audit import SLACK, Audit, Pair, audit
from workbench.privacy.audits.trial import Cdf, Trial, cells_of, whole_numbers_around
from workbench.privacy.audits.verdict import Question, Verdict, at_least, at_most
from workbench.privacy.error_law import Floats

ORDERS = (1.25, 2, 5)  # of divergences
TIGHT = 0.7  # of its promise, which a mechanism that wastes nothing comes to somewhere

_FLOAT_CHANCE = 1e-15  # what a chance worked out in floats may be off by
_FLOAT_SUM = 1e-12
_RELATIVE = 1e-6
_KNOWN = 1e-10  # below which a chance worked out in floats has too few digits


def audit_losses(trials: Sequence[Trial], is_tight: Callable[[Any], bool]) -> tuple[Verdict, ...]:
    """Whether no pair at any setting loses more than promised, and whether a tight mechanism uses what it promises."""
    audits = [audit(trial.mechanism, trial.pairs) for trial in trials]
    tight = [one for one, trial in zip(audits, trials, strict=True) if is_tight(trial.mechanism)]
    has_rho = all(trial.mechanism.guarantee.rho is not None for trial in trials)
    optional = [*([_tightness(tight)] if tight else []), *([_zcdp(trials)] if has_rho else [])]
    return (_privacy(audits, trials), *optional, _law(trials))


def _privacy(audits: Sequence[Audit], trials: Sequence[Trial]) -> Verdict:
    worst = max(map(_part, audits))
    pairs = sum(len(trial.pairs) for trial in trials)
    return at_most(
        Question.PRIVACY, 1 + SLACK, worst,
        f"Over {pairs:,} neighbouring pairs at {len(trials)} settings it gives away at most {worst:.4f} of what it "
        f"promises{'.' if worst <= 1 + SLACK else ': more than promised.'}",
    )  # fmt: skip


def _tightness(audits: Sequence[Audit]) -> Verdict:
    least = min(map(_part, audits))
    return at_least(
        Question.TIGHTNESS, TIGHT, least,
        f"At each of {len(audits)} settings some pair comes to {least:.2f} or more of what it promises"
        f"{'.' if least >= TIGHT else ', so that noise is wasted.'}",
    )  # fmt: skip


def _part(one: Audit) -> float:
    return one.found / one.promised


def _law(trials: Sequence[Trial]) -> Verdict:
    over = max(_over_promise(trial, pair) for trial in trials for pair in trial.pairs)
    return at_most(
        Question.LAW, _FLOAT_SUM, over,
        "The distribution it claims keeps its ε and δ on every pair." if over <= _FLOAT_SUM else
        f"The distribution it claims needs {over:.2g} more δ than it promises.",
    )  # fmt: skip


def _over_promise(trial: Trial, pair: Pair) -> float:
    """How much more delta than promised the claimed distributions of a pair need, the worst of its values."""
    promise = trial.mechanism.guarantee
    cell, neighbor = cells_of(pair)
    outcomes = np.union1d(whole_numbers_around(cell), whole_numbers_around(neighbor))
    needed = max(
        excess(first, second, float(promise.epsilon), outcomes)
        for first, second in zip(trial.laws(cell), trial.laws(neighbor), strict=True)
    )
    return needed - float(promise.delta) * (1 + _RELATIVE)


def excess(first: Cdf, second: Cdf, epsilon: float, outcomes: Floats) -> float:
    """The sum over outcomes of what one chance exceeds e^ε times the other by, the larger of both ways."""
    one, other = (_chances(law, outcomes) for law in (first, second))
    growth = np.exp(epsilon)
    rounding = _FLOAT_CHANCE * (1 + growth)
    ways = (one - growth * other, other - growth * one)
    return max(float(np.maximum(way - rounding, 0).sum()) for way in ways)


def _zcdp(trials: Sequence[Trial]) -> Verdict:
    """Rényi divergences of every order a are at most a·ρ."""
    worst = max(_part_of_rho(trial, pair) for trial in trials for pair in trial.pairs)
    return at_most(
        Question.RHO, 1 + _RELATIVE, worst,
        f"Divergences of the orders {', '.join(map(str, ORDERS))} come to at most {worst:.4f} of what its ρ allows.",
    )  # fmt: skip


def _part_of_rho(trial: Trial, pair: Pair) -> float:
    rho = trial.mechanism.guarantee.rho
    assert rho is not None
    cell, neighbor = cells_of(pair)
    outcomes = np.union1d(whole_numbers_around(cell), whole_numbers_around(neighbor))
    first, second = (_chances(trial.laws(one)[0], outcomes) for one in (cell, neighbor))
    return max(
        divergence(one, other, order) / order for order in ORDERS for one, other in _both_ways(first, second)
    ) / float(rho)


def _both_ways(first: Floats, second: Floats) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    return (first, second), (second, first)


def divergence(first: Floats, second: Floats, order: float) -> float:
    """Rényi's, of the outcomes whose chances floats know well; to leave some out can only lessen it."""
    known = (first > _KNOWN) & (second > _KNOWN)
    return float(np.log((first[known] ** order * second[known] ** (1 - order)).sum()) / (order - 1))


def _chances(law: Cdf, outcomes: Floats) -> Floats:
    """The chance of each stretch from one outcome to the next, and of what is beyond the last."""
    return np.diff(np.concatenate([[0.0], law(outcomes), [1.0]]))
