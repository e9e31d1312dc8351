"""The mechanisms considered for one statistic, best first, each with its reason; one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from workbench.gui import theme
from workbench.gui.models.counting import exact, percent
from workbench.gui.models.error_words import error_figures, released_by
from workbench.gui.models.mechanism_choices import of_other_protections, of_this_protection
from workbench.gui.models.statistic_rows import DrawnRow
from workbench.gui.widgets.buttons import Button, link_button, unfolding_link
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.control_table import CELL_PADDING, ControlTable
from workbench.gui.widgets.plain_table import Cell
from workbench.gui.widgets.scroll import DownwardScroll
from workbench.gui.widgets.statistic_controls import centred
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import Rows
from workbench.gui.widgets.text import Text
from workbench.privacy.choose import Candidate
from workbench.privacy.composition import Allotment

_HEADERS = ("", "Mechanism", "In target", "Error (95 %)", "Publish?", "Why")
_IN_TARGET, _WHY = 2, 5
_LEAST_HEIGHT = 240
_GRID_LINE = 2
_AROUND = 12  # what a reason keeps free above and below itself, and the grid's line
_NOTHING = Cell("–", muted=True)
_NOTHING_YET = "The mechanisms that fit are listed here once it is chosen who is protected and how much."

WithinTarget = Callable[[Allotment, Candidate], float]
Fitting = Callable[[Allotment, Candidate], Fraction | None]


class MechanismCard(Card):
    """Tells which mechanism is wanted for the row it shows, or the epsilon of the plan with which one would fit."""

    mechanism_wanted = Signal(str)
    epsilon_wanted = Signal(object)  # Fraction

    def __init__(self, within_target: WithinTarget, epsilon_that_fits: Fitting) -> None:
        super().__init__("Mechanisms", flush=True)
        self._within_target, self._epsilon_that_fits = within_target, epsilon_that_fits
        self._row: DrawnRow | None = None
        self._listed: tuple[Candidate, ...] = ()
        self._radios: list[QRadioButton] = []
        self._reasons: list[_Reason] = []
        self._group = QButtonGroup(self)
        self.add_header_widget(Text("ranked from public facts only", "small_muted"))
        self.table = ControlTable(
            "Mechanisms considered", _HEADERS, "llrlll", _WHY, Rows.TWO_LINES, spared=_IN_TARGET, inside=True
        )
        self.table.setSelectionMode(ControlTable.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.rows_made.connect(self._set_controls)
        self.table.fitted.connect(self._fit_heights)
        self.nothing = Text(_NOTHING_YET, "muted", wrap=True)
        self.nothing.setContentsMargins(16, 12, 16, 12)
        self.more = unfolding_link("", small=True)
        self.more.toggled.connect(lambda _: self._show())
        self._foot = self._make_foot()
        listing = self._listing()
        self._area = DownwardScroll(listing)
        self._area.setMinimumHeight(theme.scaled(_LEAST_HEIGHT))
        self._area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        for behind in (self._area.viewport(), listing):
            behind.setAutoFillBackground(False)
        self.add(self._area, 1)

    def _make_foot(self) -> QWidget:
        foot = QWidget()
        row = QVBoxLayout(foot)
        row.setContentsMargins(10, 6, 12, 6)
        row.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        return foot

    def _listing(self) -> QWidget:
        """Table and link scroll together inside the card, so that the row's sentence stays in sight."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.table, self.nothing, self._foot):
            column.addWidget(widget)
        column.addStretch(1)
        return inside

    def show_row(self, row: DrawnRow, unit: str) -> None:
        self._row, self._unit = row, unit
        self.set_title(f"Mechanisms that fit row {row.number}")
        self._show()

    def radio(self, name: str) -> QRadioButton:
        return self._radios[self.names().index(name)]

    def names(self) -> list[str]:
        """The mechanisms listed, in their order."""
        return [one.offer.name for one in self._listed]

    def reason(self, name: str) -> str:
        return self._reasons[self.names().index(name)].words.text()

    def use_button(self, name: str) -> Button:
        """The link that gives the plan the epsilon a mechanism needs."""
        return self._reasons[self.names().index(name)].use

    def _show(self) -> None:
        row = self._row
        if row is None:
            return
        others = of_other_protections(row.part)
        listed = (*of_this_protection(row.part), *(others if self.more.isChecked() else ()))
        is_new = [one.offer.name for one in listed] != self.names()
        self._listed = listed
        self.table.show_rows([self._cells(row, one) for one in listed], afresh=is_new)
        self.table.setVisible(bool(listed))
        self.nothing.setVisible(not row.considered)
        self._show_more(len(others))
        self._group.setExclusive(False)  # none is checked while none fits
        for radio, reason, one in zip(self._radios, self._reasons, listed, strict=True):
            with QSignalBlocker(radio):
                radio.setChecked(row.choice is not None and one.offer.name == row.choice.offer.name)
            radio.setEnabled(one.is_admissible)
            reason.show_candidate(one, self._epsilon_that_fits(row.part, one) if row.part else None)
        self._group.setExclusive(True)
        self._fit_heights()

    def _show_more(self, count: int) -> None:
        fit = "does not fit" if count == 1 else "do not fit"
        self.more.setText(f"{count} more {fit} this protection")
        self._foot.setVisible(count > 0)

    def _cells(self, row: DrawnRow, one: Candidate) -> list[str | Cell]:
        name, _, form = one.offer.title.partition(", ")
        if one.mechanism is None or row.part is None:
            return ["", Cell(name, muted=True, second_line=form or "does not fit"), *[_NOTHING] * 3, ""]
        standing = "recommended" if one is row.considered[0] else form or "fits"
        error, beneath = error_figures(released_by(row.part, one), self._unit)
        return [
            "",
            Cell(name, bold=True, second_line=standing),
            percent(self._within_target(row.part, one)),
            Cell(error, second_line=beneath),
            Cell("yes", state=State.DONE) if one.mechanism.publishes_margin else Cell("no", state=State.BLOCKED),
            "",
        ]

    def _set_controls(self) -> None:
        for radio in self._radios:
            self._group.removeButton(radio)
        self._radios, self._reasons = [], []
        for at, one in enumerate(self._listed):
            radio, reason = QRadioButton(), _Reason()
            radio.setAccessibleName(f"Use {one.offer.title}")
            radio.clicked.connect(lambda _=False, name=one.offer.name: self.mechanism_wanted.emit(name))
            reason.use.clicked.connect(lambda _=False, reason=reason: self.epsilon_wanted.emit(reason.epsilon))
            self._group.addButton(radio)
            self._radios.append(radio)
            self._reasons.append(reason)
            self.table.put_widget(at, 0, centred(radio))
            self.table.put_widget(at, _WHY, reason)

    def _fit_heights(self) -> None:
        """Rows as high as their reasons need."""
        width = self.table.columnWidth(_WHY) - 2 * CELL_PADDING - _GRID_LINE
        for at, reason in enumerate(self._reasons):
            self.table.setRowHeight(at, max(reason.height_for(width), theme.scaled(Rows.TWO_LINES)))
        self.table.updateGeometry()


class _Reason(QWidget):
    """Why a mechanism would be chosen, or what fails; and the epsilon that would mend it."""

    def __init__(self) -> None:
        super().__init__()
        self.epsilon: Fraction | None = None
        self.words = Text("", "small", wrap=True)
        self.use = link_button("", small=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.words)
        column.addWidget(self.use, 0, Qt.AlignmentFlag.AlignLeft)

    def show_candidate(self, one: Candidate, epsilon: Fraction | None) -> None:
        self.epsilon = epsilon
        self.words.set_text(one.reason)
        self.use.setVisible(epsilon is not None)
        if epsilon is not None:
            self.use.setText(f"Use ε = {exact(epsilon)}")
            self.use.setAccessibleName(f"Use ε = {exact(epsilon)} in the plan, with which {one.offer.title} fits")

    def height_for(self, width: int) -> int:
        link = self.use.sizeHint().height() if not self.use.isHidden() else 0
        return self.words.heightForWidth(width) + link + _AROUND
