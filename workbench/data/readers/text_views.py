"""Text as Arrow string views: cells point into the bytes they were read from, so that a million are made at once.

A view is two 64-bit words: the length and the first four bytes, then either the next eight bytes (texts up to twelve
bytes) or the number of a buffer and the place in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    pass

Words = NDArray[np.uint64]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]

PADDING = b"\0" * 16
_INLINE = 12
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
FIRST_BYTES: Words = np.array([(1 << (8 * kept)) - 1 for kept in range(9)], np.uint64)


def words_of(padded: bytes) -> Words:
    """The eight bytes that begin at each place of a padded buffer, without copying it."""
    return np.ndarray((len(padded) - 7,), "<u8", buffer=padded, strides=(1,))


def views_of(words: Words, start: Places, length: Places, buffer: int) -> Words:
    """One view (a row of two words) per text, which stands at `start` in the buffer of that number."""
    head = words[start] & FIRST_BYTES[np.minimum(length, 8)]
    views = np.empty((len(start), 2), np.uint64)
    views[:, 0] = length.astype(np.uint64) | ((head & _LOW) << _32)
    views[:, 1] = words[start + 4] & FIRST_BYTES[np.clip(length - 4, 0, 8)]
    long = np.flatnonzero(length > _INLINE)
    views[long, 1] = np.uint64(buffer) | (start[long].astype(np.uint64) << _32)
    return views


def views_of_texts(texts: list[str], buffer: int) -> tuple[Words, bytes]:
    """The views of texts made in Python, and the bytes they point into."""
    encoded = [text.encode() for text in texts]
    length = np.fromiter(map(len, encoded), np.int64, len(encoded))
    padded = b"".join(encoded) + PADDING
    return views_of(words_of(padded), np.cumsum(length) - length, length, buffer), padded


def views_of_lines(lines: bytes, buffer: int) -> tuple[Words, bytes]:
    """The views of texts that each end with a line end, and the bytes they point into."""
    padded = lines + PADDING
    ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == 0x0A)
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    return views_of(words_of(padded), starts, ends - starts, buffer), padded


def lengths(views: Words) -> Places:
    return (views[..., 0] & _LOW).astype(np.int64)


def array_of(views: Words, present: NDArray[np.bool_], buffers: list[bytes]) -> Any:
    """The Arrow text array of these views."""
    import pyarrow as pa

    validity = pa.py_buffer(np.packbits(present, bitorder="little"))
    data = [pa.py_buffer(buffer) for buffer in buffers]
    return pa.Array.from_buffers(
        pa.string_view(), len(present), [validity, pa.py_buffer(np.ascontiguousarray(views)), *data]
    )
