"""What every page of a stage shares: the session, its part of the inspector, and going to a field."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.data.findings import Stage
from workbench.gui.session import Session
from workbench.gui.widgets.inspector import Inspector
from workbench.gui.widgets.page import Page


class StagePage(Page):
    """A page of the window. `fields` maps keys of the plan (or their beginnings) to the widget that edits them."""

    stage: Stage
    inspector_changed = Signal()

    def __init__(self, session: Session, title: str, subtitle: str = "") -> None:
        super().__init__(title, subtitle)
        self.session = session
        self.fields: dict[str, QWidget] = {}

    def fill_inspector(self, inspector: Inspector) -> None:
        """Add this page's own sections."""

    def go_to(self, where: str) -> None:
        """Put the focus on the field a finding is about."""
        widget = next((self.fields[key] for key in sorted(self.fields, reverse=True) if where.startswith(key)), None)
        if widget is not None:
            self.show_widget(widget)
            widget.setFocus(Qt.FocusReason.OtherFocusReason)
