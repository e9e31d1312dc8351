"""Numbers as files write them, a million at a time: which are already in their shortest form, and that form for others.

A number of at most fifteen digits without exponent or trailing zeros is the shortest text of its value, because two
such numbers never share a value. Eight characters are looked at with each operation on 64-bit words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.data.readers.text_views import FIRST_BYTES, Flags, Places, Words

_MOST_DIGITS = 15
_MARKS = b"0123456789+-.eE"


def _each(octet: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([octet]) * 8, "little"))


_ZEROS, _DOTS, _LOW7, _HIGH4, _SIX = _each(0x30), _each(0x2E), _each(0x7F), _each(0xF0), _each(0x06)
_ONE, _SEVEN, _DOT_TO_ZERO, _MINUS_TO_ZERO = np.uint64(1), np.uint64(7), np.uint64(0x2E ^ 0x30), np.uint64(0x2D ^ 0x30)


def plain(octets: NDArray[np.uint8], words: Words, start: Places, length: Places) -> Flags:
    """Whether the number at each place is written in its shortest form already."""
    first, second = _padded(words, start, length), _padded(words, start + 8, length - 8)
    negative = octets[start] == 0x2D
    dots_first, first = _without_dots(np.where(negative, first ^ _MINUS_TO_ZERO, first))
    dots_second, second = _without_dots(second)
    one_dot = _at_most_one(dots_first) & _at_most_one(dots_second) & ~((dots_first != 0) & (dots_second != 0))
    has_dot = (dots_first | dots_second) != 0
    last = octets[start + np.maximum(length - 1, 0)]
    leading, following = octets[start + negative], octets[start + negative + 1]
    short = (length <= _MOST_DIGITS) & (length > negative)
    whole_or_ends_well = ~has_dot | ((last != 0x30) & (last != 0x2E))
    starts_well = (leading != 0x2E) & (
        (leading != 0x30) | ((following == 0x2E) & has_dot) | ((length == 1) & ~negative)
    )
    is_plain: Flags = short & one_dot & _digits(first) & _digits(second) & whole_or_ends_well & starts_well
    return is_plain


def whole(octets: NDArray[np.uint8], start: Places, length: Places) -> tuple[Places, Flags]:
    """The whole number at each place, and whether it is one (of at most nine digits)."""
    number, right = np.zeros(len(start), np.int64), (length > 0) & (length <= 9)
    for at in range(int(min(length.max(initial=0), 9))):
        going = length > at
        digit = octets[start + at]
        right &= ~going | ((digit >= 0x30) & (digit <= 0x39))
        number = np.where(going, 10 * number + digit - 0x30, number)
    return np.where(right, number, 0), right


def shortest(written: list[bytes]) -> bytes | None:
    """The shortest texts of numbers, each with a line end after it; None if one of them is no number."""
    if b"".join(written).translate(None, _MARKS):
        return None
    try:
        lines = "\n" + "\n".join(map(repr, map(float, written))) + "\n"
    except ValueError:
        return None
    lines = lines.replace(".0\n", "\n").replace("\n-0\n", "\n0\n").replace("\n-0\n", "\n0\n")
    return None if "inf" in lines else lines[1:].encode()


def _padded(words: Words, start: Places, length: Places) -> Words:
    """Eight characters of a number, those after its end as zeros."""
    mask = FIRST_BYTES[np.clip(length, 0, 8)]
    at = np.minimum(start, len(words) - 1)
    return (words[at] & mask) | (_ZEROS & ~mask)


def _without_dots(word: Words) -> tuple[Words, Words]:
    """A mark for each dot, and the word with zeros in their places."""
    other = word ^ _DOTS
    dots = ~(((other & _LOW7) + _LOW7) | other | _LOW7)
    return dots, word ^ ((dots >> _SEVEN) * _DOT_TO_ZERO)


def _at_most_one(marks: Words) -> Flags:
    result: Flags = (marks & (marks - _ONE)) == 0
    return result


def _digits(word: Words) -> Flags:
    result: Flags = ((word & _HIGH4) == _ZEROS) & (((word + _SIX) & _HIGH4) == _ZEROS)
    return result
