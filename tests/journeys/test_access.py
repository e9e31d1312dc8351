"""Every page can be used without a mouse and without eyes: whatever takes the focus has a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from pytestqt.qtbot import QtBot

from workbench.data.findings import Stage
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.inspector import InspectorSection
from workbench.gui.widgets.sidebar import LEDGER

OpenSample = Callable[[str], None]
PAGES = [*(stage.value for stage in Stage), LEDGER]


def focusable(window: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not _is_inner(widget)
    ]


def _is_inner(widget: QWidget) -> bool:
    """Headers, viewports and line edits inside another control speak through that control."""
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractItemView) or widget.focusProxy() is not None


def spoken(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


@pytest.mark.parametrize("size", [(1440, 900), (1280, 800)], ids=str)
def test_everything_that_takes_the_focus_has_a_name(
    window: MainWindow, open_sample: OpenSample, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    open_sample("lodes_jobs")
    for page in PAGES:
        window.show_stage(page)
        QApplication.processEvents()
        qtbot.waitUntil(lambda: not window.session.tasks.is_busy)
        nameless = [
            f"{type(widget).__name__} {widget.objectName()} in {type(widget.parentWidget()).__name__}"
            for widget in focusable(window)
            if not spoken(widget)
        ]
        assert not nameless, f"{page}: {nameless}"


def test_the_start_page_too(window: MainWindow) -> None:
    assert [spoken(widget) for widget in focusable(window) if not spoken(widget)] == []


@pytest.mark.parametrize("size", [(1440, 900), (1280, 800)], ids=str)
def test_nothing_scrolls_sideways(window: MainWindow, open_sample: OpenSample, size: tuple[int, int]) -> None:
    window.resize(*size)
    open_sample("lodes_jobs")
    for page in PAGES:
        window.show_stage(page)
        QApplication.processEvents()
        assert window.width() == size[0], page
        shown = window.pages[page]
        assert shown.minimumSizeHint().width() <= shown.width(), page


def test_the_inspector_is_filled_as_soon_as_a_project_is_open(
    window: MainWindow, open_sample: OpenSample, qtbot: QtBot
) -> None:
    open_sample("lodes_jobs")
    titles = {"This file", "What is missing?"}
    qtbot.waitUntil(
        lambda: (
            {one.accessibleName() for one in window.inspector.findChildren(InspectorSection) if one.isVisible()}
            == titles
        )
    )


class Flashes(QObject):
    """Notes every window that is shown besides the main one."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._window = window
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen += [] if watched is self._window else [type(watched).__name__]
        return False


def test_no_other_window_flashes_up(window: MainWindow, open_sample: OpenSample, qtbot: QtBot) -> None:
    """A widget shown before it has a parent becomes a window for a moment and takes the focus away."""
    flashes = Flashes(window)
    QApplication.instance().installEventFilter(flashes)
    open_sample("lodes_jobs")
    for page in PAGES:
        window.show_stage(page)
        qtbot.waitUntil(lambda: not window.session.tasks.is_busy)
    QApplication.instance().removeEventFilter(flashes)
    assert flashes.seen == []


def test_f6_goes_round_the_panes(window: MainWindow, open_sample: OpenSample, qtbot: QtBot) -> None:
    open_sample("lodes_jobs")
    panes = (window.sidebar, window._stack, window.inspector)
    held = []
    for _ in range(4):
        window.focus_next_pane()
        focus = window.focusWidget()
        held.append(next((at for at, pane in enumerate(panes) if pane.isAncestorOf(focus) or pane is focus), None))
    assert held[:3] in ([0, 1, 2], [1, 2, 0], [2, 0, 1])
