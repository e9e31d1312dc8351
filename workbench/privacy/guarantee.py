"""What a mechanism promises: the claim class, for whom, and its exact parameters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors


class Claim(StrEnum):
    """The class of a promise, weaker ones later. A mechanism that is not formally private says so here, in its type."""

    PURE = "formal DP (pure)"
    ZCDP = "formal DP (zCDP)"
    APPROXIMATE = "formal DP (approximate)"
    ER_EE = "formal variant: (α, ε)-ER-EE"
    NOT_FORMAL = "not formally private (MOS)"

    @property
    def variant(self) -> str:
        """What releases of the same data add up under: one account serves every formal claim of one kind."""
        return _VARIANTS.get(self, self.value)


_VARIANTS = dict.fromkeys((Claim.PURE, Claim.ZCDP, Claim.APPROXIMATE), "formal DP")


@dataclass(frozen=True)
class Guarantee:
    """A promise about neighbouring data sets; `rho` where it is a promise of zCDP, from which (ε, δ) follow."""

    claim: Claim
    neighbors: Neighbors
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    rho: Fraction | None = None

    @property
    def words(self) -> str:
        rho = f" (from ρ = {exact_text(self.rho)})" if self.rho is not None else ""
        return (
            f"{self.claim}: ε = {exact_text(self.epsilon)}, δ = {exact_text(self.delta)}{rho}, {self.neighbors.summary}"
        )
