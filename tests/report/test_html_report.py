"""The HTML report: well-formed, accessible, complete, in order, and silent about what must stay inside."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from made_releases import KINDS, LOOKED_AT, drawn, released, tiny_plan

from workbench.release.checks import CheckResult, review
from workbench.release.release import Mode, Release
from workbench.report.html_report import SECTIONS, html_report, internal_memo
from workbench.report.json_report import json_report
from workbench.report.keys import SigningKey, demo_key

FILES = {"jobs-r1-tables.xlsx": "3d9a40c2" + "0" * 48 + "81f0be57"}
SIGNERS = [demo_key().public]
VOID = {"meta", "img", "br", "hr", "link", "input", "col"}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Page(HTMLParser):
    """Reads a page strictly: every element closes in turn, and what the rules ask is kept."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[tuple[int, str]] = []
        self.tables: list[dict[str, int]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute twice in <{tag}>"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in HEADINGS:
            self.headings.append((int(tag[1]), ""))
        if tag == "table":
            self.tables.append({"caption": 0, "th": 0, "scope": 0})
        if tag in ("caption", "th"):
            self.tables[-1][tag] += 1
            self.tables[-1]["scope"] += dict(attrs).get("scope") in ("row", "col")

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1:] and self.open[-1] in HEADINGS:
            level, text = self.headings.pop()
            self.headings.append((level, text + data))
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def report_of(release: Release, checks: tuple[CheckResult, ...] = ()) -> str:
    return html_report(release, SIGNERS, checks or review([]), FILES)


@pytest.fixture(params=["public", "internal"])
def page(request: pytest.FixtureRequest, release: Release, checks: tuple[CheckResult, ...]) -> Page:
    is_public = request.param == "public"
    return Page(report_of(release, checks) if is_public else internal_memo(release, SIGNERS, checks))


def test_it_is_well_formed_and_says_its_language(page: Page) -> None:
    assert page.elements[0] == ("html", {"lang": "en"})
    assert {"head", "title", "body", "main", "header", "footer"} <= {tag for tag, _ in page.elements}


def test_headings_go_down_one_level_at_a_time_under_one_title(page: Page) -> None:
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_a_caption_and_every_heading_cell_a_scope(page: Page) -> None:
    assert page.tables
    assert all(table["caption"] == 1 and table["th"] == table["scope"] > 0 for table in page.tables)


def test_every_picture_says_what_it_shows_and_is_in_the_page(release: Release) -> None:
    pictures = [attributes for tag, attributes in Page(report_of(release)).elements if tag == "img"]
    assert len(pictures) == 1
    assert "above and below the published number" in str(pictures[0]["alt"])
    assert str(pictures[0]["src"]).startswith("data:image/png;base64,")


def test_there_is_no_script_and_nothing_is_fetched(page: Page) -> None:
    assert "script" not in {tag for tag, _ in page.elements}
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    targets = [attributes[name] for _, attributes in page.elements for name in ("href", "src") if name in attributes]
    assert all(str(target).startswith(("#section-", "data:image/png")) for target in targets)


def test_the_sections_stand_in_their_order_and_the_list_at_the_top_leads_to_them(release: Release) -> None:
    page = Page(report_of(release))
    titles = [f"{number} {section.title}" for number, section in enumerate(SECTIONS, 1)]
    assert [text for level, text in page.headings if level == 2] == titles
    ids = {attributes.get("id") for tag, attributes in page.elements if tag == "h2"}
    assert {f"#{name}" for name in ids} == {attributes["href"] for tag, attributes in page.elements if tag == "a"}


def test_titles_and_names_are_words_never_markup() -> None:
    release = replace(released(tiny_plan()), title="<script>alert(1)</script>", dataset="<img src=x>")
    page = Page(report_of(release))
    assert page.headings[0] == (1, "<script>alert(1)</script>")
    assert "called “<img src=x>”" in page.text


def test_it_says_in_plain_words_what_is_protected_and_what_is_not(live: Release) -> None:
    text = Page(report_of(live)).text
    assert "thought it a toss-up whether one record is in the data is right in at most 89 of 100 such cases" in text
    assert "At least 11 of 100 such guesses stay wrong, whatever else the outsider knows." in text
    assert "an employer’s size" in text


def test_epsilon_never_stands_alone(live: Release) -> None:
    text = Page(report_of(live)).text
    for words in ("Formal DP (pure), δ = 0", "one record is added or removed", "ε = 5.5 of 8 spent, 2.5 remaining",
                  "Within a table every record is in one cell", "Conversion None", LOOKED_AT):  # fmt: skip
        assert words in text


def test_it_prints_the_margin_of_every_table_and_the_formula_of_the_bias(live: Release) -> None:
    text = Page(report_of(live)).text
    for table in live.tables:
        assert re.search(rf"{re.escape(table.title)} {table.grid.size} \d+ ± {table.margin}\b", text)
    assert "n+1" in text and "(b/2)" in text


def test_a_margin_that_would_leak_is_not_printed_and_it_says_why() -> None:
    release = drawn(KINDS["smooth-t"])
    page = Page(report_of(release))
    assert page.text.count("Not published") >= len(release.tables)
    assert (
        "Neither a margin nor limits are printed for tables 1, 2, 3 and 4: the noise follows the size of the largest "
        "establishment of each cell, and a margin would tell about that establishment."
    ) in page.text
    assert "There is no figure of the limits" in page.text
    assert "cannot be published for table 1: it depends on the size of the largest establishment" in page.text
    assert "±" not in page.text and "img" not in {tag for tag, _ in page.elements}


@pytest.mark.parametrize("kind", KINDS)
def test_the_report_of_every_kind_is_well_formed_and_names_sensitivity_and_noise(kind: str) -> None:
    release = drawn(KINDS[kind])
    page = Page(report_of(release))
    assert all(table["caption"] == 1 and table["th"] == table["scope"] > 0 for table in page.tables)
    pictures = sum(tag == "img" for tag, _ in page.elements)
    assert pictures == any(table.limits is not None for table in release.noisy_tables)
    for table in release.noisy_tables:
        assert table.sensitivity_words in page.text and table.scale_words in page.text


def test_a_table_with_limits_in_proportion_prints_them_and_its_totals_say_why_not() -> None:
    release = drawn(KINDS["log-laplace"])
    text = Page(report_of(release)).text
    assert re.search(r"1 Jobs by place and sector 6 1 − 1\d\.\d % to \+ 1\d\.\d % at 10,\d{3}", text)
    assert (
        "Neither a margin nor limits are printed for tables 2, 3 and 4: how far a sum of these cells can be off "
        "depends on their true numbers."
    ) in text
    assert "Whether a worker changed employers 2 4 at most 99 of 100" in text


def test_sums_say_how_their_values_were_clipped_and_what_showing_0_does() -> None:
    text = Page(report_of(drawn(KINDS["sum of cents"]))).text
    assert "a value outside its public limits 0 to 5000 was moved to the nearer one" in text
    assert "rounded to a whole step of 0.01" in text
    # b/2 = Δ/(2ε) = 1,250 where the true sum is 0.
    assert "True sum of pay Shown higher by 0.00 1,250.00" in text
    signed = Page(report_of(drawn(KINDS["signed sum"]))).text
    assert "The numbers of tables 5, 6, 7 and 8 can truly be below zero and are shown as drawn." in signed


def test_the_json_report_of_every_kind_tells_the_guarantee_of_each_table() -> None:
    for kind, plan in KINDS.items():
        release = drawn(plan)
        facts = json.loads(json.dumps(json_report(release, SIGNERS, (), FILES), allow_nan=False))
        for table, fact in zip(release.tables, facts["tables"], strict=True):
            assert fact["claim"] == table.guarantee.claim and fact["sensitivity"] == table.sensitivity_words, kind
            sources = [each.name for each in release.noisy_tables if each.statistic == table.statistic]
            assert fact["added_up_from"] in (sources if table.is_total else [None]), kind
    assert facts["guarantee"]["rho"] is None and "alpha" not in facts["guarantee"]
    strict = json_report(drawn(KINDS["smooth-t strict"]), SIGNERS, (), FILES)["guarantee"]
    assert (strict["alpha"], strict["reading"]) == ("0.1", "strict")


def test_a_rehearsal_is_marked_and_carries_no_time(rehearsal: Release) -> None:
    page = Page(report_of(rehearsal))
    assert ("div", {"class": "watermark rehearsal", "aria-hidden": "true"}) in page.elements
    assert "REHEARSAL: no budget was spent, and these numbers must not be published." in page.text
    assert "2025-10-07" not in page.text and "October" not in page.text


def test_a_live_release_carries_no_mark(live: Release, officers: tuple[SigningKey, SigningKey]) -> None:
    text = html_report(live, [key.public for key in officers], review([]), FILES)
    assert "rehearsal" not in Page(text).text.lower()
    assert "watermark" not in re.sub(r"<style>.*</style>", "", text, flags=re.DOTALL)


def test_signers_files_and_ledger_head_are_named(live: Release, officers: tuple[SigningKey, SigningKey]) -> None:
    text = Page(html_report(live, [key.public for key in officers], review([]), FILES)).text
    assert "Signed by two people." in text
    assert f"Countersigned J. Okafor {officers[1].public.fingerprint}" in text
    assert "jobs-r1-tables.xlsx 3d9a40c2 … 81f0be57" in text
    assert "Ledger head: entry 66, d84c07aa … d84c07aa." in text


def test_what_a_check_found_stays_inside_even_in_the_order_of_the_list(
    release: Release, checks: tuple[CheckResult, ...]
) -> None:
    assert checks != review([])
    assert report_of(release, checks) == report_of(release, review([]))
    assert "7 records carry 999" in Page(internal_memo(release, SIGNERS, checks)).text


def test_the_internal_memo_looks_internal(page: Page, release: Release, checks: tuple[CheckResult, ...]) -> None:
    memo = Page(internal_memo(release, SIGNERS, checks))
    assert ("div", {"class": "watermark internal", "aria-hidden": "true"}) in memo.elements
    assert "officer-login" in memo.text


def test_the_same_release_gives_the_same_page(release: Release) -> None:
    assert report_of(release) == report_of(release)


def test_the_json_report_tells_the_same_facts_with_amounts_as_text(
    live: Release, checks: tuple[CheckResult, ...]
) -> None:
    facts = json.loads(json.dumps(json_report(live, SIGNERS, checks, FILES)))
    assert facts["guarantee"]["epsilon"] == "2" and facts["guarantee"]["delta"] == "0"
    assert facts["budget"]["remaining"] == "2.5" and facts["budget"]["ledger_head"]["entry"] == 66
    assert facts["in_plain_words"]["right_at_most"] == 89
    assert [table["margin_95"] for table in facts["tables"]] == [table.margin for table in live.tables]
    assert [table["epsilon"] for table in facts["tables"]] == ["2", "0", "0", "0"]
    assert facts["data"]["columns"][0]["codes_source"] == "places.csv"
    assert facts["release"]["drawn_at"] == "2025-10-07T08:10:00Z"
    assert "7 records carry 999" not in json.dumps(facts)


def test_the_json_report_of_a_rehearsal_says_so_and_carries_no_time(rehearsal: Release) -> None:
    facts = json_report(rehearsal, SIGNERS, (), FILES)
    assert facts["release"]["mode"] == Mode.REHEARSAL and facts["release"]["notice"].startswith("REHEARSAL")
    assert facts["budget"]["spent"] == "0"
    assert "2025-10-07" not in json.dumps(facts)
