"""The members every mechanism has: what it promises, how it releases, how far it errs, what of that is public."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from workbench.privacy.error_law import ErrorLaw, Sizes
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.noise import Integers, NoiseSource

Limits = tuple[Integers, Integers]


class Takes(StrEnum):
    """The shape in which a mechanism takes true values."""

    CELLS = "one value for each cell"
    WORKPLACES = "one row for each workplace cell, one column for each of its worker cells"
    SUMS_AND_COUNTS = "one row for each cell: its sum and its count"


class Mechanism(Protocol):
    """A way to release one statistic. Values, errors and margins are in whole steps of the statistic."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def reason(self) -> str:
        """Why one would choose it, in a sentence."""

    @property
    def takes(self) -> Takes: ...

    @property
    def publishes_margin(self) -> bool:
        """Whether anything about the size of the error of a cell may be published."""

    @property
    def guarantee(self) -> Guarantee: ...

    @property
    def scale_words(self) -> str:
        """The noise and its scale as they may be published: a formula, never a confidential number."""

    @property
    def bias_words(self) -> str:
        """By how much the raw number is off on average, as it may be published; empty when it is not off."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        """The noisy values; `largest` is the size of the largest establishment of each row."""

    def error(self, sizes: Sizes) -> ErrorLaw:
        """How far published is from true in cells of these sizes."""

    def margin(self, confidence: float = 0.95, cells: int = 1) -> int | None:
        """What the error of a sum of so many cells stays within; None where that is not one public number."""

    def limits(self, noisy: Integers, confidence: float = 0.95) -> Limits | None:
        """Where the true values are, from the published ones and public facts alone; None when that would tell more."""
