"""What a plan still lacks, or says that cannot be: findings from the plan alone, before any data are read."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from workbench.data.findings import Finding, Severity, Stage
from workbench.data.schema import Column, Role
from workbench.plan.amounts import exact_text
from workbench.plan.cells import grid_of
from workbench.plan.neighbors import DEFINITIONS
from workbench.plan.plan import ReleasePlan, Statistic, StatisticKind, Table
from workbench.plan.policy import Policy, default_policy

_NEEDS_MEASURE = frozenset(StatisticKind) - {StatisticKind.COUNT}


def check_plan(plan: ReleasePlan, policy: Policy | None = None) -> tuple[Finding, ...]:
    """Every decision that is missing or not allowed."""
    policy = policy or default_policy()
    return (
        *_check_data(plan),
        *_check_columns(plan),
        *_check_tables(plan, policy),
        *_check_protection(plan),
        *_check_budget(plan, policy),
    )


def _block(check: str, stage: Stage, where: str, what: str, remedy: str) -> Finding:
    return Finding(check, Severity.BLOCK, stage, where, what, remedy)


def _check_data(plan: ReleasePlan) -> Iterator[Finding]:
    if plan.data.path is None:
        yield _block("data-read", Stage.DATA, "data.path", "No data file is chosen.", "Open a spreadsheet.")


def _check_columns(plan: ReleasePlan) -> Iterator[Finding]:
    for column in plan.columns:
        if column.role is Role.MEASURE:
            yield from _check_bounds(column)


def _check_bounds(column: Column) -> Iterator[Finding]:
    where = f"columns.{column.name}"
    if column.lower is None or column.upper is None:
        which = "a lower" if column.lower is None else "an upper"
        yield _block(
            "bounds-public", Stage.COLUMNS, f"{where}.{'lower' if column.lower is None else 'upper'}",
            f"{column.name} lacks {which} bound.", "Give the bound a law, a policy or a public statistic sets.",
        )  # fmt: skip
    elif column.lower >= column.upper:
        yield _block(
            "bounds-public", Stage.COLUMNS, f"{where}.upper",
            f"The upper bound of {column.name} is not above its lower bound.", "Correct one of them.",
        )  # fmt: skip
    elif column.bounds_source is None:
        yield _block(
            "bounds-public", Stage.COLUMNS, f"{where}.bounds_source",
            f"It is not said why the bounds of {column.name} are public.", "Name the law, policy or public statistic.",
        )  # fmt: skip


def _check_tables(plan: ReleasePlan, policy: Policy) -> Iterator[Finding]:
    if not plan.tables:
        yield _block("cells-public", Stage.CELLS, "tables", "No table is planned.", "Choose the keys of a table.")
    names = [table.name for table in plan.tables]
    for at, table in enumerate(plan.tables):
        if names.index(table.name) != at:
            yield _block(
                "cells-public", Stage.CELLS, f"tables.{at}.name",
                f"Two tables are called “{table.name}”.", "Give each table its own name.",
            )  # fmt: skip
        yield from _check_table(plan, at, table)
    yield from _check_size(plan, policy)


def _check_table(plan: ReleasePlan, at: int, table: Table) -> Iterator[Finding]:
    for key in dict.fromkeys(table.keys):
        yield from _check_key(plan, at, table, key)
    if not table.statistics:
        yield _block(
            "statistics-chosen", Stage.STATISTICS, f"tables.{at}.statistics",
            f"The table “{table.name}” has no statistic.", "Add a count.",
        )  # fmt: skip
    for number, statistic in enumerate(table.statistics):
        yield from _check_statistic(plan, f"tables.{at}.statistics.{number}", statistic)


def _check_key(plan: ReleasePlan, at: int, table: Table, key: str) -> Iterator[Finding]:
    column = plan.column(key)
    if table.keys.count(key) > 1:
        yield _block(
            "cells-public", Stage.CELLS, f"tables.{at}.keys", f"The key “{key}” is named twice.", "Name it once."
        )
    if column is None or column.role is not Role.KEY:
        yield _block(
            "cells-public", Stage.COLUMNS, f"columns.{key}.role",
            f"“{key}” is used as a key of “{table.name}” but its role is not key.", "Give the column the role key.",
        )  # fmt: skip
    elif column.codes is None:
        yield _block(
            "cells-public", Stage.CELLS, f"columns.{key}.codes",
            f"The key “{key}” lacks its public code list.", "Paste the codes, or choose a code file.",
        )  # fmt: skip


def _check_statistic(plan: ReleasePlan, where: str, statistic: Statistic) -> Iterator[Finding]:
    if statistic.kind not in _NEEDS_MEASURE:
        return
    column = plan.column(statistic.measure) if statistic.measure else None
    if column is None or column.role is not Role.MEASURE:
        yield _block(
            "statistics-chosen", Stage.STATISTICS, f"{where}.measure",
            f"The {statistic.kind} names no measure of the plan.", "Choose a column with the role measure.",
        )  # fmt: skip


def _check_size(plan: ReleasePlan, policy: Policy) -> Iterator[Finding]:
    for at, table in enumerate(plan.tables):
        grid = grid_of(plan, table)
        numbers = sum(prod(grid.total_over(keys).shape) for keys in (grid.keys, *table.totals)) if grid else 0
        if numbers > policy.most_cells:
            yield _block(
                "cells-count", Stage.CELLS, f"tables.{at}.keys",
                f"The table “{table.name}” would have {numbers:,} numbers; the policy allows {policy.most_cells:,}.",
                "Use fewer keys or shorter code lists.",
            )  # fmt: skip


def _check_protection(plan: ReleasePlan) -> Iterator[Finding]:
    if plan.neighbors is None:
        names = ", ".join(definition.name for definition in DEFINITIONS)
        yield _block(
            "protection-chosen", Stage.PROTECTION, "protect.neighbors",
            "It is not chosen who is protected.", f"Choose one of: {names}.",
        )  # fmt: skip
    elif plan.neighbors.needs and not plan.columns_with(plan.neighbors.needs):
        role = plan.neighbors.needs.value
        yield _block(
            "protection-chosen", Stage.COLUMNS, "protect.neighbors",
            f"Protection “{plan.neighbors.title}” needs a column with the role {role}.", "Give one column that role.",
        )  # fmt: skip


def _check_budget(plan: ReleasePlan, policy: Policy) -> Iterator[Finding]:
    epsilon, delta = plan.budget.epsilon, plan.budget.delta
    if epsilon is None:
        yield _block(
            "budget-allowed", Stage.PROTECTION, "budget.epsilon", "Epsilon is not set.", 'Choose one such as "1".'
        )
    elif epsilon <= 0:
        yield _block(
            "budget-allowed", Stage.PROTECTION, "budget.epsilon",
            f"Epsilon is {exact_text(epsilon)}; it must be above 0.", 'Choose one such as "1".',
        )  # fmt: skip
    elif epsilon > policy.largest_epsilon:
        yield _block(
            "budget-allowed", Stage.PROTECTION, "budget.epsilon",
            f"Epsilon is {exact_text(epsilon)}; the policy allows at most {exact_text(policy.largest_epsilon)}.",
            "Choose a smaller one.",
        )  # fmt: skip
    if not 0 <= delta <= policy.largest_delta:
        yield _block(
            "budget-allowed", Stage.PROTECTION, "budget.delta",
            f"Delta is {exact_text(delta)}; the policy allows 0 to {exact_text(policy.largest_delta)}.",
            'Write delta = "0".',
        )  # fmt: skip
