"""The menu that gives several columns one role; what an id can never become is switched off with the reason."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.data.schema import Role
from workbench.gui.roles import ID_REFUSAL, LOOKS, OFFERED, may_become


class RoleMenu(QMenu):
    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Roles")
        self.setToolTipsVisible(True)
        self.offers: dict[Role, QAction] = {role: self.addAction(LOOKS[role].words) for role in OFFERED}
        for role, action in self.offers.items():
            action.triggered.connect(lambda _=False, role=role: self.chosen.emit(role))

    def show_allowed(self, now: Iterable[Role]) -> None:
        """Offer what columns of these roles may become."""
        present = set(now)
        for role, action in self.offers.items():
            is_allowed = all(may_become(one, role) for one in present)
            action.setEnabled(is_allowed)
            action.setToolTip(LOOKS[role].meaning if is_allowed else ID_REFUSAL)
