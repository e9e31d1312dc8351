"""The sample projects that ship with the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench import assets
from workbench.plan.cells import grid_of
from workbench.plan.planfile import read_plan

_WORDS = {
    "lodes_jobs": ("building", "Jobs in every place, sector and ownership, with every total."),
    "university_employees": ("person", "Where people work after leaving; titles stand above the header."),
    "tract_mobility": ("person-clock", "One key and many small cells: what noise does to tracts."),
    "graduate_earnings": ("ledger", "Records of graduates in a full cross with empty cells."),
}
"""Icon and sentence of each sample, by the name of its plan, in the order shown."""


@dataclass(frozen=True)
class Sample:
    """One sample project as its card shows it."""

    path: Path
    title: str
    sentence: str
    icon: str
    cells: int


def samples() -> tuple[Sample, ...]:
    return tuple(_sample(assets.sample_plans() / f"{name}.toml", *words) for name, words in _WORDS.items())


def _sample(path: Path, icon: str, sentence: str) -> Sample:
    plan, _ = read_plan(path)
    grids = [grid_of(plan, table) for table in plan.tables]
    return Sample(path, plan.title, sentence, icon, sum(grid.size for grid in grids if grid))
