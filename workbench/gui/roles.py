"""What each role of a column is called on screen, how it is drawn, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.data.schema import Role

Shape = Literal["square", "diamond", "circle", "ring"]


@dataclass(frozen=True)
class RoleLook:
    """The words, shape and colour of a role, and what it does in one line and in one sentence."""

    words: str
    shape: Shape
    colour: str
    meaning: str
    sentence: str


LOOKS = {
    Role.KEY: RoleLook(
        "Key", "square", "series_1", "makes the cells",
        "The codes of a key make the cells of a table. They come from a public list, never from the data.",
    ),
    Role.MEASURE: RoleLook(
        "Measure", "diamond", "series_2", "summed or averaged",
        "A measure is summed or averaged within public bounds.",
    ),
    Role.PERSON_ID: RoleLook(
        "Person id", "circle", "series_3", "says who is protected",
        "Says which records belong to one person. Ids are never published and never summed.",
    ),
    Role.EMPLOYER_ID: RoleLook(
        "Employer id", "circle", "series_3", "says who is protected",
        "Says which records belong to one employer. Ids are never published and never summed.",
    ),
    Role.WEIGHT: RoleLook(
        "Weight", "ring", "series_4", "not used by this version",
        "No statistic of this version uses weights: the column is read and changes nothing.",
    ),
    Role.IGNORE: RoleLook(
        "Ignore", "ring", "control_border", "dropped on load",
        "An ignored column is dropped on load: nothing in the release can depend on it.",
    ),
}  # fmt: skip

OFFERED = tuple(role for role in Role if role is not Role.WEIGHT)
"""The roles an officer can give in this version."""

IDS = frozenset({Role.PERSON_ID, Role.EMPLOYER_ID})

ID_REFUSAL = "An id can never be a measure."


def may_become(now: Role, wanted: Role) -> bool:
    """Whether a column may go from one role to another in one step."""
    return not (now in IDS and wanted is Role.MEASURE)
