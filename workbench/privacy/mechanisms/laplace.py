"""Laplace on a grid: sums of a clipped measure plus discrete Laplace noise, exact on multiples of a public step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.privacy.mechanisms.geometric import Geometric


@dataclass(frozen=True)
class GridLaplace(Geometric):
    """(q + Z) · step with P(Z = z) proportional to exp(-ε|z|/Δ), for sums q of clipped values in whole steps."""

    name: ClassVar[str] = "laplace"
    title: ClassVar[str] = "Laplace on a grid"
    reason: ClassVar[str] = "Exact on whole steps of the measure; its margin may stand beside every cell."

    @property
    def scale_words(self) -> str:
        return "discrete Laplace noise of scale Δ/ε on whole steps, Δ from the public bounds of the measure"
