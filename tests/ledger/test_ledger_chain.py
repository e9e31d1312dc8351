"""The chain: whatever is altered, deleted, inserted or cut off afterwards is found, and named by its entry."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest

from workbench.errors import LedgerBroken, LedgerError
from workbench.ledger.accounts import Account
from workbench.ledger.entries import COLUMNS, Act, EntryKind, Head

TRIGGERS = ("entries_are_never_changed", "entries_are_never_deleted", "entries_are_only_added")


@pytest.fixture
def written(opened, charge):
    """Seven entries of several kinds; gives them back with the ledger closed."""
    with opened() as ledger:
        charge(ledger, "0.5")
        ledger.append(EntryKind.WAIVE, by="J. Okafor", about="Small groups", facts={"reason": "none published"})
        charge(ledger, "1.25", release="jobs-2025q3-r1")
        ledger.append(EntryKind.DISCARD, by="J. Okafor", about="Pilot")
        charge(ledger, "2")
        return ledger.entries()


@pytest.fixture
def raw(path, written):
    """The bare database, as somebody with another program sees it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def unguarded(raw):
    for trigger in TRIGGERS:
        raw.execute(f"DROP TRIGGER {trigger}")
    return raw


def broken_at(opened, seen=None):
    """What `verify` says, without the remedy."""
    with opened() as ledger, pytest.raises(LedgerBroken) as broken:
        ledger.verify(seen)
    return broken.value.what


def test_the_hash_can_be_recomputed_by_anyone_from_the_stored_columns(raw):
    previous = "0" * 64
    columns = ", ".join(f'"{column}"' for column in COLUMNS)
    for row in raw.execute(f"SELECT {columns} FROM entry ORDER BY sequence"):
        stored = dict(zip(COLUMNS, row, strict=True))
        own = stored.pop("hash")
        assert stored["previous"] == previous
        text = json.dumps(stored, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        previous = hashlib.sha256(text.encode()).hexdigest()
        assert own == previous


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE entry SET epsilon = '0' WHERE sequence = 3", "never changed"),
        ("UPDATE entry SET sequence = 99 WHERE sequence = 7", "never changed"),
        ("DELETE FROM entry WHERE sequence = 3", "never deleted"),
        ("DELETE FROM entry", "never deleted"),
        ("INSERT OR REPLACE INTO entry SELECT * FROM entry WHERE sequence = 3", "only added at the end"),
        ("INSERT INTO entry SELECT 99, time, kind, dataset, protection, claim, epsilon, delta, \"by\", about, release,"
         " facts, previous, hash FROM entry WHERE sequence = 3", "only added at the end"),
    ],
)  # fmt: skip
def test_the_database_itself_refuses_to_change_or_delete_entries(raw, opened, written, statement, complaint):
    with pytest.raises(sqlite3.IntegrityError, match=complaint):
        raw.execute(statement)
    with opened() as ledger:
        assert ledger.entries() == written


def with_another_first_character(text):
    return chr(ord(text[:1] or "`") ^ 1) + text[1:]


ALTERATIONS = {
    "one character": with_another_first_character,
    "a blank after it": lambda text: f"{text} ",
    "a NUL after it": lambda text: f"{text}\0",
    "cut short": lambda text: text[:-1] or "x",
    "other capitals": lambda text: text.swapcase() if text.swapcase() != text else f"{text}A",
    "bytes instead of text": lambda text: text.encode(),
    "not UTF-8": None,
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
@pytest.mark.parametrize("column", COLUMNS[1:])
def test_any_change_to_any_column_is_found_and_its_entry_named(unguarded, opened, written, column, alteration):
    for entry in written:
        (original,) = unguarded.execute(
            f'SELECT "{column}" FROM entry WHERE sequence = ?', (entry.sequence,)
        ).fetchone()
        update = f'UPDATE entry SET "{column}" = ? WHERE sequence = ?'
        if change := ALTERATIONS[alteration]:
            unguarded.execute(update, (change(original), entry.sequence))
        else:
            unguarded.execute(update.replace("= ?", "= CAST(x'41ff' AS TEXT)", 1), (entry.sequence,))
        assert broken_at(opened).startswith(f"The ledger does not verify at entry {entry.sequence}:")
        unguarded.execute(update, (original, entry.sequence))
    with opened() as ledger:
        assert ledger.verify() == written[-1].head


@pytest.mark.parametrize("spelling", ["0.50", "1/2", "5e-1", "+0.5"])
def test_the_same_number_spelled_otherwise_is_found(unguarded, opened, spelling):
    unguarded.execute("UPDATE entry SET epsilon = ? WHERE sequence = 3", (spelling,))
    assert "entry 3: it is not spelled as it was written" in broken_at(opened)


def test_a_sign_for_unreadable_text_cannot_stand_in_for_unreadable_text(unguarded, opened):
    with opened() as ledger:
        ledger.append(EntryKind.PUBLISH, by="J. Okafor", about="A\ufffd")
    unguarded.execute("UPDATE entry SET about = CAST(x'41ff' AS TEXT) WHERE sequence = 8")
    assert "at entry 8: it was altered" in broken_at(opened)


@pytest.mark.parametrize("sequence", range(1, 7))
def test_a_deleted_entry_is_missed(unguarded, opened, sequence):
    unguarded.execute("DELETE FROM entry WHERE sequence = ?", (sequence,))
    assert broken_at(opened) == f"The ledger does not verify at entry {sequence}: it is missing."


@pytest.mark.parametrize("sequence", range(1, 7))
def test_closing_the_gap_of_a_deleted_entry_does_not_hide_it(unguarded, opened, sequence):
    unguarded.execute("DELETE FROM entry WHERE sequence = ?", (sequence,))
    for later in range(sequence + 1, 8):
        unguarded.execute("UPDATE entry SET sequence = ? WHERE sequence = ?", (later - 1, later))
    assert f"at entry {sequence}: it was altered" in broken_at(opened)


@pytest.mark.parametrize("sequence", range(1, 8))
def test_a_renumbered_entry_is_missed(unguarded, opened, sequence):
    unguarded.execute("UPDATE entry SET sequence = 99 WHERE sequence = ?", (sequence,))
    assert f"at entry {sequence}: it is missing" in broken_at(opened)


def test_two_entries_that_changed_places_are_found(unguarded, opened):
    for old, new in ((4, 99), (6, 4), (99, 6)):
        unguarded.execute("UPDATE entry SET sequence = ? WHERE sequence = ?", (new, old))
    assert "at entry 4:" in broken_at(opened)


def replaced(raw, entry):
    raw.execute("DELETE FROM entry WHERE sequence = ?", (entry.sequence,))
    raw.execute(f"INSERT INTO entry VALUES ({', '.join('?' * len(COLUMNS))})", entry.row())


def forged(written, sequence, **changes):
    """An entry as a forger who knows how hashes are made would write it."""
    facts = {name: getattr(written[sequence - 1], name) for name in Act.__dataclass_fields__}
    previous = written[sequence - 2].head if sequence > 1 else Head()
    return Act(**{**facts, **changes}).entered(previous, written[sequence - 1].time)


def test_a_forged_entry_with_a_fitting_hash_breaks_the_next(unguarded, opened, written):
    replaced(unguarded, forged(written, 3, epsilon=Fraction("0.1")))
    assert broken_at(opened) == "The ledger does not verify at entry 4: it does not follow entry 3."


def test_a_head_seen_before_betrays_a_forged_end(unguarded, opened, written):
    replaced(unguarded, forged(written, 7, epsilon=Fraction("0.1")))
    with opened() as ledger:
        assert ledger.verify() != written[-1].head
    assert "entry 7: it is not the entry that was seen there before" in broken_at(opened, written[-1].head)


def test_a_head_seen_before_betrays_a_cut_end(unguarded, opened, written):
    unguarded.execute("DELETE FROM entry WHERE sequence > 5")
    with opened() as ledger:
        assert ledger.verify() == written[4].head
    assert "entry 7: it was seen before and is missing" in broken_at(opened, written[-1].head)


def test_every_earlier_head_is_still_part_of_an_honest_ledger(opened, written):
    with opened() as ledger:
        for head in (Head(), *(entry.head for entry in written)):
            assert ledger.verify(head) == written[-1].head


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"epsilon": Fraction("6.3")}, "has 6.25 of 8 left; this release asks for 6.3"),
        ({"kind": EntryKind.RESERVE, "epsilon": Fraction(7)}, "has 6.25 of 8 left"),
        ({"kind": EntryKind.SET_CAP, "epsilon": Fraction(100)}, "takes two people"),
        ({"account": Account("Graduates 2020", "worker", "formal DP (pure)")}, "has no cap yet"),
    ],
)
def test_an_entry_the_rules_forbid_is_found_although_its_hash_fits(unguarded, opened, written, changes, reason):
    replaced(unguarded, forged(written, 7, **changes))
    assert "at entry 7: it should have been refused (" in broken_at(opened)
    assert reason in broken_at(opened)


def test_nothing_is_paid_from_a_broken_ledger(unguarded, opened, charge):
    unguarded.execute("UPDATE entry SET epsilon = '0' WHERE sequence = 3")
    with opened() as ledger:
        for ask in (lambda: charge(ledger, "1"), ledger.balances, ledger.head):
            with pytest.raises(LedgerBroken, match="at entry 3"):
                ask()
        assert len(ledger.entries()) == 7


def test_an_open_ledger_notices_that_what_it_read_was_rolled_back(unguarded, opened, written, charge):
    with opened() as ledger:
        ledger.head()
        complaint = "at entry 7: it is no longer the entry that was read before"
        replaced(unguarded, forged(written, 7, about="Another release"))
        with pytest.raises(LedgerBroken, match=complaint):
            charge(ledger, "1")
        unguarded.execute("DELETE FROM entry WHERE sequence = 7")
        with pytest.raises(LedgerBroken, match=complaint):
            charge(ledger, "1")


def test_time_never_orders_the_entries(opened, charge, written):
    """A clock set back changes nothing: the sequence orders the book."""
    with opened(clock=lambda: datetime(1999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)) as ledger:
        paid = charge(ledger, "1")
        assert (paid.sequence, paid.time) == (8, "1999-12-31T23:59:59Z")
        assert ledger.entries()[-1] == paid
        assert ledger.verify() == paid.head


def test_times_are_written_in_utc(opened):
    moment = datetime(2025, 10, 6, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    with opened(clock=lambda: moment) as ledger:
        entry = ledger.append(EntryKind.KEY_ADD, by="J. Okafor", about="Own key")
    assert entry.time == "2025-10-05T23:30:00Z"


def test_a_flipped_bit_anywhere_in_the_file_is_found_or_does_no_harm(path, opened, written):
    """Every complaint is a sentence of the ledger; nothing readable ever differs from what was written."""
    sound = path.read_bytes()
    head = written[-1].head
    complaints = 0
    for place in range(0, len(sound), 61):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0x80]) + sound[place + 1 :])
        try:
            with opened(create=False) as ledger:
                assert ledger.verify(head) == head
                assert ledger.entries() == written
        except LedgerError:
            complaints += 1
    assert complaints > 20
