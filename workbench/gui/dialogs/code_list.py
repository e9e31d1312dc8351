"""Paste a public code list: one code in each line, with a label after a tab or comma if wanted."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPlainTextEdit, QVBoxLayout, QWidget

from workbench.data.schema import CodeList
from workbench.gui import theme
from workbench.gui.widgets.buttons import plain_button, primary_button
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.text import Text

_HEADINGS = frozenset({"code", "codes"})
_HOW = "One code in each line; a label may follow after a tab or a comma. Codes stay text: 02 is not 2."
_MOST_ERRORS = 3
_MOST_SHOWN = 10_000
_CODE_FILES = "Code lists (*.csv *.txt);;All files (*)"


def ask_code_file(parent: QWidget, folder: str) -> Path | None:
    """Which file to read codes from; None when the officer changed her mind."""
    chosen, _ = QFileDialog.getOpenFileName(parent, "Choose a code list", folder, _CODE_FILES)
    return Path(chosen) if chosen else None


def ask_where_to_keep(parent: QWidget, suggested: Path) -> Path | None:
    """Where to write pasted codes with labels."""
    chosen, _ = QFileDialog.getSaveFileName(parent, "Keep the code list as", str(suggested), _CODE_FILES)
    return Path(chosen) if chosen else None


def parse_codes(text: str) -> tuple[CodeList, tuple[str, ...]]:
    """The codes of pasted text in their order, and what is wrong, line by line."""
    lines = text.splitlines()
    delimiter = "\t" if "\t" in text else ","
    seen: dict[str, int] = {}
    labels: list[str] = []
    errors: list[str] = []
    for number, line in enumerate(lines, start=1):
        code, label = _split(line, delimiter)
        if not code and line.strip():
            errors.append(f"Line {number} has a label but no code.")
        elif code in seen:
            errors.append(f"Line {number}: “{code}” stands already in line {seen[code]}.")
        elif code and not (number == 1 and code.lower() in _HEADINGS):
            seen[code] = number
            labels.append(label or code)
    return CodeList(tuple(seen), tuple(labels)), tuple(errors)


def _split(line: str, delimiter: str) -> tuple[str, str]:
    cells: Sequence[str] = next(csv.reader([line], delimiter=delimiter), [])
    code, label = (*(cell.strip() for cell in cells[:2]), "", "")[:2]
    return code, label


def save_codes(codes: CodeList, path: Path) -> CodeList:
    """Write codes and labels as a code file, which is how a plan keeps labels."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("code", "label"))
        writer.writerows(zip(codes.codes, codes.labels, strict=True))
    return CodeList(codes.codes, codes.labels, path)


class CodeListDialog(QDialog):
    """`codes` is what the officer pasted; the button waits until every line is right."""

    def __init__(self, column: str, present: CodeList | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.codes = CodeList((), ())
        self.setWindowTitle(f"Public codes of {column}")
        self.resize(theme.scaled(520), theme.scaled(480))
        self.edit = QPlainTextEdit()
        self.edit.setAccessibleName("Codes, one in each line")
        self.edit.setTabChangesFocus(False)
        self.state = Message("info")
        self.accept_button = primary_button("&Use these codes")
        self._lay_out()
        self.edit.textChanged.connect(self._check)
        self.edit.setPlainText(_as_text(present) if present else "")
        self._check()

    def _lay_out(self) -> None:
        cancel = plain_button("Cancel")
        buttons = QDialogButtonBox()
        buttons.addButton(self.accept_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(cancel, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(Text(_HOW, wrap=True))
        column.addWidget(self.edit, 1)
        column.addWidget(self.state)
        column.addWidget(buttons)

    def _check(self) -> None:
        codes, errors = parse_codes(self.edit.toPlainText())
        self.codes = codes
        self.accept_button.setEnabled(bool(codes) and not errors)
        if errors:
            more = f" {len(errors) - _MOST_ERRORS} more lines are wrong." if len(errors) > _MOST_ERRORS else ""
            self.state.set_message("block", "", " ".join(errors[:_MOST_ERRORS]) + more)
        elif codes:
            self.state.set_message("ok", "", _summary(codes))
        else:
            self.state.set_message("info", "", "Paste the codes of a public list, never codes read off the data.")


def _summary(codes: CodeList) -> str:
    labels = " with labels; you will be asked where to keep them as a code file" if codes.has_labels else ""
    return f"{shown(str(len(codes)))} codes{labels}."


def _as_text(codes: CodeList) -> str:
    """The list as it would be pasted; a very long one is better kept in its file."""
    if len(codes) > _MOST_SHOWN:
        return ""
    text = io.StringIO()
    rows = zip(codes.codes, codes.labels, strict=True) if codes.has_labels else ((code,) for code in codes.codes)
    csv.writer(text, delimiter="\t" if codes.has_labels else ",", lineterminator="\n").writerows(rows)
    return text.getvalue().rstrip("\n")
