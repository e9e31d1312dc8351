"""Access to what ships beside the code: help, method sheets, policy, icons and sample projects."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def resource(*parts: str) -> Traversable:
    """A file or folder under resources/."""
    return files("workbench.resources").joinpath(*parts)


def text(*parts: str) -> str:
    return resource(*parts).read_text(encoding="utf-8")


def sample_plans() -> Path:
    """The folder of the ready sample plans."""
    return Path(str(files("workbench.sample_data"))) / "plans"
