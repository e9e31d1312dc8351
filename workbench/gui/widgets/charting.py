"""Charts in the window: matplotlib loaded without holding the window up, and the theme as a chart's palette."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject

from workbench.gui import theme
from workbench.gui.tasks import Task, Tasks
from workbench.preview.chart_look import Palette
from workbench.progress import Progress

_ENGINE = "matplotlib.backends.backend_qtagg"


def when_charts_can_be_drawn(tasks: Tasks, owner: QObject, then: Callable[[], None]) -> None:
    """Now, or once matplotlib has been loaded in the background: a third of a second and more."""
    if _ENGINE in sys.modules:
        then()
    else:
        tasks.run(Task("Preparing charts", _load, lambda _: then(), owner, topic=f"charts {id(owner)}", is_quiet=True))


def _load(progress: Progress) -> None:
    from matplotlib.backends import backend_qtagg  # noqa: F401 - what counts is that it is loaded


def palette() -> Palette:
    """The colours and fonts shown now."""
    shown = theme.tokens()
    return Palette(
        panel=shown.panel,
        text=shown.text,
        muted=shown.muted,
        axis=shown.control_border,
        grid=shown.grid,
        watermark=shown.stale,
        block=shown.block,
        series=shown.series,
        fonts=tuple(theme.chart_fonts()),
        scale=theme.current.font_size / theme.BODY_SIZE,
    )
