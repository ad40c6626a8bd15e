"""Where a workspace lies, and whether what is written there stays."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path

_MOUNTS = Path("/proc/mounts")
"""Linux's own list of file systems; elsewhere it is absent."""

_IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/run")


def why_temporary(path: Path, *, mounts: Path = _MOUNTS) -> str:
    """Why a file may be gone one day without anybody deleting it, in one sentence; else empty.

    Args:
        path: The file, whether it exists or not.
        mounts: The list of file systems.
    """
    place = os.path.realpath(path)
    if _file_system(place, _mount_lines(mounts)) in _IN_MEMORY:
        return "It lies in the computer's memory and is lost when the computer restarts."
    folder = next((f for f in _temporary_folders() if _is_under(place, f)), None)
    if folder is not None:
        return f"It lies under {folder}, which the system may empty at any time."
    return ""


def shown_path(path: Path) -> str:
    """The path as people write it: their home folder as ``~``."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):  # elsewhere, or a person without a home
        return str(path)


def typed_path(path: Path) -> str:
    """The path as it is typed in a shell, where a tilde stands for the home folder if unquoted."""
    shown = shown_path(path)
    return f"~/{shlex.quote(shown[2:])}" if shown.startswith("~/") else shlex.quote(shown)


def _temporary_folders() -> Iterable[str]:
    return dict.fromkeys([os.path.realpath(tempfile.gettempdir()), *_TEMPORARY])


def _is_under(place: str, folder: str) -> bool:
    return os.path.commonpath([place, folder]) == folder


def _mount_lines(mounts: Path) -> list[str]:
    try:
        return mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []


def _file_system(place: str, lines: Iterable[str]) -> str:
    """The kind of the file system that holds the place: of the longest mount point above it.

    Lines are those of proc(5): device, mount point, kind; of two mounted at one point the later
    hides the earlier.
    """
    best, kind = "", ""
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[1])
        if point.startswith("/") and len(point) >= len(best) and _is_under(place, point):
            best, kind = point, fields[2]
    return kind
