"""The plain sentences of a release, each written once for workbook and report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Employer, Neighbors, WorkerHistory
from workbench.privacy.mechanisms import offer_named
from workbench.release.release import PublishedTable, Release
from workbench.report.keys import PublicKey

REHEARSAL = "REHEARSAL"
REHEARSAL_SENTENCE = "REHEARSAL: no budget was spent, and these numbers must not be published."
LOW = "[low]"
LOW_BESIDE_MARGIN = "upper limit more than twice the published number"
LOW_IN_PROPORTION = "lower limit of 0: the number cannot be told from none"
LOW_EITHER_SIGN = "range between the limits that holds 0: not even the sign is sure"

Fact = tuple[str, str]


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
    counts = [_lower_first(table.title) for table in release.noisy_tables if is_count(table)]
    others = [f"the {_lower_first(table.title)}" for table in release.noisy_tables if not is_count(table)]
    said = [f"{verb} {'; '.join(titles)}" for verb, titles in (("count", counts), ("give", others)) if titles]
    return f"The tables {', and '.join(said)}."


def is_count(table: PublishedTable) -> bool:
    return table.statistic == "count"


def quantity(table: PublishedTable) -> str:
    """What a number of the table is."""
    return f"number of {table.unit}" if is_count(table) else f"{table.statistic} of {table.unit}"


def record_unit(release: Release) -> str:
    """What the records are called, as far as the tables say."""
    return next((table.unit for table in release.tables if is_count(table)), "records")


def amount(table: PublishedTable, steps: int) -> str:
    """Whole steps as the number they mean, with all its places."""
    exact = Decimal(steps * table.step.numerator) / Decimal(table.step.denominator)
    return f"{exact:,.{table.decimals}f}"


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


def numbers_of(release: Release, tables: Iterable[PublishedTable]) -> str:
    """“table 1” or “tables 1, 2 and 5”."""
    numbers = [str(numbered(release, table)) for table in tables]
    return f"table {numbers[0]}" if len(numbers) == 1 else f"tables {', '.join(numbers[:-1])} and {numbers[-1]}"


def source_of(release: Release, table: PublishedTable) -> PublishedTable:
    """The drawn table that a total was added up from, which stands before it; a drawn table itself."""
    before = release.tables[: numbered(release, table)]
    return next(each for each in reversed(before) if not each.is_total)


def limits_sentence(table: PublishedTable) -> str:
    """What the limits beside a number mean, or why there are none."""
    if table.limits is None:
        return f"Neither a margin nor limits are printed: {why_no_limits(table)}."
    if table.margin is None:
        return (
            "Limits differ from cell to cell; they hold with probability at least 95 % and include the privacy noise."
        )
    floor = ", not below 0" if table.is_never_negative else ""
    return (
        f"Limits are the number plus or minus {amount(table, table.margin)}{floor}; "
        "they hold with probability at least 95 % and include the privacy noise."
    )


def why_no_limits(table: PublishedTable) -> str:
    """What a margin or limits would tell; empty where there are some."""
    if table.limits is not None:
        return ""
    offer = offer_named(table.mechanism)
    if offer is not None and offer.publishes_margin:
        return "how far a sum of these cells can be off depends on their true numbers"
    return (
        "the noise follows the size of the largest establishment of each cell, and a margin would tell about "
        "that establishment"
    )


def low_meaning(table: PublishedTable) -> str:
    """What marks a number of the table as low; empty where nothing may."""
    if table.limits is None:
        return ""
    if table.margin is None:
        return LOW_IN_PROPORTION
    return LOW_BESIDE_MARGIN if table.is_never_negative else LOW_EITHER_SIGN


def low_meanings(release: Release) -> tuple[str, ...]:
    """Each meaning that the mark has in some table of the release."""
    return tuple(dict.fromkeys(meaning for table in release.tables if (meaning := low_meaning(table))))


def low_sentence(release: Release) -> str:
    """What the mark marks; empty where it is not used."""
    marked = [f"{'an' if meaning.startswith('u') else 'a'} {meaning}" for meaning in low_meanings(release)]
    return f"{LOW} marks {'; or, where the table says so, '.join(marked)}." if marked else ""


def total_sentence(release: Release, table: PublishedTable) -> str:
    """How a total came about; empty for a drawn table."""
    if not table.is_total:
        return ""
    source = source_of(release, table)
    cells = source.grid.size // table.grid.size
    return f"Each number adds up {cells:,} noisy numbers of table {numbered(release, source)}."


def clipping_sentences(release: Release) -> tuple[str, ...]:
    """What happened to the values of each measure before they were added up."""
    steps = {table.unit: table.step for table in release.tables if not is_count(table)}
    return tuple(
        f"Before {column.name} was added up, a value outside its public limits {exact_text(column.lower)} to "
        f"{exact_text(column.upper)} was moved to the nearer one, and every value was rounded to a whole step of "
        f"{exact_text(steps[column.name])}. A record without a number added 0. How often that happened is not "
        "published; limits beside the sums, where there are any, do not cover it."
        for column in release.columns
        if column.name in steps and column.lower is not None and column.upper is not None
    )


NOISE_NOTE = (
    "Random noise was added to every number of the drawn tables. The Methods and budget sheet says how much, and what "
    "it protects."
)
ZERO_NOTE = (
    "A number below zero is shown as 0, which raises small numbers a little on average. The numbers as drawn are in "
    "noisy_measurements.csv."
)
TOTAL_NOTE = (
    "Totals are added up from the numbers as drawn, before those below zero are shown as 0. They can differ from the "
    "sum of the numbers shown."
)


def notes(release: Release) -> tuple[str, ...]:
    """The notes of a release, in the order in which they are numbered."""
    return NOISE_NOTE, ZERO_NOTE, TOTAL_NOTE, *clipping_sentences(release)


def notes_on(release: Release, table: PublishedTable) -> tuple[str, ...]:
    """The notes that are about a table."""
    clipped = [text for text in clipping_sentences(release) if text.startswith(f"Before {table.unit} was added up")]
    about = ((NOISE_NOTE, True), (ZERO_NOTE, table.is_never_negative), (TOTAL_NOTE, table.is_total))
    return *(note for note, is_meant in about if is_meant), *(() if is_count(table) else clipped)


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
