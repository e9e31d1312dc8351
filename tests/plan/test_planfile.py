"""The plan file: read, written and hashed exactly; every problem at once, each with its line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.data.layout import KEYS, Decimal, Hidden, Layout, Meaning
from workbench.errors import MissingFile, NotAFile, PlanError
from workbench.plan.neighbors import Employer, StrongAlpha, Worker, WorkerHistory
from workbench.plan.planfile import plan_digest, plan_text, read_plan, write_plan

Write = Callable[..., Path]


@pytest.mark.parametrize("name", ["graduate_earnings", "lodes_jobs", "tract_mobility", "university_employees"])
def test_sample_plans_come_back_the_same(name: str, sample_plan: Callable[[str], Path], tmp_path: Path) -> None:
    plan, problems = read_plan(sample_plan(name))
    assert problems == ()
    write_plan(plan, tmp_path / "again.toml")
    again, problems = read_plan(tmp_path / "again.toml")
    assert problems == ()
    assert plan_digest(again) == plan_digest(plan)
    assert [table.totals for table in again.tables] == [table.totals for table in plan.tables]


@pytest.mark.parametrize(
    ("protect", "expected"),
    [
        ('neighbors = "worker"', Worker()),
        ('neighbors = "worker-history"\ncontribution = 3', WorkerHistory(3)),
        ('neighbors = "employer"\nsize_cap = 500', Employer(500)),
        ('neighbors = "strong-alpha"\nalpha = "0.1"', StrongAlpha(Fraction(1, 10))),
        ('neighbors = "strong-alpha"\nalpha = "0.1"\nstrict = true', StrongAlpha(Fraction(1, 10), strict=True)),
    ],
)
def test_every_protection_is_read_and_written(
    small_plan: Write, tmp_path: Path, protect: str, expected: object
) -> None:
    plan, problems = read_plan(small_plan(('neighbors = "worker"', protect)))
    assert (problems, plan.neighbors) == ((), expected)
    write_plan(plan, tmp_path / "again.toml")
    assert read_plan(tmp_path / "again.toml")[0].neighbors == expected


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('title = "Jobs in two places"', "title = 7", 2, "must be text"),
        ("format = 1", "format = 1\ncolour = 3", 2, "not a key of the plan file"),
        ('role = "key"\ncodes = ["11", "31-33"]', 'role = "kee"\ncodes = ["11"]', 11, "Choose one of: key"),
        ('"001", "003", "005"', '"001", "003", "001"', 9, "listed twice"),
        ('codes = ["11", "31-33"]', 'codes_file = "none.csv"', 12, "cannot be read"),
        ('epsilon = "1"', "epsilon = 0.1", 16, "decimal text"),
        ('epsilon = "1"', 'epsilon = "abc"', 16, "not a number"),
        ('margins = "all"', "margins = 2", 20, "cannot be understood"),
        ('kind = "count"', 'kind = "cuont"', 22, "not known"),
        ('kind = "count"', 'kind = "count"\n  share = "0"', 23, "above 0"),
        ('neighbors = "worker"', 'neighbors = "worker"\nalpha = "0.1"', 15, "no meaning"),
        ('neighbors = "worker"', 'neighbors = "worker"\ncontribution = 2', 15, "counts once"),
        ('path = "jobs.csv"', 'url = "postgresql://x"', 4, "reads files"),
        ('unit = "jobs"', "header_rows = 7", 6, "of at least 1 and at most 6"),
        ('unit = "jobs"', "header_row = 4\nlast_row = 4", 7, "of at least 5"),
        ('unit = "jobs"', 'encoding = "klingon"', 6, "Choose one of: utf-8"),
        ('unit = "jobs"', 'delimiter = ";;"', 6, "one character"),
        ('unit = "jobs"', 'quote = "\\n"', 6, "one character"),
        ('unit = "jobs"', 'delimiter = "|"\nquote = "|"', 7, "also the delimiter"),
        ('unit = "jobs"', 'decimal = ";"', 6, "not known"),
        ('unit = "jobs"', 'hidden = "maybe"', 6, "Choose one of: refuse, keep, leave-out"),
        ('unit = "jobs"', '[data.markers]\n"(D)" = "gone"', 7, "Choose one of: missing, suppressed, keep"),
        ('unit = "jobs"', "[data.markers]\nX = 7", 7, "must be text"),
    ],
)
def test_a_problem_names_its_line_and_remedy(small_plan: Write, old: str, new: str, line: int, words: str) -> None:
    _, problems = read_plan(small_plan((old, new)))
    told = [problem for problem in problems if words in problem.sentence]
    assert len(told) == 1
    assert f"line {line}," in told[0].where
    assert told[0].remedy


LAYOUT = Layout(
    sheet="jobs", header_row=3, header_rows=2, last_row=900, encoding="windows-1252", delimiter=";", quote="",
    decimal=Decimal.COMMA, hidden=Hidden.LEAVE_OUT,
    markers=(("(D)", Meaning.SUPPRESSED), ("*", Meaning.KEEP), ("n.a.", Meaning.MISSING), ("–", Meaning.SUPPRESSED)),
)  # fmt: skip


@pytest.mark.parametrize("layout", [Layout(), LAYOUT, replace(LAYOUT, delimiter="\t", quote='"', header_row=None)])
def test_how_the_file_is_read_comes_back_the_same(small_plan: Write, tmp_path: Path, layout: Layout) -> None:
    plan, _ = read_plan(small_plan())
    write_plan(replace(plan, data=replace(plan.data, layout=layout)), tmp_path / "again.toml")
    again, problems = read_plan(tmp_path / "again.toml")
    assert (again.data.layout, problems) == (layout, ())


def test_what_is_not_chosen_is_not_written(small_plan: Write) -> None:
    plan, _ = read_plan(small_plan())
    assert plan.data.layout == Layout()
    assert "hidden" not in plan_text(plan, Path()) and "markers" not in plan_text(plan, Path())


@pytest.mark.parametrize("key", KEYS)
def test_the_digest_sees_every_choice_about_reading(small_plan: Write, key: str) -> None:
    plan, _ = read_plan(small_plan())
    chosen = replace(Layout(), **{key: getattr(LAYOUT, key)})
    assert plan_digest(replace(plan, data=replace(plan.data, layout=chosen))) != plan_digest(plan)


def test_bounds_taken_from_the_data_are_refused(small_plan: Write) -> None:
    pay = '[columns.pay]\nrole = "measure"\nlower = "0"\nupper = "9"\nbounds_source = "data"\n[protect]'
    plan, (problem,) = read_plan(small_plan(("[protect]", pay)))
    assert "refused" in problem.what
    column = plan.column("pay")
    assert column is not None and column.bounds_source is None


def test_all_problems_are_reported_at_once(small_plan: Write) -> None:
    path = small_plan(("format = 1", "format = 1\nx = 1\ny = 2"), ('epsilon = "1"', 'epsilon = ""'))
    assert len(read_plan(path)[1]) == 3


def test_files_that_are_no_plans(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("title = \n")
    (tmp_path / "newer.toml").write_text("format = 99\n")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for name, words in (("bad.toml", "line 1"), ("newer.toml", "newer workbench"), ("binary.toml", "not UTF-8")):
        with pytest.raises(PlanError, match=words):
            read_plan(tmp_path / name)
    with pytest.raises(MissingFile):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(NotAFile):
        read_plan(tmp_path)


def test_the_digest_sees_every_decision_but_not_the_place(small_plan: Write, tmp_path: Path) -> None:
    plan, _ = read_plan(small_plan())
    moved = replace(plan, data=replace(plan.data, path=tmp_path / "elsewhere" / "jobs.csv"))
    costlier = replace(plan, budget=replace(plan.budget, epsilon=Fraction(2)))
    other_codes, _ = read_plan(small_plan(('"005"', '"007"')))
    assert plan_digest(moved) == plan_digest(plan)
    assert len({plan_digest(plan), plan_digest(costlier), plan_digest(other_codes)}) == 3
