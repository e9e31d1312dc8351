"""The one suite that every mechanism passes: privacy, tightness, distribution, error, reachability, black box."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from workbench.cli import main
from workbench.plan.neighbors import StrongAlpha
from workbench.plan.plan import StatisticKind
from workbench.privacy.audit import audit, worker_cell_pairs
from workbench.privacy.audits import selftest
from workbench.privacy.audits.distribution import audit_draws
from workbench.privacy.audits.losses import audit_losses
from workbench.privacy.audits.selftest import Result, audit_draws_of
from workbench.privacy.audits.stratified import StratifiedNoise
from workbench.privacy.audits.table import NAMES, TABLE, Row, row_named
from workbench.privacy.audits.trial import draw_pairs
from workbench.privacy.audits.verdict import Question, Verdict, at_most
from workbench.privacy.brief import Brief
from workbench.privacy.choose import choose
from workbench.privacy.mechanisms import OFFERS
from workbench.privacy.mechanisms.cell_by_cell import CellByCell
from workbench.privacy.noise import RehearsalNoise, SystemNoise
from workbench.privacy.unfit import Unfit

each_mechanism = pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)


def failures(verdicts: tuple[Verdict, ...]) -> list[str]:
    return [f"{one.question}: {one.sentence}" for one in verdicts if not one.holds]


def named(name: str) -> Row:
    row = row_named(name)
    assert row is not None
    return row


@each_mechanism
def test_it_keeps_its_promise_on_every_pair_and_wastes_nothing_it_claims_to_use(row: Row) -> None:
    assert failures(audit_losses(row.trials(), row.is_tight)) == []


@each_mechanism
def test_what_it_publishes_is_what_it_claims(row: Row) -> None:
    assert failures(tuple(audit_draws_of(row, row.drawn_trial(), RehearsalNoise(20_260_701)))) == []


@pytest.mark.parametrize(
    ("name", "draws"), [("geometric", 20_000), ("gaussian", 8_000), ("log-gaussian", 8_000), ("exponential", 1_000)]
)
def test_the_samplers_of_a_live_release_draw_what_is_claimed(name: str, draws: int) -> None:
    """A false alarm has a chance below 1e-9."""
    trial = named(name).drawn_trial()
    verdict = audit_draws(trial, draw_pairs(trial, draws, SystemNoise()))
    assert verdict.holds, verdict.sentence


@pytest.mark.parametrize("name", ["gaussian", "log-gaussian"])
def test_mechanisms_for_many_tables_use_the_rho_they_are_charged(name: str) -> None:
    (verdict,) = [
        one for one in audit_losses(named(name).trials(), named(name).is_tight) if one.question == Question.RHO
    ]
    assert 0.97 < verdict.found <= 1


@pytest.mark.parametrize("name", ["smooth-t", "smooth-gamma", "smooth-power", "smooth-laplace"])
def test_cell_by_cell_the_losses_of_all_cells_add_up_to_the_promise(name: str) -> None:
    brief = Brief(
        StatisticKind.COUNT, StrongAlpha(Fraction(1, 100)), Fraction(4), Fraction(1, 10**6), worker_cells=4, wanted=name
    )
    chosen = choose(brief)
    assert chosen is not None
    assert isinstance(chosen.mechanism, CellByCell)
    each: Any = chosen.mechanism.each
    result = audit(each, worker_cell_pairs(each.neighbors, (0, 10, 1000)))
    assert result.holds
    promise = chosen.mechanism.guarantee
    assert (promise.epsilon, promise.delta) == (4 * each.guarantee.epsilon, 4 * each.guarantee.delta)
    assert (promise.epsilon, promise.delta) in {(4, 0), (4, Fraction(1, 10**6))}


def test_every_mechanism_a_plan_can_name_is_audited() -> None:
    assert {offer.name for offer in OFFERS} <= set(NAMES)
    assert len(set(NAMES)) == len(NAMES)


@each_mechanism
def test_the_settings_reach_the_boundary_of_validity(row: Row) -> None:
    """Where an epsilon of nearly nothing does not do, the smallest that does is audited, and 2 % less does not do."""
    audited = {(one.mechanism.guarantee.neighbors, getattr(one.mechanism, "epsilon", None)) for one in row.trials()}
    assert len(audited) >= 4
    for brief in row.settings:
        refused = row.mechanism(brief)
        if isinstance(refused, Unfit):
            assert refused.smallest_epsilon is not None
            assert (brief.neighbors, refused.smallest_epsilon) in audited
            below = refused.smallest_epsilon * Fraction(98, 100)
            assert isinstance(row.mechanism(replace(brief, epsilon=below)), Unfit)


def test_all_four_protections_are_audited() -> None:
    names = {trial.mechanism.guarantee.neighbors.name for row in TABLE for trial in row.trials()}
    assert names == {"worker", "worker-history", "employer", "strong-alpha"}


@pytest.mark.parametrize("count", [10, 1001, 20_000])
def test_stratified_words_are_evenly_spread_over_both_signs(count: int) -> None:
    words = StratifiedNoise().words(count)
    depth = (words >> np.uint64(1)) / 2.0**63
    for sign in (0, 1):
        places = np.sort(depth[(words & np.uint64(1)) == sign])
        assert np.abs(places - (np.arange(len(places)) + 0.5) / len(places)).max() <= 1 / len(places)


def test_stratified_noise_is_never_for_a_release() -> None:
    assert not StratifiedNoise().is_for_release


# The command


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command line without the minute of computing: records what was asked, fails log-laplace."""
    asked: list[str] = []

    def audited(row: Row, noise: object) -> Result:
        asked.append(row.name)
        found = 2.0 if row.name == "log-laplace" else 1.0
        return Result(row.name, (at_most(Question.PRIVACY, 1, found, f"It gives away {found:g} of what it promises."),))

    monkeypatch.setattr(selftest, "audit_row", audited)
    return asked


def test_the_command_audits_one_mechanism_or_all(stub: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "smooth-t"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == ["smooth-t: all 1 audits hold.", "  privacy loss: It gives away 1 of what it promises."]
    assert main(["audit"]) == 1
    assert stub == ["smooth-t", *NAMES]
    lines = capsys.readouterr().err.splitlines()
    said = [line for line in lines if not line.startswith("Auditing ")]
    assert lines[: len(NAMES)] == [f"Auditing {name} …" for name in NAMES], "what is under way is said as it happens"
    assert said[0] == "geometric: all 1 audits hold."
    assert said[4:6] == [
        "log-laplace fails 1 of 1 audits; do not release with it.",
        "  privacy loss: It gives away 2 of what it promises.",
    ]


def test_the_command_answers_in_json(stub: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "log-laplace", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    (one,) = document["mechanisms"]
    assert (document["ok"], one["mechanism"], one["holds"]) == (False, "log-laplace", False)
    assert one["audits"][0] == {
        "audit": "privacy loss", "claimed": 1, "found": 2.0, "holds": False,
        "sentence": "It gives away 2 of what it promises.",
    }  # fmt: skip


def test_an_unknown_mechanism_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["audit", "magic"])
    assert stopped.value.code == 2
    assert "no mechanism is called “magic”; choose one of geometric" in capsys.readouterr().err
