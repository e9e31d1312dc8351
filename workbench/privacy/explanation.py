"""How the total of a plan came about, in words: within each table, between the statistics, and for totals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import ReleasePlan
from workbench.privacy.brief import Brief
from workbench.privacy.composition import Allotment, Composition, compose, plan_guarantee
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
from workbench.privacy.routes import Route, basic

_TOTALS = "Totals are added up from published cells and cost nothing."


def composition_words(plan: ReleasePlan) -> str:
    """Why the total is what it is."""
    way = compose(plan)
    return " ".join([*_within(plan, way), *_between(plan, way), _TOTALS])


def _within(plan: ReleasePlan, way: Composition) -> Iterator[str]:
    """Cells share one epsilon only where they partition what is protected."""
    neighbors = plan.neighbors
    if isinstance(neighbors, StrongAlpha):
        yield from _over_establishments(way)
    elif neighbors is None or neighbors.most_records == 1:
        yield "Within a table every record is in one cell, so the cells share one epsilon."
    else:
        yield (
            f"One protected unit can be in several cells or years of a table. At most {neighbors.most_records:,} of "
            "its records count, and the noise covers all of them together."
        )


def _over_establishments(way: Composition) -> Iterator[str]:
    shared = {part.table.name: part for part in way.parts if part.brief and part.brief.worker_cells > 1}
    if len(shared) < len({part.table.name for part in way.parts}):
        alone = "Every" if not shared else "In the other tables every"
        yield f"{alone} establishment is in one cell of a table, so the cells share one epsilon."
    for name, part in shared.items():
        cells = part.brief.worker_cells if part.brief else 1
        start = (
            f"One establishment can be in {cells:,} cells of “{name}”, so they do not share one epsilon by themselves:"
        )
        if isinstance(part.mechanism, CellByCell):
            yield f"{start} each has 1/{cells} of it, and the parts add up."
        else:
            yield f"{start} they are drawn jointly, with noise that covers all of them."


def _between(plan: ReleasePlan, way: Composition) -> Iterator[str]:
    if len(way.parts) > 1:
        yield _added(way) if way.route is Route.BASIC else _converted(plan, way)
    thrifty = [part for part in way.parts if part.mechanism and _spends_less(part)]
    if way.route is Route.BASIC and thrifty:
        names = ", ".join(dict.fromkeys(part.choice.offer.title for part in thrifty if part.choice))
        yield f"{names} spends less than its part; only what it spends is charged."


def _spends_less(part: Allotment) -> bool:
    return part.mechanism is not None and part.mechanism.guarantee.epsilon < part.epsilon


def _added(way: Composition) -> str:
    amounts = " + ".join(exact_text(part.epsilon) for part in way.parts)
    total = exact_text(basic([part.epsilon for part in way.parts]))
    return f"The {len(way.parts)} statistics use the same records, so their epsilons add up: {amounts} = {total}."


def _converted(plan: ReleasePlan, way: Composition) -> str:
    promise = plan_guarantee(plan)
    spent = exact_text(promise.epsilon), exact_text(promise.delta)
    plain = float(basic([part.epsilon for part in way.parts]))
    how = (
        f"added up as zCDP, ρ = {float(promise.rho or Fraction(0)):.6g} in all, and converted once by the tight formula"
        if way.route is Route.ZCDP
        else "added up by the advanced composition bound in full"
    )
    return (
        f"The {len(way.parts)} statistics use the same records. They are {how}: ε = {spent[0]} at δ = {spent[1]}. "
        f"Adding their epsilons one by one would give {plain:.3g}."
    )


def sensitivity_words(brief: Brief) -> str:
    """What one neighbour step can change in a table, as it may be published."""
    neighbors = brief.neighbors
    each = "" if brief.measure is None else f", each by at most {exact_text(brief.reach * brief.step)}"
    if neighbors.most_records is None:
        return f"the records of one establishment of x, at most S of them{each}"
    records = "1 record" if neighbors.most_records == 1 else f"{neighbors.most_records:,} records"
    return f"Δ = {exact_text(neighbors.most_records * brief.reach * brief.step)}: at most {records}{each}"
