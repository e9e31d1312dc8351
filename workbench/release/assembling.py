"""Assembles the release from a plan and its draw: totals, margins and words. Looks at nothing but the noisy numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.plan import Keys, ReleasePlan, Statistic
from workbench.privacy.composition import Allotment, allotments, plan_guarantee
from workbench.privacy.explanation import composition_words, sensitivity_words
from workbench.privacy.mechanism import Limits, Mechanism
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
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


def _statistic_tables(plan: ReleasePlan, part: Allotment, noisy: Integers) -> Iterator[PublishedTable]:
    grid = grid_of(plan, part.table)
    assert grid is not None
    yield _published(plan, part, grid, noisy, cells=1)
    for keys in part.table.totals:
        coarse = grid.total_over(keys)
        yield _published(plan, part, coarse, grid.add_up(noisy, keys), cells=grid.size // coarse.size)


def _published(plan: ReleasePlan, part: Allotment, grid: CellGrid, noisy: Integers, cells: int) -> PublishedTable:
    choice, mechanism, brief = part.choice, part.mechanism, part.brief
    assert choice and mechanism and brief, "a checked plan has a mechanism for every statistic"
    is_total = grid.keys != part.table.keys
    is_never_negative = brief.measure is None or brief.measure.lower >= 0
    margin = mechanism.margin(cells=cells)
    return PublishedTable(
        name=_name(plan, part, grid.keys),
        title=f"{statistic_title(plan, part.statistic)} {_by(grid.keys)}",
        statistic=part.statistic.kind.value,
        unit=part.statistic.measure or plan.data.unit,
        grid=grid,
        raw=noisy,
        mechanism=mechanism.name,
        mechanism_title=mechanism.title if isinstance(mechanism, CellByCell) else choice.offer.title,
        scale_words=mechanism.scale_words,
        sensitivity_words=sensitivity_words(brief),
        bias_words=mechanism.bias_words,
        guarantee=mechanism.guarantee,
        margin=margin,
        limits=_limits(mechanism, noisy, margin, is_total, is_never_negative),
        step=brief.step,
        is_never_negative=is_never_negative,
        added_up_from=_name(plan, part, part.table.keys) if is_total else "",
    )


def _limits(
    mechanism: Mechanism, noisy: Integers, margin: int | None, is_total: bool, is_never_negative: bool
) -> Limits | None:
    """Around the published numbers; of a total, only where the error of a sum of cells is public."""
    shown = np.maximum(noisy, 0) if is_never_negative else noisy
    if margin is not None:
        around: Limits | None = (shown - margin, shown + margin)
    else:
        around = None if is_total else mechanism.limits(shown)
    if around is None or not is_never_negative:
        return around
    return np.maximum(around[0], 0), around[1]


def statistic_title(plan: ReleasePlan, statistic: Statistic) -> str:
    """What a table tells: the unit of the records, or a statistic of a measure."""
    return statistic.title.capitalize() if statistic.measure else plan.data.unit.capitalize()


def _name(plan: ReleasePlan, part: Allotment, keys: Keys) -> str:
    """Short, because it becomes a file name; it says only what tells it from the others of the plan."""
    statistics = [one.statistic.title for one in allotments(plan) if one.table == part.table]
    which = ["-".join(part.statistic.title.split())] if len(statistics) > 1 else []
    if keys == part.table.keys:
        return "-".join([part.table.name, *which])
    whose = [part.table.name] if len(plan.tables) > 1 else []
    return "-".join([*whose, *which, "total", *keys])


def _by(keys: Keys) -> str:
    if not keys:
        return "in all"
    return "by " + (" and ".join(keys) if len(keys) < 3 else f"{', '.join(keys[:-1])} and {keys[-1]}")
