"""Who is protected: the neighbour definitions as frozen values that state themselves formally and in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from workbench.data.schema import Role
from workbench.plan.amounts import exact_text


@dataclass(frozen=True)
class Worker:
    """One record is added or removed."""

    name: ClassVar[str] = "worker"
    title: ClassVar[str] = "Worker"
    needs: ClassVar[Role | None] = None
    protects: ClassVar[str] = "Whether one job record is in the data."
    leaves_open: ClassVar[str] = "A person with several jobs; an employer’s size."

    @property
    def most_records(self) -> int | None:
        """How many records the protected unit can contribute; None when their number is not bounded."""
        return 1

    @property
    def summary(self) -> str:
        return "one record"

    @property
    def statement(self) -> str:
        return "Two data sets are neighbours when one record is added or removed."


@dataclass(frozen=True)
class WorkerHistory:
    """All records of one person are added or removed; the program keeps at most `contribution` of them."""

    contribution: int = 1
    name: ClassVar[str] = "worker-history"
    title: ClassVar[str] = "Worker, whole history"
    needs: ClassVar[Role | None] = Role.PERSON_ID
    protects: ClassVar[str] = "Everything one person contributed."
    leaves_open: ClassVar[str] = "An employer’s size and workforce."

    @property
    def most_records(self) -> int | None:
        return self.contribution

    @property
    def summary(self) -> str:
        return f"at most {self.contribution} record{'s' * (self.contribution != 1)} each"

    @property
    def statement(self) -> str:
        return (
            "Two data sets are neighbours when all records of one person are added or removed, "
            f"of which at most {self.contribution} count."
        )


@dataclass(frozen=True)
class Employer:
    """All records of one employer are added or removed; workers beyond the public size cap are left out."""

    size_cap: int
    name: ClassVar[str] = "employer"
    title: ClassVar[str] = "Employer"
    needs: ClassVar[Role | None] = Role.EMPLOYER_ID
    protects: ClassVar[str] = "All records of one employer."
    leaves_open: ClassVar[str] = "Workers beyond the size limit are left out of the totals."

    @property
    def most_records(self) -> int | None:
        return self.size_cap

    @property
    def summary(self) -> str:
        return f"size limit {self.size_cap}"

    @property
    def statement(self) -> str:
        return (
            "Two data sets are neighbours when all records of one employer are added or removed, "
            f"of which at most {self.size_cap} count."
        )


@dataclass(frozen=True)
class StrongAlpha:
    """The workforce of one establishment changes, nested, from x to at most max((1+alpha)x, x+1).

    The strict reading lets it grow to (1+alpha)x rounded up.
    """

    alpha: Fraction
    strict: bool = False
    name: ClassVar[str] = "strong-alpha"
    title: ClassVar[str] = "Employer size and workforce"
    needs: ClassVar[Role | None] = Role.EMPLOYER_ID
    protects: ClassVar[str] = "An employer’s size within alpha, its make-up, and every worker."
    leaves_open: ClassVar[str] = "That an establishment exists, its place and sector; being large."

    @property
    def most_records(self) -> int | None:
        return None

    @property
    def summary(self) -> str:
        return f"α = {exact_text(self.alpha)}"

    @property
    def statement(self) -> str:
        growth = exact_text(1 + self.alpha)
        limit = f"{growth} x rounded up" if self.strict else f"max({growth} x, x + 1)"
        return (
            "Two data sets are neighbours when the workforce of one establishment changes, nested, "
            f"from x to at most {limit}."
        )

    def next_size(self, size: int) -> int:
        """The largest workforce one step above a size."""
        grown = (1 + self.alpha) * size
        return max(ceil(grown) if self.strict else floor(grown), size + 1)

    def steps_between(self, smaller: int, larger: int) -> int:
        """How many steps two sizes of one establishment are apart; each step costs epsilon."""
        steps, size = 0, smaller
        while size < larger:
            size, steps = self.next_size(size), steps + 1
        return steps


Neighbors = Worker | WorkerHistory | Employer | StrongAlpha

DEFINITIONS: tuple[type[Neighbors], ...] = (Worker, WorkerHistory, Employer, StrongAlpha)
