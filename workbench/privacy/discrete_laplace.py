"""The distribution of the magnitude of sums of discrete Laplace noise, for margins and expected errors."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.magnitude import Magnitude, from_masses

# Below this rate the noise times its rate no longer changes shape to six digits, so one table serves by stretching.
_FINEST_RATE = 1e-3
# Above this rate the noise is zero to every digit of a float.
_COARSEST_RATE = 500.0


@lru_cache(maxsize=4096)
def magnitude(rate: float, terms: int = 1) -> Magnitude:
    """For `terms` independent draws with P(z) proportional to exp(-rate |z|)."""
    stretch = max(1.0, _FINEST_RATE / rate)
    decay = float(np.exp(-min(rate * stretch, _COARSEST_RATE)))
    mass = _one(decay) if terms == 1 else _sum(decay, terms)
    return from_masses(mass, stretch)


def _one(decay: float) -> NDArray[np.float64]:
    reach = int(np.ceil(40 / -np.log(decay))) + 1
    return np.asarray((1 - decay) / (1 + decay) * decay ** np.arange(reach), dtype=np.float64)


def _sum(decay: float, terms: int) -> NDArray[np.float64]:
    """The mass at 0, 1, 2, ... by the characteristic function on a circle long enough not to wrap."""
    spread = np.sqrt(2 * terms * decay) / (1 - decay)
    reach = 12 * spread + 40 / -np.log(decay) + 2
    size = 1 << int(np.ceil(np.log2(2 * reach)))
    angles = 2 * np.pi * np.fft.rfftfreq(size)
    transform = ((1 - decay) ** 2 / (1 - 2 * decay * np.cos(angles) + decay**2)) ** terms
    return np.maximum(np.fft.irfft(transform, size)[: size // 2], 0)
