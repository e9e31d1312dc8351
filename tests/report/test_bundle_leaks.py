"""Public files of every sample hold no seed, path, user, host or hash of the data."""

from __future__ import annotations

import hashlib
import platform
import socket
import zipfile
from pathlib import Path

import pytest

from workbench import workflow
from workbench.privacy.noise import RehearsalNoise

ROOT = Path(__file__).parents[2]
SEED = 982451653
USER = "officer-at-this-desk"
HOST = "this-very-desk"


def contents(path: Path) -> list[bytes]:
    if path.suffix != ".xlsx":
        return [path.read_bytes()]
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]


@pytest.mark.parametrize("name", ["graduate_earnings", "lodes_jobs", "tract_mobility", "university_employees"])
def test_public_files_tell_nothing_they_should_not(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LOGNAME", "USER", "USERNAME"):
        monkeypatch.setenv(variable, USER)
    monkeypatch.setattr(socket, "gethostname", lambda: HOST)
    monkeypatch.setattr(platform, "node", lambda: HOST)
    plan, _ = workflow.open_plan(ROOT / "sample_data" / "plans" / f"{name}.toml")
    assert plan.data.path is not None
    bundle = workflow.release(plan, out=tmp_path / "out", noise=RehearsalNoise(SEED))
    forbidden = {
        "seed": str(SEED),
        "hash of the data": hashlib.sha256(plan.data.path.read_bytes()).hexdigest(),
        "project folder": str(ROOT),
        "output folder": str(tmp_path),
        "data file": plan.data.path.name,
        "home": str(Path.home()) + "/",
        "user": USER,
        "host": HOST,
    }
    for path in bundle.public.iterdir():
        for content in contents(path):
            for what, secret in forbidden.items():
                assert secret.encode() not in content, f"{path.name} holds the {what}"
