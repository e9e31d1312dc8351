"""The report as one HTML page without script, the authoritative form, in a public and an internal edition."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined

from workbench import assets
from workbench.data.schema import Column, Role, Unlisted
from workbench.plan.amounts import exact_text
from workbench.release.checks import CheckResult
from workbench.release.release import PublishedTable, Release
from workbench.report import words
from workbench.report.keys import PublicKey
from workbench.report.margin_chart import figure_points, margin_chart
from workbench.report.words import numbered

REPORT_FILE = "report.html"
MEMO_FILE = "memo.html"

_GEOMETRIC = "geometric"
_BIAS_AT = (0, 1, 2, 5, 10)


class Section(NamedTuple):
    """A section by its title, and by a shorter one for the list at the top."""

    title: str
    short: str


SECTIONS = (
    Section("Identity", "Identity"),
    Section("In plain words", "In plain words"),
    Section("Guarantee", "Guarantee"),
    Section("What is not protected", "What is not protected"),
    Section("Data", "Data"),
    Section("Mechanisms", "Mechanisms"),
    Section("What was looked at", "What was looked at"),
    Section("After the noise", "After the noise"),
    Section("Accuracy", "Accuracy"),
    Section("How to use it", "How to use it"),
    Section("Limits", "Limits"),
    Section("Checks and waivers", "Checks"),
    Section("Approvals, files, verification", "Verify"),
)


@dataclass(frozen=True)
class Grid:
    """A table of the report: each row opens with its heading; columns of numbers and of code are named by position."""

    caption: str
    rows: Sequence[Sequence[str]]
    headings: tuple[str, ...] = ()
    numbers: frozenset[int] = frozenset()
    codes: frozenset[int] = frozenset()
    is_caption_unseen: bool = False
    kind: str = "facts"


@dataclass(frozen=True)
class Figure:
    """The chart of a table's limits, with the same facts in words and as a table."""

    table: int
    picture: str
    alt: str
    data: Grid


def html_report(
    release: Release, signers: Sequence[PublicKey], checks: Sequence[CheckResult], files: Mapping[str, str]
) -> str:
    """The public edition; `files` are the digests of the files published beside it."""
    return _render(
        "report.html.j2",
        **_page(release, "Release report, public edition", words.REHEARSAL if release.is_rehearsal else ""),
        sections=SECTIONS,
        identity_facts=Grid("Identity of the release", _identity(release, signers), is_caption_unseen=True),
        guarantee_facts=Grid("Table A. The guarantee in full", words.guarantee_facts(release)),
        exact_quantities=_exact_quantities(release),
        columns=_columns(release),
        mechanisms=_mechanisms(release),
        has_geometric=any(table.mechanism == _GEOMETRIC for table in release.noisy_tables),
        randomness=_RANDOMNESS[release.is_rehearsal],
        bias=_bias(release),
        figure=_figure(release),
        margins=_margins(release),
        without_margin=[numbered(release, table) for table in release.tables if table.margin is None],
        signatures=_signatures(release, signers),
        files=_files(files),
        secret=words.secret(release.neighbors),
        left_out=words.left_out_sentence(release.neighbors),
        odds=words.odds(release.guarantee),
        leaves_open=_lower_first(release.neighbors.leaves_open),
        unit=release.tables[0].unit,
        signers=signers,
        checks=sorted(result.check.title for result in checks),  # their usual order would tell what was found
    )


def internal_memo(release: Release, signers: Sequence[PublicKey], checks: Sequence[CheckResult]) -> str:
    """The internal edition: who drew it and what the checks found."""
    findings = [(result.check.title, finding.where, finding.what) for result in checks for finding in result.findings]
    identity = (
        *_identity(release, signers),
        ("Made", f"{release.drawn_at} by {release.by}"),
        ("Plan", f"SHA-256 {release.plan_sha256}"),
    )
    return _render(
        "memo.html.j2",
        **_page(release, "Internal memo", "INTERNAL"),
        identity_facts=Grid("Identity of the release", identity, is_caption_unseen=True),
        guarantee_facts=Grid("Guarantee and account", words.guarantee_facts(release), is_caption_unseen=True),
        findings=Grid("Findings of the checks", findings, ("Check", "Where", "What was found"), kind="list"),
        passed=sum(result.severity is None for result in checks),
        checks=checks,
    )


def _render(template: str, **facts: object) -> str:
    environment = Environment(
        loader=FunctionLoader(lambda name: assets.text("report", name)), autoescape=True, undefined=StrictUndefined
    )
    return f"{environment.get_template(template).render(words=words, **facts)}\n"


def _page(release: Release, edition: str, mark: str) -> dict[str, object]:
    banners = {
        "": "",
        words.REHEARSAL: words.REHEARSAL_SENTENCE,
        "INTERNAL": "INTERNAL: this page stays in the building."
        + (f" {words.REHEARSAL_SENTENCE}" if release.is_rehearsal else ""),
    }
    return {
        "release": release,
        "edition": edition,
        "identity": words.identity_sentence(release),
        "mark": mark,
        "mark_kind": mark.lower(),
        "banner": banners[mark],
    }


def _identity(release: Release, signers: Sequence[PublicKey]) -> tuple[words.Fact, ...]:
    tables = " ".join(f"{_numbered_title(release, table)}." for table in release.tables)
    return (
        ("Release", release.id),
        ("Status", words.REHEARSAL_SENTENCE if release.is_rehearsal else _drawn_sentence(release)),
        ("Signed by", f"{', '.join(signer.name for signer in signers)}. {words.signed_sentence(signers)}"),
        ("Tables", tables),
        ("Numbers", f"{release.numbers:,} in {len(release.tables)} tables"),
    )


def _drawn_sentence(release: Release) -> str:
    return f"Live release, drawn once, on {words.date_words(release.drawn_at)}"


def _exact_quantities(release: Release) -> Grid:
    lists = {
        key: codes
        for table in release.noisy_tables
        for key, codes in zip(table.grid.keys, table.grid.lists, strict=True)
    }
    rows = [
        *(
            (f"List of {len(codes):,} codes of {key}", f"Public classification ({codes.source}), chosen beforehand")
            for key, codes in lists.items()
        ),
        *(
            (f"Limits of {column.name}: {bounds}", f"Public: {column.bounds_source}")
            for column in release.columns
            if (bounds := _bounds(column))
        ),
        ("That a cell exists", "Every combination of the listed codes is printed, empty or not"),
    ]
    return Grid("Table B. Quantities published exactly", rows, ("Quantity", "Why"), kind="list")


def _bounds(column: Column) -> str:
    if column.lower is None or column.upper is None:
        return ""
    return f"{exact_text(column.lower)} to {exact_text(column.upper)}"


def _columns(release: Release) -> Grid:
    used = [column for column in release.columns if column.role is not Role.IGNORE]
    rows = [(column.name, column.role.replace("-", " "), _declared(column)) for column in used]
    return Grid("Table C. Columns and what was declared about them", rows, ("Column", "Role", "Declared"), kind="list")


def _declared(column: Column) -> str:
    if column.codes:
        left_out = column.unlisted is Unlisted.LEAVE_OUT
        rest = "records with other codes are left out" if left_out else "records with other codes stop the release"
        return f"{len(column.codes):,} codes ({column.codes.source}); {rest}"
    return f"Between {bounds}" if (bounds := _bounds(column).replace(" to ", " and ")) else "Not published"


def _mechanisms(release: Release) -> Grid:
    rows = [
        (_numbered_title(release, table), table.mechanism_title, table.scale_words, exact_text(table.epsilon))
        for table in release.noisy_tables
    ]
    headings = ("Table", "Mechanism", "Noise", "ε")
    return Grid("Table D. How each drawn table got its noise", rows, headings, frozenset({3}), kind="list")


def _numbered_title(release: Release, table: PublishedTable) -> str:
    return f"{numbered(release, table)} {table.title}"


_RANDOMNESS = {
    False: "The noise came from the operating system’s generator. There is no seed, and nothing was drawn twice.",
    True: "The noise came from a generator that can be repeated: one reason why a rehearsal must not be published.",
}


def _bias(release: Release) -> Grid | None:
    """Where it is largest: the drawn table with the least epsilon."""
    tables = [table for table in release.noisy_tables if table.mechanism == _GEOMETRIC]
    sensitivity = release.neighbors.most_records
    if not tables or sensitivity is None:
        return None
    table = min(tables, key=lambda each: each.epsilon)
    rows = [(f"{count}", _small(words.clamping_bias(table.epsilon, sensitivity, count))) for count in _BIAS_AT]
    which = f"table {numbered(release, table)} (ε = {exact_text(table.epsilon)})"
    caption = f"Table E. Average increase by showing 0, {which}"
    return Grid(caption, rows, ("True number", "Shown higher by"), frozenset({0, 1}), kind="narrow")


def _small(amount: float) -> str:
    return f"{amount:.3f}" if amount >= 0.001 else "less than 0.001"


def _figure(release: Release) -> Figure | None:
    table = next((each for each in release.noisy_tables if each.margin is not None), None)
    if table is None or table.margin is None:
        return None
    rows = [_limits(table.margin, point) for point in figure_points(table)]
    return Figure(
        table=numbered(release, table),
        picture=base64.b64encode(margin_chart(table, release.is_rehearsal)).decode("ascii"),
        alt=f"The limits run {table.margin:,} above and below the published number, so that they are wide beside small "
        "numbers and close beside large ones. The table below holds the same values.",
        data=Grid(
            "Data of figure 1",
            rows,
            (f"Published {table.unit}", "Lower 95 %", "Upper 95 %"),
            frozenset({0, 1, 2}),
            kind="narrow",
        ),
    )


def _limits(margin: int, published: int) -> tuple[str, str, str]:
    return f"{published:,}", f"{max(published - margin, 0):,}", f"{published + margin:,}"


def _margins(release: Release) -> Grid:
    rows = [tuple(_margin_row(release, table)) for table in release.tables if table.margin is not None]
    headings = ("Table", "Numbers", "Noisy numbers in each", "Margin, 95 %")
    return Grid("Table F. Margin of error of each table", rows, headings, frozenset({1, 2, 3}), kind="list")


def _margin_row(release: Release, table: PublishedTable) -> Iterator[str]:
    yield _numbered_title(release, table)
    yield f"{table.grid.size:,}"
    yield f"{words.source_of(release, table).grid.size // table.grid.size:,}"
    yield f"± {table.margin:,}"


def _signatures(release: Release, signers: Sequence[PublicKey]) -> Grid:
    roles = ("Prepared and signed", *["Countersigned"] * (len(signers) - 1))
    rows = [(role, signer.name, signer.fingerprint) for role, signer in zip(roles, signers, strict=True)]
    return Grid("Table G. Signatures", rows, ("Role", "Person", "Key"), codes=frozenset({2}), kind="list")


def _files(files: Mapping[str, str]) -> Grid:
    rows = [(name, words.short_hash(digest)) for name, digest in sorted(files.items())]
    return Grid("Table H. Files", rows, ("File", "SHA-256 (first and last 8)"), codes=frozenset({1}), kind="list")


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
