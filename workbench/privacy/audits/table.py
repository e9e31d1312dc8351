"""The table of audited mechanisms: at which public parameters, with which neighbours, claiming which distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, cast

from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import StatisticKind
from workbench.privacy.audit import Pair
from workbench.privacy.audits import laws, neighbours
from workbench.privacy.audits.choices import Choices
from workbench.privacy.audits.trial import AuditedMechanism, Law, Trial
from workbench.privacy.audits.verdict import Question
from workbench.privacy.brief import Brief
from workbench.privacy.mechanism import Mechanism
from workbench.privacy.mechanisms import offer_named
from workbench.privacy.mechanisms.exponential import Exponential
from workbench.privacy.unfit import Unfit

Pairs = Callable[[Any], Iterable[Pair]]
Fit = Callable[[Brief], Mechanism | Unfit]

_MEASURE = MeasureGrid(Fraction(1), -30, 50)
_DELTA = Fraction(1, 10**6)
_NEARLY_NOTHING = Fraction(1, 10**9)
_EPSILONS = tuple(map(Fraction, ("0.25", "1", "4", "16")))
_MODERATE = Fraction(4)
_ALPHAS = tuple(map(Fraction, ("0.01", "0.1", "0.5")))
_MANY_DRAWS = 25_000
_SLOW_DRAWS = 4_000  # for draws that are made one by one


def _everywhere(mechanism: Any) -> bool:
    return True


def _nowhere(mechanism: Any) -> bool:
    """Published splits and scales, kept for comparison, spend more than they need; zCDP loses some δ in conversion."""
    return False


def _up_to_a_tenth(mechanism: Any) -> bool:
    """The smooth family pays for the steepest slope and the largest dilation; no outcome of a wide step has both."""
    return bool(mechanism.neighbors.alpha <= _ALPHAS[1] and mechanism.epsilon <= _MODERATE)


def _up_to_a_hundredth(mechanism: Any) -> bool:
    """With several values at once the two are still further apart."""
    return bool(mechanism.neighbors.alpha <= _ALPHAS[0] and mechanism.epsilon <= _MODERATE)


@dataclass(frozen=True)
class Row:
    """One mechanism: how it is fitted and audited; `is_tight` says where it claims to waste little of its promise."""

    name: str
    law: Law
    settings: tuple[Brief, ...]
    pairs: Pairs
    drawn_at: Brief
    drawn_pairs: Pairs
    is_tight: Callable[[Any], bool] = _everywhere
    unasked: frozenset[Question] = frozenset()
    draws: int = _MANY_DRAWS
    fit: Fit | None = None

    def mechanism(self, brief: Brief) -> AuditedMechanism | Unfit:
        offer = offer_named(self.name)
        fit = self.fit or (offer and offer.fit)
        assert fit, f"no mechanism is called {self.name}"
        fitted = fit(brief)
        return fitted if isinstance(fitted, Unfit) else cast(AuditedMechanism, fitted)

    def trials(self) -> tuple[Trial, ...]:
        """One for every setting where it is valid, and one just above the smallest epsilon where it is."""
        return tuple(Trial(one, self.law, tuple(self.pairs(one))) for one in dict.fromkeys(self._fitting()))

    def _fitting(self) -> Iterator[AuditedMechanism]:
        for brief in self.settings:
            mechanism = self.mechanism(brief)
            if isinstance(mechanism, Unfit) and mechanism.smallest_epsilon is not None:
                mechanism = self.mechanism(replace(brief, epsilon=mechanism.smallest_epsilon))
            if not isinstance(mechanism, Unfit):
                yield mechanism

    def drawn_trial(self) -> Trial:
        mechanism = self.mechanism(self.drawn_at)
        assert not isinstance(mechanism, Unfit), mechanism
        return Trial(mechanism, self.law, tuple(self.drawn_pairs(mechanism)))


def _brief(neighbors: Neighbors, epsilon: Fraction | str | int, **facts: Any) -> Brief:
    return Brief(StatisticKind.COUNT, neighbors, Fraction(epsilon), **facts)


def _bounded_settings(*neighbors: Neighbors, **facts: Any) -> tuple[Brief, ...]:
    return tuple(_brief(one, epsilon, **facts) for one, epsilon in product(neighbors, _EPSILONS))


def _growing_settings(alphas: Iterable[Fraction] = _ALPHAS, **facts: Any) -> tuple[Brief, ...]:
    """Both readings of the definition; an epsilon that is too small asks for the smallest valid one."""
    return tuple(
        _brief(StrongAlpha(alpha, strict), epsilon, **facts)
        for alpha, strict, epsilon in product(alphas, (False, True), (_NEARLY_NOTHING, *_EPSILONS))
    )


def _choices(brief: Brief) -> Mechanism | Unfit:
    fitted = Exponential.consider(brief.neighbors, brief.epsilon)
    return fitted if isinstance(fitted, Unfit) else cast(Mechanism, Choices(fitted))


_HISTORY, _CAPPED = WorkerHistory(5), Employer(50)
_TWENTIETH, _TENTH = StrongAlpha(Fraction(1, 20)), StrongAlpha(Fraction(1, 10))
_ALL_BOUNDED = (Worker(), _HISTORY, _CAPPED)
_NOT_STRATIFIED = frozenset({Question.DISTRIBUTION})  # its draws take as many words as they need
_CELLS: dict[str, Any] = {"worker_cells": 4}
_SUMS: dict[str, Any] = {"measure": _MEASURE}
_WITH_DELTA: dict[str, Any] = {"delta": _DELTA}


def _smooth_row(
    name: str, law: Law, epsilon: str = "1", is_tight: Callable[[Any], bool] = _up_to_a_tenth, **facts: Any
) -> Row:
    settings = (*_growing_settings(**facts), *_growing_settings(_ALPHAS[1:2], **_SUMS, **facts))
    return Row(
        name, law, settings, neighbours.worker_cells, _brief(_TWENTIETH, epsilon, **facts),
        neighbours.drawn_workforces, is_tight=is_tight,
    )  # fmt: skip


def _log_row(
    name: str, law: Law, epsilon: str = "1", is_tight: Callable[[Any], bool] = _everywhere, **facts: Any
) -> Row:
    return Row(
        name, law, _growing_settings(**facts), neighbours.whole_workforces, _brief(_TENTH, epsilon, **facts),
        neighbours.drawn_workforces, is_tight=is_tight,
    )  # fmt: skip


TABLE: tuple[Row, ...] = (
    Row("geometric", laws.discrete_laplace, _bounded_settings(*_ALL_BOUNDED), neighbours.bounded,
        _brief(Worker(), 1), neighbours.drawn_bounded),
    Row("laplace", laws.discrete_laplace, _bounded_settings(*_ALL_BOUNDED, **_SUMS), neighbours.bounded,
        _brief(Worker(), 1, **_SUMS), neighbours.drawn_bounded),
    Row("truncated-laplace", laws.discrete_laplace, _bounded_settings(_CAPPED, **_SUMS), neighbours.bounded,
        _brief(_CAPPED, 1), neighbours.drawn_bounded),
    Row("gaussian", laws.discrete_gaussian, _bounded_settings(*_ALL_BOUNDED, **_WITH_DELTA), neighbours.bounded,
        _brief(_HISTORY, 1, **_WITH_DELTA), neighbours.drawn_bounded, is_tight=_nowhere),
    _log_row("log-laplace", laws.log_laplace_unbiased),
    _log_row("log-laplace-plain", laws.log_laplace_plain),
    _log_row("log-laplace-haney", laws.log_laplace_plain, is_tight=_nowhere),
    _log_row("log-gaussian", laws.log_gaussian, is_tight=_nowhere, **_WITH_DELTA),
    _smooth_row("smooth-t", laws.smooth_t),
    _smooth_row("smooth-gamma", laws.smooth_gamma),
    _smooth_row("smooth-gamma-published", laws.smooth_gamma_published, is_tight=_nowhere),
    _smooth_row("smooth-laplace", laws.smooth_laplace, **_WITH_DELTA),
    _smooth_row("smooth-laplace-published", laws.smooth_laplace_published, "1.4", is_tight=_nowhere, **_WITH_DELTA),
    _smooth_row("smooth-power", laws.power_tail, is_tight=_everywhere),
    Row("joint-power", laws.power_tail, _growing_settings(_ALPHAS[:2], **_CELLS), neighbours.workplaces,
        _brief(_TWENTIETH, 1, **_CELLS), neighbours.drawn_workplaces, unasked=_NOT_STRATIFIED, draws=_SLOW_DRAWS),
    Row("joint-t", laws.joint_t, _growing_settings(_ALPHAS[:2], **_CELLS), neighbours.workplaces,
        _brief(_TWENTIETH, 1, **_CELLS), neighbours.drawn_workplaces, is_tight=_up_to_a_hundredth),
    Row("midpoint-t", laws.midpoint_t, _growing_settings(_ALPHAS[:2], **_SUMS), neighbours.sums_with_counts,
        _brief(_TWENTIETH, 1, **_SUMS), neighbours.drawn_sums_with_counts, is_tight=_up_to_a_hundredth,
        unasked=_NOT_STRATIFIED, draws=_SLOW_DRAWS),
    Row("exponential", laws.exponential, _bounded_settings(*_ALL_BOUNDED), neighbours.score_lists,
        _brief(Worker(), 1), neighbours.drawn_scores, unasked=frozenset({Question.DISTRIBUTION, Question.ERROR}),
        draws=_SLOW_DRAWS, fit=_choices),
)  # fmt: skip

NAMES = tuple(row.name for row in TABLE)


def row_named(name: str) -> Row | None:
    return next((row for row in TABLE if row.name == name), None)
