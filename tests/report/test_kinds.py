"""Every writer with every kind of release: what may not be published is nowhere, and what is published holds."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from made_releases import (
    KINDS,
    LARGEST,
    count_by,
    drawn,
    establishment_plan,
    many_places,
    measure_plan,
    sum_by,
    true_cells,
)
from openpyxl import load_workbook

from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import ReleasePlan
from workbench.privacy.composition import allotments
from workbench.privacy.mechanisms import OFFERS
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
from workbench.privacy.mechanisms.smooth import FollowsLargest
from workbench.progress import Silent
from workbench.release.checks import review
from workbench.release.release import Mode, Release
from workbench.report import html_report
from workbench.report.bundle import write_bundle
from workbench.report.dsse import STATEMENT_FILE, open_envelope
from workbench.report.keys import demo_key
from workbench.report.margin_chart import figure_rows, has_figure
from workbench.report.tables import shown_columns, write_noisy_measurements, write_tables
from workbench.report.verify import verify_bundle
from workbench.report.workbook import sheet_names

SMOOTH = [name for name in KINDS if name.startswith(("smooth", "joint"))]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Release, Path]]:
    """The public folder of every kind."""
    folder = tmp_path_factory.mktemp("kinds")
    return {name: (release := drawn(plan, Mode.REHEARSAL), bundle(release, folder / name.replace(" ", "-")))
            for name, plan in KINDS.items()}  # fmt: skip


def bundle(release: Release, folder: Path) -> Path:
    return write_bundle(release, folder, [demo_key()], plan_text="", checks=review([]), progress=Silent())


def readable(public: Path) -> dict[str, str]:
    """Every public file as text, the workbook part by part, the signed statement opened, pictures and keys left out."""
    found = {path.name: path.read_bytes() for path in public.iterdir() if path.suffix != ".xlsx"}
    del found["public_keys.json"]
    found[STATEMENT_FILE] = open_envelope(found[STATEMENT_FILE]).payload
    found["report.html"] = re.sub(rb"base64,[^\"]*|<style>.*</style>", b"", found["report.html"], flags=re.DOTALL)
    with zipfile.ZipFile(next(public.glob("*.xlsx"))) as workbook:
        found |= {name: workbook.read(name) for name in workbook.namelist() if "sheet" in name}
    return {name: content.decode("utf-8") for name, content in found.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_bundle_of_every_kind_is_written_and_verifies(kind: str, bundles: dict[str, tuple[Release, Path]]) -> None:
    assert verify_bundle(bundles[kind][1]).is_verified


@pytest.mark.parametrize("kind", KINDS)
def test_no_file_says_none_or_nan(kind: str, bundles: dict[str, tuple[Release, Path]]) -> None:
    for name, text in readable(bundles[kind][1]).items():
        # “None” begins some sentences; a value that is missing stands alone or in brackets.
        assert not re.search(r"\bnan\b|\binf\b|Fraction\(|None[,)\]<\"]|± None|StrongAlpha|array\(", text), name
        assert "{{" not in text and "{%" not in text, name


@pytest.mark.parametrize("kind", KINDS)
def test_margins_and_limits_stand_where_they_are_public_and_nowhere_else(
    kind: str, bundles: dict[str, tuple[Release, Path]]
) -> None:
    release, public = bundles[kind]
    book = load_workbook(next(public.glob("*.xlsx")))
    facts = json.loads((public / "report.json").read_bytes())["tables"]
    for table, fact, sheet in zip(release.tables, facts, sheet_names(release), strict=True):
        with (public / fact["file"]).open(encoding="utf-8", newline="") as file:
            names = next(csv.reader(file))
        headings = [cell.value for cell in book[sheet][4]]
        assert ("margin_95" in names) is (table.margin is not None) is (fact["margin_95"] is not None)
        has_limits = table.limits is not None
        assert {"lower_95", "upper_95"} <= set(names) if has_limits else not {"lower_95", "upper_95"} & set(names)
        assert ("Lower 95 %" in headings) is ("Upper 95 %" in headings) is has_limits
        assert fact["limits_published"] is has_limits is (fact["why_no_limits"] is None)
        assert has_limits or "Neither a margin nor limits are printed" in book[sheet]["A2"].value


@pytest.mark.parametrize("kind", SMOOTH)
def test_neither_a_scale_nor_a_size_of_an_establishment_is_in_any_file(
    kind: str, bundles: dict[str, tuple[Release, Path]], tmp_path: Path
) -> None:
    release, public = bundles[kind]
    secrets = secrets_of(KINDS[kind])
    assert {name: found for name, text in readable(public).items() if (found := told(text, secrets))} == {}
    leaking = bundle(replace(release, looked_at=f"A scale of {min(secrets):,.1f}."), tmp_path / "leaking")
    assert {"report.html", "report.json"} <= {name for name, text in readable(leaking).items() if told(text, secrets)}


def told(text: str, secrets: set[float]) -> set[float]:
    """The secrets that a number of the text is within a thousandth of."""
    numbers = [float(number.replace(",", "")) for number in re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?", text)]
    return {secret for secret in secrets if any(abs(number - secret) < secret / 1000 for number in numbers)}


def secrets_of(plan: ReleasePlan) -> set[float]:
    """The sizes of the largest establishments, S and k·S of each cell, in steps and in units."""
    assert isinstance(plan.neighbors, StrongAlpha)
    bounds = [float(plan.neighbors.alpha * size + plan.neighbors.strict) for size in LARGEST]
    found = {*map(float, LARGEST), *bounds}
    for part in allotments(plan):
        mechanism = part.mechanism.each if isinstance(part.mechanism, CellByCell) else part.mechanism
        if isinstance(mechanism, FollowsLargest):
            assert part.brief is not None
            scales = mechanism.scale(np.array(LARGEST)).tolist()
            found |= {*scales, *(scale * float(part.brief.step) for scale in scales)}
    return found


LIMITED = {
    "geometric": count_by(),
    "laplace on cents": sum_by("laplace"),
    "log-laplace": count_by("log-laplace"),
    "log-laplace plain": count_by("log-laplace-plain"),
    "log-gaussian": count_by("log-gaussian"),
}


@pytest.mark.parametrize("kind", LIMITED)
def test_limits_as_written_hold_the_true_numbers_in_their_share_of_cells(kind: str, tmp_path: Path) -> None:
    """Of 20,000 cells 95 % are 19,000; the standard deviation of that number is 31."""
    statistic = LIMITED[kind]
    if kind.startswith("log"):
        plan = establishment_plan(statistic, delta="0.000001" if "gaussian" in kind else "0")
    else:
        plan = measure_plan("0", "5000", statistic)
    plan = many_places(plan, 10_000)
    plan = replace(plan, tables=(replace(plan.tables[0], totals=()),))
    path, *_ = write_tables(drawn(plan), tmp_path)
    cells = true_cells(plan, plan.tables[0])
    true = cells.sums["pay"] / 100 if statistic.measure else cells.counts
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lower, upper = (np.array([float(row[name]) for row in rows]) for name in ("lower_95", "upper_95"))
    held = int(((lower <= true) & (true <= upper)).sum())
    assert held >= 19_000 - 5 * 31
    # Where nobody is, showing 0 brings the number nearer to the truth; whole numbers round limits outwards.
    assert held <= 19_900


@pytest.mark.parametrize(
    ("kind", "step", "places"),
    [("sum", "1", 0), ("sum of cents", "0.01", 2), ("sum of tiny", "0.0000001", 7), ("smooth sum", "0.1", 1)],
)
def test_sums_have_the_places_of_their_step_in_every_file(
    kind: str, step: str, places: int, bundles: dict[str, tuple[Release, Path]]
) -> None:
    release, public = bundles[kind]
    table, fact, sheet = next(
        found
        for found in zip(
            release.tables,
            json.loads((public / "report.json").read_bytes())["tables"],
            sheet_names(release),
            strict=True,
        )
        if found[0].statistic == "sum"
    )
    assert fact["step"] == step and table.decimals == places
    with (public / fact["file"]).open(encoding="utf-8", newline="") as file:
        texts = [row["sum_of_pay"] for row in csv.DictReader(file)]
    expected = [Fraction(int(steps)) * Fraction(step) for steps in table.published]
    assert [Fraction(text) for text in texts] == expected
    assert all(len(text.partition(".")[2]) == places for text in texts if "E" not in text)
    column = next(
        cell.column for cell in load_workbook(next(public.glob("*.xlsx")))[sheet][4] if cell.value == "Sum of pay"
    )
    cells = [row[column - 1] for row in load_workbook(next(public.glob("*.xlsx")))[sheet].iter_rows(min_row=5)]
    assert [cell.value for cell in cells] == [float(value) for value in expected]
    assert {cell.number_format for cell in cells} == {f"0.{'0' * places}".rstrip(".")}


def test_noisy_measurements_of_sums_can_be_computed_again_from_their_steps(tmp_path: Path) -> None:
    release = drawn(KINDS["signed sum"])
    with write_noisy_measurements(release, tmp_path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(Fraction(row["value"]) == int(row["steps"]) * Fraction(row["step"]) for row in rows)
    assert {(row["statistic"], row["measure"], row["step"]) for row in rows} == {
        ("count", "", "1"),
        ("sum", "pay", "0.01"),
    }
    drawn_numbers = [int(value) for table in release.noisy_tables for value in table.raw]
    assert [int(row["steps"]) for row in rows] == drawn_numbers
    assert min(drawn_numbers) < 0


def test_noisy_measurements_say_delta_and_rho_where_there_are_any(tmp_path: Path) -> None:
    with write_noisy_measurements(drawn(KINDS["gaussian"]), tmp_path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["mechanism"], row["delta"], bool(row["rho"])) for row in rows} == {
        ("gaussian", "0.0000005", True),
        ("geometric", "0", False),
    }


def test_a_sum_that_can_be_negative_is_shown_so_and_its_mark_asks_for_the_sign() -> None:
    table = next(table for table in drawn(KINDS["signed sum"]).tables if table.statistic == "sum")
    number, _, lower, upper, note = shown_columns(table)[-5:]
    assert min(number.values) < 0
    for value, low, high, mark in zip(number.values, lower.values, upper.values, note.values, strict=True):
        assert (mark == "[low]") is (low < 0 < high), value


def test_a_count_with_limits_in_proportion_is_low_where_it_cannot_be_told_from_none() -> None:
    number, lower, _, note = shown_columns(drawn(KINDS["log-laplace"]).tables[0])[-4:]
    assert [mark == "[low]" for mark in note.values] == [limit == 0 for limit in lower.values]
    assert 0 < sum(mark == "[low]" for mark in note.values) < len(number.values)


@pytest.mark.parametrize("kind", KINDS)
def test_the_figure_lists_numbers_with_the_limits_the_table_gives_them(kind: str) -> None:
    table = drawn(KINDS[kind]).tables[0]
    assert has_figure(table) is (table.limits is not None)
    if table.limits is None:
        return
    rows = figure_rows(table)
    assert len(rows) >= 3 and [row.published for row in rows] == sorted({row.published for row in rows})
    if table.margin is None:
        given = set(zip(*(each.tolist() for each in (table.published, *table.limits)), strict=True))
        assert {tuple(row) for row in rows} <= given
    else:
        assert all(row.upper - row.published == table.margin for row in rows)


def test_there_is_no_figure_where_no_number_is_above_zero() -> None:
    table = drawn(KINDS["log-laplace"]).tables[0]
    empty = replace(table, raw=np.zeros_like(table.raw), limits=(np.zeros_like(table.raw), np.full_like(table.raw, 2)))
    assert not has_figure(empty)


@pytest.mark.parametrize(("mode", "kind"), list(product(Mode, ("log-laplace", "sum of cents", "joint-t"))))
def test_the_same_draw_gives_the_same_bytes(mode: Mode, kind: str, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        release = drawn(KINDS[kind], mode)
        write_tables(release, tmp_path / folder)
        write_noisy_measurements(release, tmp_path / folder)
    first, second = ({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("a", "b"))
    assert first == second


def test_every_mechanism_a_plan_can_name_is_known_to_the_report() -> None:
    assert {offer.method_sheet for offer in OFFERS} <= set(html_report._FAMILIES)
