"""Reads a single table packed with gzip or zip: text as it is unpacked, other formats from a copy that is removed."""

from __future__ import annotations

import gzip
import io
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO, cast

from workbench.data.layout import Layout
from workbench.data.readers import delimited, parquet, spreadsheet
from workbench.data.readers.reading import Reading, Sheet
from workbench.data.readers.text_stream import TextSource
from workbench.data.scratch import scratch_folder
from workbench.errors import EmptyFile, FileTooLarge, HostileFile, ProtectedFile, SeveralFiles, UnreadableFile

if TYPE_CHECKING:
    import duckdb

SUFFIXES = (".gz", ".zip")

_GZIP, _ZIP = b"\x1f\x8b", b"PK"
_CONTENTS: tuple[tuple[bytes, ModuleType, str], ...] = (  # how a table that is not text begins, and its usual ending
    (b"PAR1", parquet, ".parquet"),
    (_ZIP, spreadsheet, ".xlsx"),
    (b"\xd0\xcf\x11\xe0", spreadsheet, ".xls"),
)
_MOST_STRETCH = 250
_SMALL = 512 * 1024**2  # a file of zeros shrinks a thousandfold; below this size it may
_MOST_UNPACKED = 200 * 1024**3
_MOST_COPIED = 8 * 1024**3
_CHUNK = 1024 * 1024
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
_CLUTTER = ("__macosx/", ".ds_store", "thumbs.db", "desktop.ini")


@dataclass(frozen=True)
class Packed:
    """The one file inside an archive."""

    archive: str
    name: str
    size: int
    unpack: Callable[[], io.BufferedIOBase]

    def open(self, most: int = _MOST_UNPACKED) -> BinaryIO:
        """A stream that is refused when it grows out of proportion."""
        return cast(BinaryIO, _Bounded(self, most))

    def start(self) -> bytes:
        with self.open() as stream:
            return stream.read(8)


def sheets(path: Path) -> tuple[Sheet, ...]:
    packed = packed_file(path)
    reader, ending = _reader(packed)
    return () if reader is delimited else tuple(reader.sheets(_copy(path, ending)))


def load(connection: duckdb.DuckDBPyConnection, path: Path, layout: Layout) -> Reading:
    packed = packed_file(path)
    reader, ending = _reader(packed)
    if reader is delimited:
        return delimited.load_text(connection, TextSource(packed.name, packed.open), layout)
    reading: Reading = reader.load(connection, _copy(path, ending), layout)
    return reading


def packed_file(path: Path) -> Packed:
    """The file inside; refused when there are several, none, or none that can be opened."""
    with path.open("rb") as file:
        is_gzip = file.read(2) == _GZIP
    size = path.stat().st_size
    if is_gzip:
        return Packed(path.name, path.stem, size, lambda: gzip.GzipFile(path))
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not _is_clutter(member)]
    except _DAMAGED as error:
        raise _damaged(path.name) from error
    if len(members) != 1:
        raise SeveralFiles(path.name, [member.filename for member in members]) if members else EmptyFile(path.name)
    if members[0].flag_bits & 1:
        raise ProtectedFile(path.name)
    name = Path(members[0].filename.replace("\\", "/")).name
    return Packed(path.name, name, size, lambda: _Member(path, members[0]))


def _is_clutter(member: zipfile.ZipInfo) -> bool:
    name = member.filename.lower()
    return member.is_dir() or name.startswith(_CLUTTER) or name.endswith(_CLUTTER[1:])


def _reader(packed: Packed) -> tuple[ModuleType, str]:
    start = packed.start()
    if start.startswith(_GZIP):
        raise UnreadableFile(packed.archive, "it is packed twice", "Unpack it and choose the file inside.")
    found = ((reader, ending) for mark, reader, ending in _CONTENTS if start.startswith(mark))
    return next(found, (delimited, ""))


def _copy(path: Path, ending: str) -> Path:
    status = path.stat()
    return _copied(path, ending, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _copied(path: Path, ending: str, changed: int, size: int) -> Path:
    """The unpacked file, which lives as long as the program: a workbook is opened again for every sheet."""
    packed = packed_file(path)
    folder = Path(tempfile.mkdtemp(dir=scratch_folder()))
    copy = folder / (packed.name if packed.name.lower().endswith(ending) else f"table{ending}")
    try:
        with packed.open(_MOST_COPIED) as stream, copy.open("wb") as target:
            shutil.copyfileobj(stream, target, _CHUNK)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return copy


class _Member(io.BufferedIOBase):
    """A member of a zip archive that closes the archive with it."""

    def __init__(self, path: Path, member: zipfile.ZipInfo) -> None:
        self._archive = zipfile.ZipFile(path)
        self._stream = self._archive.open(member)

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        return self._stream.read(-1 if size is None else size)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            self._archive.close()
        super().close()


class _Bounded(io.RawIOBase):
    """The unpacked bytes, as long as there are not suspiciously many."""

    def __init__(self, packed: Packed, most: int) -> None:
        self._packed, self._most, self._count = packed, most, 0
        try:
            self._stream = packed.unpack()
        except _DAMAGED as error:
            raise _damaged(packed.archive) from error

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """As many bytes as asked for, fewer only at the end."""
        parts: list[bytes] = []
        wanted = size
        try:
            while wanted and (part := self._stream.read(wanted if wanted > 0 else _CHUNK)):
                parts.append(part)
                self._check(len(part))
                wanted -= len(part) if wanted > 0 else 0
        except _DAMAGED as error:
            raise _damaged(self._packed.archive) from error
        return b"".join(parts)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()

    def _check(self, more: int) -> None:
        self._count += more
        if self._count > self._most:
            raise FileTooLarge(self._packed.archive, "too much inside", f"{self._most // 1024**3} GB unpacked")
        if self._count > max(_SMALL, _MOST_STRETCH * self._packed.size):
            raise HostileFile(self._packed.archive, "it grows more than two hundredfold when unpacked")


def _damaged(name: str) -> UnreadableFile:
    return UnreadableFile(name, "it is damaged or cut short", "Copy or download it again.")
