"""Charts of a preview: what they show, what they refuse, and that a moved goal stands where it should."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.errors import ChartRefused
from workbench.plan.plan import ReleasePlan
from workbench.plan.planfile import read_plan
from workbench.plan.policy import default_policy
from workbench.preview.chart_goal import Goal
from workbench.preview.chart_look import Palette
from workbench.preview.chart_releases import releases_figure, releases_table
from workbench.preview.chart_strata import strata_figure, strata_table
from workbench.preview.chart_words import alt_text, curve_table, shown_value
from workbench.preview.charts import accuracy_chart, accuracy_figure, chart_epsilons, save_accuracy_chart
from workbench.preview.curves import AccuracyCurve, accuracy_curve
from workbench.preview.hypothetical import hypothetical_releases
from workbench.preview.metrics import CellSizes, Metric, Source, policy_target, typical_sizes
from workbench.preview.now import planned
from workbench.preview.strata import strata

JOBS_OF_WORKERS = Path(__file__).parents[1] / "plans" / "jobs_of_workers.toml"
TRUE = CellSizes(np.array([0.0, 5.0, 50.0, 500.0, 5000.0]), Source.CONFIDENTIAL, "confidential: the true cells")


@pytest.fixture(scope="module")
def plan() -> ReleasePlan:
    return read_plan(JOBS_OF_WORKERS)[0]


def curve_of(plan: ReleasePlan, metric: Metric = Metric.SHARE_WITHIN, sizes: CellSizes | None = None) -> AccuracyCurve:
    policy = default_policy()
    epsilons = chart_epsilons(plan.budget.epsilon)
    return accuracy_curve(plan, metric, policy_target(policy), sizes or typical_sizes(plan, policy), epsilons)


def texts(figure) -> list[str]:
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def at_epsilon(plan: ReleasePlan, epsilon: str) -> ReleasePlan:
    return replace(plan, budget=replace(plan.budget, epsilon=Fraction(epsilon)))


def test_the_key_names_each_line_and_its_value_at_the_present_epsilon(plan):
    shown = texts(accuracy_figure(curve_of(at_epsilon(plan, "0.2"))))
    assert {"place-sector-ownership", "count, Geometric", "at ε = 0.2", "now\n0.2"} <= set(shown)
    assert shown_value(curve_of(plan), curve_of(at_epsilon(plan, "0.2")).lines[0].now) in shown


def test_the_goal_stands_at_its_value_with_a_ring_at_the_solved_epsilon(plan):
    chart = accuracy_chart(curve_of(plan), goal=Goal(0.8, Fraction("0.5")))
    assert list(chart.line.get_ydata()) == [0.8, 0.8]
    assert list(chart.ring.get_xdata()) == [0.5] and list(chart.ring.get_ydata()) == [0.8]
    assert "solved\n0.5" in texts(chart.figure) and "Target 80 %" in texts(chart.figure)


def test_a_moved_goal_moves_every_mark_without_a_new_figure(plan):
    chart = accuracy_chart(curve_of(plan), goal=Goal(0.8, Fraction("0.5")))
    chart.move_goal(Goal(0.9, Fraction(1)))
    assert list(chart.handle.get_ydata()) == [0.9]
    assert list(chart.drop.get_xdata()) == [1.0, 1.0] and list(chart.drop.get_ydata()) == [0.0, 0.9]
    assert "solved\n1" in texts(chart.figure) and "solved\n0.5" not in texts(chart.figure)


@pytest.mark.parametrize("solved", [None, Fraction("0.02")])
def test_an_epsilon_that_is_missing_or_off_the_axis_has_no_ring(plan, solved):
    chart = accuracy_chart(curve_of(plan), goal=Goal(0.8, solved))
    assert not chart.ring.get_visible() and chart.line.get_visible()
    assert not any(text.startswith("solved") for text in texts(chart.figure))


def test_without_a_goal_only_the_curve_is_drawn(plan):
    chart = accuracy_chart(curve_of(plan))
    assert not chart.line.get_visible() and not chart.handle.get_visible()


def test_a_figure_says_whether_a_goal_fits_into_it(plan):
    chart = accuracy_chart(curve_of(plan, Metric.MARGIN), goal=Goal(10, Fraction("0.5")))
    assert chart.has_room_for(Goal(20, None))
    assert not chart.has_room_for(Goal(1000, Fraction("0.5")))
    assert not chart.has_room_for(Goal(10, Fraction("0.02")))


def test_the_axis_reaches_out_to_what_must_be_shown():
    assert (min(chart_epsilons()), max(chart_epsilons())) == (Fraction("0.1"), 10)
    reached = chart_epsilons(Fraction("0.03"), Fraction(15))
    assert (min(reached), max(reached)) == (Fraction("0.01"), 20) and Fraction("0.03") in reached
    assert all(epsilon == Fraction(str(float(epsilon))) for epsilon in reached), "every point is a plain decimal"


def test_a_rehearsal_is_watermarked(plan):
    assert "REHEARSAL" in texts(accuracy_figure(curve_of(plan), watermark="REHEARSAL"))


@pytest.mark.parametrize("watermark", ["", "REHEARSAL"])
def test_a_chart_of_true_cells_says_so_whatever_it_is_told(plan, watermark):
    shown = texts(accuracy_figure(curve_of(plan, sizes=TRUE), watermark=watermark))
    assert "CONFIDENTIAL SOURCE\nnot for export" in shown and "REHEARSAL" not in shown


def test_a_chart_of_true_cells_is_not_saved(plan, tmp_path: Path):
    with pytest.raises(ChartRefused):
        save_accuracy_chart(curve_of(plan, sizes=TRUE), tmp_path / "chart.png")
    assert not list(tmp_path.iterdir())


def test_a_chart_of_public_facts_is_saved_and_is_the_same_each_time(plan, tmp_path: Path):
    for name in ("one.png", "two.png"):
        save_accuracy_chart(curve_of(plan), tmp_path / name, 0.8, "REHEARSAL", Fraction("0.14"))
    one, two = ((tmp_path / name).read_bytes() for name in ("one.png", "two.png"))
    assert one == two and one.startswith(b"\x89PNG")


def test_the_table_has_every_point_of_the_chart(plan):
    curve = curve_of(plan)
    headings, rows = curve_table(curve)
    assert headings == ("ε of the plan", "place-sector-ownership: Geometric")
    assert [row[0] for row in rows][:1] == ["0.1"] and len(rows) == len(curve.epsilons)
    assert rows[0][1] == f"{100 * curve.lines[0].values[0]:.1f} %"


def test_the_words_for_those_who_do_not_see_it_give_both_ends_and_the_target(plan):
    said = alt_text(curve_of(plan, Metric.MARGIN), 10)
    assert said.startswith("Margin of error (95 %) against epsilon")
    assert "30 jobs at ε = 0.1" in said and "0 jobs at ε = 10" in said and said.endswith("The target is 10 jobs.")


def test_colours_come_from_the_palette(plan):
    figure = accuracy_figure(curve_of(plan), Palette(panel="#14191F", text="#E6EBF0"))
    assert figure.get_facecolor()[:3] == pytest.approx((0x14 / 255, 0x19 / 255, 0x1F / 255))


def test_strata_cover_all_cells_and_agree_with_the_whole(plan):
    plan = at_epsilon(plan, "0.2")
    policy = default_policy()
    found = strata(planned(plan), typical_sizes(plan, policy), policy_target(policy), "jobs")
    assert [row.title for row in found.rows] == ["0–9", "10–99", "100–999", "1,000+"]
    assert sum(row.part for row in found.rows) == pytest.approx(1)
    whole = sum(row.part * row.shares[0] for row in found.rows)
    assert whole == pytest.approx(curve_of(plan).lines[0].now)


def test_a_range_without_cells_is_left_out(plan):
    sizes = CellSizes(np.array([3.0, 30.0]), Source.SYNTHETIC, "two cells")
    found = strata(planned(plan), sizes, policy_target(default_policy()), "jobs")
    assert [row.title for row in found.rows] == ["0–9", "10–99"]


def test_the_weakest_range_is_named(plan):
    policy = default_policy()
    plan = at_epsilon(plan, "0.1")
    found = strata(planned(plan), typical_sizes(plan, policy), policy_target(policy), "jobs")
    weakest = min(found.rows, key=lambda row: row.shares[0])
    assert f"cells of {weakest.title} jobs" in found.sentence
    assert f"about {100 * weakest.shares[0]:.0f} of 100" in found.sentence


def test_the_strata_chart_and_its_table_show_the_same_shares(plan):
    policy = default_policy()
    found = strata(planned(plan), typical_sizes(plan, policy), policy_target(policy), "jobs")
    shown = texts(strata_figure(found, goal=0.8, watermark="REHEARSAL"))
    assert "REHEARSAL" in shown and any(text.startswith("0–9 jobs") for text in shown)
    headings, rows = strata_table(found)
    assert headings == ("Cell size", "Of all cells", "place-sector-ownership: count")
    assert [row[0] for row in rows] == ["0–9 jobs", "10–99 jobs", "100–999 jobs", "1,000+ jobs"]


def cell_of(size):
    return CellSizes(np.array([float(size)]), Source.SYNTHETIC, "one cell")


def test_twenty_five_releases_are_the_quantiles_of_the_mechanism(plan):
    part = planned(at_epsilon(plan, "0.3"))[0]
    mechanism = part.mechanism
    found = hypothetical_releases(part, cell_of(70), "jobs")
    noise = np.array(found.outcomes) - 70
    assert len(noise) == 25 and list(noise) == sorted(noise) and list(noise) == list(-noise[::-1])
    assert found == hypothetical_releases(part, cell_of(70), "jobs"), "nothing is drawn"
    inside = np.mean(np.abs(noise) <= mechanism.margin(0.8))
    assert inside == pytest.approx(0.8, abs=0.08)
    assert found.ranges[-1] == (0.95, 70 - mechanism.margin(0.95), 70 + mechanism.margin(0.95))


def test_a_count_below_zero_is_shown_as_zero(plan):
    found = hypothetical_releases(planned(at_epsilon(plan, "0.1"))[0], cell_of(3), "jobs")
    assert min(found.outcomes) == 0 and found.ranges[-1][1] == 0


def test_each_release_is_a_dot_and_every_dot_is_in_the_table(plan):
    found = hypothetical_releases(planned(at_epsilon(plan, "0.3"))[0], cell_of(70), "jobs")
    figure = releases_figure(found)
    dots = next(line for line in figure.axes[0].lines if line.get_marker() == "o")
    assert len(dots.get_xdata()) == 25
    headings, rows = releases_table(found)
    assert headings == ("Published number", "Of 25 releases")
    assert sum(int(count) for _, count in rows[:-3]) == 25
    assert {"sampling only", "none: full register", "assumed 70"} <= set(texts(figure))


def test_dots_never_stand_on_each_other(plan):
    for epsilon in ("0.05", "0.3", "2", "10"):
        part = planned(at_epsilon(plan, epsilon))[0]
        figure = releases_figure(hypothetical_releases(part, cell_of(70), "jobs"))
        dots = next(line for line in figure.axes[0].lines if line.get_marker() == "o")
        places = list(zip(dots.get_xdata(), dots.get_ydata(), strict=True))
        assert len(set(places)) == 25, epsilon
