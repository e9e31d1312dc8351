"""A byte flipped anywhere in any public file of a real bundle is found, and that file is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import workflow
from workbench.privacy.noise import RehearsalNoise

PLACES = 12


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(__file__).parents[2]
    plan, _ = workflow.open_plan(root / "sample_data" / "plans" / "tract_mobility.toml")
    return workflow.release(plan, out=tmp_path_factory.mktemp("out"), noise=RehearsalNoise(1)).public


def flips(content: bytes) -> list[bytes]:
    places = {0, len(content) - 1, *(len(content) * part // PLACES for part in range(PLACES))}
    return [content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in sorted(places)]


def test_every_flipped_byte_names_its_file(public: Path) -> None:
    files = sorted(public.iterdir())
    assert len(files) >= 8
    for path in files:
        content = path.read_bytes()
        for altered in flips(content):
            path.write_bytes(altered)
            (verdict,) = workflow.verify(public)
            assert not verdict.is_verified
            assert path.name in [problem.file for problem in verdict.problems]
        path.write_bytes(content)
    assert workflow.verify(public)[0].is_verified


@pytest.mark.parametrize("act", ["remove", "add", "rename"])
def test_files_that_come_or_go_are_named(public: Path, act: str) -> None:
    path = public / "noisy_measurements.csv"
    moved = public / "other.csv"
    acts: dict[str, tuple[Callable[[], object], Callable[[], object], str]] = {
        "remove": (path.unlink, lambda: path.write_bytes(content), path.name),
        "add": (lambda: moved.write_text("x"), moved.unlink, moved.name),
        "rename": (lambda: path.rename(moved), lambda: moved.rename(path), moved.name),
    }
    content = path.read_bytes()
    do, undo, named = acts[act]
    do()
    (verdict,) = workflow.verify(public)
    undo()
    assert named in [problem.file for problem in verdict.problems]
    assert workflow.verify(public)[0].is_verified
