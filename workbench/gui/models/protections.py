"""The protections an officer can choose from, each with what it would mean for this plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.data.schema import Role
from workbench.gui.models.counting import NO_BREAK, one_record, whole
from workbench.gui.models.error_words import CellError, error_of
from workbench.plan.neighbors import DEFINITIONS, Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import ReleasePlan, Statistic, Table
from workbench.plan.policy import Policy
from workbench.preview.metrics import Metric, measure, policy_target, typical_sizes
from workbench.privacy.choose import candidates
from workbench.privacy.composition import Allotment, allotments, brief_of, with_protection
from workbench.privacy.routes import Spending

FIRST_CHOICES: dict[type[Neighbors], Neighbors] = {
    Worker: Worker(),
    WorkerHistory: WorkerHistory(1),
    Employer: Employer(500),
    StrongAlpha: StrongAlpha(Fraction(1, 10)),
}
ICONS = {Worker: "person", WorkerHistory: "person-clock", Employer: "building", StrongAlpha: "building-arrows"}
_IDS = {Role.PERSON_ID: "a person id", Role.EMPLOYER_ID: "an employer id"}
_CHANGES = {
    Worker: "Changing a record",
    WorkerHistory: "Changing a person’s records",
    Employer: "Changing an employer’s records",
    StrongAlpha: "A job move",
}
_TWICE = {
    Worker: "A changed record (two steps)",
    WorkerHistory: "Changed records of a person (two steps)",
    Employer: "Changed records of an employer (two steps)",
    StrongAlpha: "Job move (two steps)",
}
_SIZE = 1000


@dataclass(frozen=True)
class Protection:
    """One definition with its parameters, and its effect on the first statistic of the plan."""

    neighbors: Neighbors
    is_chosen: bool
    statistic: Statistic
    within: float | None
    error: CellError | None
    obstacle: str
    condition: str
    is_condition_met: bool

    @property
    def is_available(self) -> bool:
        return not self.obstacle


def protections(plan: ReleasePlan, policy: Policy) -> tuple[Protection, ...]:
    """Every definition; the chosen one with the plan's own parameters."""
    return tuple(_protection(plan, policy, definition) for definition in DEFINITIONS)


def _protection(plan: ReleasePlan, policy: Policy, definition: type[Neighbors]) -> Protection:
    is_chosen = type(plan.neighbors) is definition
    neighbors = plan.neighbors if is_chosen and plan.neighbors else FIRST_CHOICES[definition]
    plan = with_protection(plan, neighbors)
    part = next(iter(allotments(plan)), None)
    return Protection(
        neighbors=neighbors,
        is_chosen=is_chosen,
        statistic=part.statistic if part else Statistic(),
        within=_within(plan, part, policy),
        error=error_of(part),
        obstacle=_obstacle(plan, policy),
        condition=_condition(plan, neighbors),
        is_condition_met=neighbors.needs is None or bool(plan.columns_with(neighbors.needs)),
    )


def _within(plan: ReleasePlan, part: Allotment | None, policy: Policy) -> float | None:
    if part is None or part.mechanism is None:
        return None
    return measure(Metric.SHARE_WITHIN, part, typical_sizes(plan, policy), policy_target(policy))


def _obstacle(plan: ReleasePlan, policy: Policy) -> str:
    """Why this version cannot offer a protection: no mechanism fits any statistic, whatever epsilon it has."""
    drawn = [(table, statistic) for table in plan.tables for statistic in table.statistics] or [
        (Table(""), Statistic())
    ]
    ample = Spending(policy.largest_epsilon, plan.budget.delta)
    briefs = [brief_of(plan, table, replace(statistic, mechanism="auto"), ample) for table, statistic in drawn]
    if any(one.is_admissible for brief in briefs if brief for one in candidates(brief)):
        return ""
    titles = " or ".join(dict.fromkeys(f"the {statistic.title}" for _, statistic in drawn))
    return f"This version has no mechanism for {titles} under this protection."


def _condition(plan: ReleasePlan, neighbors: Neighbors) -> str:
    """What the data must have, and which column has it."""
    if neighbors.needs is None:
        return ""
    named = plan.columns_with(neighbors.needs)
    role = _IDS[neighbors.needs]
    return f"{role.partition(' ')[2]}: {named[0].name}" if named else f"needs {role}"


def secret_of(neighbors: Neighbors, unit: str) -> str:
    """What an outsider cannot settle, as the end of “whether ...”."""
    if isinstance(neighbors, StrongAlpha):
        return f"an employer has {whole(_SIZE)} or {whole(neighbors.next_size(_SIZE))} workers"
    return {
        Worker: f"one {one_record(unit)} is in the data",
        WorkerHistory: "one person’s records are in the data",
        Employer: "one employer’s records are in the data",
    }[type(neighbors)]


def change_of(neighbors: Neighbors, epsilon: str, doubled: str) -> str:
    """What counts as two steps, since a change is one removed and one added."""
    changed, cost = _CHANGES[type(neighbors)], f"ε{NO_BREAK}={NO_BREAK}{doubled}"
    return f"{changed} is two steps, one out and one in: {cost} for it, {epsilon} for each."


def two_steps(neighbors: Neighbors) -> str:
    return _TWICE[type(neighbors)]


def steps_words(neighbors: StrongAlpha) -> str:
    """How far apart sizes are, in steps of epsilon each."""
    far = neighbors.steps_between(_SIZE, 2 * _SIZE)
    return (
        f"Employers of {whole(_SIZE)} and {whole(neighbors.next_size(_SIZE))} are one step apart, "
        f"{whole(_SIZE)} and {whole(2 * _SIZE)} are {far}. Each step costs{NO_BREAK}ε."
    )
