"""What a plan costs: shares are exact, each route stays within the budget, and the words say how it came about."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from workbench.data.findings import Severity
from workbench.data.schema import BelongsTo, CodeList, Column, Role
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import Budget, ReleasePlan, Statistic, StatisticKind, Table
from workbench.privacy.checks import check_mechanisms
from workbench.privacy.composition import allotments, compose, plan_guarantee, with_protection
from workbench.privacy.explanation import composition_words
from workbench.privacy.guarantee import Claim
from workbench.privacy.routes import Route
from workbench.privacy.zcdp import epsilon_of, rho_of_pure

COUNT = Statistic()
MILLIONTH = Fraction(1, 10**6)
PLACE = Column("place", Role.KEY, CodeList.typed(("001", "003")), BelongsTo.ESTABLISHMENT)
SEX = Column("sex", Role.KEY, CodeList.typed(("F", "M")))
PAY = Column("pay", Role.MEASURE, lower=Fraction(0), upper=Fraction(250_000))
PLAN = ReleasePlan(
    neighbors=Worker(),
    columns=(PLACE, SEX, PAY),
    budget=Budget(Fraction("0.3")),
    tables=(Table("a", statistics=(COUNT, COUNT)), Table("b", statistics=(COUNT,))),
)


def one_table(keys: tuple[str, ...], neighbors: Neighbors, mechanism: str = "auto", epsilon: str = "2") -> ReleasePlan:
    table = Table("t", keys, statistics=(replace(COUNT, mechanism=mechanism),))
    return replace(PLAN, neighbors=neighbors, tables=(table,), budget=Budget(Fraction(epsilon)))


def many_tables(count: int, delta: Fraction = MILLIONTH, mechanism: str = "auto") -> ReleasePlan:
    tables = tuple(Table(f"t{at}", ("place",), statistics=(Statistic(mechanism=mechanism),)) for at in range(count))
    return replace(PLAN, budget=Budget(Fraction(1), delta), tables=tables)


def test_three_equal_shares_add_up_exactly() -> None:
    parts = allotments(PLAN)
    assert [part.epsilon for part in parts] == [Fraction("0.1")] * 3
    assert plan_guarantee(PLAN).epsilon == Fraction("0.3")


def test_shares_are_relative() -> None:
    tables = (Table("a", statistics=(replace(COUNT, share=Fraction(2)), replace(COUNT, share=Fraction(1)))),)
    assert [part.share for part in allotments(replace(PLAN, tables=tables))] == [Fraction(2, 3), Fraction(1, 3)]


def test_without_protection_there_are_shares_but_no_mechanism() -> None:
    parts = allotments(replace(PLAN, neighbors=None))
    assert [part.epsilon for part in parts] == [Fraction("0.1")] * 3
    assert {part.mechanism for part in parts} == {None}


@pytest.mark.parametrize("count", [2, 5, 10])
def test_few_pure_statistics_are_added_plainly_even_with_a_delta(count: int) -> None:
    way = compose(many_tables(count))
    assert way.route is Route.BASIC
    promise = plan_guarantee(many_tables(count))
    assert (promise.claim, promise.epsilon, promise.delta) == (Claim.PURE, 1, 0), "what is not spent is not charged"


@pytest.mark.parametrize("mechanism", ["auto", "geometric", "gaussian"])
def test_many_statistics_with_a_delta_are_added_up_as_zcdp(mechanism: str) -> None:
    plan = many_tables(100, mechanism=mechanism)
    way = compose(plan)
    assert way.route is Route.ZCDP
    promise = plan_guarantee(plan)
    assert (promise.claim, promise.epsilon, promise.delta) == (Claim.ZCDP, 1, MILLIONTH)
    promises = [part.mechanism.guarantee for part in way.parts if part.mechanism]
    assert len(promises) == 100
    rho = sum((one.rho if one.rho is not None else rho_of_pure(one.epsilon) for one in promises), Fraction(0))
    assert epsilon_of(rho, MILLIONTH) <= 1
    assert epsilon_of(rho * Fraction(101, 100), MILLIONTH) > 1, "nothing is wasted"


def test_without_a_delta_everything_is_added_plainly() -> None:
    assert compose(many_tables(100, Fraction(0))).route is Route.BASIC


def test_a_mechanism_with_its_own_delta_is_added_plainly() -> None:
    plan = replace(many_tables(30, mechanism="smooth-laplace"), neighbors=StrongAlpha(Fraction(1, 100)))
    plan = replace(plan, budget=Budget(Fraction(20), MILLIONTH))
    assert compose(plan).route is Route.BASIC
    promise = plan_guarantee(plan)
    assert (promise.claim, promise.epsilon, promise.delta) == (Claim.ER_EE, 20, MILLIONTH)


def test_what_haney_leaves_unspent_is_not_charged() -> None:
    plan = one_table(("place",), StrongAlpha(Fraction(1, 10)), "log-laplace-haney")
    assert plan_guarantee(plan).epsilon == 1
    assert "only what it spends is charged" in composition_words(plan)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (one_table(("place", "sex"), Worker()), "every record is in one cell"),
        (one_table(("place", "sex"), WorkerHistory(3)), "At most 3 of its records count"),
        (one_table(("place", "sex"), Employer(50)), "At most 50 of its records count"),
        (one_table(("place",), StrongAlpha(Fraction(1, 10))), "Every establishment is in one cell"),
        (one_table(("place", "sex"), StrongAlpha(Fraction(1, 10))), "in 2 cells of “t”, so they do not share one"),
        (one_table(("place", "sex"), StrongAlpha(Fraction(1, 10))), "drawn jointly"),
        (one_table(("place", "sex"), StrongAlpha(Fraction(1, 10)), "smooth-t"), "each has 1/2 of it"),
        (PLAN, "add up: 0.1 + 0.1 + 0.1 = 0.3"),
        (many_tables(100), "added up as zCDP"),
        (PLAN, "Totals are added up from published cells and cost nothing"),
    ],
)
def test_the_words_say_how_the_total_came_about(plan: ReleasePlan, words: str) -> None:
    assert words in composition_words(plan)


def test_a_parallel_claim_that_does_not_hold_is_charged_sequentially() -> None:
    """Cells of workers' sex share establishments: two cells at ε/2 each, not two at ε."""
    plan = one_table(("place", "sex"), StrongAlpha(Fraction(1, 100)), "smooth-gamma")
    mechanism = allotments(plan)[0].mechanism
    assert mechanism is not None
    assert mechanism.guarantee.epsilon == 2
    assert "1/2 of ε for each cell" in mechanism.scale_words


@pytest.mark.parametrize(
    ("statistic", "neighbors", "what", "remedy"),
    [
        (Statistic(StatisticKind.MEAN, "pay"), Worker(), "not for mean", "another statistic"),
        (COUNT, StrongAlpha(Fraction(1, 2)), "it needs ε = ", "Raise epsilon to 0.406"),
        (Statistic(mechanism="laplacian"), Worker(), "“laplacian” cannot release the count", "auto, geometric"),
        (Statistic(mechanism="gaussian"), Worker(), "It needs a δ above 0", "auto, geometric"),
    ],
)
def test_what_does_not_fit_says_why_and_what_would(
    statistic: Statistic, neighbors: Neighbors, what: str, remedy: str
) -> None:
    plan = replace(PLAN, neighbors=neighbors, tables=(Table("t", ("place",), statistics=(statistic,)),))
    (finding,) = check_mechanisms(plan)
    assert finding.severity is Severity.BLOCK
    assert what in finding.what
    assert remedy in finding.remedy


def test_the_epsilon_a_refusal_names_is_accepted() -> None:
    plan = one_table(("place", "sex"), StrongAlpha(Fraction(1, 2)), epsilon="0.2")
    (finding,) = check_mechanisms(plan)
    raised = finding.remedy.removeprefix("Raise epsilon to ").split(",")[0]
    assert check_mechanisms(replace(plan, budget=Budget(Fraction(raised)))) == ()


def test_another_protection_keeps_what_can_serve_it_and_frees_the_rest() -> None:
    tables = (Table("t", ("place",), statistics=(Statistic(mechanism="geometric"), Statistic(mechanism="smooth-t"))),)
    plan = replace(PLAN, tables=tables)
    workers = with_protection(plan, WorkerHistory(2))
    assert [one.mechanism for one in workers.tables[0].statistics] == ["geometric", "auto"]
    employers = with_protection(plan, StrongAlpha(Fraction(1, 10)))
    assert [one.mechanism for one in employers.tables[0].statistics] == ["auto", "smooth-t"]
    assert employers.neighbors == StrongAlpha(Fraction(1, 10))
