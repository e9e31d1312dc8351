"""The exponential mechanism in the shape of the others, so that one suite audits it: a cell is a list of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbench.privacy.error_law import Floats
from workbench.privacy.guarantee import Guarantee
from workbench.privacy.mechanism import Takes
from workbench.privacy.mechanisms.exponential import Exponential
from workbench.privacy.noise import Integers, NoiseSource


@dataclass(frozen=True)
class Choices:
    """Publishes the place of the chosen candidate for every row of scores."""

    one: Exponential

    takes: ClassVar[Takes] = Takes.WORKPLACES

    def __getattr__(self, name: str) -> Any:
        return getattr(self.one, name)

    @property
    def guarantee(self) -> Guarantee:
        return self.one.guarantee

    def release(self, values: Integers, largest: Integers | None, noise: NoiseSource) -> Integers:
        return np.array([self.one.release(scores, noise) for scores in values], dtype=np.int64)

    def privacy_loss(self, n: ArrayLike, x: ArrayLike, n2: ArrayLike, x2: ArrayLike, outputs: Floats) -> Floats:
        """Of every candidate; there are no other outcomes."""
        return self.one.privacy_loss(np.asarray(n), np.asarray(n2))
