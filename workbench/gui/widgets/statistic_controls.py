"""The controls of one drawn statistic: its share, its lock, its mechanism and the question mark."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.gui import icons, theme
from workbench.gui.models.counting import exact
from workbench.gui.models.statistic_rows import DrawnRow
from workbench.gui.widgets.buttons import HelpButton
from workbench.gui.widgets.fields import NumberField
from workbench.gui.widgets.text import Text
from workbench.plan.amounts import exact_text, parse_exact
from workbench.privacy.choose import AUTO as AUTOMATIC


class StatisticControls(QObject):
    """Tells what the officer wants of one row; the row's widgets are set into the table by the page."""

    share_wanted = Signal(object)  # Fraction
    lock_wanted = Signal(bool)
    mechanism_wanted = Signal(str)

    def __init__(self, number: int, parent: QObject) -> None:
        super().__init__(parent)
        self._room: Fraction | None = None
        self.share = NumberField(f"Share of row {number} in per cent", unit="%", step="1", width=92)
        self.share.set_check(self._objection)
        self.lock = _lock_button(number)
        self.mechanism = QComboBox()
        self.mechanism.setProperty("small", True)
        self.mechanism.setAccessibleName(f"Mechanism of row {number}")
        self._words = Text("", "small_muted")
        self.help = explain_button(number)
        self.share.committed.connect(lambda text: self.share_wanted.emit(parse_exact(text) / 100))
        self.lock.toggled.connect(self.lock_wanted)
        self.mechanism.activated.connect(lambda at: self.mechanism_wanted.emit(self.mechanism.itemData(at)))

    def widgets(self) -> dict[str, QWidget]:
        """The widget of each column that has one."""
        return {
            "Share": centred(self.share),
            "Lock": centred(self.lock),
            "Mechanism": _stacked(self.mechanism, self._words),
            "": centred(self.help),
        }

    def show_row(self, row: DrawnRow, room: Fraction, is_adjustable: bool) -> None:
        """Show a row; `room` is what its share must stay below."""
        self._room = room if is_adjustable else None
        if not self._says(row.share):
            self.share.set_value(_percent_text(row.share))
        self.share.setEnabled(is_adjustable and not row.statistic.locked)
        self.share.setToolTip(_share_words(row, is_adjustable))
        with QSignalBlocker(self.lock):
            self.lock.setChecked(row.statistic.locked)
        self.lock.setIcon(icons.icon("lock" if row.statistic.locked else "unlock", "accent"))
        self._show_mechanisms(row)

    def _show_mechanisms(self, row: DrawnRow) -> None:
        fitting = [one.offer for one in row.considered if one.is_admissible]
        with QSignalBlocker(self.mechanism):
            self.mechanism.clear()
            self.mechanism.addItem("Automatic", AUTOMATIC)
            for offer in fitting:
                self.mechanism.addItem(offer.title, offer.name)
            if self.mechanism.findData(row.statistic.mechanism) < 0:
                self.mechanism.addItem(row.statistic.mechanism, row.statistic.mechanism)
            self.mechanism.setCurrentIndex(self.mechanism.findData(row.statistic.mechanism))
        self.mechanism.setEnabled(bool(fitting))
        self._words.set_text(_mechanism_words(row))
        self._words.set_tone("block" if row.considered and not row.mechanism else "")

    def _says(self, share: Fraction) -> bool:
        """Whether the field already says this share, exactly or rounded as it shows it."""
        return self.share.value() == _percent_text(share) and self.share.is_valid()

    def _objection(self, text: str) -> str | None:
        if self._room is None or 0 < parse_exact(text) / 100 < self._room:
            return None
        return f"0 to {exact(100 * self._room)} %"


def explain_button(number: int) -> HelpButton:
    return HelpButton(f"Row {number} in a sentence", checkable=True)


def centred(widget: QWidget) -> QWidget:
    """A control in the middle of its table cell."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(widget, 0, Qt.AlignmentFlag.AlignCenter)
    return holder


def _stacked(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 3, 0, 3)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    return holder


def _lock_button(number: int) -> QPushButton:
    button = QPushButton()
    button.setProperty("kind", "bare")
    button.setCheckable(True)
    button.setIconSize(QSize(16, 16))
    button.setFixedSize(theme.scaled(26), theme.scaled(26))
    button.setAccessibleName(f"Lock the share of row {number}")
    button.setToolTip("A locked share stays when others change.")
    return button


def _percent_text(share: Fraction) -> str:
    """The share in per cent as decimal text, to two places where it is no short decimal."""
    text = exact_text(100 * share)
    is_short = "/" not in text and len(text.partition(".")[2]) <= 2
    return text if is_short else f"{float(100 * share):.2f}"


def _share_words(row: DrawnRow, is_adjustable: bool) -> str:
    if row.statistic.locked:
        return "Locked: unlock it to change the share."
    if not is_adjustable:
        return "No other row is free to give or take a share."
    return f"Exactly {exact(row.share)} of the plan’s ε."


def _mechanism_words(row: DrawnRow) -> str:
    if not row.considered:
        return "protection first"
    if row.choice is None:
        return "none fits"
    if row.statistic.mechanism == AUTOMATIC:
        return f"now {row.choice.offer.title}"
    return "recommended" if row.is_recommended else "chosen by hand"
