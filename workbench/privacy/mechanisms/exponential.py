"""The exponential mechanism: chooses one candidate of a public list, good ones more often, by whole-number scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, log
from typing import ClassVar

import numpy as np

from workbench.plan.neighbors import Neighbors
from workbench.privacy.error_law import Floats
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.unfit import Unfit


@dataclass(frozen=True)
class Shortfall:
    """By how much the chosen candidate's score is below the best one. CONFIDENTIAL: it is computed from true scores."""

    distances: Floats = field(repr=False, compare=False)
    chances: Floats = field(repr=False, compare=False)

    @property
    def expected(self) -> float:
        return float(self.distances @ self.chances)

    def quantile(self, probability: float) -> float:
        """The smallest distance that the shortfall stays within with this probability, but for rounding."""
        order = np.argsort(self.distances)
        reached = int(np.searchsorted(np.cumsum(self.chances[order]), probability * (1 - 1e-12)))
        return float(self.distances[order[min(reached, len(order) - 1)]])

    def chance_within(self, distance: float) -> float:
        return float(self.chances[self.distances <= distance].sum())


@dataclass(frozen=True)
class Exponential:
    """Candidate i with a chance proportional to exp(ε·u_i / (2Δ)), Δ the most one neighbour step moves any score.

    Where one step can only raise all scores or only lower them, exp(ε·u_i / Δ) keeps the same promise.
    """

    epsilon: Fraction
    neighbors: Neighbors
    sensitivity: int
    is_monotonic: bool = False

    name: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential mechanism"
    reason: ClassVar[str] = "Chooses from a public list where a number with noise would make no sense."
    publishes_margin: ClassVar[bool] = True

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, reach: int = 1, is_monotonic: bool = False
    ) -> Exponential | Unfit:
        """`reach` is the most one record can move any score by."""
        if neighbors.most_records is None:
            return Unfit(f"It has no bound on what “{neighbors.name}” can change in a score.")
        return cls(epsilon, neighbors, neighbors.most_records * reach, is_monotonic)

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.PURE, self.neighbors, self.epsilon)

    @property
    def scale(self) -> Fraction:
        """How many points of score change a chance by the factor e."""
        return (1 if self.is_monotonic else 2) * self.sensitivity / self.epsilon

    @property
    def scale_words(self) -> str:
        exponent = "ε·u/Δ, as one step moves all scores the same way" if self.is_monotonic else "ε·u/(2Δ)"
        return f"a candidate with score u has a chance proportional to exp({exponent})"

    def release(self, scores: Integers, noise: NoiseSource) -> int:
        """The place of the chosen candidate in the list."""
        if len(scores) == 0:
            raise ValueError("a choice needs at least one candidate")
        return noise.choice(np.asarray(scores, dtype=np.int64), self.scale)

    def error(self, scores: Integers) -> Shortfall:
        """How far the choice is from the best candidate, for a preview."""
        return Shortfall((scores.max() - scores).astype(np.float64), np.exp(self.log_chances(scores)))

    def margin(self, confidence: float = 0.95, candidates: int = 1) -> int:
        """What the shortfall stays within whatever the scores are: each worse candidate has a chance below e^-(x/s)."""
        return ceil(float(self.scale) * log(max((candidates - 1) / (1 - confidence), 1)))

    def log_chances(self, scores: Integers) -> Floats:
        """ln of every candidate's chance; it does not underflow."""
        steps = (scores - scores.max()) / float(self.scale)
        return np.asarray(steps - np.log(np.exp(steps).sum()), dtype=np.float64)

    def privacy_loss(self, scores: Integers, next_scores: Integers) -> Floats:
        """ln of every candidate's chance under one list of scores over that under another."""
        return self.log_chances(scores) - self.log_chances(next_scores)
