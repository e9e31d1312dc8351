"""The file dialogs of the window, one function each; None means the officer changed her mind."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from workbench.data.readers import SUFFIXES
from workbench.gui.settings import Settings

_SPREADSHEETS = f"Spreadsheets ({' '.join(f'*{suffix}' for suffix in SUFFIXES)});;All files (*)"
_PLANS = "Plans (*.toml);;All files (*)"


def ask_spreadsheet(parent: QWidget, settings: Settings) -> Path | None:
    return _chosen(QFileDialog.getOpenFileName(parent, "Open a spreadsheet", settings.last_folder, _SPREADSHEETS))


def ask_plan(parent: QWidget, settings: Settings) -> Path | None:
    return _chosen(QFileDialog.getOpenFileName(parent, "Open a plan", settings.last_folder, _PLANS))


def ask_where_to_save(parent: QWidget, suggested: Path) -> Path | None:
    return _chosen(QFileDialog.getSaveFileName(parent, "Save the plan", str(suggested), _PLANS))


def ask_bundle(parent: QWidget, settings: Settings) -> Path | None:
    chosen = QFileDialog.getExistingDirectory(parent, "Verify a release", str(settings.out_folder))
    return Path(chosen) if chosen else None


def may_discard(parent: QWidget, title: str) -> str:
    """Ask about unsaved changes: “save”, “discard” or “stay”."""
    buttons = QMessageBox.StandardButton
    answer = QMessageBox.question(
        parent, "Release Workbench", f"Save the changes to “{title}”?",
        buttons.Save | buttons.Discard | buttons.Cancel, buttons.Save,
    )  # fmt: skip
    return {buttons.Save: "save", buttons.Discard: "discard"}.get(answer, "stay")


def _chosen(answer: tuple[str, str]) -> Path | None:
    return Path(answer[0]) if answer[0] else None
