"""How a release goes: the eight stages side by side, each with its number and a few words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.data.findings import Stage
from workbench.gui import theme
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.text import Text, line

_WORDS = {
    Stage.DATA: "read and mend a file",
    Stage.COLUMNS: "say what each is for",
    Stage.CELLS: "keys and totals",
    Stage.STATISTICS: "what, with what share",
    Stage.PROTECTION: "who, and how much",
    Stage.ACCURACY: "error against epsilon",
    Stage.REVIEW: "every check in one list",
    Stage.RELEASE: "pay, draw, save, show",
}


class _Number(QWidget):
    """A number in a circle."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = str(number)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme.scaled(24), theme.scaled(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("control_border"), 1))
        painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("small_bold"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._number)
        painter.end()


class StageStrip(Card):
    def __init__(self) -> None:
        super().__init__(flush=True)
        self.setAccessibleName("How a release goes")
        row = QHBoxLayout()
        row.setSpacing(0)
        for number, (stage, words) in enumerate(_WORDS.items(), start=1):
            if number > 1:
                row.addWidget(line(vertical=True))
            row.addWidget(_stage(number, stage, words), 1)
        self.body.addLayout(row)


def _stage(number: int, stage: Stage, words: str) -> QWidget:
    made = QWidget()
    made.setAccessibleName(f"{number} {stage}: {words}")
    head = QHBoxLayout()
    head.setSpacing(8)
    head.addWidget(_Number(number))
    head.addWidget(Text(stage, "bold"), 1)
    column = QVBoxLayout(made)
    column.setContentsMargins(14, 10, 8, 12)
    column.setSpacing(4)
    column.addLayout(head)
    column.addWidget(Text(words, "small_muted", wrap=True))
    column.addStretch(1)
    return made
