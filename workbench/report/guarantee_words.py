"""The guarantee of a release in full: epsilon never stands without its unit, neighbours, delta, route and account."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.zcdp import CONVERSION
from workbench.release.release import Release
from workbench.report.odds_words import two_steps
from workbench.report.words import Fact, numbered

_READINGS = {
    False: "The definition: a workforce of x grows to at most max((1 + α) x, x + 1) in one step",
    True: "Strict: a workforce of x grows to at most (1 + α) x, rounded up, in one step",
}


def guarantee_facts(release: Release) -> tuple[Fact, ...]:
    """Every row that epsilon needs beside it."""
    return tuple(_facts(release))


def _facts(release: Release) -> Iterator[Fact]:
    guarantee, neighbors = release.guarantee, release.neighbors
    yield "Claim", f"{_upper_first(guarantee.claim)}, {_rho_words(guarantee)}δ = {exact_text(guarantee.delta)}"
    yield "Who is protected", f"{neighbors.title}, {neighbors.summary}. {neighbors.protects}"
    yield "Neighbours", neighbors.statement
    if isinstance(neighbors, StrongAlpha):
        yield "Alpha", exact_text(neighbors.alpha)
        yield "Reading of the size requirement", _READINGS[neighbors.strict]
    yield "Contribution bound", contribution_sentence(neighbors)
    yield "Epsilon of this release", _parts_of_epsilon(release)
    yield "Epsilon for two steps", _two_steps(guarantee)
    yield "Delta", exact_text(guarantee.delta)
    if guarantee.rho is not None:
        yield "Rho", f"{exact_text(guarantee.rho)}, as zero-concentrated differential privacy (zCDP)"
    yield "Conversion", conversion(release)
    yield "Composition", release.composition
    yield "This data set so far", account_sentence(release)


def _rho_words(guarantee: Guarantee) -> str:
    return "" if guarantee.rho is None else f"ρ = {exact_text(guarantee.rho)}, "


def contribution_sentence(neighbors: Neighbors) -> str:
    """How much one step between neighbours can change, and by what rule."""
    match neighbors:
        case Worker():
            return "One record stands in one cell of a table and counts once, so Δ = 1"
        case WorkerHistory(contribution=most):
            return f"At most {most:,} records of one person count, so Δ = {most:,}"
        case Employer(size_cap=most):
            return f"At most {most:,} records of one employer count, so Δ = {most:,}"
        case StrongAlpha(alpha=alpha, strict=strict):
            growth = f"{exact_text(alpha)} x, rounded up" if strict else f"max({exact_text(alpha)} x, 1)"
            return f"The workforce of one establishment of size x grows by at most {growth}"


def _parts_of_epsilon(release: Release) -> str:
    parts = [f"{exact_text(table.epsilon)} for table {numbered(release, table)}" for table in release.noisy_tables]
    each = " for each step" if isinstance(release.neighbors, StrongAlpha) else ""
    less = " Together they cost less than their sum, as Composition says." if _is_converted_together(release) else ""
    return f"{exact_text(release.guarantee.epsilon)}{each} in all: {', '.join(parts)}. Drawn once{less and '.'}{less}"


def _two_steps(guarantee: Guarantee) -> str:
    delta = "; δ is then (1 + e^ε) times as large" if guarantee.delta else ""
    return f"{exact_text(2 * guarantee.epsilon)}: {two_steps(guarantee.neighbors)}{delta}"


def _is_converted_together(release: Release) -> bool:
    return sum((table.epsilon for table in release.noisy_tables), Fraction(0)) != release.guarantee.epsilon


def conversion(release: Release) -> str:
    """By which formula the epsilon came from another kind of promise, if it did."""
    if release.guarantee.rho is not None:
        return f"From ρ, tightly: {CONVERSION}"
    concentrated = [table for table in release.noisy_tables if table.guarantee.rho is not None]
    if concentrated:
        parts = [f"ρ = {exact_text(table.guarantee.rho or Fraction(0))} of table {numbered(release, table)}"
                 for table in concentrated]  # fmt: skip
        return f"From {', '.join(parts)}, each tightly: {CONVERSION}"
    if _is_converted_together(release):
        return "None but the composition bound: the noise was drawn with the epsilon of each table"
    return "None: the noise was drawn with this epsilon itself"


def account_sentence(release: Release) -> str:
    """What the account has spent and has left, after this release."""
    charge = release.charge
    if charge is None:
        cost = exact_text(release.guarantee.epsilon)
        return f"No budget was spent. A live release of this plan would spend ε = {cost}"
    spent, cap, left = (exact_text(amount) for amount in (charge.after, charge.cap, charge.cap - charge.after))
    return f"ε = {spent} of {cap} spent, {left} remaining. Account: {charge.account}"


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]
