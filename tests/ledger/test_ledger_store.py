"""The file: created, shared, locked, read-only, full, damaged or somebody else's, and what the officer is told."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from workbench.errors import LedgerLocked, LedgerUnreadable
from workbench.ledger.book import Ledger, open_ledger
from workbench.ledger.entries import EntryKind
from workbench.ledger.store import open_sqlite

NOBODY = 65534
needs_folder_rights = pytest.mark.skipif(sys.platform == "win32", reason="folders have no read-only mode on Windows")


def note(ledger):
    return ledger.append(EntryKind.KEY_ADD, by="J. Okafor", about="Own key")


def told(opening):
    with pytest.raises(LedgerUnreadable) as unreadable:
        opening()
    return unreadable.value.what


def test_a_ledger_is_the_same_by_path_by_text_and_by_url(path, charge):
    with open_ledger(path) as ledger:
        paid = charge(ledger, "1")
    for url in (path, str(path), f"sqlite:///{path}"):
        with open_ledger(url, create=False) as ledger:
            assert ledger.head() == paid.head


def test_a_relative_path_keeps_its_meaning_when_the_program_changes_folder(tmp_path, monkeypatch, charge):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with open_ledger("sqlite:///ledger.db") as ledger:
        monkeypatch.chdir("elsewhere")
        charge(ledger, "1")
    assert (tmp_path / "ledger.db").is_file()


def test_names_with_blanks_and_signs_are_file_names(tmp_path, charge):
    path = tmp_path / "our ledger #1 & 100 %.db"
    with open_ledger(path) as ledger:
        charge(ledger, "1")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_other_databases_are_refused_without_showing_their_password():
    sentence = told(lambda: open_ledger("postgresql://moreno:secret@server/ledger"))
    assert sentence == "“postgresql://” cannot be opened as a ledger: this program keeps ledgers in SQLite files."


def test_a_missing_ledger_is_not_created_unasked(path):
    assert told(lambda: open_ledger(path, create=False)).endswith("there is no such file.")
    assert not path.exists()


def test_a_missing_folder_is_named_as_the_trouble(tmp_path):
    assert told(lambda: open_ledger(tmp_path / "none" / "ledger.db")).endswith("there is no such folder to keep it in.")


def test_a_folder_is_not_a_ledger(tmp_path):
    assert told(lambda: open_ledger(tmp_path)).endswith("it is a folder.")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_an_impossible_name_is_a_sentence(tmp_path, name):
    assert told(lambda: open_ledger(tmp_path / name)).endswith("its place cannot be reached.")


@pytest.mark.parametrize(
    "garbage", [b"x", b"dataset;epsilon\n", b"\0" * 4096, b"SQLite format 3\0", b"PK\x03\x04" * 999]
)
@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path, garbage, create):
    path.write_bytes(garbage)
    assert told(lambda: open_ledger(path, create=create)).endswith("it is not a ledger file.")
    assert path.read_bytes() == garbage


def test_an_empty_file_becomes_a_ledger_only_when_asked(path, charge):
    path.touch()
    assert told(lambda: open_ledger(path, create=False)).endswith("it is empty.")
    with open_ledger(path) as ledger:
        charge(ledger, "1")


def test_the_database_of_another_program_is_refused_and_left_alone(path):
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE entry (sequence INTEGER)")
    before = path.read_bytes()
    assert told(lambda: open_ledger(path)).endswith("it is a database of another program.")
    assert path.read_bytes() == before


def test_a_newer_ledger_is_refused(path, ledger):
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 2")
    assert told(lambda: open_ledger(path)).endswith("it was written by a newer version of this program.")


def test_a_ledger_without_its_table_is_refused_in_a_sentence(path, ledger):
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE entry RENAME TO entries")
    with open_ledger(path) as reopened:
        assert told(reopened.entries).endswith("it is not laid out as a ledger.")


def test_half_a_ledger_is_refused_in_a_sentence(path):
    with open_ledger(path) as ledger:
        for _ in range(40):
            note(ledger)
    path.write_bytes(path.read_bytes()[:9000])
    assert told(lambda: open_ledger(path)).endswith("the file is damaged.")


def test_a_locked_ledger_can_be_listed_but_not_charged(path, opened, charge):
    with opened() as ledger, closing(sqlite3.connect(path, isolation_level=None)) as other:
        paid = charge(ledger, "1")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerLocked, match="another program is writing to it"):
            charge(ledger, "1")
        with opened() as second:
            assert second.head() == paid.head
        other.execute("ROLLBACK")
        assert charge(ledger, "1").sequence == paid.sequence + 1


def test_a_ledger_that_another_program_is_just_setting_up_is_waited_for(path, charge):
    with open_ledger(path) as ledger:
        charge(ledger, "1")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerLocked, match="another program is writing to it"):
            open_ledger(path, patience=0.05)
        with ThreadPoolExecutor(1) as thread:
            opening = thread.submit(open_ledger, path, patience=30)
            with pytest.raises(TimeoutError):
                opening.result(timeout=0.1)
            other.execute("ROLLBACK")
            with opening.result() as ledger:
                charge(ledger, "1")


def test_a_full_disk_charges_nothing(path, charge):
    store = open_sqlite(path, create=True, patience=1)
    with Ledger(store) as ledger:
        paid = [charge(ledger, "0")]
        store._connection.execute("PRAGMA max_page_count = 4")
        with pytest.raises(LedgerLocked, match="the disk is full"):
            while len(paid) < 1000:
                paid.append(charge(ledger, "0"))
        assert ledger.verify() == paid[-1].head
        store._connection.execute("PRAGMA max_page_count = 1000000")
        assert charge(ledger, "1").previous == paid[-1].hash


@needs_folder_rights
def test_a_ledger_moved_away_while_open_is_not_charged(path, ledger, charge):
    charge(ledger, "1")
    path.rename(path.with_name("moved.db"))
    with pytest.raises(LedgerLocked, match="moved or replaced while it was open"):
        charge(ledger, "1")
    path.write_bytes(b"")
    with pytest.raises(LedgerLocked, match="moved or replaced while it was open"):
        charge(ledger, "1")


def test_a_copy_of_the_file_alone_holds_every_charge_made_so_far(path, tmp_path, ledger, charge):
    charge(ledger, "1")
    paid = charge(ledger, "2")
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    with open_ledger(copy, create=False) as copied:
        assert copied.verify() == paid.head


def test_nothing_is_left_beside_a_closed_ledger(path, charge):
    with open_ledger(path) as ledger:
        charge(ledger, "1")
    assert list(path.parent.iterdir()) == [path]


@contextmanager
def as_a_reader():
    """Whoever runs the tests, without the rights that let an administrator write everywhere."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def folder():
    """A folder that everybody may enter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def write_protect(folder):
    for place in (*folder.iterdir(), folder):
        place.chmod(0o555 if place.is_dir() else 0o444)


@needs_folder_rights
@pytest.mark.parametrize("folder_mode", [0o555, 0o777])
def test_a_read_only_ledger_can_be_listed_but_not_charged(folder, folder_mode, charge):
    path = folder / "ledger.db"
    with open_ledger(path) as ledger:
        paid = charge(ledger, "1")
    write_protect(folder)
    folder.chmod(folder_mode)
    with as_a_reader(), open_ledger(path, create=False) as ledger:
        assert ledger.verify() == paid.head
        assert ledger.entries()[-1] == paid
        with pytest.raises(LedgerLocked, match="the file or its folder may only be read"):
            charge(ledger, "1")
        assert ledger.head() == paid.head
    assert list(folder.iterdir()) == [path]


@needs_folder_rights
def test_a_reader_sees_what_another_program_is_writing(folder, charge):
    """Even what stands only in the log, because a third program still looks at the file as it was."""
    path = folder / "ledger.db"
    with open_ledger(path) as writer, closing(sqlite3.connect(path, isolation_level=None)) as third:
        first = charge(writer, "1")
        third.execute("BEGIN")
        third.execute("SELECT count(*) FROM entry").fetchone()
        later = charge(writer, "1")
        write_protect(folder)
        with as_a_reader(), open_ledger(path, create=False) as reader:
            assert reader.verify(first.head) == later.head
        folder.chmod(0o755)


@needs_folder_rights
def test_a_ledger_cannot_be_created_in_a_read_only_folder(folder):
    folder.chmod(0o555)
    with as_a_reader(), pytest.raises(LedgerLocked, match="cannot be created or opened in its folder"):
        open_ledger(folder / "ledger.db")


@needs_folder_rights
def test_a_ledger_that_may_not_be_read_is_refused(folder, charge):
    with open_ledger(folder / "ledger.db") as ledger:
        charge(ledger, "1")
    (folder / "ledger.db").chmod(0)
    with as_a_reader():
        assert told(lambda: open_ledger(folder / "ledger.db")).endswith("you may not read it.")


def test_a_ledger_opened_in_one_thread_serves_another(ledger, charge):
    with ThreadPoolExecutor(1) as thread:
        paid = thread.submit(charge, ledger, "1").result()
    assert ledger.head() == paid.head
