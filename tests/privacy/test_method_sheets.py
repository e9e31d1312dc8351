"""The method sheets: every mechanism has one, every section is there, and the numbers are the program’s."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from strong_alpha import alpha, independent_error

from workbench import assets
from workbench.plan.measures import MeasureGrid
from workbench.plan.neighbors import Employer, Worker
from workbench.privacy.error_law import Sizes
from workbench.privacy.mechanisms import OFFERS
from workbench.privacy.mechanisms.exponential import Exponential
from workbench.privacy.mechanisms.gaussian import Gaussian
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.mechanisms.joint_t import JointT
from workbench.privacy.mechanisms.laplace import GridLaplace
from workbench.privacy.mechanisms.log_gaussian import LogGaussian
from workbench.privacy.mechanisms.log_laplace import LogLaplace
from workbench.privacy.mechanisms.midpoint import MidpointT
from workbench.privacy.mechanisms.smooth import Smooth
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma, Split
from workbench.privacy.mechanisms.smooth_laplace import SmoothLaplace
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.mechanisms.student import StudentMagnitude
from workbench.privacy.mechanisms.truncated_laplace import TruncatedLaplace
from workbench.privacy.routes import totals
from workbench.privacy.unfit import Unfit
from workbench.privacy.zcdp import epsilon_of

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
SHEETS = sorted({offer.method_sheet for offer in OFFERS} | {Exponential.name, "composition"})
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


@pytest.mark.parametrize("name", SHEETS)
def test_every_sheet_has_every_section_in_order(name: str) -> None:
    sheet = assets.text("methods", f"{name}.md")
    assert sheet.startswith("# ")
    assert [line[3:] for line in sheet.splitlines() if line.startswith("## ")] == SECTIONS
    assert all(part.strip() for part in sheet.split("\n## ")[1:])


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("log-laplace", "It is ln(1+α), and only for ln(n + 1/α)"),
        ("log-laplace", "The factor 2 pays for a job move; one step spends ε/2"),
        ("smooth-gamma", "Slides give α·x as the sensitivity"),
        ("smooth-t", "Slides give α·x as the sensitivity; it is max(α·x, 1)"),
        ("smooth-laplace", "Slides give α·x as the sensitivity; it is max(α·x, 1)"),
        ("smooth-gamma", "Slides state smoothness as S(D) ≤ e^α·S(D'); the factor is 1+α"),
        ("smooth-gamma", "is not enough: the dilation costs part of ε"),
        ("laplace", "That is the scale; the variance is 2(Δ/ε)²"),
        ("geometric", "That is the scale of Laplace noise; its variance is 2(Δ/ε)²"),
        ("composition", "“ER-EE privacy satisfies parallel composition” holds over establishments only"),
        ("joint-t", "It holds over establishments"),
        ("exponential", "As printed it spends up to twice ε"),
        ("composition", "“k statistics cost √k·ε” is not a bound"),
        ("laplace", "Every number here has its own draw"),
    ],
)
def test_the_sheets_say_where_slides_and_guides_are_wrong(name: str, right: str) -> None:
    sheet = assets.text("methods", f"{name}.md")
    differing = sheet.split("## Where the sources differ")[1].split("## Reference")[0]
    assert right in " ".join(differing.split())


@pytest.mark.parametrize("name", ["laplace", "truncated-laplace", "gaussian"])
def test_sums_move_by_the_farther_bound(name: str) -> None:
    assert "max(|lower|, |upper|)" in assets.text("methods", f"{name}.md")


@pytest.mark.parametrize("name", ["smooth-t", "smooth-gamma", "smooth-laplace", "joint-t"])
def test_sums_under_strong_alpha_have_the_bound_times_what_one_worker_adds(name: str) -> None:
    sheet = assets.text("methods", f"{name}.md")
    assert "k·R·S·" in sheet and "R = max(|lower|, |upper|) in steps" in sheet


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


def test_laplace_in_units_of_what_one_unit_can_change() -> None:
    assert len(rows(GridLaplace.name)) == 4
    for epsilon, expected, within in rows(GridLaplace.name):
        one = GridLaplace(Fraction(epsilon), Worker(), 10**6)
        assert [shown(one.error(UNIT_CELL).expected[0] / 1e6, 2), shown(one.margin() / 1e6, 2)] == [expected, within]
    assert GridLaplace(Fraction(1), Worker(), 150_000).margin() == 449_400


def test_truncated_laplace_counts() -> None:
    for limit, epsilon, expected, within in rows(TruncatedLaplace.name):
        one = TruncatedLaplace.consider(Employer(whole(limit)), Fraction(epsilon))
        assert isinstance(one, TruncatedLaplace)
        assert (f"{one.error(UNIT_CELL).expected[0]:,.0f}", f"{one.margin():,}") == (expected, within)


def test_gaussian_counts() -> None:
    for epsilon, delta, rho, deviation, expected, within in rows(Gaussian.name):
        one = Gaussian.consider(Worker(), Fraction(epsilon), Fraction(delta))
        assert isinstance(one, Gaussian)
        found = [shown(float(one.rho), 4), shown(float(one.sd), 2), shown(one.error(UNIT_CELL).expected[0], 2)]
        assert [*found, str(one.margin())] == [rho, deviation, expected, within]
    assert shown(Geometric(Fraction(1), Worker()).error(UNIT_CELL).expected[0], 2) == "0.85"


def test_margins_of_choices() -> None:
    for candidates, epsilon, within in rows(Exponential.name):
        assert str(Exponential(Fraction(epsilon), Worker(), 1).margin(0.95, whole(candidates))) == within


def test_midpoint_pairs_beside_what_they_are_compared_with() -> None:
    grid = MeasureGrid(Fraction(1), 0, 100_000)
    for size, epsilon, degrees, of_sum, of_count, alone, independent in rows(MidpointT.name):
        one = MidpointT.consider(alpha(size), Fraction(epsilon), grid)
        assert isinstance(one, MidpointT)
        count_error = float(one.factor * one.weight) * StudentMagnitude(one.degrees).expected_magnitude
        found = [str(one.degrees), shown(one.error(UNIT_CELL).expected[0] / grid.reach, 2), shown(count_error, 2)]
        assert found == [degrees, of_sum, of_count]
        assert in_bounds(SmoothT.consider(alpha(size), Fraction(epsilon))) == alone
        assert shown(independent_error(size, epsilon, 1, 1), 2) == independent


def test_what_counts_cost_together() -> None:
    for count, *costs in rows("composition"):
        found = totals([Fraction(1, 10)] * whole(count), MILLIONTH).values()
        assert [shown(float(cost), 2) for cost in found] == costs
    assert "ρ = 2.5562 at δ = 0.0000000001 is ε = 17.14" in assets.text("methods", "composition.md")
    assert shown(float(epsilon_of(Fraction("2.5562"), Fraction("1e-10"))), 2) == "17.14"


def whole(text: str) -> int:
    return int(text.replace(",", ""))
