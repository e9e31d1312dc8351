"""Stage 8, Release: what will be published, what it costs, and then the result."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLocale, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from workbench import workflow
from workbench.data.findings import Stage, blocking
from workbench.gui.dialogs.release_wizard import ReleaseWizard
from workbench.gui.lazy_page import LazyPage
from workbench.gui.session import Session
from workbench.gui.settings import OUT_FOLDER
from workbench.gui.widgets.buttons import ReasonedButton, plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.cost_card import CostCard, amount
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.inspector import Inspector, InspectorSection
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.outline_table import OutlineTable
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.result_view import ResultView
from workbench.gui.widgets.status import Tag
from workbench.gui.widgets.text import OneLine, Text
from workbench.preview.outline import PlannedTable, outline
from workbench.release.release import Mode

_FILES = (
    ("Workbook", "*.xlsx"),
    ("Tables as CSV", "*-*.csv"),
    ("Numbers as drawn", "noisy_measurements.csv"),
    ("Report", "report.html"),
    ("Report for programs", "report.json"),
    ("Signature", "release.dsse.json"),
    ("Public keys", "public_keys.json"),
    ("How anyone can check", "VERIFY.txt"),
)
_KILOBYTES = QLocale.DataSizeFormat.DataSizeSIFormat


class ReleasePage(LazyPage):
    """Rehearses at once; a live release goes through the wizard first."""

    stage = Stage.RELEASE

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Release")
        self.tables, self.cost = OutlineTable(wide=True, most_rows=9), CostCard("What it costs")
        self.folder, self.choose_folder = OneLine("", "body"), plain_button("&Choose…", "folder-open")
        self.release = ReasonedButton("", icon="seal")
        self.result = ResultView(session.tasks)
        self.empty = EmptyState("seal", "", "Go there")
        self.wizard: ReleaseWizard | None = None
        self._wants_new = False
        self._is_running = False
        self._build()
        self._connect()

    # ---- building

    def _build(self) -> None:
        self._plan_view = QWidget()
        column = QVBoxLayout(self._plan_view)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        self._published = Card("What will be published", flush=True)
        self._published.add(self.tables)
        column.addWidget(self._published)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self.cost, 1)
        row.addWidget(self._release_card(), 1)
        column.addLayout(row)
        column.addStretch(1)
        for view in (self._plan_view, self.result, self.empty):
            self.add(view, 1)
        self.fields = {"release": self.release.button}

    def _release_card(self) -> Card:
        card = Card("Where the files go")
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.folder, 1)
        row.addWidget(self.choose_folder)
        card.body.addLayout(row)
        card.add(Text("Each release gets a folder of its own there; nothing is overwritten.", "small_muted", wrap=True))
        card.add_stretch()
        card.add(self.release)
        self.release.button.setMinimumHeight(38)
        return card

    def _connect(self) -> None:
        session = self.session
        for signal in (session.plan_changed, session.data_changed, session.findings_changed, session.mode_changed,
                       session.book_changed, session.project_changed):  # fmt: skip
            signal.connect(self.refresh)
        session.released.connect(self._show_released)
        session.tasks.ended.connect(self._stop_waiting)
        self.choose_folder.clicked.connect(self._choose_folder)
        self.release.clicked.connect(self._release)
        self.release.fix_requested.connect(self._mend)
        self.result.new_release_requested.connect(self._begin_again)
        self.empty.clicked.connect(self._mend)

    # ---- showing

    @property
    def _is_live(self) -> bool:
        return self.session.mode is Mode.LIVE

    def show_now(self) -> None:
        """Show the result if there is one, else the plan as it would be released."""
        bundle = self.session.bundle
        shows_result = bundle is not None and not self._wants_new
        tables = outline(self.session.plan)
        has_tables = bool(tables)
        self.result.setVisible(shows_result)
        self._plan_view.setVisible(not shows_result and has_tables)
        self.empty.setVisible(not shows_result and not has_tables)
        if bundle is not None and shows_result:
            self.result.show_bundle(bundle, is_stale=self.session.released_plan != self.session.plan)
        self._show_plan(tables)
        self.set_subtitle("" if shows_result else self._finding(has_tables))
        self.inspector_changed.emit()

    def _show_plan(self, tables: tuple[PlannedTable, ...]) -> None:
        numbers = shown(str(sum(table.cells for table in tables)))
        self.tables.show_tables(tables)
        self._published.set_aside(f"{len(tables)} table{'s' * (len(tables) != 1)}, {numbers} numbers")
        self.folder.set_text(str(self.session.settings.out_folder))
        self.release.set_text("Release…" if self._is_live else "Rehearse release")
        self.release.set_blocked(self._reason(), fixable=not self._is_running)
        self.empty.set_sentence("What will be published, and what it costs, will be here once the plan is complete.")
        balance = self.session.balance
        self.cost.setVisible(balance is not None)
        if balance is not None:
            cost = self.session.cost
            note = f"A rehearsal costs nothing. A live release of this plan would cost {amount(cost)}, as drawn here."
            self.cost.set_aside(f"{balance.account.dataset}, {balance.account.protection}")
            self.cost.show_cost(balance, cost, "" if self._is_live else note)

    def _finding(self, has_tables: bool) -> str:
        if not has_tables:
            return ""
        if not self.session.is_ready:
            return "Not ready yet: something must be mended first."
        if self._is_live:
            return f"Ready. Releasing spends {amount(self.session.cost)} and is the only act without undo."
        return "Ready. A rehearsal runs the whole path with noise that protects nobody, and may not be published."

    def _reason(self) -> str | None:
        if self._is_running:
            return "The release is being drawn."
        stops = blocking(self.session.findings)
        if stops:
            return stops[0].what
        return None if self.session.is_ready else "The data have not been read yet."

    def fill_inspector(self, inspector: Inspector) -> None:
        bundle = self.session.bundle
        if bundle is not None and not self._wants_new:
            _fill_files(inspector, bundle)
            internal = inspector.add_section("Still internal")
            internal.add_sentence("Memo, checks, plan and draw lie in the internal folder. They must not leave.")

    # ---- what the officer does

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the files", str(self.session.settings.out_folder))
        if chosen:
            self.session.settings.set(OUT_FOLDER, chosen)
            self.refresh()

    def _release(self) -> None:
        if not self._is_live:
            self._start_waiting()
            self.session.rehearse(self.session.settings.out_folder)
            return
        balance = self.session.balance
        assert balance is not None, "a plan that is ready has an account"
        self.wizard = ReleaseWizard(self, self.session, balance)
        self.wizard.accepted.connect(self._release_signed)
        self.wizard.finished.connect(self._forget_wizard)
        self.wizard.open()

    def _release_signed(self) -> None:
        assert self.wizard is not None and self.wizard.key is not None
        self._start_waiting()
        self.session.release(self.session.settings.out_folder, self.wizard.key)

    def _forget_wizard(self) -> None:
        if self.wizard is not None:
            self.wizard.deleteLater()
            self.wizard = None

    def _start_waiting(self) -> None:
        self._is_running = True
        self.refresh()

    def _stop_waiting(self) -> None:
        if self._is_running:
            self._is_running = False
            self.refresh()

    def _show_released(self) -> None:
        self._wants_new = False
        self.refresh()
        if self.isVisible():
            self.result.open_folder.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin_again(self) -> None:
        self._wants_new = True
        self.refresh()

    def _mend(self) -> None:
        stops = blocking(self.session.findings)
        if stops:
            self.session.go_to(stops[0].stage, stops[0].where)
        else:
            self.session.go_to(Stage.DATA)


def _fill_files(inspector: Inspector, bundle: workflow.Bundle) -> None:
    section = inspector.add_section("Public files")
    rehearsed = bundle.release.is_rehearsal
    section.add_header_widget(Tag("rehearsal", "stale", "pencil") if rehearsed else Tag("signed", "ok", "tick-circle"))
    for words, pattern in _FILES:
        found = sorted(bundle.public.glob(pattern))
        if found:
            size = QLocale().formattedDataSize(sum(file.stat().st_size for file in found), 0, _KILOBYTES)
            section.add_row(words if len(found) == 1 else f"{words}, {len(found)} files", size)
    _add_opener(section, "Open report", sorted(bundle.public.glob("report.html")))
    _add_opener(section, "Open workbook", sorted(bundle.public.glob("*.xlsx")))


def _add_opener(section: InspectorSection, text: str, files: list[Path]) -> None:
    if files:
        button = plain_button(text, small=True)
        button.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(files[0]))))
        section.add_buttons(button)
