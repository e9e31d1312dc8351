"""The facts of one check: how it stands, what was found and where, how to mend it, and a button that goes there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from workbench.data.findings import Finding, Severity, Stage
from workbench.gui.models.check_list import STATES
from workbench.gui.widgets.buttons import plain_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.status import Tag
from workbench.gui.widgets.text import Text, line
from workbench.release.checks import CheckResult

_MOST = 30
_TONES = {Severity.BLOCK: "block", Severity.WARNING: "warn", Severity.NOTE: "info", None: "ok"}


class CheckFacts(Card):
    """`fix_requested` carries the finding to be mended; `stage_requested` the stage of a check that passed."""

    fix_requested = Signal(object)
    stage_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__("Facts", flush=True)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add(self._area, 1)

    def show_result(self, result: CheckResult) -> None:
        self.set_title(result.check.title)
        content = QWidget()
        content.setProperty("surface", "panel")
        column = QVBoxLayout(content)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        state, words = STATES[result.severity]
        column.addWidget(Tag(words.capitalize(), _TONES[result.severity], state.icon), 0, Qt.AlignmentFlag.AlignLeft)
        for finding in result.findings[:_MOST]:
            self._add_finding(column, finding)
        if len(result.findings) > _MOST:
            column.addWidget(Text(f"and {len(result.findings) - _MOST} more like these.", "small_muted", wrap=True))
        if not result.findings:
            self._add_passed(column, result)
        column.addStretch(1)
        self._area.setWidget(content)

    def _add_finding(self, column: QVBoxLayout, finding: Finding) -> None:
        column.addWidget(Text(finding.what, "body", wrap=True))
        if finding.remedy:
            column.addWidget(Text(finding.remedy, "small", wrap=True))
        column.addWidget(Text(f"Where: {finding.stage}, {finding.where}", "small_muted", wrap=True))
        if finding.severity is not Severity.NOTE:
            fix = plain_button("Fix", small=True)
            fix.setAccessibleName(f"Fix: {finding.what}")
            fix.clicked.connect(lambda: self.fix_requested.emit(finding))
            column.addWidget(fix, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(line())

    def _add_passed(self, column: QVBoxLayout, result: CheckResult) -> None:
        said = result.check.passed_words
        column.addWidget(Text(f"{said[:1].upper()}{said[1:]}.", "body", wrap=True))
        if result.check.stage in (Stage.REVIEW, Stage.RELEASE):
            return
        look = plain_button(f"Look at {result.check.stage}", small=True)
        look.clicked.connect(lambda: self.stage_requested.emit(result.check.stage))
        column.addWidget(look, 0, Qt.AlignmentFlag.AlignLeft)
