"""What an xlsx workbook says outside its sheets: their names and order, shared strings, number formats, links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from workbench.data.readers.cell_text import unescaped
from workbench.data.readers.number_formats import Shown, shown
from workbench.data.readers.package import Package
from workbench.data.readers.reading import Sheet, Visibility
from workbench.data.readers.safe_xml import Attributes, Handler, each_start, is_true, local, read_xml
from workbench.errors import FileTooLarge, UnreadableFile

_MOST_SHARED = 1024**3
_STATES = {"hidden": Visibility.HIDDEN, "veryHidden": Visibility.VERY_HIDDEN}
_PLAIN_STRING = re.compile(rb'<si><t(?: xml:space="preserve")?>([^<&]*)</t></si>')


@dataclass(frozen=True)
class Book:
    """The workbook part: sheets with cells in their order and where each is, the date system, what else is there."""

    sheets: tuple[Sheet, ...]
    parts: tuple[str, ...]
    is_1904: bool
    macros: bool
    links: bool
    strings: str | None
    styles: str | None

    def part(self, sheet: str) -> str:
        return next(part for known, part in zip(self.sheets, self.parts, strict=True) if known.name == sheet)


@dataclass(frozen=True)
class Relation:
    """One part that another refers to."""

    kind: str
    target: str


class _WorkbookPart(Handler):
    def __init__(self) -> None:
        self.is_1904 = False
        self.sheets: list[tuple[Sheet, str]] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "workbookPr" and "date1904" in attributes:  # extensions have an element of this name too
            self.is_1904 = is_true(attributes["date1904"])
        elif name == "sheet":
            state = _STATES.get(attributes.get("state", ""), Visibility.VISIBLE)
            self.sheets.append((Sheet(attributes.get("name", ""), state), local(attributes, "id") or ""))


def read_book(package: Package) -> Book:
    """The workbook part with its relations, whichever of the two dialects of the standard it is written in."""
    main = main_part(package)
    relations = relations_of(package, main)
    workbook = _WorkbookPart()
    with package.open(main) as stream:
        read_xml(stream, workbook)
    cells = [
        (sheet, relations[key].target)
        for sheet, key in workbook.sheets
        if key in relations and relations[key].kind == "worksheet" and relations[key].target in package
    ]
    kinds = {relation.kind: relation.target for relation in relations.values()}
    return Book(
        sheets=tuple(sheet for sheet, _ in cells), parts=tuple(part for _, part in cells), is_1904=workbook.is_1904,
        macros="vbaProject" in kinds, links="externalLink" in kinds,
        strings=kinds.get("sharedStrings"), styles=kinds.get("styles"),
    )  # fmt: skip


def relations_of(package: Package, part: str) -> dict[str, Relation]:
    """The relations of a part by their key."""
    folder, name = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{name}.rels")
    relations: dict[str, Relation] = {}

    def add(element: str, attributes: Attributes) -> None:
        if element == "Relationship" and attributes.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", ""))).lstrip("/")
            relations[attributes.get("Id", "")] = Relation(attributes.get("Type", "").rpartition("/")[2], target)

    if rels in package:
        with package.open(rels) as stream:
            each_start(stream, add)
    return relations


def number_formats(package: Package, part: str | None) -> tuple[Shown, ...]:
    """How each cell style shows a number, by the style's number."""
    if part is None or part not in package:
        return ()
    styles = _Styles()
    with package.open(part) as stream:
        read_xml(stream, styles)
    return tuple(shown(number, styles.codes.get(number)) for number in styles.used)


def shared_strings(package: Package, part: str | None) -> Sequence[str]:
    """The texts that cells refer to by number."""
    if part is None or part not in package:
        return ()
    if package.size(part) > _MOST_SHARED:
        raise FileTooLarge(package.name, f"{package.size(part):,} bytes of shared text", f"{_MOST_SHARED:,}")
    with package.open(part) as stream:
        whole = stream.read()
    quick = _quick_strings(whole)
    if quick is not None:
        return quick
    with package.open(part) as stream:
        return _strings(stream)


class _Styles(Handler):
    def __init__(self) -> None:
        self.codes: dict[int, str] = {}
        self.used: list[int] = []
        self._within = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "numFmt":
            self.codes[int(attributes.get("numFmtId", 0))] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            self._within = True
        elif name == "xf" and self._within:
            self.used.append(int(attributes.get("numFmtId", 0)))

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._within = False


class TextOfRuns(Handler):
    """Joins the runs of a rich text; phonetic hints are not part of it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] = []
        self._in_text = False
        self._hint = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._hint += 1
        self._in_text = name == "t" and not self._hint

    def end(self, name: str) -> None:
        if name == "si":
            self.texts.append(unescaped("".join(self._pieces)))
        elif name == "rPh":
            self._hint -= 1
        self._in_text = False

    def text(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)


def _strings(stream: IO[bytes]) -> list[str]:
    runs = TextOfRuns()
    read_xml(stream, runs)
    return runs.texts


def _quick_strings(whole: bytes) -> list[str] | None:
    """The texts when all are plain, as nearly always; None when the parser must decide."""
    found = _PLAIN_STRING.findall(whole)
    elements = 2 * len(found) + 1
    is_plain = whole.count(b"</") == elements and not any(mark in whole for mark in (b"<!", b"_x", b"\r", b"\0"))
    if not is_plain or not _is_utf8(whole):
        return None
    try:
        return [text.decode() for text in found]
    except UnicodeDecodeError:
        return None


def _is_utf8(whole: bytes) -> bool:
    declared = re.match(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*encoding=["']([^"']*)""", whole[:200])
    return declared is None or declared[1].lower() in (b"utf-8", b"us-ascii")


def main_part(package: Package) -> str:
    """The part that lists the sheets."""
    for relation in relations_of(package, "").values():
        if relation.kind == "officeDocument" and relation.target in package:
            return relation.target
    for usual in ("xl/workbook.xml", "xl/workbook.bin"):
        if usual in package:
            return usual
    raise UnreadableFile(package.name, "it is a package without a workbook")
