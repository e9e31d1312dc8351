"""Every test of the window: without a screen, in our look, and leaving nothing behind."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from workbench.gui import theme


def pytest_configure(config: pytest.Config) -> None:
    # The screenless platform says so for every window of fixed size; a real one takes the hint.
    config.addinivalue_line("qt_log_ignore", "This plugin does not support propagateSizeHints")


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
