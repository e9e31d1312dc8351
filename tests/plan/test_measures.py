"""The public grid of a measure: from its bounds alone, fine enough, and never reaching beyond them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from workbench.data.schema import Column, Role
from workbench.plan.measures import measure_grid


@pytest.mark.parametrize(
    ("lower", "upper", "step", "reach"),
    [
        ("0", "250000", "1", 250_000),
        ("0", "50000", "0.1", 500_000),
        ("0", "1", "0.00001", 100_000),
        ("-1", "1", "0.00001", 100_000),
        ("-3000000", "10", "10", 300_000),
        ("0.5", "0.75", "0.000001", 750_000),
    ],
)
def test_steps_are_powers_of_ten_by_the_bounds(lower: str, upper: str, step: str, reach: int) -> None:
    grid = measure_grid(Column("m", Role.MEASURE, lower=Fraction(lower), upper=Fraction(upper)))
    assert grid is not None
    assert (grid.step, grid.reach) == (Fraction(step), reach)
    assert 100_000 <= grid.upper - grid.lower < 1_000_000
    assert (grid.middle + grid.half_width, grid.middle - grid.half_width) == (grid.upper, grid.lower)


@pytest.mark.parametrize(("lower", "upper"), [(None, Fraction(1)), (Fraction(0), None), (Fraction(2), Fraction(1))])
def test_without_bounds_there_is_no_grid(lower: Fraction | None, upper: Fraction | None) -> None:
    assert measure_grid(Column("m", Role.MEASURE, lower=lower, upper=upper)) is None
