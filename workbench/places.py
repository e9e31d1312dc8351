"""Where a user's ledger, keys and settings live; WORKBENCH_HOME moves them all."""

from __future__ import annotations

import os
from pathlib import Path

import appdirs

_NAME = "release-workbench"


def home() -> Path:
    """The per-user folder of the program."""
    return Path(os.environ.get("WORKBENCH_HOME") or appdirs.user_data_dir(_NAME, appauthor=False))


def default_ledger() -> Path:
    return home() / "ledger.sqlite"


def key_folder() -> Path:
    return home() / "keys"
