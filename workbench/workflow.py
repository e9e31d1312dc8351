"""The flow in a handful of verbs: open, check, preview, release, report, verify. Window and command line share them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from workbench import places
from workbench.data.checks import check_dataset, check_ids
from workbench.data.dataset import ColumnKind, Dataset
from workbench.data.findings import Finding, Severity, Stage, blocking
from workbench.data.opening import open_dataset, with_header_row, with_layout
from workbench.data.schema import Column
from workbench.errors import DemoKeyRefused, LedgerError, OutputError, Refused, WorkbenchError
from workbench.ledger import book
from workbench.ledger.book import Ledger
from workbench.ledger.entries import EntryKind
from workbench.plan.amounts import exact_text
from workbench.plan.checks import check_plan
from workbench.plan.plan import DataReference, ReleasePlan
from workbench.plan.planfile import plan_text, read_plan, write_plan
from workbench.plan.policy import default_policy
from workbench.preview.curves import DEFAULT_EPSILONS, AccuracyCurve, accuracy_curve
from workbench.preview.curves import solve as solve_epsilon
from workbench.preview.metrics import CellSizes, Metric, Source, policy_target, typical_sizes
from workbench.privacy.checks import check_mechanisms
from workbench.privacy.noise import NoiseSource, RehearsalNoise, SystemNoise
from workbench.progress import Progress, Silent
from workbench.release import releasing
from workbench.release.assembling import assemble
from workbench.release.checks import CheckResult, review
from workbench.release.draw import load_draw
from workbench.release.release import Release
from workbench.report.keys import PublicKey, SigningKey, demo_key
from workbench.report.verdict import Verdict
from workbench.report.verify import find_bundles, verify_bundle
from workbench.tabulate.checks import check_records

__all__ = ["open_data", "open_plan", "save_plan", "with_header_row", "with_layout"]

_LONGEST_SLUG = 32
_LINKING_WORDS = {"a", "and", "by", "for", "in", "of", "the"}
open_plan = read_plan
save_plan = write_plan
open_data = open_dataset


@dataclass(frozen=True)
class Bundle:
    """A release on disk."""

    folder: Path
    release: Release

    @property
    def public(self) -> Path:
        return self.folder / "public"


def open_ledger(url: str | Path, *, create: bool = True) -> Ledger:
    """The ledger at a path or URL; the program's own folder is made for the first one."""
    if Path(url) == places.default_ledger() and create:
        places.home().mkdir(parents=True, exist_ok=True)
    return book.open_ledger(url, create=create)


def data_of(plan: ReleasePlan, progress: Progress | None = None) -> Dataset:
    """Read the file a plan names."""
    if plan.data.path is None:
        raise Refused(blocking(check_plan(plan)))
    return open_dataset(plan.data.path, plan.data.layout, progress)


def new_plan(dataset: Dataset) -> ReleasePlan:
    """A first plan for a file: every column listed, every decision left to the officer."""
    return ReleasePlan(
        title=dataset.path.stem.replace("_", " ").strip().capitalize() or "Untitled",
        data=DataReference(path=dataset.path, name=dataset.path.stem, layout=dataset.chosen),
        columns=tuple(Column(facts.name) for facts in dataset.columns if facts.kind is not ColumnKind.EMPTY),
    )


def check(plan: ReleasePlan, dataset: Dataset | None = None, ledger: Ledger | None = None) -> tuple[Finding, ...]:
    """Every finding about a plan, and about its data and budget as far as they are given."""
    own = (*check_plan(plan), *check_mechanisms(plan))
    with_data = tuple(_check_data(plan, dataset)) if dataset else ()
    with_ledger = tuple(_check_ledger(plan, ledger)) if ledger and not blocking(own) else ()
    return (*own, *with_data, *with_ledger)


def _check_data(plan: ReleasePlan, dataset: Dataset) -> Iterator[Finding]:
    needed = plan.neighbors.needs if plan.neighbors else None
    yield from check_dataset(dataset, plan.columns)
    yield from check_ids(dataset, plan.columns_with(needed)) if needed else ()
    yield from check_records(plan, dataset)


def review_of(findings: Sequence[Finding]) -> tuple[CheckResult, ...]:
    """The findings as a reviewer reads them, check by check."""
    return review(findings)


def _check_ledger(plan: ReleasePlan, ledger: Ledger) -> Iterator[Finding]:
    try:
        ledger.verify()
        balance = ledger.balance(releasing.account_of(plan))
    except LedgerError as error:
        yield Finding("ledger-chain", Severity.BLOCK, Stage.RELEASE, "ledger", error.what, error.remedy)
        return
    left = balance.remaining if balance else releasing.cap_of(plan, default_policy())
    if plan.budget.epsilon is not None and plan.budget.epsilon > left:
        asked = exact_text(plan.budget.epsilon)
        yield Finding(
            "charge-fits", Severity.BLOCK, Stage.PROTECTION, "budget.epsilon",
            f"The plan asks for {asked}; the account has {exact_text(left)} left.",
            "Lower epsilon, or have two people raise the cap.",
        )  # fmt: skip


def preview(
    plan: ReleasePlan, metric: Metric = Metric.SHARE_WITHIN, epsilons: tuple[Fraction, ...] = DEFAULT_EPSILONS,
    sizes: CellSizes | None = None,
) -> AccuracyCurve:  # fmt: skip
    """Accuracy against epsilon, from public facts unless sizes from `look_at_true_cells` are given."""
    policy = default_policy()
    return accuracy_curve(plan, metric, policy_target(policy), sizes or typical_sizes(plan, policy), epsilons)


def solve(plan: ReleasePlan, target: str, sizes: CellSizes | None = None) -> Fraction | None:
    """The smallest epsilon that meets an accuracy target, or None when none within the policy does."""
    policy = default_policy()
    return solve_epsilon(plan, target, sizes or typical_sizes(plan, policy), policy_target(policy), policy)


def look_at_true_cells(plan: ReleasePlan, dataset: Dataset, ledger: Ledger, by: str) -> CellSizes:
    """The true cell sizes, for a confidential preview. The look is in the ledger before the sizes exist."""
    from workbench.tabulate.cells import largest_of_each, tabulate

    _refuse_unready(plan, dataset)
    ledger.append(
        EntryKind.VIEW_CONFIDENTIAL,
        account=releasing.account_of(plan),
        by=by,
        about=f"Accuracy preview of {plan.title}",
    )
    cells = tabulate(plan, plan.tables[0], dataset, SystemNoise().order_key())
    largest = largest_of_each(cells)
    return CellSizes(
        cells.counts.astype(float), Source.CONFIDENTIAL, "confidential: the true cells",
        None if largest is None else largest.astype(float),
    )  # fmt: skip


def release(
    plan: ReleasePlan, *, out: Path, dataset: Dataset | None = None, ledger: Ledger | None = None,
    noise: NoiseSource | None = None, key: SigningKey | None = None, progress: Progress | None = None,
    now: datetime | None = None,
) -> Bundle:  # fmt: skip
    """The irreversible step. With a ledger it is live: charged, system noise, own key. Without, a rehearsal."""
    progress = progress or Silent()
    purse = releasing.Purse(ledger, default_policy()) if ledger else None
    key = _signing_key(key, is_live=purse is not None)
    dataset = dataset or data_of(plan, progress)
    progress.step("Checking")
    findings = _refuse_unready(plan, dataset, ledger)
    id = _free_id(plan, out, ledger)
    with _staging(out / id) as internal:
        write_plan(plan, internal / "plan.toml")
        draw = releasing.release(
            plan, dataset, id=id, by=key.public.name, noise=noise or (SystemNoise() if purse else RehearsalNoise()),
            purse=purse, folder=internal, now=now or datetime.now(UTC), progress=progress,
        )  # fmt: skip
    return _publish(plan, assemble(plan, draw, _looked_at(plan, ledger)), out / id, key, review(findings), progress)


def report(folder: Path, key: SigningKey | None = None, ledger: Ledger | None = None) -> Bundle:
    """Write the public files of a stored draw again, after an interruption. Nothing is drawn or charged."""
    internal = folder / "internal"
    plan, findings = read_plan(internal / "plan.toml")
    draw = load_draw(internal)
    release = assemble(plan, draw, _looked_at(plan, ledger))
    return _publish(plan, release, folder, _signing_key(key, draw.charge is not None), review(findings), Silent())


def verify(path: Path, trusted: Sequence[PublicKey] | None = None) -> tuple[Verdict, ...]:
    """Check every bundle found at a path: each file, each signature."""
    return tuple(verify_bundle(bundle, trusted) for bundle in find_bundles(path))


def _refuse_unready(plan: ReleasePlan, dataset: Dataset, ledger: Ledger | None = None) -> tuple[Finding, ...]:
    findings = check(plan, dataset, ledger)
    if stops := blocking(findings):
        raise Refused(stops)
    return findings


def _signing_key(key: SigningKey | None, is_live: bool) -> SigningKey:
    if is_live and (key is None or key.public.is_demo):
        raise DemoKeyRefused
    return key or demo_key()


def _looked_at(plan: ReleasePlan, ledger: Ledger | None) -> str:
    if ledger is None:
        return "Accuracy was previewed from public facts only."
    looks = sum(
        entry.kind is EntryKind.VIEW_CONFIDENTIAL
        and entry.account is not None
        and entry.account.dataset == plan.data.name
        for entry in ledger.entries()
    )
    if looks == 0:
        return "Accuracy was previewed from public facts only; the ledger records no look at true cells."
    return (
        f"True cells were looked at {looks} time{'s' * (looks != 1)} before this release; every look is in the ledger."
    )


def _free_id(plan: ReleasePlan, out: Path, ledger: Ledger | None) -> str:
    """The first number of this title that neither the folder nor the ledger has."""
    stem = _slug(plan.title) if ledger else f"rehearsal-{_slug(plan.title)}"
    taken = {entry.release for entry in ledger.entries()} if ledger else set()
    number = 1
    while f"{stem}-r{number}" in taken or (out / f"{stem}-r{number}").exists():
        number += 1
    return f"{stem}-r{number}"


def _slug(title: str) -> str:
    """The first words of a title, short enough for file names."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    while len("-".join(words)) > _LONGEST_SLUG or (words and words[-1] in _LINKING_WORDS):
        words.pop()
    return "-".join(words) or "release"


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """The bundle's internal folder; taken away again when nothing was drawn into it."""
    internal = folder / "internal"
    try:
        internal.mkdir(parents=True)
    except OSError as error:
        raise OutputError(folder.parent.name, error.strerror or "the disk refused it") from error
    try:
        yield internal
    except WorkbenchError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _publish(
    plan: ReleasePlan,
    release: Release,
    folder: Path,
    key: SigningKey,
    checks: Sequence[CheckResult],
    progress: Progress,
) -> Bundle:
    from workbench.report.bundle import write_bundle  # openpyxl and jinja2 would slow every start

    progress.step("Writing and signing the bundle")
    text = plan_text(plan, folder / "internal")
    write_bundle(release, folder, [key], plan_text=text, checks=checks, progress=progress)
    return Bundle(folder, release)
