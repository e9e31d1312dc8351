"""Truncated Laplace: every employer counts with at most its first θ records, and the noise covers all of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from workbench.plan.neighbors import Employer, Neighbors
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.unfit import Unfit


@dataclass(frozen=True)
class TruncatedLaplace(Geometric):
    """min(n, θ) of every employer, added up, plus discrete Laplace noise of scale θ/ε.

    What employers have above θ is missing from the published number. How much that is tells about them: it is
    confidential, unlike the noise.
    """

    name: ClassVar[str] = "truncated-laplace"
    title: ClassVar[str] = "Truncated Laplace"
    reason: ClassVar[str] = "Hides an employer altogether; what large ones have above the size limit is left out."

    @classmethod
    def consider(cls, neighbors: Neighbors, epsilon: Fraction, reach: int = 1) -> Self | Unfit:
        if not isinstance(neighbors, Employer):
            return Unfit(f"It protects “{Employer.name}” only; the plan protects “{neighbors.name}”.")
        return cls(epsilon, neighbors, reach)

    @property
    def scale_words(self) -> str:
        return "discrete Laplace noise of scale Δ/ε; records above the size limit θ of an employer are left out"

    @property
    def bias_words(self) -> str:
        return "too low by what employers have above the size limit, which is confidential"
