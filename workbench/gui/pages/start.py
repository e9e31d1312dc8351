"""The start page: drop a spreadsheet, open a recent project, or rehearse with a sample."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from workbench.data.readers import SUFFIXES
from workbench.gui import theme
from workbench.gui.models.recent import RecentPlan, read_recent
from workbench.gui.models.samples import samples
from workbench.gui.session import Session
from workbench.gui.settings import RECENT, SHOW_TOUR
from workbench.gui.tasks import Task
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.recent_card import RecentCard
from workbench.gui.widgets.sample_card import SampleCard
from workbench.gui.widgets.scroll import DownwardScroll
from workbench.gui.widgets.stage_strip import StageStrip
from workbench.gui.widgets.text import IconLabel, Text

_FORMATS = ", ".join(suffix.lstrip(".") for suffix in SUFFIXES)
_PURPOSE = "From a confidential spreadsheet to a published table with a stated privacy guarantee. Works offline."
_GAP = 16


class StartPage(QWidget):
    """Says what is wanted; the window asks for files and opens them."""

    spreadsheet_wanted = Signal()
    plan_wanted = Signal()
    spreadsheet_dropped = Signal(Path)
    plan_chosen = Signal(Path)
    verify_wanted = Signal()
    ledger_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setAccessibleName("Start")
        self.drop_area = DropArea(
            "Drop a spreadsheet here", f"{_FORMATS}. Read only.", "&Open a spreadsheet…", primary=True
        )
        self.browse = plain_button("&Browse…")
        self.recent = RecentCard()
        self.samples = [SampleCard(sample) for sample in samples()]
        self.show_tour = QCheckBox("&Show the tour")
        self.verify = plain_button("Verif&y a release…", "tick-circle")
        self.ledger = plain_button("Open led&ger", "ledger")
        self.setFocusProxy(self.drop_area.button)
        self._build()
        self._connect()

    def _build(self) -> None:
        column = QWidget()
        column.setProperty("surface", "column")
        self._column = QVBoxLayout(column)
        self._column.setSpacing(_GAP)
        self._column.addLayout(self._header())
        self._column.addLayout(self._entrances(), 1)
        self._column.addSpacing(4)
        self._column.addLayout(
            _heading("Sample projects", "open in Rehearsal: the whole path, no budget spent", self.show_tour)
        )
        self._column.addLayout(_side_by_side(*self.samples))
        self._column.addSpacing(4)
        self._column.addLayout(
            _heading("How a release goes", "visit any stage at any time; only the last act cannot be undone")
        )
        self._column.addWidget(StageStrip())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(DownwardScroll(column))

    def _header(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Text("Release Workbench", "hero"))
        words.addWidget(Text(_PURPOSE, "muted", wrap=True))
        header = QHBoxLayout()
        header.setSpacing(8)
        header.addLayout(words, 1)
        for button in (self.verify, self.ledger):
            header.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return header

    def _entrances(self) -> QHBoxLayout:
        """Left the ways in for the first time, right the ways back."""
        left = QVBoxLayout()
        left.setSpacing(_GAP)
        left.addWidget(self.drop_area, 1)
        left.addWidget(self._plan_card())
        row = QHBoxLayout()
        row.setSpacing(24)
        row.addLayout(left, 4)
        row.addWidget(self.recent, 9)
        return row

    def _plan_card(self) -> Card:
        card = Card()
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(IconLabel("folder"))
        row.addWidget(Text("Open a plan file (.toml)", wrap=True), 1)
        row.addWidget(self.browse)
        self.browse.setAccessibleName("Browse for a plan file")
        card.body.addLayout(row)
        return card

    def _connect(self) -> None:
        self.drop_area.browse_requested.connect(self.spreadsheet_wanted)
        self.drop_area.dropped.connect(self._take_dropped)
        self.browse.clicked.connect(self.plan_wanted)
        self.verify.clicked.connect(self.verify_wanted)
        self.ledger.clicked.connect(self.ledger_wanted)
        self.recent.chosen.connect(self.plan_chosen)
        self.recent.unwanted.connect(self._forget)
        for card in self.samples:
            card.chosen.connect(self.plan_chosen)
        self.show_tour.setChecked(bool(self.session.settings.get(SHOW_TOUR)))
        self.show_tour.toggled.connect(lambda checked: self.session.settings.set(SHOW_TOUR, checked))

    # ---- what the officer does

    def _take_dropped(self, path: Path) -> None:
        is_plan = path.suffix.lower() == ".toml"
        (self.plan_chosen if is_plan else self.spreadsheet_dropped).emit(path)

    def _forget(self, path: Path) -> None:
        settings = self.session.settings
        settings.set(RECENT, [one for one in settings.get(RECENT) if Path(one) != path])
        self._look_at_recent()

    # ---- showing

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_at_recent()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = 64 if self.width() >= theme.NARROW_WINDOW else 40
        self._column.setContentsMargins(side, 28, side, 20)

    def _look_at_recent(self) -> None:
        """Read the recent plans in the background: they may lie on a slow share."""
        paths = list(self.session.settings.get(RECENT))
        self.session.tasks.run(
            Task("Looking at recent projects", lambda progress: read_recent(paths), self._show_recent,
                 owner=self, topic="recent", is_quiet=True)
        )  # fmt: skip

    def _show_recent(self, plans: tuple[RecentPlan, ...]) -> None:
        self.recent.show_plans(plans)


def _heading(title: str, aside: str, *widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    row.addWidget(Text(title, "card"))
    row.addWidget(Text(aside, "small_muted"))
    row.addStretch(1)
    for widget in widgets:
        row.addWidget(widget)
    return row


def _side_by_side(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(_GAP)
    for widget in widgets:
        row.addWidget(widget, 1)
    return row
