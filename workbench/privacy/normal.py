"""The normal distribution over whole arrays, to float accuracy, for errors and audits; never for a released number."""

from __future__ import annotations

from math import erfc, exp, sqrt

import numpy as np
from numpy.typing import ArrayLike

from workbench.privacy.error_law import Floats

_erfc = np.frompyfunc(erfc, 1, 1)


def normal_cdf(z: ArrayLike) -> Floats:
    """P(N(0, 1) <= z), with all its digits in the lower tail."""
    return np.asarray(_erfc(-np.asarray(z, dtype=np.float64) / sqrt(2)), dtype=np.float64) / 2


def gaussian_excess(shift: Floats, epsilon: float) -> Floats:
    """The delta that two normal distributions of standard deviation 1, so far apart, need at an epsilon."""
    turn = np.where(shift > 0, epsilon / np.where(shift > 0, shift, 1), np.inf)
    return normal_cdf(shift / 2 - turn) - exp(epsilon) * normal_cdf(-shift / 2 - turn)
