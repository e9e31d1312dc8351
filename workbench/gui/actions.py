"""Every action of the window as a table: menus, toolbar, shortcuts and the shortcut list are all made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from workbench.data.findings import Stage
from workbench.gui import icons


@dataclass(frozen=True)
class Action:
    """One thing the officer can do from anywhere; `does` names the window's method."""

    menu: str
    text: str
    does: str
    shortcut: str = ""
    icon: str = ""
    argument: str = ""
    in_toolbar: str = ""
    group: str = ""
    needs_project: bool = False
    starts_section: bool = False


ACTIONS = (
    Action("&File", "&Open a spreadsheet…", "choose_spreadsheet", "Ctrl+O", "folder-open", in_toolbar="Open"),
    Action("&File", "Open a &plan…", "choose_plan", "Ctrl+Shift+O", "file"),
    Action("&File", "&Save plan", "save", "Ctrl+S", "save", needs_project=True, starts_section=True),
    Action("&File", "Save plan &as…", "save_as", "Ctrl+Shift+S", needs_project=True),
    Action("&File", "&Close project", "close_project", "Ctrl+W", needs_project=True, starts_section=True),
    Action("&File", "&Quit", "close", "Ctrl+Q"),
    *(
        Action("&View", f"&{number} {stage}", "show_stage", f"Alt+{number}", argument=stage.value, needs_project=True)
        for number, stage in enumerate(Stage, start=1)
    ),
    Action("&View", "&Ledger", "show_ledger", "Alt+9", "ledger"),
    Action("&View", "&Next pane", "focus_next_pane", "F6", starts_section=True),
    Action("&View", "As the s&ystem", "set_theme", argument="system", group="theme", starts_section=True),
    Action("&View", "Li&ght", "set_theme", argument="light", group="theme"),
    Action("&View", "&Dark", "set_theme", argument="dark", group="theme"),
    Action("&Release", "&Preview accuracy", "show_stage", "Ctrl+P", "eye", "Accuracy", "Preview", needs_project=True),
    Action("&Release", "&Review checks", "show_stage", "Ctrl+R", "tick-circle", "Review", "Review", needs_project=True),
    Action("&Release", "R&elease…", "show_stage", "Ctrl+Return", "seal", "Release", "Release", needs_project=True),
    Action("&Release", "Re&hearsal", "set_mode", argument="rehearsal", group="mode", starts_section=True),
    Action("&Release", "&Live", "set_mode", argument="live", group="mode"),
    Action("&Ledger", "&Open ledger", "show_ledger", icon="ledger"),
    Action("&Ledger", "&Verify a release…", "choose_bundle", "Ctrl+Shift+V", "tick-circle"),
    Action("&Help", "&Help on this page", "show_help", "F1", "question"),
    Action("&Help", "&Keyboard shortcuts", "show_shortcuts", "Ctrl+/"),
    Action("&Help", "&About", "show_about"),
)
_MENUS = ("&File", "&Edit", "&View", "&Release", "&Ledger", "&Help")


class ActionSet:
    """The actions of one window, ready to be enabled and checked."""

    def __init__(self, window: QMainWindow) -> None:
        self._made: list[tuple[Action, QAction]] = []
        self._groups: dict[str, QActionGroup] = {}
        self.menus: dict[str, QMenu] = {name: window.menuBar().addMenu(name) for name in _MENUS}
        for action in ACTIONS:
            self._add(window, action)

    def toolbar_actions(self) -> list[QAction]:
        return [made for action, made in self._made if action.in_toolbar]

    def show_project(self, is_open: bool) -> None:
        for action, made in self._made:
            if action.needs_project:
                made.setEnabled(is_open)

    def check(self, group: str, argument: str) -> None:
        """Mark the current choice of a group, without doing it."""
        for action, made in self._made:
            if action.group == group:
                made.setChecked(action.argument == argument)

    def _add(self, window: QMainWindow, action: Action) -> None:
        menu = self.menus[action.menu]
        if action.starts_section:
            menu.addSeparator()
        made = QAction(action.text, window)
        made.setIconText(action.in_toolbar or action.text.replace("&", ""))
        made.setShortcut(QKeySequence(action.shortcut))
        if action.icon:
            made.setIcon(icons.icon(action.icon))
        if action.group:
            made.setCheckable(True)
            self._groups.setdefault(action.group, QActionGroup(window)).addAction(made)
        made.triggered.connect(_bound(getattr(window, action.does), action.argument))
        menu.addAction(made)
        self._made.append((action, made))


def _bound(does: Callable[..., object], argument: str) -> Callable[[], object]:
    return (lambda: does(argument)) if argument else (lambda: does())


def shortcuts() -> list[tuple[str, str]]:
    """Every shortcut with what it does, for the list in the help menu."""
    table = [(action.shortcut, action.text.replace("&", "")) for action in ACTIONS if action.shortcut]
    return [("Ctrl+Z", "Undo"), ("Ctrl+Y", "Redo"), *table]
