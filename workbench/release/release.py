"""A release: the noisy tables of one draw with everything that may be said about them. Public by construction."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

import numpy as np

from workbench.data.schema import Column
from workbench.plan.cells import CellGrid
from workbench.plan.neighbors import Neighbors
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.mechanism import Limits
from workbench.privacy.noise import Integers


class Mode(StrEnum):
    """A rehearsal costs nothing and may not be published; a live release spends budget."""

    REHEARSAL = "rehearsal"
    LIVE = "live"


@dataclass(frozen=True)
class PublishedTable:
    """One table of noisy numbers over its full cross, in whole steps.

    `margin` is given where it is the same public number for every cell, `limits` where the published number and public
    facts tell how far the true one can be, and neither where that would tell something confidential.
    """

    name: str
    title: str
    statistic: str
    unit: str
    grid: CellGrid
    raw: Integers = field(repr=False, compare=False)
    mechanism: str
    mechanism_title: str
    scale_words: str
    sensitivity_words: str
    bias_words: str
    guarantee: Guarantee
    margin: int | None
    limits: Limits | None = field(repr=False, compare=False)
    step: Fraction = Fraction(1)
    is_never_negative: bool = True
    added_up_from: str = ""

    @property
    def published(self) -> Integers:
        """The presentation values: what cannot be below zero is shown as 0. The raw value is published beside it."""
        return np.maximum(self.raw, 0) if self.is_never_negative else self.raw

    @property
    def is_total(self) -> bool:
        return bool(self.added_up_from)

    @property
    def epsilon(self) -> Fraction:
        return self.guarantee.epsilon

    @property
    def decimals(self) -> int:
        """How many places after the point a number in whole steps has."""
        return len(str(self.step.denominator)) - 1

    def in_units(self, steps: Integers) -> list[int] | list[float]:
        """Whole steps as the numbers they mean."""
        if self.step.denominator == 1:
            return [int(value) * self.step.numerator for value in steps.tolist()]
        return [value / self.step.denominator for value in steps.tolist()]


@dataclass(frozen=True)
class Charge:
    """What the release cost its account, and the head of the ledger right after."""

    account: str
    before: Fraction
    after: Fraction
    cap: Fraction
    entry: int
    head: str


@dataclass(frozen=True)
class Release:
    """One draw. Holds no true value, no data-dependent scale, no hash of the records and no seed."""

    id: str
    title: str
    mode: Mode
    drawn_at: str
    by: str
    dataset: str
    neighbors: Neighbors
    guarantee: Guarantee
    composition: str
    looked_at: str
    plan_sha256: str
    columns: tuple[Column, ...]
    tables: tuple[PublishedTable, ...]
    charge: Charge | None

    @property
    def is_rehearsal(self) -> bool:
        return self.mode is Mode.REHEARSAL

    @property
    def numbers(self) -> int:
        return sum(table.grid.size for table in self.tables)

    @property
    def noisy_tables(self) -> tuple[PublishedTable, ...]:
        """The tables that were drawn; the others are added up from them."""
        return tuple(table for table in self.tables if not table.is_total)
