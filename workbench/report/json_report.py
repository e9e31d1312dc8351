"""The report for machines: the facts of the HTML page as JSON, with every amount of budget as exact text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from workbench.data.schema import Column, Role
from workbench.plan.amounts import exact_text
from workbench.plan.neighbors import Neighbors, StrongAlpha
from workbench.release.checks import CheckResult
from workbench.release.release import PublishedTable, Release
from workbench.report import guarantee_words, odds_words, words
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
        "post_processing": list(
            dict.fromkeys(note for table in release.tables for note in _after_noise(release, table))
        ),
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
    chances = odds_words.odds(release.guarantee)
    say = (odds_words.noise_sentence, odds_words.odds_sentence, odds_words.wrong_sentence)
    return {
        "sentences": [sentence(release) for sentence in say],
        "right_at_most": chances.right,
        "of": chances.of,
        "guesses": [_guess(guess) for guess in odds_words.guesses(release)],
    }


def _guess(guess: odds_words.Guess) -> dict[str, object]:
    is_useful = guess.odds.is_useful
    return {
        "about": guess.about,
        "steps": guess.steps,
        "epsilon": exact_text(guess.epsilon),
        "right_at_most": guess.odds.right if is_useful else None,
        "of": guess.odds.of if is_useful else None,
        "sentence": guess.sentence,
    }


def _guarantee(release: Release) -> dict[str, object]:
    guarantee, neighbors = release.guarantee, release.neighbors
    return {
        "claim": str(guarantee.claim),
        "protects": neighbors.name,
        "unit_of_privacy": neighbors.summary,
        "neighbours": neighbors.statement,
        "contribution_bound": guarantee_words.contribution_sentence(neighbors),
        **_size_requirement(neighbors),
        "epsilon": exact_text(guarantee.epsilon),
        "delta": exact_text(guarantee.delta),
        "rho": _optional(guarantee.rho),
        "epsilon_two_steps": exact_text(2 * guarantee.epsilon),
        "conversion": guarantee_words.conversion(release),
        "composition": release.composition,
    }


def _size_requirement(neighbors: Neighbors) -> dict[str, object]:
    if not isinstance(neighbors, StrongAlpha):
        return {}
    return {"alpha": exact_text(neighbors.alpha), "reading": "strict" if neighbors.strict else "definition"}


def _optional(amount: Fraction | None) -> str | None:
    return None if amount is None else exact_text(amount)


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
        "lower": _optional(column.lower),
        "upper": _optional(column.upper),
        "bounds_source": str(column.bounds_source) if has_bounds and column.bounds_source else None,
    }


def _after_noise(release: Release, table: PublishedTable) -> tuple[str, ...]:
    return tuple(note for note in words.notes_on(release, table) if note != words.NOISE_NOTE)


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
        "step": None if words.is_count(table) else exact_text(table.step),
        "mechanism": table.mechanism,
        "noise": table.scale_words,
        "sensitivity": table.sensitivity_words,
        "bias": table.bias_words or "none",
        "claim": str(table.guarantee.claim),
        "epsilon": "0" if table.is_total else exact_text(table.epsilon),
        "delta": "0" if table.is_total else exact_text(table.guarantee.delta),
        "rho": None if table.is_total else _optional(table.guarantee.rho),
        "margin_95": _margin(table),
        "limits_published": table.limits is not None,
        "why_no_limits": words.why_no_limits(table) or None,
        "low": words.low_meaning(table) or None,
        "is_never_negative": table.is_never_negative,
        "added_up_from": source.name if table.is_total else None,
        "noisy_numbers_in_each": source.grid.size // table.grid.size,
        "file": file,
        "sheet": sheet,
    }


def _margin(table: PublishedTable) -> int | float | None:
    return None if table.margin is None else table.in_units(np.array([table.margin], dtype=np.int64))[0]


def _signer(signer: PublicKey) -> dict[str, str]:
    return {"name": signer.name, "fingerprint": signer.fingerprint, "key_id": signer.key_id}
