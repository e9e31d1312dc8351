"""The plan file: TOML in and out. Every problem is a finding with its line, what is wrong and how to mend it."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import tomli_w

from workbench.data.findings import Finding, Stage
from workbench.data.layout import ENCODINGS, MOST_HEADER_ROWS, Decimal, Hidden, Layout, Meaning
from workbench.data.schema import BelongsTo, BoundsSource, CodeList, Column, Role, Unlisted
from workbench.errors import CodeFileError, MissingFile, NotAFile, PlanError
from workbench.plan.amounts import exact_text
from workbench.plan.cells import all_totals, totals_of_order
from workbench.plan.codefile import read_codes
from workbench.plan.fields import Fields, Problems, line_numbers
from workbench.plan.neighbors import Employer, Neighbors, StrongAlpha, Worker, WorkerHistory
from workbench.plan.plan import Budget, DataReference, Keys, ReleasePlan, Statistic, StatisticKind, Table

FORMAT = 1
_MOST_BYTES = 16 * 1024 * 1024


def read_plan(path: Path) -> tuple[ReleasePlan, tuple[Finding, ...]]:
    """The plan in a file, as far as it can be understood, and every problem found in it."""
    text = _text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"“{path.name}” is not a plan file: {_plain(error)}.", "Mend that line.") from error
    problems = Problems(path.name, line_numbers(text))
    root = Fields(table, "", problems)
    _check_format(path, root)
    plan = _plan(root, path.parent)
    root.finish()
    return plan, problems.findings


def write_plan(plan: ReleasePlan, path: Path) -> None:
    """Save a plan, replacing the file only when the new one is complete."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(plan_text(plan, path.parent), encoding="utf-8", newline="\n")
    partial.replace(path)


def plan_text(plan: ReleasePlan, folder: Path) -> str:
    """The plan as TOML, its files named relative to a folder."""
    return tomli_w.dumps(_as_table(plan, folder))


def plan_digest(plan: ReleasePlan) -> str:
    """The hash an approval is bound to: every decision and every public code, wherever the files lie."""
    columns = tuple(replace(column, codes=_spelled_out(column.codes)) for column in plan.columns)
    placed = replace(plan, columns=columns, data=replace(plan.data, path=None))
    return hashlib.sha256(plan_text(placed, Path()).encode()).hexdigest()


def _spelled_out(codes: CodeList | None) -> CodeList | None:
    return CodeList.typed(codes.codes) if codes else None


def _text(path: Path) -> str:
    if path.is_dir():
        raise NotAFile(path.name)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise PlanError(f"“{path.name}” is too large for a plan file.", "Keep long code lists in a codes_file.")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PlanError(f"“{path.name}” is not a plan file: it is not UTF-8 text.", "Choose a .toml plan.") from error
    except OSError as error:
        raise MissingFile(path.name) from error


def _plain(error: tomllib.TOMLDecodeError) -> str:
    message = str(error)
    return message[:1].lower() + message[1:]


def _check_format(path: Path, root: Fields) -> None:
    version = root.whole("format", FORMAT)
    if version is not None and version > FORMAT:
        raise PlanError(
            f"“{path.name}” was written by a newer workbench (format {version}).", "Update this program to open it."
        )


def _plan(root: Fields, folder: Path) -> ReleasePlan:
    budget = root.child("budget", Stage.PROTECTION)
    policy = root.child("policy", Stage.REVIEW)
    preview = root.child("preview", Stage.ACCURACY)
    return ReleasePlan(
        title=root.text("title", "Untitled") or "Untitled",
        data=_data(root.child("data", Stage.DATA), folder),
        columns=tuple(_column(fields, folder) for fields in root.named_children("columns", Stage.COLUMNS)),
        neighbors=_neighbors(root.child("protect", Stage.PROTECTION)),
        budget=Budget(budget.exact("epsilon"), budget.exact("delta", Fraction(0)) or Fraction(0)),
        tables=tuple(_table(fields) for fields in root.children("tables", Stage.CELLS)),
        allowance=policy.exact("allowance"),
        typical_cell=preview.whole("typical_cell", least=0),
    )


def _data(fields: Fields, folder: Path) -> DataReference:
    if fields.take("url") is not None:
        fields.take("table")
        fields.problem("url", "This version reads files, not databases or clusters.", "Export the table as a file.")
    given = fields.text("path")
    path = folder / given if given else None
    return DataReference(
        path=path,
        name=fields.text("name") or (path.stem if path else ""),
        unit=fields.text("unit", "records") or "records",
        layout=_layout(fields),
    )


def _layout(fields: Fields) -> Layout:
    header_row = fields.whole("header_row", least=1)
    delimiter, quote = _mark(fields, "delimiter"), _mark(fields, "quote")
    if quote and quote == delimiter:
        fields.problem("quote", "The quotation mark is also the delimiter.", "Give two different characters.")
        quote = None
    return Layout(
        sheet=fields.text("sheet"),
        header_row=header_row,
        header_rows=fields.whole("header_rows", least=1, most=MOST_HEADER_ROWS),
        last_row=fields.whole("last_row", least=(header_row or 0) + 1),
        encoding=fields.one_of("encoding", tuple(ENCODINGS)),
        delimiter=delimiter,
        quote=quote,
        decimal=fields.choice("decimal", Decimal),
        hidden=fields.choice("hidden", Hidden, Hidden.REFUSE) or Hidden.REFUSE,
        markers=fields.child("markers", Stage.COLUMNS).every_choice(Meaning),
    )


def _mark(fields: Fields, key: str) -> str | None:
    """A delimiter or quotation mark: one character that can stand inside a line, or empty for none."""
    mark = fields.text(key)
    if mark is None or mark == "" or (len(mark) == 1 and mark not in "\r\n\0"):
        return mark
    fields.problem(key, f"“{key}” must be one character.", 'Write ";" or "\\t", say, or "" for none.')
    return None


def _column(fields: Fields, folder: Path) -> Column:
    role = fields.choice("role", Role) or Role.IGNORE
    return Column(
        name=fields.name,
        role=role,
        codes=_codes(fields, folder),
        belongs_to=fields.choice("belongs_to", BelongsTo, BelongsTo.WORKER) or BelongsTo.WORKER,
        unlisted=fields.choice("unlisted", Unlisted, Unlisted.REFUSE) or Unlisted.REFUSE,
        lower=fields.exact("lower"),
        upper=fields.exact("upper"),
        bounds_source=_bounds_source(fields),
    )


def _bounds_source(fields: Fields) -> BoundsSource | None:
    if fields.peek("bounds_source") == "data":
        fields.text("bounds_source")
        fields.problem(
            "bounds_source",
            "A bound taken from the data was refused: it would publish one person’s value.",
            "Use a law, a policy or a public statistic.",
        )
        return None
    return fields.choice("bounds_source", BoundsSource)


def _codes(fields: Fields, folder: Path) -> CodeList | None:
    file = fields.text("codes_file")
    typed = fields.codes("codes")
    if file is None:
        return CodeList.typed(typed) if typed else None
    try:
        return read_codes(folder / file)
    except CodeFileError as error:
        fields.problem("codes_file", error.what, error.remedy)
        return None


def _neighbors(fields: Fields) -> Neighbors | None:
    chosen = fields.one_of("neighbors", tuple(_NEIGHBORS))
    neighbors = _NEIGHBORS[chosen](fields) if chosen else None
    for key in ("contribution", "size_cap", "alpha", "strict"):
        if chosen and fields.peek(key) is not None and not fields.is_taken(key):
            fields.take(key)
            fields.problem(key, f"“{key}” has no meaning for neighbors = “{chosen}”.", "Remove it.")
    return neighbors


def _worker(fields: Fields) -> Neighbors:
    if fields.whole("contribution", 1, least=1) != 1:
        fields.problem(
            "contribution", "One record counts once under “worker”.", "Set 1, or protect the “worker-history”."
        )
    return Worker()


def _worker_history(fields: Fields) -> Neighbors:
    return WorkerHistory(fields.whole("contribution", 1, least=1) or 1)


def _employer(fields: Fields) -> Neighbors | None:
    cap = fields.whole("size_cap", least=1)
    if cap is None:
        fields.problem("size_cap", "The public size limit of an employer is missing.", "Add size_cap = 500, say.")
        return None
    return Employer(cap)


def _strong_alpha(fields: Fields) -> Neighbors | None:
    alpha = fields.exact("alpha")
    if alpha is None or not 0 < alpha <= 1:
        fields.problem("alpha", "Alpha must be a number above 0 and at most 1.", 'Write alpha = "0.1", say.')
        return None
    return StrongAlpha(alpha, strict=fields.flag("strict"))


_NEIGHBORS = {
    Worker.name: _worker,
    WorkerHistory.name: _worker_history,
    Employer.name: _employer,
    StrongAlpha.name: _strong_alpha,
}


def _table(fields: Fields) -> Table:
    keys = tuple(fields.texts("keys"))
    return Table(
        name=fields.text("name") or "-".join(keys) or "total",
        keys=keys,
        totals=_totals(fields, keys),
        statistics=tuple(_statistic(child) for child in fields.children("statistics", Stage.STATISTICS)),
    )


def _totals(fields: Fields, keys: Keys) -> tuple[Keys, ...]:
    given = fields.take("margins")
    if given is None:
        return ()
    if given == "all":
        return all_totals(keys)
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(keys):
        return totals_of_order(keys, given)
    if isinstance(given, list) and all(isinstance(part, list) and set(part) < set(keys) for part in given):
        return tuple(tuple(key for key in keys if key in part) for part in given)
    remedy = 'Write "all", a number of keys below the table’s, or lists of its keys.'
    fields.problem("margins", "The totals cannot be understood.", remedy)
    return ()


def _statistic(fields: Fields) -> Statistic:
    share = fields.exact("share", Fraction(1))
    if share is not None and share <= 0:
        fields.problem("share", "A share must be above 0.", 'Write share = "1", say.')
    return Statistic(
        kind=fields.choice("kind", StatisticKind) or StatisticKind.COUNT,
        measure=fields.text("measure"),
        share=share if share is not None and share > 0 else Fraction(1),
        locked=fields.flag("locked"),
        mechanism=fields.text("mechanism", "auto") or "auto",
    )


def _as_table(plan: ReleasePlan, folder: Path) -> Any:
    return _without_none(
        {
            "format": FORMAT,
            "title": plan.title,
            "data": {
                "path": _relative(plan.data.path, folder),
                "name": plan.data.name or None,
                "unit": plan.data.unit,
                **_layout_table(plan.data.layout),
            },
            "columns": {column.name: _column_table(column, folder) for column in plan.columns},
            "protect": _neighbors_table(plan.neighbors),
            "budget": {"epsilon": _exact(plan.budget.epsilon), "delta": exact_text(plan.budget.delta)},
            "policy": {"allowance": _exact(plan.allowance)},
            "preview": {"typical_cell": plan.typical_cell},
            "tables": [_table_table(table) for table in plan.tables],
        }
    )


def _layout_table(layout: Layout) -> dict[str, Any]:
    return {
        "sheet": layout.sheet,
        "header_row": layout.header_row,
        "header_rows": layout.header_rows,
        "last_row": layout.last_row,
        "encoding": layout.encoding,
        "delimiter": layout.delimiter,
        "quote": layout.quote,
        "decimal": layout.decimal.value if layout.decimal else None,
        "hidden": layout.hidden.value if layout.hidden is not Hidden.REFUSE else None,
        "markers": {marker: meaning.value for marker, meaning in layout.markers},
    }


def _column_table(column: Column, folder: Path) -> dict[str, Any]:
    codes = column.codes
    return {
        "role": column.role.value,
        "codes": list(codes.codes) if codes and not codes.file else None,
        "codes_file": _relative(codes.file, folder) if codes else None,
        "belongs_to": column.belongs_to.value if column.belongs_to is not BelongsTo.WORKER else None,
        "unlisted": column.unlisted.value if column.unlisted is not Unlisted.REFUSE else None,
        "lower": _exact(column.lower),
        "upper": _exact(column.upper),
        "bounds_source": column.bounds_source.value if column.bounds_source else None,
    }


def _neighbors_table(neighbors: Neighbors | None) -> dict[str, Any]:
    if neighbors is None:
        return {}
    return {
        "neighbors": neighbors.name,
        "contribution": getattr(neighbors, "contribution", None),
        "size_cap": getattr(neighbors, "size_cap", None),
        "alpha": _exact(getattr(neighbors, "alpha", None)),
        "strict": getattr(neighbors, "strict", False) or None,
    }


def _table_table(table: Table) -> dict[str, Any]:
    everything = bool(table.totals) and set(table.totals) == set(all_totals(table.keys))
    return {
        "name": table.name,
        "keys": list(table.keys),
        "margins": "all" if everything else [list(keys) for keys in table.totals] or None,
        "statistics": [_statistic_table(statistic) for statistic in table.statistics],
    }


def _statistic_table(statistic: Statistic) -> dict[str, Any]:
    return {
        "kind": statistic.kind.value,
        "measure": statistic.measure,
        "share": exact_text(statistic.share),
        "locked": statistic.locked or None,
        "mechanism": statistic.mechanism,
    }


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else exact_text(value)


def _relative(path: Path | None, folder: Path) -> str | None:
    if path is None:
        return None
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive on Windows
        return path.as_posix()


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_none(part) for key, part in value.items() if part is not None}
        return {key: part for key, part in kept.items() if part != {}}
    if isinstance(value, list):
        return [_without_none(part) for part in value]
    return value
