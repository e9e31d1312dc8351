"""The protections an officer can choose from, each with what it would mean for this plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.data.schema import Role
from workbench.gui.models.counting import NO_BREAK, one_record, whole
from workbench.plan.neighbors import DEFINITIONS, Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import ReleasePlan, Statistic
from workbench.plan.policy import Policy
from workbench.plan.shares import drawn_statistics
from workbench.preview.metrics import Metric, measure, policy_target, typical_sizes
from workbench.privacy.choose import candidates, choose
from workbench.privacy.composition import allotments
from workbench.privacy.mechanisms import Mechanism

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
    StrongAlpha: "Changing jobs",
}


@dataclass(frozen=True)
class Protection:
    """One definition with its parameters, and its effect on the first statistic of the plan."""

    neighbors: Neighbors
    is_chosen: bool
    within: float | None
    error: float | None
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
    mechanism = _first_mechanism(replace(plan, neighbors=neighbors))
    return Protection(
        neighbors=neighbors,
        is_chosen=is_chosen,
        within=_measured(Metric.SHARE_WITHIN, plan, mechanism, policy),
        error=_measured(Metric.ABSOLUTE, plan, mechanism, policy),
        obstacle=_obstacle(plan, neighbors),
        condition=_condition(plan, neighbors),
        is_condition_met=neighbors.needs is None or bool(plan.columns_with(neighbors.needs)),
    )


def _first_mechanism(plan: ReleasePlan) -> Mechanism | None:
    part = next(iter(allotments(plan)), None)
    return choose(part.statistic, plan.neighbors, part.epsilon) if part and plan.neighbors else None


def _measured(metric: Metric, plan: ReleasePlan, mechanism: Mechanism | None, policy: Policy) -> float | None:
    if mechanism is None:
        return None
    return measure(metric, mechanism, typical_sizes(plan, policy), policy_target(policy))


def _obstacle(plan: ReleasePlan, neighbors: Neighbors) -> str:
    """Why this version cannot offer a protection: no mechanism fits any statistic of the plan."""
    statistics = drawn_statistics(plan) or (Statistic(),)
    considered = [candidates(statistic, neighbors, Fraction(1)) for statistic in statistics]
    if any(one.is_admissible for ranked in considered for one in ranked):
        return ""
    titles = " or ".join(dict.fromkeys(f"the {statistic.title}" for statistic in statistics))
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
        larger = int(1000 * (1 + neighbors.alpha))
        return f"an employer has {whole(1000)} or {whole(larger)} workers"
    return {
        Worker: f"one {one_record(unit)} is in the data",
        WorkerHistory: "one person’s records are in the data",
        Employer: "one employer’s records are in the data",
    }[type(neighbors)]


def change_of(neighbors: Neighbors, epsilon: str, doubled: str) -> str:
    """What counts as two steps, since a change is one removed and one added."""
    changed, cost = _CHANGES[type(neighbors)], f"ε{NO_BREAK}={NO_BREAK}{doubled}"
    return f"{changed} is two steps, one out and one in: {cost} for it, {epsilon} for each."
