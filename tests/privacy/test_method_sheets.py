"""The method sheets of the mechanisms for strong alpha: every section is there, and the numbers are the program’s."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import alpha

from workbench import assets
from workbench.privacy.error_law import Sizes
from workbench.privacy.mechanisms.joint_t import JointT
from workbench.privacy.mechanisms.log_gaussian import LogGaussian
from workbench.privacy.mechanisms.log_laplace import LogLaplace
from workbench.privacy.mechanisms.smooth import Smooth
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma, Split
from workbench.privacy.mechanisms.smooth_laplace import SmoothLaplace
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.unfit import Unfit

SECTIONS = [
    "Statement",
    "Guarantee",
    "Why it holds",
    "Accuracy",
    "What may be published",
    "What it does not protect",
    "Where the sources differ",
    "Reference",
]
KINDS = [LogLaplace, LogGaussian, SmoothGamma, SmoothT, SmoothLaplace, JointT]
MILLIONTH = Fraction("1e-6")
UNIT_CELL = Sizes(np.zeros(1), np.zeros(1))


def rows(name: str) -> list[list[str]]:
    """The table of a sheet without its header."""
    lines = [line for line in assets.text("methods", f"{name}.md").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def shown(value: float, places: int) -> str:
    return f"{value:.{places}f}"


def in_bounds(considered: Smooth | Unfit) -> str:
    return "–" if isinstance(considered, Unfit) else shown(considered.error(UNIT_CELL).expected[0], 2)


@pytest.mark.parametrize("kind", KINDS)
def test_every_sheet_has_every_section_in_order(kind: type) -> None:
    sheet = assets.text("methods", f"{kind.name}.md")
    assert [line[3:] for line in sheet.splitlines() if line.startswith("## ")] == SECTIONS


@pytest.mark.parametrize("kind", [LogLaplace, LogGaussian])
def test_relative_errors(kind: type[LogLaplace] | type[LogGaussian]) -> None:
    assert len(rows(kind.name)) >= 4
    for size, epsilon, expected, deviation, within in rows(kind.name):
        one = kind.consider(alpha(size), Fraction(epsilon), MILLIONTH)
        assert not isinstance(one, Unfit)
        law = one.error(UNIT_CELL)
        found = [law.relative_expected, one.relative_sd or 0.0, law.relative_quantile(0.95)]
        assert [shown(value, 3) for value in found] == [expected, deviation, within]


def test_smooth_gamma_in_units_of_the_bound() -> None:
    for size, epsilon, published, tight in rows(SmoothGamma.name):
        for split, expected in ((Split.PUBLISHED, published), (Split.TIGHT, tight)):
            assert in_bounds(SmoothGamma.consider(alpha(size), Fraction(epsilon), split=split)) == expected


def test_smooth_t_in_units_of_the_bound() -> None:
    for size, epsilon, degrees, expected in rows(SmoothT.name):
        one = SmoothT.consider(alpha(size), Fraction(epsilon))
        assert isinstance(one, SmoothT)
        assert (str(one.degrees), in_bounds(one)) == (degrees, expected)


def test_smooth_laplace_factors() -> None:
    for size, epsilon, factor in rows(SmoothLaplace.name):
        assert in_bounds(SmoothLaplace.consider(alpha(size), Fraction(epsilon), MILLIONTH)) == factor


def test_joint_t_in_units_of_the_bound() -> None:
    for size, epsilon, cells, form, degrees, expected, sequential in rows(JointT.name):
        one = JointT.consider(alpha(size), Fraction(epsilon), cells=int(cells))
        assert isinstance(one, JointT)
        assert [one.form, str(one.degrees), shown(one.expected_in_bounds, 2)] == [form, degrees, expected]
        assert in_bounds(SmoothT.consider(alpha(size), Fraction(epsilon) / int(cells))) == sequential
