"""Several programs at one ledger, and programs killed while they pay."""

from __future__ import annotations

import random
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.ledger.accounts import Account
from workbench.ledger.book import open_ledger

SPENDER = Path(__file__).with_name("spender.py")
ACCOUNT = Account("Jobs frame 2025", "worker", "formal DP (pure)")
KILLS = 30


@contextmanager
def spender(path, cap, epsilon):
    """Another program, ready to spend as soon as it gets a line."""
    command = [sys.executable, str(SPENDER), str(path), cap, epsilon]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def start(process):
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.parametrize("attempt", range(5))
def test_programs_that_spend_at_once_are_granted_exactly_the_cap(path, attempt):
    """Three programs of two writers each create the ledger together and ask for far more than the cap holds."""
    with ExitStack() as programs:
        processes = [programs.enter_context(spender(path, "10", "0.1")) for _ in range(3)]
        for process in processes:
            start(process)
        said = [process.communicate()[0].splitlines() for process in processes]
        assert [process.returncode for process in processes] == [0, 0, 0]
    assert [lines.pop() for lines in said] == ["done"] * 3
    acknowledged = {line for lines in said for line in lines}
    with open_ledger(path, create=False) as ledger:
        draws = {f"{entry.sequence} {entry.hash}" for entry in ledger.entries() if entry.kind == "draw"}
        assert acknowledged == draws
        assert len(draws) == 100
        assert ledger.balance(ACCOUNT).remaining == 0
        assert ledger.verify() == ledger.head()


def killed_while_paying(path, chance):
    """Let a program pay a few times, kill it a moment later, and give back what it had acknowledged."""
    with spender(path, "1000000", "0.1") as process:
        start(process)
        heard = [process.stdout.readline() for _ in range(chance.randrange(6))]
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=chance.uniform(0, 0.006))
        process.kill()
        return [line.strip() for line in (*heard, *process.stdout)]


def test_a_killed_program_has_paid_or_has_not(tmp_path):
    """Acknowledged charges are there, the chain verifies, and a kill costs no more than what was under way."""
    chance = random.Random(20251006)
    acknowledged = {}
    for kill in range(KILLS):
        path = tmp_path / ("shared.db" if kill % 2 else f"new-{kill}.db")
        acknowledged.setdefault(path, []).append(killed_while_paying(path, chance))
        with open_ledger(path) as ledger:
            ledger.verify()
            draws = [f"{entry.sequence} {entry.hash}" for entry in ledger.entries() if entry.kind == "draw"]
            spent = sum(balance.spent for balance in ledger.balances())
        told = {line for lines in acknowledged[path] for line in lines}
        assert told <= set(draws)
        assert spent == len(draws) * Fraction("0.1")
        assert len(draws) - len(told) <= 2 * len(acknowledged[path])
    assert sum(len(lines) for rounds in acknowledged.values() for lines in rounds) > KILLS
