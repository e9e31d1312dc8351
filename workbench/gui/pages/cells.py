"""Stage 3: the keys of each table, the cells they make, and the totals added up from them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from workbench.data.findings import Stage
from workbench.data.schema import Role
from workbench.gui import theme
from workbench.gui.dialogs.table_name import TableNameDialog
from workbench.gui.lazy_page import LazyPage
from workbench.gui.models.cell_words import (
    KEY_HEADERS,
    change_words,
    free_name,
    key_row,
    named_after,
    product,
    subtitle,
    totals_size,
)
from workbench.gui.models.counting import whole
from workbench.gui.session import Session
from workbench.gui.widgets.budget_bar import REMAINING, SPENT, Share, ShareBar
from workbench.gui.widgets.buttons import Button, plain_button
from workbench.gui.widgets.control_table import ControlTable
from workbench.gui.widgets.cross_card import CrossCard
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.key_chooser import KeyChooser
from workbench.gui.widgets.page import GAP
from workbench.gui.widgets.totals_card import TotalsCard, totals_after
from workbench.plan.cells import CellGrid, grid_of
from workbench.plan.changes import with_new_table, without_table
from workbench.plan.plan import Keys, Table
from workbench.privacy.explanation import composition_words

_CHANGE = len(KEY_HEADERS) - 1


class CellsPage(LazyPage):
    """Shows one table of the plan at a time."""

    stage = Stage.CELLS

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Cells")
        self._at = 0
        self._change_buttons: dict[str, Button] = {}
        self.table_choice = QComboBox()
        self.rename_button = plain_button("&Rename…")
        self.remove_button = plain_button("Re&move")
        self.add_button = plain_button("&Add table", "plus")
        self.chooser = KeyChooser()
        self.totals = TotalsCard()
        self.key_table = ControlTable("Keys of the table", KEY_HEADERS, "llrlll", elastic=1)
        self.cross = CrossCard()
        self.empty = EmptyState("grid", "", " ", primary=True)
        self._content = self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> QWidget:
        self.table_choice.setAccessibleName("Table")
        self.table_choice.setMaximumWidth(theme.scaled(200))
        self.rename_button.setAccessibleName("Rename this table")
        self.remove_button.setAccessibleName("Remove this table")
        self.key_table.set_control_width(_CHANGE, 82)
        for widget in (self.table_choice, self.rename_button, self.remove_button, self.add_button):
            self.add_header_button(widget)
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self.chooser, 11)
        top.addWidget(self.totals, 8)
        for chosen in (self.chooser, self.totals):
            chosen.setFixedHeight(theme.scaled(196))
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addLayout(top)
        column.addWidget(self.key_table)
        column.addWidget(self.cross, 1)
        self.add(content, 1)
        self.add(self.empty, 1)
        return content

    def _connect(self) -> None:
        session = self.session
        for changed in (session.plan_changed, session.project_changed):
            changed.connect(self.refresh)
        self.table_choice.activated.connect(self.show_table)
        self.add_button.clicked.connect(self._add_table)
        self.remove_button.clicked.connect(self._remove_table)
        self.rename_button.clicked.connect(self._rename_table)
        self.empty.clicked.connect(self._begin)
        self.chooser.keys_wanted.connect(self._choose_keys)
        self.chooser.role_wanted.connect(self._go_to_role)
        self.totals.totals_wanted.connect(self._choose_totals)
        self.key_table.rows_made.connect(self._set_change_buttons)

    # ---- what is shown

    @property
    def table(self) -> Table | None:
        tables = self.session.plan.tables
        return tables[min(self._at, len(tables) - 1)] if tables else None

    def show_table(self, at: int) -> None:
        self._at = at
        self.refresh()

    def show_now(self) -> None:
        """Show the plan as it stands."""
        table = self.table
        self._content.setVisible(table is not None)
        self.empty.setVisible(table is None)
        self._show_header()
        if table is None:
            self._show_empty()
        else:
            self._at = min(self._at, len(self.session.plan.tables) - 1)
            self._show_parts(table, grid_of(self.session.plan, table))
        self.inspector_changed.emit()

    def _show_parts(self, table: Table, grid: CellGrid | None) -> None:
        plan = self.session.plan
        self.set_subtitle(subtitle(plan, table, grid))
        self.chooser.show_keys(plan, table.keys)
        self.totals.show_totals(table, grid)
        self.cross.show_cross(table, grid)
        rows = [key_row(plan, key) for key in table.keys]
        self.key_table.show_rows(rows, afresh=table.keys != self._keys_shown())
        self.key_table.setVisible(bool(rows))
        self._name_fields()

    def _name_fields(self) -> None:
        here = f"tables.{self._at}"
        self.fields = {
            "tables": self.add_button,
            here: self.chooser.available,
            f"{here}.name": self.rename_button,
            f"{here}.margins": self.totals.radio(self.totals.mode()),
            **{f"columns.{key}": button for key, button in self._change_buttons.items()},
        }

    def _keys_shown(self) -> Keys:
        return tuple(row[0] for row in self.key_table.texts())

    def _show_header(self) -> None:
        tables = self.session.plan.tables
        with QSignalBlocker(self.table_choice):
            self.table_choice.clear()
            self.table_choice.addItems([table.name for table in tables])
            self.table_choice.setCurrentIndex(min(self._at, len(tables) - 1))
        self.table_choice.setVisible(len(tables) > 1)
        self.add_button.setVisible(self.session.is_open)
        for button in (self.rename_button, self.remove_button):
            button.setVisible(bool(tables))

    def _show_empty(self) -> None:
        self.set_subtitle("")
        if not self.session.is_open:
            sentence, button = "The cells of a table will be here once a spreadsheet is open.", "Go to Data"
        elif not self.session.plan.columns_with(Role.KEY):
            sentence, button = "The cells of a table are made by its keys, and no column is a key yet.", "Go to Columns"
        else:
            sentence, button = "The cells of a table will be here once it has keys.", "Add table"
        self.empty.set_sentence(sentence)
        self.empty.button.setText(button)

    def _set_change_buttons(self) -> None:
        self._change_buttons = {}
        for row, key in enumerate(self._keys_shown()):
            button = plain_button("Change…", small=True)
            button.setAccessibleName(f"Change the code list of {key}")
            button.clicked.connect(lambda _=False, key=key: self.session.go_to(Stage.COLUMNS, f"columns.{key}.codes"))
            self.key_table.put_widget(row, _CHANGE, _with_margins(button))
            self._change_buttons[key] = button

    def go_to(self, where: str) -> None:
        parts = where.split(".")
        if parts[0] == "tables" and len(parts) > 1:
            self._at = int(parts[1])
        self.refresh()
        super().go_to(where)

    # ---- what the officer does

    def _begin(self) -> None:
        if not self.session.is_open:
            self.session.go_to(Stage.DATA)
        elif not self.session.plan.columns_with(Role.KEY):
            self.session.go_to(Stage.COLUMNS)
        else:
            self._add_table()

    def _choose_keys(self, keys: Keys) -> None:
        table = self.table
        if table is None or keys == table.keys:
            return
        name = table.name
        if name == named_after(table.keys):
            name = free_name(named_after(keys), [one.name for one in self.session.plan.tables if one is not table])
        changed = replace(table, name=name, keys=keys, totals=totals_after(table.totals, table.keys, keys))
        self.session.edit(change_words(table.keys, keys), self.session.plan.with_table(self._at, changed))

    def _choose_totals(self, totals: tuple[Keys, ...]) -> None:
        if self.table is not None:
            changed = replace(self.table, totals=totals)
            self.session.edit("change of totals", self.session.plan.with_table(self._at, changed))

    def _add_table(self) -> None:
        plan = self.session.plan
        added = Table(free_name(named_after(()), [table.name for table in plan.tables]))
        self._at = len(plan.tables)
        self.session.edit("addition of a table", with_new_table(plan, added))

    def _remove_table(self) -> None:
        if self.table is not None:
            self.session.edit("removal of a table", without_table(self.session.plan, self._at))

    def _rename_table(self) -> None:
        if self.table is None:
            return
        others = [one.name for at, one in enumerate(self.session.plan.tables) if at != self._at]
        dialog = TableNameDialog(self.table.name, others, self)
        dialog.accepted.connect(lambda: self._take_name(dialog.name))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take_name(self, name: str) -> None:
        if self.table is not None:
            changed = replace(self.table, name=name)
            self.session.edit("change of table name", self.session.plan.with_table(self._at, changed))

    def _go_to_role(self, name: str) -> None:
        self.session.go_to(Stage.COLUMNS, f"columns.{name}.role" if name else "")

    # ---- the inspector

    def fill_inspector(self, inspector: Inspector) -> None:
        table = self.table
        grid = grid_of(self.session.plan, table) if table else None
        if table is None or grid is None:
            return
        section = inspector.add_section(f"Cells of table {self._at + 1}")
        section.add_figure(whole(grid.size), f"= {product(grid)}" if grid.keys else "the total of all records")
        added_up = totals_size(table, grid)
        together = grid.size + added_up
        words = f"{whole(grid.size)} cells with noise, {whole(added_up)} totals added up"
        section.add_widget(ShareBar([Share(grid.size / together, SPENT), Share(added_up / together, REMAINING)], words))
        section.add_legend_row(SPENT, "With noise", whole(grid.size))
        section.add_legend_row(REMAINING, "Totals, added up", whole(added_up))
        shared = inspector.add_section("How the cells share epsilon")
        shared.add_sentence(composition_words(self.session.plan), "small")


def _with_margins(widget: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.addStretch(1)
    row.addWidget(widget)
    return holder
