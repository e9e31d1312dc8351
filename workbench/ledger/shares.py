"""Whether a file lies on a network share, where file locks cannot keep two programs from spending at once."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

_MOUNTS = Path("/proc/mounts")
_NETWORK_KINDS = frozenset({
    "9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph", "fuse.davfs2", "fuse.glusterfs",
    "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
    "smb3", "smbfs",
})  # fmt: skip
# \\server\share and \\?\UNC\server\share, but not \\?\C:\ or \\.\device
_UNC = re.compile(r"\\\\(?![?.]\\)|\\\\\?\\UNC\\", re.IGNORECASE)


def is_on_network_share(path: Path) -> bool:
    """Judged by the path itself on Windows, where resolving a mapped drive names its server, and by mounts on Linux."""
    resolved = path.resolve()
    if _UNC.match(str(path)) or _UNC.match(str(resolved)):
        return True
    mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape") if _MOUNTS.exists() else ""
    return file_system_kind(resolved, mounts) in _NETWORK_KINDS


def file_system_kind(path: PurePath, mounts: str) -> str:
    """The kind of the deepest mount that holds the path; of several at one point, the latest hides the others."""
    kind, depth = "", 0
    for point, its_kind in map(_mount, mounts.splitlines()):
        if path.is_relative_to(point) and len(point.parts) >= depth:
            kind, depth = its_kind, len(point.parts)
    return kind


def _mount(line: str) -> tuple[PurePath, str]:
    _, point, kind, *_ = line.split()
    return PurePath(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), point)), kind
