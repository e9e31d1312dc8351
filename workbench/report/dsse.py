"""The signed statement of a release: an in-toto Statement naming every public file, in a DSSE envelope."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import DemoKeyRefused
from workbench.report.canonical import base64_bytes, base64_text, canonical_json, parse_json
from workbench.report.keys import SigningKey

STATEMENT_FILE = "release.dsse.json"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
RELEASE = "https://release-workbench.example/release/v1"
REHEARSAL = "rehearsal"

_STATEMENT = "https://in-toto.io/Statement/v1"
_SHA256 = re.compile(r"[0-9a-f]{64}")
# No quotes, backslashes or control characters: a name must survive JSON, a shell and `sha256sum` unchanged.
_NAME = re.compile(r'[^\x00-\x1f\x7f"\\/]+(/[^\x00-\x1f\x7f"\\/]+)*')


@dataclass(frozen=True, order=True)
class Subject:
    """A public file, by its name inside the public folder and its digest."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Statement:
    """What is signed: these files, and these facts about the release (amounts as decimal text)."""

    subjects: tuple[Subject, ...]
    predicate: Mapping[str, object]
    predicate_type: str = RELEASE

    @property
    def is_rehearsal(self) -> bool:
        return self.predicate.get("mode") == REHEARSAL


@dataclass(frozen=True)
class Signature:
    """One key's signature over the payload."""

    key_id: str
    value: bytes


@dataclass(frozen=True)
class Envelope:
    """A payload with the signatures of one or more distinct keys."""

    payload: bytes
    signatures: tuple[Signature, ...]


def subjects_in(folder: Path) -> tuple[Subject, ...]:
    """Every file of a public folder except the signed statement itself."""
    files = (path for path in folder.rglob("*") if path.is_file() and path != folder / STATEMENT_FILE)
    return tuple(sorted(Subject(path.relative_to(folder).as_posix(), file_sha256(path)) for path in files))


def file_sha256(path: Path) -> str:
    """The digest of a file of any size, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sign_statement(statement: Statement, keys: Sequence[SigningKey]) -> bytes:
    """The bytes of `release.dsse.json`, signed by each of the keys."""
    payload = write_statement(statement)
    return write_envelope(Envelope(payload, tuple(_sign(statement, payload, key) for key in keys)))


def countersign(data: bytes, key: SigningKey) -> bytes:
    """The same envelope with one more signature; the statement stays as the others signed it."""
    envelope = open_envelope(data)
    signature = _sign(read_statement(envelope.payload), envelope.payload, key)
    return write_envelope(Envelope(envelope.payload, (*envelope.signatures, signature)))


def _sign(statement: Statement, payload: bytes, key: SigningKey) -> Signature:
    if key.public.is_demo and not statement.is_rehearsal:
        raise DemoKeyRefused
    return Signature(key.public.key_id, key.sign(pae(payload)))


def pae(payload: bytes) -> bytes:
    """DSSE's pre-authentication encoding: what is really signed, so that a payload cannot pass for another type."""
    return b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(payload), payload)


def write_statement(statement: Statement) -> bytes:
    """The payload to sign; ValueError when a name, a digest or a number in it could be misread."""
    payload = canonical_json(
        {
            "_type": _STATEMENT,
            "predicate": dict(statement.predicate),
            "predicateType": statement.predicate_type,
            "subject": [
                {"digest": {"sha256": subject.sha256}, "name": subject.name} for subject in sorted(statement.subjects)
            ],
        }
    )
    read_statement(payload)  # what cannot be read back must not be signed
    return payload


def read_statement(payload: bytes) -> Statement:
    """The statement in a payload; ValueError when it is none."""
    match parse_json(payload, has_numbers=False):
        case {"_type": kind, "predicate": dict(predicate), "predicateType": str(predicate_type), "subject": [*records]}:
            subjects = tuple(_read_subject(record) for record in records)
        case _:
            raise ValueError("not a statement")
    if kind != _STATEMENT or not subjects or len({subject.name for subject in subjects}) < len(subjects):
        raise ValueError("not a statement about distinct files")
    return Statement(subjects, predicate, predicate_type)


def _read_subject(record: object) -> Subject:
    match record:
        case {"name": str(name), "digest": {"sha256": str(sha256)}}:
            if _is_file_name(name) and _SHA256.fullmatch(sha256):
                return Subject(name, sha256)
    raise ValueError("not a file with its digest")


def _is_file_name(name: str) -> bool:
    stays_inside = not {".", ".."} & set(name.split("/"))
    return bool(_NAME.fullmatch(name)) and stays_inside and name != STATEMENT_FILE


def write_envelope(envelope: Envelope) -> bytes:
    """The one byte form of an envelope, signatures in order of key id; ValueError unless the keys are distinct."""
    signatures = sorted(envelope.signatures, key=lambda signature: signature.key_id)
    if not signatures or len({signature.key_id for signature in signatures}) < len(signatures):
        raise ValueError("an envelope needs the signatures of distinct keys")
    return canonical_json(
        {
            "payload": base64_text(envelope.payload),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": each.key_id, "sig": base64_text(each.value)} for each in signatures],
        }
    )


def open_envelope(data: bytes) -> Envelope:
    """The envelope in a file; ValueError unless writing it again gives every byte of the file."""
    match parse_json(data):
        case {"payload": str(payload), "signatures": [*records]}:
            envelope = Envelope(base64_bytes(payload), tuple(_read_signature(record) for record in records))
        case _:
            raise ValueError("not an envelope")
    if write_envelope(envelope) != data:
        raise ValueError("not in the form in which it was signed")
    return envelope


def _read_signature(record: object) -> Signature:
    match record:
        case {"keyid": str(key_id), "sig": str(signature)}:
            return Signature(key_id, base64_bytes(signature))
    raise ValueError("not a signature")
