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
from workbench.plan.neighbors import StrongAlpha
from workbench.release.checks import CheckResult
from workbench.release.release import PublishedTable, Release
from workbench.report import guarantee_words, odds_words, words
from workbench.report.clamping import increase
from workbench.report.keys import PublicKey
from workbench.report.margin_chart import figure_rows, has_figure, margin_chart
from workbench.report.words import amount, numbered

REPORT_FILE = "report.html"
MEMO_FILE = "memo.html"

_BIAS_AT = (0, 1, 2, 5, 10)
_FAMILIES = {
    **dict.fromkeys(("geometric", "laplace", "truncated-laplace"), "discrete Laplace"),
    **dict.fromkeys(("gaussian", "log-laplace", "log-gaussian"), "other"),
    **dict.fromkeys(
        ("smooth-power", "smooth-t", "smooth-gamma", "smooth-laplace", "joint-power", "joint-t", "midpoint-t"), "smooth"
    ),
}


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
    quantity: str
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
        guesses=_guesses(release),
        guarantee_facts=Grid("Table A. The guarantee in full", guarantee_words.guarantee_facts(release)),
        exact_quantities=_exact_quantities(release),
        columns=_columns(release),
        mechanisms=_mechanisms(release),
        drawn_by={table.mechanism for table in release.noisy_tables},
        families={_FAMILIES[table.mechanism] for table in release.noisy_tables},
        contribution=guarantee_words.contribution_sentence(release.neighbors),
        smooth_bound=_smooth_bound(release),
        randomness=_RANDOMNESS[release.is_rehearsal],
        below_zero=_below_zero(release),
        bias=_biases(release),
        secret_bias=_secret_bias(release),
        figure=_figure(release),
        margins=_margins(release),
        without_limits=_without_limits(release),
        has_margin=any(table.margin is not None for table in release.tables),
        has_proportion=any(table.limits is not None and table.margin is None for table in release.tables),
        has_limits=any(table.limits is not None for table in release.tables),
        signatures=_signatures(release, signers),
        files=_files(files),
        secret=odds_words.secret(release.neighbors),
        noise_sentence=odds_words.noise_sentence(release),
        wrong_sentence=odds_words.wrong_sentence(release),
        left_out=words.left_out_sentence(release.neighbors),
        odds=odds_words.odds(release.guarantee),
        leaves_open=_lower_first(release.neighbors.leaves_open),
        unit=words.record_unit(release),
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
        guarantee_facts=Grid("Guarantee and account", guarantee_words.guarantee_facts(release), is_caption_unseen=True),
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


def _guesses(release: Release) -> Grid | None:
    rows = [
        (guess.about[:1].upper() + guess.about[1:], f"{guess.steps}", exact_text(guess.epsilon), guess.answer)
        for guess in odds_words.guesses(release)
    ]
    headings = ("What an outsider guesses at", "Steps", "ε", "Right in such guesses")
    return Grid("Guesses by steps between neighbours", rows, headings, frozenset({1, 2}), kind="list") if rows else None


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


def _noise(table: PublishedTable) -> str:
    return f"{table.scale_words}; bias: {table.bias_words}" if table.bias_words else table.scale_words


def _mechanisms(release: Release) -> Grid:
    facts = {
        "Table": [_numbered_title(release, table) for table in release.noisy_tables],
        "Mechanism": [table.mechanism_title for table in release.noisy_tables],
        "Sensitivity": [table.sensitivity_words for table in release.noisy_tables],
        "Noise": [_noise(table) for table in release.noisy_tables],
        "ε": [exact_text(table.epsilon) for table in release.noisy_tables],
    }
    if any(table.guarantee.delta for table in release.noisy_tables):
        facts["δ"] = [exact_text(table.guarantee.delta) for table in release.noisy_tables]
    if any(table.guarantee.rho is not None for table in release.noisy_tables):
        facts["ρ"] = [_rho(table) for table in release.noisy_tables]
    numbers = frozenset(range(4, len(facts)))
    rows = list(zip(*facts.values(), strict=True))
    return Grid("Table D. How each drawn table got its noise", rows, tuple(facts), numbers, kind="list")


def _rho(table: PublishedTable) -> str:
    rho = table.guarantee.rho
    return f"{float(rho):.6g}" if rho is not None else "none"


def _smooth_bound(release: Release) -> str:
    is_strict = isinstance(release.neighbors, StrongAlpha) and release.neighbors.strict
    return "α·x + 1" if is_strict else "max(α·x, 1)"


def _numbered_title(release: Release, table: PublishedTable) -> str:
    return f"{numbered(release, table)} {table.title}"


_RANDOMNESS = {
    False: "The noise came from the operating system’s generator. There is no seed, and nothing was drawn twice.",
    True: "The noise came from a generator that can be repeated: one reason why a rehearsal must not be published.",
}


def _below_zero(release: Release) -> str:
    """What the tables show where the number drawn is below zero."""
    signed = [table for table in release.tables if not table.is_never_negative]
    if not signed:
        return "A number below zero is shown as 0 in the tables."
    of_signed = f"The numbers of {words.numbers_of(release, signed)} can truly be below zero and are shown as drawn."
    if len(signed) == len(release.tables):
        return of_signed
    return f"{of_signed} In the other tables a number below zero is shown as 0."


def _biases(release: Release) -> list[Grid]:
    """For each quantity and kind of noise where it is largest: the drawn table with the least epsilon."""
    groups: dict[tuple[str, str], list[PublishedTable]] = {}
    for table in release.noisy_tables:
        if table.is_never_negative and increase(release, table):
            groups.setdefault((words.quantity(table), table.mechanism), []).append(table)
    worst = [min(tables, key=lambda each: each.epsilon) for tables in groups.values()]
    letters = ["E"] if len(worst) == 1 else [f"E{number}" for number in range(1, len(worst) + 1)]
    return [_bias(release, table, letter) for table, letter in zip(worst, letters, strict=True)]


def _bias(release: Release, table: PublishedTable, letter: str) -> Grid:
    raised = increase(release, table)
    assert raised is not None
    points = _BIAS_AT if words.is_count(table) else [10 * round(part * raised(0) / 10) for part in _BIAS_AT]
    rows = [(amount(table, true), _increase_words(table, raised(true))) for true in points]
    which = f"table {numbered(release, table)} (ε = {exact_text(table.epsilon)})"
    caption = f"Table {letter}. Average increase by showing 0, {which}"
    headings = (f"True {words.quantity(table)}", "Shown higher by")
    return Grid(caption, rows, headings, frozenset({0, 1}), kind="narrow")


def _increase_words(table: PublishedTable, steps: float) -> str:
    if not words.is_count(table):
        return amount(table, round(steps)) if steps >= 1 else f"less than {amount(table, 1)}"
    return f"{steps:.3f}" if steps >= 0.001 else "less than 0.001"


def _secret_bias(release: Release) -> str:
    """Which tables are raised by an amount that may not be told; empty when there are none."""
    tables = [table for table in release.noisy_tables if table.is_never_negative and not increase(release, table)]
    if not tables:
        return ""
    return (
        f"How much this raises small numbers on average cannot be published for {words.numbers_of(release, tables)}: "
        "it depends on the size of the largest establishment of each cell."
    )


def _figure(release: Release) -> Figure | None:
    table = next((each for each in release.noisy_tables if has_figure(each)), None)
    if table is None:
        return None
    rows = [tuple(amount(table, steps) for steps in row) for row in figure_rows(table)]
    return Figure(
        table=numbered(release, table),
        quantity=words.quantity(table),
        picture=base64.b64encode(margin_chart(table, release.is_rehearsal)).decode("ascii"),
        alt=f"{_shape_of_limits(table)} The table below holds the same values.",
        data=Grid(
            "Data of figure 1",
            rows,
            (f"Published {words.quantity(table)}", "Lower 95 %", "Upper 95 %"),
            frozenset({0, 1, 2}),
            kind="narrow",
        ),
    )


def _shape_of_limits(table: PublishedTable) -> str:
    if table.margin is None:
        return (
            "The limits run above and below the published number at nearly the same proportion everywhere; only beside "
            "the smallest numbers they are wider."
        )
    return (
        f"The limits run {amount(table, table.margin)} above and below the published number, so that they are wide "
        "beside small numbers and close beside large ones."
    )


def _margins(release: Release) -> Grid:
    rows = [tuple(_margin_row(release, table)) for table in release.tables]
    headings = ("Table", "Numbers", "Noisy numbers in each", "Margin, 95 %")
    return Grid("Table F. Margin of error of each table", rows, headings, frozenset({1, 2, 3}), kind="list")


def _margin_row(release: Release, table: PublishedTable) -> Iterator[str]:
    yield _numbered_title(release, table)
    yield f"{table.grid.size:,}"
    yield f"{words.source_of(release, table).grid.size // table.grid.size:,}"
    yield _margin_words(table)


def _margin_words(table: PublishedTable) -> str:
    """The margin; where it is a proportion, as it is for the largest number of the table."""
    if table.margin is not None:
        return f"± {amount(table, table.margin)}"
    if table.limits is None:
        return "Not published"
    at = int(table.published.argmax())
    number, lower, upper = (int(steps[at]) for steps in (table.published, *table.limits))
    if number == 0:
        return f"0 to {amount(table, upper)}"
    below, above = 100 * (number - lower) / number, 100 * (upper - number) / number
    return f"− {below:.1f} % to + {above:.1f} % at {amount(table, number)}"


def _without_limits(release: Release) -> list[str]:
    """One sentence for each reason, naming the tables."""
    tables: dict[str, list[PublishedTable]] = {}
    for table in release.tables:
        if table.limits is None:
            tables.setdefault(words.why_no_limits(table), []).append(table)
    return [
        f"Neither a margin nor limits are printed for {words.numbers_of(release, named)}: {why}."
        for why, named in tables.items()
    ]


def _signatures(release: Release, signers: Sequence[PublicKey]) -> Grid:
    roles = ("Prepared and signed", *["Countersigned"] * (len(signers) - 1))
    rows = [(role, signer.name, signer.fingerprint) for role, signer in zip(roles, signers, strict=True)]
    return Grid("Table G. Signatures", rows, ("Role", "Person", "Key"), codes=frozenset({2}), kind="list")


def _files(files: Mapping[str, str]) -> Grid:
    rows = [(name, words.short_hash(digest)) for name, digest in sorted(files.items())]
    return Grid("Table H. Files", rows, ("File", "SHA-256 (first and last 8)"), codes=frozenset({1}), kind="list")


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
