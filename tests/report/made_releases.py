"""Releases to write: a tiny plan with awkward names and made-up noisy numbers, as a rehearsal or as a live release."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np

from workbench.data.schema import BoundsSource, CodeList, Column, Role
from workbench.plan.cells import all_totals, grid_of
from workbench.plan.neighbors import Worker
from workbench.plan.plan import Budget, DataReference, ReleasePlan, Table
from workbench.privacy.composition import allotments
from workbench.release.assembling import assemble
from workbench.release.draw import Draw
from workbench.release.release import Charge, Mode, Release

LOOKED_AT = "The officer looked at public facts only."
TINY_NUMBERS = (12, -4, 0, 1302, 1, 30)


def tiny_plan() -> ReleasePlan:
    """Two keys of which one has labels; codes and labels that a spreadsheet would love to compute."""
    labels = ("Alder & Ash", "@home", '+"Cedar"\r\nLake')
    places = CodeList(("001", "=1+1", "-3"), labels, Path("/secret/place/places.csv"))
    sectors = CodeList.typed(("11", "31-33"))
    return ReleasePlan(
        title="=Jobs by <place> & sector",
        data=DataReference(Path("/secret/place/jobs.xlsx"), "Jobs frame 2025", "jobs"),
        columns=(
            Column("place", Role.KEY, places),
            Column("sector", Role.KEY, sectors),
            Column("pay", Role.MEASURE, lower=Fraction(0), upper=Fraction(50000), bounds_source=BoundsSource.LAW),
        ),
        neighbors=Worker(),
        budget=Budget(Fraction(2)),
        tables=(Table("place-sector", ("place", "sector"), all_totals(("place", "sector"))),),
    )


def released(plan: ReleasePlan, mode: Mode = Mode.REHEARSAL, numbers: tuple[int, ...] = ()) -> Release:
    """A release of made-up noisy numbers; the same every time."""
    is_live = mode is Mode.LIVE
    grids = [grid_of(plan, part.table) for part in allotments(plan)]
    noisy = [np.arange(grid.size, dtype=np.int64) * 7919 % 1009 - 2 for grid in grids if grid]
    if numbers:
        noisy = [np.array(numbers, dtype=np.int64)]
    charge = Charge("Jobs frame 2025", Fraction("3.5"), Fraction("5.5"), Fraction(8), 66, "d84c07aa" * 8)
    draw = Draw(
        id="jobs-r1" if is_live else "rehearsal-jobs",
        mode=mode,
        drawn_at="2025-10-07T08:10:00Z",
        by="officer-login",
        plan_sha256="ab" * 32,
        charge=charge if is_live else None,
        noisy=tuple(noisy),
    )
    return assemble(plan, draw, LOOKED_AT)
