"""A whole release without a mouse: from the start page to a verified bundle by keys alone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from workbench import workflow
from workbench.data.findings import Stage
from workbench.gui.main_window import MainWindow

MOST_TABS = 200


def tab_to(window: MainWindow, qtbot: QtBot, words: str) -> QAbstractButton:
    """Press Tab until the button with these words has the focus."""
    seen = []
    for _ in range(MOST_TABS):
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton):
            spoken = f"{focus.text()} {focus.accessibleName()}".replace("&", "")
            seen.append(spoken)
            if words in spoken:
                return focus
        qtbot.keyClick(focus or window, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab never reached “{words}”, only {sorted(set(seen))}")


def test_a_rehearsal_by_keys_alone(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    with qtbot.waitActive(window):
        pass
    session = window.session
    sample = tab_to(window, qtbot, "Open rehearsal")
    qtbot.keyClick(sample, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.is_ready and not session.tasks.is_busy, timeout=20_000)
    for number, stage in enumerate(Stage, start=1):
        qtbot.keyClick(window, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.AltModifier)
        assert window.sidebar.current() == stage.value
    rehearse = tab_to(window, qtbot, "Rehearse release")
    qtbot.keyClick(rehearse, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.bundle is not None and not session.tasks.is_busy, timeout=30_000)
    assert session.bundle is not None
    assert workflow.verify(session.bundle.folder)[0].is_verified
    verify = tab_to(window, qtbot, "Verify")
    qtbot.keyClick(verify, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not session.tasks.is_busy, timeout=10_000)
