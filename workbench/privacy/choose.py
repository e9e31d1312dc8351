"""Chooses a mechanism for a statistic from public facts only, and says why others do not fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import inf

from workbench.plan.amounts import exact_text
from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Employer, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.brief import Brief
from workbench.privacy.guarantee import Claim
from workbench.privacy.mechanism import Mechanism
from workbench.privacy.mechanisms import OFFERS, Offer
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
from workbench.privacy.unfit import Unfit

AUTO = "auto"

_ANY_MEASURE = MeasureGrid(Fraction(1), 0, 1)


@dataclass(frozen=True)
class Candidate:
    """A mechanism considered for a statistic: ready to use, or the condition that fails and the ε that would do."""

    offer: Offer
    mechanism: Mechanism | None
    reason: str
    expected_error: float = inf
    smallest_epsilon: Fraction | None = None

    @property
    def is_admissible(self) -> bool:
        return self.mechanism is not None


@lru_cache(maxsize=4096)
def candidates(brief: Brief) -> tuple[Candidate, ...]:
    """All mechanisms for a statistic, admissible ones first by expected error, the others with what fails."""
    return tuple(sorted((_consider(offer, brief) for offer in OFFERS), key=lambda one: one.expected_error))


def choose(brief: Brief) -> Candidate | None:
    """The mechanism the plan names, or the best admissible one; None when nothing fits."""
    fitting = (one for one in candidates(brief) if one.mechanism)
    return next((one for one in fitting if brief.wanted in (AUTO, one.offer.name)), None)


@lru_cache(maxsize=64)
def served_by(offer: Offer) -> dict[str, Claim]:
    """Each protection a mechanism can serve, with what it then claims: found by fitting it with an ample budget."""
    ample = (
        Brief(kind, neighbors, Fraction(10), Fraction(1, 10**6), worker_cells=cells, measure=_ANY_MEASURE)
        for kind in sorted(offer.kinds)
        for neighbors in (Worker(), WorkerHistory(), Employer(100), StrongAlpha(Fraction(1, 10)))
        for cells in (1, 2)
    )
    fitted = ((brief.neighbors.name, _fitted(offer, brief)) for brief in ample)
    return {name: mechanism.guarantee.claim for name, mechanism in fitted if not isinstance(mechanism, Unfit)}


def _consider(offer: Offer, brief: Brief) -> Candidate:
    fitted = _fitted(offer, brief)
    if isinstance(fitted, Unfit):
        return Candidate(offer, None, fitted.reason, smallest_epsilon=fitted.smallest_epsilon)
    expected = float(fitted.error(brief.typical_sizes()).expected.mean() * brief.step)
    return Candidate(offer, fitted, fitted.reason if isinstance(fitted, CellByCell) else offer.reason, expected)


def _fitted(offer: Offer, brief: Brief) -> Mechanism | Unfit:
    if brief.kind not in offer.kinds:
        return Unfit(f"It is for {' and '.join(sorted(offer.kinds))}, not for {brief.kind}.")
    is_shared = isinstance(brief.neighbors, StrongAlpha) and brief.worker_cells > 1
    if not is_shared or offer.is_joint:
        return offer.fit(brief)
    if not offer.covers_worker_cells:
        return Unfit(
            "It is for counts of whole workforces: a count of some of the workers can grow from 0 by more than its "
            "logarithm allows. Every key of the table would have to belong to the establishment."
        )
    return _cell_by_cell(offer, brief)


def _cell_by_cell(offer: Offer, brief: Brief) -> Mechanism | Unfit:
    """Cells of one establishment are no partition of what is protected: each gets its part of the budget."""
    cells = brief.worker_cells
    part = replace(brief, epsilon=brief.epsilon / cells, delta=brief.delta / cells, rho=brief.rho and brief.rho / cells)
    each = offer.fit(part)
    if not isinstance(each, Unfit):
        return CellByCell(each, cells)
    if each.smallest_epsilon is None:
        return each
    smallest = cells * each.smallest_epsilon
    return Unfit(
        f"One establishment can be in {cells:,} cells of the table and each has its part of ε: it needs "
        f"ε = {exact_text(smallest)} or more; here ε = {exact_text(brief.epsilon)}.",
        smallest,
    )
