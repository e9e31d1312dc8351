"""Opens the ZIP package that most workbooks are, after making sure that it does not unpack without end."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO

from workbench.data.readers.safe_xml import BadXml
from workbench.errors import FileTooLarge, HostileFile, ProtectedFile, UnreadableFile

MOST_UNPACKED = 4 * 1024**3
_MOST_MEMBERS = 20_000
_MOST_STRETCH = 250  # sheets shrink to a tenth, blank styled ones to a fortieth; bombs to a thousandth
_SMALL = 32 * 1024**2
_AHEAD = 2 * 1024**2
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class Package:
    """The parts of an opened workbook."""

    def __init__(self, name: str, archive: zipfile.ZipFile) -> None:
        self.name = name
        self._archive = archive
        self._parts = {part.filename.lstrip("/").lower(): part for part in archive.infolist()}

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._parts

    def parts(self) -> tuple[str, ...]:
        return tuple(self._parts)

    def open(self, part: str) -> IO[bytes]:
        try:
            return self._archive.open(self._parts[part.lower()])
        except KeyError as error:
            raise UnreadableFile(self.name, f"its part “{part}” is missing") from error

    def size(self, part: str) -> int:
        return self._parts[part.lower()].file_size


@contextmanager
def opened(name: str, file: IO[bytes]) -> Iterator[Package]:
    """The package of a file; whatever turns out to be damaged inside becomes a sentence."""
    try:
        with zipfile.ZipFile(file) as archive:
            _refuse_bombs(name, archive)
            yield Package(name, archive)
    except BadXml as error:
        raise UnreadableFile(name, str(error)) from error
    except _DAMAGED as error:
        raise UnreadableFile(name, "it is damaged or cut short") from error


def read_ahead(stream: IO[bytes]) -> Iterator[bytes]:
    """The pieces of a part, the next one unpacked while this one is worked on."""
    with ThreadPoolExecutor(1) as unpacking:
        coming = unpacking.submit(stream.read, _AHEAD)
        while piece := coming.result():
            coming = unpacking.submit(stream.read, _AHEAD)
            yield piece


def _refuse_bombs(name: str, archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    if len(parts) > _MOST_MEMBERS:
        raise HostileFile(name, f"it is packed from {len(parts):,} parts")
    if any(part.flag_bits & 1 for part in parts):
        raise ProtectedFile(name)
    if any(part.file_size > max(_SMALL, _MOST_STRETCH * part.compress_size) for part in parts):
        raise HostileFile(name, "it would grow more than two hundredfold when unpacked")
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED:
        raise FileTooLarge(name, f"{unpacked:,} bytes unpacked", f"{MOST_UNPACKED:,}")
