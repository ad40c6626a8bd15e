from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from audit_app.errors import InputError
from audit_app.services.files import write_whole


def test_a_disk_that_fills_half_way_leaves_the_old_files_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "report.md", tmp_path / "report.json"]
    write_whole({path: b"old" for path in paths})
    synced = []

    def fill_up(handle: int) -> None:
        synced.append(handle)
        if len(synced) == len(paths):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fill_up)
    with pytest.raises(InputError, match=r"report\.json cannot be written: No space left"):
        write_whole({path: b"new" for path in paths})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "report.md": b"old",
        "report.json": b"old",
    }
