"""True cells equal a count by hand, on every sample and on the public oracle data when it is at hand."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench import workflow
from workbench.data.findings import Severity
from workbench.data.schema import BelongsTo, CodeList, Column, Role
from workbench.plan.cells import CellGrid
from workbench.plan.measures import measure_grid
from workbench.plan.neighbors import StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import DataReference, ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.planfile import read_plan
from workbench.tabulate.cells import Cells, largest_of_each, tabulate
from workbench.tabulate.checks import check_records

ORACLE = Path(__file__).parents[3] / "shared" / "data" / "ipeds_jobs_small.csv"


def as_counter(cells: Cells) -> Counter[tuple[str, ...]]:
    codes = zip(*cells.grid.code_columns(), strict=True)
    return Counter({tuple(code): int(count) for code, count in zip(codes, cells.counts, strict=True) if count})


def test_empty_cells_are_there(small_plan: Callable[..., Path]) -> None:
    plan, _ = read_plan(small_plan())
    cells = tabulate(plan, plan.tables[0], workflow.data_of(plan), "any")
    assert cells.counts.tolist() == [2, 1, 1, 0, 0, 0]


def test_the_grand_total_alone(small_plan: Callable[..., Path]) -> None:
    plan, _ = read_plan(small_plan(('keys = ["place", "sector"]\nmargins = "all"', "keys = []")))
    assert tabulate(plan, plan.tables[0], workflow.data_of(plan), "any").counts.tolist() == [4]


@pytest.mark.parametrize("name", ["tract_mobility", "graduate_earnings"])
def test_samples_count_as_by_hand(name: str, sample_plan: Callable[[str], Path]) -> None:
    plan, _ = read_plan(sample_plan(name))
    assert plan.data.path is not None
    with plan.data.path.open(newline="", encoding="utf-8") as file:
        by_hand = Counter(tuple(row[key] for key in plan.tables[0].keys) for row in csv.DictReader(file))
    assert as_counter(tabulate(plan, plan.tables[0], workflow.data_of(plan), "any")) == by_hand


def test_a_person_counts_at_most_so_often(sample_plan: Callable[[str], Path]) -> None:
    plan, _ = read_plan(sample_plan("university_employees"))
    dataset = workflow.data_of(plan)
    per_person = dataset.engine.connection.execute("SELECT count(*) FROM records GROUP BY person").fetchall()
    for most in (1, 3, 99):
        limited = replace(plan, neighbors=WorkerHistory(most))
        kept = [tabulate(limited, plan.tables[0], dataset, order).counts for order in ("a", "b")]
        assert [counts.sum() for counts in kept] == [sum(min(most, count) for (count,) in per_person)] * 2
        assert (kept[0].tolist() != kept[1].tolist()) == (most < 99)


def test_dropping_one_person_moves_no_more_than_her_bound(tmp_path: Path) -> None:
    rows = [(f"p{person}", cell) for person in range(40) for cell in "xyzxyz"[: 1 + person % 6]]
    columns = (Column("person", Role.PERSON_ID), Column("cell", Role.KEY, CodeList.typed(("x", "y", "z"))))

    def counts(without: str) -> NDArray[np.int64]:
        path = tmp_path / f"without-{without}.csv"
        kept = [f"{person},{cell}" for person, cell in rows if person != without]
        path.write_text("\n".join(["person,cell", *kept]))
        plan = ReleasePlan(
            data=DataReference(path), columns=columns, neighbors=WorkerHistory(2), tables=(Table("t", ("cell",)),)
        )
        return tabulate(plan, plan.tables[0], workflow.data_of(plan), "order").counts

    everyone = counts("nobody")
    for person in ("p0", "p5", "p11", "p39"):
        assert 0 < np.abs(everyone - counts(person)).sum() <= 2


@pytest.mark.skipif(not ORACLE.exists(), reason="the public oracle data are not beside the project")
def test_jobs_of_real_colleges_count_as_by_hand() -> None:
    keys = ("state", "control", "sex")
    with ORACLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = tuple(Column(key, Role.KEY, CodeList.typed(tuple(sorted({row[key] for row in rows})))) for key in keys)
    plan = ReleasePlan(data=DataReference(ORACLE), columns=columns, tables=(Table("t", keys),))
    by_hand = Counter(tuple(row[key] for key in keys) for row in rows)
    assert as_counter(tabulate(plan, plan.tables[0], workflow.data_of(plan), "any")) == by_hand


@pytest.mark.skipif(not ORACLE.exists(), reason="the public oracle data are not beside the project")
@pytest.mark.parametrize("worker_keys", [(), ("sex",), ("rank", "sex")], ids=lambda keys: "-".join(keys) or "workplace")
def test_counts_and_largest_employers_of_real_colleges_are_those_found_by_hand(worker_keys: tuple[str, ...]) -> None:
    """Every cell, empty ones included; the largest employer by all its workers, whatever their own codes are."""
    workplace = ("state", "county_fips", "control")
    with ORACLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    plan = ipeds_plan(rows, workplace, worker_keys)
    cells = tabulate(plan, plan.tables[0], workflow.data_of(plan), "any")
    assert as_counter(cells) == Counter(tuple(row[key] for key in (*workplace, *worker_keys)) for row in rows)
    sizes = Counter((tuple(row[key] for key in workplace), row["employer_id"]) for row in rows)
    largest: Counter[tuple[str, ...]] = Counter()
    for (place, _), size in sizes.items():
        largest[place] = max(largest[place], size)
    every = largest_of_each(cells)
    assert every is not None
    codes = zip(*(column.tolist() for column in cells.grid.code_columns()), strict=True)
    assert every.tolist() == [largest[code[: len(workplace)]] for code in codes]
    assert every.max() == max(sizes.values())


@pytest.mark.skipif(not ORACLE.exists(), reason="the public oracle data are not beside the project")
def test_every_real_college_is_in_one_place() -> None:
    with ORACLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    plan = ipeds_plan(rows, ("state", "county_fips", "control"), ("sex",))
    assert check_records(plan, workflow.data_of(plan)) == ()
    wrong = ipeds_plan(rows, ("state", "sex"), ())
    (finding,) = check_records(wrong, workflow.data_of(wrong))
    assert finding.check == "workplace-keys"
    assert "more than one “sex”" in finding.what


def ipeds_plan(rows: list[dict[str, str]], workplace: tuple[str, ...], worker: tuple[str, ...]) -> ReleasePlan:
    def key(name: str, whose: BelongsTo) -> Column:
        return Column(name, Role.KEY, CodeList.typed(tuple(sorted({row[name] for row in rows}))), whose)

    columns = (
        Column("employer_id", Role.EMPLOYER_ID),
        *(key(name, BelongsTo.ESTABLISHMENT) for name in workplace),
        *(key(name, BelongsTo.WORKER) for name in worker),
    )
    return ReleasePlan(
        data=DataReference(ORACLE),
        columns=columns,
        neighbors=StrongAlpha(Fraction(1, 10)),
        tables=(Table("t", (*workplace, *worker)),),
    )


PAY = Column("pay", Role.MEASURE, lower=Fraction("-0.5"), upper=Fraction(2))
ROWS = ["x,1", "x,1.23456", "x,99", "x,-7", "y,", "y,inf", "y,-1e300", "z,0.000004"]


def pay_cells(tmp_path: Path, rows: list[str]) -> Cells:
    path = tmp_path / "pay.csv"
    path.write_text("\n".join(["cell,pay", *rows]))
    columns = (Column("cell", Role.KEY, CodeList.typed(("x", "y", "z", "w"))), PAY)
    statistic = Statistic(StatisticKind.SUM, "pay")
    plan = ReleasePlan(data=DataReference(path), columns=columns, neighbors=Worker(), tables=(
        Table("t", ("cell",), statistics=(statistic,)),))  # fmt: skip
    return tabulate(plan, plan.tables[0], workflow.data_of(plan), "any")


def test_values_are_clipped_to_public_bounds_and_added_up_in_whole_steps(tmp_path: Path) -> None:
    grid = measure_grid(PAY)
    assert grid is not None
    assert (grid.step, grid.lower, grid.upper, grid.reach) == (Fraction(1, 10**5), -50_000, 200_000, 200_000)
    cells = pay_cells(tmp_path, ROWS)
    assert cells.counts.tolist() == [4, 3, 1, 0]
    assert cells.sums["pay"].tolist() == [100_000 + 123_456 + 200_000 - 50_000, 200_000 - 50_000, 0, 0]
    assert cells.largest is None, "nobody asked for it"


@pytest.mark.parametrize("removed", range(len(ROWS)))
def test_no_record_moves_a_sum_beyond_its_reach(tmp_path: Path, removed: int) -> None:
    grid = measure_grid(PAY)
    assert grid is not None
    every, fewer = pay_cells(tmp_path, ROWS), pay_cells(tmp_path, ROWS[:removed] + ROWS[removed + 1 :])
    assert np.abs(every.sums["pay"] - fewer.sums["pay"]).sum() <= grid.reach


def test_values_that_are_no_numbers_are_refused_with_their_address(tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("cell,pay\nx,1\nx,twelve\nx,\nx,NaN\n")
    columns = (Column("cell", Role.KEY, CodeList.typed(("x",))), PAY)
    statistic = Statistic(StatisticKind.SUM, "pay")
    plan = ReleasePlan(data=DataReference(path), columns=columns, neighbors=Worker(), tables=(
        Table("t", ("cell",), statistics=(statistic,)),))  # fmt: skip
    wrong, missing = check_records(plan, workflow.data_of(plan))
    assert (wrong.severity, wrong.where) == (Severity.BLOCK, "B3")
    assert "2 values of “pay”" in wrong.what
    assert missing.severity is Severity.NOTE
    assert "1 record has no “pay”" in missing.what


def test_what_the_contribution_bound_leaves_out_is_told_inside(sample_plan: Callable[[str], Path]) -> None:
    plan, _ = read_plan(sample_plan("university_employees"))
    dataset = workflow.data_of(plan)
    per_person = dataset.engine.connection.execute("SELECT count(*) FROM records GROUP BY person").fetchall()
    (finding,) = check_records(plan, dataset)
    lost = sum(max(count - 5, 0) for (count,) in per_person)
    assert f"{lost:,} of 6,000 records" in finding.what
    assert check_records(replace(plan, neighbors=WorkerHistory(99)), dataset) == ()


def test_the_cells_of_a_workplace_stand_side_by_side() -> None:
    grid = CellGrid(("sex", "place", "age"), tuple(CodeList.typed(tuple(codes)) for codes in ("FM", "abc", "12")))
    parents = grid.parents(("place",))
    places = grid.code_columns()[1]
    assert [("a", "b", "c")[at] for at in parents] == places.tolist()
    assert grid.parents(()).tolist() == [0] * 12
    assert grid.parents(grid.keys).tolist() == list(range(12))
