"""Shares of the budget stay exact and add up to one, whatever the officer changes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workbench.plan.plan import ReleasePlan, Statistic, Table
from workbench.plan.shares import (
    drawn_statistics,
    is_adjustable,
    parts_of_one,
    redistribute,
    room,
    shared_evenly,
    shares_with_newcomer,
    shares_without,
    with_shares,
)

SHARES = st.fractions(min_value=Fraction(1, 1000), max_value=5, max_denominator=1000)
ROWS = st.lists(st.builds(Statistic, share=SHARES, locked=st.booleans()), min_size=1, max_size=6)


def row(share: str, locked: bool = False) -> Statistic:
    return Statistic(share=Fraction(share), locked=locked)


@given(ROWS, st.data())
def test_a_changed_share_leaves_the_sum_at_exactly_one_and_locked_rows_alone(
    rows: list[Statistic], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    assume(is_adjustable(rows, index))
    new = data.draw(st.fractions(0, 1)) * room(rows, index)
    assume(0 < new < room(rows, index))
    before, after = parts_of_one(rows), redistribute(rows, index, new)
    assert sum(after) == 1
    assert after[index] == new
    assert all(share > 0 for share in after)
    assert all(after[at] == before[at] for at, one in enumerate(rows) if one.locked and at != index)


@given(ROWS, st.data())
def test_rows_that_give_way_keep_their_proportions(rows: list[Statistic], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    free = [at for at, one in enumerate(rows) if not one.locked and at != index]
    assume(len(free) >= 2)
    after = redistribute(rows, index, room(rows, index) / 3)
    first, second = free[:2]
    assert after[first] * rows[second].share == after[second] * rows[first].share


def test_forty_of_a_hundred_leave_sixty_to_the_other() -> None:
    assert redistribute([row("1"), row("1")], 0, Fraction("0.4")) == (Fraction("0.4"), Fraction("0.6"))


@pytest.mark.parametrize("new", ["0", "-0.1", "0.7", "1"])
def test_a_share_that_leaves_the_others_nothing_does_not_fit(new: str) -> None:
    rows = [row("0.3"), row("0.3", locked=True), row("0.4")]
    with pytest.raises(ValueError, match="does not fit"):
        redistribute(rows, 0, Fraction(new))


def test_a_row_among_locked_rows_can_only_keep_what_is_left() -> None:
    rows = [row("0.3"), row("0.7", locked=True)]
    assert not is_adjustable(rows, 0)
    assert redistribute(rows, 0, Fraction("0.3")) == (Fraction("0.3"), Fraction("0.7"))
    with pytest.raises(ValueError, match="does not fit"):
        redistribute(rows, 0, Fraction("0.2"))


@given(ROWS)
def test_sharing_out_evenly_gives_unlocked_rows_the_same(rows: list[Statistic]) -> None:
    after = shared_evenly(rows)
    assert sum(after) == 1
    assert len({after[at] for at, one in enumerate(rows) if not one.locked}) <= 1
    assert all(after[at] == parts_of_one(rows)[at] for at, one in enumerate(rows) if one.locked)


@given(ROWS, st.data())
def test_a_newcomer_gets_an_average_share_of_the_unlocked(rows: list[Statistic], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    others = [one for at, one in enumerate(rows) if at != index]
    assume(not others or any(not one.locked for one in others))
    after = shares_with_newcomer(rows, index)
    assert sum(after) == 1
    free = [after[at] for at, one in enumerate(rows) if at != index and not one.locked]
    assert after[index] == (sum(free) / len(free) if free else 1)


def test_there_is_no_room_for_a_newcomer_while_all_others_are_locked() -> None:
    with pytest.raises(ValueError, match="locked"):
        shares_with_newcomer([row("1", locked=True), row("1")], 1)


@given(st.lists(st.builds(Statistic, share=SHARES, locked=st.booleans()), min_size=2, max_size=6), st.data())
def test_what_a_removed_row_had_goes_to_the_unlocked_others(rows: list[Statistic], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    after = shares_without(rows, index)
    assert len(after) == len(rows) - 1
    assert sum(after) == 1
    others = [one for at, one in enumerate(rows) if at != index]
    if not all(one.locked for one in others):
        before = [share for at, share in enumerate(parts_of_one(rows)) if at != index]
        assert all(after[at] == before[at] for at, one in enumerate(others) if one.locked)


def test_the_last_row_leaves_no_shares() -> None:
    assert shares_without([row("1")], 0) == ()


def test_shares_go_back_into_the_tables_in_order() -> None:
    plan = ReleasePlan(tables=(Table("a", statistics=(row("1"), row("2"))), Table("b", statistics=(row("1"),))))
    changed = with_shares(plan, (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
    assert [one.share for one in drawn_statistics(changed)] == [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert [len(table.statistics) for table in changed.tables] == [2, 1]
