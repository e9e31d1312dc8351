"""The one place where an error becomes a dialog: what happened, how to mend it, details behind a button."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.errors import WorkbenchError

log = logging.getLogger("workbench")
_UNEXPECTED = "Something went wrong inside the program. Your plan is unchanged; the ledger shows what was charged."


def show_trouble(parent: QWidget, error: BaseException) -> None:
    """Tell the officer; does not wait for the answer."""
    box = QMessageBox(QMessageBox.Icon.Warning, "Release Workbench", "", QMessageBox.StandardButton.Ok, parent)
    box.setAccessibleName("Something needs you")
    if isinstance(error, WorkbenchError):
        box.setText(error.what)
        box.setInformativeText(error.remedy)
    else:
        box.setText(_UNEXPECTED)
        box.setDetailedText(_where(error))
    box.open()


def _where(error: BaseException) -> str:
    """The kind of error and the program lines it passed, without messages that could hold data."""
    frames = traceback.extract_tb(error.__traceback__)
    return "\n".join([type(error).__name__, *(f"{Path(frame.filename).name} line {frame.lineno}" for frame in frames)])


def keep_log(folder: Path) -> None:
    """Write a small rotating log of what failed; records never reach it."""
    folder.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(folder / "workbench.log", maxBytes=500_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    log.addHandler(handler)


def watch(show: Callable[[BaseException], None]) -> None:
    """Exceptions in slots only print by default: show them instead."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.error("unexpected %s\n%s", kind.__name__, _where(error.with_traceback(trace)))
        show(error)

    sys.excepthook = hook
