"""The formats that can be imported, and the two ways in."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audit_app.errors import InputError
from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.report import ParsedBenchmark, ParsedOutputs
from audit_app.importers.table_outputs import parse_table_outputs
from audit_app.importers.table_tasks import parse_table_tasks

TASKS, OUTPUTS = "tasks", "outputs"


@dataclass(frozen=True)
class Format:
    """A format by the name it is asked for.

    Attributes:
        id: Its name on the command line.
        reads: What it can bring in: ``tasks``, ``outputs`` or both.
        description: One line for a person.
    """

    id: str
    reads: tuple[str, ...]
    description: str


FORMATS = (
    Format("bfcl", (TASKS,), "BFCL v4: its data folder, or the public package (a zip) as it is"),
    Format("table", (TASKS, OUTPUTS), "CSV, JSON lines, a JSON list or Parquet, one row each"),
)


def parse_benchmark(
    format_id: str, path: Path, *, columns: Mapping[str, str] | None = None
) -> ParsedBenchmark:
    """Read tasks and keys.

    Args:
        format_id: One of ``FORMATS``.
        path: File or folder.
        columns: Field → column, for tables.

    Raises:
        InputError: The format is unknown or takes no column map, or nothing could be read.
    """
    _check(format_id, TASKS)
    with paused_collection():
        if format_id == "table":
            return parse_table_tasks(path, columns)
        if columns:
            raise InputError(f"{format_id} has a layout of its own and takes no column map")
        return parse_bfcl(path)


def parse_outputs(
    format_id: str, path: Path, *, columns: Mapping[str, str] | None = None
) -> ParsedOutputs:
    """Open model outputs; they are read while iterated.

    Args:
        format_id: One of ``FORMATS`` that reads outputs.
        path: File.
        columns: Field → column.

    Raises:
        InputError: The format is unknown or does not read outputs, or there is no table.
    """
    _check(format_id, OUTPUTS)
    return parse_table_outputs(path, columns)


def _check(format_id: str, what: str) -> None:
    known = [f.id for f in FORMATS if what in f.reads]
    if format_id not in known:
        raise InputError(f"{format_id!r} is not a format for {what}; known are {', '.join(known)}")


@contextmanager
def paused_collection() -> Iterator[None]:
    """Let no collector walk the growing records again and again; they hold no cycles.

    It pays to hold this until the records are written and dropped: the first collection after it
    walks whatever is still there. It may be nested.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
