"""Charts of the ledger as matplotlib figures: what remains of an account, and what was entered when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from workbench.ledger.accounts import Account
from workbench.ledger.entries import Entry, EntryKind
from workbench.ledger.standing import Standing
from workbench.plan.amounts import exact_text
from workbench.preview.chart_look import LIGHT, Palette, draw_frame, new_figure, points, series_colour, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KIND_WORDS = {
    EntryKind.OPEN_DATASET: "data named",
    EntryKind.SET_CAP: "cap set",
    EntryKind.RESERVE: "reserved",
    EntryKind.DRAW: "draw",
    EntryKind.SIGN: "signed",
    EntryKind.PUBLISH: "published",
    EntryKind.WITHDRAW: "withdrawn",
    EntryKind.DISCARD: "discarded",
    EntryKind.PROPOSE: "proposed",
    EntryKind.APPROVE: "approved",
    EntryKind.WAIVE: "waived",
    EntryKind.VIEW_CONFIDENTIAL: "true-data look",
    EntryKind.KEY_ADD: "key added",
    EntryKind.KEY_REVOKE: "key revoked",
    EntryKind.REFUSE: "refused",
}
"""Every kind of entry as the officer reads it, in the order a release goes."""

_MARKS = "osD^vP*Xh<>dp8H"
_MOST_LABELS = 5
_LONGEST_LABEL = 24
_LEAST_DAYS = 2


@dataclass(frozen=True)
class Step:
    """What an account had left after one of its entries."""

    time: datetime
    remaining: Fraction
    entry: Entry


def entry_time(entry: Entry) -> datetime:
    return datetime.fromisoformat(entry.time).astimezone(UTC)


def remaining_steps(entries: Sequence[Entry], account: Account) -> tuple[Step, ...]:
    """How an account came to where it stands, entry by entry, from the first that gave it a cap."""
    standing, steps = Standing(), []
    for entry in entries:
        standing = standing.after(entry)
        balance = standing.balances.get(account)
        if entry.account == account and balance is not None:
            steps.append(Step(entry_time(entry), balance.remaining, entry))
    return tuple(steps)


def remaining_figure(steps: Sequence[Step], palette: Palette = LIGHT, planned: Fraction = Fraction(0)) -> Figure:
    """What remains, as steps downward; a plan that is not released yet is dashed."""
    figure = new_figure(palette, 380, 150)
    axes = figure.add_subplot()
    draw_frame(axes, palette)
    times = [step.time for step in steps]
    left = [float(step.remaining) for step in steps]
    end = _pad(axes, times)
    axes.plot([*times, end], [*left, left[-1]], drawstyle="steps-post", color=series_colour(palette, 0), linewidth=points(2.8))
    draws = [step for step in steps if step.entry.kind is EntryKind.DRAW]
    _draw_draws(axes, draws, palette)
    if planned > 0:
        _draw_planned(axes, end, steps[-1].remaining, planned, palette)
    axes.set_ylim(0, 1.12 * max(*left, 1e-9))
    axes.set_ylabel("epsilon", **words(palette, palette.muted))
    return figure


def timeline_figure(entries: Sequence[Entry], palette: Palette = LIGHT) -> Figure:
    """A row for each kind of entry that occurs, a mark for each entry."""
    figure = new_figure(palette, 380, 150)
    axes = figure.add_subplot()
    draw_frame(axes, palette)
    kinds = [kind for kind in KIND_WORDS if any(entry.kind is kind for entry in entries)]
    _pad(axes, [entry_time(entry) for entry in entries])
    for row, kind in enumerate(kinds):
        place = list(KIND_WORDS).index(kind)
        colour = palette.block if kind is EntryKind.REFUSE else series_colour(palette, place)
        axes.plot(
            [entry_time(entry) for entry in entries if entry.kind is kind],
            [row] * sum(entry.kind is kind for entry in entries),
            _MARKS[place], color=colour, markersize=points(8, palette), clip_on=False, zorder=3,
        )  # fmt: skip
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    axes.set_yticks(range(len(kinds)), [KIND_WORDS[kind] for kind in kinds])
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, labelcolor=palette.text)
    return figure


def remaining_table(steps: Sequence[Step]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The chart's data as headings and rows."""
    rows = [
        (step.entry.time, KIND_WORDS[step.entry.kind], exact_text(step.entry.epsilon), exact_text(step.remaining))
        for step in steps
    ]
    return ("Time (UTC)", "Entry", "ε", "Remaining"), [tuple(row) for row in rows]


def timeline_table(entries: Sequence[Entry]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """How often each kind occurs, and when last."""
    rows: list[tuple[str, ...]] = []
    for kind, said in KIND_WORDS.items():
        times = [entry.time for entry in entries if entry.kind is kind]
        if times:
            rows.append((said, str(len(times)), max(times)))
    return ("Entry", "How often", "Last (UTC)"), rows


def timeline_sentence(entries: Sequence[Entry]) -> str:
    """The counts that matter, in one sentence."""
    counts = {kind: sum(entry.kind is kind for entry in entries) for kind in EntryKind}
    draws, looks, refused = (counts[k] for k in (EntryKind.DRAW, EntryKind.VIEW_CONFIDENTIAL, EntryKind.REFUSE))
    return f"{_count(draws, 'draw')}, {_count(looks, 'true-data look')}, {refused} refused."


def remaining_sentence(steps: Sequence[Step], planned: Fraction) -> str:
    left = steps[-1].remaining
    if not planned:
        return f"{exact_text(left)} remain."
    if planned > left:
        return f"{exact_text(left)} remain. This plan asks for {exact_text(planned)}, so it would be refused."
    return f"{exact_text(left)} remain now, {exact_text(left - planned)} after this plan."


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _pad(axes: Axes, times: Sequence[datetime]) -> datetime:
    """Set the axis of time a little wider than its entries, and say where the newest line may end."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    first, last = min(times), max(times)
    span = max(last - first, timedelta(days=_LEAST_DAYS))
    axes.set_xlim(first - span * 0.06, last + span * 0.25)  # type: ignore[arg-type]  # matplotlib takes dates
    locator = AutoDateLocator(minticks=3, maxticks=6)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, show_offset=False))
    return last + span * 0.12


def _draw_draws(axes: Axes, draws: Sequence[Step], palette: Palette) -> None:
    for place, step in enumerate(draws):
        axes.plot([step.time], [float(step.remaining)], "o", color=series_colour(palette, 0), markersize=points(8, palette))
        if len(draws) <= _MOST_LABELS:
            said = step.entry.about if len(step.entry.about) <= _LONGEST_LABEL else f"{step.entry.about[: _LONGEST_LABEL - 1]}…"
            right = place == 0 or place % 2 == 0
            axes.annotate(
                f"{said}: {exact_text(step.entry.epsilon)}", (step.time, float(step.remaining)),  # type: ignore[arg-type]
                xytext=(5 if right else -5, 5 if right else -12), textcoords="offset points", in_layout=False,
                ha="left" if right else "right", **words(palette),
            )  # fmt: skip


def _draw_planned(axes: Axes, end: datetime, left: Fraction, planned: Fraction, palette: Palette) -> None:
    fits = planned <= left
    after = float(max(left - planned, Fraction(0)))
    colour = series_colour(palette, 1) if fits else palette.block
    axes.plot([end, end], [float(left), after], color=colour, linestyle=(0, (4, 3)), linewidth=points(2.4))
    axes.plot(
        [end], [after], "s" if fits else "X", color=colour, markerfacecolor=palette.panel if fits else colour,
        markersize=points(8, palette), clip_on=False, zorder=4,
    )  # fmt: skip
    said = f"this plan: {exact_text(planned)}" if fits else "this plan would not fit"
    axes.annotate(
        said, (end, after), xytext=(-7, 6), textcoords="offset points", ha="right", in_layout=False,  # type: ignore[arg-type]
        **words(palette, palette.text if fits else palette.block, bold=not fits),
    )  # fmt: skip
