"""The signed statement has one byte form, says what it should, and opens only as it was signed."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import DemoKeyRefused
from workbench.report.canonical import base64_bytes, canonical_json, parse_json
from workbench.report.dsse import (
    STATEMENT_FILE,
    Envelope,
    Signature,
    Statement,
    Subject,
    countersign,
    open_envelope,
    pae,
    read_statement,
    sign_statement,
    subjects_in,
    write_envelope,
    write_statement,
)
from workbench.report.keys import SigningKey, create_key, demo_key, load_key

SUBJECTS = (Subject("b.csv", "b" * 64), Subject("a.csv", "a" * 64))
REHEARSAL = Statement(SUBJECTS, {"id": "jobs-r1", "mode": "rehearsal", "epsilon": "0.1"})
LIVE = Statement(SUBJECTS, {"id": "jobs-r1", "mode": "live"})


@pytest.fixture(scope="module")
def own_key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    passphrase = "correct horse battery"
    return load_key(create_key("A. Moreno", passphrase, tmp_path_factory.mktemp("keys")), passphrase)


def test_the_statement_is_an_in_toto_statement_sorted_by_name() -> None:
    record = json.loads(write_statement(REHEARSAL))
    assert record["_type"] == "https://in-toto.io/Statement/v1"
    assert [subject["name"] for subject in record["subject"]] == ["a.csv", "b.csv"]
    assert record["subject"][0]["digest"] == {"sha256": "a" * 64}
    assert record["predicate"]["epsilon"] == "0.1"


def test_a_statement_reads_back_as_itself() -> None:
    assert read_statement(write_statement(REHEARSAL)) == Statement(tuple(sorted(SUBJECTS)), REHEARSAL.predicate)


@pytest.mark.parametrize("number", [1, 0.1, float("nan"), [{"deep": 3}]])
def test_a_number_that_is_not_text_is_never_signed(number: object) -> None:
    with pytest.raises(ValueError):
        write_statement(Statement(SUBJECTS, {"epsilon": number}))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../secret",
        "a/../b",
        "./a",
        "a//b",
        "a\\b",
        'a"b',
        "a\nb",
        "a\x00b",
        "\ud800",
        STATEMENT_FILE,
    ],
)
def test_a_file_name_that_could_be_misread_is_never_signed(name: str) -> None:
    with pytest.raises(ValueError):
        write_statement(Statement((Subject(name, "0" * 64),), {}))


@pytest.mark.parametrize("name", ["Beschäftigte 2025.csv", "charts/error.png", "-dash", "..data", "a b (1).csv"])
def test_ordinary_file_names_are_accepted(name: str) -> None:
    subject = Subject(name, "0" * 64)
    assert read_statement(write_statement(Statement((subject,), {}))).subjects == (subject,)


@pytest.mark.parametrize(
    "subjects",
    [(), (Subject("a", "0" * 64), Subject("a", "1" * 64)), (Subject("a", "0" * 63),), (Subject("a", "A" * 64),)],
)
def test_a_statement_needs_distinct_files_with_real_digests(subjects: tuple[Subject, ...]) -> None:
    with pytest.raises(ValueError):
        write_statement(Statement(subjects, {}))


def test_the_signed_bytes_are_those_of_the_dsse_protocol() -> None:
    assert pae(b"hello world") == b"DSSEv1 28 application/vnd.in-toto+json 11 hello world"


def test_the_envelope_carries_a_signature_of_each_key(own_key: SigningKey) -> None:
    envelope = open_envelope(sign_statement(REHEARSAL, [demo_key(), own_key]))
    keys = {key.public.key_id: key.public for key in (demo_key(), own_key)}
    assert {signature.key_id for signature in envelope.signatures} == set(keys)
    assert all(keys[each.key_id].verify(pae(envelope.payload), each.value) for each in envelope.signatures)


def test_the_order_of_signing_leaves_no_trace(own_key: SigningKey) -> None:
    together = sign_statement(REHEARSAL, [own_key, demo_key()])
    assert sign_statement(REHEARSAL, [demo_key(), own_key]) == together
    assert countersign(sign_statement(REHEARSAL, [own_key]), demo_key()) == together
    assert countersign(sign_statement(REHEARSAL, [demo_key()]), own_key) == together


@pytest.mark.parametrize("count", [0, 2])
def test_no_key_and_the_same_key_twice_are_refused(own_key: SigningKey, count: int) -> None:
    with pytest.raises(ValueError, match="distinct keys"):
        sign_statement(LIVE, [own_key] * count)


def test_the_demo_key_signs_rehearsals_only(own_key: SigningKey) -> None:
    with pytest.raises(DemoKeyRefused):
        sign_statement(LIVE, [own_key, demo_key()])
    with pytest.raises(DemoKeyRefused):
        countersign(sign_statement(LIVE, [own_key]), demo_key())


def test_every_other_spelling_of_an_envelope_is_refused() -> None:
    data = sign_statement(REHEARSAL, [demo_key()])
    record = json.loads(data)
    spellings = {
        "compact": json.dumps(record).encode(),
        "windows line ends": data.replace(b"\n", b"\r\n"),
        "byte order mark": b"\xef\xbb\xbf" + data,
        "blank at the end": data + b"\n",
        "more fields": canonical_json(record | {"note": "x"}),
        "another type": data.replace(b"in-toto+json", b"in-toto+yaml"),
        "key twice": data.replace(b'{\n  "payload"', b'{\n  "payload": "",\n  "payload"'),
        "escaped letters": data.replace(b'"payloadType"', b'"payload\\u0054ype"'),
        "no signatures": canonical_json(record | {"signatures": []}),
        "same signature twice": canonical_json(record | {"signatures": record["signatures"] * 2}),
        "not text": canonical_json(record | {"payload": 7}),
        "nothing": b"",
        "deep": b"[" * 100_000,
    }
    assert open_envelope(data)
    for spelling in spellings.values():
        with pytest.raises(ValueError):
            open_envelope(spelling)


def test_signatures_out_of_order_are_refused(own_key: SigningKey) -> None:
    record = json.loads(sign_statement(REHEARSAL, [demo_key(), own_key]))
    record["signatures"].reverse()
    with pytest.raises(ValueError, match="form"):
        open_envelope(canonical_json(record))


def test_base64_has_one_spelling() -> None:
    assert base64_bytes("QQ==") == b"A"
    assert base64.b64decode("QR==") == b"A"
    for spelling in ("QR==", "QQ", "QQ==\n", "Q Q==", "QQ==QQ=="):
        with pytest.raises(ValueError):
            base64_bytes(spelling)


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=80))
def test_any_payload_survives_the_envelope(payload: bytes, signature: bytes) -> None:
    envelope = Envelope(payload, (Signature("00", signature),))
    assert open_envelope(write_envelope(envelope)) == envelope


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    )
)
def test_canonical_json_reads_back_and_is_a_fixed_point(value: object) -> None:
    data = canonical_json(value)
    assert parse_json(data, has_numbers=False) == value
    assert canonical_json(parse_json(data)) == data


def test_subjects_are_all_files_below_a_folder_but_the_statement(tmp_path: Path) -> None:
    (tmp_path / "charts").mkdir()
    for name in ("b.csv", "charts/a.png", STATEMENT_FILE):
        (tmp_path / name).write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert subjects_in(tmp_path) == (Subject("b.csv", digest), Subject("charts/a.png", digest))
