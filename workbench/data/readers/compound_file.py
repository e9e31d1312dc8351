"""Opens compound files, the small file systems that older and that protected workbooks are."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

from workbench.errors import FileTooLarge, UnreadableFile

MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_MOST_BYTES = 512 * 1024**2
_END = 0xFFFFFFFA  # sector numbers from here on are marks
_STREAM = 2


class CompoundFile:
    """The streams of a compound file by name."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name = name
        self._data = file.read(_MOST_BYTES + 1)
        if len(self._data) > _MOST_BYTES:
            raise FileTooLarge(name, f"more than {_MOST_BYTES:,} bytes", f"{_MOST_BYTES:,} for this kind")
        try:
            self._read_header()
            self._entries = dict(self._directory())
        except (struct.error, IndexError, ValueError, OverflowError) as error:
            raise self._damaged() from error

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._entries)

    def stream(self, name: str) -> bytes:
        kind, start, size = self._entries[name]
        try:
            if kind == _STREAM and size < self._cutoff:
                return self._join(self._chain(start, self._mini_fat), self._mini, self._mini_size, 0)[:size]
            return self._sectors(start)[:size]
        except (struct.error, IndexError, ValueError) as error:
            raise self._damaged() from error

    def _read_header(self) -> None:
        head = self._data[:512]
        shift, mini_shift = struct.unpack_from("<HH", head, 30)
        if shift not in (9, 12) or mini_shift != 6:
            raise ValueError("sector size")
        self._size, self._mini_size = 1 << shift, 1 << mini_shift
        self._first_directory, self._cutoff = struct.unpack_from("<I4xI", head, 48)
        first_mini, _, next_table, tables = struct.unpack_from("<IIII", head, 60)
        sectors = list(struct.unpack_from("<109I", head, 76))
        most = len(self._data) // self._size
        for _ in range(min(tables, most)):
            *more, next_table = struct.unpack(f"<{self._size // 4}I", self._sector(next_table))
            sectors.extend(more)
        table = b"".join(self._sector(one) for one in sectors[: most + 109] if one < _END)
        self._fat = struct.unpack(f"<{len(table) // 4}I", table)
        mini = self._sectors(first_mini)
        self._mini_fat = struct.unpack(f"<{len(mini) // 4}I", mini)

    def _directory(self) -> Iterator[tuple[str, tuple[int, int, int]]]:
        entries = self._sectors(self._first_directory)
        self._mini = b""
        for at in range(0, len(entries) - 127, 128):
            length, kind = struct.unpack_from("<HB", entries, at + 64)
            start, size = struct.unpack_from("<IQ", entries, at + 116)
            if kind == 5:
                self._mini = self._sectors(start)
            elif kind:
                name = entries[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
                yield name, (kind, start, size & 0xFFFFFFFF)

    def _sector(self, number: int) -> bytes:
        at = (number + 1) * self._size
        if at >= len(self._data):
            raise ValueError("sector beyond the end")
        return self._data[at : at + self._size].ljust(self._size, b"\0")

    def _sectors(self, start: int) -> bytes:
        return b"".join(self._sector(one) for one in self._chain(start, self._fat))

    def _chain(self, start: int, table: tuple[int, ...]) -> list[int]:
        chain: list[int] = []
        while start < _END:
            chain.append(start)
            if len(chain) > len(table):
                raise ValueError("circular chain")
            start = table[start]
        return chain

    @staticmethod
    def _join(chain: list[int], data: bytes, size: int, offset: int) -> bytes:
        return b"".join(data[offset + one * size : offset + (one + 1) * size] for one in chain)

    def _damaged(self) -> UnreadableFile:
        return UnreadableFile(self._name, "it is damaged or cut short")
