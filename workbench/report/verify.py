"""Verifies a bundle: every public file against the signed statement, every signature against its key."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from workbench.errors import MissingFile, NotABundle, WorkbenchError
from workbench.report.canonical import read_bounded
from workbench.report.dsse import (
    RELEASE,
    STATEMENT_FILE,
    Envelope,
    Statement,
    file_sha256,
    open_envelope,
    pae,
    read_statement,
)
from workbench.report.keys import LARGEST_KEY_LIST, PUBLIC_KEYS_FILE, PublicKey, fingerprint, read_public_keys
from workbench.report.verdict import MOST_NAMED, FileProblem, Signer, Verdict, shown
from workbench.report.verify_text import VERIFY_FILE

LARGEST_STATEMENT = 16_000_000
MOST_FILES = 10_000

ALTERED = "was altered after signing"
MISSING = "is missing"
ADDED = "was added after signing"
NOT_ORDINARY = "is a link or a device, not an ordinary file"
UNREADABLE = "cannot be read"
UNTRUSTED = "was signed by no key on the trusted list"
DEMO_IN_LIVE = "is a live release signed with the demonstration key, which everyone has"
NOT_A_RELEASE = "was signed for something other than a release"
_TOO_LARGE = f"is larger than {LARGEST_STATEMENT // 1_000_000} MB, which no signed statement is"
_TOO_MANY = f"holds more than {MOST_FILES:,} files, which no release does"

# Any one of these marks a public folder, so that a bundle that lost its statement is still recognised as one.
_MARKS = (STATEMENT_FILE, PUBLIC_KEYS_FILE, VERIFY_FILE)


class _Undecidable(Exception):
    """One problem after which nothing else in the bundle can be judged."""

    def __init__(self, file: str, what: str) -> None:
        super().__init__(what)
        self.problem = FileProblem(file, what)


def find_bundles(path: Path) -> tuple[Path, ...]:
    """The public folders of the bundles at a path: itself, its own `public`, or those of the folders inside it."""
    with suppress(OSError):  # what may not be looked at is no bundle, but not missing either
        if not path.exists():
            raise MissingFile(path.name)
    path = path.resolve()
    groups = ([path], [path / "public"], [folder / "public" for folder in _folder_content(path)])
    for places in groups:
        if bundles := tuple(place for place in places if _is_public_folder(place)):
            return bundles
    raise NotABundle(path.name)


def _folder_content(path: Path) -> list[Path]:
    try:
        return sorted(islice(path.iterdir(), MOST_FILES))
    except OSError:
        return []


def _is_public_folder(path: Path) -> bool:
    try:
        return any((path / mark).is_file() for mark in _MARKS)
    except OSError:
        return False


def verify_bundle(path: Path, trusted: Sequence[PublicKey] | None = None) -> Verdict:
    """Check the one bundle at a path; with a trusted list, at least one signer must be on it."""
    public = _only_bundle(path)
    bundle = _bundle_name(public)
    try:
        envelope, statement = _read_statement(public)
        signers = _check_signatures(envelope, _listed_keys(public), trusted)
        if len(signers) < len(envelope.signatures) and _is_key_list_as_signed(public, statement):
            raise _Undecidable(STATEMENT_FILE, ALTERED)
        found = _list_files(public, bundle)
    except _Undecidable as stop:
        return Verdict(bundle, (stop.problem,))
    problems = (*_compare_files(public, found, statement), *_judge_signers(envelope, statement, signers, trusted))
    signed = {STATEMENT_FILE, *(subject.name for subject in statement.subjects)}
    return Verdict(
        bundle=bundle,
        problems=problems,
        signers=signers,
        files_checked=len(signed & set(found)),
        files_matching=len(signed - {problem.file for problem in problems}),
        facts=statement.predicate if signers else {},
    )


def _only_bundle(path: Path) -> Path:
    bundles = find_bundles(path)
    if len(bundles) > 1:
        names = ", ".join(_bundle_name(bundle) for bundle in bundles[:MOST_NAMED])
        raise WorkbenchError(f"“{path.name}” holds {len(bundles)} release bundles.", f"Choose one of them: {names}.")
    return bundles[0]


def _bundle_name(public: Path) -> str:
    return shown(public.parent.name if public.name == "public" else public.name)


def _read_statement(public: Path) -> tuple[Envelope, Statement]:
    try:
        data = read_bounded(public / STATEMENT_FILE, LARGEST_STATEMENT)
    except FileNotFoundError:
        raise _Undecidable(STATEMENT_FILE, MISSING) from None
    except OSError:
        raise _Undecidable(STATEMENT_FILE, UNREADABLE) from None
    except ValueError:
        raise _Undecidable(STATEMENT_FILE, _TOO_LARGE) from None
    try:
        envelope = open_envelope(data)
        return envelope, read_statement(envelope.payload)
    except ValueError:
        raise _Undecidable(STATEMENT_FILE, ALTERED) from None


def _listed_keys(public: Path) -> tuple[PublicKey, ...]:
    """The keys that travel with the bundle; none when their list is damaged, which comparing the files will name."""
    try:
        return read_public_keys(read_bounded(public / PUBLIC_KEYS_FILE, LARGEST_KEY_LIST))
    except (OSError, ValueError):
        return ()


def _check_signatures(
    envelope: Envelope, listed: Sequence[PublicKey], trusted: Sequence[PublicKey] | None
) -> tuple[Signer, ...]:
    """The signers whose keys are known; a known key whose signature fails means that the statement was altered."""
    # A trusted key goes by the name it has on the trusted list, not by the one the bundle gives it.
    keys = {key.key_id: key for key in (*listed, *(trusted or ()))}
    trusted_ids = None if trusted is None else {key.key_id for key in trusted}
    message = pae(envelope.payload)
    known = [signature for signature in envelope.signatures if signature.key_id in keys]
    if not all(keys[signature.key_id].verify(message, signature.value) for signature in known):
        raise _Undecidable(STATEMENT_FILE, ALTERED)
    return tuple(
        Signer(keys[signature.key_id], None if trusted_ids is None else signature.key_id in trusted_ids)
        for signature in known
    )


def _is_key_list_as_signed(public: Path, statement: Statement) -> bool:
    """Whether an unknown signer is the statement's fault: the list that should hold the key is the one signed."""
    claimed = {subject.name: subject.sha256 for subject in statement.subjects}.get(PUBLIC_KEYS_FILE)
    path = public / PUBLIC_KEYS_FILE
    try:
        return claimed == (file_sha256(path) if path.is_file() else None)
    except OSError:
        return False


def _list_files(public: Path, bundle: str) -> dict[str, str]:
    """Every name below the public folder with what is odd about it, empty for an ordinary file."""
    found: dict[str, str] = {}
    folders = [""]
    for prefix in folders:  # grows while it is walked, so that no nesting is too deep
        try:
            with os.scandir(public / prefix) as entries:
                for entry in islice(entries, MOST_FILES + 1):
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(f"{prefix}{entry.name}/")
                    else:
                        found[prefix + entry.name] = "" if entry.is_file(follow_symlinks=False) else NOT_ORDINARY
        except OSError:
            found[prefix or "."] = UNREADABLE
        if len(found) + len(folders) > MOST_FILES:
            raise _Undecidable(bundle, _TOO_MANY)
    return found


def _compare_files(public: Path, found: Mapping[str, str], statement: Statement) -> tuple[FileProblem, ...]:
    signed: dict[str, str | None] = {subject.name: subject.sha256 for subject in statement.subjects}
    signed[STATEMENT_FILE] = None  # vouched for by its signatures
    problems = []
    for name in sorted({*signed, *found}):
        if name not in found:
            what = MISSING
        elif name not in signed:
            what = ADDED
        else:
            what = found[name] or _compare_digest(public / name, signed[name])
        if what:
            problems.append(FileProblem(name, what))
    return tuple(problems)


def _compare_digest(path: Path, sha256: str | None) -> str:
    try:
        return "" if sha256 in (None, file_sha256(path)) else ALTERED
    except OSError:
        return UNREADABLE


def _judge_signers(
    envelope: Envelope, statement: Statement, signers: Sequence[Signer], trusted: Sequence[PublicKey] | None
) -> tuple[FileProblem, ...]:
    """Whether these signatures are enough for what the statement says it is."""
    judgements = (
        (statement.predicate_type != RELEASE, NOT_A_RELEASE),
        (trusted is not None and not any(signer.is_trusted for signer in signers), UNTRUSTED),
        (not statement.is_rehearsal and any(signer.key.is_demo for signer in signers), DEMO_IN_LIVE),
    )
    whats = [what for is_so, what in judgements if is_so]
    absent = [shown(fingerprint(key_id)) for key_id in _absent_signers(envelope, statement)]
    whats += [f"lacks the signature of the key {each}" for each in absent]
    return tuple(FileProblem(STATEMENT_FILE, what) for what in whats)


def _absent_signers(envelope: Envelope, statement: Statement) -> list[str]:
    """The key ids the statement itself requires under `signers` and that did not sign: removing one is noticed."""
    required = statement.predicate.get("signers", [])
    present = {signature.key_id for signature in envelope.signatures}
    return [str(key_id) for key_id in required if key_id not in present] if isinstance(required, list) else []
