"""The mechanisms considered for one statistic, best first, each with its reason; one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton

from workbench.gui import theme
from workbench.gui.models.counting import percent, with_unit
from workbench.gui.models.statistic_rows import DrawnRow
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.control_table import CELL_PADDING, ControlTable
from workbench.gui.widgets.plain_table import Cell
from workbench.gui.widgets.statistic_controls import centred
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import Rows
from workbench.gui.widgets.text import Text
from workbench.privacy.choose import Candidate
from workbench.privacy.mechanisms import Mechanism

_HEADERS = ("", "Mechanism", "In target", "Margin", "Publish?", "Why")
_IN_TARGET, _WHY = 2, 5
_NOTHING = Cell("–", muted=True)
_NOTHING_YET = "The mechanisms that fit are listed here once it is chosen who is protected and how much."


class MechanismCard(Card):
    """Tells which mechanism is wanted for the row it shows."""

    mechanism_wanted = Signal(str)

    def __init__(self, within_target: Callable[[Mechanism], float]) -> None:
        super().__init__("Mechanisms", flush=True)
        self._within_target = within_target
        self._row: DrawnRow | None = None
        self._names: tuple[str, ...] = ()
        self._radios: list[QRadioButton] = []
        self._reasons: list[Text] = []
        self._group = QButtonGroup(self)
        self.add_header_widget(Text("ranked from public facts only", "small_muted"))
        self.table = ControlTable(
            "Mechanisms considered", _HEADERS, "llrrll", _WHY, Rows.TWO_LINES, spared=_IN_TARGET, inside=True
        )
        self.table.setSelectionMode(ControlTable.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.rows_made.connect(self._set_controls)
        self.table.fitted.connect(self._fit_heights)
        self.nothing = Text(_NOTHING_YET, "muted", wrap=True)
        self.nothing.setContentsMargins(16, 12, 16, 12)
        self.add(self.table)
        self.add(self.nothing)
        self.add_stretch()

    def show_row(self, row: DrawnRow, unit: str) -> None:
        self._row = row
        self.set_title(f"Mechanisms that fit row {row.number}")
        names = tuple(one.kind.name for one in row.considered)
        is_new, self._names = names != self._names, names
        self.table.show_rows([self._cells(one, unit) for one in row.considered], afresh=is_new)
        self.table.setVisible(bool(names))
        self.nothing.setVisible(not names)
        self._group.setExclusive(False)  # none is checked while none fits
        for radio, reason, one in zip(self._radios, self._reasons, row.considered, strict=True):
            with QSignalBlocker(radio):
                radio.setChecked(row.mechanism is not None and one.kind.name == row.mechanism.name)
            radio.setEnabled(one.is_admissible)
            reason.set_text(one.reason)
        self._group.setExclusive(True)
        self._fit_heights()

    def radio(self, name: str) -> QRadioButton:
        return self._radios[self._names.index(name)]

    def _cells(self, one: Candidate, unit: str) -> list[str | Cell]:
        if one.mechanism is None:
            return ["", Cell(one.kind.title, muted=True, second_line="does not fit"), *[_NOTHING] * 3, ""]
        is_best = self._row is not None and one is self._row.considered[0]
        is_public = one.kind.is_margin_publishable
        return [
            "",
            Cell(one.kind.title, bold=True, second_line="recommended" if is_best else "fits"),
            percent(self._within_target(one.mechanism)),
            with_unit(one.mechanism.margin(), unit),
            Cell("yes", state=State.DONE) if is_public else Cell("no", state=State.BLOCKED),
            "",
        ]

    def _set_controls(self) -> None:
        for radio in self._radios:
            self._group.removeButton(radio)
        self._radios, self._reasons = [], []
        for at, name in enumerate(self._names):
            radio, reason = QRadioButton(), Text("", "small", wrap=True)
            radio.setAccessibleName(f"Use {self._row.considered[at].kind.title}" if self._row else name)
            radio.clicked.connect(lambda _=False, name=name: self.mechanism_wanted.emit(name))
            reason.setContentsMargins(0, 4, 0, 4)
            self._group.addButton(radio)
            self._radios.append(radio)
            self._reasons.append(reason)
            self.table.put_widget(at, 0, centred(radio))
            self.table.put_widget(at, _WHY, reason)

    def _fit_heights(self) -> None:
        """Rows as high as their reasons need."""
        width = self.table.columnWidth(_WHY) - 2 * CELL_PADDING
        for at, reason in enumerate(self._reasons):
            self.table.setRowHeight(at, max(reason.heightForWidth(width), theme.scaled(Rows.TWO_LINES)))
        self.table.updateGeometry()
