"""Fixtures of the last room: releases to write, keys to sign them, and checks with something to say."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_releases import TINY_NUMBERS, released, tiny_plan

from workbench.data.findings import Finding, Severity, Stage
from workbench.plan.planfile import read_plan
from workbench.release.checks import CheckResult, review
from workbench.release.release import Mode, Release
from workbench.report.keys import SigningKey, create_key, load_key

PASSPHRASE = "correct horse battery"


@pytest.fixture
def rehearsal() -> Release:
    return released(tiny_plan(), numbers=TINY_NUMBERS)


@pytest.fixture
def live() -> Release:
    return released(tiny_plan(), Mode.LIVE, TINY_NUMBERS)


@pytest.fixture(params=["rehearsal", "live"])
def release(request: pytest.FixtureRequest) -> Release:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def sample() -> Release:
    """Jobs by place, sector and ownership with all their totals, single records protected."""
    plan, problems = read_plan(Path(__file__).parents[1] / "plans" / "jobs_of_workers.toml")
    assert not problems
    return released(plan, Mode.LIVE)


@pytest.fixture(scope="session")
def officers(tmp_path_factory: pytest.TempPathFactory) -> tuple[SigningKey, SigningKey]:
    folder = tmp_path_factory.mktemp("keys")
    moreno, okafor = (load_key(create_key(name, PASSPHRASE, folder), PASSPHRASE) for name in ("A. Moreno", "J. Okafor"))
    return moreno, okafor


@pytest.fixture
def checks() -> tuple[CheckResult, ...]:
    """All checks, one of them with something to say about the data."""
    return review([Finding("codes-listed", Severity.WARNING, Stage.COLUMNS, "jobs!C7", "7 records carry 999", "Look.")])
