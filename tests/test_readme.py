"""The README tells the truth: its commands and its Python example run as written."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the project to a command run in it."""
    shutil.copytree(ROOT / "sample_data", tmp_path / "project" / "sample_data")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def test_the_commands_run_as_written(checkout: Path) -> None:
    commands = re.findall(r"^\.venv/bin/workbench (.+)$", README, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        words = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
        assert main(words) == 0, command


def test_the_python_example_runs_as_written(checkout: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=True)
    assert "cells come within 10 %" in done.stdout
    assert "Verified" in done.stdout


def test_every_picture_and_folder_named_is_there() -> None:
    for name in re.findall(r"\]\((resources/[^)]+)\)|`((?:resources|workbench|installer|sample_data)[\w/.]*)`", README):
        assert (ROOT / (name[0] or name[1])).exists(), name
