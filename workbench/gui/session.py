"""The state every page looks at and edits: the plan, its data, its findings, the budget and the last release."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from workbench import workflow
from workbench.data.dataset import Dataset
from workbench.data.findings import Finding, Severity, Stage, blocking
from workbench.data.layout import Layout
from workbench.errors import OutputError, WorkbenchError
from workbench.gui.edits import PlanEdit
from workbench.gui.settings import Settings
from workbench.gui.tasks import Task, Tasks
from workbench.ledger.accounts import Balance
from workbench.ledger.entries import Entry, Head
from workbench.plan.cells import grid_of
from workbench.plan.plan import ReleasePlan
from workbench.plan.policy import default_policy
from workbench.privacy.composition import allotments, plan_guarantee
from workbench.privacy.noise import RehearsalNoise
from workbench.progress import Progress
from workbench.release.release import Mode
from workbench.release.releasing import account_of, cap_of
from workbench.report.keys import SigningKey


@dataclass(frozen=True)
class BudgetBook:
    """The ledger as last read."""

    balances: tuple[Balance, ...] = ()
    entries: tuple[Entry, ...] = ()
    head: Head = field(default_factory=Head)
    trouble: str = ""


class Session(QObject):
    """One open project. Pages never talk to each other, only to this."""

    plan_changed = Signal()
    data_changed = Signal()
    findings_changed = Signal()
    mode_changed = Signal()
    book_changed = Signal()
    released = Signal()
    project_changed = Signal()
    troubled = Signal(object)
    place_wanted = Signal(object, str)  # Stage and the field in the plan to go to

    def __init__(self, tasks: Tasks, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks, self.settings = tasks, settings
        self.undo_stack = QUndoStack(self)
        self.plan = ReleasePlan()
        self.path: Path | None = None
        self.dataset: Dataset | None = None
        self.is_open = False
        self.mode = Mode.REHEARSAL
        self.book = BudgetBook()
        self.bundle: workflow.Bundle | None = None
        self.released_plan: ReleasePlan | None = None
        self._file_problems: tuple[Finding, ...] = ()
        self._checked: tuple[Finding, ...] = ()
        self.undo_stack.cleanChanged.connect(self.project_changed)

    # ---- what the pages read

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self._file_problems, *self._checked)

    @property
    def is_ready(self) -> bool:
        """Whether nothing stands in the way of a release."""
        return self.is_open and self.dataset is not None and not blocking(self.findings)

    @property
    def is_dirty(self) -> bool:
        return self.is_open and not self.undo_stack.isClean()

    @property
    def cell_count(self) -> int:
        grids = [grid_of(self.plan, table) for table in self.plan.tables]
        return sum(grid.size for grid in grids if grid)

    @property
    def balance(self) -> Balance | None:
        """The account of this plan, once the plan says which it is."""
        if blocking(workflow.check(self.plan)):
            return None
        account = account_of(self.plan)
        opened = next((one for one in self.book.balances if one.account == account), None)
        return opened or Balance(account, cap_of(self.plan, default_policy()))

    @property
    def cost(self) -> Fraction:
        """What a live release of the plan would be charged: what its mechanisms spend, once all are there."""
        parts = allotments(self.plan)
        if parts and all(part.mechanism for part in parts):
            return plan_guarantee(self.plan).epsilon
        return self.plan.budget.epsilon or Fraction(0)

    # ---- what the officer does

    def edit(self, words: str, plan: ReleasePlan, topic: str = "") -> None:
        """An undoable change of the plan; `words` completes “Undo ...”. A topic merges keystrokes in one field."""
        if plan != self.plan:
            self._file_problems = ()
            self.undo_stack.push(PlanEdit(words, self.plan, plan, self._show_plan, topic))

    def go_to(self, stage: Stage, where: str = "") -> None:
        self.place_wanted.emit(stage, where)

    def open_spreadsheet(self, path: Path) -> None:
        """Read a file and begin a new plan for it."""
        self._read(path, lambda dataset: self._begin(workflow.new_plan(dataset), dataset, None))

    def open_plan(self, path: Path) -> None:
        """Read a plan and the data it names."""
        try:
            plan, problems = workflow.open_plan(path)
        except WorkbenchError as error:
            self.troubled.emit(error)
            return
        self._begin(plan, None, path, problems)
        self.settings.remember_recent(path)
        if plan.data.path:
            self._read(plan.data.path, self._take_data, plan.data.layout)

    def replace_data(self, path: Path, sheet: str | None = None) -> None:
        """Read another file or sheet for the same plan."""
        self._read(path, self._adopt_data, Layout(sheet=sheet))

    def choose_header_row(self, row: int) -> None:
        """Take another row of the same sheet as the header."""
        dataset = self.dataset
        if dataset is not None and row != dataset.header_row:
            self._run("Reading", lambda progress: workflow.with_header_row(dataset, row), self._adopt_data, "data")

    def save(self, path: Path) -> None:
        try:
            workflow.save_plan(self.plan, path)
        except OSError as error:
            self.troubled.emit(OutputError(path.name, error.strerror or "the disk refused it"))
            return
        self.path = path
        self.settings.remember_recent(path)
        self.undo_stack.setClean()
        self.project_changed.emit()

    def close_project(self) -> None:
        """Back to the start page."""
        self.undo_stack.clear()
        self.plan, self.dataset, self.path = ReleasePlan(), None, None
        self.bundle = self.released_plan = None
        self._file_problems = self._checked = ()
        self.is_open = False
        self.mode = Mode.REHEARSAL
        self.data_changed.emit()
        self.plan_changed.emit()
        self.findings_changed.emit()
        self.project_changed.emit()

    def set_mode(self, mode: Mode) -> None:
        if mode is not self.mode:
            self.mode = mode
            self.mode_changed.emit()
            self.check()

    def rehearse(self, out: Path, seed: int | None = None) -> None:
        """Release without spending."""
        plan, dataset = self.plan, self.dataset
        self._run(
            "Rehearsing",
            lambda progress: workflow.release(
                plan, out=out, dataset=dataset, noise=RehearsalNoise(seed), progress=progress
            ),
            self._take_bundle,
            "release",
        )

    def release(self, out: Path, key: SigningKey) -> None:
        """Release and spend."""
        plan, dataset, ledger_path = self.plan, self.dataset, self.settings.ledger

        def work(progress: Progress) -> workflow.Bundle:
            with workflow.open_ledger(ledger_path) as ledger:
                return workflow.release(plan, out=out, dataset=dataset, ledger=ledger, key=key, progress=progress)

        self._run("Releasing", work, self._take_bundle, "release")

    def check(self) -> None:
        """Look for findings again, in the background; the newest look wins."""
        plan, dataset = self.plan, self.dataset
        look = partial(_findings, plan, dataset, self.settings.ledger, self.mode)
        self._run("Checking", look, self._take_findings, "check", is_quiet=True)

    def read_book(self) -> None:
        """Read the ledger again."""
        path = self.settings.ledger
        self._run("Reading the ledger", lambda progress: _read_book(path), self._take_book, "book", is_quiet=True)

    # ---- how the state changes

    def _begin(
        self, plan: ReleasePlan, dataset: Dataset | None, path: Path | None, problems: tuple[Finding, ...] = ()
    ) -> None:
        self.undo_stack.clear()
        self.plan, self.dataset, self.path, self._file_problems = plan, dataset, path, problems
        self.bundle = self.released_plan = None
        self.is_open = True
        self.project_changed.emit()
        self.data_changed.emit()
        self._show_plan(plan)
        self.read_book()

    def _show_plan(self, plan: ReleasePlan) -> None:
        self.plan = plan
        self.plan_changed.emit()
        self.check()

    def _adopt_data(self, dataset: Dataset) -> None:
        """New data under the same plan: the plan refers to them, and columns it does not know are listed as ignored."""
        known = {column.name for column in self.plan.columns}
        fresh = tuple(column for column in workflow.new_plan(dataset).columns if column.name not in known)
        data = replace(self.plan.data, path=dataset.path, layout=dataset.chosen)
        self.edit("change of data", replace(self.plan, data=data, columns=(*self.plan.columns, *fresh)))
        self._take_data(dataset)

    def _take_data(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.settings.set_last_folder(dataset.path.parent)
        self.data_changed.emit()
        self.check()

    def _take_bundle(self, bundle: workflow.Bundle) -> None:
        self.bundle, self.released_plan = bundle, self.plan
        self.released.emit()
        self.read_book()

    def _take_book(self, book: BudgetBook) -> None:
        self.book = book
        self.book_changed.emit()

    def _take_findings(self, findings: tuple[Finding, ...]) -> None:
        self._checked = findings
        self.findings_changed.emit()

    def _read(self, path: Path, then: Any, layout: Layout | None = None) -> None:
        self._run(
            f"Reading {path.name}",
            lambda progress: workflow.open_data(path, layout, progress),
            then,
            "data",
        )

    def _run(self, words: str, work: Any, then: Any, topic: str, is_quiet: bool = False) -> None:
        self.tasks.run(Task(words, work, then, owner=self, topic=topic, is_quiet=is_quiet))


def _findings(
    plan: ReleasePlan, dataset: Dataset | None, ledger_path: Path, mode: Mode, progress: Progress
) -> tuple[Finding, ...]:
    if not ledger_path.exists():
        return workflow.check(plan, dataset)
    with workflow.open_ledger(ledger_path, create=False) as ledger:
        findings = workflow.check(plan, dataset, ledger)
    return findings if mode is Mode.LIVE else tuple(map(_for_a_rehearsal, findings))


def _for_a_rehearsal(finding: Finding) -> Finding:
    """A rehearsal spends nothing, so the ledger cannot stop it; it only warns of what a live release would meet."""
    is_about_ledger = finding.check in ("charge-fits", "ledger-chain")
    return replace(finding, severity=Severity.WARNING) if is_about_ledger else finding


def _read_book(path: Path) -> BudgetBook:
    if not path.exists():
        return BudgetBook()
    try:
        with workflow.open_ledger(path, create=False) as ledger:
            return BudgetBook(ledger.balances(), ledger.entries(), ledger.verify())
    except WorkbenchError as error:
        return BudgetBook(trouble=str(error))
