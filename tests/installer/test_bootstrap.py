"""The set-up promises: a plain word to the wrong Python, only what is missing, mended when interrupted, all locked."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import os
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "installer" / "requirements.lock"
TEST_LOCK = ROOT / "installer" / "requirements-test.lock"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# dpkg's rows: state, name, what it stands in for.
BOOKWORM = "installed\tlibglib2.0-0\t\ninstalled\tlibegl1\t\ndeinstalled\tlibgl1\t\n"
TRIXIE = "installed\tlibglib2.0-0t64\tlibglib2.0-0 (= 2.84.4-3)\ninstalled\tlibegl1\t\n"

posix_only = pytest.mark.skipif(os.name == "nt", reason="makes a program from a shell script")


def load_bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "installer" / "bootstrap.py")
    assert spec and spec.loader
    module = sys.modules["bootstrap"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bootstrap = load_bootstrap()
THIS_PYTHON = bootstrap.dotted(sys.version_info[:2])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder with a space in its name, with locks that ask for nothing."""
    root = tmp_path / "a project"
    (root / "installer").mkdir(parents=True)
    for layer in bootstrap.TEST.layers:
        (root / layer.source).write_text("", encoding="utf-8")
    monkeypatch.setattr(bootstrap, "ROOT", root)
    for name in ("VENV", "STAMP", "LOG"):
        monkeypatch.setattr(bootstrap, name, root / getattr(bootstrap, name).relative_to(ROOT))
    return root


def make_program(folder: Path, name: str, script: str = "exit 0") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def make_programs(*names: str) -> None:
    for name in names:
        path = Path(bootstrap.program(name))
        make_program(path.parent, path.name, f"echo {THIS_PYTHON}")


# The right Python


def test_an_old_python_can_read_the_file() -> None:
    ast.parse((ROOT / "installer" / "bootstrap.py").read_text(encoding="utf-8"), feature_version=(3, 8))


def test_the_supported_pythons_are_those_of_pyproject() -> None:
    allowed = Requirement(f"python{PYPROJECT['project']['requires-python']}").specifier
    versions = [f"3.{minor}" for minor in range(8, 20)]
    assert [v for v in versions if v in allowed] == sorted(map(bootstrap.dotted, bootstrap.SUPPORTED))


def test_an_unsuitable_python_alone_on_the_machine_is_told_so_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(bootstrap, "SUPPORTED", ((3, 99), (3, 98)))
    assert bootstrap.main(["run"]) == 1
    this = bootstrap.dotted(sys.version_info[:3])
    assert f"needs Python 3.98 to 3.99; this is Python {this}" in capsys.readouterr().err


@posix_only
def test_a_supported_python_on_the_path_is_preferred_to_one_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path, "python3.13", "exit 127")
    make_program(tmp_path, "python3.12", "echo 3.12")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.supported_python() == [str(tmp_path / "python3.12")]


def test_a_python_that_lacks_a_module_it_needs_has_no_version() -> None:
    assert bootstrap.version_of([sys.executable]) == THIS_PYTHON
    assert bootstrap.version_of([sys.executable], needs="no_such_module") == ""
    assert bootstrap.version_of(["no-such-python"]) == ""


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["fly"], 2), (["--help"], 0)])
def test_other_arguments_show_the_commands(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(arguments) == code
    shown = capsys.readouterr()
    assert "bootstrap.py run" in (shown.out if code == 0 else shown.err)


# System packages


def test_a_bare_machine_misses_every_package() -> None:
    packages = bootstrap.TEST.packages
    assert bootstrap.missing_packages(packages, bootstrap.present_names("")) == packages


def test_a_removed_package_is_missing_and_an_installed_one_is_not() -> None:
    missing = bootstrap.missing_packages(bootstrap.WINDOW_PACKAGES, bootstrap.present_names(BOOKWORM))
    assert ("libgl1",) in missing
    assert not {"libglib2.0-0", "libegl1"} & set(itertools.chain(*missing))


@pytest.mark.parametrize("listing", [TRIXIE, "installed\tlibglib2.0-0t64\t\n"], ids=["providing", "not providing"])
def test_the_renamed_glib_counts_as_glib(listing: str) -> None:
    missing = bootstrap.missing_packages(bootstrap.WINDOW_PACKAGES, bootstrap.present_names(listing))
    assert not {"libglib2.0-0", "libglib2.0-0t64"} & set(itertools.chain(*missing))


def test_a_package_provided_by_another_is_present() -> None:
    assert "libglib2.0-0" in bootstrap.present_names(TRIXIE)


def test_either_variant_of_the_spreadsheet_program_will_do() -> None:
    names = ("libreoffice-calc-nogui", "libreoffice-calc")
    assert names in bootstrap.TEST.packages
    assert bootstrap.missing_packages([names], {"libreoffice-calc"}) == ()


@posix_only
@pytest.mark.parametrize(("known", "expected"), [("libglib2.0-0t64", "libglib2.0-0t64"), ("other", "libglib2.0-0")])
def test_the_name_this_release_offers_is_asked_for(
    known: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path, "apt-cache", f'[ "$2" = {known} ]')
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.offered_name(("libglib2.0-0t64", "libglib2.0-0")) == expected


@pytest.mark.parametrize("is_there", [True, False])
def test_the_package_for_environments_is_needed_only_without_its_modules(
    is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "find_spec", lambda module: is_there or module != "ensurepip")
    assert bootstrap.venv_package() == (() if is_there else ((f"python{THIS_PYTHON}-venv",),))


@posix_only
def test_who_may_not_install_is_told_what_to_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("dpkg-query", "apt-get", "apt-cache"):
        make_program(tmp_path, name)
    make_program(tmp_path, "sudo", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    bootstrap.install_packages([("xvfb",), ("xauth",)])
    assert "please ask IT to run: sudo apt-get install xvfb xauth" in capsys.readouterr().out


def test_a_machine_without_apt_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    bootstrap.install_packages(bootstrap.TEST.packages)
    assert capsys.readouterr().out == ""


# The stamp


def test_a_stamp_is_read_as_it_was_written(tmp_path: Path) -> None:
    stamp = {"python": "3.11", "folder": "somewhere"}
    bootstrap.write_stamp(tmp_path / "stamp.json", stamp)
    assert bootstrap.read_stamp(tmp_path / "stamp.json") == stamp


def test_no_stamp_says_nothing_and_a_torn_one_says_unfinished(tmp_path: Path) -> None:
    assert bootstrap.read_stamp(tmp_path / "stamp.json") == {}
    (tmp_path / "stamp.json").write_text('{"python": "3.', encoding="utf-8")
    assert bootstrap.read_stamp(tmp_path / "stamp.json") == bootstrap.UNFINISHED


@pytest.mark.parametrize("layer", bootstrap.TEST.layers, ids=lambda layer: layer.source)
def test_a_changed_file_makes_its_layer_due_and_no_other(layer: bootstrap.Layer, project: Path) -> None:
    before = bootstrap.wanted_stamp(bootstrap.TEST)
    assert bootstrap.layers_due(bootstrap.TEST, before, before) == []
    (project / layer.source).write_text("changed", encoding="utf-8")
    assert bootstrap.layers_due(bootstrap.TEST, before, bootstrap.wanted_stamp(bootstrap.TEST)) == [layer]


def test_after_run_the_tests_need_only_their_tools(project: Path) -> None:
    stamp, wanted = bootstrap.wanted_stamp(bootstrap.RUN), bootstrap.wanted_stamp(bootstrap.TEST)
    assert bootstrap.layers_due(bootstrap.TEST, stamp, wanted) == [bootstrap.TEST_TOOLS]


def test_after_the_tests_run_needs_nothing_more(project: Path) -> None:
    make_programs(*bootstrap.TEST.programs)
    stamp, wanted = bootstrap.wanted_stamp(bootstrap.TEST), bootstrap.wanted_stamp(bootstrap.RUN)
    assert bootstrap.is_complete(bootstrap.RUN, stamp, wanted)


def test_an_environment_without_one_of_its_programs_is_not_complete(project: Path) -> None:
    wanted = bootstrap.wanted_stamp(bootstrap.RUN)
    make_programs("python")
    assert not bootstrap.is_complete(bootstrap.RUN, wanted, wanted)
    make_programs("workbench")
    assert bootstrap.is_complete(bootstrap.RUN, wanted, wanted)


@posix_only
@pytest.mark.parametrize(
    ("stamp", "reason"),
    [
        (bootstrap.UNFINISHED, "its last set-up did not finish"),
        ({"folder": "elsewhere"}, "the project's folder was moved"),
        ({}, ""),
    ],
)
def test_the_reason_for_making_the_environment_anew_is_said(stamp: dict[str, str], reason: str, project: Path) -> None:
    wanted = bootstrap.wanted_stamp(bootstrap.RUN)
    assert bootstrap.reason_to_rebuild(stamp, wanted) == "there is none yet"
    make_programs("python")
    assert bootstrap.reason_to_rebuild(stamp, wanted) == reason


@posix_only
def test_an_environment_of_another_python_is_made_anew(project: Path) -> None:
    make_programs("python")
    wanted = {**bootstrap.wanted_stamp(bootstrap.RUN), "python": "3.99"}
    assert bootstrap.reason_to_rebuild({}, wanted) == "it has no working Python 3.99"


def test_an_interrupted_set_up_heals_and_a_finished_one_is_left_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    purpose = bootstrap.Purpose((), (bootstrap.DEPENDENCIES,), ("python",))
    make_programs("python")
    debris = bootstrap.VENV / "half-installed"
    debris.touch()
    bootstrap.write_stamp(bootstrap.STAMP, bootstrap.UNFINISHED)

    bootstrap.set_up(purpose)
    assert "did not finish" in capsys.readouterr().out
    assert not debris.exists()
    assert bootstrap.version_of([bootstrap.program("python")], needs="pip") == THIS_PYTHON
    assert bootstrap.read_stamp(bootstrap.STAMP) == bootstrap.wanted_stamp(purpose)

    debris.touch()
    bootstrap.set_up(purpose)
    assert capsys.readouterr().out == ""
    assert debris.exists()


def test_a_failed_step_shows_the_end_of_its_output_and_a_sentence(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    noisy = "import sys; print(*range(100), sep='\\n'); sys.exit('no such wheel')"
    step = [sys.executable, "-c", noisy]
    bootstrap.logged([sys.executable, "-c", "print('an earlier step')"])
    monkeypatch.setitem(bootstrap.COMMANDS, "setup", lambda _: bootstrap.quietly(step, "Installing the wheel failed."))
    assert bootstrap.main(["setup"]) == 1
    shown = capsys.readouterr().err
    assert "no such wheel" in shown
    assert "Installing the wheel failed." in shown
    assert "\n50\n" not in shown
    assert "an earlier step" not in shown


# The display


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_a_window_is_opened_only_where_it_can_be_seen(
    environment: dict[str, str], platform: str, expected: bool
) -> None:
    assert bootstrap.has_display(environment, platform) is expected


# The locks


def entries(lock: Path) -> list[str]:
    """One text for each requirement, with its hashes."""
    lines = [line for line in lock.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(lines).replace("\\\n", " ").splitlines()


def pins(lock: Path) -> list[Requirement]:
    return [Requirement(entry.split("--hash")[0].strip()) for entry in entries(lock)]


def pinned(lock: Path, name: str, python: str, platform: str) -> list[Version]:
    """The versions of a package that the lock installs on one kind of machine."""
    machine = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": platform}
    matching = [pin for pin in pins(lock) if canonicalize_name(pin.name) == canonicalize_name(name)]
    fitting = [pin for pin in matching if pin.marker is None or pin.marker.evaluate(machine)]
    return [Version(specifier.version) for pin in fitting for specifier in pin.specifier]


@pytest.mark.parametrize("lock", [LOCK, TEST_LOCK], ids=lambda lock: lock.name)
def test_every_requirement_is_pinned_and_hashed(lock: Path) -> None:
    hashed = re.compile(r"(\s*--hash=sha256:[0-9a-f]{64})+\s*")
    for entry in entries(lock):
        pin, first, hashes = entry.partition("--hash")
        assert hashed.fullmatch(first + hashes), pin
        assert [specifier.operator for specifier in Requirement(pin.strip()).specifier] == ["=="], pin


@pytest.mark.parametrize("lock", [LOCK, TEST_LOCK], ids=lambda lock: lock.name)
def test_the_locks_name_no_index_and_no_path(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index|--find-links|\.(org|com|net|io)\b|(^|\s)/\w", text)


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_every_dependency_of_pyproject_is_locked_once_at_a_version_it_allows(python: str, platform: str) -> None:
    project = PYPROJECT["project"]
    runtime = [(LOCK, text) for text in project["dependencies"] + PYPROJECT["build-system"]["requires"]]
    tools = [(TEST_LOCK, text) for text in project["optional-dependencies"]["test"]]
    for lock, text in runtime + tools:
        wanted = Requirement(text)
        versions = pinned(lock, wanted.name, python, platform)
        assert len(versions) == 1, f"{text}: {versions}"
        assert versions[0] in wanted.specifier, text


def test_both_locks_agree() -> None:
    runtime = {canonicalize_name(pin.name) for pin in pins(LOCK)}
    shared = {str(pin) for pin in pins(TEST_LOCK) if canonicalize_name(pin.name) in runtime}
    assert shared <= {str(pin) for pin in pins(LOCK)}


def test_qt_stays_below_the_version_that_aborts() -> None:
    for name in ("PySide6-Essentials", "shiboken6"):
        (version,) = pinned(LOCK, name, "3.11", "linux")
        assert version < Version("6.12")
