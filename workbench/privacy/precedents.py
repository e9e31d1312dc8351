"""Epsilons of published releases, each with what it is per."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from workbench import assets


@dataclass(frozen=True)
class Precedent:
    """One published release: whom its epsilon protects, how much, and which claim it makes."""

    release: str
    unit: str
    epsilon: str
    beside: str
    claim: str


@cache
def precedents() -> tuple[Precedent, ...]:
    """The list that ships with the program."""
    listed = tomllib.loads(assets.text("precedents.toml"))["precedents"]
    return tuple(Precedent(one["release"], one["unit"], one["epsilon"], one["with"], one["claim"]) for one in listed)
