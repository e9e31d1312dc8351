"""Takes pictures of every page of the real window; without a folder it renews the picture in the README.

python installer/pictures.py [FOLDER] [--theme dark] [--size 1280x800]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["WORKBENCH_HOME"] = tempfile.mkdtemp(prefix="workbench-pictures-")

from PySide6.QtWidgets import QApplication

from workbench import assets
from workbench.gui.app import make_application, make_window
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import OUT_FOLDER, SHOW_TOUR, THEME, Settings

README_PICTURE = Path(__file__).parent.parent / "resources" / "pictures" / "window.png"
LONGEST_WAIT = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", default="1440x900")
    asked = parser.parse_args()
    window = open_sample(asked.theme, *map(int, asked.size.split("x")))
    if asked.folder is None:
        take(window, "Accuracy", README_PICTURE)
    else:
        take_all(window, asked.folder)
    window.close()


def open_sample(theme: str, width: int, height: int) -> MainWindow:
    """The window with the jobs sample read and checked."""
    folder = Path(os.environ["WORKBENCH_HOME"])
    settings = Settings(folder / "settings.ini")
    for setting, value in ((THEME, theme), (SHOW_TOUR, False), (OUT_FOLDER, str(folder / "Releases"))):
        settings.set(setting, value)
    window = make_window(make_application(), settings)
    window.resize(width, height)
    window.show()
    window.open_file(assets.sample_plans() / "lodes_jobs.toml")
    wait_until(lambda: window.session.is_ready and not window.session.tasks.is_busy)
    return window


def take_all(window: MainWindow, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(window.pages, start=1):
        take(window, page, folder / f"{number:02d}-{page.lower()}.png")
    window.session.rehearse(window.session.settings.out_folder, seed=1)
    wait_until(lambda: window.session.bundle is not None)
    take(window, "Release", folder / "08-result.png")
    window.session.close_project()
    wait_until(lambda: not window.session.tasks.is_busy)
    window.grab().save(str(folder / "00-start.png"))


def take(window: MainWindow, page: str, path: Path) -> None:
    window.show_stage(page)
    wait_until(lambda: not window.session.tasks.is_busy)
    path.parent.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(path))


def wait_until(is_so: Callable[[], bool]) -> None:
    """Let the window work until something is so, and half a second longer for charts to settle."""
    started = settled = time.monotonic()
    while time.monotonic() - settled < 0.5:
        QApplication.processEvents()
        if not is_so():
            settled = time.monotonic()
        if time.monotonic() - started > LONGEST_WAIT:
            raise SystemExit("The window did not settle.")


if __name__ == "__main__":
    main()
