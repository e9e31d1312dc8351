"""The bytes of a text file as a parser wants them: UTF-8 in full blocks, without a mark, refused when not text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from workbench.data.layout import ENCODINGS
from workbench.data.readers.encoding import first_not_utf8
from workbench.errors import DataError, FileTooLarge, UnreadableFile

Open = Callable[[], BinaryIO]

LONGEST_RECORD = 16 * 1024 * 1024
_SAMPLE = 256 * 1024
_MARK = "\ufeff"
_TAIL = 64


@dataclass(frozen=True)
class TextSource:
    """A text file that can be opened from its beginning as often as needed."""

    name: str
    open: Open

    def start(self) -> bytes:
        """The beginning of the file: a sample, or as much as its first line needs."""
        with self.open() as file:
            start = file.read(_SAMPLE)
            if len(start) == _SAMPLE and not _ends_a_line(start):
                start += file.read(LONGEST_RECORD - _SAMPLE)
        if len(start) == LONGEST_RECORD and not _ends_a_line(start):
            raise FileTooLarge(self.name, "a line of more than 16 MB", "16 MB a line")
        return start

    def around_the_first_that_is_not_utf8(self) -> bytes:
        with self.open() as file:
            before = b""
            while chunk := file.read(_SAMPLE):
                if first_not_utf8(before + chunk) is not None:
                    return before + chunk
                before = chunk[-4:]  # a letter may be cut in two
        return b""


def sample_text(name: str, start: bytes, encoding: str) -> str:
    """The whole lines of a file's beginning."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(start).removeprefix(_MARK)
    except UnicodeDecodeError as error:
        raise wrong_encoding(name, encoding) from error
    if len(start) < _SAMPLE:
        return text
    return text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text


@dataclass
class Utf8Stream:
    """A file for Arrow: `skip` bytes are passed over, characters exchanged for stand-ins, lines mended by patterns."""

    source: TextSource
    file: BinaryIO
    encoding: str
    skip: int = 0
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    mends: Sequence[tuple[re.Pattern[bytes], bytes]] = ()
    tail: bytes = b""  # the last bytes read
    closed: bool = False

    def __post_init__(self) -> None:
        as_it_is = self.encoding == "utf-8" and not self.stand_ins and not self.mends
        self._chunks = None if as_it_is else self._mended()
        self._rest = b""
        self._at_start = True

    def read(self, size: int) -> bytes:
        """Exactly so many bytes, fewer only at the end: a block must be able to hold the longest record."""
        block = self._block(size)
        if self._at_start:
            block = block.removeprefix(codecs.BOM_UTF8)[self.skip :]
            self._at_start = False
        if b"\0" in block:
            raise UnreadableFile(
                self.source.name, "it has NUL characters, which text never has", "Export it again as text."
            )
        self.tail = block[-_TAIL:] or self.tail
        return block

    def close(self) -> None:
        self.closed = True

    def readable(self) -> bool:
        return True

    def _block(self, size: int) -> bytes:
        if self._chunks is None:
            return self.file.read(size)
        parts, length = [self._rest], len(self._rest)
        while length < size and (chunk := next(self._chunks, b"")):
            parts.append(chunk)
            length += len(chunk)
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]

    def _mended(self) -> Iterator[bytes]:
        """Whole lines with the patterns replaced; what follows the last line end waits for more."""
        if not self.mends:
            yield from self._exchanged()
            return
        rest = b""
        for chunk in self._exchanged():
            lines = rest + chunk
            end = max(lines.rfind(b"\n"), lines.rfind(b"\r")) + 1
            if len(lines) - end > LONGEST_RECORD:
                raise FileTooLarge(self.source.name, "a line of more than 16 MB", "16 MB a line")
            rest = lines[end:]
            yield from self._replaced(lines[:end])
        yield from self._replaced(rest)

    def _replaced(self, lines: bytes) -> Iterator[bytes]:
        for pattern, replacement in self.mends:
            lines = pattern.sub(replacement, lines)
        if lines:
            yield lines

    def _exchanged(self) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(self.encoding)()
        exchange = str.maketrans(dict(self.stand_ins))
        more = True
        while more:
            chunk = self.file.read(_SAMPLE)
            more = bool(chunk)
            try:
                text = decoder.decode(chunk, final=not more)
            except UnicodeDecodeError as error:
                raise wrong_encoding(self.source.name, self.encoding) from error
            if any(stand_in in text for stand_in in self.stand_ins.values()):
                raise UnreadableFile(self.source.name, "it has control characters where its delimiter should be")
            if text := text.translate(exchange) if exchange else text:
                yield text.encode()


def wrong_encoding(name: str, encoding: str) -> DataError:
    return UnreadableFile(name, f"its bytes are not {ENCODINGS[encoding]} text", "Choose another encoding.")


def _ends_a_line(start: bytes) -> bool:
    return b"\n" in start or b"\r" in start
