"""The result of a release: what happened, the noisy tables, and whether the files verify."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QVBoxLayout, QWidget

from workbench import workflow
from workbench.gui.models.published import PublishedModel, ShownTable, copied, shown_table
from workbench.gui.tasks import Task, Tasks
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.cost_card import amount
from workbench.gui.widgets.fields import SearchField
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.moments import moment_words
from workbench.gui.widgets.numbers import shown as number
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.result_table import ResultTable
from workbench.gui.widgets.text import OneLine, Text, line
from workbench.gui.widgets.watermark import REHEARSAL, Watermark
from workbench.release.release import Release
from workbench.report.tables import NOISY_FILE
from workbench.report.verdict import Verdict
from workbench.report.words import REHEARSAL_SENTENCE, limits_sentence


class ResultView(QWidget):
    """Shows one bundle. Asking for another release is for the page."""

    new_release_requested = Signal()

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._bundle: workflow.Bundle | None = None
        self._model: PublishedModel | None = None
        self.open_folder, self.verify = plain_button("Open &folder", "folder"), plain_button("&Verify", "tick-circle")
        self.new_release = plain_button("&New release")
        self.banner = Message("ok", "", "", self.open_folder, self.verify, self.new_release)
        self.verdict = Message("info")
        self.stale = Message("warn", "The plan was changed since.", "This is the release of the plan as it was then.")
        self.tabs, self.filter = QTabBar(), SearchField("Filter places and codes", 190)
        self.copy = plain_button("&Copy for Excel", "copy", small=True)
        self.table = ResultTable()
        self._watermark = Watermark(self.table.viewport(), "")
        self._title = OneLine("", "card")
        self._note, self._count = Text("", "small_muted", wrap=True), Text("", "small_muted")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.tabs.setAccessibleName("Tables of the release")
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setDrawBase(False)
        tools = QHBoxLayout()
        tools.setContentsMargins(16, 8, 12, 8)
        tools.setSpacing(8)
        tools.addWidget(self._title, 1)
        tools.addWidget(self.filter)
        tools.addWidget(self.copy)
        card = Card(flush=True)
        card.body.addLayout(tools)
        card.add(line())
        card.add(self.table, 1)
        card.add_footer(self._note, self._count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        for message in (self.banner, self.verdict, self.stale):
            column.addWidget(message)
        tabbed = QVBoxLayout()
        tabbed.setSpacing(0)
        tabbed.addWidget(self.tabs)
        tabbed.addWidget(card)
        column.addLayout(tabbed, 1)

    def _connect(self) -> None:
        self.open_folder.clicked.connect(self._open_folder)
        self.verify.clicked.connect(self._verify)
        self.new_release.clicked.connect(self.new_release_requested)
        self.tabs.currentChanged.connect(self._choose_table)
        self.filter.textChanged.connect(self._filter)
        self.copy.clicked.connect(self._copy)

    # ---- showing

    def show_bundle(self, bundle: workflow.Bundle, is_stale: bool) -> None:
        self.stale.setVisible(is_stale)
        if bundle is self._bundle:
            return
        self._bundle = bundle
        release = bundle.release
        self.verdict.hide()
        self.banner.set_message("ok", *_happened(release, sum(1 for _ in bundle.public.iterdir())))
        self._watermark.set_text(REHEARSAL if release.is_rehearsal else "")
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for place, table in enumerate(release.tables, 1):
            self.tabs.setTabToolTip(self.tabs.addTab(f"{place} {_tab_words(table.grid.keys)}"), table.title)
        self.tabs.blockSignals(False)
        self.filter.clear()
        self._choose_table(0)

    def _choose_table(self, number: int) -> None:
        if self._bundle is not None and number >= 0:
            table = self._bundle.release.tables[number]
            self._run("Showing the table", lambda: shown_table(table), self._show_table, is_quiet=True)

    def _show_table(self, shown: ShownTable) -> None:
        old, self._model = self._model, PublishedModel(shown)
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.setModel(self._model)
        if old is not None:
            old.deleteLater()
        self._title.set_text(shown.table.title)
        self._filter(self.filter.text())

    def _filter(self, text: str) -> None:
        if self._model is None:
            return
        self._model.set_filter(text)
        self._show_note()

    def _show_note(self) -> None:
        assert self._model is not None
        shown = self._model.shown
        fell = shown.fell_below_zero
        below = f" {number(str(fell))} fell below 0 and are shown as 0; the numbers as drawn are in {NOISY_FILE}."
        self._note.set_text(limits_sentence(shown.table) + (below if fell else ""))
        rows, cells = (number(str(count)) for count in (self._model.rowCount(), shown.table.grid.size))
        self._count.set_text(f"{rows} of {cells} rows")

    def note(self) -> str:
        return self._note.text()

    def count_words(self) -> str:
        return self._count.text()

    # ---- what the officer does

    def _open_folder(self) -> None:
        if self._bundle is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._bundle.folder)))

    def _verify(self) -> None:
        if self._bundle is not None:
            folder = self._bundle.folder
            self._run("Verifying", lambda: workflow.verify(folder), self._show_verdicts)

    def _show_verdicts(self, verdicts: tuple[Verdict, ...]) -> None:
        is_good = bool(verdicts) and all(verdict.is_verified for verdict in verdicts)
        said = " ".join(verdict.sentence for verdict in verdicts) or "The files of the release are no longer there."
        self.verdict.set_message("ok" if is_good else "block", "", said)
        self.verdict.show()

    def _copy(self) -> None:
        if self._model is None or self._bundle is None:
            return
        shown, rows = self._model.shown, self._model.rows
        mark = REHEARSAL_SENTENCE if self._bundle.release.is_rehearsal else ""
        self._run("Copying", lambda: copied(shown, rows, mark), _to_clipboard)

    def _run(self, words: str, work: Callable[[], Any], then: Callable[[Any], None], is_quiet: bool = False) -> None:
        self._tasks.run(Task(words, lambda progress: work(), then, self, topic=f"result {words}", is_quiet=is_quiet))


def _to_clipboard(texts: tuple[str, str]) -> None:
    data = QMimeData()
    data.setText(texts[0])
    data.setHtml(texts[1])
    QGuiApplication.clipboard().setMimeData(data)


def _happened(release: Release, files: int) -> tuple[str, str]:
    drawn = f"Drawn once on {moment_words(release.drawn_at)} UTC."
    if release.charge is None:
        return f"Rehearsed: {release.id}", f"{drawn} Nothing was charged; nothing may be published. {files} files."
    cost = amount(release.charge.after - release.charge.before)
    return (
        f"Released and signed: {release.id}",
        f"{drawn} {cost} charged, ledger entry {release.charge.entry}. {files} public files.",
    )


def _tab_words(keys: tuple[str, ...]) -> str:
    return ", ".join(keys) if keys else "all"
