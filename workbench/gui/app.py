"""The composition root of the window: makes the application, session and main window, and runs them."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from workbench import places
from workbench.gui import theme, trouble
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session
from workbench.gui.settings import FONT_SIZE, THEME, Settings
from workbench.gui.tasks import Tasks

_SWITCH = 0.0005  # seconds after which background work gives way to the window; Python's own 0.005 is felt in dragging


def make_application() -> QApplication:
    """The one application object, in our look."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    sys.setswitchinterval(_SWITCH)
    app.setApplicationName("Release Workbench")
    app.setDesktopFileName("release-workbench")
    return app


def make_window(app: QApplication, settings: Settings | None = None) -> MainWindow:
    """A window with a session of its own."""
    settings = settings or Settings()
    theme.apply(app, settings.get(THEME), settings.get(FONT_SIZE))
    window = MainWindow(Session(Tasks(), settings))
    window.session.read_book()
    return window


def open_window(path: Path | None = None) -> int:
    """Open the window, with a plan or spreadsheet if one is given, and run until it is closed."""
    app = make_application()
    trouble.keep_log(places.home())
    window = make_window(app)
    trouble.watch(window.show_trouble)
    window.show()
    if path is not None:
        window.open_file(path)
    return app.exec()


def main() -> int:
    return open_window(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
