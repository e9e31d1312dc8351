"""Neighbour definitions: what one step is, and how many steps lie between two sizes."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

from workbench.plan.neighbors import DEFINITIONS, StrongAlpha

TENTH = StrongAlpha(Fraction(1, 10))


@pytest.mark.parametrize(("size", "reached"), [(0, 1), (1, 2), (9, 10), (10, 11), (15, 16), (25, 27), (1000, 1100)])
def test_one_step_up(size: int, reached: int) -> None:
    assert TENTH.next_size(size) == reached


def test_the_strict_reading_rounds_up() -> None:
    strict = StrongAlpha(Fraction(1, 10), strict=True)
    assert [strict.next_size(size) for size in (10, 11, 15, 1000)] == [11, 13, 17, 1100]
    assert "rounded up" in strict.statement


@pytest.mark.parametrize(("smaller", "larger", "steps"), [(1000, 1100, 1), (1, 10, 9), (10, 10, 0), (1000, 1101, 2)])
def test_steps_are_counted_one_by_one(smaller: int, larger: int, steps: int) -> None:
    assert TENTH.steps_between(smaller, larger) == steps


def test_the_logarithm_of_the_ratio_undercounts_where_sizes_are_rounded_down() -> None:
    assert TENTH.steps_between(15, 27) == 9
    assert log(27 / 15) / log(1.1) < 7


def test_every_definition_has_its_own_name() -> None:
    assert len({definition.name for definition in DEFINITIONS}) == len(DEFINITIONS)
