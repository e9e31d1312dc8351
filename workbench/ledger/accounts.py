"""Accounts: one per data set, neighbour definition and claim, and what each has left to spend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction


@dataclass(frozen=True)
class Account:
    """What an allowance belongs to; amounts are never added across accounts."""

    dataset: str
    protection: str
    claim: str

    def __post_init__(self) -> None:
        if not (self.dataset and self.protection and self.claim):
            raise ValueError("an account names its data set, its protection and its claim")

    @property
    def title(self) -> str:
        return f"{self.dataset}, {self.protection}, {self.claim}"


@dataclass(frozen=True)
class Balance:
    """Where an account stands. A reservation is kept under its release and ends when that release draws."""

    account: Account
    cap: Fraction
    spent: Fraction = Fraction(0)
    delta_spent: Fraction = Fraction(0)
    reservations: tuple[tuple[str, Fraction], ...] = ()

    @property
    def reserved(self) -> Fraction:
        return sum((amount for _, amount in self.reservations), Fraction(0))

    @property
    def remaining(self) -> Fraction:
        """What nobody has spent or reserved; zero, not less, after a cap was lowered below it."""
        return max(self.cap - self.spent - self.reserved, Fraction(0))

    def left_for(self, release: str) -> Fraction:
        """What this release may draw: the remainder and its own reservation."""
        return self._without(release).remaining

    def drawn(self, release: str, epsilon: Fraction, delta: Fraction) -> Balance:
        return replace(self._without(release), spent=self.spent + epsilon, delta_spent=self.delta_spent + delta)

    def reserving(self, release: str, epsilon: Fraction) -> Balance:
        """The amount now reserved for a release, in place of any earlier one; zero lifts the reservation."""
        others = self._without(release)
        return replace(others, reservations=(*others.reservations, (release, epsilon))) if epsilon else others

    def _without(self, release: str) -> Balance:
        return replace(self, reservations=tuple(kept for kept in self.reservations if kept[0] != release))
