"""Where entries are kept: a store hands out rows and takes new ones, all or none, and durably."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from workbench.errors import LedgerError, LedgerLocked, LedgerUnreadable
from workbench.ledger.entries import COLUMNS, Row
from workbench.ledger.shares import is_on_network_share

APPLICATION = 0x52574C47  # "RWLG"
FORMAT = 1


class Store(Protocol):
    """The few things a ledger asks of a database."""

    def rows(self, since: int) -> list[Row]:
        """The stored rows from a sequence number on, in order of sequence."""

    def writing(self) -> AbstractContextManager[None]:
        """One writer at a time; what was added is durable on leaving, or, on an error, never was."""

    def add(self, row: Row) -> None: ...

    def close(self) -> None: ...


_TEXTS = ", ".join(f'"{column}" TEXT NOT NULL' for column in COLUMNS[1:])
_SCHEMA = (
    f"CREATE TABLE entry (sequence INTEGER PRIMARY KEY, {_TEXTS})",
    """CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entry
       BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END""",
    """CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entry
       BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END""",
    # Without this, INSERT OR REPLACE would overwrite an entry without firing the two above.
    """CREATE TRIGGER entries_are_only_added BEFORE INSERT ON entry
       WHEN NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM entry)
       BEGIN SELECT RAISE(ABORT, 'entries are only added at the end'); END""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)
_SETTINGS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # macOS: fsync alone does not reach the disk
    "PRAGMA wal_autocheckpoint = 1",  # so that a plain copy of the file alone is a good backup
)
_LIST = f"""SELECT {", ".join(f'"{column}"' for column in COLUMNS)} FROM entry WHERE sequence >= ? ORDER BY sequence"""
_ADD = f"INSERT INTO entry VALUES ({', '.join('?' * len(COLUMNS))})"

_CANNOT_WRITE = {
    sqlite3.SQLITE_BUSY: "another program is writing to it",
    sqlite3.SQLITE_LOCKED: "another program is writing to it",
    sqlite3.SQLITE_PROTOCOL: "other programs are opening it at the same moment",
    sqlite3.SQLITE_READONLY: "the file or its folder may only be read",
    sqlite3.SQLITE_PERM: "the file or its folder may only be read",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be created or opened in its folder",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
}
_CANNOT_READ = {
    sqlite3.SQLITE_NOTADB: "it is not a ledger file",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
}


class SqliteStore:
    """One SQLite file, written ahead to a log; usable from any one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._identity = _identity(path)

    def rows(self, since: int) -> list[Row]:
        with _plain_errors(self._path):
            return self._connection.execute(_LIST, (since,)).fetchall()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with _plain_errors(self._path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            if _identity(self._path) != self._identity:
                raise LedgerLocked(self._path.name, "the file was moved or replaced while it was open")
            yield

    def add(self, row: Row) -> None:
        self._connection.execute(_ADD, row)

    def close(self) -> None:
        self._connection.close()


def open_sqlite(path: Path, *, create: bool, patience: float) -> SqliteStore:
    """The ledger file at a path; `patience` is how many seconds to wait for another writer."""
    _check_place(path, create)
    path = path.absolute()
    is_writable = _is_writable(path)
    with _plain_errors(path), ExitStack() as on_failure:
        connection = sqlite3.connect(
            _uri(path, is_writable), uri=True, timeout=patience, isolation_level=None, check_same_thread=False
        )
        on_failure.callback(connection.close)
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        if create and _is_blank(connection):
            _lay_out(connection)
        _check_format(path, connection)
        if is_writable:
            _write_ahead(path, connection, patience)
        on_failure.pop_all()
    return SqliteStore(path, connection)


def _check_place(path: Path, create: bool) -> None:
    try:
        reason = _why_not_there(path, create)
    except (OSError, ValueError) as error:
        raise LedgerUnreadable(path.name, "its place cannot be reached") from error
    if reason:
        raise LedgerUnreadable(path.name, reason)


def _why_not_there(path: Path, create: bool) -> str:
    refusals = {
        "it lies on a network share, where two programs could spend the same allowance": is_on_network_share(path),
        "it is a folder": path.is_dir(),
        "there is no such folder to keep it in": not path.parent.is_dir(),
        "there is no such file": not create and not path.exists(),
        "you may not read it": path.exists() and not os.access(path, os.R_OK),
        # SQLite would take a file of one byte for an empty one, and a device for a file.
        _CANNOT_READ[sqlite3.SQLITE_NOTADB]: path.exists() and (not path.is_file() or path.stat().st_size == 1),
    }
    return next((reason for reason, is_so in refusals.items() if is_so), "")


def _is_writable(path: Path) -> bool:
    return not path.exists() or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _uri(path: Path, is_writable: bool) -> str:
    """A reader without write access must not leave a log behind that would keep the owner of the file from writing."""
    log = path.with_name(f"{path.name}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    mode = "mode=rwc" if is_writable else "mode=ro" if has_log else "mode=ro&immutable=1"
    return f"{path.resolve().as_uri()}?{mode}"


def _is_blank(connection: sqlite3.Connection) -> bool:
    return _number(connection, "PRAGMA schema_version") == 0


def _lay_out(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if _is_blank(connection):  # another program may have been faster
            for statement in _SCHEMA:
                connection.execute(statement)


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    if _is_blank(connection):
        raise LedgerUnreadable(path.name, "it is empty")
    if _number(connection, "PRAGMA application_id") != APPLICATION:
        raise LedgerUnreadable(path.name, "it is a database of another program")
    if _number(connection, "PRAGMA user_version") > FORMAT:
        raise LedgerUnreadable(path.name, "it was written by a newer version of this program")


def _write_ahead(path: Path, connection: sqlite3.Connection, patience: float) -> None:
    deadline = time.monotonic() + patience
    while not _turned_to_log(connection):
        # SQLite does not wait by itself when several programs open a new file at once.
        if time.monotonic() > deadline:
            raise LedgerLocked(path.name, _CANNOT_WRITE[sqlite3.SQLITE_BUSY])
        time.sleep(0.01)
    for setting in _SETTINGS:
        connection.execute(setting)


def _turned_to_log(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",))
    except sqlite3.OperationalError as error:
        if _primary_code(error) == sqlite3.SQLITE_BUSY:
            return False
        raise


def _number(connection: sqlite3.Connection, question: str) -> int:
    return int(connection.execute(question).fetchone()[0])


def _identity(path: Path) -> tuple[int, int]:
    """Which file stands at the path: a charge to a file nobody can find again is no charge."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """What SQLite reports, as a sentence of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a ledger used after it was closed: a mistake of ours
        raise
    except UnicodeDecodeError as error:  # SQLite quotes a damaged layout in its complaint
        raise LedgerUnreadable(path.name, _CANNOT_READ[sqlite3.SQLITE_CORRUPT]) from error
    except sqlite3.DatabaseError as error:
        raise _in_plain_words(path.name, error) from error


def _in_plain_words(name: str, error: sqlite3.Error) -> LedgerError:
    code = _primary_code(error)
    if code in _CANNOT_WRITE:
        return LedgerLocked(name, _CANNOT_WRITE[code])
    return LedgerUnreadable(name, _CANNOT_READ.get(code, "it is not laid out as a ledger"))


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
