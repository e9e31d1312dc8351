"""Verifying names whatever was altered, here and by the shell commands printed for outsiders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.errors import MissingFile, NotABundle, WorkbenchError
from workbench.report import verify
from workbench.report.canonical import canonical_json
from workbench.report.dsse import (
    STATEMENT_FILE,
    Envelope,
    Signature,
    Statement,
    Subject,
    countersign,
    file_sha256,
    open_envelope,
    pae,
    sign_statement,
    subjects_in,
    write_envelope,
    write_statement,
)
from workbench.report.keys import (
    PUBLIC_KEYS_FILE,
    PublicKey,
    SigningKey,
    create_key,
    demo_key,
    load_key,
    read_public_keys,
    write_public_keys,
)
from workbench.report.verdict import FileProblem
from workbench.report.verify import (
    ADDED,
    ALTERED,
    DEMO_IN_LIVE,
    MISSING,
    NOT_A_RELEASE,
    NOT_ORDINARY,
    UNREADABLE,
    UNTRUSTED,
    find_bundles,
    verify_bundle,
)
from workbench.report.verify_text import VERIFY_FILE, verify_text

Pair = tuple[SigningKey, SigningKey]

PASSPHRASE = "correct horse battery"
TABLE = "jobs-r1-jobs.csv"
CHART = "charts/error by place.png"
FILES = {TABLE: b"place,jobs\n001,12\n003,7\n", "report.html": b"<html lang=en></html>\n", CHART: b"\x89PNG\x00\xff"}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("keys")
    moreno, okafor = (load_key(create_key(name, PASSPHRASE, folder), PASSPHRASE) for name in ("A. Moreno", "J. Okafor"))
    return moreno, okafor


def write_files(public: Path, signers: tuple[PublicKey, ...], is_rehearsal: bool = False) -> None:
    """Everything of a bundle but the statement."""
    guide = verify_text("jobs-r1", signers, is_rehearsal).encode()
    for name, content in (FILES | {PUBLIC_KEYS_FILE: write_public_keys(signers), VERIFY_FILE: guide}).items():
        (public / name).parent.mkdir(parents=True, exist_ok=True)
        (public / name).write_bytes(content)


def make_bundle(folder: Path, *signers: SigningKey, **predicate: object) -> Path:
    """A small signed bundle of six files; the facts given replace those of a live release."""
    public = folder / "jobs-r1" / "public"
    facts = {"id": "jobs-r1", "mode": "live", "subject": {"name": "a decoy", "sha256": "0" * 64}} | predicate
    write_files(public, tuple(key.public for key in signers), facts["mode"] == "rehearsal")
    (public / STATEMENT_FILE).write_bytes(sign_statement(Statement(subjects_in(public), facts), signers))
    (folder / "jobs-r1" / "internal").mkdir()
    return folder / "jobs-r1"


@pytest.fixture
def bundle(tmp_path: Path, keys: Pair) -> Path:
    return make_bundle(tmp_path, keys[0])


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, keys: Pair) -> Path:
    """A bundle for many flips, each taken back."""
    return make_bundle(tmp_path_factory.mktemp("shared"), *keys) / "public"


def problems(path: Path, trusted: tuple[PublicKey, ...] | None = None) -> Mapping[str, str]:
    verdict = verify_bundle(path, trusted)
    assert verdict.is_verified is not bool(verdict.problems)
    assert verdict.sentence.startswith("Verified" if verdict.is_verified else "Not verified")
    return {problem.file: problem.what for problem in verdict.problems}


def test_an_untouched_bundle_is_verified_and_says_by_whom(bundle: Path, keys: Pair) -> None:
    verdict = verify_bundle(bundle, [keys[0].public])
    assert verdict.is_verified
    assert (verdict.bundle, verdict.release_id, verdict.is_rehearsal) == ("jobs-r1", "jobs-r1", False)
    assert (verdict.files_checked, verdict.files_matching) == (6, 6)
    assert [(signer.key, signer.is_trusted) for signer in verdict.signers] == [(keys[0].public, True)]
    assert verdict.facts["mode"] == "live"
    signer = f"A. Moreno ({keys[0].public.fingerprint})"
    assert verdict.sentence == f"Verified: jobs-r1. 6 files match, signed by {signer}."


def test_without_a_trusted_list_the_sentence_says_so(bundle: Path) -> None:
    verdict = verify_bundle(bundle)
    assert verdict.is_verified
    assert verdict.signers[0].is_trusted is None
    assert verdict.sentence.endswith("The signature was not compared with a list of trusted keys.")


def test_a_bundle_is_found_from_inside_itself_and_from_its_parent(bundle: Path) -> None:
    for path in (bundle, bundle / "public", bundle.parent):
        assert find_bundles(path) == ((bundle / "public").resolve(),)
        assert verify_bundle(path).is_verified


def test_a_bundle_is_found_from_a_relative_path(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bundle / "public")
    assert verify_bundle(Path()).bundle == "jobs-r1"


def test_the_public_files_alone_under_another_name_still_verify(bundle: Path) -> None:
    moved = (bundle / "public").rename(bundle.parent / "download (1)")
    assert verify_bundle(moved).is_verified
    assert verify_bundle(moved).bundle == "download (1)"


def test_several_bundles_are_all_found_but_must_be_verified_one_by_one(bundle: Path) -> None:
    shutil.copytree(bundle, bundle.parent / "jobs-r2")
    assert [path.parent.name for path in find_bundles(bundle.parent)] == ["jobs-r1", "jobs-r2"]
    with pytest.raises(WorkbenchError, match=r"2 release bundles.*jobs-r1, jobs-r2"):
        verify_bundle(bundle.parent)


def test_what_is_not_a_bundle_is_said(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", bundle / "public" / TABLE, bundle / "internal"):
        with pytest.raises(NotABundle, match=path.name):
            verify_bundle(path)
    with pytest.raises(MissingFile, match="nowhere"):
        verify_bundle(tmp_path / "nowhere")


def test_an_altered_table_is_named_and_the_others_counted(bundle: Path) -> None:
    (bundle / "public" / TABLE).write_bytes(FILES[TABLE].replace(b"12", b"21"))
    verdict = verify_bundle(bundle)
    assert verdict.problems == (FileProblem(TABLE, ALTERED),)
    assert verdict.sentence == f"Not verified: {TABLE} was altered after signing. The other 5 files match."


def test_missing_and_added_files_are_named_in_every_folder(bundle: Path) -> None:
    public = bundle / "public"
    (public / CHART).unlink()
    (public / TABLE).rename(public / "charts" / TABLE)
    (public / "a" / "b").mkdir(parents=True)
    (public / "a" / "b" / ".hidden").touch()
    verdict = verify_bundle(bundle)
    assert {problem.file: problem.what for problem in verdict.problems} == {
        CHART: MISSING,
        TABLE: MISSING,
        f"charts/{TABLE}": ADDED,
        "a/b/.hidden": ADDED,
    }
    assert verdict.files_checked == verdict.files_matching == 4
    assert verdict.sentence.endswith("The other 4 files match.")


def test_many_problems_are_counted_rather_than_listed(bundle: Path) -> None:
    for number in range(8):
        (bundle / "public" / f"extra-{number}.csv").touch()
    verdict = verify_bundle(bundle)
    assert len(verdict.problems) == 8
    assert "extra-4.csv" in verdict.sentence
    assert "extra-5.csv" not in verdict.sentence
    assert "and 3 more problems" in verdict.sentence


@pytest.mark.parametrize("name", [TABLE, "extra.csv", PUBLIC_KEYS_FILE, STATEMENT_FILE])
def test_a_link_is_refused_even_to_the_right_content(bundle: Path, name: str) -> None:
    path = bundle / "public" / name
    target = bundle / "target"
    target.write_bytes(path.read_bytes() if path.exists() else b"")
    path.unlink(missing_ok=True)
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("links need a privilege here")
    assert problems(bundle) == {name: ADDED if name == "extra.csv" else NOT_ORDINARY}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes among files here")
@pytest.mark.parametrize("name", [TABLE, PUBLIC_KEYS_FILE])
def test_a_pipe_in_place_of_a_file_is_named_and_never_waited_for(bundle: Path, name: str) -> None:
    (bundle / "public" / name).unlink()
    os.mkfifo(bundle / "public" / name)
    assert problems(bundle) == {name: NOT_ORDINARY}


needs_permissions = pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")


@needs_permissions
def test_a_closed_folder_beside_a_bundle_does_not_hide_it(bundle: Path) -> None:
    closed = bundle.parent / "closed"
    closed.mkdir(mode=0)
    assert verify_bundle(bundle.parent).is_verified
    with pytest.raises(NotABundle, match="closed"):
        verify_bundle(closed)


@needs_permissions
@pytest.mark.parametrize("name", [TABLE, STATEMENT_FILE])
def test_a_file_that_cannot_be_read_is_named(bundle: Path, name: str) -> None:
    (bundle / "public" / name).chmod(0)
    assert problems(bundle) == {name: UNREADABLE}


def test_names_cannot_play_tricks_on_the_terminal(bundle: Path) -> None:
    try:
        (bundle / "public" / "x\x1b[2K\u202everified").touch()
    except OSError:
        pytest.skip("such names do not exist here")
    assert "x�[2K�verified was added" in verify_bundle(bundle).sentence


@pytest.mark.parametrize("name", [STATEMENT_FILE, PUBLIC_KEYS_FILE, VERIFY_FILE])
def test_a_bundle_that_lost_a_signature_file_is_still_recognised(bundle: Path, name: str) -> None:
    (bundle / "public" / name).unlink()
    assert problems(bundle) == {name: MISSING}


@pytest.mark.parametrize("name", [STATEMENT_FILE, PUBLIC_KEYS_FILE])
def test_every_flip_of_every_byte_of_the_signature_files_is_named(shared: Path, name: str) -> None:
    path = shared / name
    original = path.read_bytes()
    for place in range(len(original)):
        path.write_bytes(original[:place] + bytes([original[place] ^ 1 << place % 8]) + original[place + 1 :])
        assert problems(shared) == {name: ALTERED}, place
    path.write_bytes(original)
    assert problems(shared) == {}


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_any_flip_cut_or_insertion_in_any_file_is_named(shared: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted((*FILES, STATEMENT_FILE, PUBLIC_KEYS_FILE, VERIFY_FILE))))
    original = (shared / name).read_bytes()
    place = data.draw(st.integers(0, len(original) - 1))
    instead = data.draw(st.binary(max_size=3).filter(lambda new: new != original[place : place + 1]))
    altered = original[:place] + instead + original[place + 1 :]
    (shared / name).write_bytes(altered)
    try:
        assert problems(shared) == ({} if altered == original else {name: ALTERED})
    finally:
        (shared / name).write_bytes(original)


def test_a_resigned_bundle_does_not_pass_for_a_trusted_one(bundle: Path, keys: Pair) -> None:
    moreno, stranger = keys
    public = bundle / "public"
    (public / TABLE).write_bytes(b"place,jobs\n001,999\n")
    forged = write_public_keys([stranger.public]).replace(b"J. Okafor", b"A. Moreno")
    (public / PUBLIC_KEYS_FILE).write_bytes(forged)
    statement = Statement(subjects_in(public), {"id": "jobs-r1", "mode": "live"})
    (public / STATEMENT_FILE).write_bytes(sign_statement(statement, [stranger]))
    assert problems(bundle, (moreno.public,)) == {STATEMENT_FILE: UNTRUSTED}
    assert stranger.public.fingerprint in verify_bundle(bundle).sentence


def test_an_empty_trusted_list_trusts_nobody(bundle: Path) -> None:
    assert problems(bundle, ()) == {STATEMENT_FILE: UNTRUSTED}


def test_a_swapped_key_list_is_named_though_it_is_sound_in_itself(bundle: Path, keys: Pair) -> None:
    (bundle / "public" / PUBLIC_KEYS_FILE).write_bytes(write_public_keys([keys[1].public]))
    verdict = verify_bundle(bundle)
    assert verdict.problems == (FileProblem(PUBLIC_KEYS_FILE, ALTERED),)
    assert verdict.sentence.endswith("The signature could not be checked.")
    assert (verdict.signers, verdict.facts) == ((), {})


def test_a_trusted_key_checks_the_signature_when_the_key_list_is_gone(bundle: Path, keys: Pair) -> None:
    (bundle / "public" / PUBLIC_KEYS_FILE).unlink()
    (bundle / "public" / TABLE).write_bytes(b"")
    assert problems(bundle, (keys[0].public,)) == {PUBLIC_KEYS_FILE: MISSING, TABLE: ALTERED}


def test_a_trusted_key_goes_by_the_name_it_is_trusted_under(bundle: Path, keys: Pair) -> None:
    trusted = read_public_keys(write_public_keys([keys[0].public]).replace(b"A. Moreno", b"Statistics, room 12"))
    assert "signed by Statistics, room 12 (" in verify_bundle(bundle, trusted).sentence


def test_two_signers_are_both_named_and_a_stranger_among_them_is_said(tmp_path: Path, keys: Pair) -> None:
    verdict = verify_bundle(make_bundle(tmp_path, *keys), [keys[0].public])
    assert verdict.is_verified
    assert {signer.key.name: signer.is_trusted for signer in verdict.signers} == {"A. Moreno": True, "J. Okafor": False}
    assert verdict.sentence.endswith("J. Okafor is not on the trusted list.")


def test_a_signature_added_by_someone_not_listed_is_named(bundle: Path, keys: Pair) -> None:
    path = bundle / "public" / STATEMENT_FILE
    path.write_bytes(countersign(path.read_bytes(), keys[1]))
    assert problems(bundle) == {STATEMENT_FILE: ALTERED}


def test_a_required_signature_cannot_be_removed(tmp_path: Path, keys: Pair) -> None:
    bundle = make_bundle(tmp_path, *keys, signers=[key.public.key_id for key in keys])
    assert problems(bundle) == {}
    path = bundle / "public" / STATEMENT_FILE
    envelope = open_envelope(path.read_bytes())
    kept = tuple(each for each in envelope.signatures if each.key_id == keys[0].public.key_id)
    path.write_bytes(write_envelope(Envelope(envelope.payload, kept)))
    assert problems(bundle) == {STATEMENT_FILE: f"lacks the signature of the key {keys[1].public.fingerprint}"}


def test_a_rehearsal_signed_with_the_demo_key_verifies_and_says_what_it_is(tmp_path: Path) -> None:
    verdict = verify_bundle(make_bundle(tmp_path, demo_key(), mode="rehearsal"))
    assert verdict.is_verified
    assert verdict.is_rehearsal
    assert verdict.sentence.endswith("This is a rehearsal, not a release.")


@pytest.mark.parametrize("mode", ["live", "Rehearsal", ""])
def test_the_demo_key_is_no_signature_of_a_live_release(tmp_path: Path, mode: str) -> None:
    bundle = make_bundle(tmp_path, demo_key(), mode="rehearsal")
    statement = Statement(subjects_in(bundle / "public"), {"id": "jobs-r1", "mode": mode})
    payload = write_statement(statement)
    signature = Signature(demo_key().public.key_id, demo_key().sign(pae(payload)))
    (bundle / "public" / STATEMENT_FILE).write_bytes(write_envelope(Envelope(payload, (signature,))))
    assert problems(bundle, (demo_key().public,)) == {STATEMENT_FILE: DEMO_IN_LIVE}


def test_a_statement_signed_for_another_purpose_is_no_release(bundle: Path, keys: Pair) -> None:
    statement = Statement(
        subjects_in(bundle / "public"), {"mode": "live"}, "https://release-workbench.example/approval"
    )
    (bundle / "public" / STATEMENT_FILE).write_bytes(sign_statement(statement, [keys[0]]))
    assert problems(bundle) == {STATEMENT_FILE: NOT_A_RELEASE}


def test_a_signed_path_outside_the_folder_is_never_opened(bundle: Path, keys: Pair) -> None:
    payload = write_statement(Statement((Subject("XX/secret", "0" * 64),), {})).replace(b"XX", b"..")
    signature = Signature(keys[0].public.key_id, keys[0].sign(pae(payload)))
    (bundle / "public" / STATEMENT_FILE).write_bytes(write_envelope(Envelope(payload, (signature,))))
    assert problems(bundle) == {STATEMENT_FILE: ALTERED}


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"\xff", b"[" * 200_000, canonical_json({"payload": "", "payloadType": "", "signatures": [{}]})],
)
def test_nonsense_in_place_of_the_statement_is_a_sentence(bundle: Path, content: bytes) -> None:
    (bundle / "public" / STATEMENT_FILE).write_bytes(content)
    verdict = verify_bundle(bundle)
    assert (
        verdict.sentence == f"Not verified: {STATEMENT_FILE} was altered after signing. Nothing else could be checked."
    )


def test_a_huge_statement_is_refused_unread(bundle: Path) -> None:
    with (bundle / "public" / STATEMENT_FILE).open("wb") as file:
        file.truncate(verify.LARGEST_STATEMENT + 1)
    assert "larger than 16 MB" in verify_bundle(bundle).sentence


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
def test_a_folder_with_too_many_entries_is_refused(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(verify, "MOST_FILES", 50)
    for number in range(50):
        make(bundle / "public" / str(number))
    verdict = verify_bundle(bundle)
    assert verdict.sentence.startswith("Not verified: jobs-r1 holds more than")
    assert len(verdict.problems) == 1


def commands(public: Path) -> str:
    lines = (public / VERIFY_FILE).read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if line.startswith("    "))


def run_commands(public: Path, script: str | None = None) -> subprocess.CompletedProcess[str]:
    """The commands of VERIFY.txt in a real shell that stops at the first failure."""
    return subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script or commands(public)],
        cwd=public,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


needs_openssl = pytest.mark.skipif(not (shutil.which("openssl") and shutil.which("bash")), reason="no openssl or bash")


@needs_openssl
def test_the_printed_commands_accept_a_good_bundle(tmp_path: Path, keys: Pair) -> None:
    public = make_bundle(tmp_path, *keys) / "public"
    result = run_commands(public)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("Signature Verified Successfully") == 2
    assert all(f"{key.public.fingerprint} \n" in result.stdout for key in keys)
    signed = (*FILES, PUBLIC_KEYS_FILE, VERIFY_FILE)
    assert sorted(line for line in result.stdout.splitlines() if line.endswith(": OK")) == sorted(
        f"{name}: OK" for name in signed
    )
    assert result.stdout.splitlines()[-1].startswith('"live"')
    assert len(result.stdout.splitlines()) == 2 * 2 + len(signed) + 1
    assert verify_bundle(public).is_verified


@needs_openssl
def test_the_printed_commands_name_an_altered_table(bundle: Path) -> None:
    (bundle / "public" / TABLE).write_bytes(FILES[TABLE].replace(b"12", b"21"))
    result = run_commands(bundle / "public")
    assert result.returncode != 0
    assert f"{TABLE}: FAILED" in result.stdout
    assert "report.html: OK" in result.stdout


@needs_openssl
def test_the_printed_commands_notice_a_missing_file(bundle: Path) -> None:
    (bundle / "public" / CHART).unlink()
    result = run_commands(bundle / "public")
    assert result.returncode != 0
    assert f"{CHART}: FAILED" in result.stdout


@needs_openssl
def test_the_printed_commands_print_an_added_file(bundle: Path) -> None:
    (bundle / "public" / "charts" / "extra.png").touch()
    assert "charts/extra.png" in run_commands(bundle / "public").stdout.splitlines()


@needs_openssl
def test_the_printed_commands_refuse_an_altered_statement(bundle: Path) -> None:
    public = bundle / "public"
    envelope = open_envelope((public / STATEMENT_FILE).read_bytes())
    signed = file_sha256(public / TABLE).encode()
    (public / TABLE).write_bytes(b"forged\n")
    payload = envelope.payload.replace(signed, file_sha256(public / TABLE).encode())
    (public / STATEMENT_FILE).write_bytes(write_envelope(Envelope(payload, envelope.signatures)))
    result = run_commands(bundle / "public")
    assert result.returncode != 0
    assert "Signature Verification Failure" in result.stdout + result.stderr
    assert "OK" not in result.stdout


@needs_openssl
def test_the_printed_commands_refuse_a_swapped_key(bundle: Path, keys: Pair) -> None:
    record = json.loads(write_public_keys([keys[1].public]))
    record["keys"][0]["key_id"] = keys[0].public.key_id
    (bundle / "public" / PUBLIC_KEYS_FILE).write_bytes(canonical_json(record))
    result = run_commands(bundle / "public")
    assert result.returncode != 0
    assert "Verified Successfully" not in result.stdout


@needs_openssl
def test_the_printed_commands_say_rehearsal(tmp_path: Path) -> None:
    public = make_bundle(tmp_path, demo_key(), mode="rehearsal") / "public"
    assert run_commands(public).stdout.splitlines()[-1].startswith('"rehearsal"')
    assert "THIS IS A REHEARSAL" in (public / VERIFY_FILE).read_text("utf-8")


def test_the_page_names_every_signer_with_the_fingerprint_to_compare(keys: Pair) -> None:
    text = verify_text("jobs-r1", [key.public for key in keys])
    assert text.splitlines()[0] == "HOW TO CHECK THE RELEASE jobs-r1"
    assert all(key.public.name in text and key.public.fingerprint in text for key in keys)
    assert "@" not in text
    assert "REHEARSAL, NOT A RELEASE" not in text
