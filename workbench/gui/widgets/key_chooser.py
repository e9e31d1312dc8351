"""Choosing the keys of a table: the columns that can be keys, the keys in order, and two buttons between."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.data.schema import Role
from workbench.gui import theme
from workbench.gui.models.counting import whole
from workbench.gui.models.key_model import KeyEntry
from workbench.gui.widgets.buttons import Button, link_button, plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.key_list import KeyListView
from workbench.gui.widgets.text import Text
from workbench.plan.plan import Keys, ReleasePlan

_NEVER_KEYS = (Role.MEASURE, Role.PERSON_ID, Role.EMPLOYER_ID)


class KeyChooser(QWidget):
    """Tells which keys are wanted, in order, or which column should first get the role Key."""

    keys_wanted = Signal(tuple)
    role_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._roles: dict[str, Role] = {}
        self.available = KeyListView("Can be keys")
        self.chosen = KeyListView("Keys, in order", is_ordered=True)
        self.add_button = _arrow("»", "Use as a key")
        self.remove_button = _arrow("«", "Do not use as a key")
        self._to_columns = link_button("Set roles", small=True)
        self._to_columns.setAccessibleName("Set the roles of columns")
        self._lay_out()
        self.available.chosen.connect(self._add)
        self.chosen.chosen.connect(self._remove)
        self.add_button.clicked.connect(lambda: self._add(self.available.current_key()))
        self.remove_button.clicked.connect(lambda: self._remove(self.chosen.current_key()))
        self.chosen.keys.reordered.connect(self.keys_wanted)
        self._to_columns.clicked.connect(lambda: self.role_wanted.emit(""))
        for view in (self.available, self.chosen):
            view.selectionModel().currentChanged.connect(self._show_buttons)

    def _lay_out(self) -> None:
        can_be = Card("Can be keys", flush=True)
        can_be.add(self.available, 1)
        can_be.add_footer(Text("Measures and ids cannot be keys.", "small_muted", wrap=True), self._to_columns)
        can_be.setMinimumWidth(theme.scaled(160))
        in_order = Card("Keys, in order", flush=True)
        in_order.add_header_widget(Text("drag, or Alt+↑ ↓", "small_muted"))
        in_order.add(self.chosen, 1)
        between = QVBoxLayout()
        between.setSpacing(8)
        between.addStretch(1)
        between.addWidget(self.add_button)
        between.addWidget(self.remove_button)
        between.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(can_be, 5)
        row.addLayout(between)
        row.addWidget(in_order, 6)

    def show_keys(self, plan: ReleasePlan, keys: Keys) -> None:
        """Show the columns of a plan beside the keys of one of its tables."""
        self._roles = {column.name: column.role for column in plan.columns}
        places = self.available.currentIndex().row(), self.chosen.currentIndex().row()
        kept = self.chosen.current_key()
        self.available.keys.show_entries([_offer(plan, name) for name in self._roles if self._is_offered(name, keys)])
        self.chosen.keys.show_entries([_entry(plan, key) for key in keys])
        for view, place in zip((self.available, self.chosen), places, strict=True):
            view.setCurrentIndex(view.keys.index(min(max(place, 0), view.keys.rowCount() - 1)))
        self.chosen.select_key(kept)
        self._show_buttons()

    def _is_offered(self, name: str, keys: Keys) -> bool:
        return name not in keys and self._roles[name] not in _NEVER_KEYS

    def _show_buttons(self) -> None:
        self.add_button.setEnabled(bool(self.available.current_key()))
        self.remove_button.setEnabled(bool(self.chosen.current_key()))

    def _add(self, name: str) -> None:
        if self._roles.get(name) is Role.KEY:
            self.keys_wanted.emit((*self.chosen.keys.names(), name))
        elif name:
            self.role_wanted.emit(name)

    def _remove(self, name: str) -> None:
        if name:
            self.keys_wanted.emit(tuple(key for key in self.chosen.keys.names() if key != name))


def _arrow(text: str, name: str) -> Button:
    button = plain_button(text)
    button.setAccessibleName(name)
    button.setToolTip(name)
    button.setFixedWidth(theme.scaled(40))
    return button


def _offer(plan: ReleasePlan, name: str) -> KeyEntry:
    column = plan.column(name)
    return _entry(plan, name) if column and column.role is Role.KEY else KeyEntry(name, "set role Key", is_ready=False)


def _entry(plan: ReleasePlan, name: str) -> KeyEntry:
    column = plan.column(name)
    if column is None or column.codes is None:
        return KeyEntry(name, "needs codes")
    return KeyEntry(name, f"{whole(len(column.codes))} codes")
