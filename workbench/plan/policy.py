"""What the agency allows: caps and targets, read from the policy file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from workbench import assets
from workbench.plan.amounts import parse_exact


@dataclass(frozen=True)
class Policy:
    """The agency's limits and accuracy target."""

    allowance: Fraction
    largest_epsilon: Fraction
    largest_delta: Fraction
    most_cells: int
    within: Fraction
    or_within: Fraction
    target_share: Fraction
    typical_cell: int
    largest_share: Fraction


@cache
def default_policy() -> Policy:
    """The policy that ships with the program."""
    text = tomllib.loads(assets.text("policy", "default.toml"))
    budget, accuracy = text["budget"], text["accuracy"]
    return Policy(
        allowance=parse_exact(budget["allowance"]),
        largest_epsilon=parse_exact(budget["largest_epsilon"]),
        largest_delta=parse_exact(budget["largest_delta"]),
        most_cells=text["cells"]["most"],
        within=parse_exact(accuracy["within"]),
        or_within=parse_exact(accuracy["or_within"]),
        target_share=parse_exact(accuracy["share"]),
        typical_cell=accuracy["typical_cell"],
        largest_share=parse_exact(accuracy["largest_share"]),
    )
