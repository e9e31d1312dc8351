"""Where each stage stands, in words: a pure function of the session, shown in the sidebar."""

from __future__ import annotations

from workbench.data.findings import Severity, Stage
from workbench.gui.session import Session
from workbench.gui.widgets.status import State

Standing = tuple[State, str]

NUMBERS = {stage: number for number, stage in enumerate(Stage, start=1)}


def standings(session: Session) -> dict[Stage, Standing]:
    """The state and words of every stage."""
    return {stage: _standing(session, stage) for stage in Stage}


def _standing(session: Session, stage: Stage) -> Standing:
    if not session.is_open:
        return State.NOT_STARTED, "not started"
    if stage is Stage.RELEASE:
        return _release_standing(session)
    open_here = [one for one in session.findings if one.stage is stage and one.severity is Severity.BLOCK]
    if stage is Stage.DATA and session.dataset is None:
        return State.NEEDS_YOU, "needs a file"
    if open_here:
        return State.NEEDS_YOU, f"{len(open_here)} to mend"
    if stage is Stage.REVIEW and not session.is_ready:
        return State.NEEDS_YOU, "other stages first"
    if stage is Stage.ACCURACY and not session.is_ready:
        return State.NOT_STARTED, "needs a complete plan"
    return State.DONE, "ready" if stage is Stage.REVIEW else "done"


def _release_standing(session: Session) -> Standing:
    if session.bundle is not None and session.released_plan == session.plan:
        return State.DONE, "rehearsed" if session.bundle.release.is_rehearsal else "released"
    if session.bundle is not None:
        return State.OUT_OF_DATE, "plan changed since"
    if not session.is_ready:
        return State.BLOCKED, "not ready yet"
    return State.NOT_STARTED, "ready to release"
