"""A release: the noisy tables of one draw with everything that may be said about them. Public by construction."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.data.schema import Column
from workbench.plan.cells import CellGrid
from workbench.plan.neighbors import Neighbors
from workbench.privacy.guarantee import Guarantee


class Mode(StrEnum):
    """A rehearsal costs nothing and may not be published; a live release spends budget."""

    REHEARSAL = "rehearsal"
    LIVE = "live"


@dataclass(frozen=True)
class PublishedTable:
    """One table of noisy numbers over its full cross."""

    name: str
    title: str
    statistic: str
    unit: str
    grid: CellGrid
    raw: NDArray[np.int64] = field(repr=False, compare=False)
    mechanism: str
    mechanism_title: str
    scale_words: str
    epsilon: Fraction
    margin: int | None
    added_up_from: str = ""

    @property
    def published(self) -> NDArray[np.int64]:
        """The presentation values: a count below zero is shown as 0. The raw value is published beside it."""
        return np.maximum(self.raw, 0)

    @property
    def is_total(self) -> bool:
        return bool(self.added_up_from)


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
