"""Releases to write: a tiny plan with awkward names and made-up numbers, and one of every kind by real mechanisms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from workbench.data.schema import BelongsTo, BoundsSource, CodeList, Column, Role
from workbench.plan.cells import all_totals, grid_of, workplace_keys
from workbench.plan.measures import measure_grid
from workbench.plan.neighbors import Employer, StrongAlpha, Worker
from workbench.plan.plan import Budget, DataReference, ReleasePlan, Statistic, StatisticKind, Table
from workbench.privacy.composition import allotments
from workbench.privacy.noise import Integers, RehearsalNoise
from workbench.release.assembling import assemble
from workbench.release.draw import Draw, draw_noise
from workbench.release.release import Charge, Mode, Release
from workbench.tabulate.cells import Cells

LOOKED_AT = "The officer looked at public facts only."
TINY_NUMBERS = (12, -4, 0, 1302, 1, 30)
SEED = 20251007

# The size of the largest establishment of each workplace, which no file may tell.
LARGEST = (48137, 30211, 77773)


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
    grids = [grid_of(plan, part.table) for part in allotments(plan)]
    noisy = [np.arange(grid.size, dtype=np.int64) * 7919 % 1009 - 2 for grid in grids if grid]
    if numbers:
        noisy = [np.array(numbers, dtype=np.int64)]
    return of_numbers(plan, mode, noisy)


def of_numbers(plan: ReleasePlan, mode: Mode, noisy: Sequence[Integers]) -> Release:
    is_live = mode is Mode.LIVE
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


def many_places(plan: ReleasePlan, places: int) -> ReleasePlan:
    """The plan with so many places, for shares of cells."""
    codes = CodeList.typed(tuple(f"{number:05}" for number in range(places)))
    return plan.with_column(Column("place", Role.KEY, codes, BelongsTo.ESTABLISHMENT))


def establishment_plan(
    *statistics: Statistic, is_sector_of_workers: bool = False, strict: bool = False, delta: str = "0"
) -> ReleasePlan:
    """The tiny plan with employers’ sizes protected; places and, unless said otherwise, sectors are theirs."""
    plan = tiny_plan()
    place, sector, pay = plan.columns
    sector_of = BelongsTo.WORKER if is_sector_of_workers else BelongsTo.ESTABLISHMENT
    keys = place.name, sector.name
    return replace(
        plan,
        columns=(
            replace(place, belongs_to=BelongsTo.ESTABLISHMENT),
            replace(sector, belongs_to=sector_of),
            pay,
            Column("employer", Role.EMPLOYER_ID),
        ),
        neighbors=StrongAlpha(Fraction("0.1"), strict),
        budget=Budget(Fraction(2), Fraction(delta)),
        tables=(Table("place-sector", keys, all_totals(keys), statistics),),
    )


def measure_plan(lower: str, upper: str, *statistics: Statistic) -> ReleasePlan:
    """The tiny plan with sums of a measure between public bounds."""
    plan = tiny_plan()
    pay = replace(plan.columns[2], lower=Fraction(lower), upper=Fraction(upper))
    table = replace(plan.tables[0], statistics=statistics)
    return replace(plan, columns=(*plan.columns[:2], pay), tables=(table,))


def true_cells(plan: ReleasePlan, table: Table) -> Cells:
    """Made-up true numbers: cells from nobody to some ten thousand records, each paid a third of the upper bound."""
    grid = grid_of(plan, table)
    assert grid is not None
    counts = np.resize(np.array([0, 3, 41, 977, 12_345, 250], dtype=np.int64), grid.size)
    pay = plan.column("pay")
    measure = measure_grid(pay) if pay else None
    sums = {"pay": counts * (measure.upper // 3)} if measure else {}
    keys = workplace_keys(plan, table)
    is_sized = isinstance(plan.neighbors, StrongAlpha)
    largest = np.resize(np.array(LARGEST, dtype=np.int64), grid.total_over(keys).size) if is_sized else None
    return Cells(grid, counts, sums, keys, largest)


def drawn(plan: ReleasePlan, mode: Mode = Mode.LIVE, seed: int = SEED) -> Release:
    """A release by the mechanisms that the plan names; the same every time."""
    cells = [true_cells(plan, table) for table in plan.tables]
    return of_numbers(plan, mode, draw_noise(plan, cells, RehearsalNoise(seed)))


def count_by(mechanism: str = "auto") -> Statistic:
    return Statistic(mechanism=mechanism)


def sum_by(mechanism: str = "auto") -> Statistic:
    return Statistic(StatisticKind.SUM, "pay", mechanism=mechanism)


# One of every kind: what is publishable about its error differs.
KINDS: dict[str, ReleasePlan] = {
    "geometric": tiny_plan(),
    "truncated-laplace": replace(tiny_plan(), neighbors=Employer(500)),
    "gaussian": replace(
        tiny_plan(),
        budget=Budget(Fraction(1), Fraction("0.000001")),
        tables=(Table("a", ("place",), ((),), (count_by("gaussian"),)), Table("b", ("sector",))),
    ),
    "log-laplace": establishment_plan(count_by("log-laplace")),
    "log-gaussian": establishment_plan(count_by("log-gaussian"), delta="0.000001"),
    "smooth-power": establishment_plan(count_by("auto")),
    "smooth-gamma": establishment_plan(count_by("smooth-gamma")),
    "smooth-t": establishment_plan(count_by("smooth-t")),
    "smooth-t strict": establishment_plan(count_by("smooth-t"), strict=True),
    "smooth-laplace": establishment_plan(count_by("smooth-laplace"), delta="0.000001"),
    "smooth sum": establishment_plan(count_by("log-laplace"), sum_by("smooth-t")),
    "smooth midpoint": establishment_plan(count_by("log-laplace"), sum_by("midpoint-t")),
    "joint-power": establishment_plan(count_by("auto"), is_sector_of_workers=True),
    "joint-t": establishment_plan(count_by("joint-t"), is_sector_of_workers=True),
    "sum": measure_plan("0", "250000", sum_by("laplace")),
    "sum of cents": measure_plan("0", "5000", sum_by("laplace")),
    "sum of tiny": measure_plan("0", "0.05", sum_by("laplace")),
    "signed sum": measure_plan("-400", "5000", count_by(), sum_by("laplace")),
}
