"""The bar that shows long work: what is done, how far, and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget

from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.text import Text
from workbench.progress import Stoppable


class WorkBar(QFrame):
    """Hidden until work starts; Cancel disappears once there is no way back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "strip")
        self._work: Stoppable | None = None
        self._clock = QElapsedTimer()
        self._words = Text("", "body")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(10)
        self._cancel = plain_button("Cancel", small=True)
        self._cancel.clicked.connect(self._stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.addWidget(self._words)
        row.addWidget(self._bar, 1)
        row.addWidget(self._cancel)
        self.hide()

    def begin(self, words: str, work: Stoppable) -> None:
        self._work = work
        self._clock.start()
        self._cancel.setEnabled(True)
        self.show_step(words, 0, 0)
        self.show()

    def show_step(self, words: str, done: int, total: int) -> None:
        left = self._time_left(done, total)
        self._words.set_text(f"{words}{left}")
        self._bar.setAccessibleName(words)
        self._bar.setRange(0, 1000 if total else 0)
        self._bar.setValue(1000 * done // total if total else 0)
        self._cancel.setVisible(self._work is not None and not self._work.is_final)

    def end(self) -> None:
        self._work = None
        self.hide()

    def _time_left(self, done: int, total: int) -> str:
        seconds = self._clock.elapsed() / 1000
        if not done or not total or seconds < 1:
            return ""
        return f", about {max(1, round(seconds * (total - done) / done))} s left"

    def _stop(self) -> None:
        if self._work:
            self._work.cancel()
            self._cancel.setEnabled(False)
            self._words.set_text("Stopping")
