"""One of a thing is not many of it."""

from __future__ import annotations

import pytest

from workbench.plan.units import of_unit, singular


@pytest.mark.parametrize(
    ("unit", "one"),
    [("jobs", "job"), ("people", "person"), ("employee records", "employee record"), ("births", "birth"),
     ("countries", "country"), ("boxes", "box"), ("staff", "staff")],
)  # fmt: skip
def test_units_in_the_singular(unit: str, one: str) -> None:
    assert singular(unit) == one
    assert (of_unit(1, unit), of_unit(0, unit), of_unit(2, unit)) == (one, unit, unit)
