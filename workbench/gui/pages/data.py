"""Page 1, Data: the sheet as it was read, what was guessed about it, and what was found in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QLocale, QMimeData, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QComboBox, QSpinBox

from workbench.data.dataset import Dataset
from workbench.data.findings import Finding, Stage
from workbench.data.readers import SUFFIXES
from workbench.data.schema import CodeList, Unlisted
from workbench.gui.models.data_findings import found_rows
from workbench.gui.models.sheet_grid import SheetGrid, cell_at
from workbench.gui.session import Session
from workbench.gui.stage_page import StagePage
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.fields import LabelledRow
from workbench.gui.widgets.findings_card import FindingsCard
from workbench.gui.widgets.flow import FlowRow
from workbench.gui.widgets.inspector import Inspector, InspectorSection
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.sheet_view import SheetView
from workbench.gui.widgets.status import State
from workbench.gui.widgets.text import Text

_FORMATS = f"{', '.join(suffix.lstrip('.') for suffix in SUFFIXES)}. Read only."


class DataPage(StagePage):
    stage = Stage.DATA
    file_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Data")
        self.setAcceptDrops(True)
        self.replace_button = plain_button("Re&place file…", "folder-open")
        self.drop_area = DropArea("Drop the data file here", _FORMATS, "Open a spreadsheet…", primary=True)
        self.sheet = QComboBox()
        self.header_row = QSpinBox()
        self.guess = Text("", "muted")
        self.grid = SheetGrid()
        self.view = SheetView("The sheet as it was read", self.grid)
        self.findings = FindingsCard()
        self._build()
        self._connect()
        self.fields = {"data": self.replace_button, "data.sheet": self.sheet, "data.header_row": self.header_row}
        self._show_data()

    def _build(self) -> None:
        self.add_header_button(self.replace_button)
        self.sheet.setAccessibleName("Sheet")
        for part in (self.header_row, self.header_row.lineEdit()):
            part.setAccessibleName("Header row")
        self.header_row.setKeyboardTracking(False)
        self.header_row.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.sheet.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._sheet_row = LabelledRow("&Sheet", self.sheet)
        self._controls = FlowRow(self._sheet_row, LabelledRow("Header ro&w", self.header_row), self.guess)
        self.view.setMinimumHeight(220)
        self.add(self.drop_area, 1)
        self.add(self._controls)
        self.add(self.view, 1)
        self.add(self.findings)

    def _connect(self) -> None:
        session = self.session
        session.data_changed.connect(self._show_data)
        session.plan_changed.connect(self._show_codes)
        session.findings_changed.connect(self._show_findings)
        session.tasks.started.connect(self._show_reading)
        session.tasks.ended.connect(self._show_controls)
        self.replace_button.clicked.connect(self.file_wanted)
        self.drop_area.browse_requested.connect(self.file_wanted)
        self.drop_area.dropped.connect(self._take_file)
        self.sheet.textActivated.connect(self._choose_sheet)
        self.header_row.valueChanged.connect(session.choose_header_row)
        self.view.cell_chosen.connect(lambda row, column: self.inspector_changed.emit())
        self.findings.remedy_chosen.connect(self._choose_remedy)
        self.findings.place_wanted.connect(self._show_place)

    # ---- showing

    def _show_data(self) -> None:
        dataset = self.session.dataset
        has_data = dataset is not None
        for widget in (self._controls, self.view, self.findings, self.replace_button):
            widget.setVisible(has_data)
        self.drop_area.setVisible(not has_data)
        self.grid.set_dataset(dataset)
        if dataset is not None:
            titles = [row for row in range(self.grid.header_row) if self.grid.is_title(row)]
            self.view.show_sheet(self.grid.header_row, titles)
        self._show_controls()
        self._show_codes()
        self._show_findings()

    def _show_controls(self) -> None:
        dataset = self.session.dataset
        if dataset is None:
            self.set_subtitle(self._waiting_for())
            return
        with QSignalBlocker(self.sheet), QSignalBlocker(self.header_row):
            self.sheet.clear()
            self.sheet.addItems(dataset.sheet_names)
            self.sheet.setCurrentText(dataset.sheet)
            self.header_row.setRange(1, max(self.grid.rowCount(), 1))
            self.header_row.setValue(dataset.header_row)
        self._sheet_row.setVisible(bool(dataset.sheets))
        self.guess.set_text(_guess(dataset))
        sheet = f", sheet “{dataset.sheet}”" if dataset.sheet else ""
        self.set_subtitle(f"{dataset.path.name}{sheet}. Check what was guessed; nothing is changed in your file.")

    def _show_reading(self, words: str) -> None:
        if self.session.dataset is None:
            self.set_subtitle(f"{words} …")

    def _waiting_for(self) -> str:
        path = self.session.plan.data.path
        if path is None:
            return "The sheet will be here once you open a file."
        return f"“{path.name}” is not read. If it has moved, open it where it is now."

    def _show_codes(self) -> None:
        self.grid.set_columns({column.name: column for column in self.session.plan.columns})
        self.inspector_changed.emit()

    def _show_findings(self) -> None:
        session = self.session
        if session.dataset is not None:
            rows = found_rows(session.findings, session.dataset, session.plan.columns)
            self.findings.show_rows(rows, {column.name: column.unlisted for column in session.plan.columns})

    # ---- what the officer does

    def _choose_sheet(self, sheet: str) -> None:
        dataset = self.session.dataset
        if dataset is not None and sheet != dataset.sheet:
            self.session.replace_data(dataset.path, sheet)

    def _choose_remedy(self, name: str, remedy: Unlisted) -> None:
        column = self.session.plan.column(name)
        if column is not None:
            plan = self.session.plan.with_column(replace(column, unlisted=remedy))
            self.session.edit(f"remedy for {name}", plan)

    def _show_place(self, finding: Finding) -> None:
        dataset = self.session.dataset
        if dataset is not None and cell_at(dataset, finding.where):
            self.go_to(finding.where)
        else:
            self.session.go_to(finding.stage, finding.where)

    def go_to(self, where: str) -> None:
        """Select the cell of an address, or focus the field of a plan key."""
        dataset = self.session.dataset
        place = cell_at(dataset, where) if dataset else None
        if place is None:
            super().go_to(where)
            return
        self.view.show_cell(*place)
        self.show_widget(self.view)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_file(self, path: Path) -> None:
        if self.session.is_open:
            self.session.replace_data(path)
        else:
            self.session.open_spreadsheet(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _spreadsheet(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        file = _spreadsheet(event.mimeData())
        if file:
            event.acceptProposedAction()
            self._take_file(file)

    # ---- the inspector

    def fill_inspector(self, inspector: Inspector) -> None:
        dataset = self.session.dataset
        if dataset is None:
            return
        _show_file(inspector.add_section("This file"), dataset)
        index = self.view.currentIndex()
        if index.isValid():
            address = f"{self.grid.facts(index.column()).letter}{index.row() + 1}"
            self._show_cell(inspector.add_section(f"Selected cell: {address}"), index.row(), index.column())

    def _show_cell(self, section: InspectorSection, row: int, column: int) -> None:
        text = self.grid.text(row, column)
        section.add_row("In the file", text if text is not None else "empty")
        section.add_row("Column", self.grid.facts(column).name)
        codes = self.grid.codes(column)
        if row < self.grid.header_row:
            section.add_sentence("This row stands above the header and is skipped.")
        elif row > self.grid.header_end and codes is not None:
            _show_code(section, text, codes, is_off_list=self.grid.is_off_list(row, column))


def _show_file(section: InspectorSection, dataset: Dataset) -> None:
    section.add_row("Records read", shown(str(dataset.rows)), bold=True)
    section.add_row("Columns", shown(str(len(dataset.columns))))
    if dataset.sheet:
        section.add_row("Sheet", dataset.sheet)
    section.add_row("Size", QLocale().formattedDataSize(dataset.bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat))
    digest = section.add_row("SHA-256", _short(dataset.sha256), mono=True)
    digest.setToolTip(dataset.sha256)
    section.add_sentence("The plan keeps a reference to this file, never its records.")


def _show_code(section: InspectorSection, text: str | None, codes: CodeList, *, is_off_list: bool) -> None:
    if is_off_list:
        section.add_state(State.NEEDS_YOU, f"Not one of the {shown(str(len(codes)))} codes of {codes.source}.")
    elif text is not None:
        section.add_row("Label", codes.labels[codes.codes.index(text)])
        section.add_row("Code list", codes.source)


def _short(digest: str) -> str:
    return f"{digest[:4]} {digest[4:8]} … {digest[-4:]}"


def _guess(dataset: Dataset) -> str:
    above = dataset.header_row - 1
    skipped = {0: "", 1: "; the row above it is skipped"}.get(above, f"; the {above} rows above it are skipped")
    return f"Records start in row {dataset.first_row}{skipped}."


def _spreadsheet(data: QMimeData) -> Path | None:
    """The one dropped file, unless it is a plan: that is for the window."""
    files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return files[0] if len(files) == 1 and files[0].suffix.lower() != ".toml" else None
