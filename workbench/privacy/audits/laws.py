"""The distributions that mechanisms claim, from their formulas alone: a second statement, beside the code that draws.

Every law takes the public parameters of a mechanism and gives P(published <= o) for whole numbers o, one distribution
for each value of a cell. Scales are worked out again here, in floats, so that a slip in a mechanism cannot hide.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, expm1, hypot, log, pi, sqrt
from typing import Any

import numpy as np

from workbench.plan.neighbors import StrongAlpha
from workbench.privacy.audit import Counts
from workbench.privacy.audits.trial import Cdf
from workbench.privacy.error_law import Floats
from workbench.privacy.mechanisms.joint_t import Form as JointForm
from workbench.privacy.mechanisms.student import StudentMagnitude
from workbench.privacy.normal import normal_cdf

_EXACT_UP_TO = 10_000.0  # standard deviations for which a discrete Gaussian is added up mass by mass


def discrete_laplace(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """count + Z with P(Z = z) proportional to e^(-ε|z|/Δ)."""
    decay = exp(-float(mechanism.guarantee.epsilon) / (mechanism.neighbors.most_records * mechanism.reach))

    def cdf(outcome: Floats) -> Floats:
        z = outcome - count
        return np.where(
            z >= 0, 1 - decay ** (np.maximum(z, 0) + 1) / (1 + decay), decay ** -np.minimum(z, 0) / (1 + decay)
        )

    return (cdf,)


def discrete_gaussian(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """count + Z with P(Z = z) proportional to e^(-z²/(2σ²)), σ = Δ/√(2ρ)."""
    sd = mechanism.neighbors.most_records * mechanism.reach / sqrt(2 * float(mechanism.rho))
    return (lambda outcome: gaussian_steps(sd, outcome - count),)


def gaussian_steps(sd: float, z: Floats) -> Floats:
    """P(Z <= z) of discrete Gaussian noise."""
    if sd > _EXACT_UP_TO:
        return normal_cdf((z + 0.5) / sd)
    within = _gaussian_table(sd)
    middle = len(within) // 2
    return within[np.clip(z + middle, 0, len(within) - 1).astype(np.int64)]


@lru_cache(maxsize=16)
def _gaussian_table(sd: float) -> Floats:
    reach = int(12 * sd) + 2
    mass = np.exp(-np.square(np.arange(-reach, reach + 1) / sd) / 2)
    return np.asarray(np.cumsum(mass) / mass.sum(), dtype=np.float64)


def log_laplace_unbiased(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """(1 - λ²) e^(ln(n + 1/α) + L(λ)) - 1/α with λ = ln(1+α)/ε."""
    scale = _lambda(mechanism)
    return (_exponential(mechanism.neighbors, count, 1 - scale**2, lambda z: _laplace(z / scale)),)


def log_laplace_plain(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """e^(ln(n + 1/α) + L(λ)) - 1/α; as in Haney et al. λ is twice as wide, and ε is accounted as half."""
    scale = _lambda(mechanism)
    return (_exponential(mechanism.neighbors, count, 1.0, lambda z: _laplace(z / scale)),)


def log_gaussian(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """e^(ln(n + 1/α) + N(0, s²) - s²/2) - 1/α with s = ln(1+α)/√(2ρ)."""
    sd = _growth(mechanism.neighbors) / sqrt(2 * float(mechanism.rho))
    return (_exponential(mechanism.neighbors, count, exp(-(sd**2) / 2), lambda z: normal_cdf(z / sd)),)


def smooth_t(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """n + k·S·t_ν with k = (ν+1)/(2√ν) / (ε - ν ln(1+α))."""
    nu = mechanism.degrees
    factor = (nu + 1) / (2 * sqrt(nu)) / _room(mechanism, nu)
    return _scaled(mechanism, count, largest, factor, lambda z: _student(nu, z))


def smooth_gamma(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """n + k·S·η with density √2/(π(1+z⁴)), k = 3^(3/4) / (ε - 3 ln(1+α))."""
    return _scaled(mechanism, count, largest, 3**0.75 / _room(mechanism, 3), _gamma_like)


def smooth_gamma_published(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """The same noise with k = 5 / (ε - 5 ln(1+α))."""
    return _scaled(mechanism, count, largest, 5 / _room(mechanism, 5), _gamma_like)


def smooth_laplace(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """n + k·S·L(1) with the smallest k of which δ = α/(1+α) · e^(-(ε + ln(1+α))/α) · cosh(1/(kα))."""
    alpha, epsilon, delta = (float(x) for x in (mechanism.neighbors.alpha, mechanism.epsilon, mechanism.delta))
    growth = log(1 + alpha)
    level = log(delta * (1 + alpha) / alpha) + (epsilon + growth) / alpha
    factor = max(1 / (alpha * _arcosh_of_exp(level)), 1 / epsilon, 1 / ((1 + alpha) * (epsilon - growth)))
    return _scaled(mechanism, count, largest, factor, _laplace)


def smooth_laplace_published(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """n + k·S·L(1) with k = 2/ε."""
    return _scaled(mechanism, count, largest, 2 / float(mechanism.epsilon), _laplace)


def joint_t(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """Every cell alone has k·S·t_ν; k is from ε = (ν+1)/(2√ν)/k + dν ln(1+α), or (ν+d)/(2√ν)/k + max(ν, d) ln(1+α)."""
    nu, d = mechanism.degrees, mechanism.cells
    joined, dilation = (1, d * nu) if mechanism.form is JointForm.INDEPENDENT else (d, max(nu, d))
    factor = (nu + joined) / (2 * sqrt(nu)) / _room(mechanism, dilation)
    return _scaled(mechanism, count, largest, factor, lambda z: _student(nu, z))


def power_tail(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """Every cell alone has k·S·η with P(|η| > z) = (1+z)^-m, 1/k = min(e^(ε/(m+d)) - 1, (1+α)(e^(room/(m+d)) - 1))."""
    power, cells = mechanism.power, getattr(mechanism, "cells", 1)
    at_rest = expm1(float(mechanism.epsilon) / (power + cells))
    growing = (1 + float(mechanism.neighbors.alpha)) * expm1(_room(mechanism, cells) / (power + cells))
    return _scaled(mechanism, count, largest, 1 / min(at_rest, growing), lambda z: _power(power, z))


def midpoint_t(mechanism: Any, count: Counts, largest: int) -> tuple[Cdf, ...]:
    """The sum has k·S·t_ν times half the length of (U-L, (L+U)·w), with ε = (ν+2)/(2√ν)·√(1+1/w²)/k + ν ln(1+α)."""
    nu, weight, width = mechanism.degrees, float(mechanism.weight), mechanism.upper - mechanism.lower
    factor = (nu + 2) / (2 * sqrt(nu)) * hypot(1, 1 / weight) / _room(mechanism, nu)
    scale = factor * hypot(width, (mechanism.lower + mechanism.upper) * weight) / 2 * _bound(mechanism, largest)
    return (_rounded(float(count[0]), scale, lambda z: _student(nu, z)),)


def exponential(mechanism: Any, scores: Counts, largest: int) -> tuple[Cdf, ...]:
    """The place of a candidate, its chance proportional to e^(ε·u/(2Δ)), or e^(ε·u/Δ) where all scores move one way."""
    steps = scores * float(mechanism.epsilon) / (mechanism.sensitivity * (1 if mechanism.is_monotonic else 2))
    weights = np.exp(steps - steps.max())
    within = np.concatenate([[0.0], np.cumsum(weights) / weights.sum()])
    return (lambda place: within[np.clip(place + 1, 0, len(within) - 1).astype(np.int64)],)


def _arcosh_of_exp(x: float) -> float:
    return x + log(1 + sqrt(1 - exp(-2 * x)))


def _growth(neighbors: StrongAlpha) -> float:
    return log(1 + float(neighbors.alpha))


def _lambda(mechanism: Any) -> float:
    return _growth(mechanism.neighbors) / float(mechanism.guarantee.epsilon)


def _room(mechanism: Any, dilation: int) -> float:
    return float(mechanism.epsilon) - dilation * _growth(mechanism.neighbors)


def _exponential(neighbors: StrongAlpha, count: Counts, shrink: float, noise: Cdf) -> Cdf:
    """Of shrink · (n + 1/α) · e^η - 1/α, rounded to the nearest whole number."""
    offset = 1 / float(neighbors.alpha)
    floor = exp(-42.0) * shrink  # the lattice ends there

    def cdf(outcome: Floats) -> Floats:
        level = outcome + 0.5 + offset
        inside = np.log(np.maximum(level, floor) / shrink) - np.log(count + offset)
        return np.where(level > 0, noise(inside), 0)

    return cdf


def _scaled(mechanism: Any, count: Counts, largest: int, factor: float, noise: Cdf) -> tuple[Cdf, ...]:
    """Of n + k·S·η, rounded to the nearest whole number, for every value of a cell."""
    scale = factor * mechanism.reach * _bound(mechanism, largest)
    return tuple(_rounded(float(value), scale, noise) for value in np.atleast_1d(count))


def _bound(mechanism: Any, largest: int) -> float:
    """S = max(α·x, 1), strictly read α·x + 1."""
    grown = float(mechanism.neighbors.alpha) * largest
    return grown + 1 if mechanism.neighbors.strict else max(grown, 1)


def _rounded(center: float, scale: float, noise: Cdf) -> Cdf:
    return lambda outcome: noise((outcome + 0.5 - center) / scale)


def _laplace(z: Floats) -> Floats:
    tail = np.exp(-np.abs(z)) / 2
    return np.where(z < 0, tail, 1 - tail)


def _power(power: int, z: Floats) -> Floats:
    tail = (1 + np.abs(z)) ** -float(power) / 2
    return np.where(z < 0, tail, 1 - tail)


def _student(degrees: int, z: Floats) -> Floats:
    return (1 + np.sign(z) * StudentMagnitude(degrees).magnitude_cdf(np.abs(z))) / 2


def _gamma_like(z: Floats) -> Floats:
    """1/2 + (ln((z² + √2z + 1)/(z² - √2z + 1))/2 + arctan(√2z + 1) + arctan(√2z - 1)) / 2π."""
    slope = sqrt(2) * z
    logs = np.log((z * z + slope + 1) / (z * z - slope + 1)) / 2
    return 0.5 + (logs + np.arctan(slope + 1) + np.arctan(slope - 1)) / (2 * pi)
