"""The house keeps its own rules: layers, packaging, first lines, one source of randomness, nothing undocumented."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from workbench import assets
from workbench.data.findings import Stage
from workbench.privacy.mechanisms import OFFERS

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "workbench").rglob("*.py"))
TOP_LEVEL = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE",
             "workbench", "resources", "tests", "installer", "sample_data"}  # fmt: skip


def test_every_package_is_in_the_wheel() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {".".join(file.parent.relative_to(ROOT).parts) for file in SOURCES}
    assert listed == found | {"workbench.resources", "workbench.sample_data"}


def test_the_top_level_holds_nothing_else() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    top = {name.split("/")[0] for name in tracked if name and not name.startswith(".")}
    assert top <= TOP_LEVEL


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_first_line_of_a_file_says_what_it_is_for(file: Path) -> None:
    words = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert words, "no docstring"
    assert len(words.splitlines()[0]) > 10


def test_only_the_noise_module_draws_randomness() -> None:
    drawing = re.compile(r"np\.random|numpy\.random|default_rng|os\.urandom|\bsecrets\.|\brandom\.\w+\(|opendp")
    guilty = [str(file.relative_to(ROOT)) for file in SOURCES if drawing.search(file.read_text(encoding="utf-8"))]
    assert guilty == [str(Path("workbench", "privacy", "noise.py"))]


@pytest.mark.parametrize("name", [*(stage.value for stage in Stage), "Start", "Ledger"])
def test_every_page_has_help(name: str) -> None:
    assert assets.text("help", f"{name.lower()}.md").startswith("# ")


@pytest.mark.parametrize("name", sorted({offer.method_sheet for offer in OFFERS}))
def test_every_mechanism_has_a_method_sheet(name: str) -> None:
    sheet = assets.text("methods", f"{name}.md")
    for heading in ("## Statement", "## Guarantee", "## Why it holds", "## What may be published"):
        assert heading in sheet


def test_starting_the_command_line_does_not_import_heavy_libraries() -> None:
    heavy = ("pandas", "matplotlib", "ibis", "opendp", "openpyxl", "PySide6")
    code = f"import workbench.cli, sys; print([name for name in {heavy} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert loaded == "[]"
