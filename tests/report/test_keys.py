"""Signing keys are locked, listed, recognised and refused as promised."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import (
    MissingFile,
    MissingKey,
    OutputError,
    SigningKeyError,
    UnreadableFile,
    WeakPassphrase,
    WrongPassphrase,
)
from workbench.report.canonical import canonical_json
from workbench.report.keys import (
    create_key,
    demo_key,
    list_keys,
    load_key,
    public_record,
    read_public_keys,
    read_trusted,
    write_public_keys,
)
from workbench.report.passphrase import lock

PASSPHRASE = "correct horse battery"


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_key("A. Moreno", PASSPHRASE, tmp_path_factory.mktemp("keys"))


def changed(key_file: Path, to: Path, **places: object) -> Path:
    """A copy of a key file with values replaced by their path, such as private__memory_kib."""
    record = json.loads(key_file.read_text("utf-8"))
    for place, value in places.items():
        *parents, last = place.split("__")
        inside = record
        for parent in parents:
            inside = inside[parent]
        inside[last] = value
    copy = to / "changed.key.json"
    copy.write_text(json.dumps(record), "utf-8")
    return copy


def test_a_saved_key_opens_with_its_passphrase_and_signs(key_file: Path) -> None:
    key = load_key(key_file, PASSPHRASE)
    signature = key.sign(b"message")
    assert key.public.name == "A. Moreno"
    assert key.public.verify(b"message", signature)
    assert not key.public.verify(b"another message", signature)
    assert not key.public.verify(b"message", signature[:-1])


def test_another_passphrase_does_not_open_it(key_file: Path) -> None:
    with pytest.raises(WrongPassphrase, match=r"A\. Moreno"):
        load_key(key_file, PASSPHRASE + "!")


def test_accents_typed_on_another_keyboard_are_the_same_passphrase(tmp_path: Path) -> None:
    path = create_key("A. Moreno", "caf\u00e9 au lait, chaud", tmp_path)
    assert load_key(path, "cafe\u0301 au lait, chaud").public.name == "A. Moreno"


def test_the_key_file_holds_no_private_key_in_the_clear(key_file: Path) -> None:
    record = json.loads(key_file.read_text("utf-8"))
    assert set(record) == {"format", "private", "public"}
    assert set(record["private"]) == {"ciphertext", "iterations", "lanes", "memory_kib", "method", "nonce", "salt"}
    assert record["private"]["memory_kib"] >= 64 * 1024
    assert "_private" not in repr(load_key(key_file, PASSPHRASE))


def test_two_keys_never_share_salt_nonce_or_key(tmp_path: Path) -> None:
    first, second = (
        json.loads(create_key(name, PASSPHRASE, tmp_path).read_text("utf-8")) for name in ("First", "Second")
    )
    assert first["public"]["key_id"] != second["public"]["key_id"]
    assert first["private"]["salt"] != second["private"]["salt"]
    assert first["private"]["nonce"] != second["private"]["nonce"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits")
def test_only_the_owner_may_read_the_key_file(key_file: Path) -> None:
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_an_existing_key_is_never_replaced(tmp_path: Path) -> None:
    path = create_key("A. Moreno", PASSPHRASE, tmp_path)
    before = path.read_bytes()
    with pytest.raises(SigningKeyError, match="already a key file"):
        create_key("a moreno", PASSPHRASE, tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("passphrase", ["", "eleven char", " " * 40])
def test_a_short_passphrase_makes_no_key(tmp_path: Path, passphrase: str) -> None:
    with pytest.raises(WeakPassphrase, match="12"):
        create_key("A. Moreno", passphrase, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "   ", "two\nlines", "x" * 81, "bell\a"])
def test_a_key_needs_a_name_that_can_be_printed(tmp_path: Path, name: str) -> None:
    with pytest.raises(SigningKeyError, match="name"):
        create_key(name, PASSPHRASE, tmp_path)


@pytest.mark.parametrize(
    ("name", "file"),
    [("Zoë Müller-Ångström", r"zoe-muller-angstrom\.key\.json"), ("李雷", r"key-[0-9a-f]{8}\.key\.json")],
)
def test_file_names_are_plain_for_any_name(tmp_path: Path, name: str, file: str) -> None:
    path = create_key(name, PASSPHRASE, tmp_path / "new" / "folder")
    assert re.fullmatch(file, path.name)
    assert load_key(path, PASSPHRASE).public.name == name


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", "utf-8")
    with pytest.raises(OutputError, match=r"a-moreno\.key\.json"):
        create_key("A. Moreno", PASSPHRASE, tmp_path / "taken")


@pytest.mark.parametrize(
    "places",
    [
        {"private__memory_kib": 2**31},
        {"private__memory_kib": "65536"},
        {"private__memory_kib": 65536.0},
        {"private__iterations": 10**9},
        {"private__iterations": True},
        {"private__lanes": 0},
        {"private__method": "none"},
        {"private__salt": ""},
        {"private__salt": "not base64"},
        {"private__salt": 7},
        {"private__nonce": "AAAA"},
        {"private": []},
        {"public": None},
        {"public__pem": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"},
        {"public__algorithm": "rot13"},
        {"public__fingerprint": "0000 0000 0000 0000"},
        {"public__name": "\x1b[31mred"},
        {"format": 2},
    ],
    ids=str,
)
def test_a_hostile_key_file_is_no_usable_key(key_file: Path, tmp_path: Path, places: dict[str, object]) -> None:
    with pytest.raises(MissingKey, match="no usable signing key"):
        load_key(changed(key_file, tmp_path, **places), PASSPHRASE)


def test_a_private_key_cannot_be_put_under_another_name(key_file: Path, tmp_path: Path) -> None:
    with pytest.raises(WrongPassphrase):
        load_key(changed(key_file, tmp_path, public__name="B. Ruiz"), PASSPHRASE)


def test_a_file_whose_two_halves_are_different_keys_is_no_usable_key(key_file: Path, tmp_path: Path) -> None:
    public = json.loads(key_file.read_text("utf-8"))["public"]
    other = lock(b"7" * 32, PASSPHRASE, canonical_json(public))
    with pytest.raises(MissingKey):
        load_key(changed(key_file, tmp_path, private=other), PASSPHRASE)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"[" * 60_000, b" " * 70_000, b"null"])
def test_other_files_are_no_keys_and_do_not_hide_the_real_ones(key_file: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.key.json").write_bytes(content)
    (tmp_path / "folder.key.json").mkdir()
    (tmp_path / "good.key.json").write_bytes(key_file.read_bytes())
    assert [(path.name, key.name) for path, key in list_keys(tmp_path)] == [("good.key.json", "A. Moreno")]
    for name in ("broken.key.json", "folder.key.json", "absent.key.json"):
        with pytest.raises(MissingKey, match=name):
            load_key(tmp_path / name, PASSPHRASE)


def test_keys_are_listed_by_name_without_a_passphrase(tmp_path: Path) -> None:
    made = sorted(create_key(name, PASSPHRASE, tmp_path) for name in ("J. Okafor", "A. Moreno"))
    listed = list_keys(tmp_path)
    assert [path for path, _ in listed] == made
    assert [key.name for _, key in listed] == ["A. Moreno", "J. Okafor"]
    assert list_keys(tmp_path / "absent") == ()


def test_the_fingerprint_is_the_start_of_the_key_id_to_read_aloud(key_file: Path) -> None:
    public = load_key(key_file, PASSPHRASE).public
    assert re.fullmatch(r"([0-9A-F]{4} ){3}[0-9A-F]{4}", public.fingerprint)
    assert public.key_id.startswith(public.fingerprint.replace(" ", "").lower())
    assert len(public.key_id) == 64


def test_the_demo_key_is_the_same_everywhere_and_knows_itself(key_file: Path) -> None:
    demo = demo_key().public
    assert demo.name == "Rehearsal demo key"
    assert demo.fingerprint == "9241 8536 52BA 77FB"
    assert demo.is_demo
    assert not load_key(key_file, PASSPHRASE).public.is_demo


def test_renaming_the_demo_key_does_not_disguise_it() -> None:
    renamed = read_public_keys(
        write_public_keys([demo_key().public]).replace(b"Rehearsal demo key", b"National Statistician")
    )
    assert [(key.name, key.is_demo) for key in renamed] == [("National Statistician", True)]


def test_a_list_of_public_keys_reads_back_and_has_one_form(key_file: Path) -> None:
    keys = (load_key(key_file, PASSPHRASE).public, demo_key().public)
    data = write_public_keys(keys)
    assert set(read_public_keys(data)) == set(keys)
    assert write_public_keys([*reversed(keys), *keys]) == data
    assert data.endswith(b"}\n")
    assert set(json.loads(data)["keys"][0]) == {"algorithm", "fingerprint", "key_id", "name", "pem"}


def test_every_field_of_a_listed_key_must_agree_with_the_key() -> None:
    record = public_record(demo_key().public)
    for field in ("algorithm", "fingerprint", "key_id", "pem"):
        data = json.dumps({"format": 1, "keys": [record | {field: "0" + record[field]}]}).encode()
        with pytest.raises(ValueError, match=r"key|algorithm|PEM"):
            read_public_keys(data)


def test_a_key_of_another_kind_cannot_pass_for_ed25519() -> None:
    key = generate_private_key(SECP256R1()).public_key()
    pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    data = json.dumps({"format": 1, "keys": [public_record(demo_key().public) | {"pem": pem}]}).encode()
    with pytest.raises(ValueError, match="Ed25519"):
        read_public_keys(data)


@settings(max_examples=300)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["format", "keys", "name", "pem", "algorithm"]), inner)
        ),
    )
)
def test_no_json_makes_reading_keys_fail_otherwise_than_by_a_value_error(value: object) -> None:
    with pytest.raises(ValueError):
        read_public_keys(json.dumps({"format": 1, "keys": [value]}).encode())


def test_the_trusted_list_survives_an_editor_but_not_nonsense(tmp_path: Path) -> None:
    trusted = tmp_path / "trusted.json"
    data = write_public_keys([demo_key().public])
    trusted.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert read_trusted(trusted) == (demo_key().public,)
    trusted.write_bytes(data[:-10])
    with pytest.raises(UnreadableFile, match=r"trusted\.json.*not a list of public keys"):
        read_trusted(trusted)
    for path in (tmp_path, tmp_path / "absent.json"):
        with pytest.raises(MissingFile, match=path.name):
            read_trusted(path)
