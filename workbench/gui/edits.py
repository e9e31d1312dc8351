"""Undo for plan edits: plans are frozen, so one command that swaps before and after serves them all."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from workbench.plan.plan import ReleasePlan


class PlanEdit(QUndoCommand):
    """One named change of the plan. Typing in one field counts as one change."""

    def __init__(
        self, words: str, before: ReleasePlan, after: ReleasePlan, show: Callable[[ReleasePlan], None], topic: str = ""
    ) -> None:
        super().__init__(words)
        self._before, self._after, self._show, self._topic = before, after, show, topic

    def id(self) -> int:
        return hash(self._topic) & 0x7FFFFFFF if self._topic else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, PlanEdit) or other._topic != self._topic:
            return False
        self._after = other._after
        self.setObsolete(self._after == self._before)
        return True

    def redo(self) -> None:
        self._show(self._after)

    def undo(self) -> None:
        self._show(self._before)
