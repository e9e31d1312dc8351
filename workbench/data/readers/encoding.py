"""Which letters the bytes of a text file stand for: guessed from their pattern, and turned into UTF-8 as they come."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_MARKS = (  # the UTF-32 mark begins like the UTF-16 mark, so it is tried first
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_ONE_BYTE = ("windows-1252", "iso-8859-15", "mac-roman")  # in order of how common they are
_SIGNS = "–—‘’“”„•…€£¥§©®™°±²³¼½¾«»¹·\xa0ºª"
_SHOWN = 12


@dataclass(frozen=True)
class EncodingGuess:
    """An encoding; how sure it is; and the letters beyond plain English as they read under it."""

    encoding: str
    certain: bool = True
    letters: str = ""


def guess_encoding(start: bytes) -> EncodingGuess | None:
    """The encoding of a file that begins like this; None when it is not text."""
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return EncodingGuess(encoding)
    if b"\0" in start:
        return _unmarked_wide(start)
    if first_not_utf8(start) is None:
        return EncodingGuess("utf-8")
    return guess_one_byte(start)


def guess_one_byte(sample: bytes) -> EncodingGuess:
    """The one-byte encoding under which the letters beyond ASCII stand where such letters and signs usually stand."""
    texts = {encoding: sample.decode(encoding, "replace") for encoding in _ONE_BYTE}
    scores = {encoding: _plausibility(text) for encoding, text in texts.items()}
    best = max(_ONE_BYTE, key=lambda encoding: scores[encoding])
    rivals = (other for other in _ONE_BYTE if texts[other] != texts[best])
    certain = scores[best] > 0.5 and all(scores[other] < scores[best] - 0.25 for other in rivals)
    letters = dict.fromkeys(letter for letter in texts[best] if not letter.isascii())
    return EncodingGuess(best, certain, "".join(letters)[:_SHOWN])


def first_not_utf8(sample: bytes) -> int | None:
    """Where a piece of a file stops being UTF-8; a letter cut off at its end does not count."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError as error:
        return error.start
    return None


def _unmarked_wide(start: bytes) -> EncodingGuess | None:
    """UTF-16 or UTF-32 without a mark: the reading without NULs in which plain letters and signs are common."""
    breaks = start.count(b"\n") + start.count(b"\r")
    read = {encoding: _decoded(start, encoding) for encoding in _WIDE}
    texts = {encoding: text for encoding, text in read.items() if text.count("\n") + text.count("\r") >= breaks / 2}
    plain = {encoding: sum(map(str.isascii, text)) / len(text) for encoding, text in texts.items() if text}
    best = max(plain, key=lambda encoding: plain[encoding], default=None)
    return EncodingGuess(best) if best and plain[best] > 0.05 else None


def _decoded(start: bytes, encoding: str) -> str:
    """Nothing when the bytes have no meaning in this encoding, or one that no text has."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(start)
    except UnicodeDecodeError:
        return ""
    return "" if any(letter < " " and letter not in "\t\r\n\f\x1a\x1c\x1d\x1e\x1f" for letter in set(text)) else text


def _plausibility(text: str) -> float:
    """The mean over all letters beyond ASCII of how well each fits between its neighbours, from -1 to 1."""
    padded = f" {text} "
    fits = [_fit(*padded[at - 1 : at + 2]) for at in range(1, len(padded) - 1) if not padded[at].isascii()]
    return sum(fits) / len(fits) if fits else 0.0


def _fit(before: str, letter: str, after: str) -> float:
    if letter.isalpha() and letter not in "ªº":
        if letter.isupper() and before.islower():
            return -0.5
        return 1.0 if any(near.isascii() and near.isalpha() for near in (before, after)) else 0.25
    if letter in _SIGNS:
        return 0.75 if letter == "’" or not (before.isalpha() and after.isalpha()) else -0.5
    return -1.0
