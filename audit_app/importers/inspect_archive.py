"""An Inspect log as parts: header, summaries and samples, from an ``.eval`` archive or ``.json``.

The listing comes from the summaries and a sample's body is read when it is its turn, one at a
time; its events, messages and attachments are skipped while it is read. A log that a crash left
without its header is read from its journal. Attachments stay the references that they are.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BufferedReader
from typing import Any, Protocol, TypeVar

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.errors import InputError, RowRejectedError
from audit_app.importers.lines import json_fault
from audit_app.importers.source import Source, ZipSource, reading, why

ADVICE = "write it anew with `inspect log convert --to json`, or with `inspect log dump`"
LAYOUT_VERSION = 2
"""The newest version of the layout that is known."""
SAMPLE_LIMIT = 200_000_000
"""Bytes of one sample, unpacked: the longest agent runs with all their events stay below."""
LOG_LIMIT = 500_000_000
"""Bytes of a ``.json`` log, which has to be read whole, and of the summaries of an archive."""

_NOT_A_NUMBER = re.compile(r"^-?(NaN|Infinity) is not a JSON value")
_ZSTANDARD = 93
_FAULTS = (RuntimeError, ValueError, KeyError)
T = TypeVar("T")


class Eval(msgspec.Struct):
    """What was evaluated."""

    task: str
    model: str
    scorers: list[Any] | None = None


class Header(msgspec.Struct):
    """The head of a log."""

    eval: Eval
    version: int = LAYOUT_VERSION
    status: str = ""


class Summary(msgspec.Struct):
    """One line of the listing."""

    id: Any
    epoch: int = 1
    scores: dict[str, msgspec.Raw] | None = None


class Sample(msgspec.Struct):
    """One sample; what is not named here is skipped."""

    id: Any
    epoch: int = 1
    input: Any = None
    choices: list[Any] | None = None
    target: Any = None
    output: Any = None
    scores: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    error: Any = None
    limit: Any = None


class _JsonLog(msgspec.Struct):
    eval: Eval
    version: int = LAYOUT_VERSION
    status: str = ""
    samples: list[msgspec.Raw] | None = None


class Log(Protocol):
    """A log whose samples are read one by one.

    Attributes:
        name: Its name.
        header: Its head.
        rules: Names of the scorers that graded it.
    """

    name: str
    header: Header
    rules: list[str]

    def samples(self) -> Iterator[tuple[str, Sample | RowRejectedError]]:
        """(where, sample), or the reason why a sample cannot be read."""
        ...


@contextmanager
def open_log(source: Source, name: str) -> Iterator[Log]:
    """The log in a file.

    Raises:
        RowRejectedError: It is no complete log of a layout that is known; line 0.
    """
    with source.open(name) as stream:
        with reading(name):
            is_archive = stream.peek(2)[:2] == b"PK" or name.endswith(".eval")
        if not is_archive:
            yield _JsonFile(name, _read(stream, name, LOG_LIMIT))
            return
        try:
            archive = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, OSError, EOFError, *_FAULTS) as error:
            reason = f"is not a complete Inspect log ({why(error)})"
            raise RowRejectedError(name, 0, reason) from error
        with archive:
            try:
                members = ZipSource(archive, name)
            except InputError as error:
                raise RowRejectedError(name, 0, str(error)) from error
            _require_zstandard(archive, name)
            yield _Archive(name, members)


class _Archive:
    """A log packed as a zip."""

    def __init__(self, name: str, members: ZipSource) -> None:
        self.name, self._members = name, members
        head = next((n for n in ("header.json", "_journal/start.json") if self._has(n)), None)
        if head is None:
            raise RowRejectedError(name, 0, f"has a layout that is not known; {ADVICE}")
        self.header = _checked(self._decoded(head, Header, SAMPLE_LIMIT), name)
        self._samples = sorted(
            n for n in members.names() if n.startswith("samples/") and n.endswith(".json")
        )
        self._listing = self._summaries()
        found = [rule for summary in self._listing for rule in summary.scores or ()]
        self.rules = list(dict.fromkeys(found)) or _named_scorers(self.header)
        if self._listing and not self._samples:
            raise RowRejectedError(name, 0, f"keeps its samples in a way not known; {ADVICE}")

    def samples(self) -> Iterator[tuple[str, Sample | RowRejectedError]]:
        for member in self._samples:
            where = f"{self.name}/{member}"
            try:
                yield where, self._decoded(member, Sample, SAMPLE_LIMIT)
            except RowRejectedError as error:
                yield where, error
        missing = len(self._listing) - len(self._samples)
        if missing > 0:
            reason = f"lists {missing} samples more than it holds"
            yield self.name, RowRejectedError(self.name, 0, reason)

    def _summaries(self) -> list[Summary]:
        if self._has("summaries.json"):
            return self._decoded("summaries.json", list[Summary], LOG_LIMIT)
        journal = [n for n in self._members.names() if n.startswith("_journal/summaries/")]
        return [
            summary
            for name in sorted(journal)
            for summary in self._decoded(name, list[Summary], LOG_LIMIT)
        ]

    def _has(self, member: str) -> bool:
        return member in self._members.names()

    def _decoded(self, member: str, kind: type[T], limit: int) -> T:
        where = f"{self.name}/{member}"
        try:
            with self._members.open(member) as stream:
                data = _read(stream, where, limit)
        except RowRejectedError as error:
            raise RowRejectedError(where, 0, error.reason) from error
        return _decode(data, kind, where)


class _JsonFile:
    """A log as one JSON document."""

    def __init__(self, name: str, data: bytes) -> None:
        log = _decode(data, _JsonLog, name)
        self.name = name
        self.header = _checked(Header(log.eval, log.version, log.status), name)
        self._samples = log.samples or []
        found: dict[str, None] = {}
        for raw in self._samples:
            with suppress(msgspec.DecodeError, RecursionError, UnicodeError):
                found.update(dict.fromkeys(msgspec.json.decode(raw, type=Summary).scores or ()))
        self.rules = list(found) or _named_scorers(self.header)

    def samples(self) -> Iterator[tuple[str, Sample | RowRejectedError]]:
        for number, raw in enumerate(self._samples, start=1):
            try:
                yield self.name, _decode(bytes(raw), Sample, f"sample {number}")
            except RowRejectedError as error:
                reason = f"sample {number}: {error.reason}"
                yield self.name, RowRejectedError(self.name, 0, reason)


def _named_scorers(header: Header) -> list[str]:
    scorers = header.eval.scorers or []
    names = [s.get("name") for s in scorers if isinstance(s, dict)]
    return [name for name in dict.fromkeys(names) if isinstance(name, str)]


def _checked(header: Header, name: str) -> Header:
    if header.version > LAYOUT_VERSION:
        reason = f"has layout version {header.version}, newer than {LAYOUT_VERSION}; {ADVICE}"
        raise RowRejectedError(name, 0, reason)
    return header


def _require_zstandard(archive: zipfile.ZipFile, name: str) -> None:
    """Make zstandard members readable, as newer logs have them."""
    if all(member.compress_type != _ZSTANDARD for member in archive.infolist()):
        return
    if getattr(zipfile, "ZIP_ZSTANDARD", None) is None:  # Python 3.14 reads it by itself
        try:
            import_module("zipfile_zstd")
        except ImportError as error:
            reason = "is packed with zstandard: install assay-audit[inspect], or " + ADVICE
            raise RowRejectedError(name, 0, reason) from error


def _unpacking_faults() -> tuple[type[Exception], ...]:
    """What unpacking raises on damaged bytes, besides what every stream does."""
    packers = (sys.modules.get(name) for name in ("zstandard", "compression.zstd"))
    return (*_FAULTS, *(packer.ZstdError for packer in packers if packer is not None))


def _read(stream: BufferedReader, name: str, limit: int) -> bytes:
    with reading(name):
        try:
            data = stream.read(limit + 1)
        except _unpacking_faults() as error:
            raise RowRejectedError(name, 0, f"cannot be unpacked ({why(error)})") from error
    if len(data) > limit:
        raise RowRejectedError(name, 0, f"is larger than {limit // 1_000_000} MB; {ADVICE}")
    return data


def _decode(data: bytes, kind: type[T], name: str) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        reason = f"has not the shape of an Inspect log ({why(error)}); {ADVICE}"
        raise RowRejectedError(name, 0, reason) from error
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        reason = json_fault(data, error)
        if _NOT_A_NUMBER.search(reason):
            return _decode(_with_nulls(data, name), kind, name)
        raise RowRejectedError(name, 0, reason) from error


def _with_nulls(data: bytes, name: str) -> bytes:
    """JSON with null for NaN and the infinities, which Inspect writes for undefined metrics."""
    try:
        return encode(json.loads(data, parse_constant=lambda _: None))
    except (ValueError, RecursionError) as error:
        raise RowRejectedError(name, 0, "the log is not JSON, or is nested too deeply") from error
