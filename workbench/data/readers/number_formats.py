"""What number formats say about a value: whether a number is meant as a date, a duration or a per cent."""

from __future__ import annotations

import re
from enum import StrEnum


class Shown(StrEnum):
    """How a number is shown to the person who opens the workbook."""

    PLAIN = "plain"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    PERCENT = "percent"


# The numbers of the formats that Excel knows without writing them down.
_BUILT_IN: dict[int, Shown] = {
    **dict.fromkeys((9, 10), Shown.PERCENT),
    **dict.fromkeys((14, 15, 16, 17, 22, *range(27, 32), 36, *range(50, 59)), Shown.DATE),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 47), Shown.TIME),
    46: Shown.DURATION,
}
_QUOTED = re.compile(r'"[^"]*"|\\.|[_*].')
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]")
_BRACKETS = re.compile(r"\[[^\]]*\]")


def shown(number: int, code: str | None) -> Shown:
    """How the format of this number, or of this code if the workbook writes it down, shows a value."""
    return _by_code(code) if code is not None else _BUILT_IN.get(number, Shown.PLAIN)


def _by_code(code: str) -> Shown:
    plain = _QUOTED.sub("", code.lower()).split(";")[0]
    if _ELAPSED.search(plain):
        return Shown.DURATION
    plain = _BRACKETS.sub("", plain).replace("general", "")
    if "%" in plain:
        return Shown.PERCENT
    clock, calendar = set(plain) & set("hs"), set(plain) & set("yd")
    if calendar or ("m" in plain and not clock):
        return Shown.DATE
    return Shown.TIME if clock else Shown.PLAIN
