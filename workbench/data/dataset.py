"""A data set as it was read: its columns, rows and findings, and the grid behind them in the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from workbench.data.engine import Engine
from workbench.data.findings import Finding


class ColumnKind(StrEnum):
    """What the values of a column look like over the whole column; codes with leading zeros are text."""

    TEXT = "text"
    NUMBER = "number"
    EMPTY = "empty"


@dataclass(frozen=True)
class ColumnFacts:
    """What was seen in one column. No minimum, maximum or distribution: looking at those is an unrecorded look."""

    name: str
    letter: str
    kind: ColumnKind
    missing: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Dataset:
    """A file that was read. The records stay in the engine; this value only describes them."""

    path: Path
    sheets: tuple[str, ...]
    sheet: str
    header_row: int
    rows: int
    columns: tuple[ColumnFacts, ...]
    sha256: str
    bytes: int
    findings: tuple[Finding, ...]
    engine: Engine = field(repr=False, compare=False)

    def column(self, name: str) -> ColumnFacts | None:
        return next((column for column in self.columns if column.name == name), None)

    def address(self, column: str, row: int) -> str:
        """The spreadsheet address of a value: jobs!D12, or D12 in a file without sheets."""
        facts = self.column(column)
        cell = f"{facts.letter if facts else column}{row}"
        return f"{self.sheet}!{cell}" if self.sheet else cell
