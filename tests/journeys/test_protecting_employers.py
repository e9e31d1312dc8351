"""An officer protects the sizes of employers, all by mouse in the real window, and publishes counts with limits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from workbench.data.findings import Stage
from workbench.data.schema import BelongsTo
from workbench.gui.main_window import MainWindow
from workbench.gui.pages.columns import ColumnsPage
from workbench.gui.pages.protection import ProtectionPage
from workbench.gui.pages.release import ReleasePage
from workbench.gui.pages.statistics import StatisticsPage
from workbench.plan.neighbors import StrongAlpha, Worker
from workbench.plan.plan import Statistic, StatisticKind
from workbench.privacy.guarantee import Claim
from workbench.release.release import PublishedTable

OpenSample = Callable[[str], None]


def click(qtbot: QtBot, widget: QWidget) -> None:
    assert widget.isVisible() and widget.isEnabled()
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())


def choose(qtbot: QtBot, combo: QComboBox, text: str) -> None:
    """As a choice from the opened list."""
    at = next(at for at in range(combo.count()) if combo.itemText(at).startswith(text))
    combo.setCurrentIndex(at)
    combo.activated.emit(at)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.session.tasks.is_busy, timeout=30_000)


def declare_workplace_keys(window: MainWindow, qtbot: QtBot, *keys: str) -> None:
    window.show_stage(Stage.COLUMNS.value)
    page = window.pages[Stage.COLUMNS.value]
    assert isinstance(page, ColumnsPage)
    for key in keys:
        page._select(key)
        choose(qtbot, page.codes.belongs_to, "Establishment")
    settle(window, qtbot)


def protect_employers(window: MainWindow, qtbot: QtBot) -> ProtectionPage:
    window.show_stage(Stage.PROTECTION.value)
    page = window.pages[Stage.PROTECTION.value]
    assert isinstance(page, ProtectionPage)
    click(qtbot, page.cards[StrongAlpha].radio)
    settle(window, qtbot)
    return page


def statistics_of(window: MainWindow, qtbot: QtBot) -> StatisticsPage:
    window.show_stage(Stage.STATISTICS.value)
    settle(window, qtbot)
    page = window.pages[Stage.STATISTICS.value]
    assert isinstance(page, StatisticsPage)
    return page


def rehearse(window: MainWindow, qtbot: QtBot) -> ReleasePage:
    window.show_stage(Stage.RELEASE.value)
    qtbot.waitUntil(lambda: window.session.is_ready and not window.session.tasks.is_busy, timeout=20_000)
    page = window.pages[Stage.RELEASE.value]
    assert isinstance(page, ReleasePage)
    button = page.release.button
    assert isinstance(button, QPushButton)
    click(qtbot, button)
    qtbot.waitUntil(lambda: window.session.bundle is not None and not window.session.tasks.is_busy, timeout=60_000)
    return page


def first_table(window: MainWindow) -> PublishedTable:
    assert window.session.bundle is not None
    return window.session.bundle.release.tables[0]


def headings(page: ReleasePage) -> list[str]:
    model = page.result.table.model()
    return [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]


@pytest.fixture
def employers(window: MainWindow, open_sample: OpenSample, qtbot: QtBot) -> MainWindow:
    """The jobs sample, its three keys declared the workplace's and the sizes of employers protected."""
    open_sample("jobs_of_workers")
    declare_workplace_keys(window, qtbot, "place", "sector", "ownership")
    protect_employers(window, qtbot)
    return window


def test_counts_with_limits_of_their_own(employers: MainWindow, qtbot: QtBot) -> None:
    plan = employers.session.plan
    assert plan.neighbors == StrongAlpha(Fraction(1, 10))
    owners = {column.name: column.belongs_to for column in plan.columns if column.codes}
    assert owners["sector"] is BelongsTo.ESTABLISHMENT and owners["sex"] is BelongsTo.WORKER
    page = statistics_of(employers, qtbot)
    assert {"log-laplace", "smooth-t"} <= set(page.mechanisms.names())
    click(qtbot, page.mechanisms.radio("log-laplace"))
    released = rehearse(employers, qtbot)
    table = first_table(employers)
    assert table.mechanism == "log-laplace" and table.guarantee.claim is Claim.ER_EE
    assert table.limits is not None and table.margin is None
    shown = headings(released)
    assert "Lower 95 %" in shown and "Upper 95 %" in shown
    cell = released.result.table.model().index(0, shown.index("Upper 95 %"))
    assert cell.data() == f"{int(table.limits[1][0]):,}"


def test_counts_whose_margin_stays_inside(employers: MainWindow, qtbot: QtBot) -> None:
    page = statistics_of(employers, qtbot)
    click(qtbot, page.mechanisms.radio("smooth-t"))
    released = rehearse(employers, qtbot)
    assert first_table(employers).limits is None
    assert not any("95 %" in heading for heading in headings(released))
    assert "margin" in released.result.note()


def test_a_table_of_the_workers_sex_is_drawn_jointly(employers: MainWindow, qtbot: QtBot) -> None:
    employers.show_stage(Stage.CELLS.value)
    cells = employers.pages[Stage.CELLS.value]
    cells.chooser.keys_wanted.emit(("place", "sex"))
    page = statistics_of(employers, qtbot)
    click(qtbot, page.mechanisms.radio("joint-t"))
    rehearse(employers, qtbot)
    table = first_table(employers)
    assert table.mechanism == "joint-t" and table.grid.keys == ("place", "sex") and table.limits is None


def test_a_sum_of_earnings_is_published_in_its_unit(window: MainWindow, open_sample: OpenSample, qtbot: QtBot) -> None:
    open_sample("jobs_of_workers")
    page = statistics_of(window, qtbot)
    page.fill_menu()
    sums = next(action.menu() for action in page.add_menu.actions() if action.text() == "Sum of")
    next(action for action in sums.actions() if action.text() == "earnings").trigger()
    assert window.session.plan.tables[0].statistics[1] == Statistic(StatisticKind.SUM, "earnings", Fraction(1, 2))
    assert window.session.plan.neighbors == Worker()
    released = rehearse(window, qtbot)
    assert window.session.bundle is not None
    tables = window.session.bundle.release.tables
    at = next(at for at, table in enumerate(tables) if table.statistic == "sum")
    released.result.tabs.setCurrentIndex(at)
    settle(window, qtbot)
    assert "Sum of earnings" in headings(released)
    assert tables[at].decimals == 1 and tables[at].margin is not None
    lower = released.result.table.model().index(0, headings(released).index("Lower 95 %")).data()
    assert Fraction(lower.replace(",", "")) == Fraction(str(tables[at].in_units(tables[at].limits[0])[0]))


def test_a_delta_brings_gaussian_noise_and_undo_takes_it_away(
    window: MainWindow, open_sample: OpenSample, qtbot: QtBot
) -> None:
    open_sample("jobs_of_workers")
    assert not statistics_of(window, qtbot).mechanisms.radio("gaussian").isEnabled()
    window.show_stage(Stage.PROTECTION.value)
    protection = window.pages[Stage.PROTECTION.value]
    assert isinstance(protection, ProtectionPage)
    choose(qtbot, protection.how_much.delta, "0.000001")
    page = statistics_of(window, qtbot)
    click(qtbot, page.mechanisms.radio("gaussian"))
    settle(window, qtbot)
    assert window.session.is_ready
    window.session.undo_stack.undo()
    window.session.undo_stack.undo()
    settle(window, qtbot)
    assert window.session.plan.budget.delta == 0
    assert not page.mechanisms.radio("gaussian").isEnabled() and page.mechanisms.radio("geometric").isChecked()


def test_undo_takes_it_all_back(window: MainWindow, open_sample: OpenSample, qtbot: QtBot) -> None:
    open_sample("jobs_of_workers")
    before = window.session.plan
    declare_workplace_keys(window, qtbot, "place", "sector", "ownership", "race")
    page = protect_employers(window, qtbot)
    click(qtbot, page.how_much.strict)
    assert window.session.plan.neighbors == StrongAlpha(Fraction(1, 10), strict=True)
    while window.session.undo_stack.canUndo():
        window.session.undo_stack.undo()
    settle(window, qtbot)
    assert window.session.plan == before and not window.session.is_dirty
    assert page.cards[Worker].radio.isChecked() and not page.how_much.strict.isVisible()
