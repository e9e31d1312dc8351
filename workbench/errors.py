"""The exception tree: every error says what happened, where, and how to mend it, in one plain sentence.

WorkbenchError
├── DataError                 a file cannot be read as a table
│   ├── MissingFile
│   ├── NotAFile
│   ├── EmptyFile
│   ├── UnknownFormat
│   ├── UnreadableFile
│   │   ├── HostileFile       made to exhaust the program that opens it
│   │   ├── ProtectedFile     a password is needed, or another one
│   │   ├── OtherContent      its contents are of another kind than its name says, and not a table
│   │   └── NoSheets          a workbook without a sheet of cells
│   ├── SeveralFiles          an archive with more than one file
│   ├── FileTooLarge
│   ├── FarCell               a stray cell stretches the sheet beyond what can be held
│   ├── MissingSheet
│   └── MissingHeader
├── PlanError                 the plan file cannot be understood
├── CodeFileError             a public code list cannot be used
├── Refused                   the plan may not be released as it stands; carries the findings
├── SeededNoiseRefused        a live release was offered seeded noise
├── BadTarget                 an accuracy target cannot be understood
├── ChartRefused              a chart of true cells was to be saved
├── LedgerError
│   ├── LedgerLocked          somebody else is writing, or the file cannot be written
│   ├── LedgerUnreadable      the file is not a ledger, or newer than this program
│   ├── LedgerBroken          the hash chain does not verify
│   ├── DatasetRenamed        the same data under another name, which would have an allowance of its own
│   └── InsufficientAllowance the account cannot pay
├── SigningKeyError           a signing key cannot be used
│   ├── MissingKey
│   ├── WrongPassphrase
│   ├── WeakPassphrase
│   └── DemoKeyRefused
├── OutputError               the bundle cannot be written
├── NotABundle                there is nothing to verify
├── NoDisplay                 there is no screen for the window
└── Cancelled                 the officer stopped the work; nothing was changed
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class WorkbenchError(Exception):
    """Something an officer can act on; `str()` of it is the whole sentence shown."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(f"{what} {remedy}".strip())
        self.what = what
        self.remedy = remedy


class DataError(WorkbenchError):
    """A file cannot be read as a table."""


class MissingFile(DataError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no file “{name}”.", "Check the name, or choose the file again.")


class NotAFile(DataError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” is a folder, not a file.", "Choose a spreadsheet inside it.")


class EmptyFile(DataError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” is empty.", "Save the spreadsheet again and choose that file.")


class UnknownFormat(DataError):
    def __init__(self, name: str, accepted: Sequence[str]) -> None:
        super().__init__(
            f"“{name}” is not a kind of file the workbench reads.", f"Save it as one of: {', '.join(accepted)}."
        )


class UnreadableFile(DataError):
    def __init__(self, name: str, reason: str, remedy: str = "Open it where it was made and save it again.") -> None:
        super().__init__(f"“{name}” cannot be read: {reason}.", remedy)


class HostileFile(UnreadableFile):
    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason, "No spreadsheet program writes such a file; do not open it, ask who sent it.")


class ProtectedFile(UnreadableFile):
    def __init__(self, name: str, reason: str = "it is protected by a password") -> None:
        super().__init__(name, reason, "Give the password, or save a copy without one.")


class OtherContent(UnreadableFile):
    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            name, f"it holds {kind}, whatever its name says", "Open it where it was made and save it as xlsx or csv."
        )


class NoSheets(UnreadableFile):
    def __init__(self, name: str) -> None:
        super().__init__(name, "it has no sheet with cells", "Save the table as a sheet of cells and choose that file.")


class FarCell(DataError):
    def __init__(self, name: str, sheet: str, address: str) -> None:
        super().__init__(
            f"The sheet “{sheet}” of “{name}” reaches out to cell {address}, far beyond what can be held.",
            "Delete the stray cells outside the table, or copy the table to a sheet of its own.",
        )


class SeveralFiles(DataError):
    def __init__(self, name: str, files: Sequence[str]) -> None:
        more = f" and {len(files) - 8:,} more" if len(files) > 8 else ""
        super().__init__(
            f"“{name}” holds {len(files):,} files: {', '.join(files[:8])}{more}.", "Unpack it and choose one of them."
        )


class FileTooLarge(DataError):
    def __init__(self, name: str, size: str, limit: str) -> None:
        super().__init__(f"“{name}” has {size}; the limit is {limit}.", "Use Parquet, or split the file.")


class MissingSheet(DataError):
    def __init__(self, name: str, sheet: str, sheets: Sequence[str]) -> None:
        super().__init__(f"“{name}” has no sheet “{sheet}”.", f"Its sheets are: {', '.join(sheets)}.")


class MissingHeader(DataError):
    def __init__(self, name: str, row: int, rows: int) -> None:
        super().__init__(
            f"“{name}” has no header in row {row}.", f"Choose a header row between 1 and {rows} that names the columns."
        )


class PlanError(WorkbenchError):
    """The plan file cannot be understood at all; what is merely incomplete becomes findings."""


class CodeFileError(WorkbenchError):
    """A public code list cannot be used."""


class Sentence(Protocol):
    """Anything that writes one sentence for the officer."""

    @property
    def sentence(self) -> str: ...


class Refused(WorkbenchError):
    """The plan may not be released as it stands. Nothing was charged, drawn or written."""

    def __init__(self, findings: Sequence[Sentence]) -> None:
        super().__init__("\n".join(finding.sentence for finding in findings))
        self.findings = tuple(findings)


class SeededNoiseRefused(WorkbenchError):
    def __init__(self) -> None:
        super().__init__(
            "A live release draws from the operating system only; seeded noise was refused.", "Rehearse instead."
        )


class BadTarget(WorkbenchError):
    def __init__(self, text: str) -> None:
        super().__init__(
            f"The target “{text[:60]}” cannot be understood.",
            "Write one such as share-within:0.1>=0.9 or margin<=5.",
        )


class ChartRefused(WorkbenchError):
    def __init__(self) -> None:
        super().__init__(
            "A chart of true cells cannot be saved: it would show confidential values.",
            "Preview from public facts instead.",
        )


class LedgerError(WorkbenchError):
    """The budget book cannot be read or written."""


class LedgerLocked(LedgerError):
    def __init__(self, name: str, reason: str) -> None:
        super().__init__(
            f"The ledger “{name}” cannot be written: {reason}.",
            "Nothing was charged. Close the other program or ask for write access, then try again.",
        )


class LedgerUnreadable(LedgerError):
    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"“{name}” cannot be opened as a ledger: {reason}.", "Choose another ledger file.")


class LedgerBroken(LedgerError):
    def __init__(self, sequence: int, reason: str) -> None:
        super().__init__(
            f"The ledger does not verify at entry {sequence}: {reason}.",
            "No release is possible from it. Restore the ledger from a backup and tell the data custodian.",
        )


class DatasetRenamed(LedgerError):
    def __init__(self, asked: str, known: str) -> None:
        super().__init__(
            f"The data called “{asked}” is already in the ledger as “{known}”.",
            f"Nothing was charged. Name it “{known}” in the plan, so that all its releases draw on one allowance.",
        )
        self.asked, self.known = asked, known


class InsufficientAllowance(LedgerError):
    def __init__(self, account: str, asked: str, remaining: str, cap: str) -> None:
        super().__init__(
            f"The account {account} has {remaining} of {cap} left; this release asks for {asked}.",
            "Nothing was charged. Lower epsilon, or have two people raise the cap.",
        )
        self.account, self.asked, self.remaining, self.cap = account, asked, remaining, cap


class SigningKeyError(WorkbenchError):
    """A signing key cannot be used."""


class MissingKey(SigningKeyError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no usable signing key “{name}”.", "Create one with “workbench keys new”.")


class WrongPassphrase(SigningKeyError):
    def __init__(self, name: str) -> None:
        super().__init__(f"The passphrase does not open the key “{name}”.", "Type it again.")


class WeakPassphrase(SigningKeyError):
    def __init__(self, least: int) -> None:
        super().__init__(f"A passphrase needs at least {least} characters.", "Several words are easy to remember.")


class DemoKeyRefused(SigningKeyError):
    def __init__(self) -> None:
        super().__init__(
            "The demonstration key cannot sign a live release.", "Choose your own key, or rehearse instead."
        )


class OutputError(WorkbenchError):
    """The bundle cannot be written."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"“{name}” cannot be written: {reason}.", "Choose a folder you may write to.")


class NotABundle(WorkbenchError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"“{name}” holds no release bundle.", "Choose the folder that contains “public” and “internal”."
        )


class NoDisplay(WorkbenchError):
    def __init__(self) -> None:
        super().__init__(
            "There is no display to open the window on.", "Use the other commands; “workbench --help” lists them."
        )


class Cancelled(WorkbenchError):
    def __init__(self) -> None:
        super().__init__("Stopped. Nothing was changed.")
