"""The form for a measure's public bounds: lower, upper, and why they are public. Bounds from the data are refused."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from workbench.data.schema import BoundsSource, Column
from workbench.gui import theme
from workbench.gui.widgets import numbers
from workbench.gui.widgets.buttons import primary_button
from workbench.gui.widgets.fields import NumberField
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.text import Text
from workbench.plan.amounts import exact_text, parse_exact

SOURCES = {
    BoundsSource.LAW: "Law",
    BoundsSource.POLICY: "Policy",
    BoundsSource.PUBLIC_STATISTIC: "Public statistic",
    BoundsSource.DP_ESTIMATE: "Private estimate",
}

FROM_DATA = "Largest value in the data"
_REFUSED = "from-data"
_REFUSAL = (
    f"“{FROM_DATA}” was refused.",
    "A bound read off the data would publish one person’s value. Use a law, a policy or a public statistic.",
)
_ADVICE = (
    "",
    "Bounds must be known without looking at these data. Wider ones need more noise; narrower ones cut values off.",
)
_FIELD_WIDTH = 180
_TOP = Qt.AlignmentFlag.AlignTop


class BoundsForm(QWidget):
    """Nothing changes until [Apply bounds]; what is typed is kept as exact decimal text."""

    applied = Signal(object)  # the Column with its new bounds

    def __init__(self) -> None:
        super().__init__()
        self._column = Column("")
        self.lower_bound = NumberField("Lower bound", width=_FIELD_WIDTH)
        self.upper_bound = NumberField("Upper bound", width=_FIELD_WIDTH, check=self._above_lower)
        self.source = QComboBox()
        self.apply = primary_button("&Apply bounds")
        self.note = Message("info", *_ADVICE)
        self._reason = Text("", "small_muted", wrap=True)
        self._fill_sources()
        self._lay_out()
        self._connect()

    def _fill_sources(self) -> None:
        self.source.setAccessibleName("Source of the bounds")
        self.source.setFixedWidth(theme.scaled(_FIELD_WIDTH))
        self.source.addItem("choose…", None)
        for source, words in SOURCES.items():
            self.source.addItem(words, source)
        self.source.addItem(FROM_DATA, _REFUSED)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        fields: tuple[tuple[str, QWidget], ...] = (
            ("Lo&wer bound", self.lower_bound),
            ("&Upper bound", self.upper_bound),
            ("Sour&ce", self.source),
        )
        for at, (label, field) in enumerate(fields):
            caption = Text(label, "muted")
            caption.setMinimumHeight(theme.scaled(30))
            caption.setBuddy(field)
            grid.addWidget(caption, at, 0, _TOP)
            grid.addWidget(field, at, 1, _TOP)
        grid.setRowStretch(3, 1)
        act = QHBoxLayout()
        act.setSpacing(12)
        act.addWidget(self.apply)
        act.addWidget(self._reason, 1)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self.note)
        right.addLayout(act)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(32)
        row.addLayout(grid)
        row.addLayout(right, 1)

    def _connect(self) -> None:
        for field in (self.lower_bound, self.upper_bound):
            field.line_edit().textEdited.connect(self._show_readiness)
            field.line_edit().returnPressed.connect(self.apply.click)
        self.source.activated.connect(self._choose_source)
        self.apply.clicked.connect(self._apply)

    # ---- showing

    def show_column(self, column: Column) -> None:
        """Show a column's bounds; what is being typed stays while the column is the same."""
        if column == self._column:
            return
        self._column = column
        for field, bound in ((self.lower_bound, column.lower), (self.upper_bound, column.upper)):
            field.set_value("" if bound is None else exact_text(bound))
        self._show_source(column.bounds_source)
        self.note.set_message("info", *_ADVICE)
        self._show_readiness()

    def _show_source(self, source: BoundsSource | None) -> None:
        self._source = source
        self.source.setCurrentIndex(self.source.findData(source))

    def _show_readiness(self) -> None:
        self.upper_bound.set_check(self._above_lower)
        is_right = self.lower_bound.is_valid() and self.upper_bound.is_valid()
        is_new = is_right and self._typed() != self._column
        self.apply.setEnabled(is_new)
        self._reason.set_text("" if is_new else self._why_not(is_right))

    def _why_not(self, is_right: bool) -> str:
        if not is_right:
            return "Correct the numbers first."
        is_complete = None not in (self._column.lower, self._column.upper, self._column.bounds_source)
        return "These bounds are in the plan." if is_complete else "Type both bounds and say why they are public."

    def _above_lower(self, upper: str) -> str | None:
        lower = numbers.typed(numbers.shown(self.lower_bound.value()))
        is_above = lower is None or Decimal(upper) > Decimal(lower)
        return None if is_above else "Must be above the lower bound."

    # ---- what the officer does

    def _choose_source(self, at: int) -> None:
        chosen = self.source.itemData(at)
        if chosen == _REFUSED:
            self._show_source(self._source)
            self.note.set_message("block", *_REFUSAL)
            return
        self._source = BoundsSource(chosen) if chosen else None
        self.note.set_message("info", *_ADVICE)
        self._show_readiness()

    def _typed(self) -> Column:
        typed = (self.lower_bound.value(), self.upper_bound.value())
        lower, upper = (parse_exact(value) if value else None for value in typed)
        return replace(self._column, lower=lower, upper=upper, bounds_source=self._source)

    def _apply(self) -> None:
        self.applied.emit(self._typed())
