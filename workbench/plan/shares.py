"""Shares of the budget: exact, above zero, and together always one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from workbench.plan.plan import ReleasePlan, Statistic

Shares = tuple[Fraction, ...]


def drawn_statistics(plan: ReleasePlan) -> tuple[Statistic, ...]:
    """The statistics of all tables, in the order in which their shares are listed."""
    return tuple(statistic for table in plan.tables for statistic in table.statistics)


def with_shares(plan: ReleasePlan, shares: Sequence[Fraction]) -> ReleasePlan:
    """The plan with new shares, in the order of `drawn_statistics`."""
    fresh = iter(shares)
    return replace(
        plan,
        tables=tuple(replace(table, statistics=tuple(_shared(table.statistics, fresh))) for table in plan.tables),
    )


def _shared(statistics: Sequence[Statistic], fresh: Iterator[Fraction]) -> Iterator[Statistic]:
    return (replace(statistic, share=next(fresh)) for statistic in statistics)


def parts_of_one(statistics: Sequence[Statistic]) -> Shares:
    """The relative shares of a plan as parts of one."""
    total = sum((statistic.share for statistic in statistics), Fraction(0))
    return tuple(statistic.share / total for statistic in statistics)


def room(statistics: Sequence[Statistic], index: int) -> Fraction:
    """What a row and the unlocked others have together: its own share stays below this, or is this if it is alone."""
    shares = parts_of_one(statistics)
    return Fraction(1) - sum(shares[at] for at, one in enumerate(statistics) if one.locked and at != index)


def is_adjustable(statistics: Sequence[Statistic], index: int) -> bool:
    """Whether another row is free to give or take what this row's share changes by."""
    return any(not one.locked for at, one in enumerate(statistics) if at != index)


def redistribute(statistics: Sequence[Statistic], index: int, new_share: Fraction) -> Shares:
    """One row gets a new share, locked rows keep theirs, and the others keep their proportions in what is left."""
    most = room(statistics, index)
    fits = 0 < new_share < most if is_adjustable(statistics, index) else new_share == most
    if not fits:
        raise ValueError(f"a share of {new_share} does not fit where {most} is to be shared")
    shares = list(parts_of_one(statistics))
    shares[index] = new_share
    return _filled(shares, [one.locked or at == index for at, one in enumerate(statistics)])


def shared_evenly(statistics: Sequence[Statistic]) -> Shares:
    """Locked rows keep their shares; the others get the same each."""
    is_kept = [one.locked for one in statistics]
    evened = [share if kept else Fraction(1) for share, kept in zip(parts_of_one(statistics), is_kept, strict=True)]
    return _filled(evened, is_kept)


def shares_with_newcomer(statistics: Sequence[Statistic], index: int) -> Shares:
    """A row that was just added gets as much as an average unlocked row; locked rows keep their shares."""
    others = [one for at, one in enumerate(statistics) if at != index]
    free = sum(not one.locked for one in others)
    if not others:
        return (Fraction(1),)
    if not free:
        raise ValueError("every other share is locked")
    kept = list(parts_of_one(others))
    pool = Fraction(1) - sum(share for share, one in zip(kept, others, strict=True) if one.locked)
    kept.insert(index, pool / (free + 1))
    return _filled(kept, [one.locked or at == index for at, one in enumerate(statistics)])


def shares_without(statistics: Sequence[Statistic], index: int) -> Shares:
    """The shares of the others when a row is taken away; the unlocked ones take what it had."""
    shares = [share for at, share in enumerate(parts_of_one(statistics)) if at != index]
    is_kept = [one.locked for at, one in enumerate(statistics) if at != index]
    return _filled(shares, is_kept if not all(is_kept) else [False] * len(is_kept))


def _filled(shares: Sequence[Fraction], is_kept: Sequence[bool]) -> Shares:
    """The shares that are not kept, scaled so that all add up to one."""
    pairs = list(zip(shares, is_kept, strict=True))
    kept = sum((share for share, is_fixed in pairs if is_fixed), Fraction(0))
    free = sum((share for share, is_fixed in pairs if not is_fixed), Fraction(0))
    return tuple(share if is_fixed else share * (1 - kept) / free for share, is_fixed in pairs)
