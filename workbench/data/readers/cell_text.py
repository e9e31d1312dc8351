"""Cell values as a person would read them in full: shortest exact numbers, ISO dates, TRUE and FALSE."""

from __future__ import annotations

import math
import re
from datetime import date, timedelta

from workbench.data.readers.number_formats import Shown

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DAY = 86_400_000  # thousandths of a second
_LAST_DAY = 2_958_465  # 9999-12-31
_LEAP_1900 = 60  # Excel counts a 29 February 1900, which never was
_1904 = 1_462  # days between the two ways of counting

ERRORS: dict[int, str] = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}  # fmt: skip


class NotANumber(ValueError):
    """A number cell holds something else."""


def number_of(written: str) -> float:
    """The value of a number as files write it; “nan”, “inf” and the like are none."""
    if not _NUMBER.fullmatch(written) or not math.isfinite(value := float(written)):
        raise NotANumber(written)
    return value


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point."""
    text = repr(value)
    return "0" if value == 0 else text.removesuffix(".0")


def truth_text(value: object) -> str:
    return "TRUE" if value else "FALSE"


def value_text(value: float, how: Shown, is_1904: bool = False) -> str:
    """A number cell: a number, or the date, time or duration it is shown as."""
    if how in (Shown.PLAIN, Shown.PERCENT):
        return number_text(value)
    if how is Shown.DURATION:
        return duration_text(value)
    return _moment_text(value, how, is_1904)


def duration_text(days: float) -> str:
    """Hours, minutes and seconds; hours may pass 24."""
    thousandths = round(abs(days) * _DAY)
    return ("-" if days < 0 and thousandths else "") + _clock(thousandths)


def _moment_text(value: float, how: Shown, is_1904: bool) -> str:
    day, thousandths = divmod(round(value * _DAY), _DAY)
    if how is Shown.TIME and day == 0:
        return _clock(thousandths)
    day += _1904 if is_1904 else 0
    if not 0 <= day <= _LAST_DAY:
        return number_text(value)  # no date: spreadsheet programs show ##### here
    if day == 0:
        return _clock(thousandths)
    return day_text(day) + (f" {_clock(thousandths)}" if thousandths else "")


def day_text(day: int) -> str:
    """The ISO date of a day counted as Excel does from 1 January 1900."""
    if day == _LEAP_1900:
        return "1900-02-29"
    return (date(1899, 12, 30 + (day < _LEAP_1900)) + timedelta(days=day)).isoformat()


def iso_text(written: str) -> str:
    """An ISO date or moment as files write it: midnight left out, a space before the time."""
    day, _, clock = written.partition("T")
    clock = clock.removesuffix("Z")
    return day if not clock.strip("0:.") else f"{day} {clock}".strip()


def unescaped(text: str) -> str:
    """Characters that XML cannot hold are written _x000D_ in workbooks."""
    if "_x" not in text:
        return text
    whole = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _clock(thousandths: int) -> str:
    seconds, rest = divmod(thousandths, 1000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:03}" if rest else text
