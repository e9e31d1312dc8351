"""A ledger on a network share is refused, whatever the share is called."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

import pytest

from workbench.errors import LedgerUnreadable
from workbench.ledger import shares
from workbench.ledger.book import open_ledger

MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/home /home nfs4 rw,vers=4.2 0 0
/dev/sdb1 /home/moreno/local xfs rw 0 0
//server/stats /mnt/Statistics\\040Office cifs rw 0 0
systemd-1 /srv/data autofs rw 0 0
host /srv/data 9p rw 0 0
moreno@host:/ /media/host fuse.sshfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/ledger.db", "ext4"),
        ("/homestead/ledger.db", "ext4"),
        ("/home/okafor/ledger.db", "nfs4"),
        ("/home/moreno/local/ledger.db", "xfs"),
        ("/mnt/Statistics Office/ledger.db", "cifs"),
        ("/srv/data/ledger.db", "9p"),
        ("/media/host/ledger.db", "fuse.sshfs"),
    ],
)
def test_the_deepest_and_latest_mount_decides(path, kind):
    assert shares.file_system_kind(PurePosixPath(path), MOUNTS) == kind


def test_without_a_list_of_mounts_nothing_is_known():
    assert shares.file_system_kind(PurePosixPath("/var/ledger.db"), "") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no list of mounts")
@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "ext4"])
def test_a_ledger_on_a_network_mount_is_refused(tmp_path, monkeypatch, kind):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda1 / ext4 rw 0 0\nserver:/x {str(tmp_path).replace(' ', chr(92) + '040')} {kind} rw 0 0\n"
    )
    monkeypatch.setattr(shares, "_MOUNTS", mounts)
    if kind == "ext4":
        open_ledger(tmp_path / "ledger.db").close()
        return
    with pytest.raises(LedgerUnreadable, match="it lies on a network share"):
        open_ledger(tmp_path / "ledger.db")
    assert not (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize(
    ("name", "is_share"),
    [
        (r"\\server\share\ledger.db", True),
        (r"\\?\UNC\server\share\ledger.db", True),
        (r"\\?\C:\data\ledger.db", False),
        (r"C:\data\ledger.db", False),
    ],
)
def test_windows_shares_are_known_by_their_path(name, is_share):
    assert shares.is_on_network_share(Path(name)) is is_share
