"""True cells equal a count by hand, on every sample and on the public oracle data when it is at hand."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import workflow
from workbench.data.schema import CodeList, Column, Role
from workbench.plan.plan import DataReference, ReleasePlan, Table
from workbench.plan.planfile import read_plan
from workbench.tabulate.cells import Cells, tabulate

ORACLE = Path(__file__).parents[3] / "shared" / "data" / "ipeds_jobs_small.csv"


def as_counter(cells: Cells) -> Counter[tuple[str, ...]]:
    codes = zip(*cells.grid.code_columns(), strict=True)
    return Counter({tuple(code): int(count) for code, count in zip(codes, cells.counts, strict=True) if count})


def test_empty_cells_are_there(small_plan: Callable[..., Path]) -> None:
    plan, _ = read_plan(small_plan())
    cells = tabulate(plan, plan.tables[0], workflow.data_of(plan))
    assert cells.counts.tolist() == [2, 1, 1, 0, 0, 0]


def test_the_grand_total_alone(small_plan: Callable[..., Path]) -> None:
    plan, _ = read_plan(small_plan(('keys = ["place", "sector"]\nmargins = "all"', "keys = []")))
    assert tabulate(plan, plan.tables[0], workflow.data_of(plan)).counts.tolist() == [4]


@pytest.mark.parametrize("name", ["tract_mobility", "graduate_earnings"])
def test_samples_count_as_by_hand(name: str, sample_plan: Callable[[str], Path]) -> None:
    plan, _ = read_plan(sample_plan(name))
    assert plan.data.path is not None
    with plan.data.path.open(newline="", encoding="utf-8") as file:
        by_hand = Counter(tuple(row[key] for key in plan.tables[0].keys) for row in csv.DictReader(file))
    assert as_counter(tabulate(plan, plan.tables[0], workflow.data_of(plan))) == by_hand


@pytest.mark.skipif(not ORACLE.exists(), reason="the public oracle data are not beside the project")
def test_jobs_of_real_colleges_count_as_by_hand() -> None:
    keys = ("state", "control", "sex")
    with ORACLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = tuple(Column(key, Role.KEY, CodeList.typed(tuple(sorted({row[key] for row in rows})))) for key in keys)
    plan = ReleasePlan(data=DataReference(ORACLE), columns=columns, tables=(Table("t", keys),))
    by_hand = Counter(tuple(row[key] for key in keys) for row in rows)
    assert as_counter(tabulate(plan, plan.tables[0], workflow.data_of(plan))) == by_hand
