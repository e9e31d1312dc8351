"""The report for machines: the facts of the HTML page as JSON, with every amount of budget as exact text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.data.schema import Column, Role
from workbench.plan.amounts import exact_text
from workbench.release.checks import CheckResult
from workbench.release.release import PublishedTable, Release
from workbench.report import words
from workbench.report.keys import PublicKey
from workbench.report.tables import table_files
from workbench.report.workbook import sheet_names

JSON_FILE = "report.json"

_FORMAT = 1


def json_report(
    release: Release, signers: Sequence[PublicKey], checks: Sequence[CheckResult], files: Mapping[str, str]
) -> dict[str, object]:
    """The public facts, in the order of the report's sections; `files` are the digests of the files beside it."""
    return {
        "format": _FORMAT,
        "release": _identity(release),
        "in_plain_words": _plain_words(release),
        "guarantee": _guarantee(release),
        "budget": _budget(release),
        "not_protected": {"invariants": [], "structural_zeros": [], "leaves_open": release.neighbors.leaves_open},
        "data": {
            "name": release.dataset,
            "columns": [_column(column) for column in release.columns if column.role is not Role.IGNORE],
        },
        "tables": [
            _table(release, table, file, sheet)
            for table, file, sheet in zip(release.tables, table_files(release), sheet_names(release), strict=True)
        ],
        "looked_at": release.looked_at,
        "post_processing": list(words.NOTES[1:]),
        "checks": sorted(result.check.id for result in checks),
        "waivers": [],
        "signed": words.signed_sentence(signers),
        "signers": [_signer(signer) for signer in signers],
        "files": dict(files),
    }


def _identity(release: Release) -> dict[str, object]:
    return {
        "id": release.id,
        "title": release.title,
        "mode": str(release.mode),
        "notice": words.REHEARSAL_SENTENCE if release.is_rehearsal else "",
        "drawn_at": None if release.is_rehearsal else release.drawn_at,
        "plan_sha256": release.plan_sha256,
        "numbers": release.numbers,
    }


def _plain_words(release: Release) -> dict[str, object]:
    chances = words.odds(release.guarantee)
    return {
        "sentences": [words.noise_sentence(release), words.odds_sentence(release), words.wrong_sentence(release)],
        "right_at_most": chances.right,
        "of": chances.of,
    }


def _guarantee(release: Release) -> dict[str, object]:
    guarantee, neighbors = release.guarantee, release.neighbors
    return {
        "claim": str(guarantee.claim),
        "protects": neighbors.name,
        "unit_of_privacy": neighbors.summary,
        "neighbours": neighbors.statement,
        "contribution_bound": words.contribution_sentence(neighbors),
        "epsilon": exact_text(guarantee.epsilon),
        "delta": exact_text(guarantee.delta),
        "epsilon_two_steps": exact_text(2 * guarantee.epsilon),
        "conversion": "none",
        "composition": release.composition,
    }


def _budget(release: Release) -> dict[str, object]:
    charge = release.charge
    if charge is None:
        return {"spent": "0", "draws": 0, "account": None, "ledger_head": None}
    return {
        "spent": exact_text(charge.after - charge.before),
        "draws": 1,
        "account": charge.account,
        "spent_before": exact_text(charge.before),
        "spent_after": exact_text(charge.after),
        "allowance": exact_text(charge.cap),
        "remaining": exact_text(charge.cap - charge.after),
        "ledger_head": {"entry": charge.entry, "hash": charge.head},
    }


def _column(column: Column) -> dict[str, object]:
    has_bounds = column.lower is not None and column.upper is not None
    return {
        "name": column.name,
        "role": str(column.role),
        "codes": len(column.codes) if column.codes else None,
        "codes_source": column.codes.source if column.codes else None,
        "unlisted": str(column.unlisted) if column.codes else None,
        "lower": exact_text(column.lower) if column.lower is not None else None,
        "upper": exact_text(column.upper) if column.upper is not None else None,
        "bounds_source": str(column.bounds_source) if has_bounds and column.bounds_source else None,
    }


def _table(release: Release, table: PublishedTable, file: str, sheet: str) -> dict[str, object]:
    source = words.source_of(release, table)
    return {
        "number": words.numbered(release, table),
        "name": table.name,
        "title": table.title,
        "statistic": table.statistic,
        "unit": table.unit,
        "keys": list(table.grid.keys),
        "cells": table.grid.size,
        "mechanism": table.mechanism,
        "noise": table.scale_words,
        "epsilon": "0" if table.is_total else exact_text(table.epsilon),
        "margin_95": table.margin,
        "added_up_from": table.added_up_from or None,
        "noisy_numbers_in_each": source.grid.size // table.grid.size,
        "file": file,
        "sheet": sheet,
    }


def _signer(signer: PublicKey) -> dict[str, str]:
    return {"name": signer.name, "fingerprint": signer.fingerprint, "key_id": signer.key_id}
