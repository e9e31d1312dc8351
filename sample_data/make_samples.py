"""Fabricates the sample data sets and their code lists from a seed, at the size shipped or at any other.

Every record is fictitious. Without --rows the files beside this script are written again, byte for byte the same;
with --rows a data set of any length is streamed to Parquet or CSV, one portion in memory at a time, together with
its code lists and a plan that releases it. The plans under plans/ are written by hand.

Place and state names are public geography. Codes have the shape of the official ones and serve no other purpose.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from openpyxl import Workbook
from openpyxl.writer.excel import ExcelWriter

SEED = 2025
PORTION = 65_536  # records made, and held in memory, at a time
FEWEST_ROWS = 1_000
HERE = Path(__file__).resolve().parent

Numbers = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
Columns = dict[str, pa.Array]


@dataclass(frozen=True)
class Category:
    """One code of a public code list, and how the fabricated records use it."""

    code: str
    label: str
    share: float = 1.0  # of the records, relative to the other categories
    pay: float = 1.0  # typical earnings, relative or in dollars


Categories = Sequence[Category]


# --- Code lists -------------------------------------------------------------------------------------------------------

SECTORS = (  # pay: typical dollars a month
    Category("11", "Agriculture, forestry, fishing and hunting", 3, 3_400),
    Category("21", "Mining, quarrying, and oil and gas extraction", 2, 8_600),
    Category("22", "Utilities", 1, 7_000),
    Category("23", "Construction", 10, 5_200),
    Category("31-33", "Manufacturing", 4, 4_300),
    Category("42", "Wholesale trade", 4, 4_900),
    Category("44-45", "Retail trade", 13, 2_700),
    Category("48-49", "Transportation and warehousing", 6, 4_600),
    Category("51", "Information", 2, 5_100),
    Category("52", "Finance and insurance", 4, 5_000),
    Category("53", "Real estate and rental and leasing", 4, 3_500),
    Category("54", "Professional, scientific, and technical services", 9, 5_600),
    Category("55", "Management of companies and enterprises", 1, 6_900),
    Category("56", "Administrative and support and waste management services", 5, 3_300),
    Category("61", "Educational services", 3, 4_100),
    Category("62", "Health care and social assistance", 10, 4_400),
    Category("71", "Arts, entertainment, and recreation", 2, 2_100),
    Category("72", "Accommodation and food services", 9, 2_000),
    Category("81", "Other services (except public administration)", 7, 2_900),
    Category("92", "Public administration", 3, 5_300),
)
OWNERSHIP = (
    Category("Private", "Private"),
    Category("Federal", "Federal"),
    Category("State and local", "State and local"),
)
# Private, Federal, State and local; a sector not named here is all private, and a zero is a combination that cannot be.
OWNERSHIP_OF_SECTOR = {
    "22": (0.60, 0.00, 0.40),
    "48-49": (0.80, 0.12, 0.08),
    "54": (0.98, 0.02, 0.00),
    "61": (0.35, 0.00, 0.65),
    "62": (0.90, 0.04, 0.06),
    "71": (0.85, 0.03, 0.12),
    "92": (0.00, 0.30, 0.70),
}
SEX = (Category("F", "Female", 0.48, 0.9), Category("M", "Male", 0.52, 1.05))
AGE_GROUPS = (
    Category("14-21", "14 to 21 years", 0.09, 0.5),
    Category("22-24", "22 to 24 years", 0.07, 0.7),
    Category("25-34", "25 to 34 years", 0.24, 0.95),
    Category("35-44", "35 to 44 years", 0.22, 1.1),
    Category("45-54", "45 to 54 years", 0.18, 1.2),
    Category("55-64", "55 to 64 years", 0.15, 1.15),
    Category("65-99", "65 years and over", 0.05, 0.8),
)
YOUNGEST_WITH_EDUCATION = 2  # position in AGE_GROUPS; education is not recorded for those younger
RACE = (
    Category("A1", "White alone", 0.66),
    Category("A2", "Black or African American alone", 0.05),
    Category("A3", "American Indian or Alaska Native alone", 0.14),
    Category("A4", "Asian alone", 0.08),
    Category("A5", "Native Hawaiian or other Pacific Islander alone", 0.02),
    Category("A7", "Two or more races", 0.05),
)
EDUCATION = (
    Category("E1", "Less than high school", 0.09, 0.75),
    Category("E2", "High school or equivalent, no college", 0.28, 0.88),
    Category("E3", "Some college or associate degree", 0.34, 1.0),
    Category("E4", "Bachelor's degree or advanced degree", 0.29, 1.4),
    Category("E5", "Not available (workers aged 24 or younger)", 0.0, 0.9),
)
NAMED_PLACES = (
    ("0203000", "Anchorage"),
    ("0224230", "Fairbanks"),
    ("0236400", "Juneau"),
    ("0283080", "Wasilla"),
    ("0238970", "Ketchikan"),
    ("0270540", "Sitka"),
    ("0238420", "Kenai"),
    ("0240950", "Kodiak"),
    ("0206520", "Bethel"),
    ("0258660", "Palmer"),
    ("0271640", "Soldotna"),
    ("0233140", "Homer"),
    ("0280770", "Unalaska"),
    ("0205200", "Utqiagvik"),
    ("0282200", "Valdez"),
    ("0254920", "Nome"),
    ("0241830", "Kotzebue"),
    ("0260310", "Petersburg"),
    ("0268560", "Seward"),
    ("0286380", "Wrangell"),
    ("0218950", "Dillingham"),
    ("0217410", "Cordova"),
    ("0255910", "North Pole"),
    ("0217740", "Craig"),
)
UNIVERSITIES = (
    Category("U01", "Aurora Bay University", 0.22, 1.06),
    Category("U02", "Lantern Hill State University", 0.18),
    Category("U03", "Copper Mesa Institute of Technology", 0.15, 1.12),
    Category("U04", "University of the Seven Lakes", 0.13),
    Category("U05", "Driftwood Valley University", 0.11, 0.96),
    Category("U06", "Old Granite College", 0.09, 0.94),
    Category("U07", "Windmere Polytechnic", 0.07, 1.04),
    Category("U08", "Saltgrass Coast University", 0.05, 0.9),
)
TITLES = (  # pay: typical dollars in the first year after leaving
    Category("Faculty", "Faculty", 0.06, 88_000),
    Category("Graduate student", "Graduate student", 0.34, 61_000),
    Category("Postdoctoral researcher", "Postdoctoral researcher", 0.11, 72_000),
    Category("Research staff", "Research staff, technicians and facilitators", 0.21, 55_000),
    Category("Undergraduate student", "Undergraduate student", 0.28, 39_000),
)
EMPLOYMENT_SECTORS = (
    Category("Academia", "Colleges and universities", 0.27, 0.9),
    Category("Government", "Federal, state and local government", 0.12, 0.97),
    Category("Industry", "Private firms", 0.49, 1.12),
    Category("Nonprofit", "Nonprofit organizations", 0.12, 0.88),
)
YEARS_FOLLOWED = (0.18, 0.17, 0.15, 0.12, 0.10, 0.08, 0.07, 0.05, 0.04, 0.04)  # share of people seen for 1 ... 10 years
YEARS_SINCE_LEAVING = tuple(
    Category(str(year), f"Year {year} after leaving", share, 1.05 ** (year - 1))
    for year, share in enumerate(YEARS_FOLLOWED, start=1)
)
STATES = (
    ("02", "Alaska"),
    ("08", "Colorado"),
    ("55", "Wisconsin"),
    ("01", "Alabama"),
    ("04", "Arizona"),
    ("05", "Arkansas"),
    ("06", "California"),
    ("09", "Connecticut"),
    ("36", "New York"),
    ("48", "Texas"),
)
INSTITUTIONS = (
    Category("000911", "Tidewrack Community College", 0.08, 0.93),
    Category("000912", "Pinecone County College", 0.06, 0.91),
    Category("000913", "Two Rivers Technical College", 0.05, 0.95),
    Category("000921", "Mirror Lake State University", 0.15),
    Category("000922", "Redcliff State University", 0.13, 0.98),
    Category("000923", "Harrow Plains State University", 0.11, 0.96),
    Category("000924", "University of Quartz Island", 0.12, 1.05),
    Category("000925", "Foxglove University", 0.09, 1.03),
    Category("000931", "Tallgrass Institute of Technology", 0.08, 1.15),
    Category("000932", "Beacon Fell College", 0.05, 0.99),
    Category("000933", "Marlow Heath University", 0.05, 1.08),
    Category("000934", "Snowgoose College", 0.03, 0.92),
)
COMMUNITY_COLLEGES = 3  # the first of INSTITUTIONS; they award nothing beyond the associate degree
DEGREES = (
    Category("Associate", "Associate degree", 0.06, 0.75),
    Category("Bachelor", "Bachelor's degree", 0.62, 1.0),
    Category("Master", "Master's degree", 0.24, 1.3),
    Category("Doctoral", "Doctoral degree", 0.08, 1.55),
)
CIP = (  # pay: typical dollars one year after a bachelor's degree
    Category("01", "Agriculture", 0.05, 37_000),
    Category("03", "Natural resources and conservation", 0.04, 34_000),
    Category("11", "Computer and information sciences", 0.11, 59_000),
    Category("13", "Education", 0.11, 39_000),
    Category("14", "Engineering", 0.12, 63_000),
    Category("26", "Biological and biomedical sciences", 0.09, 35_000),
    Category("42", "Psychology", 0.08, 33_000),
    Category("45", "Social sciences", 0.10, 37_000),
    Category("51", "Health professions", 0.14, 52_000),
    Category("52", "Business, management and marketing", 0.16, 46_000),
)
COHORTS = (
    Category("2004", "Graduated 2004 to 2007", 0.18),
    Category("2008", "Graduated 2008 to 2011", 0.20),
    Category("2012", "Graduated 2012 to 2015", 0.21),
    Category("2016", "Graduated 2016 to 2019", 0.21),
    Category("2020", "Graduated 2020 to 2023", 0.20),
)
RECORDS_POSSIBLE = np.array([3, 3, 3, 2, 1])  # how many of YEARS_AFTER each cohort has lived through
YEARS_AFTER = (
    Category("1", "1 year after graduation", 0.2, 1.0),
    Category("5", "5 years after graduation", 0.3, 1.35),
    Category("10", "10 years after graduation", 0.5, 1.75),
)


@dataclass(frozen=True)
class Growth:
    """How a number of units grows with the length of a file: the power law through two known (rows, units)."""

    small: tuple[int, int]
    large: tuple[int, int]

    def at(self, rows: int) -> int:
        (small_rows, small), (large_rows, large) = self.small, self.large
        power = math.log(large / small) / math.log(large_rows / small_rows)
        return round(small * math.pow(rows / small_rows, power))


EMPLOYERS = Growth(small=(20_000, 1_500), large=(11_000_000, 527_000))
PLACES = Growth(small=(20_000, len(NAMED_PLACES)), large=(11_000_000, 2_500))


def places(rows: int) -> Categories:
    """The named places, and as many numbered ones as a file of this length has; the n-th has 1/n of the first."""
    count = min(max(PLACES.at(rows), len(NAMED_PLACES)), PLACES.large[1])
    numbered_places = ((f"02{90_000 + n}", f"Place {n}") for n in range(len(NAMED_PLACES) + 1, count + 1))
    named = chain(NAMED_PLACES, numbered_places)
    return tuple(Category(code, label, 1 / rank) for rank, (code, label) in enumerate(named, start=1))


def tracts(rows: int) -> Categories:
    """Tracts of about 81 people: 11-digit codes of state, county and tract."""
    count = rows // 81
    states = STATES[: max(count // 37, 1)]
    per_state = math.ceil(count / len(states))
    per_county = max(10, math.ceil(per_state / 500))
    return tuple(_tract(*states[n // per_state], *divmod(n % per_state, per_county)) for n in range(count))


def _tract(state: str, name: str, county: int, tract: int) -> Category:
    county_code = f"{2 * county + 1:03d}"
    return Category(f"{state}{county_code}{tract + 1:04d}00", f"{name}, county {county_code}, tract {tract + 1}")


def lodes_codes(rows: int) -> Mapping[str, Categories]:
    return {
        "places": places(rows),
        "naics_sectors": SECTORS,
        "ownership": OWNERSHIP,
        "sex": SEX,
        "age_groups": AGE_GROUPS,
        "race": RACE,
        "education": EDUCATION,
    }


def university_codes(rows: int) -> Mapping[str, Categories]:
    return {
        "universities": UNIVERSITIES,
        "titles": TITLES,
        "employment_sectors": EMPLOYMENT_SECTORS,
        "years_since_leaving": YEARS_SINCE_LEAVING,
    }


def tract_codes(rows: int) -> Mapping[str, Categories]:
    all_tracts = tracts(rows)
    states = {tract.code[:2] for tract in all_tracts}
    counties = sorted({tract.code[2:5] for tract in all_tracts})
    return {
        "states": tuple(Category(code, name) for code, name in STATES if code in states),
        "counties": tuple(Category(code, f"County {code}") for code in counties),
        "tracts": all_tracts,
        "race": RACE,
        "sex": SEX,
    }


def graduate_codes(rows: int) -> Mapping[str, Categories]:
    return {
        "institutions": INSTITUTIONS,
        "degrees": DEGREES,
        "cip": CIP,
        "cohorts": COHORTS,
        "years_after": YEARS_AFTER,
    }


# --- Drawing ----------------------------------------------------------------------------------------------------------
# Only uniform and normal numbers are taken from the generator: they are its steadiest streams from version to version.


def draw(rng: np.random.Generator, categories: Categories, count: int) -> Index:
    """Positions in a code list, each category as often as its share says."""
    upper: Numbers = np.cumsum([category.share for category in categories])
    positions: Index = np.searchsorted(upper, rng.random(count) * upper[-1], side="right")
    return positions


def draw_within(rng: np.random.Generator, shares: npt.ArrayLike, group: Index) -> Index:
    """Positions drawn with the shares of each record's own group; `shares` has a row per group."""
    upper: Numbers = np.cumsum(shares, axis=1)[:, :-1]
    positions: Index = np.sum(rng.random(len(group))[:, None] >= upper[group], axis=1)
    return positions


def coded(categories: Categories, positions: Index) -> pa.Array:
    return pa.array([category.code for category in categories], pa.string()).take(pa.array(positions))


def numbered(prefix: str, numbers: Index, width: int) -> pa.Array:
    """Identifiers such as J00000017."""
    digits = pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, padding="0")
    return pc.binary_join_element_wise(prefix, digits, "")


def pay(categories: Categories, positions: Index) -> Numbers:
    return np.array([category.pay for category in categories], dtype=float)[positions]


def log_normal(rng: np.random.Generator, spread: float, count: int) -> Numbers:
    return np.exp(spread * rng.standard_normal(count))


def dollars(amounts: Numbers) -> pa.Array:
    return pa.array(np.rint(amounts).astype(np.int64))


def rank(values: Numbers) -> Numbers:
    """Values kept between 0 and 1, to four places."""
    kept: Numbers = np.clip(values, 0.0, 1.0)
    return np.round(kept, 4)


def apportion(total: int, weights: Numbers, least: int, most: float = math.inf) -> Index:
    """Whole sizes between `least` and `most`, nearly proportional to the weights, that add up to the total exactly."""
    low, high = 0.0, total / weights.min()
    for _ in range(100):
        middle = (low + high) / 2
        too_much = np.clip(weights * middle, least, most).sum() > total
        low, high = (low, middle) if too_much else (middle, high)
    exact = np.clip(weights * low, least, most)
    sizes = np.floor(exact).astype(np.int64)
    largest_remainders = np.argsort(sizes - exact, kind="stable")[: total - sizes.sum()]
    sizes[largest_remainders] += 1
    return sizes


def portions(rows: int) -> Iterator[Index]:
    """The record numbers 0 ... rows - 1, a portion at a time."""
    for first in range(0, rows, PORTION):
        yield np.arange(first, min(first + PORTION, rows))


def holders(sizes: Index, records: Index) -> Index:
    """Which unit holds each record, when units of these sizes stand one after the other."""
    return np.searchsorted(np.cumsum(sizes), records, side="right")


def histories(lengths: Index, count: int) -> tuple[Index, Index]:
    """The first `count` records of people with so many records each: whose each is, and which of theirs."""
    person = np.repeat(np.arange(len(lengths)), lengths)[:count]
    first = np.cumsum(lengths) - lengths
    return person, np.arange(count) - first[person]


# --- Data sets --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Establishments:
    """The employers of a jobs file: place, sector and ownership belong to them, not to the job."""

    sizes: Index
    place: Index
    sector: Index
    ownership: Index


def establishments(rng: np.random.Generator, rows: int) -> Establishments:
    count = EMPLOYERS.at(rows)
    all_private = (1, 0, 0)
    ownership_shares = [OWNERSHIP_OF_SECTOR.get(each.code, all_private) for each in SECTORS]
    sector = draw(rng, SECTORS, count)
    ownership = draw_within(rng, ownership_shares, sector)
    typical_size = np.where(ownership == 0, 1, 2)  # public bodies are larger
    return Establishments(
        sizes=apportion(rows, typical_size * log_normal(rng, 1.9, count), least=1),
        place=draw(rng, places(rows), count),
        sector=sector,
        ownership=ownership,
    )


def lodes_jobs(rng: np.random.Generator, rows: int) -> Iterator[Columns]:
    """Jobs at establishments of very unequal size, in the shape of linked employer-employee data."""
    frame, all_places = establishments(rng, rows), places(rows)
    for job in portions(rows):
        count = len(job)
        employer = holders(frame.sizes, job)
        sector = frame.sector[employer]
        sex, age, race = draw(rng, SEX, count), draw(rng, AGE_GROUPS, count), draw(rng, RACE, count)
        not_available = len(EDUCATION) - 1
        education = np.where(age < YOUNGEST_WITH_EDUCATION, not_available, draw(rng, EDUCATION, count))
        typical = pay(SECTORS, sector) * pay(SEX, sex) * pay(AGE_GROUPS, age) * pay(EDUCATION, education)
        yield {
            "job": numbered("J", job + 1, 8),
            "employer": numbered("E", employer + 1, 7),
            "place": coded(all_places, frame.place[employer]),
            "sector": coded(SECTORS, sector),
            "ownership": coded(OWNERSHIP, frame.ownership[employer]),
            "sex": coded(SEX, sex),
            "age_group": coded(AGE_GROUPS, age),
            "race": coded(RACE, race),
            "education": coded(EDUCATION, education),
            "earnings": dollars(typical * log_normal(rng, 0.5, count)),
        }


def university_employees(rng: np.random.Generator, rows: int) -> Iterator[Columns]:
    """People followed for one to ten years after they left a university: where they work and what they earn."""
    people_before = 0
    for portion in portions(rows):
        count = len(portion)
        person, year = histories(1 + draw(rng, YEARS_SINCE_LEAVING, count), count)
        people = person[-1] + 1
        university, title = draw(rng, UNIVERSITIES, people)[person], draw(rng, TITLES, people)[person]
        first_sector = draw(rng, EMPLOYMENT_SECTORS, people)[person]
        stays = rng.random(count) < 0.85
        sector = np.where(stays, first_sector, draw(rng, EMPLOYMENT_SECTORS, count))
        typical = pay(UNIVERSITIES, university) * pay(TITLES, title) * pay(EMPLOYMENT_SECTORS, sector)
        luck = log_normal(rng, 0.4, people)[person] * log_normal(rng, 0.1, count)
        yield {
            "person": numbered("P", people_before + person + 1, 8),
            "university": coded(UNIVERSITIES, university),
            "title": coded(TITLES, title),
            "sector": coded(EMPLOYMENT_SECTORS, sector),
            "years_since_leaving": pa.array(year + 1),
            "earnings": dollars(typical * pay(YEARS_SINCE_LEAVING, year) * luck),
        }
        people_before += people


def tract_mobility(rng: np.random.Generator, rows: int) -> Iterator[Columns]:
    """Children who grew up in a tract: their parents' income rank, their own, and births in the teenage years."""
    all_tracts = tracts(rows)
    count_of_tracts = len(all_tracts)
    sizes = apportion(rows, log_normal(rng, 1.0, count_of_tracts), least=5, most=200)
    prosperity = 0.5 + 0.12 * rng.standard_normal(count_of_tracts)
    opportunity = 0.47 + 0.06 * rng.standard_normal(count_of_tracts)
    slope = 0.33 + 0.12 * rng.standard_normal(count_of_tracts)
    for child in portions(rows):
        count = len(child)
        home = holders(sizes, child)
        sex, race = draw(rng, SEX, count), draw(rng, RACE, count)
        parent = rank(prosperity[home] + 0.22 * rng.standard_normal(count))
        own = rank(opportunity[home] + slope[home] * (parent - 0.5) + 0.24 * rng.standard_normal(count))
        woman = sex == 0
        teen_birth = woman & (rng.random(count) < 0.3 - 0.28 * parent)
        tract = coded(all_tracts, home)
        yield {
            "state": pc.utf8_slice_codeunits(tract, 0, 2),
            "county": pc.utf8_slice_codeunits(tract, 2, 5),
            "tract": tract,
            "race": coded(RACE, race),
            "sex": coded(SEX, sex),
            "parent_rank": pa.array(parent),
            "child_rank": pa.array(own),
            "teen_birth": pa.array(teen_birth.astype(np.int64)),
        }


def graduate_earnings(rng: np.random.Generator, rows: int) -> Iterator[Columns]:
    """Graduates by institution, degree and field, with their earnings one, five and ten years later."""
    degree_shares = [each.share for each in DEGREES]
    associate_only = [1.0, 0.0, 0.0, 0.0]
    shares = [associate_only if n < COMMUNITY_COLLEGES else degree_shares for n in range(len(INSTITUTIONS))]
    people_before = 0
    for portion in portions(rows):
        count = len(portion)
        cohort_of_person = draw(rng, COHORTS, count)
        followed = np.minimum(1 + draw(rng, YEARS_AFTER, count), RECORDS_POSSIBLE[cohort_of_person])
        person, year = histories(followed, count)
        people = person[-1] + 1
        school = draw(rng, INSTITUTIONS, people)
        degree, institution = draw_within(rng, shares, school)[person], school[person]
        cip = draw(rng, CIP, people)[person]
        typical = pay(INSTITUTIONS, institution) * pay(DEGREES, degree) * pay(CIP, cip) * pay(YEARS_AFTER, year)
        luck = log_normal(rng, 0.4, people)[person] * log_normal(rng, 0.15, count)
        yield {
            "person": numbered("G", people_before + person + 1, 8),
            "institution": coded(INSTITUTIONS, institution),
            "degree": coded(DEGREES, degree),
            "cip": coded(CIP, cip),
            "cohort": coded(COHORTS, cohort_of_person[person]),
            "years_after": coded(YEARS_AFTER, year),
            "earnings": dollars(typical * luck),
        }
        people_before += people


# --- Writing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """How a data set looks as a workbook: the name of its sheet and the lines above its header."""

    name: str
    above: tuple[str, ...] = ()


def write_xlsx(sheet: Sheet, path: Path, chunks: Iterable[Columns]) -> None:
    book = Workbook(write_only=True)
    book.properties.creator = "Release Workbench sample data"
    book.properties.created = book.properties.modified = datetime(2025, 1, 1)
    page = book.create_sheet(sheet.name)
    for line in sheet.above:
        page.append([line] if line else [])
    for row in _rows(chunks):
        page.append(row)
    archive = io.BytesIO()
    # Workbook.save would stamp the present moment into the properties.
    ExcelWriter(book, zipfile.ZipFile(archive, "w")).save()
    _pack_without_time(archive, path)


def _pack_without_time(archive: io.BytesIO, path: Path) -> None:
    """The same parts in the same order, with nothing in the zip that depends on the day or the system."""
    with zipfile.ZipFile(archive) as parts, zipfile.ZipFile(path, "w") as packed:
        for name in parts.namelist():
            entry = zipfile.ZipInfo(name, date_time=(2025, 1, 1, 0, 0, 0))
            entry.create_system = 3
            packed.writestr(entry, parts.read(name), zipfile.ZIP_DEFLATED, compresslevel=9)


def write_csv(path: Path, chunks: Iterable[Columns]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(_rows(chunks))


def _rows(chunks: Iterable[Columns]) -> Iterator[Sequence[object]]:
    """The header, then every record."""
    for number, columns in enumerate(chunks):
        if number == 0:
            yield list(columns)
        yield from zip(*(column.to_pylist() for column in columns.values()), strict=True)


def write_parquet(path: Path, chunks: Iterable[Columns]) -> None:
    tables = (pa.table(columns) for columns in chunks)
    first = next(tables)
    with pq.ParquetWriter(path, first.schema) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def write_codes(folder: Path, lists: Mapping[str, Categories]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, categories in lists.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["code", "label"])
            writer.writerows([each.code, each.label] for each in categories)


def larger_plan(plan: str, data_file: str, rows: int) -> str:
    """A sample's plan pointed at a larger file, under a name of its own in the ledger."""
    without_sheet = re.sub(r"^(sheet|header_row) = .*\n", "", plan, flags=re.MULTILINE)
    moved = re.sub(r"^path = .*$", f'path = "../{data_file}"', without_sheet, count=1, flags=re.MULTILINE)
    return re.sub(r'^name = "(.*)"$', rf'name = "\1, {rows} records"', moved, count=1, flags=re.MULTILINE)


# --- The samples ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    name: str
    rows: int  # of the file shipped
    stream: Callable[[np.random.Generator, int], Iterator[Columns]]
    codes: Callable[[int], Mapping[str, Categories]]
    sheet: Sheet | None = None  # shipped as CSV when there is none

    def chunks(self, rows: int) -> Iterator[Columns]:
        """The records, at most a portion at a time; the same for the same number of rows."""
        return self.stream(np.random.Generator(np.random.PCG64([SEED, *self.name.encode()])), rows)


EMPLOYEES_SHEET = Sheet(
    "employees",
    above=(
        "Earnings and sector of former university employees",
        "Fictitious records for practice; one line per person and year after leaving, earnings in dollars a year.",
        "",
    ),
)
SAMPLES = (
    Sample("lodes_jobs", 20_000, lodes_jobs, lodes_codes, Sheet("jobs")),
    Sample("university_employees", 6_000, university_employees, university_codes, EMPLOYEES_SHEET),
    Sample("tract_mobility", 9_000, tract_mobility, tract_codes),
    Sample("graduate_earnings", 9_000, graduate_earnings, graduate_codes),
)
WRITERS = {"parquet": write_parquet, "csv": write_csv}


def make_shipped(sample: Sample, folder: Path) -> Path:
    """The file that ships with the program, and its code lists."""
    suffix, write = ("xlsx", partial(write_xlsx, sample.sheet)) if sample.sheet else ("csv", write_csv)
    write_codes(folder / "codes", sample.codes(sample.rows))
    path = folder / f"{sample.name}.{suffix}"
    write(path, sample.chunks(sample.rows))
    return path


def make_larger(sample: Sample, rows: int, folder: Path, kind: str) -> Path:
    """The same data set at another length, with its code lists and a plan that releases it."""
    write_codes(folder / "codes", sample.codes(rows))
    path = folder / f"{sample.name}.{kind}"
    WRITERS[kind](path, sample.chunks(rows))
    plan = Path("plans", f"{sample.name}.toml")
    (folder / "plans").mkdir(exist_ok=True)
    shipped_plan = (HERE / plan).read_text(encoding="utf-8")
    (folder / plan).write_text(larger_plan(shipped_plan, path.name, rows), encoding="utf-8", newline="\n")
    return path


# --- Command line -----------------------------------------------------------------------------------------------------


def _row_count(text: str) -> int:
    rows = int(text.replace(",", "").replace("_", ""))
    if rows < FEWEST_ROWS:
        raise argparse.ArgumentTypeError(f"a sample has at least {FEWEST_ROWS:,} rows")
    return rows


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Make the synthetic sample data again, or one of any size for benchmarks.",
        epilog="Without --rows the shipped files are written again, byte for byte the same. With --rows the records "
        "are streamed, so memory does not grow with them, and code lists and a plan are written beside the data.",
    )
    parser.add_argument("--rows", type=_row_count, metavar="N", help=f"records per data set, {FEWEST_ROWS:,} or more")
    parser.add_argument("--only", choices=[sample.name for sample in SAMPLES], help="this data set alone")
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: beside this script; with --rows, samples_N")
    parser.add_argument("--format", choices=list(WRITERS), help="file format with --rows (default: parquet)")
    wanted = parser.parse_args(arguments)
    if wanted.format and not wanted.rows:
        parser.error("--format needs --rows: the shipped files have their own formats")
    return wanted


def main(arguments: Sequence[str] | None = None) -> int:
    wanted = _arguments(arguments)
    folder = wanted.out or (Path(f"samples_{wanted.rows}") if wanted.rows else HERE)
    for sample in SAMPLES:
        if wanted.only not in (None, sample.name):
            continue
        if wanted.rows:
            path = make_larger(sample, wanted.rows, folder, wanted.format or "parquet")
        else:
            path = make_shipped(sample, folder)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
