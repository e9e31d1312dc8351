"""What one audit says: the claim, what was found, whether it holds, and a sentence an officer can read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Question(StrEnum):
    """What an audit asks of a mechanism."""

    PRIVACY = "privacy loss"
    TIGHTNESS = "tightness"
    RHO = "zCDP"
    LAW = "privacy of the claimed distribution"
    DISTRIBUTION = "distribution from stratified uniforms"
    DRAWS = "distribution of real draws"
    ERROR = "error"
    REACHABILITY = "reachability"
    BLACK_BOX = "black box"


@dataclass(frozen=True)
class Verdict:
    """One answer; `claimed` is the limit that `found` was held against."""

    question: Question
    claimed: float
    found: float
    holds: bool
    sentence: str


def at_most(question: Question, claimed: float, found: float, sentence: str) -> Verdict:
    """It holds when no more was found than claimed; what is not a number does not hold."""
    return Verdict(question, claimed, found, found <= claimed, sentence)


def at_least(question: Question, claimed: float, found: float, sentence: str) -> Verdict:
    return Verdict(question, claimed, found, found >= claimed, sentence)
