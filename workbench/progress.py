"""How long work reports where it is and is asked to stop, without knowing about windows."""

from __future__ import annotations

from typing import Protocol

from workbench.errors import Cancelled


class Progress(Protocol):
    """Receives steps of long work. `step` raises `Cancelled` when the officer asked to stop."""

    def step(self, words: str, done: int = 0, total: int = 0) -> None: ...

    def no_return(self) -> None:
        """From here on the work may no longer be cancelled."""


class Silent:
    """Progress nobody watches."""

    def step(self, words: str, done: int = 0, total: int = 0) -> None:
        pass

    def no_return(self) -> None:
        pass


class Stoppable:
    """Progress that passes steps on to a listener and can be cancelled from another thread."""

    def __init__(self) -> None:
        self._cancelled = False
        self._final = False

    @property
    def is_final(self) -> bool:
        return self._final

    def cancel(self) -> None:
        self._cancelled = True

    def step(self, words: str, done: int = 0, total: int = 0) -> None:
        if self._cancelled and not self._final:
            raise Cancelled
        self.show(words, done, total)

    def no_return(self) -> None:
        self.step("")
        self._final = True

    def show(self, words: str, done: int, total: int) -> None:
        """Override to show the step; called in the working thread."""
