"""The bundle: all files of a release, written beside their place, checked, signed, and moved there at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from workbench.errors import OutputError
from workbench.plan.amounts import exact_text
from workbench.progress import Progress
from workbench.release.checks import CheckResult
from workbench.release.release import Release
from workbench.report.canonical import canonical_json
from workbench.report.content_digest import content_digest, read_digest
from workbench.report.dsse import STATEMENT_FILE, Statement, file_sha256, sign_statement, subjects_in
from workbench.report.html_report import MEMO_FILE, REPORT_FILE, html_report, internal_memo
from workbench.report.json_report import JSON_FILE, json_report
from workbench.report.keys import PUBLIC_KEYS_FILE, PublicKey, SigningKey, write_public_keys
from workbench.report.tables import table_files, write_noisy_measurements, write_tables
from workbench.report.verify_text import VERIFY_FILE, verify_text
from workbench.report.workbook import sheet_names, write_workbook
from workbench.report.workbook_rules import require_rules

PUBLIC, INTERNAL = "public", "internal"
PLAN_FILE, CHECKS_FILE = "plan.toml", "checks.json"


def write_bundle(
    release: Release,
    folder: Path,
    keys: Sequence[SigningKey],
    *,
    plan_text: str,
    checks: Sequence[CheckResult],
    progress: Progress,
) -> Path:
    """Write the bundle of a release into its folder and return its public part, which is there whole or not at all."""
    signers = [key.public for key in keys]
    with _whole_or_nothing(folder / PUBLIC) as public:
        progress.step("Writing the tables", 0, 4)
        write_tables(release, public)
        write_noisy_measurements(release, public)
        progress.step("Writing the workbook", 1, 4)
        _write_checked_workbook(release, public, signers)
        progress.step("Writing the report", 2, 4)
        _write_words(release, public, signers, checks)
        _write_internal(release, folder / INTERNAL, signers, plan_text, checks)
        progress.step("Signing", 3, 4)
        statement = Statement(subjects_in(public), _predicate(release, signers))
        (public / STATEMENT_FILE).write_bytes(sign_statement(statement, keys))
    return folder / PUBLIC


@contextmanager
def _whole_or_nothing(place: Path) -> Iterator[Path]:
    """A folder to write in that takes its place once everything in it is on disk, and is gone if anything failed."""
    partial = place.with_name(f"{place.name}.partial")
    if place.exists():
        raise OutputError(place.name, "it is there already, and a release is written once")
    try:
        shutil.rmtree(partial, ignore_errors=True)  # what a crash left behind
        partial.mkdir(parents=True)
        yield partial
        for path in (*partial.iterdir(), partial):
            _flush(path)
        partial.rename(place)
        _flush(place.parent)
    except OSError as error:
        raise OutputError(place.name, (error.strerror or "the disk refused it").lower()) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk; Windows does the latter by itself."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_checked_workbook(release: Release, public: Path, signers: Sequence[PublicKey]) -> None:
    """Write the workbook, then read the file back: it must keep the rules and hold the numbers of the draw."""
    path = public / f"{release.id}-tables.xlsx"
    write_workbook(release, path, signers)
    require_rules(path)
    for table, sheet in zip(release.tables, sheet_names(release), strict=True):
        if read_digest(path, sheet) != content_digest(table):
            raise OutputError(path.name, f"its sheet {sheet} does not hold what was drawn")


def _write_words(release: Release, public: Path, signers: Sequence[PublicKey], checks: Sequence[CheckResult]) -> None:
    """The keys, the guide to verifying and the two forms of the report; each report lists the files before it."""
    (public / PUBLIC_KEYS_FILE).write_bytes(write_public_keys(signers))
    (public / VERIFY_FILE).write_bytes(verify_text(release.id, signers, release.is_rehearsal).encode())
    (public / JSON_FILE).write_bytes(canonical_json(json_report(release, signers, checks, _digests(public))))
    (public / REPORT_FILE).write_bytes(html_report(release, signers, checks, _digests(public)).encode())


def _digests(public: Path) -> dict[str, str]:
    return {path.name: file_sha256(path) for path in sorted(public.iterdir())}


def _write_internal(
    release: Release, internal: Path, signers: Sequence[PublicKey], plan_text: str, checks: Sequence[CheckResult]
) -> None:
    internal.mkdir(parents=True, exist_ok=True)
    (internal / PLAN_FILE).write_bytes(plan_text.encode())
    (internal / CHECKS_FILE).write_bytes(canonical_json([_check_record(result) for result in checks]))
    (internal / MEMO_FILE).write_bytes(internal_memo(release, signers, checks).encode())
    for path in (*internal.iterdir(), internal):
        _flush(path)


def _check_record(result: CheckResult) -> dict[str, object]:
    findings = [{"where": each.where, "what": each.what, "remedy": each.remedy} for each in result.findings]
    return {
        "id": result.check.id,
        "title": result.check.title,
        "severity": str(result.severity) if result.severity else "passed",
        "findings": findings,
    }


def _predicate(release: Release, signers: Sequence[PublicKey]) -> dict[str, object]:
    """What is signed about the release besides its files; every value is text."""
    guarantee = release.guarantee
    facts: dict[str, object] = {
        "id": release.id,
        "title": release.title,
        "mode": str(release.mode),
        "claim": str(guarantee.claim),
        "epsilon": exact_text(guarantee.epsilon),
        "delta": exact_text(guarantee.delta),
        "unit_of_privacy": f"{release.neighbors.title}, {release.neighbors.summary}",
        "neighbours": release.neighbors.statement,
        "plan_sha256": release.plan_sha256,
        "signers": [signer.key_id for signer in signers],
        "tables": [
            {"name": table.name, "file": file, "sheet": sheet, "content_sha256": content_digest(table)}
            for table, file, sheet in zip(release.tables, table_files(release), sheet_names(release), strict=True)
        ],
    }
    if guarantee.rho is not None:
        facts["rho"] = exact_text(guarantee.rho)
    if release.charge:
        facts["drawn_at"] = release.drawn_at
        facts["ledger_head"] = {"entry": str(release.charge.entry), "hash": release.charge.head}
    return facts
