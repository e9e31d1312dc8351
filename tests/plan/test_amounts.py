"""Exact text to exact numbers and back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.plan.amounts import exact_text, parse_exact


@given(st.fractions())
def test_text_comes_back_as_the_same_number(value: Fraction) -> None:
    assert parse_exact(exact_text(value)) == value


@pytest.mark.parametrize(("text", "shown"), [("0.10", "0.1"), ("1e-6", "0.000001"), ("2/3", "2/3"), ("-0.5", "-0.5")])
def test_decimals_stay_decimals(text: str, shown: str) -> None:
    assert exact_text(parse_exact(text)) == shown


@pytest.mark.parametrize("text", ["", "abc", "1,5", "nan", "inf", "1e9999", "0x10", "1/0", "٣", "1 2"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_exact(text)
