"""The self-test: every mechanism of the table through every audit, at fixed public parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.privacy.audits.black_box import audit_black_box
from workbench.privacy.audits.distribution import audit_distribution, audit_draws
from workbench.privacy.audits.errors import audit_error
from workbench.privacy.audits.losses import audit_losses
from workbench.privacy.audits.reachability import audit_reachability
from workbench.privacy.audits.table import NAMES, TABLE, Row
from workbench.privacy.audits.trial import Trial, draw_pairs
from workbench.privacy.audits.verdict import Question, Verdict
from workbench.privacy.noise import NoiseSource, SystemNoise

_OF_DRAWS = {
    Question.DRAWS: audit_draws,
    Question.ERROR: audit_error,
    Question.REACHABILITY: audit_reachability,
    Question.BLACK_BOX: audit_black_box,
}


@dataclass(frozen=True)
class Result:
    """All verdicts on one mechanism."""

    name: str
    verdicts: tuple[Verdict, ...]

    @property
    def holds(self) -> bool:
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in self.verdicts if not verdict.holds)

    @property
    def sentence(self) -> str:
        if self.holds:
            return f"{self.name}: all {len(self.verdicts)} audits hold."
        return f"{self.name} fails {len(self.failed)} of {len(self.verdicts)} audits; do not release with it."

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentence, and why each audit that fails does."""
        return self.sentence, *(f"  {one.question}: {one.sentence}" for one in self.failed)


def self_test(names: Sequence[str] = NAMES, noise: NoiseSource | None = None) -> Iterator[Result]:
    """One result for each mechanism; draws come from the operating system unless another source is given."""
    for row in TABLE:
        if row.name in names:
            yield audit_row(row, noise or SystemNoise())


def audit_row(row: Row, noise: NoiseSource) -> Result:
    losses = audit_losses(row.trials(), row.is_tight)
    return Result(row.name, (*losses, *audit_draws_of(row, row.drawn_trial(), noise)))


def audit_draws_of(row: Row, trial: Trial, noise: NoiseSource) -> Iterator[Verdict]:
    """The audits of what a mechanism publishes."""
    if Question.DISTRIBUTION not in row.unasked:
        yield audit_distribution(trial)
    drawn = draw_pairs(trial, row.draws, noise)
    for question, answer in _OF_DRAWS.items():
        if question not in row.unasked:
            yield answer(trial, drawn)
