"""Where importers read from: a folder or a zip file, as named byte streams and nothing more.

A zip is never unpacked. One whose names point outside of it, or which is encrypted, is refused
whole. Files that are not regular (pipes, devices, sockets) are never opened: they could hang.
"""

from __future__ import annotations

import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from audit_app.errors import InputError, RowRejectedError

MAX_DEPTH = 20
"""Folders below the named one that are searched; trees of results lie up to 7 deep in a clone."""
MAX_NAMES = 100_000
"""Files looked at before the search is given up: someone named their home folder by mistake."""
MAX_MEMBER_BYTES = 2_000_000_000
"""Unpacked size of one zip member; about 500 times the largest file of BFCL v4."""

_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_ENCRYPTED = 0x1
_UNREADABLE = (
    OSError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
)


class Source(Protocol):
    """Named byte streams."""

    def names(self) -> Collection[str]:
        """Names of the files, relative and with forward slashes."""
        ...

    def open(self, name: str) -> BufferedReader:
        """A stream over one of them.

        Raises:
            RowRejectedError: It cannot be opened; line 0.
        """
        ...


def why(error: BaseException) -> str:
    """The cause in a few words of one line, without paths."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(text.split())[:200]


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn whatever stops a stream half way into the rejection of the whole file.

    Raises:
        RowRejectedError: Reading failed inside the block; line 0.
    """
    try:
        yield
    except _UNREADABLE as error:
        raise RowRejectedError(name, 0, f"cannot be read to its end ({why(error)})") from error


def open_regular(path: Path, name: str) -> BufferedReader:
    """Open a file that is a file.

    Raises:
        RowRejectedError: It is absent, not a regular file, or not readable; line 0.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "is a folder, not a file" if stat.S_ISDIR(mode) else "is not a regular file"
            raise RowRejectedError(name or str(path), 0, what)
        return path.open("rb")
    except OSError as error:
        raise RowRejectedError(name, 0, f"cannot be opened ({why(error)})") from error


class FolderSource:
    """The files of a folder, searched a few levels deep; linked folders are not entered."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names = frozenset(self._walk())

    def names(self) -> Collection[str]:
        """Names of the files, relative and with forward slashes."""
        return self._names

    def open(self, name: str) -> BufferedReader:
        """A stream over one of them."""
        return open_regular(self._root / name, name)

    def _walk(self) -> Iterator[str]:
        def refuse(error: OSError) -> None:
            if Path(error.filename) == self._root:
                raise InputError(f"the folder {self._root} cannot be read ({why(error)})")

        count = 0
        for folder, subfolders, files in os.walk(self._root, onerror=refuse):
            relative = Path(folder).relative_to(self._root)
            if len(relative.parts) >= MAX_DEPTH:
                subfolders.clear()
            subfolders[:] = [
                s for s in subfolders if not s.startswith(".") and s not in _SKIPPED_FOLDERS
            ]
            count += len(files)
            if count > MAX_NAMES:
                raise InputError(
                    f"{self._root} holds more than {MAX_NAMES:,} files; name the data folder itself"
                )
            yield from ((relative / file).as_posix() for file in files)


class ZipSource:
    """The members of a zip file, read in place."""

    def __init__(self, archive: zipfile.ZipFile, label: str) -> None:
        self._archive = archive
        for member in archive.infolist():
            _refuse_unsafe(member, label)
        members = [member for member in archive.infolist() if not member.is_dir()]
        self._members = {member.filename: member for member in members}
        if len(self._members) < len(members):
            raise InputError(f"{label} holds two members of one name; build the zip anew")

    def names(self) -> Collection[str]:
        """Names of the members."""
        return self._members.keys()

    def open(self, name: str) -> BufferedReader:
        """A stream over one of them; it yields no more bytes than the member declares."""
        member = self._members[name]
        if member.file_size > MAX_MEMBER_BYTES:
            raise RowRejectedError(
                name, 0, f"unpacks to {member.file_size:,} bytes, more than {MAX_MEMBER_BYTES:,}"
            )
        with reading(name):
            # ZipExtFile reads lines slowly by itself; a buffer of its own makes up for it.
            return BufferedReader(cast("zipfile.ZipExtFile", self._archive.open(member)))


def _refuse_unsafe(member: zipfile.ZipInfo, label: str) -> None:
    # zipfile cuts a name at its first NUL and turns backslashes round; the original is judged.
    name = member.orig_filename
    parts = name.replace("\\", "/").split("/")
    if not parts[0] or ".." in parts or parts[0].endswith(":") or "\0" in name:
        raise InputError(
            f"{label} holds the name {name!r}, which points outside of it; nothing was read"
        )
    if member.flag_bits & _ENCRYPTED:
        raise InputError(f"{label} is encrypted ({name!r}); give it without a password")


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """The folder or zip file at ``path``, whichever it is.

    Raises:
        InputError: There is nothing, it is neither of the two, or it must not be trusted.
    """
    try:
        is_folder = path.is_dir()
    except OSError as error:
        raise InputError(f"{path} cannot be opened ({why(error)})") from error
    if is_folder:
        yield FolderSource(path)
        return
    with open_regular(path, str(path)) as stream, _open_zip(stream, path) as archive:
        yield ZipSource(archive, path.name)


def _open_zip(stream: BinaryIO, path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except (*_UNREADABLE, ValueError, struct.error) as error:
        raise InputError(
            f"{path} is neither a folder nor a complete zip file ({why(error)})"
        ) from error
