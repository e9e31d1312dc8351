"""What a plan lacks is found before any data are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.data.schema import CodeList, Column, Role
from workbench.plan.checks import check_plan
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import Budget, ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.planfile import read_plan

Edit = Callable[[ReleasePlan], ReleasePlan]
MANY = CodeList.typed(tuple(map(str, range(2000))))

FAULTS: dict[str, tuple[Edit, str]] = {
    "no data": (lambda plan: replace(plan, data=replace(plan.data, path=None)), "data.path"),
    "no table": (lambda plan: replace(plan, tables=()), "tables"),
    "no protection": (lambda plan: replace(plan, neighbors=None), "protect.neighbors"),
    "no employer column": (lambda plan: replace(plan, neighbors=StrongAlpha(Fraction(1, 10))), "protect.neighbors"),
    "no epsilon": (lambda plan: replace(plan, budget=Budget()), "budget.epsilon"),
    "epsilon zero": (lambda plan: replace(plan, budget=Budget(Fraction(0))), "budget.epsilon"),
    "epsilon below zero": (lambda plan: replace(plan, budget=Budget(Fraction(-1))), "budget.epsilon"),
    "epsilon beyond policy": (lambda plan: replace(plan, budget=Budget(Fraction(10**9))), "budget.epsilon"),
    "delta beyond policy": (lambda plan: replace(plan, budget=Budget(Fraction(1), Fraction(1, 2))), "budget.delta"),
    "key without list": (lambda plan: plan.with_column(Column("place", Role.KEY)), "columns.place.codes"),
    "key without role": (lambda plan: plan.with_column(Column("place")), "columns.place.role"),
    "too many cells": (
        lambda plan: plan.with_column(Column("place", Role.KEY, MANY)).with_column(Column("sector", Role.KEY, MANY)),
        "tables.0.keys",
    ),
    "mean of nothing": (
        lambda plan: plan.with_table(0, replace(plan.tables[0], statistics=(Statistic(StatisticKind.MEAN),))),
        "tables.0.statistics.0.measure",
    ),
    "measure without bound": (
        lambda plan: plan.with_column(Column("pay", Role.MEASURE, lower=Fraction(0))),
        "columns.pay.upper",
    ),
    "measure without source": (
        lambda plan: plan.with_column(Column("pay", Role.MEASURE, lower=Fraction(0), upper=Fraction(1))),
        "columns.pay.bounds_source",
    ),
    "two tables of one name": (
        lambda plan: replace(plan, tables=(*plan.tables, Table("place-sector"))),
        "tables.1.name",
    ),
}


def test_a_complete_plan_has_no_findings(small_plan: Callable[..., Path]) -> None:
    assert check_plan(read_plan(small_plan())[0]) == ()


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_at_its_place(fault: str, small_plan: Callable[..., Path]) -> None:
    edit, where = FAULTS[fault]
    findings = check_plan(edit(read_plan(small_plan())[0]))
    assert [finding.where for finding in findings] == [where]
    assert findings[0].remedy
