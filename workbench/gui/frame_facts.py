"""What the frame around the pages says: the budget, what is missing, and the strip at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workbench.data.findings import Finding, Severity, blocking
from workbench.gui.session import Session
from workbench.gui.widgets.budget_bar import BudgetBar
from workbench.gui.widgets.inspector import Inspector, InspectorSection, MissingItem
from workbench.gui.widgets.numbers import shown
from workbench.gui.widgets.status import State
from workbench.gui.widgets.strip import Segment
from workbench.plan.amounts import exact_text
from workbench.plan.plan import ReleasePlan
from workbench.privacy.composition import allotments
from workbench.release.release import Mode

_MOST_MISSING = 5


def show_budget(inspector: Inspector, session: Session) -> None:
    """The budget section: before and after a live release of this plan, or that a rehearsal costs nothing."""
    section = inspector.add_section("Privacy budget")
    section.add_sentence(session.plan.data.name)
    balance = session.balance
    if balance is None:
        section.add_sentence("The account is known once keys, statistics and who is protected are chosen.")
    elif session.mode is Mode.REHEARSAL:
        section.add_figure("0", "spent by a rehearsal")
        section.add_sentence(
            f"A live release of this plan would cost {_amount(session.cost)} of the {_amount(balance.remaining)} left."
        )
    else:
        _show_account(section, session)


def _show_account(section: InspectorSection, session: Session) -> None:
    balance = session.balance
    assert balance is not None
    after = balance.remaining - session.cost
    section.add_figure(_amount(balance.spent + session.cost), f"of {_amount(balance.cap)} after this plan")
    bar = BudgetBar()
    bar.set_values(exact_text(balance.spent), exact_text(session.cost), exact_text(balance.cap))
    section.add_widget(bar)
    section.add_legend_row("solid", "Spent", _amount(balance.spent))
    section.add_legend_row("hatched", "This plan", _amount(session.cost))
    section.add_legend_row("empty", "Remaining afterwards", _amount(after), bold=True)
    if after < 0:
        section.add_state(State.BLOCKED, "The plan asks for more than is left.")
    section.add_sentence(f"Epsilon, protection: {balance.account.protection}.")


def _amount(value: Fraction) -> str:
    return shown(exact_text(value))


def missing_items(session: Session) -> tuple[MissingItem, ...]:
    """The findings that stop a release, each with the place its [Fix] goes to."""
    stops = blocking(session.findings)
    items = [MissingItem(str(at), finding.what) for at, finding in enumerate(stops[:_MOST_MISSING])]
    if len(stops) > _MOST_MISSING:
        items.append(MissingItem("", f"and {len(stops) - _MOST_MISSING} more, listed under Review."))
    return tuple(items)


def missing_finding(session: Session, key: str) -> Finding | None:
    """The finding behind a [Fix]; None when it was mended in the meantime."""
    stops = blocking(session.findings)
    return stops[int(key)] if int(key) < len(stops) else None


def strip_segments(session: Session) -> list[Segment]:
    """Errors, saved or not, who is protected, epsilon, delta, cells, mechanism, rows."""
    if not session.is_open:
        words = ("No project open", _ledger_words(session), "No network connection is used")
        return [(None, text, "") for text in words]
    return list(_project_segments(session))


def _project_segments(session: Session) -> Iterator[Segment]:
    plan, findings = session.plan, session.findings
    stops = len(blocking(findings))
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    count = f"{stops} error{'s' * (stops != 1)}"
    yield ("block" if stops else "tick-circle", count, count)
    yield ("warning" if warnings else None, f"{warnings} warning{'s' * (warnings != 1)}", "")
    yield (None, "not saved" if session.is_dirty or session.path is None else "saved", "")
    protected = _protected(plan)
    yield (None, f"Protected: {protected}", protected)
    epsilon = _amount(plan.budget.epsilon) if plan.budget.epsilon is not None else "not set"
    yield (None, f"ε {epsilon}", epsilon)
    yield (None, f"δ {_amount(plan.budget.delta)}", "")
    cells = f"{session.cell_count:,}" if session.cell_count else "no"
    yield (None, f"{cells} cells", cells)
    if mechanisms := _mechanisms(plan):
        yield (None, ", ".join(mechanisms), "")
    if session.dataset:
        yield (None, f"{session.dataset.rows:,} rows", "")


def _protected(plan: ReleasePlan) -> str:
    """Who is protected, with the parameter where there is one."""
    if plan.neighbors is None:
        return "not chosen yet"
    name = plan.neighbors.title.lower()
    return name if plan.neighbors.most_records == 1 else f"{name}, {plan.neighbors.summary}"


def _mechanisms(plan: ReleasePlan) -> list[str]:
    """The mechanisms the plan would use, each once."""
    return list(dict.fromkeys(part.choice.offer.title for part in allotments(plan) if part.choice))


def _ledger_words(session: Session) -> str:
    return f"Ledger verified, head {session.book.head.sequence}" if not session.book.trouble else "The ledger needs you"


def ledger_words(session: Session) -> str:
    """What the sidebar says under Ledger."""
    balance = session.balance
    if session.book.trouble:
        return "needs you"
    if balance is None:
        return f"{len(session.book.entries)} entries"
    return f"{_amount(balance.spent)} of {_amount(balance.cap)} spent"
