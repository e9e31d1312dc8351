"""Locks a secret under a passphrase: Argon2id makes the key, AES-256-GCM does the locking."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from workbench.errors import WeakPassphrase
from workbench.privacy.noise import random_bytes
from workbench.report.canonical import base64_bytes, base64_text

LEAST_CHARACTERS = 12

_METHOD = "argon2id, aes-256-gcm"
_COSTS = {"iterations": 3, "lanes": 4, "memory_kib": 64 * 1024}
# A key file from elsewhere may ask for other costs, but not for hours or for all the memory.
_ACCEPTED = {"iterations": range(1, 11), "lanes": range(1, 17), "memory_kib": range(8 * 1024, 256 * 1024 + 1)}


def require_strong(passphrase: str) -> None:
    if len(passphrase.strip()) < LEAST_CHARACTERS:
        raise WeakPassphrase(LEAST_CHARACTERS)


def lock(secret: bytes, passphrase: str, context: bytes) -> dict[str, object]:
    """A JSON record from which only the passphrase, together with the same context, gives the secret back."""
    salt, nonce = random_bytes(16), random_bytes(12)
    key = _derive(passphrase, salt, _COSTS)
    sealed = AESGCM(key).encrypt(nonce, secret, context)
    texts = {"salt": base64_text(salt), "nonce": base64_text(nonce), "ciphertext": base64_text(sealed)}
    return {"method": _METHOD, **_COSTS, **texts}


def unlock(record: object, passphrase: str, context: bytes) -> bytes | None:
    """The secret, or None when the passphrase or the context is another; ValueError for what `lock` never wrote."""
    match record:
        case {"method": str(method), "salt": str(salt), "nonce": str(nonce), "ciphertext": str(sealed), **costs}:
            key = _derive(passphrase, base64_bytes(salt), _checked_costs(method, costs))
        case _:
            raise ValueError("not a locked secret")
    try:
        return AESGCM(key).decrypt(base64_bytes(nonce), base64_bytes(sealed), context)
    except InvalidTag:
        return None


def _checked_costs(method: str, costs: Mapping[object, object]) -> dict[str, int]:
    checked = {}
    for name, accepted in _ACCEPTED.items():
        cost = costs.get(name)
        if method != _METHOD or type(cost) is not int or cost not in accepted:
            raise ValueError("not a way of locking that is accepted")
        checked[name] = cost
    return checked


def _derive(passphrase: str, salt: bytes, costs: Mapping[str, int]) -> bytes:
    # Keyboards differ in how they compose accents; the officer typed the same letters.
    typed = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    function = Argon2id(
        salt=salt, length=32, iterations=costs["iterations"], lanes=costs["lanes"], memory_cost=costs["memory_kib"]
    )
    return function.derive(typed)
