"""Broken mechanisms: each is caught, and by the audit that is meant to see its fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from workbench.plan.neighbors import WorkerHistory
from workbench.privacy.audits.choices import Choices
from workbench.privacy.audits.losses import audit_losses
from workbench.privacy.audits.selftest import audit_draws_of
from workbench.privacy.audits.table import TABLE, Row, row_named
from workbench.privacy.audits.trial import Trial
from workbench.privacy.audits.verdict import Question
from workbench.privacy.error_law import Floats, ScaledLaw, Sizes
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.mechanisms.exponential import Exponential
from workbench.privacy.mechanisms.gaussian import Gaussian
from workbench.privacy.mechanisms.geometric import Geometric
from workbench.privacy.mechanisms.log_laplace import LogLaplace
from workbench.privacy.mechanisms.smooth_gamma import SmoothGamma
from workbench.privacy.mechanisms.smooth_t import SmoothT
from workbench.privacy.noise import Integers, NoiseSource, RehearsalNoise
from workbench.privacy.rounding import log_lattice

Q = Question
DRAWS = 10_000


@dataclass(frozen=True)
class Fault:
    """A mechanism like another but for one thing."""

    honest: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.honest, name)

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        return self.honest.release(values, largest, noise)

    def truth(self, values: Integers, published: Integers) -> Integers:
        """The true values in the shape of the published ones."""
        return values if values.shape == published.shape else values[:, 0]


class HalfTheNoise(Fault):
    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        published = self.honest.release(values, largest, noise)
        return self.truth(values, published) + (published - self.truth(values, published)) // 2


class OneMore(Fault):
    """Everything is one larger than it should be."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        return self.honest.release(values, largest, noise) + 1


class SometimesTheTruth(Fault):
    """Every tenth number is published without noise."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        published = self.honest.release(values, largest, noise)
        published[::10] = self.truth(values, published)[::10]
        return published


class OneDrawForAllCells(Fault):
    """The noise of the first cell is used for the others too: every cell is as claimed, their differences are exact."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        published = self.honest.release(values, largest, noise)
        return values + (published - values)[:, :1]


class EvenStaysEven(Fault):
    """The noise is even, so that the parity of the count shows."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        return values + (self.honest.release(values, largest, noise) - values) // 2 * 2


class NumpyLaplace(Fault):
    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        return values + np.random.default_rng(3).laplace(0, float(self.honest.scale), len(values))


class FloatWholeNumbers(Fault):
    """The right numbers in the wrong type: nothing says that they stay whole."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        return self.honest.release(values, largest, noise).astype(np.float64)


class NeverNegative(Fault):
    """Not what was claimed, though it gives nothing away."""

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Any:
        return np.maximum(self.honest.release(values, largest, noise), 0)


class BoastfulError(Fault):
    """It says that its error is 5 % smaller than it is."""

    def error(self, sizes: Sizes) -> ScaledLaw:
        law = self.honest.error(sizes)
        return replace(law, scale=0.95 * law.scale)


@dataclass(frozen=True)
class ShortQuantiles:
    """An error law whose 95 % point is its 90 % point."""

    law: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.law, name)

    def quantile(self, probability: float) -> Floats:
        return self.law.quantile(min(probability, 0.9))


class BoastfulQuantiles(Fault):
    def error(self, sizes: Sizes) -> ShortQuantiles:
        return ShortQuantiles(self.honest.error(sizes))


class ClaimsNoBias(Fault):
    """The plain form of Log-Laplace publishes too much on average, and here denies it."""

    def error(self, sizes: Sizes) -> Any:
        return Unbiased(self.honest.error(sizes))


@dataclass(frozen=True)
class Unbiased:
    law: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.law, name)

    @property
    def bias(self) -> Floats:
        return np.zeros_like(self.law.bias)


class PromisesMore(Fault):
    """Twice the epsilon is promised of what is used."""

    @property
    def guarantee(self) -> Guarantee:
        return replace(self.honest.guarantee, epsilon=2 * self.honest.guarantee.epsilon)


class RoundedBound(SmoothT):
    """S = max(⌈α·x⌉, 1), which is not smooth: it doubles between 20 and 21 at α = 1/20."""

    def bound(self, largest: Floats) -> Floats:
        return np.maximum(np.ceil(float(self.neighbors.alpha) * largest - 1e-9), 1)


class NoWorkerJoins(SmoothT):
    """S = α·x, without the one worker who may join a small establishment."""

    def bound(self, largest: Floats) -> Floats:
        return float(self.neighbors.alpha) * np.maximum(largest, 0.1)


class WrongOffset(LogLaplace):
    """ln(n + 1) in place of ln(n + 1/α)."""

    def points(self, counts: Integers) -> Integers:
        return log_lattice(counts, Fraction(1))


class SmallerDeviation(Gaussian):
    """A tenth less noise than its ρ calls for."""

    @property
    def sd(self) -> Fraction:
        return Fraction(9, 10) * Gaussian.sd.fget(self)  # type: ignore[attr-defined,no-any-return]


class OneRecordOnly(Geometric):
    """The noise covers one record, though a person may have five."""

    @property
    def sensitivity(self) -> int:
        return 1


class WithoutTheTwo(Exponential):
    """e^(ε·u/Δ), as some slides have it."""

    @property
    def scale(self) -> Fraction:
        return self.sensitivity / self.epsilon


def remade(kind: type, **changes: Any) -> Callable[[Any], Any]:
    """The same parameters in another class, or with some of them changed."""
    return lambda honest: kind(**{field.name: getattr(honest, field.name) for field in fields(honest)} | changes)


def factor_times(part: str) -> Callable[[Any], Any]:
    return lambda honest: replace(honest, factor=honest.factor * Fraction(part))


def without_paying_for_growth(honest: SmoothGamma) -> SmoothGamma:
    return replace(honest, factor=Fraction(3**0.75) / honest.epsilon)


def caught_by(row: Row, broken: Any) -> set[Question]:
    pairs, drawn_pairs = tuple(row.pairs(broken)), tuple(row.drawn_pairs(broken))
    losses = audit_losses([Trial(broken, row.law, pairs)], row.is_tight)
    quick = replace(row, draws=min(row.draws, DRAWS))
    drawn = audit_draws_of(quick, Trial(broken, row.law, drawn_pairs), RehearsalNoise(20_260_702))
    return {verdict.question for verdict in (*losses, *drawn) if not verdict.holds}


FAULTS = [
    pytest.param("smooth-t", factor_times("1/2"), {Q.PRIVACY, Q.DISTRIBUTION}, id="half the scale"),
    pytest.param("smooth-t", factor_times("99/100"), {Q.DISTRIBUTION}, id="a hundredth less noise"),
    pytest.param("smooth-t", factor_times("2"), {Q.TIGHTNESS, Q.DISTRIBUTION}, id="twice the scale"),
    pytest.param("smooth-t", remade(RoundedBound), {Q.PRIVACY, Q.ERROR}, id="a bound that is not smooth"),
    pytest.param("smooth-t", remade(NoWorkerJoins), {Q.PRIVACY}, id="no worker joins"),
    pytest.param("smooth-t", BoastfulError, {Q.ERROR}, id="a boastful error"),
    pytest.param("geometric", BoastfulQuantiles, {Q.ERROR}, id="a boastful margin"),
    pytest.param("smooth-gamma", BoastfulQuantiles, {Q.ERROR}, id="a boastful margin of what follows the largest"),
    pytest.param("log-laplace-plain", ClaimsNoBias, {Q.ERROR}, id="a bias denied"),
    pytest.param("smooth-gamma", without_paying_for_growth, {Q.PRIVACY, Q.DISTRIBUTION}, id="growth not paid for"),
    pytest.param(
        "smooth-laplace", factor_times("99/100"), {Q.PRIVACY, Q.DISTRIBUTION}, id="a delta too small for the noise"
    ),
    pytest.param("joint-t", factor_times("1/2"), {Q.PRIVACY, Q.DISTRIBUTION}, id="half the scale of all cells"),
    pytest.param("joint-t", OneDrawForAllCells, {Q.REACHABILITY, Q.BLACK_BOX}, id="one draw for all cells"),
    pytest.param("midpoint-t", factor_times("1/2"), {Q.PRIVACY, Q.DRAWS}, id="half the scale of sum and count"),
    pytest.param("log-laplace", remade(WrongOffset), {Q.PRIVACY, Q.DISTRIBUTION}, id="a wrong offset"),
    pytest.param("log-laplace", NeverNegative, {Q.DISTRIBUTION}, id="never negative"),
    pytest.param(
        "gaussian", lambda one: replace(one, rho=4 * one.rho), {Q.PRIVACY, Q.LAW}, id="a rho four times as large"
    ),
    pytest.param(
        "log-gaussian",
        lambda one: replace(one, rho=4 * one.rho),
        {Q.PRIVACY, Q.LAW},
        id="a rho four times as large on logarithms",
    ),
    pytest.param(
        "geometric",
        lambda one: OneRecordOnly(one.epsilon, WorkerHistory(5)),
        {Q.PRIVACY, Q.DISTRIBUTION, Q.BLACK_BOX},
        id="one record only",
    ),
    pytest.param("geometric", HalfTheNoise, {Q.DISTRIBUTION, Q.DRAWS, Q.ERROR, Q.BLACK_BOX}, id="half the noise"),
    pytest.param("geometric", OneMore, {Q.DISTRIBUTION, Q.DRAWS, Q.ERROR}, id="one more"),
    pytest.param("geometric", SometimesTheTruth, {Q.DISTRIBUTION, Q.DRAWS}, id="sometimes the truth"),
    pytest.param("geometric", EvenStaysEven, {Q.DISTRIBUTION, Q.REACHABILITY, Q.BLACK_BOX}, id="even stays even"),
    pytest.param("geometric", NumpyLaplace, {Q.REACHABILITY}, id="numpy's Laplace"),
    pytest.param("geometric", FloatWholeNumbers, {Q.REACHABILITY}, id="whole numbers as floats"),
    pytest.param("geometric", PromisesMore, {Q.TIGHTNESS, Q.DISTRIBUTION}, id="a promise of more"),
    pytest.param("laplace", HalfTheNoise, {Q.DISTRIBUTION, Q.BLACK_BOX}, id="half the noise of a sum"),
    pytest.param(
        "exponential", lambda one: Choices(remade(WithoutTheTwo)(one.one)), {Q.PRIVACY, Q.DRAWS}, id="without the two"
    ),
]


@pytest.mark.parametrize(("name", "kind", "expected"), FAULTS)
def test_a_fault_is_caught_by_the_audits_that_are_meant_to_see_it(
    name: str, kind: Callable[..., Any], expected: set[Question]
) -> None:
    row = row_named(name)
    assert row is not None
    assert caught_by(row, kind(row.drawn_trial().mechanism)) >= expected


@pytest.mark.parametrize(
    "row", [row for row in TABLE if row.name != "exponential"], ids=lambda row: row.name
)  # a choice has no noise to halve
def test_half_the_noise_is_caught_in_every_mechanism(row: Row) -> None:
    trial = row.drawn_trial()
    broken = replace(trial, mechanism=HalfTheNoise(trial.mechanism))  # type: ignore[arg-type]
    verdicts = audit_draws_of(replace(row, draws=2_000), broken, RehearsalNoise(20_260_703))
    failed = {verdict.question for verdict in verdicts if not verdict.holds}
    assert failed >= {Q.DRAWS, Q.ERROR}
    assert Q.DISTRIBUTION in failed | row.unasked


def test_a_verdict_says_what_is_wrong() -> None:
    row = row_named("smooth-t")
    assert row is not None
    honest: Any = row.drawn_trial().mechanism
    careless = replace(honest, factor=honest.factor / 2)
    privacy = audit_losses([Trial(careless, row.law, tuple(row.pairs(careless)))], row.is_tight)[0]
    assert not privacy.holds
    assert 1.2 < privacy.found < 2
    assert privacy.sentence.endswith("of what it promises: more than promised.")
