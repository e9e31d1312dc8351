"""What a plan costs: how its budget is divided over its statistics, what they cost together, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, log

from workbench.plan.cells import worker_cells
from workbench.plan.measures import measure_grid
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.plan.plan import ReleasePlan, Statistic, Table
from workbench.plan.policy import default_policy
from workbench.plan.shares import drawn_statistics, parts_of_one
from workbench.privacy.brief import Brief
from workbench.privacy.choose import AUTO, Candidate, candidates, choose, served_by
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.mechanism import Mechanism
from workbench.privacy.mechanisms import offer_named
from workbench.privacy.routes import Route, Spending, spendings


@dataclass(frozen=True)
class Allotment:
    """One statistic of one table with its exact part of the budget; no brief while nobody is protected yet."""

    table: Table
    statistic: Statistic
    share: Fraction
    epsilon: Fraction
    brief: Brief | None

    @property
    def title(self) -> str:
        return f"{self.table.name}: {self.statistic.title}"

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return candidates(self.brief) if self.brief else ()

    @property
    def choice(self) -> Candidate | None:
        return choose(self.brief) if self.brief else None

    @property
    def mechanism(self) -> Mechanism | None:
        return self.choice.mechanism if self.choice else None


@dataclass(frozen=True)
class Composition:
    """The parts of a plan and the route by which they add up to its budget."""

    route: Route
    parts: tuple[Allotment, ...]

    @property
    def mean_log_error(self) -> float:
        """How good the parts are together: the mean logarithm of expected errors, from public facts."""
        errors = [part.choice.expected_error if part.choice else inf for part in self.parts]
        return sum(log(max(error, 1e-300)) for error in errors) / len(errors)


def allotments(plan: ReleasePlan) -> tuple[Allotment, ...]:
    """The budget divided over the plan's statistics, in the plan's order."""
    return compose(plan).parts


def compose(plan: ReleasePlan) -> Composition:
    """The route with the least expected error, from public facts; without a δ there is only one."""
    budget = plan.budget
    drawn = drawn_statistics(plan)
    if budget.epsilon is None or budget.epsilon <= 0 or sum(statistic.share for statistic in drawn) == 0:
        return Composition(Route.BASIC, ())
    is_choice = len(drawn) > 1 and 0 < budget.delta < 1 and plan.neighbors is not None
    routes = tuple(Route) if is_choice else (Route.BASIC,)
    ways = [Composition(route, tuple(_parts(plan, route, budget.epsilon))) for route in routes]
    return min(ways, key=lambda way: way.mean_log_error) if is_choice else ways[0]


def _parts(plan: ReleasePlan, route: Route, epsilon: Fraction) -> Iterator[Allotment]:
    shares = parts_of_one(drawn_statistics(plan))
    drawn = [(table, statistic) for table in plan.tables for statistic in table.statistics]
    spent = spendings(route, epsilon, plan.budget.delta, shares)
    for (table, statistic), share, spending in zip(drawn, shares, spent, strict=True):
        yield Allotment(table, statistic, share, spending.epsilon, brief_of(plan, table, statistic, spending))


def brief_of(plan: ReleasePlan, table: Table, statistic: Statistic, spending: Spending) -> Brief | None:
    """What a mechanism is asked to do for a statistic; None while it is not said who is protected."""
    if plan.neighbors is None:
        return None
    policy = default_policy()
    column = plan.column(statistic.measure) if statistic.measure else None
    return Brief(
        kind=statistic.kind,
        neighbors=plan.neighbors,
        epsilon=spending.epsilon,
        delta=spending.delta,
        rho=spending.rho,
        worker_cells=worker_cells(plan, table),
        measure=measure_grid(column) if column else None,
        wanted=statistic.mechanism,
        typical_cell=plan.typical_cell or policy.typical_cell,
        largest_share=policy.largest_share,
    )


def with_protection(plan: ReleasePlan, neighbors: Neighbors) -> ReleasePlan:
    """The plan with another protection; a named mechanism that cannot serve it gives way to the best that can."""

    def served(statistic: Statistic) -> Statistic:
        offer = offer_named(statistic.mechanism)
        fits = offer is None or neighbors.name in served_by(offer)
        return statistic if fits else replace(statistic, mechanism=AUTO)

    tables = (replace(table, statistics=tuple(map(served, table.statistics))) for table in plan.tables)
    return replace(plan, neighbors=neighbors, tables=tuple(tables))


def plan_guarantee(plan: ReleasePlan) -> Guarantee:
    """The promise of the whole plan, which is what its account is charged."""
    way = compose(plan)
    promises = [part.mechanism.guarantee for part in way.parts if part.mechanism]
    assert len(promises) == len(way.parts) > 0 and plan.neighbors and plan.budget.epsilon, "only of a checked plan"
    if way.route is Route.BASIC:
        claim = max((promise.claim for promise in promises), key=list(Claim).index)
        epsilon, delta = (sum(amounts, Fraction(0)) for amounts in zip(*map(_spent, promises), strict=True))
        return Guarantee(claim, plan.neighbors, epsilon, delta, promises[0].rho if len(promises) == 1 else None)
    is_er_ee = isinstance(plan.neighbors, StrongAlpha)
    claim = Claim.ER_EE if is_er_ee else _TOGETHER[way.route]
    rho = sum((part.brief.rho for part in way.parts if part.brief and part.brief.rho), Fraction(0))
    return Guarantee(claim, plan.neighbors, plan.budget.epsilon, plan.budget.delta, rho or None)


_TOGETHER = {Route.ADVANCED: Claim.APPROXIMATE, Route.ZCDP: Claim.ZCDP}


def _spent(promise: Guarantee) -> tuple[Fraction, Fraction]:
    return promise.epsilon, promise.delta
