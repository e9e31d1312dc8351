"""Shared by all rooms: the sample plans, small made-up files, and a home of its own for every test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_data"
PLANS = ("graduate_earnings", "lodes_jobs", "tract_mobility", "university_employees")

SMALL_CSV = "place,sector,pay\n001,11,10\n001,11,20\n001,31-33,30\n003,11,40\n"
SMALL_PLAN = """\
format = 1
title = "Jobs in two places"
[data]
path = "jobs.csv"
name = "Two places"
unit = "jobs"
[columns.place]
role = "key"
codes = ["001", "003", "005"]
[columns.sector]
role = "key"
codes = ["11", "31-33"]
[protect]
neighbors = "worker"
[budget]
epsilon = "1"
[[tables]]
name = "place-sector"
keys = ["place", "sector"]
margins = "all"
  [[tables.statistics]]
  kind = "count"
"""


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the user's ledger, keys or settings."""
    home = tmp_path / "home"
    monkeypatch.setenv("WORKBENCH_HOME", str(home))
    return home


@pytest.fixture
def sample_plan() -> Callable[[str], Path]:
    return lambda name: SAMPLES / "plans" / f"{name}.toml"


@pytest.fixture
def small_plan(tmp_path: Path) -> Callable[..., Path]:
    """Writes a plan over four records; words of the plan and the data can be replaced."""

    def write(*replacements: tuple[str, str], csv: str = SMALL_CSV) -> Path:
        text = SMALL_PLAN
        for old, new in replacements:
            assert old in text, f"the small plan has no “{old}”"
            text = text.replace(old, new)
        (tmp_path / "jobs.csv").write_text(csv, encoding="utf-8")
        plan = tmp_path / "plan.toml"
        plan.write_text(text, encoding="utf-8")
        return plan

    return write
