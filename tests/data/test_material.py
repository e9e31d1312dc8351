"""Real files that nobody here wrote, each with what must come out of it; skipped where they are not at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from workbench.data.dataset import Dataset
from workbench.data.findings import Severity, blocking
from workbench.data.layout import Layout, Meaning
from workbench.data.opening import open_dataset
from workbench.errors import EmptyFile

DATA = Path(__file__).parents[3] / "shared" / "data"
SHEETS = DATA / "spreadsheets"
pytestmark = pytest.mark.skipif(not SHEETS.exists(), reason="the material is not at hand")

Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Expected:
    """What a sheet holds: how many records, under which names, and some of them, counted from 0."""

    rows: int
    names: str  # joined by commas, the first ones when it ends with "..."
    records: dict[int, Row] = field(default_factory=dict)
    kinds: str = ""
    header: tuple[int, int] = (1, 1)
    footer: int = 0
    warned: tuple[str, ...] = ()


BIG = "2147483647"
SURE = "may be a record"
IRIS = Expected(150, "Sepal.Length,Sepal.Width,Petal.Length,Petal.Width,Species",
                {0: ("5.1", "3.5", "1.4", "0.2", "setosa"), -1: ("5.9", "3", "5.1", "1.8", "virginica")},
                "number,number,number,number,text")  # fmt: skip
MTCARS = Expected(32, "mpg,cyl,disp,...", {0: ("21", "6", "160"), -1: ("21.4", "4", "121")})
CHICKWTS = Expected(71, "weight,feed", {0: ("179", "horsebean"), -1: ("332", "casein")}, "number,text")
QUAKES = Expected(1000, "lat,long,depth,...", {0: ("-20.42", "181.62", "562"), -1: ("-21.59", "170.56", "165")})
DEATHS = Expected(14, "Name,Profession,Age,Has kids,Date of birth,Date of death",
                  {0: ("David Bowie", "musician", "69", "TRUE", "1947-01-08", "2016-01-10"), 10: ("Some",)},
                  header=(5, 1), warned=("hold words and no values: “Some”", "“Age” holds"))  # fmt: skip
ABC = Expected(3, "A,B,C", {0: ("1", "4", "7"), -1: ("3", "6", "9")}, "number,number,number", header=(3, 1))
DATES_2000 = Expected(0, "2000-01-01,2000-01-01 (2),...", warned=(SURE, "no records below"))
LEVELS = Expected(4, "column A,foo | a,foo | b,bar | a,bar | b", {0: ("0", "1", "2.5", "2015-01-01", "TRUE")},
                  "number,number,number,date,boolean", header=(1, 2))  # fmt: skip
BOTH = Expected(4, "column A,column B,foo | a,foo | b,...", {0: ("foo", "a", "1", "2.5", "2015-01-01", "TRUE")},
                header=(1, 2))  # fmt: skip
BOTH_NAMED = Expected(
    5, "column A,c1 | c2,foo | a,foo | b,...", {0: ("ilvl1", "ilvl2", None), 1: ("foo",)}, header=(1, 2)
)
INDEX = Expected(4, "ilvl1,ilvl2,a,b,c,d", {0: ("foo",), 1: (None, "b", "2", "3.5", "2015-01-02", "FALSE")})
COUNTRIES = "country,continent,year,lifeExp,pop,gdpPercap"
TWO_VARS = Expected(2, "var1,var2", {0: ("v2,1", "v2,2"), 1: ("v4,1", "v4,2")}, "text,text", header=(3, 1))
TIMES = Expected(11, "Time", {0: ("01:02:03",), 1: ("02:45:56.100",)}, "date")
DTTM = "dttm,dttm_string,expect_success"

EXPECTED: dict[str, Expected] = {
    "laucnty19.xlsx": Expected(
        3219,
        "Code,Code (2),Code (3),Name,Year,Labor_Force,Employed,Unemployed,(%)",
        {
            0: ("CN0100100000000", "01", "001", "Autauga County, AL", "2019", "26696", "25927", "769", "2.9"),
            -1: ("CN7215300000000", "72", "153", "Yauco Municipio, PR"),
        },
        "text,code,code,text,number,number,number,number,number",
        footer=2,
    ),
    "cpsaat11.xlsx": Expected(
        595,
        "Occupation,2022 | Total employed,2022 | Percent of total employed | Women,...",
        {
            0: ("Total, 16 years and over", "158291", "46.8", "77", "12.6", "6.7", "18.5"),
            6: ("Legislators", "14", None, None, None, None, None),
            -1: ("Other material moving workers", "55", "17.4", "67.1", "23.8", "2.4", "23.8"),
        },
        "text,number,number,number,number,number,number",
        header=(4, 3),
        footer=1,
    ),
    "nst-est2019-01.xlsx": Expected(
        57,
        "Geographic Area,2010-04-01 | Census,2010-04-01 | Estimates Base,Population Estimate (as of July 1) | 2010,...",
        {
            0: ("United States", "308745538", "308758105", "309321666"),
            -2: (".Wyoming", "563626"),
            -1: ("Puerto Rico", "3725789"),
        },
        "text" + 12 * ",number",
        header=(3, 2),
        footer=5,
    ),
    "pandas/blank_with_header.xlsx": Expected(0, "col_1,col_2", warned=("no records below",)),
    "pandas/chartsheet.xlsx": Expected(101, "x,y", {0: ("0", "0"), 1: ("0.1", "0.09496448346290234")}, "number,number"),
    "pandas/df_empty.xlsx": Expected(2, "I11 | I12,A | B,A", {1: ("Z", "1", "3")}, header=(1, 2)),
    "pandas/df_equals.xlsx": Expected(2, "I11 | I12,A | B,A", {1: ("Z", "1", "3")}, header=(1, 2)),
    "pandas/df_header_oob.xlsx": Expected(0, "a", warned=("no records below",)),
    "pandas/df_mangle_dup_col_dtypes.xlsx": Expected(1, "a,a (2)", {0: ("1", "1")}),
    "pandas/dimension_large.xlsx": ABC,
    "pandas/dimension_missing.xlsx": ABC,
    "pandas/dimension_small.xlsx": ABC,
    "pandas/empty_trailing_rows.xlsx": ABC,
    "pandas/ints_spelled_with_decimals.xlsx": Expected(10, "1", {0: ("2",)}, "number", warned=(SURE,)),
    "pandas/multiindex_no_index_names.xlsx": Expected(
        2,
        "column A,column B,column C,X | Y | A1,X | Y | A2,XX | YY | B1,XX | YY | B2",
        {0: ("A", "AA", "AAA", None, "x", "x", "x")},
        header=(1, 3),
    ),
    "pandas/one_col_blank_line.xlsx": Expected(3, "numbers", {0: ("0.5",), 1: ("1",), 2: ("2",)}, "number"),
    "pandas/test1.xlsx": Expected(7, "column A,A,B,C,D", {0: ("2000-01-03", "0.980268513777")}, "date" + 4 * ",number"),
    "pandas/test1.xlsx#Sheet2": Expected(8, "column A,A,B,C,D", {0: (None, "col", "we")}, warned=("holds 1 text",)),
    "pandas/test1.xlsx#Sheet4": Expected(2, "column A,col1,col2", {0: ("i1", "a", "x"), 1: ("i2", "b", "y")}),
    "pandas/test2.xlsx": Expected(1, "Test,Test1", {0: ("aaaa", "bbbbb")}),
    "pandas/test3.xlsx": Expected(0, "Test", warned=("#N/A", "no records below")),
    "pandas/test4.xlsx": Expected(5, "Test", {0: ("NA",), 1: ("1",), 3: ("apple",)}, "text"),
    "pandas/test5.xlsx": Expected(5, "Test", {0: ("1.#QNAN",), 1: ("1",)}, "text"),
    "pandas/test_converters.xlsx": Expected(5, "IntCol,FloatCol,BoolCol,StrCol", {4: ("0", "5e-10", "1", "5")}),
    "pandas/test_datetime_mi.xlsx": Expected(
        1, "2020-02-29,2020-02-29 (2)", {0: ("2020-03-01", "2020-03-01")}, warned=(SURE,)
    ),
    "pandas/test_decimal.xlsx": Expected(
        4, "Column1,Column2,...", {0: ("Id", "Number1"), 1: ("1", "1521,1541")}, warned=("holds 1 text",)
    ),
    "pandas/test_index_name_pre17.xlsx": Expected(6, "column A,C_l0_g0,...", {0: ("R0", None), 1: ("R_l0_g0", "R0C0")}),
    "pandas/test_index_name_pre17.xlsx#multi_no_names": Expected(
        5, "column A,column B,C_l0_g0,...", {0: ("R_l0_g0", "R_l1_g0", "R0C0")}
    ),
    "pandas/test_multisheet.xlsx": Expected(
        6, "date,H1,H2,H3", {0: ("2014-03-15", "10", "11", "12")}, "date" + 3 * ",number"
    ),
    "pandas/test_multisheet.xlsx#Beta": Expected(6, "date,H1,H2,H3", {0: ("2014-06-01", "1", "2", "3")}),
    "pandas/test_none_type.xlsx": Expected(7, "Test", {0: ("True",), 1: ("nan",), 3: ("None",)}, "text"),
    "pandas/test_spaces.xlsx": Expected(
        5, "testcol", {1: ("4    spaces",), 2: ("1 trailing ",), 3: (" 1 leading",)}, "text"
    ),
    "pandas/test_squeeze.xlsx": Expected(3, "a,b", {0: ("4", "2")}),
    "pandas/test_squeeze.xlsx#one_column": Expected(3, "a", {0: ("1",), 2: ("3",)}),
    "pandas/test_types.xlsx": Expected(
        5,
        "IntCol,FloatCol,BoolCol,StrCol,Str2Col,DateCol",
        {0: ("1", "1.25", "TRUE", "1", "a", "2013-10-30")},
        "number,number,boolean,number,text,date",
    ),
    "pandas/testdateoverflow.xlsx": Expected(
        3, "DateColWithBigInt,StringCol", {0: ("2016-03-12",), 2: ("1e+20",)}, "text,text"
    ),
    "pandas/testdtype.xlsx": Expected(4, "a,b,c,d", {0: ("1", "2.5", "001", "1")}, "number,number,code,number"),
    "pandas/testmultiindex.xlsx": Expected(4, "c1,a,b,c,d", {0: ("0", "1", "2.5", "2015-01-01", "TRUE")}),
    "pandas/testmultiindex.xlsx#mi_column": LEVELS,
    "pandas/testmultiindex.xlsx#mi_index": Expected(4, "column A,column B,a,...", {1: (None, "b", "2")}),
    "pandas/testmultiindex.xlsx#both": BOTH,
    "pandas/testmultiindex.xlsx#mi_column_name": Expected(4, "c1 | c2,foo | a,foo | b,...", header=(1, 2)),
    "pandas/testmultiindex.xlsx#name_with_int": Expected(4, "c1 | c2,foo | 1,foo | 2,bar | 1,bar | 2", header=(1, 2)),
    "pandas/testmultiindex.xlsx#mi_index_name": INDEX,
    "pandas/testmultiindex.xlsx#mi_index_blank_after_name": Expected(4, "ilvl1,ilvl2,a,b,c,d", {0: ("foo", None, "1")}),
    "pandas/testmultiindex.xlsx#both_name": BOTH_NAMED,
    "pandas/testmultiindex.xlsx#both_name_skiprows": Expected(5, "column A,c1 | c2,...", header=(3, 2)),
    "pandas/testmultiindex.xlsx#index_col_none": Expected(2, "A | key,A | val,B | key,B | val", header=(1, 2)),
    "pandas/testskiprows.xlsx": Expected(4, "a,b,c,d", {0: ("1", "2.5", "2015-01-01", "TRUE")}, header=(2, 1)),
    "pandas/times_1900.xlsx": TIMES,
    "pandas/times_1904.xlsx": TIMES,
    "pandas/trailing_blanks.xlsx": Expected(3, "a,b,c", {0: ("1", "2", "3"), 2: ("7", "8", "9")}),
    "readxl/Ekaterinburg_IP_9.xlsx": Expected(
        2191,
        "ФИО,Дата регистрации,Отрасль,ОKВЭД,ОКПО,ИНН,ОГРНИП,...",
        {0: ("Аббасов Илал Газанфар Оглы", "27.05.2004")},
        "text,date,text,text,number,code,number,text,text,text,text",
        header=(4, 1),
        footer=1,
    ),
    "readxl/big-texty-numbers-xlsx.xlsx": Expected(
        6,
        "number,number as text,notes",
        {0: ("blah blah",), 1: (BIG, BIG), 5: ("-2147483649", "-2147483649")},
        "text,text,text",
        warned=("holds 1 text",),
    ),
    "readxl/blanks.xlsx": Expected(2, "x,y", {0: (None, "a"), 1: ("1", None)}),
    "readxl/blanks.xlsx#same_row_first": Expected(1, "x,y", {0: ("1", "a")}),
    "readxl/blanks.xlsx#same_row_middle": Expected(2, "x,y", {0: ("1", "a"), 1: ("2", "b")}),
    "readxl/clippy.xlsx": Expected(
        4, "name,value", {2: ("Approx date of death", "2007-01-01"), 3: ("Weight in grams", "0.9")}
    ),
    "readxl/clippy.xlsx#two-row-header": Expected(
        1,
        "name | (at birth),species | (office supply type),...",
        {0: ("Clippy", "paperclip", "2007-01-01", "0.9")},
        header=(1, 2),
    ),
    "readxl/currency-formats-xlsx.xlsx": Expected(
        2,
        "product,cost_EUR,cost_CHF,cost_mixed",
        {1: ("software", "10000", "10000", "10000")},
        "text,number,number,number",
    ),
    "readxl/datasets.xlsx": MTCARS,
    "readxl/datasets.xlsx#chickwts": CHICKWTS,
    "readxl/datasets.xlsx#quakes": QUAKES,
    "readxl/dates-1900-LibreOffice.xlsx": DATES_2000,
    "readxl/dates-1904.xls": DATES_2000,
    "readxl/dates-leap-year-1900-xlsx.xlsx": Expected(
        7, DTTM, {0: ("1900-01-01 08:00:00",) * 2 + ("TRUE",), 4: ("1900-03-01 08:00:00",) * 2 + ("TRUE",)}
    ),
    "readxl/datetime-rounding.xlsx": Expected(4, "dttm,dttm_string", {0: ("2016-04-28 11:30:00",) * 2}, "date,date"),
    "readxl/deaths.xls": DEATHS,
    "readxl/deaths.xlsx": DEATHS,
    "readxl/embedded-chartsheet.xlsx": IRIS,
    "readxl/embedded-chartsheet.xlsx#quakes": QUAKES,
    "readxl/empty-named-column.xlsx": Expected(3, "x,y,z,w", {0: ("1", None, None, "2"), 2: ("3", None, "NA", None)}),
    "readxl/empty-sheets.xlsx": Expected(0, "var1,var2", warned=("no records below",)),
    "readxl/geometry.xlsx": Expected(3, "B3,C3,D3", {0: ("B4", "C4", "D4")}, header=(3, 1)),
    "readxl/inlineStr.xlsx": Expected(1, "NN,Hierarchy,Outline Number,ID,...", {0: ("1", "+", "1.", "RQ11610")}),
    "readxl/list_type.xlsx": Expected(5, "var1", {0: ("1",), 1: ("a",), 2: ("2017-01-01",), 4: ("FALSE",)}, "text"),
    "readxl/los-angeles-arrests-xlsx.xlsx": Expected(
        193,
        "BKG_NUM,BKG_DT,BKG_TM,...",
        {0: ("4894831", "01/30/17", "00:05")},
        header=(3, 1),
        warned=("“BAIL” holds 168 numbers", "“BAIL (2)” holds", "“BAIL (3)” holds", "“TOT_BAIL” holds"),
    ),
    "readxl/missing-first-column.xlsx": Expected(2, "1", {0: ("2",), 1: ("3",)}, "number", warned=(SURE,)),
    "readxl/missing-v-node-xlsx.xlsx": Expected(
        1, "A,B,A + B", {0: ("1", "2", None)}, "number,number,empty", warned=("no stored result",)
    ),
    "readxl/missing-values-xlsx.xlsx": Expected(
        3, "x,y,z", {0: (None, None, None), 2: ("2", "2", "2")}, "number,number,number"
    ),
    "readxl/names-need-repair-xlsx.xlsx": Expected(2, "a b,a b (2),column C,c%&$", {0: ("1", "a", "one", "1.1")}),
    "readxl/new_line_errors.xlsx": Expected(
        2, "column_name", {1: ('Will show "_x000D_" in every new line in cell above',)}
    ),
    "readxl/no-styles-or-sharedStrings-parts.xlsx": Expected(
        11, "Language,Age,Churn probability", {0: ("german", "73", "0.143292665")}, "text,number,number"
    ),
    "readxl/nonstandard-xml-ns-prefix.xlsx": Expected(2, "a,b", {0: ("1", "3"), 1: ("2", "4")}),
    "readxl/numbers-as-na-and-shared-strings-xlsx.xlsx": Expected(1, "a,c", {0: ("b", "d")}),
    "readxl/sheet-xml-lookup.xlsx": Expected(
        5, COUNTRIES, {0: ("Algeria", "Africa", "1952", "43.077", "9279525", "2449.0082")}
    ),
    "readxl/sheet-xml-lookup.xlsx#Oceania": Expected(
        5, COUNTRIES, {0: ("Australia",), 4: ("Australia", "Oceania", "1962")}
    ),
    "readxl/skipping.xlsx": TWO_VARS,
    "readxl/skipping.xlsx#occupied_row_and_blank_row": TWO_VARS,
    "readxl/skipping.xlsx#two_occupied_rows": TWO_VARS,
    "readxl/style-only-cells.xlsx": Expected(3, "var1,var2,var3,var5", {0: ("val1,1", None, "aa", "1")}),
    "readxl/texty-dates-xlsx.xlsx": Expected(
        2, "a", {0: ("1985-03-11 13:00:00",), 1: ("1985-03-11 13:23:32",)}, "date"
    ),
    "readxl/type-me.xlsx": Expected(
        10, "maybe boolean?,description", {0: (None, "empty"), 3: ("2016-01-01", "datetime")}
    ),
    "readxl/type-me.xlsx#numeric_coercion": Expected(7, "maybe numeric?,explanation", {4: ("123456",), 5: ("123456",)}),
    "readxl/types.xlsx": Expected(
        4,
        "blank,boolean,date,numeric,text",
        {0: (None, "TRUE", "2017-02-27", "1", "hello")},
        "empty,boolean,date,number,text",
    ),
    "readxl/types.xlsx#smorgasbord": Expected(
        19,
        "text,hello world",
        {0: ("text formula", "HELLO WORLD")},
        warned=("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"),
    ),
    "readxl/unnamed-duplicated-columns.xlsx": Expected(
        2, "column A,var2,column C,var2 (2)", {0: ("1", "a", "1.1", "aa")}
    ),
    "readxl/utf8-sheet-names.xlsx": Expected(1, "x", {0: ("1",)}),
    "readxl/utf8-sheet-names.xlsx#∂": Expected(1, "x", {0: ("1",)}),
    "readxl/whitespace-xlsx.xlsx": Expected(5, "<-space, space->", {0: (" <-space",), 3: ("\t<-tab",)}, "text"),
    "tabulator/adjust_floating_point_error.xlsx": Expected(
        5, "Sample Name,peak PO4,...", {1: ("W-2-98-NC TF1 0-4cm Total P split 1", "68.66499999999999")}
    ),
    "tabulator/issue320.xlsx": Expected(
        46,
        "Country,Level 1 Name,Area,Analysis Name,Date of Analysis,Country Population,"
        "Current | Population Analysed | #,...",
        {1: ("Afghanistan", None, "Badakhshan"), -1: ("Afghanistan", None, "Zabul")},
        header=(10, 3),
        footer=3,
    ),
    "tabulator/merged-cells-boolean.xls": Expected(0, "TRUE,...", warned=(SURE, "no records below")),
    "tabulator/merged-cells.xls": Expected(0, "data,...", warned=("no records below",)),
    "tabulator/merged-cells.xlsx": Expected(0, "data,...", warned=("no records below",)),
    "tabulator/multiline-headers.xlsx": Expected(
        1,
        "Region,Caloric contribution | (%),"
        "Cumulative impact of changes on cost of food basket | from previous quarter,...",
        {0: ("A", "B", "C", "D")},
        header=(1, 5),
    ),
    "tabulator/number_format_multicode.xlsx": Expected(3, "col1", {0: ("4.51119775197299",)}, "number"),
    "tabulator/preserve-formatting-percentage.xlsx": Expected(3, "col1,col2", {0: ("123", "0.52")}, "number,number"),
    "tabulator/preserve-formatting.xlsx": Expected(1, "empty,0,0.00,...", {0: (None, "1000.5577")}, warned=(SURE,)),
    "tabulator/sheet2.xls": Expected(2, "id,name", {1: ("2", "中国人")}, "number,text"),
    "tabulator/sheet2.xlsx": Expected(2, "id,name", {1: ("2", "中国人")}, "number,text"),
    "tabulator/sheets.xlsx": Expected(1, "id,name", {0: ("1", "london")}),
    "tabulator/sheets.xlsx#Sheet3": Expected(1, "id,name", {0: ("3", "rome")}),
    "tabulator/skip-rows.xlsx": Expected(
        2, "A,B", {0: ("8", "9"), 1: (None, "TOTAL")}, header=(2, 1), warned=("“TOTAL”", "“B” holds")
    ),
    "tabulator/table-with-booleans.xls": Expected(
        2, "id,boolean", {0: ("1", "TRUE"), 1: ("2", "FALSE")}, "number,boolean"
    ),
    "tabulator/table-with-ints-floats-dates.xls": Expected(
        3, "Int,Float,Date", {0: ("2013", "3.3", "2009-08-16")}, "number,number,date"
    ),
    "tabulator/test_scientific_notation.xlsx": Expected(
        1, "scientific_notation", {0: ("4.27335427525861e-07",)}, "number"
    ),
}
EMPTY = ("pandas/blank.xlsx", "pandas/empty_with_blank_row.xlsx")
TEXT = ("national_May2021_dl.csv",)


def opened(case: str) -> Dataset:
    name, _, sheet = case.partition("#")
    return open_dataset(SHEETS / name, Layout(sheet=sheet or None))


def records(dataset: Dataset) -> list[tuple[Any, ...]]:
    return dataset.engine.connection.execute("SELECT * EXCLUDE (_row) FROM records ORDER BY _row").fetchall()


def test_every_file_has_its_expectation() -> None:
    found = {path.relative_to(SHEETS).as_posix() for path in SHEETS.rglob("*") if path.is_file()}
    assert found == {case.partition("#")[0] for case in EXPECTED} | {*EMPTY, *TEXT}


@pytest.mark.parametrize("case", EXPECTED)
def test_a_sheet_is_read_right(case: str) -> None:
    expected, dataset = EXPECTED[case], opened(case)
    names = [column.name for column in dataset.columns]
    wanted = expected.names.split(",") if case != _COMMA_IN_NAME else [expected.names]
    assert (names[: len(wanted) - 1] if wanted[-1] == "..." else names) == [name for name in wanted if name != "..."]
    assert (dataset.header_row, dataset.layout.header_rows) == expected.header
    assert (dataset.rows, dataset.row_counts.footer) == (expected.rows, expected.footer)
    rows = records(dataset)
    for at, row in expected.records.items():
        assert rows[at][: len(row)] == row
    if expected.kinds:
        assert ",".join(column.kind for column in dataset.columns) == expected.kinds


_COMMA_IN_NAME = "readxl/whitespace-xlsx.xlsx"


@pytest.mark.parametrize("case", EXPECTED)
def test_what_may_be_wrong_is_said_and_nothing_else_is(case: str) -> None:
    dataset, expected = opened(case), EXPECTED[case].warned
    warnings = [finding.what for finding in dataset.findings if finding.severity is Severity.WARNING]
    assert not blocking(dataset.findings)
    assert [words for words in expected if not any(words in what for what in warnings)] == []
    assert [what for what in warnings if not any(words in what for words in expected)] == []
    assert dataset.row_counts.total == dataset.engine.grid_height()


@pytest.mark.parametrize("name", EMPTY)
def test_a_file_without_cells_is_refused(name: str) -> None:
    with pytest.raises(EmptyFile, match="is empty"):
        opened(name)


def test_the_last_row_is_the_one_choice_that_some_notes_need() -> None:
    dataset = open_dataset(SHEETS / "readxl" / "deaths.xlsx", Layout(last_row=15))
    assert [column.kind.value for column in dataset.columns] == ["text", "text", "number", "boolean", "date", "date"]
    assert (dataset.rows, dataset.row_counts.footer) == (10, 4)


def test_dashes_of_the_occupations_are_counted_column_by_column() -> None:
    marks = [mark for column in opened("cpsaat11.xlsx").columns for mark in column.markers]
    assert ([mark.text for mark in marks], sum(mark.count for mark in marks)) == (["–"] * 5, 1015)
    assert {mark.first_row for mark in marks} == {15}


def test_wages_have_their_marks_and_separators() -> None:
    dataset = open_dataset(SHEETS / "national_May2021_dl.csv")
    assert (dataset.rows, len(dataset.columns), dataset.findings[0].severity) == (1403, 32, Severity.NOTE)
    facts = {column.name: column for column in dataset.columns}
    assert [facts[name].kind.value for name in ("AREA", "NAICS", "OCC_CODE", "TOT_EMP", "JOBS_1000", "ANNUAL")] == [
        "number", "code", "code", "number", "empty", "boolean",
    ]  # fmt: skip
    assert facts["TOT_EMP"].written == "thousands separators"
    assert {mark.text: (mark.count, mark.meaning) for mark in facts["A_PCT90"].markers} == {
        "#": (83, Meaning.SUPPRESSED), "*": (8, Meaning.SUPPRESSED),
    }  # fmt: skip
    total = dataset.engine.connection.execute(
        "SELECT NAICS, OCC_CODE, TOT_EMP, H_PCT90, A_PCT90 FROM records ORDER BY _row LIMIT 2"
    ).fetchall()
    assert total == [
        ("000000", "00-0000", "140886310", "49.43", "102810"),
        ("000000", "11-0000", "8909910", None, None),
    ]


def test_businesses_have_their_codes_and_no_empty_columns() -> None:
    dataset = open_dataset(DATA / "susb_us_state_2digitnaics_2021.csv")
    assert dataset.rows == 5000
    assert [column.name for column in dataset.columns][:3] == ["State", "State_Name", "NAICS"]
    assert [column.letter for column in dataset.columns][-2:] == ["P", "Q"]  # somebody's sums beside the table
    assert dataset.columns[0].kind.value == "code"
    first = records(dataset)[0]
    assert (first[0], first[5], first[9]) == ("00", "15913", "1219417")
    assert any("4 columns (L, M, N, O) have neither a name nor a value" in one.what for one in dataset.findings)
