"""Chooses a mechanism for a statistic from public facts only, and says why others do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from workbench.plan.neighbors import Neighbors
from workbench.plan.plan import Statistic
from workbench.privacy.mechanisms import MECHANISMS, Mechanism


@dataclass(frozen=True)
class Candidate:
    """A mechanism considered for a statistic: ready to use, or the condition that fails."""

    kind: type[Mechanism]
    mechanism: Mechanism | None
    reason: str

    @property
    def is_admissible(self) -> bool:
        return self.mechanism is not None


def candidates(statistic: Statistic, neighbors: Neighbors, epsilon: Fraction) -> tuple[Candidate, ...]:
    """All mechanisms for a statistic, admissible ones first by expected error, the others with what fails."""
    considered = [_consider(kind, statistic, neighbors, epsilon) for kind in MECHANISMS]
    return tuple(sorted(considered, key=lambda one: one.mechanism.expected_error() if one.mechanism else float("inf")))


def choose(statistic: Statistic, neighbors: Neighbors, epsilon: Fraction) -> Mechanism | None:
    """The mechanism the plan names, or the best admissible one; None when nothing fits."""
    fitting = [one.mechanism for one in candidates(statistic, neighbors, epsilon) if one.mechanism]
    if statistic.mechanism == "auto":
        return fitting[0] if fitting else None
    return next((mechanism for mechanism in fitting if mechanism.name == statistic.mechanism), None)


def _consider(kind: type[Mechanism], statistic: Statistic, neighbors: Neighbors, epsilon: Fraction) -> Candidate:
    if statistic.kind not in kind.kinds:
        return Candidate(kind, None, f"It is for {' and '.join(sorted(kind.kinds))}, not for {statistic.kind}.")
    if neighbors.name not in kind.protections:
        return Candidate(kind, None, f"It has no bound on what “{neighbors.name}” can change in a cell.")
    return Candidate(kind, kind(epsilon, neighbors), kind.reason)
