"""What the records are called, one or many: 24 jobs, 1 job, 1 person."""

from __future__ import annotations

import re

_SINGULARS = (
    (r"^people$", "person"),
    (r"ies$", "y"),
    (r"(ss|x|ch|sh)es$", r"\1"),
    (r"(?<=[^s])s$", ""),
)


def singular(unit: str) -> str:
    """One of the things a plan counts, by simple English rules."""
    for ending, instead in _SINGULARS:
        if re.search(ending, unit):
            return re.sub(ending, instead, unit, count=1)
    return unit


def of_unit(number: float, unit: str) -> str:
    """The word to put after a number."""
    return singular(unit) if number == 1 else unit
