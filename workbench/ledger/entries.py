"""Entries of the book: what was done, written so that the smallest change shows in the hash chain."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from workbench.errors import LedgerBroken
from workbench.ledger.accounts import Account
from workbench.plan.amounts import exact_text, parse_exact

COLUMNS = (
    "sequence", "time", "kind", "dataset", "protection", "claim", "epsilon", "delta",
    "by", "about", "release", "facts", "previous", "hash",
)  # fmt: skip
Row = tuple[int | str, ...]


class EntryKind(StrEnum):
    """Everything the book records, by the word stored."""

    OPEN_DATASET = "open-dataset"
    SET_CAP = "set-cap"
    PROPOSE = "propose"
    APPROVE = "approve"
    DRAW = "draw"
    DISCARD = "discard"
    SIGN = "sign"
    PUBLISH = "publish"
    WITHDRAW = "withdraw"
    WAIVE = "waive"
    VIEW_CONFIDENTIAL = "view-confidential"
    KEY_ADD = "key-add"
    KEY_REVOKE = "key-revoke"
    RESERVE = "reserve"
    REFUSE = "refuse"


ABOUT_AN_ACCOUNT = frozenset({EntryKind.OPEN_DATASET, EntryKind.SET_CAP, EntryKind.DRAW, EntryKind.RESERVE})


@dataclass(frozen=True)
class Head:
    """Where the chain ends; printed in every public report, because a chain cannot show its own truncation."""

    sequence: int = 0
    hash: str = "0" * 64


@dataclass(frozen=True, kw_only=True)
class Act:
    """Something done or asked for, before it has a place in the book."""

    kind: EntryKind
    account: Account | None = None
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    by: str
    about: str
    release: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not (isinstance(self.epsilon, Fraction) and isinstance(self.delta, Fraction)):
            raise TypeError("amounts are exact fractions, never floats")
        if self.epsilon < 0 or self.delta < 0:
            raise ValueError("an amount below zero would give budget back")
        if self.kind in ABOUT_AN_ACCOUNT:
            self.booked_account()

    def booked_account(self) -> Account:
        """The account this act changes."""
        if self.account is None:
            raise ValueError(f"{self.kind} is always about an account")
        return self.account

    def fact(self, name: str) -> str:
        return dict(self.facts).get(name, "")

    def entered(self, head: Head, time: str) -> Entry:
        """This act as the entry that follows `head`."""
        entry = Entry(**self.__dict__, sequence=head.sequence + 1, time=time, previous=head.hash)
        return replace(entry, hash=entry.computed_hash())


@dataclass(frozen=True, kw_only=True)
class Entry(Act):
    """One line of the book: an act, its place, its time, and the hash that ties it to the line before."""

    sequence: int
    time: str
    previous: str
    hash: str = ""

    @property
    def head(self) -> Head:
        return Head(self.sequence, self.hash)

    def row(self) -> Row:
        """The entry as it is stored, in the order of COLUMNS."""
        dataset, protection, claim = _account_texts(self.account)
        return (
            self.sequence, self.time, self.kind.value, dataset, protection, claim,
            exact_text(self.epsilon), exact_text(self.delta),
            self.by, self.about, self.release, canonical_json(dict(self.facts)), self.previous, self.hash,
        )  # fmt: skip

    def computed_hash(self) -> str:
        """SHA-256 over the canonical JSON of every stored column but the hash itself."""
        stored = dict(zip(COLUMNS[:-1], self.row()[:-1], strict=True))
        return hashlib.sha256(canonical_json(stored).encode("utf-8", "surrogatepass")).hexdigest()


def canonical_json(value: object) -> str:
    """One spelling per value: sorted names, no blanks, characters as they are."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry_from_row(row: Row) -> Entry:
    """The stored entry, which must be spelled exactly as this program spells it."""
    sequence = int(row[0])
    try:
        entry = _parsed(sequence, dict(zip(COLUMNS[1:], row[1:], strict=True)))
    except (ValueError, TypeError) as error:
        raise LedgerBroken(sequence, "it cannot be read") from error
    if entry.row() != row:
        raise LedgerBroken(sequence, "it is not spelled as it was written")
    return entry


def _parsed(sequence: int, stored: dict[str, int | str]) -> Entry:
    texts = {column: text for column, text in stored.items() if isinstance(text, str)}
    if len(texts) != len(stored):
        raise TypeError("every column but the sequence holds text")
    names = (texts["dataset"], texts["protection"], texts["claim"])
    return Entry(
        sequence=sequence,
        time=texts["time"],
        kind=EntryKind(texts["kind"]),
        account=Account(*names) if any(names) else None,
        epsilon=parse_exact(texts["epsilon"]),
        delta=parse_exact(texts["delta"]),
        by=texts["by"],
        about=texts["about"],
        release=texts["release"],
        facts=tuple(dict(json.loads(texts["facts"])).items()),
        previous=texts["previous"],
        hash=texts["hash"],
    )


def _account_texts(account: Account | None) -> tuple[str, str, str]:
    return (account.dataset, account.protection, account.claim) if account else ("", "", "")
