"""Reads XML in pieces with the standard parser, refusing what a spreadsheet never has: entities and deep nesting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Any
from xml.parsers import expat

_PIECE = 1024 * 1024
_DEEPEST = 200
_LONGEST_TAG = 16 * 1024 * 1024

Attributes = Mapping[str, str]


class BadXml(Exception):
    """The XML is not well formed, or of a kind no spreadsheet program writes; the text says which."""


class Handler:
    """What to do at the start of an element, at its end, and with the text inside; names come without their prefix."""

    encoding: str | None = None

    def start(self, name: str, attributes: Attributes) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, text: str) -> None: ...


class SafeParser:
    """A parser that is fed pieces of a document and calls a handler."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._depth = 0
        self._fed = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = handler.text
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartDoctypeDeclHandler = _refuse_doctype

    def feed(self, piece: bytes, last: bool = False) -> None:
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            raise BadXml("its contents are damaged or cut short") from error
        self._fed += len(piece)
        if not last and self._fed - self._parser.CurrentByteIndex > _LONGEST_TAG + len(piece):
            raise BadXml("it holds an element of impossible length")

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        self._handler.encoding = encoding

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise BadXml("its elements are nested without end")
        self._handler.start(name.rpartition(":")[2], attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._handler.end(name.rpartition(":")[2])


def read_xml(stream: IO[bytes], handler: Handler) -> None:
    """Read a whole document."""
    parser = SafeParser(handler)
    while piece := stream.read(_PIECE):
        parser.feed(piece)
    parser.feed(b"", last=True)


def each_start(stream: IO[bytes], call: Callable[[str, Attributes], Any]) -> None:
    """Call with the name and attributes of every element of a document."""
    handler = _EachStart(call)
    read_xml(stream, handler)


class _EachStart(Handler):
    def __init__(self, call: Callable[[str, Attributes], Any]) -> None:
        self._call = call

    def start(self, name: str, attributes: Attributes) -> None:
        self._call(name, attributes)


def local(attributes: Attributes, name: str) -> str | None:
    """An attribute by its name without prefix (r:id, relationships differ in their prefix)."""
    return next((value for key, value in attributes.items() if key.rpartition(":")[2] == name), None)


def is_true(value: str | None) -> bool:
    return value in ("1", "true")


def _refuse_doctype(*_: object) -> None:
    raise BadXml("it declares a document type, through which small files grow without end")
