"""How long exactly rounded draws take beside OpenDP's vectorised discrete Laplace: a table of ratios from one run.

Run it as `python tests/bench/bench_noise.py [draws]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from workbench.privacy.distributions import Distribution, GammaLike, StandardLaplace, StudentT
from workbench.privacy.noise import SystemNoise, random_bytes
from workbench.privacy.rounding import Scales, draw_rounded, log_lattice

REPEATS = 5
DISTRIBUTIONS: list[Distribution] = [StandardLaplace(), GammaLike(), *map(StudentT, (2, 3, 4, 5))]
SCALES = [Fraction(37, 10), Fraction(10**6, 7), Fraction(10**10, 7)]


def system_words(count: int) -> NDArray[np.uint64]:
    return np.frombuffer(random_bytes(8 * count), dtype=np.uint64)


def best_seconds(work: Callable[[], object]) -> float:
    """The shortest of several runs, after one that fills the tables."""
    work()
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def measure(draws: int) -> dict[str, float]:
    """Seconds by name; OpenDP first, which the others are compared with."""
    counts = np.arange(draws, dtype=np.int64)
    seconds = {
        f"OpenDP discrete Laplace, scale {float(scale):.3g}": best_seconds(
            lambda scale=scale: SystemNoise().discrete_laplace(scale, draws)
        )
        for scale in SCALES[:2]
    }
    for distribution in DISTRIBUTIONS:
        for scale in SCALES:
            scales = Scales(1 + counts % 5, scale)
            seconds[f"{distribution}, scale {float(scale):.3g}"] = best_seconds(
                lambda kind=distribution, scales=scales: draw_rounded(kind, counts, scales, Fraction(1), system_words)
            )
    seconds["logarithms on the lattice"] = best_seconds(lambda: log_lattice(counts, Fraction(1, 10)))
    return seconds


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seconds = measure(draws)
    yardstick = next(iter(seconds.values()))
    print(f"{f'{draws:,} draws':<44}{'ms':>9}{'ns/draw':>10}{'of OpenDP':>11}")
    for name, spent in seconds.items():
        print(f"{name:<44}{spent * 1e3:>9.1f}{spent / draws * 1e9:>10.0f}{spent / yardstick:>11.3f}")


if __name__ == "__main__":
    main()
