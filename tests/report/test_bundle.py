"""The bundle: whole or absent, signed file by file, repeatable for a rehearsal, and free of what must not leave."""

from __future__ import annotations

import getpass
import json
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from made_releases import TINY_NUMBERS, released, tiny_plan

from workbench.errors import Cancelled, DemoKeyRefused, OutputError
from workbench.progress import Silent, Stoppable
from workbench.release.checks import CheckResult
from workbench.release.release import Mode, Release
from workbench.report.bundle import write_bundle
from workbench.report.content_digest import read_digest
from workbench.report.dsse import STATEMENT_FILE, open_envelope, read_statement
from workbench.report.keys import SigningKey, demo_key
from workbench.report.verify import verify_bundle

Write = Callable[..., Path]
PUBLIC_FILES = {
    "tables.xlsx",
    "place-sector.csv",
    "total-place.csv",
    "total-sector.csv",
    "total.csv",
    "noisy_measurements.csv",
    "report.html",
    "report.json",
    "public_keys.json",
    "VERIFY.txt",
    "release.dsse.json",
}


@pytest.fixture
def write(tmp_path: Path, checks: tuple[CheckResult, ...], officers: tuple[SigningKey, SigningKey]) -> Write:
    """Writes a bundle into a fresh folder; live releases are signed by both officers."""

    def write(release: Release, folder: str = "out", keys: Sequence[SigningKey] = (), progress: object = None) -> Path:
        place = tmp_path / folder / release.id
        (place / "internal").mkdir(parents=True, exist_ok=True)
        used = keys or ([demo_key()] if release.is_rehearsal else officers)
        return write_bundle(
            release, place, used, plan_text='title = "Jobs"\n', checks=checks, progress=progress or Silent()
        )  # type: ignore[arg-type]

    return write


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_bundle_holds_exactly_its_files_and_verifies(release: Release, write: Write) -> None:
    public = write(release)
    assert public.name == "public"
    assert {name.removeprefix(f"{release.id}-") for name in contents(public)} == PUBLIC_FILES
    verdict = verify_bundle(public)
    assert verdict.is_verified, verdict.sentence
    assert verdict.files_matching == len(PUBLIC_FILES)
    assert verdict.is_rehearsal is release.is_rehearsal


def test_internal_files_stay_beside_it(release: Release, write: Write) -> None:
    internal = contents(write(release).parent / "internal")
    assert set(internal) == {"memo.html", "checks.json", "plan.toml"}
    assert internal["plan.toml"] == b'title = "Jobs"\n'
    found = [check for check in json.loads(internal["checks.json"]) if check["severity"] != "passed"]
    assert [check["id"] for check in found] == ["codes-listed"]


def test_an_altered_number_is_found(live: Release, write: Write) -> None:
    public = write(live)
    table = public / "jobs-r1-place-sector.csv"
    table.write_bytes(table.read_bytes().replace(b"1302", b"1303"))
    verdict = verify_bundle(public)
    assert [(problem.file, problem.what) for problem in verdict.problems] == [(table.name, "was altered after signing")]


def test_a_rehearsal_can_be_repeated_to_the_byte_at_another_time_by_another_person(write: Write) -> None:
    release = released(tiny_plan(), numbers=TINY_NUMBERS)
    later = replace(release, drawn_at="2031-01-02T03:04:05Z", by="somebody-else")
    assert contents(write(release, "first")) == contents(write(later, "second"))


def test_what_is_signed_about_a_live_release(live: Release, write: Write, officers: tuple[SigningKey, ...]) -> None:
    public = write(live)
    facts = read_statement(open_envelope((public / STATEMENT_FILE).read_bytes()).payload).predicate
    assert facts["id"] == "jobs-r1" and facts["mode"] == "live" and facts["title"] == live.title
    assert (facts["claim"], facts["epsilon"], facts["delta"]) == ("formal DP (pure)", "2", "0")
    assert facts["unit_of_privacy"] == "Worker, one record"
    assert facts["drawn_at"] == "2025-10-07T08:10:00Z"
    assert facts["ledger_head"] == {"entry": "66", "hash": "d84c07aa" * 8}
    assert facts["signers"] == [key.public.key_id for key in officers]
    digests = {table["sheet"]: table["content_sha256"] for table in facts["tables"]}  # type: ignore[attr-defined]
    assert digests == {sheet: read_digest(public / "jobs-r1-tables.xlsx", sheet) for sheet in digests}


def test_a_rehearsal_is_signed_as_one_without_time_or_ledger(rehearsal: Release, write: Write) -> None:
    facts = read_statement(open_envelope((write(rehearsal) / STATEMENT_FILE).read_bytes()).payload).predicate
    assert facts["mode"] == "rehearsal"
    assert not {"drawn_at", "ledger_head"} & set(facts)


def test_every_rehearsal_file_a_person_reads_says_so(rehearsal: Release, write: Write) -> None:
    files = {name: content for name, content in contents(write(rehearsal)).items() if not name.endswith(".xlsx")}
    for name in set(files) - {STATEMENT_FILE, "public_keys.json"}:
        assert b"REHEARSAL" in files[name], name


def test_nothing_that_must_stay_inside_leaves(release: Release, write: Write, tmp_path: Path) -> None:
    # Names of a few letters stand in any word.
    machine = {name for name in (socket.gethostname(), getpass.getuser()) if len(name) > 4}
    secrets = {str(tmp_path), "/secret", "officer-login", "7 records carry 999", *machine}
    for name, content in readable(write(release)).items():
        assert not {secret for secret in secrets if secret.encode() in content}, name
        assert not re.search(rb"(?<![<\w])/(root|home|tmp|usr|var)/|[A-Z]:\\\\", content), name


def readable(public: Path) -> dict[str, bytes]:
    """Every file, the parts of the workbook and the signed statement included; the chart's picture left out."""
    found = {name: content for name, content in contents(public).items() if not name.endswith(".xlsx")}
    with zipfile.ZipFile(next(public.glob("*.xlsx"))) as workbook:
        found |= {name: workbook.read(name) for name in workbook.namelist()}
    found[STATEMENT_FILE] = open_envelope(found[STATEMENT_FILE]).payload
    found["report.html"] = re.sub(rb"base64,[^\"]*", b"", found["report.html"])
    return found


def test_reports_list_the_other_files_by_their_digests(live: Release, write: Write) -> None:
    public = write(live)
    listed = json.loads((public / "report.json").read_bytes())["files"]
    subjects = read_statement(open_envelope((public / STATEMENT_FILE).read_bytes()).payload).subjects
    assert listed.items() <= {(each.name, each.sha256) for each in subjects}
    assert {each.name for each in subjects} - set(listed) == {"report.json", "report.html"}


def test_a_workbook_that_breaks_a_rule_is_never_signed_and_nothing_is_left(
    live: Release, write: Write, tmp_path: Path
) -> None:
    with pytest.raises(OutputError, match="its title is not set"):
        write(replace(live, title=""))
    assert left_behind(tmp_path, live) == {"internal"}


def test_a_live_release_is_not_signed_with_the_demonstration_key(live: Release, write: Write, tmp_path: Path) -> None:
    with pytest.raises(DemoKeyRefused):
        write(live, keys=[demo_key()])
    assert left_behind(tmp_path, live) == {"internal"}


def left_behind(tmp_path: Path, release: Release) -> set[str]:
    return {path.name for path in (tmp_path / "out" / release.id).iterdir()}


class StopAt(Stoppable):
    """An officer who stops when some words appear."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def show(self, words: str, done: int, total: int) -> None:
        if words == self.words:
            raise Cancelled


@pytest.mark.parametrize("words", ["Writing the tables", "Writing the workbook", "Writing the report", "Signing"])
def test_stopping_leaves_nothing_half_written(words: str, rehearsal: Release, write: Write, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        write(rehearsal, progress=StopAt(words))
    assert left_behind(tmp_path, rehearsal) == {"internal"}


def test_what_a_crash_left_behind_is_replaced(rehearsal: Release, write: Write, tmp_path: Path) -> None:
    partial = tmp_path / "out" / rehearsal.id / "public.partial"
    partial.mkdir(parents=True)
    (partial / "half.csv").write_bytes(b"1,2")
    public = write(rehearsal)
    assert "half.csv" not in contents(public)
    assert left_behind(tmp_path, rehearsal) == {"internal", "public"}


def test_a_bundle_is_written_once(rehearsal: Release, write: Write) -> None:
    before = contents(write(rehearsal))
    with pytest.raises(OutputError, match="there already"):
        write(rehearsal)
    assert contents(write(rehearsal, "elsewhere")) == before


def test_a_folder_that_cannot_be_written_is_named_without_its_path(
    rehearsal: Release, tmp_path: Path, checks: tuple[CheckResult, ...]
) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError) as refused:
        write_bundle(rehearsal, tmp_path / "file", [demo_key()], plan_text="", checks=checks, progress=Silent())
    assert str(tmp_path) not in str(refused.value)


def test_a_long_sample_with_all_its_totals_verifies(sample: Release, write: Write) -> None:
    assert sample.mode is Mode.LIVE and sample.numbers == 2100
    assert verify_bundle(write(sample)).is_verified


def test_the_public_writers_know_neither_records_nor_true_cells() -> None:
    secret = ["workbench.tabulate", "workbench.tabulate.cells", "workbench.data.dataset", "workbench.data.opening"]
    code = f"import workbench.report.bundle, sys; print([name for name in {secret} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert loaded == "[]"
