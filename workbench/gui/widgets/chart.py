"""A card that shows a matplotlib figure, or the same facts as a table, with one sentence below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from workbench.gui.widgets.card import Card
from workbench.gui.widgets.plain_table import Cell, PlainTable
from workbench.gui.widgets.text import Text
from workbench.gui.widgets.watermark import Watermark

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ChartView(Card):
    """The figure brings its own watermark; `set_watermark` puts the same one on the table."""

    def __init__(self, title: str, aside: str = "", *, least_height: int = 200) -> None:
        super().__init__(title, aside)
        self._canvas: QWidget | None = None
        self._least_height = least_height
        self._stack = QStackedWidget()
        self._chart_side = QWidget()
        self._table_side = QWidget()
        for side in (self._chart_side, self._table_side):
            QVBoxLayout(side).setContentsMargins(0, 0, 0, 0)
            self._stack.addWidget(side)
        self._watermark = Watermark(self._table_side, "")
        self._sentence = Text("", "small", wrap=True)
        self.data_table = QCheckBox("Data table")
        self.data_table.setAccessibleName(f"Data table of {title}")
        self.data_table.toggled.connect(lambda checked: self._stack.setCurrentIndex(int(checked)))
        self.add_header_widget(self.data_table)
        self.add(self._stack, 1)
        self.add(self._sentence)

    def set_figure(
        self,
        figure: Figure,
        table_headers: Sequence[str],
        table_rows: Sequence[Sequence[str | Cell]],
        sentence: str,
        alt_text: str,
        aligns: str = "",
    ) -> None:
        """Show a new figure in place of the old; numbers stand at the right unless `aligns` says otherwise."""
        self._show_canvas(figure, alt_text)
        name = f"Data of {self.accessibleName()}"
        columns = aligns or "l" + "r" * (len(table_headers) - 1)
        _replace(self._table_side, PlainTable(name, table_headers, table_rows, columns, most_rows=8))
        self._watermark.raise_()
        self._sentence.set_text(sentence)
        self._sentence.setVisible(bool(sentence))

    def _show_canvas(self, figure: Figure, alt_text: str) -> None:
        from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg  # a third of a second: not at start-up

        canvas = FigureCanvasQTAgg(figure)  # type: ignore[no-untyped-call]
        canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        canvas.setMinimumHeight(self._least_height)
        canvas.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        canvas.setAccessibleName(f"{self.accessibleName()}, chart")
        canvas.setAccessibleDescription(alt_text)
        _replace(self._chart_side, canvas)
        self._canvas = canvas

    def canvas(self) -> QWidget | None:
        """The figure's canvas, for connecting drags; None before the first figure."""
        return self._canvas

    def redraw(self) -> None:
        """Draw the figure again after changing it in place."""
        if self._canvas is not None:
            self._canvas.draw_idle()  # type: ignore[attr-defined]

    def set_watermark(self, text: str) -> None:
        self._watermark.set_text(text)

    def sentence(self) -> str:
        return self._sentence.text()


def _replace(side: QWidget, widget: QWidget) -> None:
    layout = side.layout()
    if layout is None:
        return
    while (item := layout.takeAt(0)) is not None:
        old = item.widget()
        if old is not None:
            old.hide()
            old.deleteLater()
    layout.addWidget(widget)
