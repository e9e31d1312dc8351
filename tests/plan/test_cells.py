"""The full cross of public codes and its totals."""

from __future__ import annotations

import numpy as np

from workbench.data.schema import CodeList
from workbench.plan.cells import CellGrid, all_totals, totals_of_order

FIVE = CodeList.typed(("a", "b", "c", "d", "e"))
GRID = CellGrid(("x", "y"), (FIVE, FIVE))


def test_five_by_five_is_twenty_five_cells() -> None:
    assert GRID.size == 25
    first, second = GRID.code_columns()
    assert (first[:6].tolist(), second[:6].tolist()) == (["a"] * 5 + ["b"], ["a", "b", "c", "d", "e", "a"])


def test_totals_add_up_over_the_keys_left_out() -> None:
    values = np.arange(25)
    assert GRID.add_up(values, ("x",)).tolist() == [10, 35, 60, 85, 110]
    assert GRID.add_up(values, ("y",)).tolist() == [50, 55, 60, 65, 70]
    assert GRID.add_up(values, ()).tolist() == [300]
    assert GRID.total_over(("y",)).keys == ("y",)


def test_all_totals_are_every_proper_subset() -> None:
    assert all_totals(("a", "b")) == (("a",), ("b",), ())
    assert totals_of_order(("a", "b", "c"), 2) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert len(all_totals(("a", "b", "c", "d"))) == 15


def test_the_grand_total_is_one_cell() -> None:
    assert CellGrid((), ()).size == 1
    assert CellGrid((), ()).add_up(np.array([7]), ()).tolist() == [7]
