"""The draw: the noisy numbers of one release, as they were drawn and paid for, and how they are kept on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from workbench.errors import OutputError
from workbench.plan.amounts import exact_text
from workbench.plan.plan import ReleasePlan, Statistic
from workbench.privacy.composition import Allotment, allotments
from workbench.privacy.mechanism import Mechanism, Takes
from workbench.privacy.noise import Integers, NoiseSource
from workbench.release.release import Charge, Mode
from workbench.tabulate.cells import Cells, largest_of_each

FORMAT = 1
DRAW_FILE = "draw.json"


@dataclass(frozen=True)
class Draw:
    """One array of noisy numbers per statistic of the plan, in the plan's order."""

    id: str
    mode: Mode
    drawn_at: str
    by: str
    plan_sha256: str
    charge: Charge | None
    noisy: tuple[Integers, ...] = field(repr=False, compare=False)


def draw_noise(plan: ReleasePlan, cells: Sequence[Cells], noise: NoiseSource) -> tuple[Integers, ...]:
    """Release every statistic of the plan once."""
    true_cells = dict(zip((table.name for table in plan.tables), cells, strict=True))
    return tuple(_drawn(part, true_cells[part.table.name], noise) for part in allotments(plan))


def _drawn(part: Allotment, cells: Cells, noise: NoiseSource) -> Integers:
    mechanism = part.mechanism
    assert mechanism is not None, "only a checked plan is drawn"
    return _DRAWS[mechanism.takes](mechanism, part.statistic, cells, noise)


def _cell_by_cell(mechanism: Mechanism, statistic: Statistic, cells: Cells, noise: NoiseSource) -> Integers:
    return mechanism.release(_values(statistic, cells), largest_of_each(cells), noise)


def _sums_and_counts(mechanism: Mechanism, statistic: Statistic, cells: Cells, noise: NoiseSource) -> Integers:
    both = np.stack([_values(statistic, cells), cells.counts], axis=1)
    return mechanism.release(both, largest_of_each(cells), noise)


def _by_workplace(mechanism: Mechanism, statistic: Statistic, cells: Cells, noise: NoiseSource) -> Integers:
    """The cells of a workplace side by side in a row, and back to the order of the grid."""
    assert cells.largest is not None
    order = np.argsort(cells.grid.parents(cells.workplace_keys), kind="stable")
    rows = _values(statistic, cells)[order].reshape(len(cells.largest), -1)
    noisy = np.empty(cells.grid.size, dtype=np.int64)
    noisy[order] = mechanism.release(rows, cells.largest, noise).reshape(-1)
    return noisy


_DRAWS = {
    Takes.CELLS: _cell_by_cell,
    Takes.WORKPLACES: _by_workplace,
    Takes.SUMS_AND_COUNTS: _sums_and_counts,
}


def _values(statistic: Statistic, cells: Cells) -> Integers:
    return cells.sums[statistic.measure] if statistic.measure else cells.counts


def save_draw(draw: Draw, folder: Path) -> None:
    """Put the draw on disk, durably, before anything is made from it."""
    charge = draw.charge
    amounts = ("before", "after", "cap")
    facts = {
        "format": FORMAT,
        **{name: getattr(draw, name) for name in ("id", "mode", "drawn_at", "by", "plan_sha256")},
        "charge": charge and {**vars(charge), **{name: exact_text(getattr(charge, name)) for name in amounts}},
        "noisy": [numbers.tolist() for numbers in draw.noisy],
    }
    try:
        with (folder / DRAW_FILE).open("w", encoding="utf-8", newline="\n") as file:
            json.dump(facts, file)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(DRAW_FILE, error.strerror or "the disk refused it") from error


def load_draw(folder: Path) -> Draw:
    """A draw as it was saved; every export comes from here, nothing is drawn again."""
    facts = json.loads((folder / DRAW_FILE).read_text(encoding="utf-8"))
    charge = facts["charge"]
    return Draw(
        id=facts["id"],
        mode=Mode(facts["mode"]),
        drawn_at=facts["drawn_at"],
        by=facts["by"],
        plan_sha256=facts["plan_sha256"],
        charge=charge and Charge(**{**charge, **{name: Fraction(charge[name]) for name in ("before", "after", "cap")}}),
        noisy=tuple(np.array(numbers, dtype=np.int64) for numbers in facts["noisy"]),
    )
