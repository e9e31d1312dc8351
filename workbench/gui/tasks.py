"""Background work as a value: one worker thread, one signal back, progress and cancel on the way."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from workbench.errors import Cancelled
from workbench.progress import Progress, Stoppable

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Task:
    """Work for the background: `work` runs there, `then` here. A newer task of the same topic replaces it."""

    words: str
    work: Callable[[Progress], Any]
    then: Callable[[Any], None]
    owner: QObject
    topic: str = ""
    is_quiet: bool = False


class Tasks(QObject):
    """The window's one worker."""

    started = Signal(str, object)  # words, the Stoppable behind a cancel button
    progressed = Signal(str, int, int)
    ended = Signal()
    failed = Signal(object)
    _returned = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="workbench")
        self._newest: dict[str, Task] = {}
        self._waiting = 0
        self._is_closed = False
        self._returned.connect(self._take)

    @property
    def is_busy(self) -> bool:
        return self._waiting > 0

    def run(self, task: Task) -> None:
        """Queue a task; after `close` nothing is taken any more."""
        if self._is_closed:
            return
        if task.topic:
            self._newest[task.topic] = task
        self._waiting += 1
        progress = _Reporting(self, task)
        if not task.is_quiet:
            self.started.emit(task.words, progress)
        self._worker.submit(self._work, task, progress)

    def close(self) -> None:
        """Stop taking work; what runs is finished, what waits is dropped."""
        self._is_closed = True
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._newest.clear()

    def _is_replaced(self, task: Task) -> bool:
        return bool(task.topic) and self._newest.get(task.topic) is not task

    def _work(self, task: Task, progress: Stoppable) -> None:
        result, error = None, None
        try:
            if not self._is_replaced(task):
                result = task.work(progress)
        except BaseException as raised:  # whatever happened must reach the window
            error = raised
        if isValid(self):
            self._returned.emit(task, result, error)

    def _take(self, task: Task, result: Any, error: BaseException | None) -> None:
        self._waiting -= 1
        if not task.is_quiet:
            self.ended.emit()
        if self._is_replaced(task) or not isValid(task.owner):
            return
        if error is None:
            task.then(result)
        elif not isinstance(error, Cancelled):
            log.error("%s failed: %s", task.words, type(error).__name__)
            self.failed.emit(error)


class _Reporting(Stoppable):
    """Passes steps of the work to the window."""

    def __init__(self, tasks: Tasks, task: Task) -> None:
        super().__init__()
        self._tasks, self._task = tasks, task

    def show(self, words: str, done: int, total: int) -> None:
        if words and not self._task.is_quiet and isValid(self._tasks):
            self._tasks.progressed.emit(words, done, total)
