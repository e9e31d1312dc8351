"""A folder for what does not fit into memory; it is removed when the program ends, also when it is killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import IO

_PREFIX = "release-workbench-"
_IN_USE = "in use"
_WATCH = 'read -r _; rm -rf -- "$1"'
_SETTLED_AFTER_SECONDS = 60

_held: list[object] = []  # the locks and watchers of this process, kept until it ends


@cache
def scratch_folder() -> Path:
    """The folder of this process: readable by this user alone, and watched from the moment it exists."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_roomy()))
    lock = (folder / _IN_USE).open("w", encoding="utf-8")
    _take(lock)
    _held.extend((lock, _watcher(folder)))
    for other in folder.parent.glob(f"{_PREFIX}*"):
        if other != folder and _is_abandoned(other):
            shutil.rmtree(other, ignore_errors=True)
    return folder


def _roomy() -> str:
    """/tmp is often kept in memory, which is what must be spared; a folder the user chose comes first."""
    chosen = any(os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    roomy = Path("/var/tmp")
    return tempfile.gettempdir() if chosen or not os.access(roomy, os.W_OK) else str(roomy)


def _is_abandoned(folder: Path) -> bool:
    """Whether a power failure left it: nobody holds its lock, and nobody is about to take it."""
    try:
        if time.time() - folder.stat().st_mtime < _SETTLED_AFTER_SECONDS:
            return False
        with (folder / _IN_USE).open("w", encoding="utf-8") as lock:
            _take(lock)
    except OSError:
        return False
    return True


if sys.platform == "win32":
    import atexit
    import msvcrt

    def _take(lock: IO[str]) -> None:
        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)

    def _watcher(folder: Path) -> object:
        """Open files cannot be deleted here: what a crash leaves, the next start removes."""
        return atexit.register(shutil.rmtree, folder, ignore_errors=True)

else:
    import fcntl

    def _take(lock: IO[str]) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _watcher(folder: Path) -> object:
        """A small process waits until the pipe to this one breaks, however this one ends, and removes the folder."""
        return subprocess.Popen(
            ["/bin/sh", "-c", _WATCH, "sh", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd="/", start_new_session=True,
        )  # fmt: skip
