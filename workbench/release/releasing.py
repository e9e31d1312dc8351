"""The one irreversible step: tabulate, pay, draw, save. In this order, whatever happens in between."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from workbench.data.dataset import Dataset
from workbench.errors import SeededNoiseRefused
from workbench.ledger.accounts import Account
from workbench.ledger.book import Ledger
from workbench.plan.plan import ReleasePlan
from workbench.plan.planfile import plan_digest
from workbench.plan.policy import Policy
from workbench.privacy.composition import plan_guarantee
from workbench.privacy.noise import NoiseSource
from workbench.progress import Progress
from workbench.release.draw import Draw, draw_noise, save_draw
from workbench.release.release import Charge, Mode
from workbench.tabulate.cells import tabulate


@dataclass(frozen=True)
class Purse:
    """Who pays a live release, and from which book."""

    ledger: Ledger
    policy: Policy


def release(
    plan: ReleasePlan, dataset: Dataset, *, id: str, by: str, noise: NoiseSource, purse: Purse | None,
    folder: Path, now: datetime, progress: Progress,
) -> Draw:  # fmt: skip
    """Draw a checked plan once. Without a purse it is a rehearsal; with one, only system noise is accepted."""
    if purse and not noise.is_for_release:
        raise SeededNoiseRefused
    progress.step("Tabulating")
    order = noise.order_key()
    cells = [tabulate(plan, table, dataset, order) for table in plan.tables]
    progress.no_return()
    progress.step("Paying")
    charge = pay(plan, dataset, purse, by, id) if purse else None
    progress.step("Drawing")
    draw = Draw(
        id=id,
        mode=Mode.LIVE if purse else Mode.REHEARSAL,
        drawn_at=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        by=by,
        plan_sha256=plan_digest(plan),
        charge=charge,
        noisy=draw_noise(plan, cells, noise),
    )
    save_draw(draw, folder)
    return draw


def account_of(plan: ReleasePlan) -> Account:
    """The account a plan is charged to: data set, neighbour definition and claim."""
    guarantee = plan_guarantee(plan)
    neighbors = guarantee.neighbors
    return Account(plan.data.name, f"{neighbors.title} ({neighbors.summary})", guarantee.claim.variant)


def cap_of(plan: ReleasePlan, policy: Policy) -> Fraction:
    """The cap a new account gets: the policy's, or less where the plan asks for less."""
    return min(policy.allowance, plan.allowance) if plan.allowance is not None else policy.allowance


def pay(plan: ReleasePlan, dataset: Dataset, purse: Purse, by: str, id: str) -> Charge:
    """Charge the account; the entry is on disk before this returns."""
    account, promise = account_of(plan), plan_guarantee(plan)
    entry = purse.ledger.charge(
        account, promise.epsilon, promise.delta, cap=cap_of(plan, purse.policy),
        dataset_sha256=dataset.sha256, by=by, about=plan.title, release=id,
    )  # fmt: skip
    balance = purse.ledger.balance(account)
    assert balance is not None
    return Charge(
        account=account.title,
        before=balance.spent - promise.epsilon,
        after=balance.spent,
        cap=balance.cap,
        entry=entry.sequence,
        head=entry.hash,
    )
