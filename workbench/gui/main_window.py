"""The main window: frames the pages with menus, sidebar, inspector and strip, and routes between them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QMessageBox,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from workbench import __version__
from workbench.data.findings import Stage
from workbench.gui import files, frame_facts, icons, theme, trouble
from workbench.gui.actions import ActionSet, shortcuts
from workbench.gui.dialogs.help import HelpDialog, show_method_sheet, show_page_help
from workbench.gui.pages.accuracy import AccuracyPage
from workbench.gui.pages.cells import CellsPage
from workbench.gui.pages.columns import ColumnsPage
from workbench.gui.pages.data import DataPage
from workbench.gui.pages.ledger import LedgerPage
from workbench.gui.pages.protection import ProtectionPage
from workbench.gui.pages.release import ReleasePage
from workbench.gui.pages.review import ReviewPage
from workbench.gui.pages.start import StartPage
from workbench.gui.pages.statistics import StatisticsPage
from workbench.gui.session import Session
from workbench.gui.settings import FONT_SIZE, GEOMETRY, SHOW_TOUR, THEME
from workbench.gui.stage_page import StagePage
from workbench.gui.stages import standings
from workbench.gui.tour import TourBar
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.sidebar import LEDGER, Sidebar
from workbench.gui.widgets.status import ModeChip
from workbench.gui.widgets.strip import Strip
from workbench.gui.widgets.work_bar import WorkBar
from workbench.release.release import Mode

_OTHER_PAGES = (ColumnsPage, CellsPage, ProtectionPage, AccuracyPage, ReviewPage, ReleasePage)


class MainWindow(QMainWindow):
    """One open project. Everything of substance is in the pages and the session."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.start = StartPage(session)
        self.data, self.statistics, self.ledger = DataPage(session), StatisticsPage(session), LedgerPage(session)
        made = {page.stage: page for page in (self.data, self.statistics, *(page(session) for page in _OTHER_PAGES))}
        self.pages: dict[str, StagePage] = {stage.value: made[stage] for stage in Stage}
        self.pages[LEDGER] = self.ledger
        self.sidebar, self.inspector, self.strip, self.work = Sidebar(list(Stage)), Inspector(), Strip(), WorkBar()
        self.tour = TourBar(session)
        self.actions_ = ActionSet(self)
        self._inspector_due = QTimer(self, singleShot=True, interval=0)  # one refill for all that changed at once
        self._build()
        self._connect()
        self._show_project()

    # ---- building

    def _build(self) -> None:
        self.setAcceptDrops(True)
        self.setMinimumSize(1000, 640)
        self.resize(1440, 900)
        self._stack = QStackedWidget()
        for page in self.pages.values():
            self._stack.addWidget(page)
        self._rooms = QStackedWidget()
        self._rooms.addWidget(self.start)
        self._rooms.addWidget(self._workplace())
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget, stretch in ((self._rooms, 1), (self.work, 0), (self.strip, 0)):
            column.addWidget(widget, stretch)
        self.setCentralWidget(centre)
        self._add_toolbar()
        if geometry := self.session.settings.get(GEOMETRY):
            self.restoreGeometry(geometry)

    def _workplace(self) -> QWidget:
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.tour)
        middle.addWidget(self._stack, 1)
        workplace = QWidget()
        row = QHBoxLayout(workplace)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addLayout(middle, 1)
        row.addWidget(self.inspector)
        return workplace

    def _add_toolbar(self) -> None:
        bar = self.addToolBar("Toolbar")
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(22, 16))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        undo = self.session.undo_stack.createUndoAction(self, "Undo")
        redo = self.session.undo_stack.createRedoAction(self, "Redo")
        for action, shortcut, name in ((undo, "Ctrl+Z", "undo"), (redo, "Ctrl+Y", "redo")):
            action.setShortcut(shortcut)
            action.setIcon(icons.icon(name))
            action.setIconText(name.capitalize())
            self.actions_.menus["&Edit"].addAction(action)
        first, *rest = self.actions_.toolbar_actions()
        bar.addAction(first)
        bar.addSeparator()
        bar.addActions([undo, redo])
        bar.addSeparator()
        bar.addActions(rest)
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(space)
        self._chip = ModeChip()
        bar.addWidget(self._chip)
        edge = QWidget()
        edge.setFixedWidth(12)
        bar.addWidget(edge)
        self._toolbar = bar

    def _connect(self) -> None:
        session, tasks = self.session, self.session.tasks
        self._inspector_due.timeout.connect(self._show_inspector)
        tasks.started.connect(self.work.begin)
        tasks.progressed.connect(self.work.show_step)
        tasks.ended.connect(self.work.end)
        tasks.failed.connect(self.show_trouble)
        session.troubled.connect(self.show_trouble)
        session.place_wanted.connect(self._go_to)
        session.project_changed.connect(self._show_project)
        session.mode_changed.connect(self._show_mode)
        for signal in (session.findings_changed, session.plan_changed, session.book_changed, session.released,
                       session.data_changed, session.mode_changed):  # fmt: skip
            signal.connect(self._show_facts)
        self.sidebar.chosen.connect(self._show_page)
        self.tour.closed.connect(self.tour.hide)
        for page in self.pages.values():
            page.inspector_changed.connect(self._inspector_due.start)
        self._connect_pages()

    def _connect_pages(self) -> None:
        self.start.spreadsheet_wanted.connect(self.choose_spreadsheet)
        self.start.plan_wanted.connect(self.choose_plan)
        self.start.spreadsheet_dropped.connect(self.open_file)
        self.start.plan_chosen.connect(self._open_chosen_plan)
        self.start.verify_wanted.connect(self.choose_bundle)
        self.start.ledger_wanted.connect(self.show_ledger)
        self.data.file_wanted.connect(self.choose_replacement)
        self.statistics.method_sheet_wanted.connect(lambda name: show_method_sheet(self, name))

    # ---- showing

    def _show_project(self) -> None:
        session = self.session
        self._rooms.setCurrentIndex(1 if session.is_open else 0)
        self._toolbar.setVisible(session.is_open)
        self.actions_.show_project(session.is_open)
        if session.is_open:
            data = f" – {session.plan.data.path.name}" if session.plan.data.path else ""
            self.setWindowTitle(f"{session.plan.title}[*]{data} – {session.mode.upper()}")
            self.setWindowModified(session.is_dirty)
        else:
            self.setWindowTitle("Release Workbench")
        self._show_mode()
        self._show_facts()

    def _show_mode(self) -> None:
        self._chip.set_live(self.session.mode is Mode.LIVE)
        self.actions_.check("mode", self.session.mode)
        self.actions_.check("theme", self.session.settings.get(THEME))

    def _show_facts(self) -> None:
        for stage, (state, words) in standings(self.session).items():
            self.sidebar.set_state(stage, state, words)
        self.sidebar.set_ledger_words(frame_facts.ledger_words(self.session))
        self.strip.set_segments(frame_facts.strip_segments(self.session))
        self.setWindowModified(self.session.is_dirty)
        self._inspector_due.start()

    def _show_inspector(self) -> None:
        with self.inspector.refilling():
            self._fill_inspector()

    def _fill_inspector(self) -> None:
        page = self.current_page
        is_ledger = page is self.ledger
        if self.session.is_open and not is_ledger and page is not self.data:
            frame_facts.show_budget(self.inspector, self.session)
        page.fill_inspector(self.inspector)
        if self.session.is_open and not is_ledger:
            items = frame_facts.missing_items(self.session)
            missing = self.inspector.add_missing(items, "Nothing. The plan is complete.")
            missing.fix_requested.connect(self._fix)

    @property
    def current_page(self) -> StagePage:
        return self.pages[self.sidebar.current() or Stage.DATA]

    def _show_page(self, name: str) -> None:
        self.sidebar.set_current(name)
        self._rooms.setCurrentIndex(1)
        self._toolbar.setVisible(True)
        self._stack.setCurrentWidget(self.pages[name])
        self.tour.show_stage(name)
        self._inspector_due.start()

    def _go_to(self, stage: Stage, where: str) -> None:
        self._show_page(stage.value)
        self.pages[stage.value].go_to(where)

    def _fix(self, key: str) -> None:
        if finding := frame_facts.missing_finding(self.session, key):
            self._go_to(finding.stage, finding.where)

    # ---- what the actions do

    def choose_spreadsheet(self) -> None:
        if path := files.ask_spreadsheet(self, self.session.settings):
            self.open_file(path)

    def choose_plan(self) -> None:
        if path := files.ask_plan(self, self.session.settings):
            self.open_file(path)

    def choose_replacement(self) -> None:
        if not self.session.is_open:
            self.choose_spreadsheet()
        elif path := files.ask_spreadsheet(self, self.session.settings):
            self.session.replace_data(path)

    def open_file(self, path: Path) -> None:
        """Open a plan or begin one for a spreadsheet, after asking about unsaved changes."""
        if not self._may_leave():
            return
        self._show_page(Stage.DATA.value)
        if path.suffix.lower() == ".toml":
            self.session.open_plan(path)
        else:
            self.session.open_spreadsheet(path)

    def _open_chosen_plan(self, path: Path) -> None:
        self.open_file(path)
        self.tour.setVisible(bool(self.session.settings.get(SHOW_TOUR)) and "sample_data" in path.parts)

    def save(self) -> bool:
        if self.session.path is None:
            return self.save_as()
        self.session.save(self.session.path)
        return not self.session.is_dirty

    def save_as(self) -> bool:
        folder = Path(self.session.settings.last_folder)
        path = files.ask_where_to_save(self, self.session.path or folder / f"{self.session.plan.title}.toml")
        if path is None:
            return False
        self.session.save(path)
        return not self.session.is_dirty

    def close_project(self) -> None:
        if self._may_leave():
            self.session.close_project()

    def show_stage(self, name: str) -> None:
        self._show_page(name)

    def show_ledger(self) -> None:
        self.session.read_book()
        self._show_page(LEDGER)

    def choose_bundle(self) -> None:
        if path := files.ask_bundle(self, self.session.settings):
            self.show_ledger()
            self.ledger.verify(path)

    def set_mode(self, name: str) -> None:
        mode = Mode(name)
        if mode is Mode.LIVE and self.session.mode is not Mode.LIVE and not self._may_go_live():
            self._show_mode()
            return
        self.session.set_mode(mode)
        self._show_project()

    def _may_go_live(self) -> bool:
        words = "In Live, a release spends privacy budget and cannot be undone. Nothing is spent until you release."
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(self, "Switch to Live?", words, buttons.Yes | buttons.Cancel, buttons.Cancel)
        return answer == buttons.Yes

    def set_theme(self, mode: theme.Mode) -> None:
        self.session.settings.set(THEME, mode)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, mode, self.session.settings.get(FONT_SIZE))

    def show_help(self) -> None:
        show_page_help(self, self.sidebar.current() if self._rooms.currentIndex() else "Start")

    def show_shortcuts(self) -> None:
        rows = "\n".join(f"| {keys} | {words} |" for keys, words in shortcuts())
        HelpDialog(self, "Keyboard shortcuts", f"| Keys | What they do |\n|---|---|\n{rows}").show()

    def show_about(self) -> None:
        QMessageBox.about(self, "Release Workbench", f"Release Workbench {__version__}\nWorks offline. Apache-2.0.")

    def focus_next_pane(self) -> None:
        """F6: stages, page, inspector, in turn."""
        panes = (self.sidebar, self._stack, self.inspector)
        held = next((at for at, pane in enumerate(panes) if pane.isAncestorOf(self.focusWidget() or self)), 2)
        if held == 2:
            self.sidebar.focus_current()
            return
        first = next((one for one in panes[held + 1].findChildren(QWidget) if _takes_focus(one)), None)
        (first or panes[held + 1]).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_trouble(self, error: BaseException) -> None:
        trouble.show_trouble(self, error)

    # ---- events

    def _may_leave(self) -> bool:
        if not self.session.is_dirty:
            return True
        answer = files.may_discard(self, self.session.plan.title)
        return answer == "discard" or (answer == "save" and self.save())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.fit(self.width())
        self.inspector.fit(self.width())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            self.open_file(paths[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_leave():
            event.ignore()
            return
        self.session.settings.set(GEOMETRY, self.saveGeometry())
        self.session.tasks.close()
        self.session.close_project()
        event.accept()


def _takes_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
