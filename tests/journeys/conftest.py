"""A real main window over real samples, as an officer has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.gui.app import make_window
from workbench.gui.main_window import MainWindow
from workbench.gui.settings import OUT_FOLDER, SHOW_TOUR, THEME, Settings


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
