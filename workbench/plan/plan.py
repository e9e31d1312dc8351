"""The release plan: everything the officer decides, as one frozen value. None means not decided yet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from workbench.data.layout import Layout
from workbench.data.schema import Column, Role
from workbench.plan.neighbors import Neighbors

Keys = tuple[str, ...]


class StatisticKind(StrEnum):
    """The statistics a plan can name."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    PERCENTILES = "percentiles"
    HISTOGRAM = "histogram"
    REGRESSION = "regression"


@dataclass(frozen=True)
class Statistic:
    """One statistic of a table, with its relative share of the budget."""

    kind: StatisticKind = StatisticKind.COUNT
    measure: str | None = None
    share: Fraction = Fraction(1)
    locked: bool = False
    mechanism: str = "auto"

    @property
    def title(self) -> str:
        return f"{self.kind} of {self.measure}" if self.measure else str(self.kind)


@dataclass(frozen=True)
class Table:
    """One table: its keys in order, the totals added up from it, and its statistics."""

    name: str
    keys: Keys = ()
    totals: tuple[Keys, ...] = ()
    statistics: tuple[Statistic, ...] = (Statistic(),)


@dataclass(frozen=True)
class DataReference:
    """Where the records are, what they are called and how the file is read; never the records themselves."""

    path: Path | None = None
    name: str = ""
    unit: str = "records"
    layout: Layout = field(default_factory=Layout)

    @property
    def sheet(self) -> str | None:
        return self.layout.sheet

    @property
    def header_row(self) -> int | None:
        return self.layout.header_row


@dataclass(frozen=True)
class Budget:
    """What the plan may spend, exactly."""

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)


@dataclass(frozen=True)
class ReleasePlan:
    """Everything decided about one release. Editing it is free; releasing it is not."""

    title: str = "Untitled"
    data: DataReference = DataReference()
    columns: tuple[Column, ...] = ()
    neighbors: Neighbors | None = None
    budget: Budget = Budget()
    tables: tuple[Table, ...] = ()
    allowance: Fraction | None = None
    typical_cell: int | None = None

    def column(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.name == name), None)

    def with_column(self, changed: Column) -> ReleasePlan:
        """The plan with one column's decisions replaced, or added at the end."""
        if self.column(changed.name) is None:
            return replace(self, columns=(*self.columns, changed))
        columns = tuple(changed if column.name == changed.name else column for column in self.columns)
        return replace(self, columns=columns)

    def with_table(self, index: int, changed: Table) -> ReleasePlan:
        tables = (*self.tables[:index], changed, *self.tables[index + 1 :])
        return replace(self, tables=tables)

    def columns_with(self, role: Role) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.role is role)

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The columns that are read; all others are dropped on load."""
        return tuple(column.name for column in self.columns if column.role is not Role.IGNORE)
