"""How much showing 0 instead of a negative number raises a number on average, where that is public."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, expm1, log1p, sqrt

import numpy as np

from workbench.plan.measures import measure_grid
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.privacy.discrete_gaussian import gaussian_magnitude
from workbench.privacy.mechanisms.log_gaussian import GaussianExponent
from workbench.privacy.mechanisms.log_laplace import LaplaceExponent
from workbench.privacy.mechanisms.log_scale import Exponent
from workbench.release.release import PublishedTable, Release

Increase = Callable[[int], float]


def increase(release: Release, table: PublishedTable) -> Increase | None:
    """From a true number to the average increase, both in whole steps; None where it would tell something secret."""
    laws = {
        "geometric": _laplace,
        "laplace": _laplace,
        "truncated-laplace": _laplace,
        "gaussian": _gaussian,
        "log-laplace": _log_laplace,
        "log-gaussian": _log_gaussian,
    }
    return laws[table.mechanism](release, table) if table.mechanism in laws else None


def laplace_increase(epsilon: float, sensitivity: int, true: int) -> float:
    """q^(n+1) / (1 - q²) with q = e^(-ε/Δ)."""
    rate = epsilon / sensitivity
    return exp(-rate * (true + 1)) / -expm1(-2 * rate)


def _laplace(release: Release, table: PublishedTable) -> Increase:
    return lambda true: laplace_increase(float(table.epsilon), _sensitivity(release, table), true)


def gaussian_increase(sd: float, true: int) -> float:
    """Half of E max(|Z| - n, 0), which is the sum of P(|Z| > m) over m from n on."""
    size = gaussian_magnitude(sd)
    return float((1 - size.within[round(true / size.stretch) :]).sum() * size.stretch / 2)


def _gaussian(release: Release, table: PublishedTable) -> Increase:
    assert table.guarantee.rho is not None
    sd = _sensitivity(release, table) / sqrt(2 * float(table.guarantee.rho))
    return lambda true: gaussian_increase(sd, true)


def log_increase(neighbors: StrongAlpha, exponent: Exponent, true: int) -> float:
    """The sum of P(published <= -m) over m from 1 on, in the unbiased form, where it is largest."""
    offset = float(1 / neighbors.alpha)
    published = 0.5 - np.arange(1, ceil(offset + 0.5))
    shrunk = (true + offset) / exponent.mean_growth
    return float(exponent.cdf(np.log((published + offset) / shrunk)).sum())


def _log_laplace(release: Release, table: PublishedTable) -> Increase:
    neighbors = _strong_alpha(release.neighbors)
    scale = log1p(float(neighbors.alpha)) / float(table.epsilon)
    return lambda true: log_increase(neighbors, LaplaceExponent(scale), true)


def _log_gaussian(release: Release, table: PublishedTable) -> Increase:
    assert table.guarantee.rho is not None
    neighbors = _strong_alpha(release.neighbors)
    sd = log1p(float(neighbors.alpha)) / sqrt(2 * float(table.guarantee.rho))
    return lambda true: log_increase(neighbors, GaussianExponent(sd), true)


def _strong_alpha(neighbors: Neighbors) -> StrongAlpha:
    assert isinstance(neighbors, StrongAlpha), "only these mechanisms know alpha"
    return neighbors


def _sensitivity(release: Release, table: PublishedTable) -> int:
    """Δ in whole steps, from the public bounds."""
    records = release.neighbors.most_records
    assert records is not None, "a mechanism with one margin has a bound"
    if table.statistic == "count":
        return records
    column = next(column for column in release.columns if column.name == table.unit)
    grid = measure_grid(column)
    assert grid is not None, "a measure that was added up has bounds"
    return records * grid.reach
