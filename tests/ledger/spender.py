"""A program that spends from a ledger until it is refused and tells of every charge: spender.py PATH CAP EPSILON."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from workbench.errors import InsufficientAllowance
from workbench.ledger.accounts import Account
from workbench.ledger.book import open_ledger

THREADS = 2
ACCOUNT = Account("Jobs frame 2025", "worker", "formal DP (pure)")


def say(words: str) -> None:
    os.write(sys.stdout.fileno(), f"{words}\n".encode())


def spend(path: str, cap: Fraction, epsilon: Fraction) -> None:
    with open_ledger(path, patience=30) as ledger:
        while True:
            try:
                paid = ledger.charge(
                    ACCOUNT, epsilon, cap=cap, dataset_sha256="ab12", by="A. Moreno", about="Jobs", release="r1"
                )
            except InsufficientAllowance:
                return
            say(f"{paid.sequence} {paid.hash}")


if __name__ == "__main__":
    path, cap, epsilon = sys.argv[1], Fraction(sys.argv[2]), Fraction(sys.argv[3])
    say("ready")
    sys.stdin.readline()
    with ThreadPoolExecutor(THREADS) as writers:
        for writer in [writers.submit(spend, path, cap, epsilon) for _ in range(THREADS)]:
            writer.result()
    say("done")
