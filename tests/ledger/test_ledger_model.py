"""Any order of charges, reservations, caps and restarts leaves the balances that plain counting in tenths gives."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from workbench.errors import InsufficientAllowance, LedgerError
from workbench.ledger.accounts import Account
from workbench.ledger.book import open_ledger
from workbench.ledger.entries import EntryKind

ACCOUNTS = st.sampled_from(
    [
        Account("Jobs frame 2025", "worker", "formal DP (pure)"),
        Account("Jobs frame 2025", "employer", "formal DP (pure)"),
        Account("Graduates 2020", "worker", "not formally private (MOS)"),
    ]
)
TENTHS = st.integers(0, 30)
RELEASES = st.sampled_from(["r1", "r2", "r3"])
POLICY_CAP = 40


class Counted:
    """An account as a child would keep it: whole tenths in three boxes."""

    def __init__(self, cap):
        self.cap, self.spent, self.reserved = cap, 0, {}

    def has_room(self, tenths, release):
        others = sum(amount for name, amount in self.reserved.items() if name != release)
        return tenths == 0 or self.spent + others + tenths <= self.cap


class LedgerAndCount(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "ledger.db"
        self.ledger = open_ledger(self.path)
        self.counted = {}
        self.length = 0

    def teardown(self):
        if hasattr(self, "ledger"):
            assert self.ledger.verify() == self.ledger.head()
            self.ledger.close()
            self.folder.cleanup()

    def attempt(self, is_allowed, error, ask):
        """A refusal adds one entry like a grant does, and changes nothing else."""
        self.length += 1
        try:
            ask()
        except error:
            assert not is_allowed
        else:
            assert is_allowed

    @rule(account=ACCOUNTS, tenths=TENTHS, release=RELEASES)
    def charge(self, account, tenths, release):
        if account not in self.counted:
            self.counted[account] = Counted(POLICY_CAP)
            self.length += 2
        elif not any(e.kind == "open-dataset" and e.account.dataset == account.dataset for e in self.ledger.entries()):
            self.length += 1
        counted = self.counted[account]
        is_allowed = counted.has_room(tenths, release)
        pay = {"cap": POLICY_CAP // 10, "dataset_sha256": account.dataset, "by": "A", "about": "B", "release": release}
        self.attempt(
            is_allowed, InsufficientAllowance, lambda: self.ledger.charge(account, Fraction(tenths, 10), **pay)
        )
        if is_allowed:
            counted.spent += tenths
            counted.reserved.pop(release, None)

    @rule(account=ACCOUNTS, tenths=TENTHS, release=RELEASES)
    def reserve(self, account, tenths, release):
        counted = self.counted.get(account)
        is_allowed = counted is not None and counted.has_room(tenths, release)
        facts = {"account": account, "epsilon": Fraction(tenths, 10), "by": "A", "about": "B", "release": release}
        self.attempt(is_allowed, LedgerError, lambda: self.ledger.append(EntryKind.RESERVE, **facts))
        if is_allowed:
            counted.reserved[release] = tenths

    @rule(account=ACCOUNTS, tenths=st.integers(0, 80), second=st.sampled_from(["", "A", "J"]))
    def set_cap(self, account, tenths, second):
        is_allowed = account not in self.counted or tenths <= self.counted[account].cap or second == "J"
        facts = {"account": account, "epsilon": Fraction(tenths, 10), "by": "A", "about": "B"}
        facts["facts"] = {"agreed-by": second}
        self.attempt(is_allowed, LedgerError, lambda: self.ledger.append(EntryKind.SET_CAP, **facts))
        if is_allowed:
            self.counted.setdefault(account, Counted(tenths)).cap = tenths

    @rule(kind=st.sampled_from([EntryKind.PUBLISH, EntryKind.DISCARD, EntryKind.WITHDRAW]), account=ACCOUNTS)
    def record(self, kind, account):
        self.ledger.append(kind, account=account, epsilon=1, by="A", about="never a refund", release="r1")
        self.length += 1

    @rule()
    def restart(self):
        self.ledger.close()
        self.ledger = open_ledger(self.path, create=False)

    @invariant()
    def agrees_with_the_count(self):
        if not hasattr(self, "ledger"):
            return
        found = {b.account: (b.cap * 10, b.spent * 10, b.reserved * 10) for b in self.ledger.balances()}
        assert found == {a: (c.cap, c.spent, sum(c.reserved.values())) for a, c in self.counted.items()}
        assert all(balance.remaining >= 0 for balance in self.ledger.balances())
        assert self.ledger.head().sequence == self.length


TestLedgerAndCount = LedgerAndCount.TestCase
TestLedgerAndCount.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
