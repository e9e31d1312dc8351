"""One byte form for every JSON value written, and bounded reading of those that come back from outside."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import NoReturn


def canonical_json(value: object) -> bytes:
    """Equal values give equal bytes: sorted keys, two spaces, UTF-8, line feeds, a line feed at the end."""
    try:
        text = json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return f"{text}\n".encode()


def parse_json(data: bytes, has_numbers: bool = True) -> object:
    """The value in some bytes; ValueError when there is none, or a number where amounts must be text."""
    try:
        text = data.decode("utf-8-sig")
        if has_numbers:
            return json.loads(text, parse_constant=_refuse_number)
        return json.loads(text, parse_int=_refuse_number, parse_float=_refuse_number, parse_constant=_refuse_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse_number(text: str) -> NoReturn:
    raise ValueError("a number stands where text is expected")


def base64_text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def base64_bytes(text: str) -> bytes:
    """What `base64_text` wrote; ValueError for anything else, so that one value has one spelling."""
    data = base64.b64decode(text, validate=True)
    if base64_text(data) != text:
        raise ValueError("an unusual spelling of base64")
    return data


def read_bounded(path: Path, limit: int) -> bytes:
    """The bytes of an ordinary file; ValueError when it is longer than the limit, OSError when it cannot be read."""
    if not path.is_file():
        raise FileNotFoundError(path.name)
    with path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"longer than {limit:,} bytes")
    return data
