"""Writes the two lock files anew from pyproject.toml: `python3 installer/lock.py [--upgrade]`.

The locks name every package with its version and hashes, for Python 3.11 to 3.13 on Linux, Windows and macOS (Apple
silicon). requirements.lock has what the program needs, with the build backend, so that installing the project fetches
nothing unlocked; requirements-test.lock has the test tools and agrees with it. Versions already locked stay unless
they no longer fit pyproject.toml or `--upgrade` is given.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = "installer/requirements.lock"
TEST_LOCK = "installer/requirements-test.lock"

RESOLVER = "uv==0.13.8"  # pinned: another version may order or annotate the locks differently
COMPILE = (
    *("pip", "compile", "-", "--quiet", "--universal", "--python-version", "3.11", "--only-binary", ":all:"),
    *("--generate-hashes", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"),
    *("--custom-compile-command", "python3 installer/lock.py"),
)


def main(options: Sequence[str]) -> int:
    """Resolves what pyproject.toml asks for into the two lock files."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    with tempfile.TemporaryDirectory() as folder:
        resolver = install_resolver(Path(folder))
        compile_lock(resolver, project["dependencies"] + pyproject["build-system"]["requires"], LOCK, options)
        tests = project["optional-dependencies"]["test"]
        compile_lock(resolver, tests, TEST_LOCK, ["--constraints", LOCK, *options])
    return 0


def install_resolver(folder: Path) -> Path:
    """The program that resolves, in an environment of its own so that it never mixes with the project's."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([str(programs / "python"), "-m", "pip", "install", "--quiet", RESOLVER], check=True)
    return programs / "uv"


def compile_lock(resolver: Path, requirements: Sequence[str], lock: str, options: Sequence[str]) -> None:
    command = [str(resolver), *COMPILE, "--output-file", lock, *options]
    subprocess.run(command, input="\n".join(requirements), text=True, cwd=ROOT, check=True)
    print(f"Wrote {lock}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
