"""The same journeys in a real window on an X server, where focus and painting are the platform's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

JOURNEYS = Path(__file__).parent


@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="Xvfb is not installed")
@pytest.mark.skipif(os.environ.get("QT_QPA_PLATFORM") == "xcb", reason="this is the run on a screen")
def test_the_journeys_on_an_x_server() -> None:
    journeys = [str(JOURNEYS / name) for name in ("test_release_by_window.py", "test_release_by_keyboard.py")]
    screen = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x1000x24"]
    done = subprocess.run(
        [*screen, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *journeys],
        env={**os.environ, "QT_QPA_PLATFORM": "xcb"}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
