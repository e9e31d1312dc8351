"""Page 2, Columns: what each column is for, the public bounds of measures and the public codes of keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QWidget

from workbench.data.findings import Stage
from workbench.data.schema import BelongsTo, CodeList, Column, Role, Unlisted
from workbench.errors import CodeFileError
from workbench.gui.dialogs.code_list import CodeListDialog, ask_code_file, ask_where_to_keep, save_codes
from workbench.gui.models.columns import (
    At,
    ColumnFilter,
    ColumnRow,
    ColumnsModel,
    column_rows,
    counts,
    finding,
    first_choice,
    place_in_columns,
)
from workbench.gui.roles import LOOKS, may_become
from workbench.gui.session import Session
from workbench.gui.stage_page import StagePage
from workbench.gui.tasks import Task
from workbench.gui.widgets.bounds_form import BoundsForm
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.codes_form import CodesForm
from workbench.gui.widgets.columns_table import ColumnsTable
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.fields import SearchField
from workbench.gui.widgets.inspector import Inspector, InspectorSection
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.role_mark import RoleLegend
from workbench.gui.widgets.role_menu import RoleMenu
from workbench.gui.widgets.status import State, StatusLabel
from workbench.gui.widgets.text import Text
from workbench.plan.codefile import read_codes

_WIDTHS: Mapping[int, tuple[int, int]] = {
    At.CODES: (96, 150),
    At.NAME: (96, 180),
    At.EXAMPLE: (60, 96),
    At.SOURCE: (60, 110),
    At.BOUNDS: (70, 130),
    At.STATE: (102, 102),
    At.BELONGS: (102, 102),
}
_NOT_SHOWN = "No minimum, maximum or histogram is shown: looking at them would be an unrecorded look at the data."
_MOVING = "workplace-keys"
"""The check that an establishment has one code of each key declared its own; its findings stand at a cell."""
_ASIDES = {
    Role.MEASURE: ("public bounds", "values outside are moved to the nearest bound before anything is computed"),
    Role.KEY: ("public codes", "every code becomes a cell, whether the data have it or not"),
}


class ColumnsPage(StagePage):
    stage = Stage.COLUMNS

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Columns")
        self.set_role = plain_button("Set role of &selected")
        self.roles = RoleMenu(self.set_role)
        self.filter = SearchField("Filter columns", 240)
        self.only_needing = QCheckBox("Only rows that &need me")
        self.counts = Text("", "muted")
        self.model = ColumnsModel()
        self.shown_rows = ColumnFilter(self.model)
        self.table = ColumnsTable(self.shown_rows, At.NAME, At.ROLE, _WIDTHS, spared=At.TYPE)
        self.bounds = BoundsForm()
        self.codes = CodesForm()
        self.sentence = Text("", wrap=True)
        self.detail = Card()
        self.need = StatusLabel(State.NEEDS_YOU, kind="small")
        self.empty = EmptyState("grid", "The columns of your file will be listed here.", "Go to Data")
        self._name = ""
        self._build()
        self._connect()
        self._show()

    def _build(self) -> None:
        self.set_role.setMenu(self.roles)
        self.add_header_button(self.set_role)
        self._controls = QWidget()
        row = QHBoxLayout(self._controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for widget in (self.filter, self.only_needing):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.counts)
        self._forms = QStackedWidget()
        for form in (self.bounds, self.codes, self.sentence):
            self._forms.addWidget(form)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.detail.add(self._forms)
        self.detail.add_header_widget(self.need)
        self.table.setMinimumHeight(190)
        self.table.fit_columns([At.NAME, At.CODES])
        self.add(self.empty, 1)
        self.add(self._controls)
        self.add(self.table, 1)
        self.add(self.detail)

    def _connect(self) -> None:
        session = self.session
        for signal in (session.plan_changed, session.data_changed, session.findings_changed):
            signal.connect(self._show)
        self.empty.clicked.connect(lambda: session.go_to(Stage.DATA))
        self.filter.textChanged.connect(self.shown_rows.set_words)
        self.only_needing.toggled.connect(self.shown_rows.set_only_needing)
        self.model.role_chosen.connect(self._choose_role)
        self.roles.aboutToShow.connect(lambda: self.roles.show_allowed(row.column.role for row in self._selected()))
        self.roles.chosen.connect(self._set_role_of_selected)
        chosen = self.table.selectionModel()
        chosen.currentRowChanged.connect(self._choose_column)
        chosen.selectionChanged.connect(lambda *_: self._show_selection())
        self.bounds.applied.connect(self._apply_bounds)
        self.codes.paste_wanted.connect(self._paste_codes)
        self.codes.file_wanted.connect(self._choose_code_file)
        self.codes.cleared.connect(lambda: self._take_codes(self._name, None))
        self.codes.remedy_chosen.connect(self._choose_remedy)
        self.codes.owner_chosen.connect(self._choose_owner)

    # ---- showing

    @property
    def chosen(self) -> ColumnRow | None:
        """The column whose decisions are shown below the table."""
        return next((row for row in self.model.rows if row.name == self._name), None)

    def _show(self) -> None:
        session = self.session
        rows = column_rows(session.plan, session.dataset, session.findings)
        had_columns = [row.name for row in self.model.rows]
        is_shown = not self.table.isColumnHidden(At.BELONGS)
        self.table.setColumnHidden(At.BELONGS, not self._has_employers)
        self.model.show_rows(rows)
        for widget in (self._controls, self.table, self.detail, self.set_role):
            widget.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.counts.set_text(counts(rows))
        self.filter.setPlaceholderText(f"Filter {len(rows)} columns")
        self.set_subtitle(finding(rows))
        if had_columns != [row.name for row in rows] or is_shown != self._has_employers:
            self.table.fit_columns([At.NAME, At.CODES])
        if had_columns != [row.name for row in rows]:
            self._select(self._name if self.chosen else first_choice(rows))
        self._show_detail()

    def _show_detail(self) -> None:
        row = self.chosen
        if row is None:
            return
        column = row.column
        about, aside = _ASIDES.get(column.role, (LOOKS[column.role].words.lower(), ""))
        self.detail.set_title(f"{column.name}: {about}")
        self.detail.set_aside("" if row.needs else aside)
        self.need.setVisible(bool(row.needs))
        self.need.set_state(State.NEEDS_YOU, row.needs[0] if row.needs else "")
        self.sentence.set_text(LOOKS[column.role].sentence)
        if column.role is Role.MEASURE:
            self.bounds.show_column(column)
        elif column.role is Role.KEY:
            self.codes.show_column(column, has_employers=self._has_employers)
        forms: dict[Role, QWidget] = {Role.MEASURE: self.bounds, Role.KEY: self.codes}
        self._forms.setCurrentWidget(forms.get(column.role, self.sentence))
        self.inspector_changed.emit()

    @property
    def _has_employers(self) -> bool:
        return bool(self.session.plan.columns_with(Role.EMPLOYER_ID))

    def _show_selection(self) -> None:
        count = len(self.table.selected_rows())
        self.set_role.setText(f"Set role of {count} &selected" if count > 1 else "Set role of &selected")
        self.set_role.setEnabled(count > 0)

    def _selected(self) -> list[ColumnRow]:
        sources = (self.shown_rows.mapToSource(self.shown_rows.index(row, 0)) for row in self.table.selected_rows())
        return [self.model.rows[source.row()] for source in sources]

    def _select(self, name: str) -> None:
        """Make a column the current one, taking away a filter that hides it."""
        at = next((at for at, row in enumerate(self.model.rows) if row.name == name), None)
        if at is None:
            return
        index = self.shown_rows.mapFromSource(self.model.index(at, At.ROLE))
        if not index.isValid():
            self.filter.clear()
            self.only_needing.setChecked(False)
            index = self.shown_rows.mapFromSource(self.model.index(at, At.ROLE))
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index)

    # ---- what the officer does

    def _choose_column(self, now: QModelIndex, before: QModelIndex) -> None:
        if now.isValid():
            self._name = self.model.rows[self.shown_rows.mapToSource(now).row()].name
            self._show_detail()

    def _choose_role(self, name: str, role: Role) -> None:
        column = self._decided(name)
        if may_become(column.role, role):
            self._edit(f"change of role of {name}", replace(column, role=role))

    def _set_role_of_selected(self, role: Role) -> None:
        changed = [replace(row.column, role=role) for row in self._selected() if may_become(row.column.role, role)]
        words = f"change of role of {changed[0].name}" if len(changed) == 1 else f"change of {len(changed)} roles"
        self._edit(words, *changed)

    def _apply_bounds(self, column: Column) -> None:
        self._edit(f"change of bounds of {column.name}", column)

    def _choose_remedy(self, remedy: Unlisted) -> None:
        self._edit(f"remedy for {self._name}", replace(self._decided(self._name), unlisted=remedy))

    def _choose_owner(self, owner: BelongsTo) -> None:
        words = f"change of whose property {self._name} is"
        self._edit(words, replace(self._decided(self._name), belongs_to=owner))

    def _paste_codes(self) -> None:
        column = self._decided(self._name)
        dialog = CodeListDialog(column.name, column.codes, self)
        dialog.accepted.connect(lambda: self._take_pasted(column, dialog.codes))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take_pasted(self, column: Column, pasted: CodeList) -> None:
        """Labels live in a code file; codes alone are kept in the plan."""
        present = column.codes
        if present is not None and (present.codes, present.labels) == (pasted.codes, pasted.labels):
            return
        if not pasted.has_labels:
            self._take_codes(column.name, pasted)
            return
        path = ask_where_to_keep(self, self._folder / f"{column.name}.csv")
        if path is None:
            return
        try:
            self._take_codes(column.name, save_codes(pasted, path))
        except OSError:
            self.codes.show_trouble(f"“{path.name}” cannot be written.", "Choose a folder you may write to.")

    def _choose_code_file(self) -> None:
        path = ask_code_file(self, str(self._folder))
        if path is not None:
            self.read_code_file(path)

    def read_code_file(self, path: Path) -> None:
        """Take the codes of a file for the chosen column; a long list is read in the background."""
        name = self._name
        self.session.tasks.run(
            Task(f"Reading {path.name}", lambda progress: _codes_or_reason(path),
                 lambda found: self._take_codes(name, found), owner=self, topic="codes")
        )  # fmt: skip

    def _take_codes(self, name: str, codes: CodeList | CodeFileError | None) -> None:
        if isinstance(codes, CodeFileError):
            self.codes.show_trouble(codes.what, codes.remedy)
            return
        self._edit(f"change of codes of {name}", replace(self._decided(name), codes=codes))

    def _decided(self, name: str) -> Column:
        return self.session.plan.column(name) or Column(name)

    def _edit(self, words: str, *changed: Column) -> None:
        plan = self.session.plan
        for column in changed:
            plan = plan.with_column(column)
        self.session.edit(words, plan)

    @property
    def _folder(self) -> Path:
        return self.session.path.parent if self.session.path else Path(self.session.settings.last_folder)

    # ---- going to a field

    def go_to(self, where: str) -> None:
        """Select the column a finding is about and focus the field of it."""
        names = frozenset(row.name for row in self.model.rows)
        name, field = place_in_columns(where, names, self.session.dataset)
        self._select(name)
        if any(one.check == _MOVING and one.where == where for one in self.session.findings):
            field = "belongs_to"
        widget = self._field(field) if name else self.table
        self.show_widget(widget)
        widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _field(self, field: str) -> QWidget:
        """The widget for a field of the chosen column, if its form is shown; the table otherwise."""
        widgets: dict[str, QWidget] = {
            "lower": self.bounds.lower_bound, "upper": self.bounds.upper_bound, "bounds_source": self.bounds.source,
            "belongs_to": self.codes.belongs_to,
            "codes": self.codes.paste, "codes_file": self.codes.from_file, "unlisted": self.codes.remedy,
        }  # fmt: skip
        widget = widgets.get(field)
        return widget if widget is not None and widget.isVisibleTo(self) else self.table

    # ---- the inspector

    def fill_inspector(self, inspector: Inspector) -> None:
        row = self.chosen
        if row is None:
            return
        section = inspector.add_section(row.name)
        if row.facts is None or self.session.dataset is None:
            section.add_state(State.NEEDS_YOU, "The file has no column of this name.")
        else:
            _show_facts(section, row, self.session.dataset.rows)
        inspector.add_section("Roles").add_widget(RoleLegend())


def _show_facts(section: InspectorSection, row: ColumnRow, records: int) -> None:
    assert row.facts is not None
    section.add_row("In the sheet", f"column {row.facts.letter}")
    section.add_row("Values", shown(str(records - row.facts.missing)))
    section.add_row("Missing", shown(str(row.facts.missing)))
    section.add_row("Records", shown(str(records)), bold=True)
    section.add_sentence(_NOT_SHOWN)


def _codes_or_reason(path: Path) -> CodeList | CodeFileError:
    """A file that is no code list is shown beside the list, not as trouble of the whole window."""
    try:
        return read_codes(path)
    except CodeFileError as error:
        return error
