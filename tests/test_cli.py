"""The command line as scripts use it: JSON on standard output, exit codes, plain sentences, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from workbench.cli import DISPLAYS, PASSPHRASE, main

Write = Callable[..., Path]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, dict[str, Any], str]]:
    """Runs a command with --json: exit code, the document, and what was said beside it."""

    def command(*words: object) -> tuple[int, dict[str, Any], str]:
        code = main([*map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return command


def test_inspect_lists_columns_and_findings(run: Any, small_plan: Write, tmp_path: Path) -> None:
    small_plan(csv="place,,pay\n001,x,1\n")
    code, document, _ = run("inspect", tmp_path / "jobs.csv")
    assert code == 0
    assert [column["name"] for column in document["columns"]] == ["place", "column B", "pay"]
    assert document["columns"][0]["examples"] == ["001"]
    assert document["findings"][0]["where"] == "B1"


def test_new_writes_a_plan_with_open_decisions(run: Any, small_plan: Write, tmp_path: Path) -> None:
    small_plan()
    code, document, _ = run("new", tmp_path / "jobs.csv", "--out", tmp_path / "first.toml")
    assert code == 0 and document["open"]
    code, checked, _ = run("check", tmp_path / "first.toml")
    assert code == 1 and not checked["ok"]
    code, _, said = run("new", tmp_path / "jobs.csv", "--out", tmp_path / "first.toml")
    assert code == 1 and "exists already" in said


def test_check_passes_a_complete_plan(run: Any, small_plan: Write) -> None:
    code, document, said = run("check", small_plan())
    assert (code, document["ok"], document["cells"]) == (0, True, {"place-sector": 6})
    assert "Nothing stands in the way" in said


def test_mechanisms_of_a_plan(run: Any, small_plan: Write) -> None:
    _, general, _ = run("mechanisms")
    claims = {one["mechanism"]: one["claims"] for one in general["mechanisms"]}
    assert claims["geometric"]["worker"] == "formal DP (pure)" and "strong-alpha" not in claims["geometric"]
    assert claims["joint-t"] == {"strong-alpha": "formal variant: (α, ε)-ER-EE"}
    _, fitting, _ = run("mechanisms", small_plan())
    best, *others = fitting["statistics"]
    assert best["mechanism"] == "geometric" and best["chosen"] and best["admissible"]
    assert best["margin_95"] == 3 and best["claim"] == "formal DP (pure)"
    assert others and not any(one["admissible"] for one in others)
    assert all(one["reason"] for one in others)
    _, unfit, _ = run("mechanisms", small_plan(('kind = "count"', 'kind = "mean"')))
    assert not unfit["statistics"][0]["admissible"]


def test_preview_solves_and_draws(run: Any, small_plan: Write, tmp_path: Path) -> None:
    chart = tmp_path / "chart.png"
    code, document, _ = run(
        "preview", small_plan(), "--metric", "margin", "--epsilons", "0.5,1,2", "--solve", "margin<=3", "--chart", chart
    )
    assert code == 0
    assert document["lines"][0]["values"] == [6.0, 3.0, 1.0]
    assert document["solved"]["epsilon"] == "0.84"
    assert chart.read_bytes().startswith(b"\x89PNG")


def test_confidential_preview_is_logged_and_its_chart_refused(run: Any, small_plan: Write, tmp_path: Path) -> None:
    ledger, chart = tmp_path / "ledger.sqlite", tmp_path / "chart.png"
    code, document, _ = run("preview", small_plan(), "--confidential", "--ledger", ledger)
    assert (code, document["source"]) == (0, "confidential")
    code, document, _ = run("preview", small_plan(), "--confidential", "--ledger", ledger, "--chart", chart)
    assert (code, chart.exists()) == (1, False)
    _, listed, _ = run("ledger", "list", "--ledger", ledger)
    assert [entry["kind"] for entry in listed["entries"]].count("view-confidential") == 2


def test_rehearse_then_verify_then_alter(run: Any, small_plan: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, released, _ = run("release", small_plan(), "--rehearsal", "--seed", 1, "--out", out)
    assert (code, released["mode"], released["charged"]) == (0, "rehearsal", "0")
    assert run("verify", out)[0] == 0
    altered = Path(released["public"]) / "noisy_measurements.csv"
    altered.write_bytes(altered.read_bytes().replace(b"001", b"002", 1))
    code, verdict, _ = run("verify", out)
    assert code == 1
    assert [problem["file"] for problem in verdict["bundles"][0]["problems"]] == ["noisy_measurements.csv"]


def test_a_live_release_from_key_to_ledger(
    run: Any, small_plan: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE, "four words in a row")
    _, key, _ = run("keys", "new", "A. Moreno", "--folder", tmp_path)
    ledger = tmp_path / "ledger.sqlite"
    live = ("release", small_plan(), "--out", tmp_path / "out", "--ledger", ledger, "--key", key["key"])
    code, released, _ = run(*live)
    assert (code, released["charged"]) == (0, "1")
    assert run("ledger", "verify", "--ledger", ledger)[0] == 0
    _, listed, _ = run("ledger", "list", "--ledger", ledger)
    assert listed["accounts"][0]["remaining"] == "7"
    bundle = Path(released["bundle"])
    trusted = bundle / "public" / "public_keys.json"
    assert run("verify", bundle, "--trust", trusted)[0] == 0
    monkeypatch.setenv(PASSPHRASE, "some other words here")
    code, refused, _ = run(*live)
    assert code == 1 and "passphrase does not open" in refused["error"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("inspect", "{tmp}/none.xlsx"), "There is no file"),
        (("inspect", "{tmp}"), "is a folder"),
        (("check", "{tmp}/none.toml"), "There is no file"),
        (("verify", "{tmp}"), "no release bundle"),
        (("verify", "{tmp}/none"), "There is no file"),
        (("ledger", "list", "--ledger", "{tmp}/none.sqlite"), "cannot be opened"),
        (("ledger", "verify", "--ledger", "postgresql://x"), "SQLite"),
        (("release", "{plan}", "--out", "{tmp}/out"), "no usable signing key"),
        (("preview", "{plan}", "--solve", "nonsense"), "cannot be understood"),
    ],
)
def test_refusals_are_sentences(run: Any, small_plan: Write, tmp_path: Path, words: Any, sentence: str) -> None:
    plan = small_plan()
    code, document, said = run(*(word.format(tmp=tmp_path, plan=plan) for word in words))
    assert (code, document["ok"]) == (1, False)
    assert sentence in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["release", "plan.toml"], ["preview", "p", "--epsilons", "0,x"], ["ledger"],
     ["release", "p", "--out", "o", "--rehearsal", "--seed", "-1"], ["release", "p", "--out", "o", "--seed", "1"]],
)  # fmt: skip
def test_wrong_usage_exits_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_the_window_without_a_display_is_a_sentence(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    code, document, said = run("gui")
    assert (code, document["ok"]) == (1, False)
    assert "no display" in said


def test_the_installed_command_runs(small_plan: Write, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "workbench", "check", str(small_plan()), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)


def test_inspect_tells_how_a_messy_file_was_read_and_takes_corrections(run: Any, tmp_path: Path) -> None:
    text = "Jobs 2025;;\nplace;pay;Größe\n001;1.234,5;(D)\n\n002;7,25;9\nSource: nobody;;\n"
    (tmp_path / "jobs.csv").write_bytes(text.encode("cp1252"))
    code, document, _ = run("inspect", tmp_path / "jobs.csv")
    assert (code, document["rows"], document["header_row"]) == (0, 2, 2)
    used = document["layout"]
    assert (used["encoding"], used["delimiter"], used["decimal"], used["last_row"]) == ("windows-1252", ";", ",", 5)
    assert document["row_counts"] == {"above": 1, "header": 1, "records": 2, "blank": 1, "hidden": 0, "footer": 1}
    place, pay, size = document["columns"]
    assert (place["type"], pay["type"], size["name"]) == ("code", "number", "Größe")
    assert pay["examples"] == ["1234.5", "7.25"]
    assert (size["suppressed"], size["markers"][0]["text"], size["markers"][0]["first_row"]) == (1, "(D)", 3)
    assert {"rows-left-out", "markers", "number-format"} <= {finding["check"] for finding in document["findings"]}
    code, corrected, _ = run("inspect", tmp_path / "jobs.csv", "--header-row", 1, "--header-rows", 2, "--last-row", 3)
    assert corrected["columns"][0]["name"] == "Jobs 2025 | place"
    assert (corrected["rows"], corrected["row_counts"]["footer"]) == (1, 3)


def test_inspect_marks_hidden_sheets_and_asks_about_hidden_rows(run: Any, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["place", "pay"], ["001", 5], ["002", 6]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    book.create_sheet("old").sheet_state = "hidden"
    book.save(tmp_path / "jobs.xlsx")
    _, document, _ = run("inspect", tmp_path / "jobs.xlsx")
    assert document["sheets"] == [{"name": "Sheet", "visibility": "visible"}, {"name": "old", "visibility": "hidden"}]
    (stop,) = [finding for finding in document["findings"] if finding["severity"] == "block"]
    assert (stop["check"], stop["where"]) == ("hidden-parts", "Sheet!A3")
    _, decided, _ = run("inspect", tmp_path / "jobs.xlsx", "--hidden", "leave-out")
    assert (decided["rows"], decided["layout"]["hidden"]) == (1, "leave-out")
