"""A whole audit as a folder of plain files: what its manifest says, written and read with care.

The manifest names every file with its size and SHA-256. Files are JSON lines in UTF-8 that end in
LF. Nothing in the folder tells where or when it was written, so that equal audits give equal bytes.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from pydantic import Field, ValidationError

from audit_app.domain.record import Record
from audit_app.errors import InputError
from audit_app.storage.audit_rows import Line
from audit_app.storage.audit_tables import AUDIT_TABLES
from audit_app.storage.benchmark_rows import CONTENT_FILES, OUTPUT_FILES

MANIFEST, VERSION_FILE = "manifest.json", "benchmark.jsonl"
FORMAT, FORMAT_VERSION = "assay.audit", 1
"""The version rises when a file changes its meaning or goes away."""

FILES = (
    VERSION_FILE,
    *CONTENT_FILES,
    *OUTPUT_FILES,
    *(table.file for table in AUDIT_TABLES),
)
"""Every file there can be, in the order of reading."""

_MAX_MANIFEST = 1_000_000
MAX_LINE = 64_000_000
"""Bytes of a line: above any task or request, below what fills the memory."""


class ListedFile(Record):
    """One file of the folder."""

    name: str
    lines: int = Field(ge=1)
    bytes: int = Field(ge=1)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class NamedAudit(Record):
    """The audit of a folder."""

    id: str
    name: str
    frame_hash: str


class NamedBenchmark(Record):
    """The benchmark version of a folder."""

    name: str
    content_hash: str


class Manifest(Record):
    """What a folder holds."""

    format: Literal["assay.audit"]
    format_version: Literal[1]
    audit: NamedAudit
    benchmark: NamedBenchmark
    files: tuple[ListedFile, ...]


class AuditFolder:
    """A folder that is read; nothing in it is trusted.

    Attributes:
        manifest: What it says it holds.

    Raises:
        InputError: It is no export of an audit, or one of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.manifest = self._read_manifest()
        self._listed = {file.name: file for file in self.manifest.files}
        for name in self._listed:
            if name not in FILES:
                raise InputError(f"{path / MANIFEST} lists {name[:80]!r}, which is no file of it")
        if len(self._listed) < len(self.manifest.files):
            raise InputError(f"{path / MANIFEST} lists a file twice")

    def _read_manifest(self) -> Manifest:
        path = self._path / MANIFEST
        if not self._path.is_dir():
            raise InputError(f"{self._path} is no folder; name the one assay audit export wrote")
        with _opened(path) as file:
            content = file.read(_MAX_MANIFEST + 1)
        if len(content) > _MAX_MANIFEST:
            raise InputError(f"{path} is no manifest: it is larger than 1 MB")
        try:
            document = msgspec.json.decode(content)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise InputError(f"{path} is not JSON: {error}") from error
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise InputError(f"{path} is no manifest of an exported audit")
        version = document.get("format_version")
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise InputError(
                f"{path} has format version {version}, and this version of Assay reads up to "
                f"{FORMAT_VERSION}; update Assay to import it"
            )
        try:
            return Manifest.model_validate(document)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise InputError(f"{path} is damaged: {where}: {first['msg']}") from error

    def has(self, name: str) -> bool:
        """Whether the manifest lists a file."""
        return name in self._listed

    def require_whole(self) -> None:
        """Read every file once, so that nothing is made of a folder that was changed.

        Raises:
            InputError: A file is missing, a link, or not what the manifest says.
        """
        for name in self._listed:
            for _ in self.lines(name):
                pass

    def lines(self, name: str) -> Iterator[Line]:
        """The lines of a file, none where it is not listed; whole, what the manifest says of it.

        Raises:
            InputError: The file is missing, a link, or not what the manifest says.
        """
        listed = self._listed.get(name)
        if listed is None:
            return
        path, digest, number = self._path / name, sha256(), 0
        with _opened(path) as file:
            if os.fstat(file.fileno()).st_size != listed.bytes:
                raise _changed(path, "its size differs")
            while text := file.readline(MAX_LINE + 1):
                number += 1
                if len(text) > MAX_LINE:
                    raise InputError(
                        f"{path}:{number}: the line is longer than {MAX_LINE // 1_000_000} MB"
                    )
                digest.update(text)
                if not text.endswith(b"\n"):
                    raise _changed(path, "its last line has no end")
                yield Line(f"{name}:{number}", text[:-1])
        if digest.hexdigest() != listed.sha256 or number != listed.lines:
            raise _changed(path, "its hash differs")


def _changed(path: Path, how: str) -> InputError:
    return InputError(f"{path} is not the file that was exported: {how} from the manifest")


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """A regular file, not through a link and never waiting for one."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise InputError(f"{path} is missing; the folder is not a whole export") from error
    except OSError as error:
        reason = "it is a link" if path.is_symlink() else error.strerror
        raise InputError(f"{path} cannot be read: {reason}") from error
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise InputError(f"{path} cannot be read: it is not a regular file")
        yield file


def write_folder(
    out: Path,
    audit: NamedAudit,
    benchmark: NamedBenchmark,
    files: Mapping[str, Callable[[], Iterable[bytes]]],
) -> list[Path]:
    """Write a folder whole or not at all; an earlier export there is replaced. Its files.

    Args:
        out: The folder, absolute.
        audit: Whose it is.
        benchmark: The version it is pinned to.
        files: Name → lines without their ends; a file without lines is not written.

    Raises:
        InputError: The folder holds something else, or cannot be written.
    """
    _require_replaceable(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".assay-") as place:
            made = Path(place) / "made"
            made.mkdir()
            listed = tuple(
                file for name, lines in files.items() if (file := _write(made / name, lines()))
            )
            manifest = Manifest(
                format=FORMAT,
                format_version=FORMAT_VERSION,
                audit=audit,
                benchmark=benchmark,
                files=listed,
            )
            text = manifest.model_dump_json(indent=2) + "\n"
            _write(made / MANIFEST, text.encode().splitlines())
            if out.exists():
                out.rename(Path(place) / "before")
            made.rename(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    return [out / MANIFEST, *(out / file.name for file in listed)]


def _write(path: Path, lines: Iterable[bytes]) -> ListedFile | None:
    digest, count, size = sha256(), 0, 0
    with path.open("wb") as file:
        for line in lines:
            text = line + b"\n"
            file.write(text)
            digest.update(text)
            count += 1
            size += len(text)
        file.flush()
        os.fsync(file.fileno())
    if not count:
        path.unlink()
        return None
    return ListedFile(name=path.name, lines=count, bytes=size, sha256=digest.hexdigest())


def _require_replaceable(out: Path) -> None:
    """Refuse a place whose content is no earlier export."""
    if not out.exists():
        return
    if not out.is_dir() or out.is_symlink():
        raise InputError(f"{out} is no folder; name one that is new or holds an earlier export")
    names = sorted(entry.name for entry in out.iterdir())
    other = [name for name in names if name not in (MANIFEST, *FILES)]
    if other or (names and MANIFEST not in names):
        raise InputError(
            f"{out} holds {(other or names)[0]!r}, which is no export of an audit; name a folder "
            "that is new or empty"
        )
