"""Reading small files that a person names, and writing files whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from audit_app.errors import InputError

MAX_TEXT_BYTES = 50_000_000

_WRITERS = 16
"""Files on their way to the disk at once: a disk takes many in about the time of one."""


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InputError: It is missing, no file, unreadable or larger than 50 MB.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise InputError(f"{path} cannot be read: it is a folder")
        if not stat.S_ISREG(found.st_mode):  # a pipe or a device could hang or never end
            raise InputError(f"{path} cannot be read: it is not a regular file")
        if found.st_size > MAX_TEXT_BYTES:
            raise InputError(f"{path} is larger than {MAX_TEXT_BYTES // 1_000_000} MB")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def read_text(path: Path) -> str:
    """The content of a text file in UTF-8, with or without a byte order mark.

    Raises:
        InputError: It cannot be read, or is not UTF-8.
    """
    return decoded_text(read_bytes(path), str(path))


def decoded_text(content: bytes, source: str) -> str:
    """Text in UTF-8, with or without a byte order mark.

    Raises:
        InputError: It is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source} is not text in UTF-8 (byte {error.start}); save it as UTF-8"
        ) from error


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write files so that each is either the old one or the new one, never half.

    All of them are on the disk under other names before the first takes its place, so that a full
    disk leaves the old ones together.

    Raises:
        InputError: A folder cannot be written, or the disk is full.
    """
    with ExitStack() as undo:
        with ThreadPoolExecutor(_WRITERS) as pool:
            beside = list(pool.map(partial(_write_beside, undo), files, files.values()))
        written = dict(zip(files, beside, strict=True))
        for path, temporary in written.items():
            try:
                temporary.replace(path)
            except OSError as error:
                raise InputError(f"{path} cannot be written: {error.strerror}") from error


def _write_beside(undo: ExitStack, path: Path, content: bytes) -> Path:
    """Write the content to a file of another name in the same folder, gone when ``undo`` closes."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".assay-")
        temporary = Path(name)
        undo.callback(temporary.unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    return temporary
