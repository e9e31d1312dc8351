"""What the entries so far amount to, and which act may follow them: the rules of the book, without a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from workbench.errors import DatasetRenamed, InsufficientAllowance, LedgerBroken, LedgerError
from workbench.ledger.accounts import Account, Balance
from workbench.ledger.entries import Act, Entry, EntryKind, Head
from workbench.plan.amounts import exact_text

SHA256 = "sha256"
AGREED_BY = "agreed-by"


@dataclass(frozen=True)
class Standing:
    """The book up to its head: every balance, and the name that each data file was opened under."""

    head: Head = field(default_factory=Head)
    balances: Mapping[Account, Balance] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def objection(self, act: Act) -> LedgerError | None:
        """Why the act may not be entered now, or None."""
        rule = _RULES.get(act.kind)
        return rule(self, act) if rule else None

    def after(self, entry: Entry) -> Standing:
        """The book with one more entry; LedgerBroken when that entry cannot stand there."""
        _check_link(self.head, entry)
        if objection := self.objection(entry):
            raise LedgerBroken(entry.sequence, f"it should have been refused ({objection.what.rstrip('.')})")
        effect = _EFFECTS.get(entry.kind)
        standing = replace(self, head=entry.head)
        return effect(standing, entry) if effect else standing

    def after_all(self, entries: Iterable[Entry]) -> Standing:
        standing = self
        for entry in entries:
            standing = standing.after(entry)
        return standing

    def openings(self, draw: Act, cap: Fraction, sha256: str) -> Iterable[Act]:
        """What must be entered before a draw: its data under its name, and the cap of a new account."""
        account, nothing = draw.booked_account(), Fraction(0)
        is_new = account not in self.balances
        if is_new or self.names.get(sha256) != account.dataset:
            yield replace(draw, kind=EntryKind.OPEN_DATASET, epsilon=nothing, delta=nothing, facts=((SHA256, sha256),))
        if is_new:
            yield replace(draw, kind=EntryKind.SET_CAP, epsilon=cap, delta=nothing)


def refused(act: Act, objection: LedgerError) -> Act:
    """The refusal as it is entered: it costs nothing and says what was asked."""
    words = objection.what
    if isinstance(objection, InsufficientAllowance):
        words = f"asked {objection.asked}, {objection.remaining} left"
    about = f"{act.about}: {words}" if act.about else words
    return Act(kind=EntryKind.REFUSE, account=act.account, by=act.by, about=about, release=act.release)


def _check_link(head: Head, entry: Entry) -> None:
    expected = head.sequence + 1
    if entry.sequence != expected:
        raise LedgerBroken(expected, "it is missing")
    if entry.hash != entry.computed_hash():
        raise LedgerBroken(expected, "it was altered after it was written")
    if entry.previous != head.hash:
        raise LedgerBroken(expected, f"it does not follow entry {head.sequence}")


def _has_one_name(standing: Standing, act: Act) -> LedgerError | None:
    """Data has one name, so that renaming it opens no new allowance."""
    asked = act.booked_account().dataset
    known = standing.names.get(act.fact(SHA256), asked)
    return DatasetRenamed(asked, known) if known != asked else None


def _is_raised_by_two(standing: Standing, act: Act) -> LedgerError | None:
    """One person may lower a cap; raising it takes a second."""
    balance = standing.balances.get(act.booked_account())
    if balance is None or act.epsilon <= balance.cap or act.fact(AGREED_BY) not in ("", act.by):
        return None
    old, new = exact_text(balance.cap), exact_text(act.epsilon)
    return LedgerError(
        f"Raising the cap of the account {balance.account.title} from {old} to {new} takes two people.",
        "The cap is unchanged. Have a second person agree.",
    )


def _fits_the_cap(standing: Standing, act: Act) -> LedgerError | None:
    account = act.booked_account()
    balance = standing.balances.get(account)
    if balance is None:
        return LedgerError(f"The account {account.title} has no cap yet.", "Nothing was charged. Set its cap first.")
    left = balance.left_for(act.release)
    if act.epsilon <= left:
        return None
    return InsufficientAllowance(account.title, exact_text(act.epsilon), exact_text(left), exact_text(balance.cap))


def _opened(standing: Standing, act: Act) -> Standing:
    return replace(standing, names={**standing.names, act.fact(SHA256): act.booked_account().dataset})


def _capped(standing: Standing, act: Act) -> Standing:
    account = act.booked_account()
    balance = standing.balances.get(account, Balance(account, act.epsilon))
    return _with(standing, replace(balance, cap=act.epsilon))


def _drawn(standing: Standing, act: Act) -> Standing:
    return _with(standing, standing.balances[act.booked_account()].drawn(act.release, act.epsilon, act.delta))


def _reserved(standing: Standing, act: Act) -> Standing:
    return _with(standing, standing.balances[act.booked_account()].reserving(act.release, act.epsilon))


def _with(standing: Standing, balance: Balance) -> Standing:
    return replace(standing, balances={**standing.balances, balance.account: balance})


_RULES: Mapping[EntryKind, Callable[[Standing, Act], LedgerError | None]] = {
    EntryKind.OPEN_DATASET: _has_one_name,
    EntryKind.SET_CAP: _is_raised_by_two,
    EntryKind.DRAW: _fits_the_cap,
    EntryKind.RESERVE: _fits_the_cap,
}
_EFFECTS: Mapping[EntryKind, Callable[[Standing, Act], Standing]] = {
    EntryKind.OPEN_DATASET: _opened,
    EntryKind.SET_CAP: _capped,
    EntryKind.DRAW: _drawn,
    EntryKind.RESERVE: _reserved,
}
