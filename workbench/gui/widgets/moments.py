"""Moments in time as the officer reads them: in her language's months, in coordinated universal time."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Qt


def moment_words(moment: str) -> str:
    """A moment such as 2025-10-07T08:10:00Z as 7 Oct 2025 08:10."""
    read = QDateTime.fromString(moment, Qt.DateFormat.ISODate)
    return QLocale().toString(read, "d MMM yyyy HH:mm") if read.isValid() else moment
