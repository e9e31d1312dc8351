"""What a guarantee leaves an outsider to guess, in whole cases of a hundred or more, never rounded in our favour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.privacy.guarantee import Guarantee
from workbench.release.release import Release

_SIZE = 1000  # the employer that the sentences speak of
_OTHER_SIZES = (1100, 2000)
_MOST_CASES = 1_000_000  # a bound nearer to certainty than one in so many cases is none


@dataclass(frozen=True)
class Odds:
    """How often an outsider who thought it a toss-up can be right, at most."""

    right: int
    of: int

    @property
    def wrong(self) -> int:
        return self.of - self.right

    @property
    def words(self) -> str:
        return f"at most {self.right:,} of {self.of:,}"

    @property
    def is_useful(self) -> bool:
        return self.wrong > 0 and self.of <= _MOST_CASES


@dataclass(frozen=True)
class Guess:
    """Something an outsider may guess at, how many neighbour steps apart the answers are, and the odds."""

    about: str
    steps: int
    epsilon: Fraction
    odds: Odds

    @property
    def answer(self) -> str:
        return self.odds.words if self.odds.is_useful else "no useful bound: this is not hidden"

    @property
    def sentence(self) -> str:
        steps = f"{self.steps} step{'s' * (self.steps != 1)}, ε = {exact_text(self.epsilon)}"
        right = f"right in {self.odds.words} such guesses" if self.odds.is_useful else "this is not hidden"
        return f"{self.about[:1].upper()}{self.about[1:]} ({steps}): {right}."


def odds(guarantee: Guarantee, steps: int = 1) -> Odds:
    """(e^ε + δ) / (1 + e^ε), rounded up to whole cases: of 100, or of more where of 100 none would stay wrong.

    Over k steps ε is k times as large, and δ is (e^(kε) - 1) / (e^ε - 1) times as large.
    """
    one, delta = (_decimal(amount) for amount in (guarantee.epsilon, guarantee.delta))
    grown = (steps * one).exp()
    if steps > 1 and delta:
        delta = min(delta * (grown - 1) / (one.exp() - 1), Decimal(1))
    wrong_share = (1 - delta) / (1 + grown)
    of = 100
    while wrong_share * of < 1 and delta < 1:
        of *= 10
    return Odds(of - int(wrong_share * of), of)


def _decimal(amount: Fraction) -> Decimal:
    return Decimal(amount.numerator) / Decimal(amount.denominator)


def secret(neighbors: Neighbors) -> str:
    """What an outsider is left to guess about: “whether …”, one neighbour step apart."""
    match neighbors:
        case Worker():
            return "whether one record is in the data"
        case WorkerHistory():
            return "whether one person is in the data"
        case Employer():
            return "whether one employer is in the data"
        case StrongAlpha():
            return _whether_size(neighbors.next_size(_SIZE))


def _whether_size(other: int) -> str:
    return f"whether an employer has {_SIZE:,} or {other:,} workers"


def two_steps(neighbors: Neighbors) -> str:
    """What two steps between neighbours are, which cost epsilon twice."""
    match neighbors:
        case Worker():
            return "two records, or one that moves between cells"
        case WorkerHistory():
            return "two persons"
        case Employer():
            return "two employers"
        case StrongAlpha():
            return "a worker who changes employers"


def guesses(release: Release) -> tuple[Guess, ...]:
    """Where one step is not the whole story: a job move is two, and two sizes of an employer can be many apart."""
    return tuple(_guesses(release.guarantee)) if isinstance(release.neighbors, StrongAlpha) else ()


def _guesses(guarantee: Guarantee) -> Iterator[Guess]:
    neighbors = guarantee.neighbors
    assert isinstance(neighbors, StrongAlpha)
    yield _guess(guarantee, "whether one worker is in the data", 1)
    yield _guess(guarantee, "whether a worker changed employers", 2)
    for size in _OTHER_SIZES:
        yield _guess(guarantee, _whether_size(size), neighbors.steps_between(_SIZE, size))


def _guess(guarantee: Guarantee, about: str, steps: int) -> Guess:
    return Guess(about, steps, steps * guarantee.epsilon, odds(guarantee, steps))


def odds_sentence(release: Release) -> str:
    return (
        f"Someone who thought it a toss-up {secret(release.neighbors)} is right in {odds(release.guarantee).words} "
        "such cases after seeing everything in this release."
    )


def wrong_sentence(release: Release) -> str:
    chances = odds(release.guarantee)
    return f"At least {chances.wrong:,} of {chances.of:,} such guesses stay wrong, whatever else the outsider knows."


def noise_sentence(release: Release) -> str:
    return (
        "Random noise was added to every number drawn, "
        f"so that nobody can learn {secret(release.neighbors)} beyond the odds stated here."
    )
