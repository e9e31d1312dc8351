"""The ledger: pays before anything is drawn, never beyond a cap, and can prove afterwards what was paid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from workbench.errors import LedgerBroken, LedgerUnreadable
from workbench.ledger.accounts import Account, Balance
from workbench.ledger.entries import Act, Entry, EntryKind, Head, entry_from_row
from workbench.ledger.standing import Standing, refused
from workbench.ledger.store import Store, open_sqlite
from workbench.privacy.noise import random_bytes

Clock = Callable[[], datetime]
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_SQLITE = "sqlite:///"
SALT = "salt"


def utc_now() -> datetime:
    return datetime.now(UTC)


def open_ledger(url: str | Path, *, create: bool = True, clock: Clock = utc_now, patience: float = 5.0) -> Ledger:
    """The ledger at a path or at `sqlite:///path`; `patience` is how many seconds to wait for another writer."""
    text = str(url)
    scheme = _SCHEME.match(text)
    if scheme and not text.startswith(_SQLITE):
        raise LedgerUnreadable(scheme[0], "this program keeps ledgers in SQLite files")
    return Ledger(open_sqlite(Path(text.removeprefix(_SQLITE)), create=create, patience=patience), clock)


class Ledger:
    """An append-only book of entries, each tied to the one before, over any store."""

    def __init__(self, store: Store, clock: Clock = utc_now) -> None:
        self._store = store
        self._clock = clock
        self._lock = RLock()
        self._standing = Standing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._store.close()

    def entries(self) -> tuple[Entry, ...]:
        """Every entry in order of sequence; a book whose chain is broken can still be listed."""
        with self._lock:
            return tuple(map(entry_from_row, self._store.rows(since=1)))

    def head(self) -> Head:
        return self._read_on().head

    def balances(self) -> tuple[Balance, ...]:
        return tuple(self._read_on().balances.values())

    def balance(self, account: Account) -> Balance | None:
        return self._read_on().balances.get(account)

    def append(
        self,
        kind: EntryKind,
        *,
        account: Account | None = None,
        epsilon: Fraction | int = 0,
        delta: Fraction | int = 0,
        by: str,
        about: str,
        release: str = "",
        facts: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> Entry:
        """Record anything but a draw. Caps and reservations obey the rules of the book like draws do."""
        if kind == EntryKind.DRAW:
            raise ValueError("a draw is paid for with charge")
        act = Act(
            kind=kind,
            account=account,
            epsilon=_exact(epsilon),
            delta=_exact(delta),
            by=by,
            about=about,
            release=release,
            facts=tuple(sorted(dict(facts).items())),
        )
        return self._record(lambda standing: (act,))

    def charge(
        self,
        account: Account,
        epsilon: Fraction | int,
        delta: Fraction | int = 0,
        *,
        cap: Fraction | int,
        dataset_sha256: str,
        by: str,
        about: str,
        release: str,
    ) -> Entry:
        """Pay for one draw. When this returns, the charge is on disk; when it raises, nothing was charged.

        `cap` opens a new account; an account that is open keeps its own.
        """
        draw = Act(
            kind=EntryKind.DRAW,
            account=account,
            epsilon=_exact(epsilon),
            delta=_exact(delta),
            by=by,
            about=about,
            release=release,
        )
        return self._record(lambda standing: (*standing.openings(draw, _exact(cap), dataset_sha256), draw))

    def verify(self, seen: Head | None = None) -> Head:
        """Recompute the whole chain and every balance; also that it still holds a head seen earlier."""
        entries = self.entries()
        head = Standing().after_all(entries).head
        if seen and seen.sequence > head.sequence:
            raise LedgerBroken(seen.sequence, "it was seen before and is missing")
        if seen and seen not in (Head(), *(entry.head for entry in entries)):
            raise LedgerBroken(seen.sequence, "it is not the entry that was seen there before")
        return head

    def _record(self, acts: Callable[[Standing], Iterable[Act]]) -> Entry:
        """Enter acts one after the other, all or none. A refusal is entered too, ends the list, and is raised."""
        with self._lock:
            time, objection = self._time(), None
            with self._store.writing():
                standing = self._read_on()
                for act in acts(standing):
                    objection = standing.objection(act)
                    entry = _salted(refused(act, objection) if objection else act).entered(standing.head, time)
                    self._store.add(entry.row())
                    standing = standing.after(entry)
                    if objection:
                        break
            self._standing = standing
        if objection:
            raise objection
        return entry

    def _read_on(self) -> Standing:
        """The standing now: what was read earlier and whatever anyone has entered since."""
        with self._lock:
            known = self._standing.head
            entries = list(map(entry_from_row, self._store.rows(since=known.sequence)))
            if known.sequence and (not entries or entries.pop(0).head != known):
                raise LedgerBroken(known.sequence, "it is no longer the entry that was read before")
            self._standing = self._standing.after_all(entries)
            return self._standing

    def _time(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _salted(act: Act) -> Act:
    """Public reports print the head: with salt it commits to the entries and lets nobody test guesses about them."""
    return replace(act, facts=tuple(sorted((*act.facts, (SALT, random_bytes(16).hex())))))


def _exact(amount: Fraction | int) -> Fraction:
    """A whole number or a fraction as it is; a float never gets here as if it were exact."""
    if isinstance(amount, float):
        raise TypeError("amounts are exact fractions, never floats")
    return Fraction(amount)
