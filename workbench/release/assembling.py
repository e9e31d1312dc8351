"""Assembles the release from a plan and its draw: totals, margins and words. Looks at nothing but the noisy numbers."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import Keys, ReleasePlan, Table
from workbench.privacy.choose import choose
from workbench.privacy.composition import Allotment, allotments, composition_words
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.mechanisms import Mechanism
from workbench.privacy.noise import Integers
from workbench.release.draw import Draw
from workbench.release.release import PublishedTable, Release


def assemble(plan: ReleasePlan, draw: Draw, looked_at: str) -> Release:
    """The release value of a stored draw."""
    assert plan.neighbors is not None and plan.budget.epsilon is not None, "only a checked plan was drawn"
    tables = [
        table
        for part, noisy in zip(allotments(plan), draw.noisy, strict=True)
        for table in _statistic_tables(plan, part, noisy)
    ]
    return Release(
        id=draw.id,
        title=plan.title,
        mode=draw.mode,
        drawn_at=draw.drawn_at,
        by=draw.by,
        dataset=plan.data.name,
        neighbors=plan.neighbors,
        guarantee=plan_guarantee(plan),
        composition=composition_words(plan),
        looked_at=looked_at,
        plan_sha256=draw.plan_sha256,
        columns=plan.columns,
        tables=tuple(tables),
        charge=draw.charge,
    )


def plan_guarantee(plan: ReleasePlan) -> Guarantee:
    """The promise of the whole plan: the weakest claim among its mechanisms, at the plan's epsilon."""
    claims = {_mechanism(plan, part).guarantee.claim for part in allotments(plan)}
    assert len(claims) == 1 and plan.neighbors is not None and plan.budget.epsilon is not None
    return Guarantee(claims.pop(), plan.neighbors, plan.budget.epsilon, plan.budget.delta)


def _mechanism(plan: ReleasePlan, part: Allotment) -> Mechanism:
    mechanism = choose(part.statistic, plan.neighbors, part.epsilon) if plan.neighbors else None
    assert mechanism is not None, "a checked plan has a mechanism for every statistic"
    return mechanism


def _statistic_tables(plan: ReleasePlan, part: Allotment, noisy: Integers) -> Iterator[PublishedTable]:
    grid = grid_of(plan, part.table)
    assert grid is not None
    mechanism = _mechanism(plan, part)
    yield _published(plan, part, mechanism, grid, noisy, cells=1)
    for keys in part.table.totals:
        coarse = grid.total_over(keys)
        sums = grid.add_up(noisy, keys)
        yield _published(plan, part, mechanism, coarse, sums, cells=grid.size // coarse.size)


def _published(
    plan: ReleasePlan, part: Allotment, mechanism: Mechanism, grid: CellGrid, noisy: Integers, cells: int
) -> PublishedTable:
    is_total = grid.keys != part.table.keys
    return PublishedTable(
        name=_total_name(plan, part.table, grid.keys) if is_total else part.table.name,
        title=f"{plan.data.unit.capitalize()} {_by(grid.keys)}",
        statistic=part.statistic.kind.value,
        unit=plan.data.unit,
        grid=grid,
        raw=noisy,
        mechanism=mechanism.name,
        mechanism_title=mechanism.title,
        scale_words=mechanism.scale_words,
        epsilon=part.epsilon,
        margin=mechanism.margin(cells=cells) if mechanism.is_margin_publishable else None,
        added_up_from=part.table.name if is_total else "",
    )


def _total_name(plan: ReleasePlan, table: Table, keys: Keys) -> str:
    """Short, because it becomes a file name; with the table's name only where two tables could clash."""
    whose = [table.name] if len(plan.tables) > 1 else []
    return "-".join([*whose, "total", *keys])


def _by(keys: Keys) -> str:
    if not keys:
        return "in all"
    return "by " + (" and ".join(keys) if len(keys) < 3 else f"{', '.join(keys[:-1])} and {keys[-1]}")
