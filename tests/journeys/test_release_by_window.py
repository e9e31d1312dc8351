"""A newcomer's whole way through the real window: sample, look at every page, rehearse, verify by command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from workbench import assets
from workbench.cli import main
from workbench.data.findings import Stage
from workbench.data.schema import CodeList, Column, Role
from workbench.gui.main_window import MainWindow
from workbench.gui.session import Session
from workbench.gui.widgets.buttons import Button
from workbench.plan.neighbors import Worker
from workbench.plan.plan import Budget, Table

OpenSample = Callable[[str], None]


def press(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Click the visible button with these words."""
    (button,) = [one for one in window.findChildren(Button) if one.isVisible() and one.text().replace("&", "") == text]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def wait_for_release(session: Session, qtbot: QtBot) -> Path:
    qtbot.waitUntil(lambda: session.bundle is not None and not session.tasks.is_busy, timeout=30_000)
    assert session.bundle is not None
    return session.bundle.folder


def test_a_rehearsal_by_mouse_verifies_by_command_line(
    window: MainWindow, open_sample: OpenSample, qtbot: QtBot
) -> None:
    open_sample("lodes_jobs")
    for stage in Stage:
        window.show_stage(stage.value)
        qtbot.waitUntil(lambda: bool(window.current_page.subtitle()))
    press(window, qtbot, "Rehearse release")
    folder = wait_for_release(window.session, qtbot)
    command = [sys.executable, "-m", "workbench", "verify", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Verified" in done.stdout
    assert window.sidebar.words(Stage.RELEASE.value) == "rehearsed"


def test_window_and_command_line_give_the_same_bytes(
    window: MainWindow, open_sample: OpenSample, qtbot: QtBot, tmp_path: Path
) -> None:
    open_sample("lodes_jobs")
    window.session.rehearse(tmp_path / "window", seed=1)
    by_window = wait_for_release(window.session, qtbot) / "public"
    plan = assets.sample_plans() / "lodes_jobs.toml"
    assert main(["release", str(plan), "--rehearsal", "--seed", "1", "--out", str(tmp_path / "command")]) == 0
    (by_command,) = (tmp_path / "command").glob("*/public")
    names = sorted(path.name for path in by_window.iterdir())
    assert names == sorted(path.name for path in by_command.iterdir())
    for name in names:
        assert (by_window / name).read_bytes() == (by_command / name).read_bytes(), name


def test_from_a_bare_spreadsheet_to_a_bundle(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """No plan, only a file: every decision is made in the window, and [Fix] leads to each."""
    (tmp_path / "jobs.csv").write_text("place,sector\n001,11\n001,11\n003,31-33\n", encoding="utf-8")
    window.open_file(tmp_path / "jobs.csv")
    session = window.session
    qtbot.waitUntil(lambda: session.dataset is not None and not session.tasks.is_busy, timeout=20_000)
    assert not session.is_ready
    decide_everything(session)
    qtbot.waitUntil(lambda: session.is_ready and not session.tasks.is_busy, timeout=10_000)
    window.show_stage(Stage.RELEASE.value)
    press(window, qtbot, "Rehearse release")
    wait_for_release(session, qtbot)
    assert session.bundle is not None
    assert session.bundle.release.tables[0].grid.size == 4


def decide_everything(session: Session) -> None:
    place = Column("place", Role.KEY, CodeList.typed(("001", "003")))
    sector = Column("sector", Role.KEY, CodeList.typed(("11", "31-33")))
    session.edit("keys", session.plan.with_column(place).with_column(sector))
    session.edit("table", replace(session.plan, tables=(Table("t", ("place", "sector")),)))
    session.edit("protection", replace(session.plan, neighbors=Worker(), budget=Budget(Fraction(1))))


def test_undo_and_redo_have_names_and_restore(window: MainWindow, open_sample: OpenSample, qtbot: QtBot) -> None:
    open_sample("tract_mobility")
    session = window.session
    before = session.plan
    session.edit("change of epsilon", replace(before, budget=replace(before.budget, epsilon=Fraction(3))))
    assert session.undo_stack.undoText() == "change of epsilon"
    assert window.isWindowModified()
    window.activateWindow()
    with qtbot.waitActive(window):
        pass
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.plan == before
    qtbot.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert session.plan.budget.epsilon == 3


@pytest.mark.parametrize("name", ["missing.xlsx", "broken.xlsx"])
def test_a_bad_file_is_one_sentence_and_the_window_lives_on(
    window: MainWindow, open_sample: OpenSample, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    (tmp_path / "broken.xlsx").write_bytes(b"no workbook")
    window.open_file(tmp_path / name)
    qtbot.waitUntil(lambda: any(box.isVisible() for box in window.findChildren(QMessageBox)), timeout=10_000)
    (box,) = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert name in box.text()
    assert box.informativeText()
    box.close()
    open_sample("tract_mobility")
    assert window.session.is_ready
