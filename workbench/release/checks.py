"""The checks of a release as a reviewer reads them: each by name, passed or with what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.data.findings import Finding, Severity, Stage


@dataclass(frozen=True)
class Check:
    """One thing that must hold before a release."""

    id: str
    title: str
    stage: Stage
    passed_words: str


@dataclass(frozen=True)
class CheckResult:
    """A check with what was found; None means it passed."""

    check: Check
    severity: Severity | None
    findings: tuple[Finding, ...]

    @property
    def words(self) -> str:
        return self.findings[0].what if self.findings else self.check.passed_words


CHECKS = (
    Check("plan-file", "The plan file is understood", Stage.REVIEW, "every key is known"),
    Check("data-read", "The data can be read", Stage.DATA, "read and hashed"),
    Check("columns-known", "Columns are in the file", Stage.COLUMNS, "every declared column was found"),
    Check("cells-public", "Cells come from public lists", Stage.CELLS, "every key has its list"),
    Check("codes-listed", "Records carry listed codes", Stage.COLUMNS, "no record is off the lists"),
    Check("cells-count", "The number of cells is allowed", Stage.CELLS, "within the policy"),
    Check("bounds-public", "Bounds have a public source", Stage.COLUMNS, "none is taken from the data"),
    Check("statistics-chosen", "Statistics are complete", Stage.STATISTICS, "each has what it needs"),
    Check("protection-chosen", "Who is protected is chosen", Stage.PROTECTION, "and the columns it needs are there"),
    Check("workplace-keys", "Workplace keys tell establishments apart", Stage.COLUMNS, "one code each"),
    Check("measure-numbers", "Measures are numbers", Stage.COLUMNS, "every value can be read"),
    Check("records-kept", "Records within the contribution limit", Stage.PROTECTION, "none is left out"),
    Check("mechanism-fits", "The claim matches the mechanism", Stage.STATISTICS, "a formal guarantee for every table"),
    Check("budget-allowed", "Epsilon and delta are allowed", Stage.PROTECTION, "within the policy"),
    Check("charge-fits", "The charge fits the allowance", Stage.RELEASE, "the account can pay"),
    Check("ledger-chain", "The ledger verifies", Stage.RELEASE, "its chain of entries is whole"),
    Check("column-renamed", "Column names", Stage.DATA, "every column had its own name"),
    Check("hidden-parts", "Hidden rows and columns", Stage.DATA, "none are hidden"),
    Check("rows-left-out", "Rows that are no records", Stage.DATA, "every row below the header is a record"),
    Check("markers", "Marks for missing values", Stage.DATA, "none among the numbers"),
    Check("column-mixed", "Values of one kind in each column", Stage.DATA, "no column mixes kinds"),
)


def review(findings: Sequence[Finding]) -> tuple[CheckResult, ...]:
    """All checks, those that need the officer first."""
    results = [_result(check, [finding for finding in findings if _place(finding) == check.id]) for check in CHECKS]
    return tuple(sorted(results, key=lambda result: _ORDER[result.severity]))


_OTHERS = "data-read"  # every reader has remarks of its own


def _place(finding: Finding) -> str:
    return finding.check if any(check.id == finding.check for check in CHECKS) else _OTHERS


_ORDER = {Severity.BLOCK: 0, Severity.WARNING: 1, Severity.NOTE: 2, None: 3}


def _result(check: Check, found: list[Finding]) -> CheckResult:
    gravest = min((finding.severity for finding in found), key=lambda severity: _ORDER[severity], default=None)
    return CheckResult(check, gravest, tuple(found))
