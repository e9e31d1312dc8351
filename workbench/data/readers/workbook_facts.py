"""Puts together what was learned about a workbook while reading one of its sheets."""

from __future__ import annotations

from workbench.data.findings import Finding, Severity, Stage
from workbench.data.readers.grid_writer import GridWriter
from workbench.data.readers.reading import Reading
from workbench.data.readers.tally import Tally

_MACROS = ("macros-ignored", "The workbook contains macros; they are not run and change nothing here.")
_LINKS = ("links-ignored", "The workbook refers to other workbooks; the values saved in this one are used.")
_1904 = ("dates-1904", "The workbook counts its dates from 1904; they are read accordingly.")


def reading(sheet: str, writer: GridWriter, tally: Tally, is_1904: bool, macros: bool, links: bool) -> Reading:
    """The reading of a sheet that is in the grid; hidden rows and columns beyond it do not matter."""
    facts = ((macros, _MACROS), (links, _LINKS), (is_1904, _1904))
    return Reading(
        sheet=sheet,
        hidden_rows=tuple(row for row in tally.hidden_rows if row <= writer.height),
        hidden_columns=tuple(sorted(column for column in tally.hidden_columns if column < writer.width)),
        merges=tuple(tally.merges),
        error_cells=tally.error_cells(),
        formulas_without_value=tally.without_value.places(),
        percent_columns=tally.percent_columns(),
        number_cells=tally.number_cells(writer.width),
        findings=tuple(_note(sheet, *words) for applies, words in facts if applies),
    )


def _note(sheet: str, check: str, what: str) -> Finding:
    return Finding(check, Severity.NOTE, Stage.DATA, sheet, what)
