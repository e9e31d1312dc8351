"""What the program remembers between starts, as a table: key, type and default."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings

from workbench import places


@dataclass(frozen=True)
class Setting:
    """One remembered value."""

    key: str
    kind: type
    default: Any
    words: str


THEME = Setting("window/theme", str, "system", "Theme: light, dark, or as the system")
FONT_SIZE = Setting("window/font_size", int, 13, "Size of the text in pixels")
GEOMETRY = Setting("window/geometry", bytes, b"", "Place and size of the window")
RECENT = Setting("projects/recent", list, [], "Recently opened plans")
LAST_FOLDER = Setting("projects/last_folder", str, "", "Folder the last file was opened from")
OUT_FOLDER = Setting("release/folder", str, "", "Folder that releases are written to")
LEDGER = Setting("release/ledger", str, "", "The ledger file")
SHOW_TOUR = Setting("start/show_tour", bool, True, "Show the tour with sample projects")

SETTINGS = (THEME, FONT_SIZE, GEOMETRY, RECENT, LAST_FOLDER, OUT_FOLDER, LEDGER, SHOW_TOUR)
_MOST_RECENT = 12


class Settings:
    """The settings file in the user's folder."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = QSettings(str(path or places.home() / "settings.ini"), QSettings.Format.IniFormat)

    def get(self, setting: Setting) -> Any:
        if setting.kind is list:
            value: Any = self._file.value(setting.key, setting.default)
            return [value] if isinstance(value, str) else list(value or [])
        if setting.kind is bytes:
            return self._file.value(setting.key)
        return self._file.value(setting.key, setting.default, setting.kind)

    def set(self, setting: Setting, value: Any) -> None:
        self._file.setValue(setting.key, value)

    def remember_recent(self, path: Path) -> None:
        """Put a plan at the top of the recent list."""
        others = [one for one in self.get(RECENT) if one != str(path)]
        self.set(RECENT, [str(path), *others][:_MOST_RECENT])

    def set_last_folder(self, folder: Path) -> None:
        self.set(LAST_FOLDER, str(folder))

    @property
    def last_folder(self) -> str:
        return str(self.get(LAST_FOLDER) or Path.home())

    @property
    def ledger(self) -> Path:
        return Path(self.get(LEDGER) or places.default_ledger())

    @property
    def out_folder(self) -> Path:
        return Path(self.get(OUT_FOLDER) or Path.home() / "Releases")
