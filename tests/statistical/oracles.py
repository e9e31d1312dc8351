"""Reads the cases of Google's statistical tester: a subset of the text format of protocol buffers, as nested values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "oracles"

_TOKEN = re.compile(
    r'#[^\n]*|"(?P<text>[^"]*)"|(?P<word>[A-Za-z_]\w*)|(?P<number>-?[\d.]+(?:[eE]-?\d+)?)|(?P<mark>[{}\[\]:,])'
)

Message = dict[str, list[Any]]


@dataclass(frozen=True)
class Case:
    """One case: what it is called, its parameters, each as the list of all values given for it, and its file's kind."""

    kind: str
    name: str
    facts: Message

    def number(self, fact: str, otherwise: str | None = None) -> Fraction:
        given = self.facts.get(fact) or ([Fraction(otherwise)] if otherwise is not None else [])
        return Fraction(given[0])

    def word(self, fact: str) -> str:
        return str(self.facts[fact][0])

    def numbers(self, fact: str) -> list[Fraction]:
        return [Fraction(value) for value in self.facts.get(fact, [])]

    @property
    def samples(self) -> int:
        return int(self.number("number_of_samples"))

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


def kinds() -> list[str]:
    return sorted(file.name.removesuffix("_test_cases.textproto") for file in FOLDER.glob("*.textproto"))


def cases(kind: str) -> list[Case]:
    """The cases of one file; the parameters of a case are not nested any further than two deep."""
    message = _message(iter(_tokens((FOLDER / f"{kind}_test_cases.textproto").read_text(encoding="utf-8"))))
    found = [value for name, values in message.items() if name.endswith("test_case") for value in values]
    return [Case(kind, one["name"][0].strip(), _flat(one)) for one in found]


def parameters(kind: str) -> Message:
    """What a whole file says about its cases: by how much a sample must differ to be rejected."""
    message = _message(iter(_tokens((FOLDER / f"{kind}_test_cases.textproto").read_text(encoding="utf-8"))))
    return _flat({name: values for name, values in message.items() if not name.endswith("test_case")})


def _flat(message: Message) -> Message:
    flat: Message = {}
    for name, values in message.items():
        for value in values:
            inner = _flat(value) if isinstance(value, dict) else {name: [value]}
            for one, given in inner.items():
                flat.setdefault(one, []).extend(given)
    return flat


def _tokens(text: str) -> Iterator[Any]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind is not None:
            yield Fraction(found[kind]) if kind == "number" else (kind, found[kind])


def _message(tokens: Iterator[Any]) -> Message:
    message: Message = {}
    for token in tokens:
        if token == ("mark", "}"):
            return message
        name = token[1]
        values = message.setdefault(name, [])
        following = next(tokens)
        if following == ("mark", "{"):
            values.append(_message(tokens))
        else:
            values.extend(_values(tokens))
    return message


def _values(tokens: Iterator[Any]) -> list[Any]:
    first = next(tokens)
    if first != ("mark", "["):
        return [_plain(first)]
    listed = []
    while (token := next(tokens)) != ("mark", "]"):
        if token != ("mark", ","):
            listed.append(_plain(token))
    return listed


def _plain(token: Any) -> Any:
    return token[1] if isinstance(token, tuple) else token
