"""Charts of the ledger: the steps are those of the book, and a plan that does not fit is said so."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.errors import InsufficientAllowance
from workbench.ledger.accounts import Account
from workbench.ledger.book import open_ledger
from workbench.ledger.entries import Entry, EntryKind
from workbench.report.ledger_charts import remaining_figure, timeline_figure
from workbench.report.ledger_facts import (
    KIND_WORDS,
    kinds_in,
    remaining_sentence,
    remaining_steps,
    remaining_table,
    timeline_sentence,
    timeline_table,
)

JOBS = Account("Jobs frame 2025", "worker", "formal DP (pure)")
OTHER = Account("Other data", "worker", "formal DP (pure)")


@pytest.fixture
def entries(tmp_path: Path) -> tuple[Entry, ...]:
    """Two draws of one account and one of another, a refusal, a look, a month apart."""
    month = [1]

    def clock() -> datetime:
        month[0] += 1
        return datetime(2025, month[0], 1, tzinfo=UTC)

    def pay(account: Account, epsilon: str) -> None:
        ledger.charge(account, Fraction(epsilon), cap=8, dataset_sha256=account.dataset, by="A", about="Q", release="r")

    with open_ledger(tmp_path / "ledger.db", clock=clock) as ledger:
        pay(JOBS, "2")
        pay(OTHER, "1")
        ledger.append(EntryKind.VIEW_CONFIDENTIAL, account=JOBS, by="A", about="Look")
        pay(JOBS, "0.1")
        with suppress(InsufficientAllowance):
            pay(JOBS, "6")
        return ledger.entries()


def words_in(figure) -> list[str]:
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text)]


def test_the_steps_are_what_the_account_had_left_after_each_of_its_entries(entries):
    steps = remaining_steps(entries, JOBS)
    assert [step.remaining for step in steps] == [8, 6, 6, Fraction("5.9"), Fraction("5.9")]
    assert [step.entry.kind for step in steps][:2] == [EntryKind.SET_CAP, EntryKind.DRAW]
    assert all(step.entry.account == JOBS for step in steps)


def test_the_line_ends_at_what_remains_and_each_draw_says_its_cost(entries):
    figure = remaining_figure(remaining_steps(entries, JOBS))
    line = figure.axes[0].lines[0]
    assert line.get_drawstyle() == "steps-post" and list(line.get_ydata()) == [8, 6, 6, 5.9, 5.9, 5.9]
    assert {"−2", "−0.1"} <= set(words_in(figure))


def test_a_plan_that_fits_and_one_that_does_not_are_told_apart_in_words(entries):
    steps = remaining_steps(entries, JOBS)
    assert "this plan: 2" in words_in(remaining_figure(steps, planned=Fraction(2)))
    assert "this plan would not fit" in words_in(remaining_figure(steps, planned=Fraction(6)))
    assert remaining_sentence(steps, Fraction(2)) == "5.9 remain now, 3.9 after this plan."
    assert remaining_sentence(steps, Fraction(6)).endswith("This plan asks for 6, so it would be refused.")
    assert remaining_sentence(steps, Fraction(0)) == "5.9 remain."


def test_the_timeline_has_a_row_for_each_kind_that_occurs(entries):
    figure = timeline_figure(entries)
    rows = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert rows == ["data named", "cap set", "draw", "true-data look", "refused"]
    drawn = [len(line.get_xdata()) for line in figure.axes[0].lines]
    assert drawn == [2, 2, 3, 1, 1]


def test_tables_and_sentence_say_the_same(entries):
    assert timeline_sentence(entries) == "3 draws, 1 true-data look, 1 refused."
    assert ("draw", "3", "2025-05-01T00:00:00Z") in timeline_table(entries)[1]
    assert remaining_table(remaining_steps(entries, JOBS))[1][-1] == ("2025-06-01T00:00:00Z", "refused", "0", "5.9")


def test_every_kind_of_entry_has_its_words_and_its_own_mark(entries):
    from workbench.report.ledger_charts import _MARKS

    assert set(KIND_WORDS) == set(EntryKind) and len(set(_MARKS.values())) == len(EntryKind)
    assert kinds_in(()) == ()


def test_a_single_entry_still_has_an_axis_of_time(entries):
    figure = remaining_figure(remaining_steps(entries, OTHER)[:1])
    low, high = figure.axes[0].get_xlim()
    assert high - low > 0.5
