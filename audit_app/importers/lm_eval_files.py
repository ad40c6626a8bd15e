"""Samples files of lm-evaluation-harness: which they are, their suite, model and records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

import msgspec

from audit_app.errors import RowRejectedError
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import read_lines, read_objects
from audit_app.importers.lm_eval_sample import Sample, sample_of
from audit_app.importers.log_files import log_names
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import Source, open_regular, reading

_NAME = re.compile(
    r"samples_(?P<suite>.+?)(?:_(?P<time>\d{4}-\d{2}-\d{2}T[0-9:.-]+))?\.(?:jsonl|json)"
)
_RESULTS_LIMIT = 50_000_000
"""Bytes of a results file, which is read whole for the name of its model."""


class _Filter(msgspec.Struct):
    filter: Any = None


class _Results(msgspec.Struct):
    model_name: Any = None


_decode_filter = msgspec.json.Decoder(_Filter).decode
_decode_results = msgspec.json.Decoder(_Results).decode


@dataclass(frozen=True)
class SampleFile:
    """One samples file.

    Attributes:
        name: Its name in the source.
        suite: The evaluation task it belongs to.
        time: The time in its name, which its results file shares.
    """

    name: str
    suite: str
    time: str


def sample_files(source: Source, path: Path) -> list[SampleFile]:
    """The samples files of a source.

    Raises:
        InputError: There is none.
    """
    what = "samples file of lm-evaluation-harness (samples_TASK_TIME.jsonl)"
    return [_described(name) for name in log_names(source, path, _is_samples, what)]


def _is_samples(name: str) -> bool:
    return _NAME.fullmatch(PurePosixPath(name).name) is not None


def _described(name: str) -> SampleFile:
    file = PurePosixPath(name)
    match = _NAME.fullmatch(file.name)
    if match is None:
        return SampleFile(name, file.stem, "")
    return SampleFile(name, match["suite"], match["time"] or "")


def read_samples(
    source: Source, file: SampleFile, rejected: list[RejectedRow]
) -> Iterator[tuple[int, Sample]]:
    """(line, sample) of a samples file; what cannot be used is rejected."""
    try:
        with source.open(file.name) as stream:
            for line, record in read_objects(stream, file.name, rejected):
                try:
                    yield line, sample_of(record)
                except ShapeError as error:
                    rejected.append(RejectedRow(file.name, line, str(error)))
    except RowRejectedError as error:
        rejected.append(RejectedRow.of(error))


def filters_of(source: Source, file: SampleFile) -> dict[str, None]:
    """The filters that a samples file grades by, in order; faults are left to the reading of it."""
    found: dict[str, None] = {}
    try:
        with source.open(file.name) as stream:
            for _, data in read_lines(stream, file.name):
                try:
                    name = None if data is None else _decode_filter(data).filter
                except (msgspec.DecodeError, RecursionError, UnicodeError):
                    continue
                if isinstance(name, str):
                    found[name] = None
    except RowRejectedError:
        return found
    return found


def model_of(source: Source, path: Path, file: SampleFile, rejected: list[RejectedRow]) -> str:
    """The model's name: from the results file of the same run, else the name of the folder."""
    try:
        data = _results_beside(source, path, file)
        model = _decode_results(data).model_name if data else None
    except RowRejectedError as error:
        rejected.append(RejectedRow.of(error))
        model = None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        reason = "the results file beside it is not JSON, so the model bears its folder's name"
        rejected.append(RejectedRow(file.name, 0, reason))
        model = None
    if isinstance(model, str) and model:
        return model
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    return PurePosixPath(file.name).parent.name or folder.name


def _results_beside(source: Source, path: Path, file: SampleFile) -> bytes:
    """The results file of the same run, empty where there is none."""
    if path.is_dir():
        folder = PurePosixPath(file.name).parent
        beside = [PurePosixPath(n) for n in source.names() if PurePosixPath(n).parent == folder]
        name = _of_run([other.name for other in beside], file.time)
        stream: BinaryIO = source.open((folder / name).as_posix()) if name else BytesIO()
    else:
        with reading(path.name):
            name = _of_run([other.name for other in path.parent.iterdir()], file.time)
        stream = open_regular(path.parent / name, name) if name else BytesIO()
    with stream, reading(name):
        return stream.read(_RESULTS_LIMIT)


def _of_run(names: list[str], time: str) -> str:
    """The results file of the same time, else the only one, else an empty name."""
    results = sorted(n for n in names if n.startswith("results") and n.endswith(".json"))
    same = [name for name in results if time and time in name]
    return (same or (results if len(results) == 1 else [""]))[0]
