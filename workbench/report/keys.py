"""Signing keys: made and kept under a passphrase, listed without it, recognised by a fingerprint read aloud."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
    load_pem_public_key,
)

from workbench.errors import (
    MissingFile,
    MissingKey,
    OutputError,
    SigningKeyError,
    UnreadableFile,
    WrongPassphrase,
)
from workbench.privacy.noise import random_bytes
from workbench.report.canonical import canonical_json, parse_json, read_bounded
from workbench.report.passphrase import lock, require_strong, unlock

PUBLIC_KEYS_FILE = "public_keys.json"
LARGEST_KEY_LIST = 1_000_000

_FORMAT = 1
_SUFFIX = ".key.json"
_LARGEST_KEY_FILE = 64_000
_LONGEST_NAME = 80
_DEMO_NAME = "Rehearsal demo key"
_DEMO_PHRASE = b"Release Workbench rehearsal demo key: everyone knows it, so it proves nothing."


@dataclass(frozen=True)
class PublicKey:
    """What others need to check a signature: whose key it is said to be, and the key itself."""

    name: str
    algorithm: str
    spki: bytes  # DER SubjectPublicKeyInfo

    @property
    def key_id(self) -> str:
        return hashlib.sha256(self.spki).hexdigest()

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.key_id)

    @property
    def pem(self) -> str:
        pem = load_der_public_key(self.spki).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return pem.decode("ascii")

    @property
    def is_demo(self) -> bool:
        return self.key_id == demo_key().public.key_id

    def verify(self, message: bytes, signature: bytes) -> bool:
        require_signature = _CHECKS[self.algorithm](self.spki)
        try:
            require_signature(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class SigningKey:
    """A key opened with its passphrase, able to sign."""

    public: PublicKey
    _private: Ed25519PrivateKey = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


def fingerprint(key_id: str) -> str:
    """The first sixteen digits of a key id in groups of four, short enough to read over the phone."""
    digits = key_id[:16].upper()
    return " ".join(digits[start : start + 4] for start in range(0, 16, 4))


def _ed25519_check(spki: bytes) -> Callable[[bytes, bytes], None]:
    key = load_der_public_key(spki)
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("not an Ed25519 key")
    return key.verify


# By algorithm: SubjectPublicKeyInfo -> what raises InvalidSignature unless (signature, message) fit it.
_CHECKS: dict[str, Callable[[bytes], Callable[[bytes, bytes], None]]] = {"ed25519": _ed25519_check}


def create_key(name: str, passphrase: str, folder: Path) -> Path:
    """Make a new key for a person and save it, locked under the passphrase; an existing key is never replaced."""
    require_strong(passphrase)
    seed = random_bytes(32)
    public = public_record(_signing_key(_own_name(name), seed).public)
    private = lock(seed, passphrase, canonical_json(public))
    path = folder / f"{_slug(name) or 'key-' + public['key_id'][:8]}{_SUFFIX}"
    _write_new(path, canonical_json({"format": _FORMAT, "public": public, "private": private}))
    return path


def load_key(path: Path, passphrase: str) -> SigningKey:
    """Open a saved key with its passphrase."""
    try:
        public, private = _read_key_file(path)
        seed = unlock(private, passphrase, canonical_json(public_record(public)))
        if seed is None:
            raise WrongPassphrase(public.name)
        key = _signing_key(public.name, seed)
    except (OSError, ValueError):
        raise MissingKey(path.name) from None
    if key.public != public:
        raise MissingKey(path.name)
    return key


def list_keys(folder: Path) -> tuple[tuple[Path, PublicKey], ...]:
    """The usable key files of a folder in order of their names, read without a passphrase."""
    try:
        paths = sorted(folder.glob(f"*{_SUFFIX}"))
    except OSError:
        raise MissingKey(folder.name) from None
    keys = []
    for path in paths:
        try:
            keys.append((path, _read_key_file(path)[0]))
        except (OSError, ValueError):
            continue  # named when the officer asks for it, and no reason to hide the others
    return tuple(keys)


@cache
def demo_key() -> SigningKey:
    """The key everyone has: it signs rehearsals, and a live release refuses it."""
    return _signing_key(_DEMO_NAME, hashlib.sha256(_DEMO_PHRASE).digest())


def public_record(key: PublicKey) -> dict[str, str]:
    """A public key as it stands in key files and lists of keys."""
    return {
        "algorithm": key.algorithm,
        "fingerprint": key.fingerprint,
        "key_id": key.key_id,
        "name": key.name,
        "pem": key.pem,
    }


def write_public_keys(keys: Iterable[PublicKey]) -> bytes:
    """The list that travels with a bundle, and the list of trusted keys: each key once, in order of key id."""
    distinct = {key.key_id: key for key in keys}
    return canonical_json({"format": _FORMAT, "keys": [public_record(distinct[key_id]) for key_id in sorted(distinct)]})


def read_public_keys(data: bytes) -> tuple[PublicKey, ...]:
    """The keys of such a list; ValueError when it is none, or when a key contradicts its own fingerprint."""
    match parse_json(data):
        case {"format": 1, "keys": [*records]}:
            return tuple(_read_public_record(record) for record in records)
    raise ValueError("not a list of public keys")


def read_trusted(path: Path) -> tuple[PublicKey, ...]:
    """The keys a person has decided to trust."""
    try:
        return read_public_keys(read_bounded(path, LARGEST_KEY_LIST))
    except FileNotFoundError:
        raise MissingFile(path.name) from None
    except (OSError, ValueError):
        reason, remedy = "it is not a list of public keys", "Write it again with “workbench keys export”."
        raise UnreadableFile(path.name, reason, remedy) from None


def _signing_key(name: str, seed: bytes) -> SigningKey:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    spki = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return SigningKey(PublicKey(name, "ed25519", spki), private)


def _read_key_file(path: Path) -> tuple[PublicKey, object]:
    """The public key and the locked private one; ValueError or OSError when the file is no key."""
    match parse_json(read_bounded(path, _LARGEST_KEY_FILE)):
        case {"format": 1, "public": public, "private": private}:
            return _read_public_record(public), private
    raise ValueError("not a key file")


def _read_public_record(record: object) -> PublicKey:
    match record:
        case {"name": str(name), "algorithm": str(algorithm), "pem": str(pem)} if _is_name(name):
            key = PublicKey(name, algorithm, _spki(pem, algorithm))
            if public_record(key) == record:
                return key
    raise ValueError("not a public key")


def _spki(pem: str, algorithm: str) -> bytes:
    try:
        key = load_pem_public_key(pem.encode())
        spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        _CHECKS[algorithm](spki)
    except (KeyError, UnsupportedAlgorithm):
        raise ValueError("not an algorithm the workbench checks") from None
    return spki


def _is_name(name: str) -> bool:
    return name.isprintable() and name == name.strip() and 0 < len(name) <= _LONGEST_NAME


def _own_name(name: str) -> str:
    name = unicodedata.normalize("NFC", name.strip())
    if not _is_name(name):
        raise SigningKeyError(f"A key needs a name of 1 to {_LONGEST_NAME} letters.", "Use your own name.")
    return name


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, durably, and only where there was none."""
    try:
        if path.exists():
            raise SigningKeyError(f"There is already a key file “{path.name}”.", "Give the new key another name.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb", opener=_owner_only) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(path.name, (error.strerror or "the folder refuses it").lower()) from None


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
