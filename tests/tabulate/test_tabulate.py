"""True cells equal a count by hand, on every sample and on the public oracle data when it is at hand."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench import workflow
from workbench.data.schema import CodeList, Column, Role
from workbench.plan.neighbors import WorkerHistory
from workbench.plan.plan import DataReference, ReleasePlan, Table
from workbench.plan.planfile import read_plan
from workbench.tabulate.cells import Cells, tabulate

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
