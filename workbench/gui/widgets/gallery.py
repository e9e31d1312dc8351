"""Every building block in one window, for looking at and for tests that walk it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QMainWindow,
    QRadioButton,
    QStackedWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from workbench.gui import icons, theme
from workbench.gui.widgets.budget_bar import EXACT, PLANNED, REMAINING, SPENT, BudgetBar, Share, ShareBar
from workbench.gui.widgets.buttons import HelpButton, ReasonedButton, link_button, plain_button, primary_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.dots import OddsDots
from workbench.gui.widgets.drop_area import DropArea
from workbench.gui.widgets.empty import EmptyState
from workbench.gui.widgets.fields import LabelledRow, NumberField, SearchField, SpinBox, between
from workbench.gui.widgets.flow import FlowRow
from workbench.gui.widgets.inspector import Inspector, MissingItem
from workbench.gui.widgets.message import Message
from workbench.gui.widgets.page import Page
from workbench.gui.widgets.plain_table import Cell, PlainTable
from workbench.gui.widgets.sidebar import Sidebar
from workbench.gui.widgets.slider import EpsilonSlider
from workbench.gui.widgets.status import ModeChip, RemovableTag, State, StatusLabel, Tag
from workbench.gui.widgets.strip import Strip
from workbench.gui.widgets.switch import SegmentedSwitch
from workbench.gui.widgets.tables import Rows
from workbench.gui.widgets.text import IconLabel, Text
from workbench.gui.widgets.watermark import REHEARSAL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STAGES = ("Data", "Columns", "Cells", "Statistics", "Protection", "Accuracy", "Review", "Release")


class Gallery(QMainWindow):
    """The frame of the window around a few made-up pages; the sidebar turns them."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Building blocks")
        self.resize(1440, 870)
        self._sidebar = _sidebar()
        self._inspector = _inspector()
        self._pages = QStackedWidget()
        self.makers = {
            "Data": _data_page,
            "Columns": _controls_page,
            "Statistics": _tables_page,
            "Protection": _protection_page,
            "Accuracy": _chart_page,
            "Review": _review_page,
        }
        self._shown: dict[str, QWidget] = {}
        self._sidebar.chosen.connect(self.show_page)
        self.addToolBar(_toolbar())
        self._lay_out()
        self.show_page("Protection")

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._sidebar)
        middle.addWidget(self._pages, 1)
        middle.addWidget(self._inspector)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(middle, 1)
        column.addWidget(_strip())
        self.setCentralWidget(centre)

    def show_page(self, name: str) -> None:
        if name not in self._shown:
            self._shown[name] = self.makers.get(name, _empty_page)()
            self._pages.addWidget(self._shown[name])
        self._sidebar.set_current(name)
        self._pages.setCurrentWidget(self._shown[name])

    def resizeEvent(self, event: object) -> None:
        self._sidebar.fit(self.width())
        self._inspector.fit(self.width())


def _toolbar() -> QToolBar:
    bar = QToolBar("Toolbar")
    bar.setMovable(False)
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    bar.setIconSize(QSize(22, 16))
    for name, words in (("folder-open", "Open"), ("undo", "Undo"), ("redo", "Redo"), ("eye", "Preview")):
        bar.addAction(icons.icon(name), words).setEnabled(name != "redo")
        if name in ("folder-open", "redo"):
            bar.addSeparator()
    bar.addWidget(ModeChip(live=True))
    bar.addWidget(ModeChip())
    return bar


def _sidebar() -> Sidebar:
    sidebar = Sidebar(STAGES)
    for name in STAGES[:4]:
        sidebar.set_state(name, State.DONE)
    sidebar.set_state("Protection", State.IN_PROGRESS)
    sidebar.set_state("Accuracy", State.OUT_OF_DATE)
    sidebar.set_state("Review", State.NEEDS_YOU, "1 column needs you")
    sidebar.set_state("Release", State.BLOCKED, "not approved yet")
    sidebar.set_ledger_words("3.5 of 8.0 spent")
    return sidebar


def _strip() -> Strip:
    strip = Strip()
    strip.set_segments(
        [
            ("tick-circle", "0 errors", "0 errors"),
            ("warning", "2 warnings", ""),
            (None, "saved 10:42", ""),
            (None, "Protected: employer size and workforce, α = 0.1", "employer size and workforce, α = 0.1"),
            (None, "ε 2.0 per step", "2.0"),
            (None, "δ 0", "0"),
            (None, "1,440 cells", "1,440"),
            (None, "Log-Laplace, Smooth Student-t", ""),
        ]
    )
    return strip


def _inspector() -> Inspector:
    inspector = Inspector()
    budget = inspector.add_section("Privacy budget", "Jobs frame 2025")
    budget.add_figure("5.5", "of 8.0 after this plan")
    bar = BudgetBar()
    bar.set_values("3.5", "2.0", "8.0")
    budget.add_widget(bar)
    budget.add_legend_row(SPENT, "Spent", "3.5")
    budget.add_legend_row(PLANNED, "This plan", "2.0")
    budget.add_legend_row(REMAINING, "Remaining afterwards", "2.5", bold=True)
    budget.add_sentence("Epsilon per step, protection: employer size and workforce (strong alpha 0.1).")
    row = inspector.add_section("Row 1, Jobs")
    row.add_row("Epsilon per step", "1.2")
    row.add_row("Job move (two steps)", "2.4", bold=True)
    row.add_row("SHA-256", "9f3c 61a0 … 77e2", mono=True)
    good = inspector.add_section("Is it good enough?")
    good.add_state(State.DONE, "Jobs: 83 % of cells within target, policy asks for 80 %.")
    good.add_state(State.INFO, "Earnings: the margin exceeds $500 in 4 of 20 sectors.")
    table = inspector.add_section("Expected error (95 %)")
    rows = [["10 jobs", "5 jobs"], ["70 jobs", "19 jobs"], ["1,000 jobs", "239 jobs"]]
    table.add_widget(PlainTable("Expected error", ("A cell of", "differs by at most"), rows, "lr"))
    inspector.add_missing([MissingItem("review", "Review: one check needs a reason.")])
    return inspector


def _protection_page() -> Page:
    page = Page(
        "Who is protected",
        "Choose the change an outsider must not be able to notice. The effect is for table 1, at **ε = 1.2**.",
    )
    page.add_header_button(plain_button("Compare formulas"))
    page.add_row(_neighbour("person", "Worker", 100), _neighbour("person-clock", "Worker, whole history", 99))
    chosen = _neighbour("building-arrows", "Employer size and workforce", 83)
    chosen.set_selected(True)
    page.add_row(_neighbour("building", "Employer", 7), chosen)
    page.add_row(_how_much(), _outsider(), stretches=(2, 3), stretch=1)
    return page


def _neighbour(icon: str, title: str, share: int) -> Card:
    card = Card()
    radio = QRadioButton()
    radio.setAccessibleName(title)
    card.add_row(radio, IconLabel(icon, "accent", 18), Text(title, "card"))
    card.add(StatusLabel(State.DONE, "Whether one job record is in the data.", wrap=True, toned=False))
    card.add(StatusLabel(State.BLOCKED, "A person with several jobs.", wrap=True, toned=False))
    card.add_row(link_button("Formula"), Text("one record = one job", "small_muted"))
    card.add(ShareBar([Share(share / 100, SPENT)], f"{share} % of cells within target", height=8))
    return card


def _how_much() -> Card:
    card = Card("How much", "employer size and workforce", aside_right=True)
    alphas = ("0.01", "0.05", "0.1", "0.15", "0.2")
    card.add(EpsilonSlider("Alpha: size hidden within", "0.10", "0.01", "0.2", alphas, logarithmic=False, step="0.01"))
    card.add(Text("An employer of 1,000 cannot be told from 909–1,100.", "small_muted", wrap=True))
    epsilon = EpsilonSlider("Epsilon of the whole plan, per step", "2.0", ends=("more privacy", "more accuracy"))
    card.add(epsilon)
    card.add(Message("info", "", "Changing jobs is two steps: ε = 4.0 for a move. The report prints both."))
    card.add_stretch()
    return card


def _outsider() -> Card:
    card = Card("What an outsider can learn")
    prior = NumberField("Outsider’s chance before", "50", "of 100", step="1", check=between("1", "99"))
    card.add_header_widget(LabelledRow("Outsider’s chance before", prior))
    card.add(
        Text(
            "Someone who thought it a toss-up whether an employer has 1,000 or 1,100 workers is right in "
            "**at most 88 of 100** such cases after seeing everything published.",
            wrap=True,
        )
    )
    card.add(OddsDots(50, 88))
    card.add(Text("At least 12 of 100 such guesses stay wrong.", "small_muted", wrap=True))
    card.add_stretch()
    card.add_footer(
        link_button("More: detection trade-off", "chevron-right"),
        link_button("Precedents with their unit (4)", "chevron-right"),
    )
    return card


def _tables_page() -> Page:
    page = Page("Statistics", "How the plan’s ε = 2.0 is shared. Locked rows keep their share when others change.")
    page.add_header_button(plain_button("Add statistic", "plus"))
    page.add_header_button(plain_button("Share out evenly"))
    page.add(_statistics_table())
    sentence = Card("Row 1 in a sentence")
    sentence.add_header_widget(HelpButton("Explain row 1", checkable=True))
    words = "With probability **95 %**, the published number of jobs differs from the true one by **at most 19 jobs**."
    sentence.add(Text(words, "lead", wrap=True))
    sentence.add_stretch()
    sentence.add_row(plain_button("Copy sentence", small=True), link_button("Method sheet"))
    page.add_row(sentence, _mechanisms(), stretches=(3, 7), stretch=1)
    return page


def _statistics_table() -> PlainTable:
    headers = ("#", "Statistic", "Cells", "Bounds", "Share", "ε", "Expected error (95 %)", "State")
    internal = Cell("$223, median sector", bold=True, second_line="internal only")
    rows: list[list[str | Cell]] = [
        [
            Cell("1", muted=True),
            Cell("Jobs", bold=True, second_line="count of records"),
            Cell("place × sector × ownership", bold=True, second_line="1,440 cells"),
            Cell("none needed", bold=True, second_line="a count"),
            "60 %",
            Cell("1.2", bold=True),
            Cell("24 % of (jobs + 10)", bold=True, second_line="19 jobs, median cell"),
            Cell("done", state=State.DONE),
        ],
        [
            Cell("2", muted=True),
            Cell("Monthly earnings", bold=True, second_line="mean"),
            Cell("sector", bold=True, second_line="20 cells"),
            Cell("$0 to $12,500", bold=True, second_line="policy 2023-04"),
            "40 %",
            Cell("0.8", bold=True),
            internal,
            Cell("needs you", state=State.NEEDS_YOU),
        ],
    ]
    return PlainTable("Statistics", headers, rows, "llllrrll", row_height=Rows.TWO_LINES)


def _mechanisms() -> Card:
    card = Card("Mechanisms that fit row 1", "margin for the median cell", flush=True)
    rows: list[list[str | Cell]] = [
        [Cell("Log-Laplace", bold=True), "83 %", "19 jobs", Cell("yes", state=State.DONE), "Margin may stand."],
        [Cell("Smooth Gamma", bold=True), "85 %", "18 jobs", Cell("no", state=State.BLOCKED), "Heavier noise."],
        [Cell("Geometric", muted=True), "–", "–", Cell("–", muted=True), Cell("Not offered.", muted=True)],
        ["Flagged", Cell("71 %", flagged=True), "37 jobs", Cell("noted", state=State.NOTED), ""],
    ]
    headers = ("Mechanism", "In target", "Margin", "Publish?", "Why")
    table = PlainTable("Mechanisms", headers, rows, "lrrll", row_height=Rows.CONTROLS, inside=True)
    table.fit_columns([4])
    table.selectRow(0)
    card.add(table)
    card.add_stretch()
    return card


def _controls_page() -> Page:
    page = Page("Columns", "What each column is for. Ids are never published and never summed.")
    sources = [("public", "Public preview", "grid"), ("true", "True data…", "lock")]
    page.add_header_button(SegmentedSwitch("Source", sources))
    role = QComboBox()
    role.addItems(["Measure", "Key", "Person id", "Ignore"])
    codes = QCheckBox("Keep codes as text")
    codes.setChecked(True)
    page.add(
        FlowRow(
            SearchField("Filter 9 columns", 240),
            LabelledRow("Role", role),
            LabelledRow("Header row", SpinBox("Header row", 1, 999, 5)),
            codes,
            QCheckBox("Only rows that need me"),
            RemovableTag("(D) withheld"),
            RemovableTag("S suppressed"),
            Tag("title, skipped"),
            Tag("signed", "ok", "tick-circle"),
            Tag("Needs a waiver or a fix", "warn", "warning"),
        )
    )
    page.add(_bounds_card())
    back = plain_button("Back to public", small=True)
    page.add(Message("warn", "", "**True data in use.** This look is logged.", back))
    page.add(Message("ok", "Verified: tracts-2025-r1", "11 files, signed by A. Moreno, ledger head 56."))
    states = Card("States")
    states.add(FlowRow(*(StatusLabel(state) for state in State)))
    disabled = plain_button("Disabled")
    disabled.setEnabled(False)
    states.add(FlowRow(primary_button("Release and spend 2.0", "seal"), plain_button("Not now"), disabled))
    page.add(states)
    page.add_stretch()
    return page


def _bounds_card() -> Card:
    card = Card("monthly_earnings: public bounds", "Values outside are moved to the nearest bound")
    check = between("0", "10000", "US $")
    lower = NumberField("Lower bound", "0", "US $", step="100", check=check, width=150)
    upper = NumberField("Upper bound", "12500", "US $", step="100", check=check, width=150)
    upper.set_value("12500")
    card.add(LabelledRow("Lower bound", lower, label_width=96).add_stretch())
    card.add(LabelledRow("Upper bound", upper, label_width=96).add_stretch())
    refused = Message("block", "“Largest value in the data” was refused.", "Use a law, a policy or a public statistic.")
    card.add(refused)
    card.add_row(primary_button("Apply bounds"), plain_button("From policy library…"))
    return card


def _data_page() -> Page:
    page = Page("Start", "From a confidential spreadsheet to a published table.")
    drop = DropArea(
        "Drop a spreadsheet here", "xlsx, xls, ods, csv, tsv, parquet. Read only.", "Open a spreadsheet…", primary=True
    )
    small = DropArea("Drop a bundle here", "a folder or zip, from anyone", "Browse…", icon="download")
    page.add_row(drop, small, stretches=(2, 1))
    all_icons = Card("Icons")
    all_icons.add(FlowRow(*(IconLabel(name, "text", 24, name) for name in icons.names())))
    page.add(all_icons)
    cells = Card("Cells of table 1")
    cells.add(ShareBar([Share(643 / 1440, SPENT), Share(797 / 1440, EXACT)], "643 cells with noise, 797 exact zeros"))
    page.add(cells)
    page.add_stretch()
    return page


def _chart_page() -> Page:
    page = Page("Accuracy", "Now 83 % of the 643 noisy cells are within target. Reaching 90 % needs ε = 1.67.")
    chart = ChartView("Cells within target, by epsilon", "public: declared sizes of 2024 Q2")
    rows = [["0.1", "5 %"], ["1", "75 %"], ["10", "100 %"]]
    headers = ("Epsilon", "Within target")
    chart.set_figure(_figure(), headers, rows, "At ε = 1, 75 of 100 cells.", "A rising line.", "rr")
    chart.set_watermark(REHEARSAL)
    page.add(chart, 1)
    return page


def _figure() -> Figure:
    from matplotlib.figure import Figure

    colours = theme.tokens()
    figure = Figure(facecolor=colours.panel, layout="constrained")
    axes = figure.add_subplot(facecolor=colours.panel)
    axes.plot([0.1, 1, 10], [5, 75, 100], color=colours.series[0], linewidth=2.8)
    axes.tick_params(colors=colours.text)
    return figure


def _review_page() -> Page:
    page = Page("Review", "16 checks: 14 passed, 1 waived, 1 needs a reason.")
    submit = ReasonedButton("Submit for approval", "primary", "send")
    submit.set_blocked("One check needs a reason.")
    card = Card()
    card.add_row(Text("Prepared by **A. Moreno**"), Text("Reviewer **J. Okafor**"))
    card.add(submit)
    page.add(card)
    page.add_stretch()
    return page


def _empty_page() -> Page:
    page = Page("Release")
    page.add(EmptyState("seal", "The released table will be here once the plan is approved.", "Go to Review"), 1)
    return page


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Show every building block of the window.")
    parser.add_argument("theme", nargs="?", choices=("light", "dark"), default="light")
    parser.add_argument("--page", default="Protection", choices=STAGES)
    parser.add_argument("--size", default="1440x870", help="width x height in pixels")
    parser.add_argument("--shot", type=Path, help="save a picture and leave")
    chosen = parser.parse_args(arguments)
    app = QApplication(sys.argv[:1])
    theme.apply(app, chosen.theme)
    gallery = Gallery()
    gallery.resize(*(int(side) for side in chosen.size.split("x")))
    gallery.show_page(chosen.page)
    gallery.show()
    if chosen.shot:
        QTimer.singleShot(300, lambda: (gallery.grab().save(str(chosen.shot)), app.quit()))
    return app.exec()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
