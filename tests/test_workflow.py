"""The verbs end to end: pay, draw, save, show; and nothing charged or half-written when anything is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench import workflow
from workbench.errors import (
    Cancelled,
    DatasetRenamed,
    DemoKeyRefused,
    InsufficientAllowance,
    LedgerLocked,
    OutputError,
    Refused,
    SeededNoiseRefused,
    WorkbenchError,
)  # fmt: skip
from workbench.ledger.entries import EntryKind
from workbench.plan.plan import ReleasePlan
from workbench.preview.metrics import Metric, Source
from workbench.privacy.noise import Integers, RehearsalNoise, SystemNoise
from workbench.progress import Stoppable
from workbench.report.keys import SigningKey, create_key, demo_key, load_key

PASSPHRASE = "four words in a row"


@pytest.fixture
def plan(small_plan: Callable[..., Path]) -> ReleasePlan:
    return workflow.open_plan(small_plan())[0]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return load_key(create_key("A. Moreno", PASSPHRASE, tmp_path_factory.mktemp("keys")), PASSPHRASE)


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) if folder.exists() else []


class TestRehearsal:
    def test_same_seed_gives_the_same_bytes(self, plan: ReleasePlan, tmp_path: Path) -> None:
        first, second = (
            workflow.release(plan, out=tmp_path / name, noise=RehearsalNoise(1)) for name in ("first", "second")
        )
        assert files_in(first.public) == files_in(second.public)
        for name in files_in(first.public):
            assert (first.public / name).read_bytes() == (second.public / name).read_bytes(), name

    def test_another_seed_gives_other_numbers_over_the_same_cells(self, plan: ReleasePlan, tmp_path: Path) -> None:
        low = replace(plan, budget=replace(plan.budget, epsilon=Fraction(1, 100)))
        first, second = (workflow.release(low, out=tmp_path, noise=RehearsalNoise(seed)).release for seed in (1, 2))
        assert [table.grid for table in first.tables] == [table.grid for table in second.tables]
        assert first.tables[0].raw.tolist() != second.tables[0].raw.tolist()

    def test_totals_are_the_sums_of_the_published_draw(self, plan: ReleasePlan, tmp_path: Path) -> None:
        cells, *totals = workflow.release(plan, out=tmp_path, noise=RehearsalNoise(4)).release.tables
        for table in totals:
            assert table.raw.tolist() == cells.grid.add_up(cells.raw, table.grid.keys).tolist()
            assert table.margin is not None and cells.margin is not None and table.margin >= cells.margin

    def test_it_says_so_and_verifies(self, plan: ReleasePlan, tmp_path: Path) -> None:
        bundle = workflow.release(plan, out=tmp_path)
        (verdict,) = workflow.verify(tmp_path)
        assert verdict.is_verified and verdict.is_rehearsal
        assert bundle.release.charge is None
        assert "REHEARSAL" in (bundle.public / "report.html").read_text(encoding="utf-8")

    def test_it_never_overwrites(self, plan: ReleasePlan, tmp_path: Path) -> None:
        ids = [workflow.release(plan, out=tmp_path).release.id for _ in range(3)]
        assert ids == [f"rehearsal-jobs-in-two-places-r{number}" for number in (1, 2, 3)]


class TestLive:
    def test_the_charge_is_in_the_ledger_before_anything_is_drawn(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path
    ) -> None:
        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            bundle = workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key)
            (balance,) = ledger.balances()
            assert (balance.spent, balance.cap) == (Fraction(1), Fraction(8))
            draw = ledger.entries()[-1]
        assert (draw.kind, draw.release) == (EntryKind.DRAW, bundle.release.id)
        charge = bundle.release.charge
        assert charge is not None and (charge.entry, charge.head) == (draw.sequence, draw.hash)
        (verdict,) = workflow.verify(tmp_path / "out", [key.public])
        assert verdict.is_verified and not verdict.is_rehearsal

    def test_seeded_noise_and_the_demo_key_are_refused(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path
    ) -> None:
        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            with pytest.raises(SeededNoiseRefused):
                workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key, noise=RehearsalNoise(1))
            for no_key in (None, demo_key()):
                with pytest.raises(DemoKeyRefused):
                    workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=no_key)
            assert ledger.entries() == ()
        assert files_in(tmp_path / "out") == []

    def test_a_full_account_refuses_and_nothing_is_written(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path
    ) -> None:
        capped = replace(plan, allowance=Fraction("1.5"))
        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            workflow.release(capped, out=tmp_path / "out", ledger=ledger, key=key)
            before = files_in(tmp_path / "out")
            with pytest.raises(Refused, match=r"has 0\.5 left"):
                workflow.release(capped, out=tmp_path / "out", ledger=ledger, key=key)
            (balance,) = ledger.balances()
        assert balance.spent == 1
        assert files_in(tmp_path / "out") == before

    def test_the_ledger_itself_refuses_when_the_check_was_overtaken(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two officers pass the check at once; the ledger grants only what the cap holds."""
        monkeypatch.setattr(workflow, "_check_ledger", lambda plan, ledger: ())
        capped = replace(plan, allowance=Fraction("1.5"))
        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            workflow.release(capped, out=tmp_path / "out", ledger=ledger, key=key)
            before = files_in(tmp_path / "out")
            with pytest.raises(InsufficientAllowance):
                workflow.release(capped, out=tmp_path / "out", ledger=ledger, key=key)
        assert files_in(tmp_path / "out") == before

    def test_renaming_the_data_does_not_open_a_new_account(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path
    ) -> None:
        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key)
            renamed = replace(plan, data=replace(plan.data, name="Other places"))
            with pytest.raises(DatasetRenamed):
                workflow.release(renamed, out=tmp_path / "out", ledger=ledger, key=key)

    def test_an_interrupted_report_is_made_again_from_the_stored_draw(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_room(*_: object, **__: object) -> None:
            raise OutputError("report.html", "no space left")

        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            with monkeypatch.context() as patch:
                patch.setattr("workbench.report.bundle.write_bundle", no_room)
                with pytest.raises(OutputError):
                    workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key)
            (folder,) = (tmp_path / "out").iterdir()
            stored = json.loads((folder / "internal" / "draw.json").read_text())["noisy"]
            again = workflow.report(folder, key, ledger)
            (balance,) = ledger.balances()
        assert balance.spent == 1
        assert again.release.tables[0].raw.tolist() == stored[0]
        assert workflow.verify(folder)[0].is_verified


class TestRefusals:
    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ('epsilon = "1"', 'epsilon = "0"', "above 0"),
            ('epsilon = "1"', 'epsilon = "-1"', "above 0"),
            ('epsilon = "1"', 'epsilon = "1000000000"', "at most 20"),
            ('"001", "003", "005"', '"001", "005"', "not on the list"),
            (
                "[columns.sector]",
                '[columns.sektor]\nrole = "key"\ncodes = ["1"]\n[columns.sector]',
                "no column “sektor”",
            ),
        ],
    )
    def test_nothing_is_written(
        self, small_plan: Callable[..., Path], tmp_path: Path, old: str, new: str, words: str
    ) -> None:
        plan, _ = workflow.open_plan(small_plan((old, new)))
        with pytest.raises(Refused, match=words):
            workflow.release(plan, out=tmp_path / "out")
        assert files_in(tmp_path / "out") == []

    def test_records_without_the_needed_id(self, small_plan: Callable[..., Path], tmp_path: Path) -> None:
        path = small_plan(
            (
                '[protect]\nneighbors = "worker"',
                '[columns.pay]\nrole = "person-id"\n[protect]\nneighbors = "worker-history"',
            ),
            csv="place,sector,pay\n001,11,\n003,11,p1\n",
        )
        with pytest.raises(Refused, match="1 records have no “pay”"):
            workflow.release(workflow.open_plan(path)[0], out=tmp_path / "out")

    def test_a_file_in_the_way_of_the_folder(self, plan: ReleasePlan, key: SigningKey, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("in the way")
        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            with pytest.raises(OutputError):
                workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key)
            assert ledger.entries() == ()

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user")
    def test_a_read_only_folder(self, plan: ReleasePlan, tmp_path: Path) -> None:
        folder = tmp_path / "locked"
        folder.mkdir(mode=0o555)
        with pytest.raises(OutputError):
            workflow.release(plan, out=folder)

    def test_a_locked_ledger_charges_nothing(self, plan: ReleasePlan, key: SigningKey, tmp_path: Path) -> None:
        import sqlite3

        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            ledger.append(EntryKind.PROPOSE, by="A", about="B")
            other = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerLocked):
                workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key)
            other.execute("ROLLBACK")
            other.close()
            assert len(ledger.entries()) == 1
        assert files_in(tmp_path / "out") == []

    def test_cancel_before_paying_leaves_nothing(self, plan: ReleasePlan, key: SigningKey, tmp_path: Path) -> None:
        class AtTabulating(Stoppable):
            def show(self, words: str, done: int, total: int) -> None:
                if words == "Tabulating":
                    self.cancel()

        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            with pytest.raises(Cancelled):
                workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key, progress=AtTabulating())
            assert ledger.entries() == ()
        assert files_in(tmp_path / "out") == []

    def test_no_cancel_once_paid(self, plan: ReleasePlan, key: SigningKey, tmp_path: Path) -> None:
        class AtPaying(Stoppable):
            def show(self, words: str, done: int, total: int) -> None:
                if words == "Paying":
                    self.cancel()

        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key, progress=AtPaying())
        assert workflow.verify(tmp_path / "out")[0].is_verified


class TestOrder:
    def test_noise_that_fails_has_been_paid_and_saves_nothing(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path
    ) -> None:
        """A crash while drawing wastes the budget and leaks nothing."""

        class Broken(SystemNoise):
            def discrete_laplace(self, scale: Fraction, count: int) -> Integers:
                raise WorkbenchError("The generator stopped.")

        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            with pytest.raises(WorkbenchError, match="generator"):
                workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key, noise=Broken())
            assert ledger.balances()[0].spent == 1
        assert files_in(tmp_path / "out") == []

    def test_the_charge_is_on_disk_when_noise_is_asked_for(
        self, plan: ReleasePlan, key: SigningKey, tmp_path: Path
    ) -> None:
        seen: list[Fraction] = []

        class Watching(SystemNoise):
            def discrete_laplace(self, scale: Fraction, count: int) -> Integers:
                with workflow.open_ledger(tmp_path / "ledger.sqlite", create=False) as other:
                    seen.append(other.balances()[0].spent)
                return np.zeros(count, dtype=np.int64)

        with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
            workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key, noise=Watching())
        assert seen == [Fraction(1)]


def test_a_look_at_true_cells_is_logged_first_and_told_in_the_report(
    plan: ReleasePlan, key: SigningKey, tmp_path: Path
) -> None:
    with workflow.open_ledger(tmp_path / "ledger.sqlite") as ledger:
        sizes = workflow.look_at_true_cells(plan, workflow.data_of(plan), ledger, by="A. Moreno")
        assert ledger.entries()[-1].kind is EntryKind.VIEW_CONFIDENTIAL
        curve = workflow.preview(plan, Metric.SHARE_WITHIN, sizes=sizes)
        assert curve.source is Source.CONFIDENTIAL
        bundle = workflow.release(plan, out=tmp_path / "out", ledger=ledger, key=key)
    assert "looked at 1 time" in bundle.release.looked_at


def test_a_new_plan_leaves_every_decision_open(tmp_path: Path, small_plan: Callable[..., Path]) -> None:
    small_plan()
    dataset = workflow.open_data(tmp_path / "jobs.csv")
    plan = workflow.new_plan(dataset)
    assert [column.name for column in plan.columns] == ["place", "sector", "pay"]
    stages = {finding.stage.value for finding in workflow.check(plan, dataset)}
    assert stages == {"Cells", "Protection"}
