"""The sample data keeps its promises: the same bytes every time, the shapes it claims, any size in constant memory."""

from __future__ import annotations

import csv
import subprocess
import sys
import tomllib
import tracemalloc
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from workbench.sample_data import make_samples
from workbench.sample_data.make_samples import PORTION, SAMPLES, Sample

FOLDER = Path(make_samples.__file__).parent
BY_NAME = {sample.name: sample for sample in SAMPLES}
CELLS_RELEASED = {
    "lodes_jobs": 24 * 20 * 3,
    "university_employees": 8 * 4 * 10,
    "tract_mobility": 111,
    "graduate_earnings": 12 * 4 * 10,
}
PROTECTED = {
    "lodes_jobs": {"neighbors": "strong-alpha", "alpha": "0.1"},
    "university_employees": {"neighbors": "worker-history", "contribution": 5},
    "tract_mobility": {"neighbors": "worker", "contribution": 1},
    "graduate_earnings": {"neighbors": "worker-history", "contribution": 3},
}
Record = dict[str, Any]

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


@cache
def shipped(name: str) -> list[Record]:
    """The records of a shipped file, as a reader of that file sees them."""
    plan = plan_of(name)
    path = FOLDER / "plans" / plan["data"]["path"]
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    book = openpyxl.load_workbook(path, read_only=True)
    rows = book[plan["data"]["sheet"]].iter_rows(min_row=plan["data"].get("header_row", 1), values_only=True)
    header = next(rows)
    records = [dict(zip(header, row, strict=True)) for row in rows]
    book.close()
    return records


@cache
def plan_of(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / "plans" / f"{name}.toml").read_text(encoding="utf-8"))


def codes_of(plan: dict[str, Any], column: str, plans: Path = FOLDER / "plans") -> list[str]:
    with (plans / plan["columns"][column]["codes_file"]).open(encoding="utf-8", newline="") as file:
        return [row["code"] for row in csv.DictReader(file)]


def keys_of(plan: dict[str, Any]) -> list[str]:
    return [name for name, column in plan["columns"].items() if column["role"] == "key"]


def grouped(records: list[Record], by: str, value: str) -> dict[Any, list[Any]]:
    groups = defaultdict(list)
    for record in records:
        groups[record[by]].append(record[value])
    return groups


# --- The same bytes every time ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made_again")
    assert make_samples.main(["--out", str(folder)]) == 0
    return folder


def test_making_the_samples_again_gives_every_shipped_file_and_no_other(made_again: Path) -> None:
    made = {path.relative_to(made_again) for path in made_again.rglob("*") if path.is_file()}
    data = {path.relative_to(FOLDER) for pattern in ("*.csv", "*.xlsx", "codes/*") for path in FOLDER.glob(pattern)}
    assert made == data


def test_text_files_made_again_are_the_shipped_bytes(made_again: Path) -> None:
    for path in made_again.rglob("*.csv"):
        assert path.read_bytes() == (FOLDER / path.relative_to(made_again)).read_bytes(), path.name


def test_workbooks_made_again_have_the_shipped_parts_dates_and_properties(made_again: Path) -> None:
    for path in made_again.glob("*.xlsx"):
        assert parts(path) == parts(FOLDER / path.name), path.name


@pytest.mark.skipif("ng" in zlib.ZLIB_RUNTIME_VERSION, reason="zlib-ng compresses the same parts to other bytes")
def test_workbooks_made_again_are_the_shipped_bytes(made_again: Path) -> None:
    for path in made_again.glob("*.xlsx"):
        assert path.read_bytes() == (FOLDER / path.name).read_bytes(), path.name


def parts(path: Path) -> list[tuple[str, tuple[int, ...], bytes]]:
    with zipfile.ZipFile(path) as archive:
        return [(entry.filename, entry.date_time, archive.read(entry)) for entry in archive.infolist()]


def test_all_shipped_samples_stay_below_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 3_000_000


# --- Shapes -----------------------------------------------------------------------------------------------------------


@each_sample
def test_a_sample_has_the_promised_number_of_records(sample: Sample) -> None:
    assert len(shipped(sample.name)) == sample.rows


def test_establishments_have_from_one_to_over_a_thousand_jobs_and_most_are_small() -> None:
    sizes = sorted(Counter(job["employer"] for job in shipped("lodes_jobs")).values())
    assert len(sizes) == 1_500
    assert sizes[0] == 1
    assert sizes[-1] > 1_000
    assert sizes[len(sizes) // 2] < np.mean(sizes) / 3


@pytest.mark.parametrize(("column", "distinct"), [("place", 24), ("sector", 20), ("ownership", 3)])
def test_place_sector_and_ownership_belong_to_the_employer(column: str, distinct: int) -> None:
    values = grouped(shipped("lodes_jobs"), "employer", column)
    assert all(len(set(of_employer)) == 1 for of_employer in values.values())
    assert len({of_employer[0] for of_employer in values.values()}) == distinct


def test_private_public_administration_does_not_exist() -> None:
    ownership = grouped(shipped("lodes_jobs"), "sector", "ownership")
    assert set(ownership["92"]) == {"Federal", "State and local"}
    assert set(ownership["44-45"]) == {"Private"}


def test_job_numbers_are_all_different() -> None:
    assert len({job["job"] for job in shipped("lodes_jobs")}) == 20_000


def test_earnings_are_right_skewed_like_a_log_normal() -> None:
    logs = np.log([job["earnings"] for job in shipped("lodes_jobs")])
    assert abs(np.mean(logs) - np.median(logs)) < 0.1 * np.std(logs)
    assert 2_000 < np.exp(np.median(logs)) < 8_000


def test_people_appear_in_several_years_and_once_in_each() -> None:
    years = grouped(shipped("university_employees"), "person", "years_since_leaving")
    assert 1_400 < len(years) < 1_600
    assert sum(len(of_person) > 1 for of_person in years.values()) > 1_000
    assert all(of_person == list(range(1, len(of_person) + 1)) for of_person in years.values())
    assert max(len(of_person) for of_person in years.values()) == 10


@pytest.mark.parametrize(("column", "most"), [("university", 1), ("title", 1), ("sector", 4)])
def test_former_employees_keep_university_and_title_but_may_change_sector(column: str, most: int) -> None:
    values = grouped(shipped("university_employees"), "person", column)
    assert max(len(set(of_person)) for of_person in values.values()) == most


def test_the_university_workbook_has_a_title_and_a_note_above_its_header() -> None:
    book = openpyxl.load_workbook(FOLDER / "university_employees.xlsx", read_only=True)
    title, note, empty, header = book["employees"].iter_rows(max_row=4, values_only=True)
    book.close()
    assert isinstance(title[0], str)
    assert isinstance(note[0], str)
    assert not any(empty)
    assert header == ("person", "university", "title", "sector", "years_since_leaving", "earnings")


def test_tracts_hold_five_to_two_hundred_people() -> None:
    sizes = Counter(child["tract"] for child in shipped("tract_mobility")).values()
    assert len(sizes) == 111
    assert (min(sizes), max(sizes)) == (5, 200)


def test_ranks_lie_between_zero_and_one_and_children_rise_with_their_parents() -> None:
    children = shipped("tract_mobility")
    parent, child = (np.array([float(each[name]) for each in children]) for name in ("parent_rank", "child_rank"))
    for ranks in (parent, child):
        assert 0 <= ranks.min() < ranks.max() <= 1
    assert 0.2 < np.corrcoef(parent, child)[0, 1] < 0.5


def test_teen_births_are_flags_of_women_and_rarer_where_parents_rank_high() -> None:
    children = shipped("tract_mobility")
    assert {child["teen_birth"] for child in children} == {"0", "1"}
    assert {child["sex"] for child in children if child["teen_birth"] == "1"} == {"F"}
    parent_ranks: dict[str, list[float]] = {"0": [], "1": []}
    for child in children:
        if child["sex"] == "F":
            parent_ranks[child["teen_birth"]].append(float(child["parent_rank"]))
    assert np.mean(parent_ranks["1"]) < np.mean(parent_ranks["0"]) - 0.05


def test_leading_zeros_are_kept_in_state_county_and_tract() -> None:
    for child in shipped("tract_mobility"):
        assert [len(child[name]) for name in ("state", "county", "tract")] == [2, 3, 11]
        assert child["tract"].startswith(child["state"] + child["county"])
    assert {"02", "08"} < {child["state"] for child in shipped("tract_mobility")}


def test_graduates_are_seen_after_one_five_and_ten_years_in_order() -> None:
    years = grouped(shipped("graduate_earnings"), "person", "years_after")
    assert {tuple(of_person) for of_person in years.values()} == {("1",), ("1", "5"), ("1", "5", "10")}
    assert {"01", "03", "11", "51"} < {graduate["cip"] for graduate in shipped("graduate_earnings")}


def test_graduates_are_not_seen_later_than_their_cohort_has_lived() -> None:
    years = grouped(shipped("graduate_earnings"), "cohort", "years_after")
    assert set(years["2020"]) == {"1"}
    assert set(years["2016"]) == {"1", "5"}
    assert set(years["2012"]) == {"1", "5", "10"}


def test_community_colleges_award_associate_degrees_only() -> None:
    degrees = grouped(shipped("graduate_earnings"), "institution", "degree")
    assert set(degrees["000911"]) == {"Associate"}
    assert set(degrees["000921"]) == {"Associate", "Bachelor", "Master", "Doctoral"}


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("lodes_jobs", {"earnings"}), ("university_employees", {"years_since_leaving", "earnings"})],
)
def test_workbooks_store_codes_as_text_and_amounts_as_numbers(name: str, numbers: set[str]) -> None:
    for record in shipped(name):
        types = {column: type(value) for column, value in record.items()}
        assert types == {column: int if column in numbers else str for column in record}


# --- Plans and code lists ---------------------------------------------------------------------------------------------


@each_sample
def test_every_code_in_the_data_is_in_its_code_list(sample: Sample) -> None:
    plan = plan_of(sample.name)
    for column in keys_of(plan):
        used = {str(record[column]) for record in shipped(sample.name)}
        assert used <= set(codes_of(plan, column)), column


@each_sample
def test_code_lists_name_each_code_once_with_a_label(sample: Sample) -> None:
    for name in sample.codes(sample.rows):
        with (FOLDER / "codes" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert header == ["code", "label"]
        assert len({code for code, _ in rows}) == len(rows) > 0
        assert all(label.strip() for _, label in rows)


@each_sample
def test_a_plan_declares_columns_the_data_has(sample: Sample) -> None:
    assert set(plan_of(sample.name)["columns"]) <= set(shipped(sample.name)[0])


@each_sample
def test_a_plan_releases_counts_for_the_promised_cells_under_the_promised_protection(sample: Sample) -> None:
    plan = plan_of(sample.name)
    (table,) = plan["tables"]
    assert plan["protect"] == PROTECTED[sample.name]
    assert [statistic["kind"] for statistic in table["statistics"]] == ["count"]
    assert prod(len(codes_of(plan, key)) for key in table["keys"]) == CELLS_RELEASED[sample.name]


@each_sample
def test_a_plan_bounds_every_measure_without_looking_at_the_data(sample: Sample) -> None:
    measures = [column for column in plan_of(sample.name)["columns"].values() if column["role"] == "measure"]
    assert measures
    assert all({"lower", "upper"} < set(each) and each["bounds_source"] == "policy" for each in measures)


def test_plans_name_their_data_sets_differently_in_the_ledger() -> None:
    assert len({plan_of(sample.name)["data"]["name"] for sample in SAMPLES}) == len(SAMPLES)


# --- Any size ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("larger")
    assert make_samples.main(["--rows", "200,000", "--out", str(folder)]) == 0
    return folder


@each_sample
def test_streaming_writes_exactly_the_rows_asked_for_with_text_codes(sample: Sample, larger: Path) -> None:
    table = pq.read_table(larger / f"{sample.name}.parquet")
    assert table.num_rows == 200_000
    measures = {"earnings", "parent_rank", "child_rank", "teen_birth", "years_since_leaving"}
    assert all(table.schema.field(name).type == pa.string() for name in table.column_names if name not in measures)


@each_sample
def test_a_larger_sample_comes_with_a_plan_and_codes_that_fit_it(sample: Sample, larger: Path) -> None:
    plan = tomllib.loads((larger / "plans" / f"{sample.name}.toml").read_text(encoding="utf-8"))
    assert plan["data"]["name"] == f"{plan_of(sample.name)['data']['name']}, 200000 records"
    table = pq.read_table((larger / "plans" / plan["data"]["path"]).resolve())
    for column in keys_of(plan):
        used = {str(value) for value in table[column].unique().to_pylist()}
        assert used <= set(codes_of(plan, column, larger / "plans")), column


def test_larger_files_keep_the_shapes_of_people_tracts_and_employers(larger: Path) -> None:
    jobs = pq.read_table(larger / "lodes_jobs.parquet", columns=["employer", "place"])
    employers = len(jobs["employer"].unique())
    assert employers == make_samples.EMPLOYERS.at(200_000)
    assert jobs.group_by(["employer", "place"]).aggregate([]).num_rows == employers
    sizes = pq.read_table(larger / "tract_mobility.parquet", columns=["tract"])["tract"].value_counts().field("counts")
    assert 5 <= min(sizes.to_pylist()) <= max(sizes.to_pylist()) <= 200
    people = pq.read_table(larger / "university_employees.parquet", columns=["person", "years_since_leaving"])
    assert people.group_by(["person", "years_since_leaving"]).aggregate([]).num_rows == 200_000


def test_csv_of_any_size_keeps_leading_zeros(tmp_path: Path) -> None:
    make_samples.main(["--rows", "1000", "--only", "tract_mobility", "--format", "csv", "--out", str(tmp_path)])
    with (tmp_path / "tract_mobility.csv").open(encoding="utf-8", newline="") as file:
        children = list(csv.DictReader(file))
    assert len(children) == 1_000
    assert {child["state"] for child in children} == {"02"}
    assert [path.name for path in tmp_path.glob("*.*")] == ["tract_mobility.csv"]


def test_eleven_million_jobs_have_527000_employers_and_2500_places() -> None:
    assert make_samples.EMPLOYERS.at(11_000_000) == 527_000
    assert len(make_samples.places(11_000_000)) == len(make_samples.places(90_000_000)) == 2_500


@each_sample
def test_records_come_in_portions_and_the_next_is_made_only_when_asked_for(sample: Sample) -> None:
    stream = sample.chunks(50 * PORTION)
    assert isinstance(stream, Iterator)
    assert [lengths(columns) for columns in islice(stream, 2)] == [{PORTION}, {PORTION}]


@each_sample
def test_the_last_portion_is_what_is_left(sample: Sample) -> None:
    assert [lengths(columns) for columns in sample.chunks(2 * PORTION + 7)] == [{PORTION}, {PORTION}, {7}]


def lengths(columns: make_samples.Columns) -> set[int]:
    return {len(column) for column in columns.values()}


@pytest.mark.parametrize("name", ["university_employees", "graduate_earnings"])
def test_memory_does_not_grow_with_the_rows(name: str, tmp_path: Path) -> None:
    few, many = (peak_memory(BY_NAME[name], portions * PORTION, tmp_path) for portions in (3, 12))
    assert many < 1.2 * few


def peak_memory(sample: Sample, rows: int, folder: Path) -> int:
    """The most bytes held at once by Python, numpy and Arrow while a file of so many rows is written."""
    usual = pa.default_memory_pool()
    counted = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(counted)
    tracemalloc.start()
    try:
        make_samples.write_parquet(folder / "peak.parquet", sample.chunks(rows))
        return tracemalloc.get_traced_memory()[1] + int(counted.max_memory())
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(usual)


@pytest.mark.parametrize(
    ("total", "least", "most"), [(1_000, 1, float("inf")), (1_000, 5, 200), (100, 10, 10), (1_999, 1, 200)]
)
def test_apportioned_sizes_add_up_and_keep_their_limits(total: int, least: int, most: float) -> None:
    weights = np.array([0.01, 0.5, 1, 1.5, 2, 3, 5, 8, 13, 400])
    sizes = make_samples.apportion(total, weights, least, most)
    assert sizes.sum() == total
    assert least <= sizes.min() <= sizes.max() <= most
    assert list(sizes) == sorted(sizes)


# --- Command line -----------------------------------------------------------------------------------------------------


def test_help_explains_every_option() -> None:
    script = FOLDER / "make_samples.py"
    told = subprocess.run([sys.executable, str(script), "--help"], capture_output=True, text=True, check=True).stdout
    assert all(option in told for option in ("--rows", "--only", "--out", "--format", "byte for byte", "streamed"))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--rows", "12"], "at least 1,000"),
        (["--rows", "many"], "--rows"),
        (["--format", "csv"], "--format needs --rows"),
        (["--only", "payroll"], "--only"),
    ],
)
def test_wrong_usage_is_refused_with_a_reason(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        make_samples.main(arguments)
    assert refused.value.code == 2
    assert reason in capsys.readouterr().err


def test_rows_without_a_folder_leave_the_shipped_samples_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    make_samples.main(["--rows", "1_000", "--only", "graduate_earnings"])
    assert capsys.readouterr().out.strip() == str(Path("samples_1000", "graduate_earnings.parquet"))
    assert pq.read_metadata(tmp_path / "samples_1000" / "graduate_earnings.parquet").num_rows == 1_000
