"""The table of what a release will publish, as review and release show it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView

from workbench.gui.models.counting import short
from workbench.gui.models.error_words import amount
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.plain_table import Cell, PlainTable
from workbench.gui.widgets.tables import Rows
from workbench.preview.outline import PlannedTable

_HEADERS = ("Table by", "Cells", "ε", "Margin")
_WIDE_HEADERS = ("Table", "Mechanism", "Cells", "ε", "Margin 95 %")


class OutlineTable(PlainTable):
    """`wide` gives the mechanism a column of its own; otherwise it stands under the table's title."""

    def __init__(self, *, wide: bool = False, most_rows: int = 9) -> None:
        rows = Rows.PLAIN if wide else Rows.TWO_LINES
        headers, aligns = (_WIDE_HEADERS, "llrrr") if wide else (_HEADERS, "lrrr")
        name = "What will be published, margins at 95 %"
        super().__init__(name, headers, (), aligns, most_rows=most_rows, row_height=rows, inside=True)
        self._wide = wide
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def show_tables(self, tables: Sequence[PlannedTable]) -> None:
        self.set_rows([self._row(table) for table in tables])

    def _row(self, table: PlannedTable) -> list[Cell]:
        how = "added up" if table.is_total else table.mechanism
        name = table.title if self._wide else table.by or "all together"
        title = Cell(name, bold=not table.is_total, second_line="" if self._wide else how)
        cost = Cell(short(table.epsilon), bold=not table.is_total, muted=table.is_total)
        by = [Cell(how, muted=table.is_total)] if self._wide else []
        return [title, *by, Cell(shown(str(table.cells))), cost, Cell(_margin(table))]


def _margin(table: PlannedTable) -> str:
    if table.margin is not None:
        return f"± {amount(table.margin)}"
    return "differs by cell" if table.has_limits else "not published"
