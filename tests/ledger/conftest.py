"""A ledger on disk with a clock that stands still, and one way to charge it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from workbench.ledger.accounts import Account
from workbench.ledger.book import Ledger, open_ledger
from workbench.ledger.entries import Entry

Charge = Callable[..., Entry]


def noon() -> datetime:
    return datetime(2025, 10, 6, 12, 0, tzinfo=UTC)


@pytest.fixture
def account() -> Account:
    return Account("Jobs frame 2025", "worker", "formal DP (pure)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def opened(path: Path) -> Callable[..., Ledger]:
    """Opens the ledger of this test, again and again if need be."""
    return partial(open_ledger, path, clock=noon, patience=0.05)


@pytest.fixture
def ledger(opened: Callable[..., Ledger]) -> Iterator[Ledger]:
    with opened() as ledger:
        yield ledger


@pytest.fixture
def charge(account: Account) -> Charge:
    """Pays an amount written as text; anything else about the charge can be changed by name."""

    def pay(ledger: Ledger, epsilon: str, *, account: Account = account, cap: str = "8", **changes: str) -> Entry:
        facts = {"by": "A. Moreno", "about": "Jobs by place", "release": "jobs-2025q2-r1", **changes}
        facts.setdefault("dataset_sha256", hashlib.sha256(account.dataset.encode()).hexdigest())
        return ledger.charge(account, Fraction(epsilon), cap=Fraction(cap), **facts)

    return pay
