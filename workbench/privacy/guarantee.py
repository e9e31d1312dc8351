"""What a mechanism promises: the claim class, for whom, and its exact parameters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors


class Claim(StrEnum):
    """The class of a promise. A mechanism that is not formally private says so here, in its type."""

    PURE = "formal DP (pure)"
    APPROXIMATE = "formal DP (approximate)"
    ZCDP = "formal DP (zCDP)"
    ER_EE = "formal variant: (α, ε)-ER-EE"
    NOT_FORMAL = "not formally private (MOS)"


@dataclass(frozen=True)
class Guarantee:
    """A promise about neighbouring data sets."""

    claim: Claim
    neighbors: Neighbors
    epsilon: Fraction
    delta: Fraction = Fraction(0)

    @property
    def words(self) -> str:
        return f"{self.claim}: ε = {exact_text(self.epsilon)}, δ = {exact_text(self.delta)}, {self.neighbors.summary}"
