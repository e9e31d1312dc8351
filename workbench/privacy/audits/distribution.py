"""Claimed distribution: draws from stratified uniforms and from a real source, against the law."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.privacy.audits.stratified import StratifiedNoise
from workbench.privacy.audits.trial import (
    Cdf,
    Drawn,
    Trial,
    cells_of,
    rows_by_cell,
    sampling_allowance,
    whole_numbers_around,
)
from workbench.privacy.audits.verdict import Question, Verdict, at_most
from workbench.privacy.error_law import Floats
from workbench.privacy.noise import Integers

_STRATA = 10_000
_FLOATS = 1e-6  # for laws worked out in floats, on lattices that are finer than that


def audit_distribution(trial: Trial) -> Verdict:
    """Nothing is left to chance: every frequency must be its chance to within two strata."""
    cells = dict.fromkeys(cell for pair in trial.pairs for cell in cells_of(pair))
    off = max(
        distance(column, law, whole_numbers_around(cell))
        for cell in cells
        for column, law in zip(trial.draw(cell, _STRATA, StratifiedNoise()).T, trial.laws(cell), strict=True)
    )
    allowed = 2 / _STRATA + _FLOATS
    return at_most(
        Question.DISTRIBUTION, allowed, off,
        f"From {_STRATA:,} stratified uniforms its distribution function is off by at most {off:.1e}"
        f"{'.' if off <= allowed else ', where the claimed one allows ' + format(allowed, '.1e') + '.'}",
    )  # fmt: skip


def audit_draws(trial: Trial, drawn: Sequence[Drawn]) -> Verdict:
    """Real draws: as near to the law as so many can be expected to be."""
    seen = rows_by_cell(drawn)
    off = max(
        distance(column, law, whole_numbers_around(cell))
        for cell, rows in seen.items()
        for column, law in zip(rows.T, trial.laws(cell), strict=True)
    )
    count = drawn[0].count
    allowed = sampling_allowance(count, comparisons=sum(rows.shape[1] for rows in seen.values())) + _FLOATS
    return at_most(
        Question.DRAWS, allowed, off,
        f"{count:,} draws from each of {len(seen)} cells are off from the claimed distribution function by at most "
        f"{off:.4f}; chance explains {allowed:.4f}.",
    )  # fmt: skip


def distance(drawn: Integers, law: Cdf, outcomes: Floats) -> float:
    """The largest difference of the distribution functions."""
    found = np.searchsorted(np.sort(drawn), outcomes, side="right") / len(drawn)
    return float(np.abs(found - law(outcomes)).max())
