"""A page that shows the session only while it is seen; whatever changes meanwhile waits until it is."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent

from workbench.gui.stage_page import StagePage


class LazyPage(StagePage):
    """Connect `refresh` to what matters; override `show_now`."""

    _is_due = True

    def refresh(self) -> None:
        """Show the session as it is, now or when the page is next seen."""
        self._is_due = not self.isVisible()
        if not self._is_due:
            self.show_now()

    def show_now(self) -> None:
        """Show the session as it is."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_due:
            self.refresh()
