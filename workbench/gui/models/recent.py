"""The recent projects: what each plan file says of itself, how it stands, and when it was last changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale

from workbench import workflow
from workbench.data.findings import blocking
from workbench.errors import WorkbenchError
from workbench.gui.widgets.status import State

_PLAN_COMPLETE = "plan complete"


@dataclass(frozen=True)
class RecentPlan:
    """One plan file of the recent list."""

    path: Path
    title: str
    state: State
    words: str
    data: str = ""
    changed: datetime | None = None

    @property
    def is_there(self) -> bool:
        return self.changed is not None

    def matches(self, words: str) -> bool:
        """Whether every word of a filter stands somewhere in the row."""
        row = f"{self.title} {self.path.name} {self.data} {self.words}".lower()
        return all(word in row for word in words.lower().split())


def read_recent(paths: Sequence[str]) -> tuple[RecentPlan, ...]:
    """Look at every file of the list."""
    return tuple(_look_at(Path(path)) for path in paths)


def _look_at(path: Path) -> RecentPlan:
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    except OSError:
        return RecentPlan(path, path.stem, State.BLOCKED, "file is missing")
    try:
        plan, problems = workflow.open_plan(path)
    except WorkbenchError:
        return RecentPlan(path, path.stem, State.BLOCKED, "cannot be read", changed=changed)
    missing = len(problems) + len(blocking(workflow.check(plan)))
    state, words = (State.NEEDS_YOU, f"{missing} to mend") if missing else (State.DONE, _PLAN_COMPLETE)
    return RecentPlan(path, plan.title, state, words, plan.data.path.name if plan.data.path else "", changed)


def when(moment: datetime, now: datetime) -> str:
    """A moment as one says it: "today 10:42", "yesterday 16:05", or the date."""
    locale = QLocale()
    shown = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    time = locale.toString(shown.time(), QLocale.FormatType.ShortFormat)
    names = {0: f"today {time}", 1: f"yesterday {time}"}
    return names.get((now.date() - moment.date()).days) or locale.toString(shown.date(), "d MMM yyyy")
