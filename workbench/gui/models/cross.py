"""A picture of a table's full cross: one slice of it, with what gets noise and what is added up."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.data.schema import CodeList
from workbench.gui.models.counting import whole
from workbench.plan.cells import CellGrid
from workbench.plan.plan import Keys, Table

NOISE, SUM, UNPUBLISHED, MORE = "≈", "Σ", "–", "…"
MEANINGS = {
    NOISE: "gets noise",
    SUM: "added up",
    UNPUBLISHED: "not published",
    MORE: "more of the same",
}
MOST_DOWN = 8


@dataclass(frozen=True)
class Heading:
    """A row or column of the picture: what it is called, and its full name."""

    text: str
    full: str = ""


@dataclass(frozen=True)
class Cross:
    """A slice as marks, row by row, and one sentence about it."""

    corner: str
    across: tuple[Heading, ...]
    down: tuple[Heading, ...]
    marks: tuple[tuple[str, ...], ...]
    sentence: str


@dataclass(frozen=True)
class _Axis:
    """A key along one side, the texts its codes are headed by, and how many of them are drawn."""

    key: str
    codes: CodeList
    texts: tuple[str, ...]
    drawn: int

    @property
    def left_out(self) -> int:
        return len(self.codes) - self.drawn


def cross_of(table: Table, grid: CellGrid, chosen: int | None, most_across: int) -> Cross:
    """The slice at one code of the first key (None for its total), drawn over the last two keys."""
    fixed, sides = _parts(grid)
    kept = tuple(key for at, key in enumerate(fixed) if at or chosen is not None)
    across, down = _axes(grid, sides, most_across)
    columns, rows = _lines(across, kept, down, table), _lines(down, kept, across, table)
    marks = tuple(tuple(_mark(table, grid, kept, row, column) for _, column in columns) for _, row in rows)
    return Cross(
        corner=_corner(grid, chosen) if fixed else "",
        across=tuple(heading for heading, _ in columns),
        down=tuple(heading for heading, _ in rows),
        marks=marks,
        sentence=_sentence(grid, fixed, chosen, (across, down)),
    )


def lead_of(grid: CellGrid) -> CodeList | None:
    """The codes of the first key, when a slice has to be chosen from it."""
    return grid.lists[0] if len(grid.keys) > 2 else None


def _parts(grid: CellGrid) -> tuple[Keys, Keys]:
    """The keys held fixed, and the one or two drawn."""
    return grid.keys[:-2] if len(grid.keys) > 2 else (), grid.keys[-2:]


def _axes(grid: CellGrid, sides: Keys, most_across: int) -> tuple[_Axis | None, _Axis | None]:
    """The longer list goes across, headed by its codes; the other goes down, headed by its labels."""
    drawn = sorted(((key, grid.lists[grid.keys.index(key)]) for key in sides), key=lambda one: -len(one[1]))
    across = (_Axis(key, codes, codes.codes, min(len(codes), most_across)) for key, codes in drawn[:1])
    down = (_Axis(key, codes, codes.labels, min(len(codes), MOST_DOWN)) for key, codes in drawn[1:])
    return next(across, None), next(down, None)


_Line = tuple[Heading, Keys | None]


def _lines(axis: _Axis | None, kept: Keys, other: _Axis | None, table: Table) -> list[_Line]:
    """The headings along one side, each with the keys it keeps; None stands for codes left out of the picture."""
    if axis is None:
        return [(Heading("all"), ())]
    lines: list[_Line] = [(_heading(axis, at), (axis.key,)) for at in range(axis.drawn)]
    if axis.left_out:
        lines.append((Heading(MORE, f"{whole(axis.left_out)} more codes of {axis.key}"), None))
    beside = (kept, (*kept, other.key)) if other else (kept,)
    if any(_is_total(table, keep) for keep in beside):
        lines.append((Heading("total", f"total over {axis.key}"), ()))
    return lines


def _heading(axis: _Axis, at: int) -> Heading:
    code, label = axis.codes.codes[at], axis.codes.labels[at]
    return Heading(axis.texts[at], f"{axis.key}: {code}" if code == label else f"{axis.key}: {code} {label}")


def _is_total(table: Table, keep: Keys) -> bool:
    return any(set(keep) == set(total) for total in table.totals)


def _mark(table: Table, grid: CellGrid, kept: Keys, row: Keys | None, column: Keys | None) -> str:
    if row is None or column is None:
        return MORE
    keep = {*kept, *row, *column}
    if keep == set(grid.keys):
        return NOISE
    return SUM if _is_total(table, tuple(keep)) else UNPUBLISHED


def _corner(grid: CellGrid, chosen: int | None) -> str:
    return f"all of {grid.keys[0]}" if chosen is None else grid.lists[0].labels[chosen]


def _sentence(grid: CellGrid, fixed: Keys, chosen: int | None, axes: tuple[_Axis | None, _Axis | None]) -> str:
    held = [f"{key} {grid.lists[at].labels[0]}" for at, key in enumerate(fixed) if at]
    cut = [
        f"{whole(axis.drawn)} of {whole(len(axis.codes))} codes of {axis.key}"
        for axis in axes
        if axis and axis.left_out
    ]
    shown = f"{_corner(grid, chosen)}{''.join(f', {part}' for part in held)}: " if fixed else ""
    truth = (
        "every cell gets noise, also one that no record falls into, so an empty cell cannot be told from a small one."
        if chosen is not None or not fixed
        else "what is published over all its codes is added up from noisy cells and costs nothing."
    )
    limited = f" Shown are {' and '.join(cut)}; the others are treated alike." if cut else ""
    return f"{shown}{truth if shown else truth[0].upper() + truth[1:]}{limited}"
