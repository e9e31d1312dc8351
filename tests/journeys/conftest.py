"""A real main window over real samples, as an officer has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench import assets
from workbench.gui.app import make_window
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import OUT_FOLDER, SHOW_TOUR, THEME, Settings

PLANS = (assets.sample_plans(), Path(__file__).parents[1] / "plans")


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    settings = Settings(tmp_path / "settings.ini")
    settings.set(OUT_FOLDER, str(tmp_path / "out"))
    settings.set(THEME, "light")
    settings.set(SHOW_TOUR, False)
    window = make_window(qapp, settings)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.session.undo_stack.setClean()
    window.close()
    window.deleteLater()


@pytest.fixture
def open_sample(window: MainWindow, qtbot: QtBot) -> Callable[[str], None]:
    """Opens a plan of the samples or of the tests and waits until its data are read and checked."""

    def open_plan(name: str) -> None:
        window.open_file(next(folder / f"{name}.toml" for folder in PLANS if (folder / f"{name}.toml").exists()))
        qtbot.waitUntil(lambda: window.session.is_ready and not window.session.tasks.is_busy, timeout=20_000)

    return open_plan
