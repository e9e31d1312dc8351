"""Cell by cell: where one establishment is in several cells, each cell is released and paid for on its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.privacy.error_law import ErrorLaw, Sizes
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.mechanism import Limits, Mechanism, Takes
from workbench.privacy.noise import Integers, NoiseSource


@dataclass(frozen=True)
class CellByCell:
    """A mechanism for one cell, used for each of the cells an establishment can be in: the costs add up."""

    each: Mechanism
    cells: int

    @property
    def name(self) -> str:
        return self.each.name

    @property
    def title(self) -> str:
        return f"{self.each.title}, cell by cell"

    @property
    def reason(self) -> str:
        return (
            f"One establishment can be in {self.cells:,} cells of this table, so they do not share one ε: "
            "each has its own part of it, and the parts add up."
        )

    @property
    def takes(self) -> Takes:
        return self.each.takes

    @property
    def publishes_margin(self) -> bool:
        return self.each.publishes_margin

    @property
    def guarantee(self) -> Guarantee:
        one = self.each.guarantee
        return replace(one, epsilon=self.cells * one.epsilon, delta=self.cells * one.delta)

    @property
    def scale_words(self) -> str:
        return f"{self.each.scale_words}; 1/{self.cells} of ε for each cell of a workplace"

    @property
    def bias_words(self) -> str:
        return self.each.bias_words

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        return self.each.release(values, largest, noise)

    def error(self, sizes: Sizes) -> ErrorLaw:
        return self.each.error(sizes)

    def margin(self, confidence: float = 0.95, cells: int = 1) -> int | None:
        return self.each.margin(confidence, cells)

    def limits(self, noisy: Integers, confidence: float = 0.95) -> Limits | None:
        return self.each.limits(noisy, confidence)
