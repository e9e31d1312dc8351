"""Findings: every problem as a value that says how grave it is, where, what, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters for a release."""

    BLOCK = "block"
    WARNING = "warning"
    NOTE = "note"


class Stage(StrEnum):
    """The stage of a release at which a finding is mended."""

    DATA = "Data"
    COLUMNS = "Columns"
    CELLS = "Cells"
    STATISTICS = "Statistics"
    PROTECTION = "Protection"
    ACCURACY = "Accuracy"
    REVIEW = "Review"
    RELEASE = "Release"


@dataclass(frozen=True)
class Finding:
    """One problem. `where` is a sheet and cell (jobs!D12) or a key of the plan (columns.place.codes)."""

    check: str
    severity: Severity
    stage: Stage
    where: str
    what: str
    remedy: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.where}: {self.what} {self.remedy}".strip()


def blocking(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that stop a release."""
    return tuple(finding for finding in findings if finding.severity is Severity.BLOCK)
