"""The plain sentences of a release, each written once for workbook and report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from math import exp

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.guarantee import Guarantee
from workbench.release.release import PublishedTable, Release
from workbench.report.keys import PublicKey

REHEARSAL = "REHEARSAL"
REHEARSAL_SENTENCE = "REHEARSAL: no budget was spent, and these numbers must not be published."
LOW = "[low]"
LOW_MEANING = "upper limit more than twice the published number"

Fact = tuple[str, str]


@dataclass(frozen=True)
class Odds:
    """How often an outsider who thought it a toss-up can be right, at most."""

    right: int
    of: int

    @property
    def wrong(self) -> int:
        return self.of - self.right

    @property
    def words(self) -> str:
        return f"at most {self.right:,} of {self.of:,}"


def odds(guarantee: Guarantee) -> Odds:
    """(e^ε + δ) / (1 + e^ε), rounded up to whole cases: of 100, or of more where of 100 none would stay wrong."""
    epsilon, delta = (_decimal(amount) for amount in (guarantee.epsilon, guarantee.delta))
    wrong_share = (1 - delta) / (1 + epsilon.exp())
    of = 100
    while wrong_share * of < 1 and delta < 1:
        of *= 10
    return Odds(of - int(wrong_share * of), of)


def _decimal(amount: Fraction) -> Decimal:
    return Decimal(amount.numerator) / Decimal(amount.denominator)


def secret(neighbors: Neighbors) -> str:
    """What an outsider is left to guess about: “whether …”."""
    match neighbors:
        case Worker():
            return "whether one record is in the data"
        case WorkerHistory():
            return "whether one person is in the data"
        case Employer():
            return "whether one employer is in the data"
        case StrongAlpha(alpha=alpha):
            return f"whether an employer has 1,000 or {int(1000 * (1 + alpha)):,} workers"


def contribution_sentence(neighbors: Neighbors) -> str:
    """How much one step between neighbours can change, and by what rule."""
    match neighbors:
        case Worker():
            return "One record stands in one cell of a table and counts once, so Δ = 1"
        case WorkerHistory(contribution=most):
            return f"At most {most:,} records of one person count, so Δ = {most:,}"
        case Employer(size_cap=most):
            return f"At most {most:,} records of one employer count, so Δ = {most:,}"
        case StrongAlpha(alpha=alpha):
            return f"The workforce of one establishment of size x grows by at most max({exact_text(alpha)} x, 1)"


def two_steps(neighbors: Neighbors) -> str:
    """What two steps between neighbours are, which cost epsilon twice."""
    match neighbors:
        case Worker():
            return "two records, or one that moves between cells"
        case WorkerHistory():
            return "two persons"
        case Employer():
            return "two employers"
        case StrongAlpha():
            return "a worker who changes employers"


def left_out_sentence(neighbors: Neighbors) -> str:
    """What was not counted so that a bound holds; empty when everything was."""
    match neighbors:
        case WorkerHistory(contribution=most):
            unit = "person"
        case Employer(size_cap=most):
            unit = "employer"
        case _:
            return ""
    return (
        f"Of each {unit} at most {most:,} records were counted, in an order that does not depend on their values. "
        "The limits cover the noise, not the records left out."
    )


def odds_sentence(release: Release) -> str:
    return (
        f"Someone who thought it a toss-up {secret(release.neighbors)} is right in {odds(release.guarantee).words} "
        "such cases after seeing everything in this release."
    )


def wrong_sentence(release: Release) -> str:
    chances = odds(release.guarantee)
    return f"At least {chances.wrong:,} of {chances.of:,} such guesses stay wrong, whatever else the outsider knows."


def noise_sentence(release: Release) -> str:
    return (
        "Random noise was added to every number drawn, "
        f"so that nobody can learn {secret(release.neighbors)} beyond the odds stated here."
    )


def identity_sentence(release: Release) -> str:
    """Which release this is; a rehearsal has no date, so that repeating it gives the same files."""
    drawn = "" if release.is_rehearsal else f"Drawn {date_words(release.drawn_at)}. "
    return f"{drawn}Release {release.id}."


def date_words(moment: str) -> str:
    """A UTC moment such as 2025-10-07T08:10:00Z as a day in words."""
    day = datetime.fromisoformat(moment)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def tables_sentence(release: Release) -> str:
    return "The tables count " + "; ".join(_lower_first(table.title) for table in release.noisy_tables) + "."


def guarantee_facts(release: Release) -> tuple[Fact, ...]:
    """The guarantee in full: epsilon never stands without its unit, neighbours, delta, composition and account."""
    guarantee, neighbors = release.guarantee, release.neighbors
    return (
        ("Claim", f"{_upper_first(guarantee.claim)}, δ = {exact_text(guarantee.delta)}"),
        ("Who is protected", f"{neighbors.title}, {neighbors.summary}. {neighbors.protects}"),
        ("Neighbours", neighbors.statement),
        ("Contribution bound", contribution_sentence(neighbors)),
        ("Epsilon of this release", _parts_of_epsilon(release)),
        ("Epsilon for two steps", f"{exact_text(2 * guarantee.epsilon)}: {two_steps(neighbors)}"),
        ("Delta", exact_text(guarantee.delta)),
        ("Conversion", "None: the noise was drawn with this epsilon itself"),
        ("Composition", release.composition),
        ("This data set so far", account_sentence(release)),
    )


def _parts_of_epsilon(release: Release) -> str:
    parts = [f"{exact_text(table.epsilon)} for table {numbered(release, table)}" for table in release.noisy_tables]
    return f"{exact_text(release.guarantee.epsilon)} in all: {', '.join(parts)}. Drawn once"


def account_sentence(release: Release) -> str:
    """What the account has spent and has left, after this release."""
    charge = release.charge
    if charge is None:
        cost = exact_text(release.guarantee.epsilon)
        return f"No budget was spent. A live release of this plan would spend ε = {cost}"
    spent, cap, left = (exact_text(amount) for amount in (charge.after, charge.cap, charge.cap - charge.after))
    return f"ε = {spent} of {cap} spent, {left} remaining. Account: {charge.account}"


def ledger_sentence(release: Release) -> str:
    charge = release.charge
    return f"Ledger head: entry {charge.entry}, {short_hash(charge.head)}." if charge else "No ledger entry was made."


def short_hash(digest: str) -> str:
    """The first and last eight digits, enough to compare by eye."""
    return digest if len(digest) <= 16 else f"{digest[:8]} … {digest[-8:]}"


def signed_sentence(signers: Sequence[PublicKey]) -> str:
    """How many people stand behind the release."""
    if any(signer.is_demo for signer in signers):
        return "Signed with the demonstration key, which everyone has: it does not show who made these files."
    if len(signers) == 1:
        return "Signed by one person; no second approval."
    return f"Signed by {_SMALL.get(len(signers), str(len(signers)))} people."


_SMALL = {2: "two", 3: "three", 4: "four", 5: "five"}


def numbered(release: Release, table: PublishedTable) -> int:
    """The number of a table in the workbook and the report, from 1."""
    return next(number for number, each in enumerate(release.tables, 1) if each is table)


def source_of(release: Release, table: PublishedTable) -> PublishedTable:
    """The drawn table that a total was added up from; a drawn table itself."""
    if not table.is_total:
        return table
    return next(
        each for each in release.noisy_tables if each.name == table.added_up_from and each.statistic == table.statistic
    )


def limits_sentence(table: PublishedTable) -> str:
    """What the limits beside a number mean, or why there are none."""
    if table.margin is None:
        return "No margin is printed, because its size would reveal something about the data."
    return (
        f"Limits are the number plus or minus {table.margin:,}, not below 0; "
        "they hold with probability at least 95 % and include the privacy noise."
    )


def total_sentence(release: Release, table: PublishedTable) -> str:
    """How a total came about; empty for a drawn table."""
    if not table.is_total:
        return ""
    source = source_of(release, table)
    cells = source.grid.size // table.grid.size
    return f"Each number adds up {cells:,} noisy numbers of table {numbered(release, source)}."


def clamping_bias(epsilon: Fraction, sensitivity: int, count: int) -> float:
    """How much showing negative counts as 0 raises a count on average: q^(n+1) / (1 - q²) with q = e^(-ε/Δ)."""
    decay = exp(-float(epsilon) / sensitivity)
    return float(decay ** (count + 1) / (1 - decay**2))


NOTES = (
    "Random noise was added to every number of the drawn tables. The Methods and budget sheet says how much, and what "
    "it protects.",
    "A number below zero is shown as 0, which raises small numbers a little on average. The numbers as drawn are in "
    "noisy_measurements.csv.",
    "Totals are added up from the numbers as drawn, before those below zero are shown as 0. They can differ from the "
    "sum of the numbers shown.",
)


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
