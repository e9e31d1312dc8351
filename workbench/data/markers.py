"""Marks that stand for a value which is missing or was suppressed: (D), S, *, a dash, N/A and the like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from workbench.data.layout import Layout, Markers, Meaning

_SUPPRESSED = ("(d)", "d", "(s)", "s", "(x)", "x", "(h)", "(c)", "c", "*", "**", "***", "#")
_MISSING = (
    "-", "--", "---", "–", "—", "―", "−", ".", "..", "...", "…", ":", "/", "?",
    "na", "n/a", "n.a.", "n.a", "(na)", "#n/a", "nan", "null", "(null)", "(n)", "n",
)  # fmt: skip
USUAL: Mapping[str, Meaning] = {
    **dict.fromkeys(_SUPPRESSED, Meaning.SUPPRESSED),
    **dict.fromkeys(_MISSING, Meaning.MISSING),
}
LONGEST = max(map(len, USUAL))


@dataclass(frozen=True)
class Marked:
    """One mark in one column: what it is taken for, how often it stands there, and the row of the first."""

    text: str
    meaning: Meaning
    count: int
    first_row: int


def is_marker(text: str) -> bool:
    """Whether a text usually is a mark; in a column of codes or words it is a value all the same."""
    return len(text) <= LONGEST and text.lower() in USUAL


def meaning_of(text: str, layout: Layout) -> Meaning | None:
    """What the officer decided, else what the mark usually means; None when it is a value."""
    decided = layout.meaning(text)
    return decided or USUAL.get(text.lower())


def with_meanings(layout: Layout, marked: Iterable[Marked]) -> Layout:
    """The layout with what was recognised in it, so that it reads the same marks again."""
    found: Markers = tuple((mark.text, mark.meaning) for mark in marked)
    for text, meaning in found:
        layout = layout if layout.meaning(text) else layout.with_marker(text, meaning)
    return layout
