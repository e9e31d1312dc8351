"""Stage 7, Review: every check with its facts, what will be published, and whether it may be released."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench import workflow
from workbench.data.findings import Severity, Stage, blocking
from workbench.gui.lazy_page import LazyPage
from workbench.gui.models.check_list import CheckDelegate, CheckModel
from workbench.gui.session import Session
from workbench.gui.widgets.buttons import ReasonedButton, plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.check_facts import CheckFacts
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.outline_table import OutlineTable
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.tables import Rows, TableView
from workbench.gui.widgets.text import Text
from workbench.plan.planfile import plan_digest
from workbench.preview.outline import outline
from workbench.release.checks import CheckResult
from workbench.release.release import Mode

_NEEDS_YOU_FIRST, _BY_STAGE = "Needs you first", "In order of stages"
_NOTHING = "No table can be drawn yet: keys with their codes, a statistic, who is protected and epsilon come first."
_TOTALS = "Totals are added up from published cells: they cost nothing, and their margins are wider."
_ORDER = {stage: place for place, stage in enumerate(Stage)}


class ReviewPage(LazyPage):
    """Shows the findings of the session check by check; nothing is drawn here."""

    stage = Stage.REVIEW

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Review")
        self.checks, self.facts, self.tables = CheckModel(), CheckFacts(), OutlineTable()
        self.list = TableView("Checks", Rows.TWO_LINES, inside=True)
        self.order = QComboBox()
        self.again = plain_button("Run checks &again", "refresh")
        self.release = ReasonedButton("Go to release", icon="seal")
        self.empty = EmptyState("tick-circle", "The checks of a plan will be here.", "Open a spreadsheet or plan")
        self.nothing = EmptyState("grid", _NOTHING)
        self._build()
        self._connect()

    # ---- building

    def _build(self) -> None:
        self.order.addItems([_NEEDS_YOU_FIRST, _BY_STAGE])
        self.order.setAccessibleName("Order of the checks")
        self.order.setProperty("small", True)
        self.add_header_button(self.again)
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addLayout(self._panes(), 1)
        column.addWidget(self._signing_bar())
        self.add(self._content, 1)
        self.add(self.empty, 1)

    def _panes(self) -> QHBoxLayout:
        self._set_up_list()
        listed = Card("Checks", flush=True)
        listed.add_header_widget(self.order)
        listed.add(self.list, 1)
        published = Card("What will be published", flush=True)
        self.tables.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        published.add(self.tables, 1)
        published.add(self.nothing, 1)
        published.add_footer(Text(_TOTALS, "small_muted", wrap=True))
        panes = QHBoxLayout()
        panes.setSpacing(GAP)
        for pane, stretch in ((listed, 10), (self.facts, 8), (published, 15)):
            pane.setMinimumWidth(120)
            panes.addWidget(pane, stretch)
        return panes

    def _set_up_list(self) -> None:
        view = self.list
        view.setModel(self.checks)
        view.setItemDelegate(CheckDelegate(view))
        view.horizontalHeader().hide()
        view.horizontalHeader().setStretchLastSection(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setTabKeyNavigation(False)

    def _signing_bar(self) -> Card:
        bar = Card()
        row = QHBoxLayout()
        words = Text("**One person signs.** This version records one signature; it has no second approval.", wrap=True)
        row.addWidget(words, 3)
        row.addWidget(self.release, 2)
        bar.body.addLayout(row)
        return bar

    def _connect(self) -> None:
        session = self.session
        session.findings_changed.connect(self.refresh)
        for signal in (session.plan_changed, session.project_changed, session.data_changed):
            signal.connect(self.refresh)
        self.order.currentIndexChanged.connect(self.refresh)
        self.list.selectionModel().currentChanged.connect(lambda now, before: self._show_facts(now.row()))
        self.facts.fix_requested.connect(lambda finding: session.go_to(finding.stage, finding.where))
        self.facts.stage_requested.connect(lambda stage: session.go_to(stage))
        self.again.clicked.connect(self.run_again)
        self.release.clicked.connect(lambda: session.go_to(Stage.RELEASE))
        self.release.fix_requested.connect(self._mend)
        self.empty.clicked.connect(lambda: session.go_to(Stage.DATA))

    # ---- showing

    def show_now(self) -> None:
        """Show the findings, keeping the chosen check."""
        is_open = self.session.is_open
        self._content.setVisible(is_open)
        self.again.setVisible(is_open)
        self.empty.setVisible(not is_open)
        results = self._ordered(workflow.review_of(self.session.findings))
        chosen = self.list.currentIndex()
        kept = self.checks.result(chosen.row()).check.id if chosen.isValid() else ""
        self.checks.set_results(results)
        self.list.selectRow(self.checks.row_of(kept) if self._is_kept(kept, results) else 0)
        self._show_tables()
        self.set_subtitle(_summary(results) if is_open else "")
        self.release.set_blocked(
            self._reason(), fixable=bool(blocking(self.session.findings)) or self.session.dataset is None
        )
        self.inspector_changed.emit()

    def _show_tables(self) -> None:
        tables = outline(self.session.plan)
        self.tables.show_tables(tables)
        self.tables.setVisible(bool(tables))
        self.nothing.setVisible(not tables)

    def _is_kept(self, check: str, results: Sequence[CheckResult]) -> bool:
        """A check that passed is left for one that needs the officer."""
        chosen = next((result for result in results if result.check.id == check), None)
        needs_you = any(result.severity in (Severity.BLOCK, Severity.WARNING) for result in results)
        return chosen is not None and (chosen.severity is not None or not needs_you)

    def _ordered(self, results: Sequence[CheckResult]) -> Sequence[CheckResult]:
        if self.order.currentText() == _NEEDS_YOU_FIRST:
            return results
        return sorted(results, key=lambda result: _ORDER[result.check.stage])

    def _show_facts(self, row: int) -> None:
        if row >= 0:
            self.facts.show_result(self.checks.result(row))

    def _reason(self) -> str | None:
        stops = len(blocking(self.session.findings))
        if self.session.dataset is None:
            return "The data have not been read yet."
        return f"{stops} thing{'s' * (stops != 1)} must be mended first." if stops else None

    def fill_inspector(self, inspector: Inspector) -> None:
        if not self.session.is_open:
            return
        section = inspector.add_section("What a release is bound to")
        section.add_row("Plan", _short(plan_digest(self.session.plan)), mono=True)
        dataset = self.session.dataset
        section.add_row("Data", _short(dataset.sha256) if dataset else "not read yet", mono=dataset is not None)
        section.add_sentence("Any edit changes them. The plan’s is printed in the release, the data’s stays internal.")
        if self.session.mode is Mode.REHEARSAL:
            section.add_sentence("A rehearsal is signed with the demonstration key, a live release with your own.")

    # ---- what the officer does

    def run_again(self) -> None:
        """Check plan, data and ledger as they are now."""
        self.session.check()

    def _mend(self) -> None:
        stops = blocking(self.session.findings)
        if stops:
            self.session.go_to(stops[0].stage, stops[0].where)
        else:
            self.session.go_to(Stage.DATA)


def _summary(results: Sequence[CheckResult]) -> str:
    counts = {severity: sum(result.severity is severity for result in results) for severity in (*Severity, None)}
    parts = [f"{counts[None]} passed"]
    if counts[Severity.NOTE]:
        parts.append(f"{counts[Severity.NOTE]} for your information")
    needed = counts[Severity.BLOCK] + counts[Severity.WARNING]
    if needed:
        parts.append(f"**{needed} need{'s' * (needed == 1)} you**")
    return f"{len(results)} checks: {', '.join(parts)}. Nothing is drawn before all of them allow it."


def _short(digest: str) -> str:
    return f"{digest[:4]} {digest[4:8]} … {digest[-4:]}"
