"""Reading small files that a person names, and writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from audit_app.errors import InputError

MAX_TEXT_BYTES = 50_000_000


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InputError: It is missing, no file, unreadable or larger than 50 MB.
    """
    try:
        if path.stat().st_size > MAX_TEXT_BYTES:
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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is either the old one or the new one, never half.

    Raises:
        InputError: The folder cannot be written, or the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
