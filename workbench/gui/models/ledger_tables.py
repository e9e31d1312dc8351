"""The accounts and the entries of the ledger as tables, the newest entry first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.gui import theme
from workbench.gui.widgets.budget_bar import budget_shares, paint_shares
from workbench.gui.widgets.cost_card import amount
from workbench.gui.widgets.moments import moment_words
from workbench.gui.widgets.status import State
from workbench.gui.widgets.tables import NUMBER, WORDS, CellRole
from workbench.ledger.accounts import Account, Balance
from workbench.ledger.entries import Entry, EntryKind
from workbench.report.ledger_facts import KIND_WORDS

_ROOT = QModelIndex()
_BALANCE_ROLE = Qt.ItemDataRole.UserRole + 1

PROTECTION, BAR = 1, 6
_ACCOUNT_COLUMNS: tuple[tuple[str, Qt.AlignmentFlag, Callable[[Balance], str]], ...] = (
    ("Data set", WORDS, lambda balance: balance.account.dataset),
    ("Protection and claim", WORDS, lambda balance: f"{balance.account.protection}, {balance.account.claim}"),
    ("Spent", NUMBER, lambda balance: amount(balance.spent)),
    ("Reserved", NUMBER, lambda balance: amount(balance.reserved)),
    ("Remaining", NUMBER, lambda balance: amount(balance.remaining)),
    ("Cap", NUMBER, lambda balance: amount(balance.cap)),
    ("Spent and reserved", WORDS, lambda balance: ""),
)
_BOLD_ACCOUNT_COLUMNS = (0, 4)

_ENTRY_COLUMNS: tuple[tuple[str, Qt.AlignmentFlag, Callable[[Entry], str]], ...] = (
    ("No.", NUMBER, lambda entry: str(entry.sequence)),
    ("Time (UTC)", WORDS, lambda entry: moment_words(entry.time)),
    ("Entry", WORDS, lambda entry: KIND_WORDS[entry.kind]),
    ("By", WORDS, lambda entry: entry.by),
    ("About", WORDS, lambda entry: entry.about),
    ("ε", NUMBER, lambda entry: amount(entry.epsilon)),
    ("Hash", WORDS, lambda entry: f"{entry.hash[:4]}…{entry.hash[-2:]}"),
)
ABOUT = 4
_KIND, _HASH = 2, 6


class AccountModel(QAbstractTableModel):
    """One row per account; the last column is a bar drawn by `BarDelegate`."""

    def __init__(self) -> None:
        super().__init__()
        self._balances: tuple[Balance, ...] = ()

    def set_balances(self, balances: Sequence[Balance]) -> None:
        self.beginResetModel()
        self._balances = tuple(balances)
        self.endResetModel()

    def account(self, row: int) -> Account | None:
        return self._balances[row].account if 0 <= row < len(self._balances) else None

    def row_of(self, account: Account | None) -> int:
        return next((row for row, balance in enumerate(self._balances) if balance.account == account), 0)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._balances)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_ACCOUNT_COLUMNS)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        balance = self._balances[index.row()]
        _, align, text = _ACCOUNT_COLUMNS[index.column()]
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: text(balance),
            Qt.ItemDataRole.TextAlignmentRole: align,
            Qt.ItemDataRole.ToolTipRole: balance.account.title,
            CellRole.BOLD: index.column() in _BOLD_ACCOUNT_COLUMNS,
            _BALANCE_ROLE: balance,
        }
        if index.column() == BAR:
            spent, reserved, cap = (amount(one) for one in (balance.spent, balance.reserved, balance.cap))
            answers[Qt.ItemDataRole.AccessibleTextRole] = f"{spent} spent and {reserved} reserved of {cap}"
        return answers.get(role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return _header(_ACCOUNT_COLUMNS, section, orientation, role)


class BarDelegate(QStyledItemDelegate):
    """Draws the shares of an account: spent solid, reserved hatched, the rest empty."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        balance: Balance = index.data(_BALANCE_ROLE)
        room = QRectF(option.rect).adjusted(10, 0, -10, 0)
        bar = QRectF(room.left(), room.center().y() - 6, room.width(), 12)
        paint_shares(painter, bar, budget_shares(balance.spent, balance.reserved, balance.cap))


class EntryModel(QAbstractTableModel):
    """The entries that pass the filters, newest first."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._shown: list[Entry] = []

    def set_entries(self, entries: Sequence[Entry]) -> None:
        self._entries = tuple(reversed(entries))
        self.filter()

    def filter(self, account: Account | None = None, kind: EntryKind | None = None, text: str = "") -> None:
        """Keep the entries of an account, of a kind, and with a text in any column; None and "" keep all."""
        wanted = text.strip().casefold()
        self.beginResetModel()
        self._shown = [
            entry
            for entry in self._entries
            if account in (None, entry.account) and kind in (None, entry.kind) and wanted in _all_words(entry)
        ]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_ENTRY_COLUMNS)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self._shown[index.row()]
        column = index.column()
        _, align, text = _ENTRY_COLUMNS[column]
        is_refusal = column == _KIND and entry.kind is EntryKind.REFUSE
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: text(entry),
            Qt.ItemDataRole.TextAlignmentRole: align,
            Qt.ItemDataRole.ToolTipRole: entry.hash if column == _HASH else text(entry),
            Qt.ItemDataRole.FontRole: theme.font("mono") if column == _HASH else None,
            CellRole.BOLD: column == 5 and entry.epsilon > 0,
            CellRole.MUTED: column == 0,
            CellRole.STATE: State.BLOCKED if is_refusal else None,
        }
        return answers.get(role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return _header(_ENTRY_COLUMNS, section, orientation, role)


def _all_words(entry: Entry) -> str:
    return " ".join((*(text(entry) for _, _, text in _ENTRY_COLUMNS), entry.release, entry.hash)).casefold()


def _header(
    columns: Sequence[tuple[str, Qt.AlignmentFlag, Any]], section: int, orientation: Qt.Orientation, role: int
) -> Any:
    if orientation is Qt.Orientation.Vertical:
        return None
    title, align, _ = columns[section]
    return {Qt.ItemDataRole.DisplayRole: title, Qt.ItemDataRole.TextAlignmentRole: align}.get(Qt.ItemDataRole(role))
