"""How long expected errors, 95 % points and shares within 10 % take for many cells at many epsilons.

They are compared with as many plain exponentials.

Run it as `python tests/bench/bench_errors.py [cells] [epsilons]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from time import perf_counter

import numpy as np

from workbench.privacy.audits.table import TABLE, Row
from workbench.privacy.audits.trial import AuditedMechanism
from workbench.privacy.audits.verdict import Question
from workbench.privacy.error_law import ErrorLaw, Floats, Sizes
from workbench.privacy.unfit import Unfit

TARGET = 1.0  # second for each mechanism, all three together


def some_sizes(cells: int) -> Sizes:
    """Right-skewed cells, with half of each in its largest establishment."""
    counts = np.rint(70 * np.exp(1.5 * np.sin(np.arange(cells) * 0.37) * 2))
    return Sizes(counts, np.ceil(counts / 2))


def fitted(row: Row, epsilons: Sequence[Fraction]) -> list[AuditedMechanism]:
    """The mechanism at each epsilon where it is valid; fitting is not timed."""
    considered = (row.mechanism(replace(row.drawn_at, epsilon=epsilon)) for epsilon in epsilons)
    return [one for one in considered if not isinstance(one, Unfit)]


def seconds_of(ask: Callable[[ErrorLaw], Floats], mechanisms: list[AuditedMechanism], sizes: Sizes) -> float:
    start = perf_counter()
    for mechanism in mechanisms:
        ask(mechanism.error(sizes)).sum()
    return perf_counter() - start


def baseline(cells: int, epsilons: int) -> float:
    numbers = np.linspace(-1, 0, cells)
    start = perf_counter()
    for _ in range(epsilons):
        np.exp(numbers).sum()
    return perf_counter() - start


def main() -> None:
    cells, number = (int(word) for word in (sys.argv[1:] + ["100000", "30"][len(sys.argv) - 1 :])[:2])
    epsilons = [Fraction(round(1000 * float(value)), 1000) for value in np.geomspace(0.1, 10, number)]
    sizes, yardstick = some_sizes(cells), min(baseline(cells, number) for _ in range(3))
    questions: list[Callable[[ErrorLaw], Floats]] = [
        lambda law: law.expected,
        lambda law: law.quantile(0.95),
        lambda law: law.chance_within(0.1 * sizes.counts),
    ]
    print(f"{f'{cells:,} cells':<26}{'epsilons':>9}{'expected':>10}{'95 %':>10}{'within':>10}{'of plain exp':>14}")
    for row in TABLE:
        if Question.ERROR in row.unasked:
            continue
        mechanisms = fitted(row, epsilons)
        spent = [seconds_of(question, mechanisms, sizes) for question in questions]
        slow = "  too slow" if sum(spent) > TARGET else ""
        columns = "".join(f"{one:>10.3f}" for one in spent)
        print(f"{row.name:<26}{len(mechanisms):>9}{columns}{sum(spent) / yardstick:>14.1f}{slow}")


if __name__ == "__main__":
    main()
