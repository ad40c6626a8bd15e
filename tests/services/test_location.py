"""Where the workspace lies, and whether that is said to be temporary."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from audit_app.services.location import shown_path, typed_path, why_temporary

MOUNTS = r"""
/dev/sda1 / ext4 rw 0 0
tmpfs /run tmpfs rw 0 0
tmpfs /srv/in\040memory tmpfs rw 0 0
/dev/sdb1 /srv/in\040memory/disk ext4 rw 0 0
ramfs /srv/twice ramfs rw 0 0
/dev/sdc1 /srv/twice ext4 rw 0 0
broken
"""


@pytest.fixture
def mounts(tmp_path: Path) -> Path:
    path = tmp_path / "mounts"
    path.write_text(MOUNTS)
    return path


@pytest.mark.parametrize(
    ("place", "says"),
    [
        pytest.param("/tmp/assay.db", "under /tmp", id="temporary folder"),
        pytest.param("/var/tmp/a/assay.db", "under /var/tmp", id="below the other one"),
        pytest.param("/dev/shm/assay.db", "under /dev/shm", id="shared memory"),
        pytest.param("/srv/in memory/assay.db", "computer's memory", id="file system in memory"),
        pytest.param("/srv/in memory/disk/assay.db", "", id="a disk mounted inside it"),
        pytest.param("/srv/in memory2/assay.db", "", id="a name that begins alike"),
        pytest.param("/srv/twice/assay.db", "", id="the later mount hides the earlier"),
        pytest.param("/home/ada/tmp/assay.db", "", id="a folder of one's own that is called tmp"),
    ],
)
def test_r08_a_temporary_place_is_known(mounts: Path, place: str, says: str) -> None:
    why = why_temporary(Path(place), mounts=mounts)
    assert (says in why) if says else (why == "")


def test_r08_the_temporary_folder_of_this_system_counts(
    monkeypatch: pytest.MonkeyPatch, mounts: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/home/ada/scratch")
    assert "/home/ada/scratch" in why_temporary(Path("/home/ada/scratch/a.db"), mounts=mounts)


def test_r08_a_link_is_followed(tmp_path: Path, mounts: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("/srv/in memory")
    assert "memory" in why_temporary(link / "assay.db", mounts=mounts)


def test_r08_without_the_system_s_list_the_folder_still_tells() -> None:
    assert why_temporary(Path("/tmp/a.db"), mounts=Path("/nowhere"))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("/home/ada/audits/assay.db", "~/audits/assay.db", id="at home"),
        pytest.param("/srv/assay.db", "/srv/assay.db", id="elsewhere"),
        pytest.param("/home/adam/assay.db", "/home/adam/assay.db", id="in another's home"),
    ],
)
def test_the_home_folder_is_a_tilde(path: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert shown_path(Path(path)) == shown


@pytest.mark.parametrize("name", ["audits/assay.db", "my audits/it's $5.db"])
def test_a_shell_reads_the_path_that_was_meant(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for home in (tmp_path, tmp_path / "elsewhere"):
        monkeypatch.setenv("HOME", str(home))
        said = subprocess.run(
            ["sh", "-c", f"printf %s {typed_path(tmp_path / name)}"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert said.stdout == str(tmp_path / name)
