"""What a column is for, and the public facts declared about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path


class Role(StrEnum):
    """What a column is for. Columns without a role are dropped on load."""

    KEY = "key"
    MEASURE = "measure"
    PERSON_ID = "person-id"
    EMPLOYER_ID = "employer-id"
    WEIGHT = "weight"
    IGNORE = "ignore"


class BoundsSource(StrEnum):
    """Why a bound is public. A bound read off the data is refused: it would publish one person's value."""

    LAW = "law"
    POLICY = "policy"
    PUBLIC_STATISTIC = "public-statistic"
    DP_ESTIMATE = "dp-estimate"


class Unlisted(StrEnum):
    """What happens to records whose code is not on the public list."""

    REFUSE = "refuse"
    LEAVE_OUT = "leave-out"


class BelongsTo(StrEnum):
    """Whose property a key is. Cells of establishment keys share no establishment; cells of worker keys may."""

    WORKER = "worker"
    ESTABLISHMENT = "establishment"


@dataclass(frozen=True)
class CodeList:
    """A public list of codes, always text, with readable labels and where the list came from."""

    codes: tuple[str, ...]
    labels: tuple[str, ...]
    file: Path | None = None

    @classmethod
    def typed(cls, codes: tuple[str, ...]) -> CodeList:
        return cls(codes, codes)

    @property
    def source(self) -> str:
        return self.file.name if self.file else "typed in"

    @property
    def has_labels(self) -> bool:
        return self.labels != self.codes

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True)
class Column:
    """The officer's decisions about one column."""

    name: str
    role: Role = Role.IGNORE
    codes: CodeList | None = None
    belongs_to: BelongsTo = BelongsTo.WORKER
    unlisted: Unlisted = Unlisted.REFUSE
    lower: Fraction | None = None
    upper: Fraction | None = None
    bounds_source: BoundsSource | None = None
