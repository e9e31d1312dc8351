"""Two commands on a fresh machine: each sets up all it needs by itself, then does its work.

    python3 installer/bootstrap.py run [PLAN]            opens the window, or rehearses the sample without a display
    python3 installer/bootstrap.py test [PYTEST OPTION]  runs every check; with options, only the tests they choose
    python3 installer/bootstrap.py setup                 only sets up what `run` needs

Nothing but the standard library is used, and Python 3.8 can still read this file, so that an unsuitable Python is
told so in a sentence.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SUPPORTED = ((3, 13), (3, 12), (3, 11))
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "bootstrap.json"
LOG = VENV / "bootstrap.log"
UNFINISHED = {"set-up": "unfinished"}

# Every package is written as the names it goes by, the preferred first and the one any release knows last.
WINDOW_PACKAGES = (
    ("libglib2.0-0t64", "libglib2.0-0"),
    ("libegl1",),
    ("libgl1",),
    ("libdbus-1-3",),
    ("libfontconfig1",),
    ("libxkbcommon-x11-0",),
    ("libxcb-cursor0",),
    ("libxcb-icccm4",),
    ("libxcb-keysyms1",),
    ("libxcb-shape0",),
    ("fonts-liberation",),
)
TEST_PACKAGES = (
    ("xvfb",),
    ("xauth",),
    ("openssl",),
    ("libreoffice-calc-nogui", "libreoffice-calc"),
)


class SetUpFailed(Exception):
    """A step of the set-up did not succeed; the message is the sentence to show."""


@dataclass(frozen=True)
class Layer:
    """One call of pip; it is due again when the file that decides it changes."""

    title: str
    source: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Purpose:
    """What a command needs on the machine and in the virtual environment."""

    packages: tuple[tuple[str, ...], ...]
    layers: tuple[Layer, ...]
    programs: tuple[str, ...]


def locked(title: str, lock: str) -> Layer:
    """What a lock names, and wheels only: building a source archive would fetch build tools that no lock names."""
    return Layer(title, lock, ("--require-hashes", "--only-binary", ":all:", "--requirement", lock))


DEPENDENCIES = locked("the locked dependencies", "installer/requirements.lock")
TEST_TOOLS = locked("the locked test tools", "installer/requirements-test.lock")
PROJECT = Layer("the project", "pyproject.toml", ("--no-deps", "--no-build-isolation", "--editable", "."))

RUN = Purpose(WINDOW_PACKAGES, (DEPENDENCIES, PROJECT), ("python", "workbench"))
TEST = Purpose(
    WINDOW_PACKAGES + TEST_PACKAGES,
    (DEPENDENCIES, TEST_TOOLS, PROJECT),
    ("python", "workbench", "ruff", "mypy", "lint-imports", "pytest"),
)

# The tests come after these, last, so that their summary closes the output.
CHECKS = (
    ("Lint", ("ruff", "check", ".")),
    ("Types", ("mypy",)),
    ("Import contracts", ("lint-imports",)),
)


def main(arguments: Sequence[str]) -> int:
    """Does what the first argument names, with a Python that the project supports."""
    if not arguments or arguments[0] not in COMMANDS:
        is_question = list(arguments) in (["-h"], ["--help"])
        print(__doc__.strip(), file=sys.stdout if is_question else sys.stderr)
        return 0 if is_question else 2
    try:
        if sys.version_info[:2] not in SUPPORTED:
            return become([*supported_python(), __file__, *arguments])
        return COMMANDS[arguments[0]](arguments[1:])
    except SetUpFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The set-up could not go on: {error}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped; the next call mends what is unfinished.", file=sys.stderr)
        return 130


def run(arguments: Sequence[str]) -> int:
    """Opens the window; without a display, rehearses the sample release instead."""
    set_up(RUN)
    if has_display(os.environ, sys.platform):
        say("Opening the window.")
        return become([program("workbench"), "gui", *arguments])
    say("There is no display, so no window: rehearsing the sample release by command line instead.")
    return rehearse_sample()


def test(arguments: Sequence[str]) -> int:
    """Runs every check up to the first that fails; with arguments, only the tests they choose."""
    set_up(TEST)
    os.chdir(ROOT)
    for title, (tool, *options) in () if arguments else CHECKS:
        say(title)
        code = subprocess.call([program(tool), *options])
        if code:
            return code
    say("Tests")
    return become([program("pytest"), *arguments], QT_QPA_PLATFORM="offscreen")


def setup(arguments: Sequence[str]) -> int:
    """Sets up what `run` needs and stops there."""
    set_up(RUN)
    say(f"Ready: {program('workbench')}")
    return 0


COMMANDS = {"run": run, "test": test, "setup": setup}


def rehearse_sample() -> int:
    """The sample release in Rehearsal, in a fresh folder outside the project."""
    plan = ROOT / "sample_data" / "plans" / "lodes_jobs.toml"
    bundle = Path(tempfile.mkdtemp(prefix="release-workbench-")) / "rehearsal"
    release = [program("workbench"), "release", str(plan), "--rehearsal", "--seed", "1", "--out", str(bundle)]
    code = subprocess.call(release)
    if code == 0:
        say(f"The bundle is in {bundle}")
        say(f"Verify it with: {shlex.join([program('workbench'), 'verify', str(bundle)])}")
    return code


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Whether a window can open; a Qt platform chosen by hand counts as one."""
    if platform in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def supported_python() -> list[str]:
    """The command of another Python on this machine that the project supports."""
    for version in map(dotted, SUPPORTED):
        for command in (["python" + version], ["py", "-" + version]):
            if shutil.which(command[0]) and version_of(command) == version:
                return [str(shutil.which(command[0])), *command[1:]]
    this = dotted(sys.version_info[:3])
    raise SetUpFailed(
        f"Release Workbench needs Python {dotted(SUPPORTED[-1])} to {dotted(SUPPORTED[0])}; "
        f"this is Python {this}, and no other was found on this machine."
    )


def dotted(version: Sequence[object]) -> str:
    return ".".join(map(str, version))


def version_of(python: Sequence[str], needs: str = "sys") -> str:
    """Major and minor version of a Python; empty when it does not start or lacks a module it needs."""
    question = f"import sys, {needs}; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([*python, "-c", question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def set_up(purpose: Purpose) -> None:
    """Brings the machine and the virtual environment to what the purpose needs; quick when nothing is missing."""
    install_packages(purpose.packages + venv_package())
    wanted, stamp = wanted_stamp(purpose), read_stamp(STAMP)
    if is_complete(purpose, stamp, wanted):
        return
    reason = reason_to_rebuild(stamp, wanted)
    if reason:
        say(f"Making the virtual environment .venv: {reason}.")
        make_environment()
        stamp = {}
    write_stamp(STAMP, UNFINISHED)
    for layer in layers_due(purpose, stamp, wanted):
        say(f"Installing {layer.title}.")
        install(layer)
    write_stamp(STAMP, {**stamp, **wanted})


def wanted_stamp(purpose: Purpose) -> dict[str, str]:
    """What the stamp says once the environment fits the purpose: its Python, its place, what decided each layer."""
    decided = {layer.source: hashlib.sha256((ROOT / layer.source).read_bytes()).hexdigest() for layer in purpose.layers}
    return {"python": dotted(sys.version_info[:2]), "folder": str(ROOT), **decided}


def read_stamp(path: Path) -> dict[str, str]:
    """What the last set-up left; empty where there was none."""
    try:
        stamp: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        return UNFINISHED
    return stamp


def write_stamp(path: Path, stamp: Mapping[str, str]) -> None:
    """Replaces the stamp in one move, so that a crash leaves the old one or the new one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(stamp, indent=2), encoding="utf-8")
    fresh.replace(path)


def is_complete(purpose: Purpose, stamp: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Whether the environment already has all that the purpose needs."""
    return wanted.items() <= stamp.items() and all(Path(program(name)).exists() for name in purpose.programs)


def reason_to_rebuild(stamp: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """Why an incomplete environment cannot be mended in place; empty when it can."""
    if not Path(program("python")).exists():
        return "there is none yet"
    if stamp == UNFINISHED:
        return "its last set-up did not finish"
    if stamp.get("folder", wanted["folder"]) != wanted["folder"]:
        return "the project's folder was moved"
    if version_of([program("python")], needs="pip") != wanted["python"]:
        return f"it has no working Python {wanted['python']}"
    if wanted.items() <= stamp.items():
        return "some of its programs are gone"
    return ""


def layers_due(purpose: Purpose, stamp: Mapping[str, str], wanted: Mapping[str, str]) -> list[Layer]:
    """The layers whose deciding file is not the one they were installed from."""
    return [layer for layer in purpose.layers if stamp.get(layer.source) != wanted[layer.source]]


def make_environment() -> None:
    """An empty virtual environment in place of whatever was there."""
    if VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    write_stamp(STAMP, UNFINISHED)
    # Started from inside the environment, this Python has just been deleted; the one it was made from has not.
    base = getattr(sys, "_base_executable", sys.executable)
    quietly([base, "-m", "venv", str(VENV)], "The virtual environment could not be made.")


def install(layer: Layer) -> None:
    pip = [program("python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    quietly([*pip, "--progress-bar", "off", *layer.options], f"Installing {layer.title} failed.")


def install_packages(packages: Sequence[tuple[str, ...]]) -> None:
    """Installs what is missing on Debian and Ubuntu; other systems are left alone."""
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        return
    missing = missing_packages(packages, installed_packages())
    if not missing:
        return
    privilege = root_privilege()
    if privilege is None:
        command = shlex.join(["sudo", "apt-get", "install", *map(offered_name, missing)])
        say(f"System packages are missing that this account may not install; please ask IT to run: {command}")
        return
    apt = [*privilege, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]
    say("Reading the list of system packages.")
    logged([*apt, "update"])  # one unreachable source must not stop what the others offer
    names = [offered_name(names) for names in missing]
    say(f"Installing system packages: {' '.join(names)}.")
    quietly([*apt, "install", "--yes", "--no-install-recommends", *names], "The system packages were not installed.")


def missing_packages(packages: Sequence[tuple[str, ...]], installed: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """The packages of which no name is installed."""
    return tuple(names for names in packages if not any(name in installed for name in names))


def installed_packages() -> frozenset[str]:
    """Every package name that dpkg counts as present."""
    query = ["dpkg-query", "--show", "--showformat", "${db:Status-Status}\\t${Package}\\t${Provides}\\n"]
    return present_names(subprocess.run(query, stdout=subprocess.PIPE, text=True).stdout)


def present_names(listing: str) -> frozenset[str]:
    """Names of the installed packages in a dpkg listing, with those they provide for renamed ones."""
    rows = (line.split("\t") for line in listing.splitlines())
    present = [(package, provides) for status, package, provides in rows if status == "installed"]
    provided = (name.split()[0] for _, provides in present for name in provides.split(",") if name.strip())
    return frozenset(package for package, _ in present).union(provided)


def offered_name(names: tuple[str, ...]) -> str:
    """The first of a package's names that this release of the system offers."""
    *preferred, last = names
    return next((name for name in preferred if succeeds(["apt-cache", "show", name])), last)


def venv_package() -> tuple[tuple[str, ...], ...]:
    """Debian keeps the modules that make virtual environments in a package of their own, one for each Python."""
    is_there = find_spec("venv") and find_spec("ensurepip")
    return () if is_there else ((f"python{dotted(sys.version_info[:2])}-venv",),)


def root_privilege() -> list[str] | None:
    """What to put before a command to run it as root without a question; None when that is not permitted."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and succeeds(["sudo", "-n", "true"]) else None


def program(name: str) -> str:
    """The path of a program in the virtual environment."""
    folder, suffix = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
    return str(VENV / folder / (name + suffix))


def succeeds(command: Sequence[str]) -> bool:
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def quietly(command: Sequence[str], failure: str) -> None:
    """Runs a step whose output matters only when it fails."""
    if logged(command):
        step = LOG.read_text(encoding="utf-8", errors="replace").rpartition("\n> ")[2]
        ending = "\n".join(step.splitlines()[-15:])
        raise SetUpFailed(f"{ending}\n{failure} The lines above say why; the whole output is in {LOG}.")


def logged(command: Sequence[str]) -> int:
    """Runs a step with its output in the log; returns its exit code."""
    VENV.mkdir(exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    with LOG.open("a", encoding="utf-8") as log:
        print(">", shlex.join(command), file=log, flush=True)
        return subprocess.call(
            command, cwd=ROOT, env=clean, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )


def become(command: Sequence[str], **environment: str) -> int:
    """Hands over to the command for good, so that its signals and exit code are its own."""
    os.environ.update(environment)
    if os.name != "nt":  # there, handing over would return to the prompt at once
        os.execv(command[0], list(command))
    return subprocess.call(command)


def say(sentence: str) -> None:
    print(sentence, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
