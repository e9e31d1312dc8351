"""Log-Laplace: discrete Laplace noise on the logarithm of a count, for an error that is a public proportion."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import log, sqrt
from typing import ClassVar

import numpy as np

from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.error_law import Floats
from workbench.privacy.guarantee import Claim, Guarantee
from workbench.privacy.mechanisms.growth import growth_log, not_strong_alpha
from workbench.privacy.mechanisms.log_scale import LATTICE, LogMechanism
from workbench.privacy.noise import Integers, NoiseSource
from workbench.privacy.unfit import Unfit, readable_above

_FINITE_MEAN = 1
_FINITE_VARIANCE = Fraction(1, 2)


class Form(StrEnum):
    """Which Log-Laplace."""

    UNBIASED = "unbiased"
    PLAIN = "plain"
    HANEY = "as in Haney et al."


# What part of epsilon one step spends: the published scale 2 ln(1+α)/ε pays for two steps, such as a job move.
SPENT = {Form.UNBIASED: Fraction(1), Form.PLAIN: Fraction(1), Form.HANEY: Fraction(1, 2)}


@dataclass(frozen=True)
class LaplaceExponent:
    """Laplace noise of scale λ < 1 in the exponent."""

    scale: float

    @property
    def mean_growth(self) -> float:
        return 1 / (1 - self.scale**2)

    def mean_excess(self, shrink: float) -> float:
        """Above η = -ln(shrink) the tail is shrink^(1/λ) / 2, and there e^η exceeds its start by λ/(1-λ) on average."""
        return float(shrink ** (1 / self.scale) / 2 * self.scale / (1 - self.scale))

    def cdf(self, z: Floats) -> Floats:
        tail = np.exp(-np.abs(z) / self.scale) / 2
        return np.where(z < 0, tail, 1 - tail)

    def magnitude_quantile(self, probability: float) -> float:
        return -self.scale * log(1 - probability)


@dataclass(frozen=True)
class LogLaplace(LogMechanism):
    """shrink · e^(ln(n + 1/α) + η) - 1/α with η ~ L(λ), λ = ln(1+α)/ε; shrink is 1 - λ² or, in the plain form, 1."""

    form: Form = Form.UNBIASED

    name: ClassVar[str] = "log-laplace"
    title: ClassVar[str] = "Log-Laplace"
    reason: ClassVar[str] = "Its error is a public proportion of the count, so a margin may stand beside every cell."

    @classmethod
    def consider(
        cls, neighbors: Neighbors, epsilon: Fraction, delta: Fraction = Fraction(0), form: Form = Form.UNBIASED
    ) -> LogLaplace | Unfit:
        """It spends no delta."""
        if not isinstance(neighbors, StrongAlpha):
            return not_strong_alpha(neighbors)
        mechanism = cls(epsilon, neighbors, form)
        if mechanism.scale >= _FINITE_MEAN:
            smallest = readable_above(growth_log(neighbors.alpha).ends[1] / SPENT[form])
            return Unfit(
                f"With α = {exact_text(neighbors.alpha)} it needs ε = {exact_text(smallest)} or more, or its error has "
                f"no finite mean; here ε = {exact_text(epsilon)}.",
                smallest,
            )
        return mechanism

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(Claim.ER_EE, self.neighbors, self.epsilon * SPENT[self.form])

    @property
    def lattice_scale(self) -> Fraction:
        return self.sensitivity / self.guarantee.epsilon

    @property
    def scale(self) -> Fraction:
        """λ, with what the lattice adds to it."""
        return self.lattice_scale / LATTICE

    @property
    def shrink(self) -> Fraction:
        return 1 - self.scale**2 if self.form is Form.UNBIASED else Fraction(1)

    @property
    def exponent(self) -> LaplaceExponent:
        return LaplaceExponent(float(self.scale))

    @property
    def relative_sd(self) -> float | None:
        """The standard deviation of published + 1/α in proportion to n + 1/α; None when it is infinite."""
        if self.scale >= _FINITE_VARIANCE:
            return None
        square = float(self.scale) ** 2
        return float(self.shrink) * sqrt(1 / (1 - 4 * square) - 1 / (1 - square) ** 2)

    @property
    def warning(self) -> str | None:
        if self.scale < _FINITE_VARIANCE:
            return None
        return (
            f"With λ = {float(self.scale):.2f} the error has no finite standard deviation: a few cells may be far off. "
            "A larger ε or a smaller α gives one."
        )

    @property
    def scale_words(self) -> str:
        return (
            f"Laplace noise of scale λ = {float(self.scale):.4g} on ln(n + 1/α), drawn on multiples of 2^-40; "
            f"{self.form} form"
        )

    def release(self, counts: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        return self.published(self.points(counts) + noise.discrete_laplace(self.lattice_scale, len(counts)))

    def log_mass(self, steps: Floats) -> Floats:
        return -np.abs(steps) / float(self.lattice_scale)

    def loss_between(self, smaller: int, larger: int) -> Fraction:
        """The largest loss between two sizes of one establishment, any number of steps apart; in company it is less."""
        points = self.points(np.array([smaller, larger], dtype=np.int64))
        return int(points[1] - points[0]) / self.lattice_scale
