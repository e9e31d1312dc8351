"""Takes known keys out of a TOML table, noting every problem with its place instead of stopping at the first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from workbench.data.findings import Finding, Severity, Stage
from workbench.plan.amounts import parse_exact

Choice = TypeVar("Choice", bound=StrEnum)
_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"]*\")\s*=")


def line_numbers(text: str) -> dict[str, int]:
    """Where each key stands in the file: "tables.0.keys" -> 14."""
    places: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _with_indices(header[2].replace('"', ""), header[1] == "[[", counts)
            places[table] = number
        elif key := _KEY.match(line):
            name = key[1].strip('"')
            places[f"{table}.{name}" if table else name] = number
    return places


def _with_indices(name: str, is_list: bool, counts: dict[str, int]) -> str:
    """A header with the position in each list of tables: tables.statistics -> tables.1.statistics.0."""
    path = ""
    parts = name.split(".")
    for at, part in enumerate(parts):
        path = f"{path}.{part}" if path else part
        if is_list and at == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = f"{path}.{counts[path]}"
    return path


class Problems:
    """The findings of one plan file."""

    def __init__(self, file: str, lines: Mapping[str, int]) -> None:
        self._file = file
        self._lines = lines
        self._found: list[Finding] = []

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._found)

    def add(self, path: str, stage: Stage, what: str, remedy: str) -> None:
        line = self._lines.get(path) or self._lines.get(path.rpartition(".")[0])
        where = f"{self._file}, line {line}, {path}" if line else f"{self._file}, {path}"
        self._found.append(Finding("plan-file", Severity.BLOCK, stage, where, what, remedy))


class Fields:
    """One table of the file. Keys are taken by type; what nobody takes is reported as unknown."""

    def __init__(self, table: Any, path: str, problems: Problems, stage: Stage = Stage.REVIEW) -> None:
        self._path, self._problems, self._stage = path, problems, stage
        self._table: dict[str, Any] = table if isinstance(table, dict) else {}
        self._left = set(self._table)
        self._children: list[Fields] = []
        if not isinstance(table, dict):
            problems.add(path, stage, "A table is expected here.", f"Write it as [{path}].")

    @property
    def name(self) -> str:
        return self._path.rpartition(".")[2]

    def peek(self, key: str) -> Any:
        return self._table.get(key)

    def is_taken(self, key: str) -> bool:
        return key not in self._left

    def take(self, key: str) -> Any:
        self._left.discard(key)
        return self._table.get(key)

    def problem(self, key: str, what: str, remedy: str) -> None:
        self._problems.add(f"{self._path}.{key}" if self._path else key, self._stage, what, remedy)

    def text(self, key: str, default: str | None = None) -> str | None:
        value = self.take(key)
        if value is None or isinstance(value, str):
            return default if value is None else value
        self.problem(key, f"“{key}” must be text.", 'Put it in quotes: "...".')
        return default

    def whole(
        self, key: str, default: int | None = None, least: int | None = None, most: int | None = None
    ) -> int | None:
        value = self.take(key)
        if value is None:
            return default
        if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not _within(value, least, most):
            bound = f" of at least {least}" if least is not None else ""
            bound += f" and at most {most}" if most is not None else ""
            self.problem(key, f"“{key}” must be a whole number{bound}.", "Write it without quotes or decimals.")
            return default
        return value

    def exact(self, key: str, default: Fraction | None = None) -> Fraction | None:
        value = self.take(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            return Fraction(value)
        if isinstance(value, float):
            self.problem(key, f"“{key}” must be decimal text, so that it stays exact.", f'Write {key} = "{value}".')
            return default
        try:
            return parse_exact(value)
        except (ValueError, AttributeError):
            self.problem(key, f"“{key}” is not a number.", 'Write decimal text such as "0.5".')
            return default

    def flag(self, key: str) -> bool:
        value = self.take(key)
        if not (value is None or isinstance(value, bool)):
            self.problem(key, f"“{key}” must be true or false.", "Write it without quotes.")
        return value is True

    def one_of(self, key: str, options: tuple[str, ...], default: str | None = None) -> str | None:
        value = self.text(key, default)
        if value is None or value in options:
            return value
        self.problem(key, f"“{value[:40]}” is not known for “{key}”.", f"Choose one of: {', '.join(options)}.")
        return default

    def choice(self, key: str, kind: type[Choice], default: Choice | None = None) -> Choice | None:
        value = self.one_of(key, tuple(kind), default)
        return None if value is None else kind(value)

    def every_choice(self, kind: type[Choice]) -> tuple[tuple[str, Choice], ...]:
        """All keys of a table whose keys are free, each with its choice."""
        chosen = ((key, self.choice(key, kind)) for key in sorted(self._table))
        return tuple((key, choice) for key, choice in chosen if choice is not None)

    def texts(self, key: str) -> list[str]:
        value = self.take(key)
        if value is None:
            return []
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return value
        self.problem(key, f"“{key}” must be a list of texts.", 'Write it as ["place", "sector"].')
        return []

    def codes(self, key: str) -> tuple[str, ...]:
        if self.peek(key) == "threshold":
            self.take(key)
            self.problem(key, "This version has no stability threshold for codes.", "Give a public code list.")
            return ()
        codes = self.texts(key)
        if len(set(codes)) < len(codes):
            repeated = next(code for code in codes if codes.count(code) > 1)
            self.problem(key, f"The code “{repeated}” is listed twice.", "List every code once.")
        return tuple(dict.fromkeys(codes))

    def child(self, key: str, stage: Stage) -> Fields:
        return self._child(key, self.take(key) if key in self._table else {}, stage)

    def named_children(self, key: str, stage: Stage) -> list[Fields]:
        tables = self.child(key, stage)
        return [tables._child(name, tables.take(name), stage) for name in tables._table]

    def children(self, key: str, stage: Stage) -> list[Fields]:
        tables = self.take(key) or []
        if not isinstance(tables, list):
            self.problem(key, "A list of tables is expected here.", f"Write [[{key}]] before each.")
            return []
        return [self._child(f"{key}.{at}", table, stage) for at, table in enumerate(tables)]

    def _child(self, key: str, table: Any, stage: Stage) -> Fields:
        fields = Fields(table, f"{self._path}.{key}" if self._path else key, self._problems, stage)
        self._children.append(fields)
        return fields

    def finish(self) -> None:
        """Report every key nobody took: nothing about privacy is guessed or skipped."""
        for key in sorted(self._left):
            self.problem(key, f"“{key}” is not a key of the plan file.", "Remove it or correct its spelling.")
        for child in self._children:
            child.finish()


def _within(value: int, least: int | None, most: int | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)
