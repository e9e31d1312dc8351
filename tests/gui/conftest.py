"""Every test of the window: without a screen, in our look, and leaving nothing behind."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QApplication

from workbench import assets
from workbench.gui import theme
from workbench.gui.session import Session
from workbench.gui.settings import Settings
from workbench.gui.tasks import Tasks


def pytest_configure(config: pytest.Config) -> None:
    # The screenless platform says so for windows of fixed size and for opened lists; a real one can do these.
    config.addinivalue_line("qt_log_ignore", "This plugin does not support (propagateSizeHints|raise|grabbing)")


PLANS = (assets.sample_plans(), Path(__file__).parents[1] / "plans")


@pytest.fixture
def app(qapp: QApplication) -> QApplication:
    """The program in its light theme at the usual text size."""
    theme.apply(qapp, "light")
    return qapp


@pytest.fixture(autouse=True)
def nothing_left_behind(qapp: QApplication) -> Iterator[None]:
    """Windows and threads that outlive their test would disturb the next one."""
    windows_before = set(map(id, QApplication.topLevelWidgets()))
    threads_before = set(threading.enumerate())
    yield
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [window for window in QApplication.topLevelWidgets() if id(window) not in windows_before]
    threads = [thread.name for thread in set(threading.enumerate()) - threads_before if not thread.daemon]
    names = [f"{type(window).__name__} {window.windowTitle()}" for window in left if window.isVisible()]
    assert not names, f"windows still open: {names}"
    assert not threads, f"threads still running: {threads}"


@pytest.fixture(autouse=True)
def american_numbers() -> Iterator[None]:
    """Numbers on screen follow the officer's locale; the tests read them as an American officer would."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def session(tmp_path: Path, app: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """An empty session whose settings, ledger and keys live in a folder of their own."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    session = Session(Tasks(), Settings(tmp_path / "settings.ini"))
    yield session
    session.tasks.close()
    session.undo_stack.clear()


@pytest.fixture
def open_sample() -> Callable[..., None]:
    """Call it with the session, qtbot and a plan's name: the plan is open, its data read and checked."""

    def open_it(session: Session, qtbot, name: str = "jobs_of_workers") -> None:
        session.open_plan(next(folder / f"{name}.toml" for folder in PLANS if (folder / f"{name}.toml").exists()))
        qtbot.waitUntil(lambda: session.dataset is not None and not session.tasks.is_busy, timeout=20_000)

    return open_it
