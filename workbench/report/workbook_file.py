"""The finished workbook file: openpyxl's layout with the tables' rows put in, and nothing that a clock decides."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path

from openpyxl import Workbook
from openpyxl.packaging.extended import ExtendedProperties
from openpyxl.xml.constants import ARC_APP, ARC_CORE
from openpyxl.xml.functions import tostring

# The earliest moment a zip archive can hold; every workbook carries it, so that equal contents give equal bytes.
FIXED_TIME = datetime(1980, 1, 1)

_DIMENSION = re.compile(rb'<dimension ref="[^"]*"')
_AFTER_ROWS = b"</sheetData>"
_BEFORE_TABLE = b"<tableParts"


@dataclass(frozen=True)
class Body:
    """The rows of a table below its heading row."""

    ref: str  # the whole sheet's used range
    codes: str  # the text cells, where a spreadsheet would warn of numbers stored as text
    rows: Iterable[bytes]


def save_workbook(workbook: Workbook, path: Path, bodies: Mapping[str, Body]) -> None:
    """Write the file; `bodies` are the rows to put in, by sheet name."""
    with zipfile.ZipFile(path, "w") as finished, zipfile.ZipFile(_laid_out(workbook)) as layout:
        parts = {sheet.path.lstrip("/"): bodies[sheet.title] for sheet in workbook if sheet.title in bodies}
        for name in layout.namelist():
            with finished.open(_fixed(name), "w", force_zip64=True) as part:
                for chunk in _part(layout, name, parts.get(name), workbook):
                    part.write(chunk)


def _laid_out(workbook: Workbook) -> BytesIO:
    layout = BytesIO()
    workbook.save(layout)
    return layout


def _fixed(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, FIXED_TIME.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 0
    entry.external_attr = 0
    return entry


def _part(layout: zipfile.ZipFile, name: str, body: Body | None, workbook: Workbook) -> Iterable[bytes]:
    if name == ARC_CORE:
        workbook.properties.created = workbook.properties.modified = FIXED_TIME
        return [tostring(workbook.properties.to_tree())]
    if name == ARC_APP:
        return [tostring(ExtendedProperties(Application=workbook.properties.creator, AppVersion="1.0").to_tree())]
    content = layout.read(name)
    return _with_body(content, body) if body else [content]


def _with_body(sheet: bytes, body: Body) -> Iterable[bytes]:
    above, below = _DIMENSION.sub(b'<dimension ref="%s"' % body.ref.encode(), sheet).split(_AFTER_ROWS)
    quiet = b'<ignoredErrors><ignoredError sqref="%s" numberStoredAsText="1"/></ignoredErrors>' % body.codes.encode()
    yield above
    yield from body.rows
    yield _AFTER_ROWS + below.replace(_BEFORE_TABLE, quiet + _BEFORE_TABLE)
