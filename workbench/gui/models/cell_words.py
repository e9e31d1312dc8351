"""The words of the cells page: the product spelled out, the keys with their lists, and names for tables."""

from __future__ import annotations

from workbench.data.schema import Column, Unlisted
from workbench.gui.models.counting import many, whole
from workbench.gui.widgets.plain_table import Cell
from workbench.gui.widgets.status import State
from workbench.plan.cells import CellGrid, all_totals
from workbench.plan.plan import Keys, ReleasePlan, Table

KEY_HEADERS = ("Key", "Code list", "Codes", "Public because", "Records off the list", "")
_UNLISTED = {Unlisted.REFUSE: "refused", Unlisted.LEAVE_OUT: "left out"}


def subtitle(plan: ReleasePlan, table: Table, grid: CellGrid | None) -> str:
    """The product spelled out: 24 places × 20 sectors = 480 cells."""
    if not table.keys:
        return "No keys: the table is **1 cell**, the total of all records."
    if grid is None:
        lacking = [key for key in table.keys if (column := plan.column(key)) is None or column.codes is None]
        return f"The cells can be counted once {_and(lacking)} {'has' if len(lacking) == 1 else 'have'} a code list."
    product = " × ".join(many(len(codes), key) for key, codes in zip(grid.keys, grid.lists, strict=True))
    which = "all totals" if set(table.totals) == set(all_totals(table.keys)) else "totals"
    added = f" With {which}: {whole(grid.size + totals_size(table, grid))}." if table.totals else ""
    return f"{product} = **{many(grid.size, 'cell')}**.{added}"


def _and(names: list[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def totals_size(table: Table, grid: CellGrid) -> int:
    return sum(grid.total_over(keys).size for keys in table.totals)


def product(grid: CellGrid) -> str:
    return " × ".join(whole(len(codes)) for codes in grid.lists)


def key_row(plan: ReleasePlan, key: str) -> list[str | Cell]:
    column = plan.column(key) or Column(key)
    off_the_list = _UNLISTED[column.unlisted]
    if column.codes is None:
        lacking = Cell("none yet", state=State.NEEDS_YOU)
        return [Cell(key, bold=True), lacking, Cell("–", muted=True), Cell("–", muted=True), off_the_list, ""]
    reason = "typed in, not read from the data" if column.codes.file is None else "a public file, not the data"
    return [Cell(key, bold=True), column.codes.source, whole(len(column.codes)), reason, off_the_list, ""]


def change_words(old: Keys, new: Keys) -> str:
    """What completes “Undo ...” after the keys of a table changed."""
    if set(old) == set(new):
        return "change of key order"
    changed = " and ".join(key for key in dict.fromkeys((*old, *new)) if (key in old) != (key in new))
    return f"{'addition' if len(new) > len(old) else 'removal'} of key {changed}"


def named_after(keys: Keys) -> str:
    return "-".join(keys) or "total"


def free_name(name: str, taken: list[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name}-{number}" for number in range(2, len(taken) + 3) if f"{name}-{number}" not in taken)
