"""What the entries of a ledger say, in words and tables: what each account has left, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from workbench.ledger.accounts import Account
from workbench.ledger.entries import Entry, EntryKind
from workbench.ledger.standing import Standing
from workbench.plan.amounts import exact_text

Rows = list[tuple[str, ...]]

KIND_WORDS = {
    EntryKind.OPEN_DATASET: "data named",
    EntryKind.SET_CAP: "cap set",
    EntryKind.PROPOSE: "proposed",
    EntryKind.APPROVE: "approved",
    EntryKind.WAIVE: "waived",
    EntryKind.RESERVE: "reserved",
    EntryKind.DRAW: "draw",
    EntryKind.SIGN: "signed",
    EntryKind.PUBLISH: "published",
    EntryKind.WITHDRAW: "withdrawn",
    EntryKind.DISCARD: "discarded",
    EntryKind.VIEW_CONFIDENTIAL: "true-data look",
    EntryKind.KEY_ADD: "key added",
    EntryKind.KEY_REVOKE: "key revoked",
    EntryKind.REFUSE: "refused",
}
"""Every kind of entry as the officer reads it, in the order a release goes."""


@dataclass(frozen=True)
class Step:
    """What an account had left after one of its entries."""

    time: datetime
    remaining: Fraction
    entry: Entry


def entry_time(entry: Entry) -> datetime:
    return datetime.fromisoformat(entry.time).astimezone(UTC)


def remaining_steps(entries: Sequence[Entry], account: Account) -> tuple[Step, ...]:
    """How an account came to where it stands, entry by entry, from the first that gave it a cap."""
    standing, steps = Standing(), []
    for entry in entries:
        standing = standing.after(entry)
        balance = standing.balances.get(account)
        if entry.account == account and balance is not None:
            steps.append(Step(entry_time(entry), balance.remaining, entry))
    return tuple(steps)


def remaining_table(steps: Sequence[Step]) -> tuple[tuple[str, ...], Rows]:
    """Headings, and what remained after each entry."""
    rows: Rows = [
        (step.entry.time, KIND_WORDS[step.entry.kind], exact_text(step.entry.epsilon), exact_text(step.remaining))
        for step in steps
    ]
    return ("Time (UTC)", "Entry", "ε", "Remaining"), rows


def remaining_sentence(steps: Sequence[Step], planned: Fraction) -> str:
    """What is left, and what this plan would leave."""
    left = steps[-1].remaining
    if not planned:
        return f"{exact_text(left)} remain."
    if planned > left:
        return f"{exact_text(left)} remain. This plan asks for {exact_text(planned)}, so it would be refused."
    return f"{exact_text(left)} remain now, {exact_text(left - planned)} after this plan."


def kinds_in(entries: Sequence[Entry]) -> tuple[EntryKind, ...]:
    """The kinds of entry that occur, in the order a release goes."""
    found = {entry.kind for entry in entries}
    return tuple(kind for kind in KIND_WORDS if kind in found)


def timeline_table(entries: Sequence[Entry]) -> tuple[tuple[str, ...], Rows]:
    """Headings, and for each kind of entry how often it occurs and when last."""
    times = {kind: [entry.time for entry in entries if entry.kind is kind] for kind in kinds_in(entries)}
    rows: Rows = [(KIND_WORDS[kind], str(len(when)), max(when)) for kind, when in times.items()]
    return ("Entry", "How often", "Last (UTC)"), rows


def timeline_sentence(entries: Sequence[Entry]) -> str:
    """The counts that matter, in one sentence."""
    draws, looks, refused = (
        sum(entry.kind is kind for entry in entries)
        for kind in (EntryKind.DRAW, EntryKind.VIEW_CONFIDENTIAL, EntryKind.REFUSE)
    )
    return f"{draws} draw{'s' * (draws != 1)}, {looks} true-data look{'s' * (looks != 1)}, {refused} refused."
