"""The formats that can be imported, and the two ways in."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audit_app.errors import InputError
from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.bfcl_results import parse_bfcl_outputs
from audit_app.importers.inspect_logs import parse_inspect_outputs, parse_inspect_tasks
from audit_app.importers.lm_eval import parse_lm_eval_outputs, parse_lm_eval_tasks
from audit_app.importers.promptfoo import parse_promptfoo_outputs, parse_promptfoo_tasks
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
    Format(
        "bfcl",
        (TASKS, OUTPUTS),
        "BFCL v4 or of 2024: its data folder, or the public package (a zip) as it is; "
        "its tree of results, and of scores",
    ),
    Format("table", (TASKS, OUTPUTS), "CSV, JSON lines, a JSON list or Parquet, one row each"),
    Format("lm-eval", (TASKS, OUTPUTS), "lm-evaluation-harness: samples_*.jsonl, or their folder"),
    Format("inspect", (TASKS, OUTPUTS), "Inspect AI: an .eval or .json log, or a folder of them"),
    Format("promptfoo", (TASKS, OUTPUTS), "promptfoo: a results file in JSON, version 3 or 2"),
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
    if columns and format_id != "table":
        raise InputError(f"{format_id} has a layout of its own and takes no column map")
    with paused_collection():
        match format_id:
            case "table":
                return parse_table_tasks(path, columns)
            case "lm-eval":
                return parse_lm_eval_tasks(path)
            case "inspect":
                return parse_inspect_tasks(path)
            case "promptfoo":
                return parse_promptfoo_tasks(path)
            case _:
                return parse_bfcl(path)


def parse_outputs(
    format_id: str,
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    scores: Path | None = None,
    entries: Collection[str] | None = None,
) -> ParsedOutputs:
    """Open model outputs; they are read while iterated.

    Args:
        format_id: One of ``FORMATS`` that reads outputs.
        path: File or folder.
        columns: Field → column, for tables; ``absent`` → ``passed`` for a table of failures.
        scores: The tree of score files, for ``bfcl``.
        entries: Ids of the benchmark's scored entries. Where sources leave out what passed, or
            name a task in more than one way, they decide; without them the source alone does.

    Raises:
        InputError: The format is unknown, does not read outputs or does not take what is given,
            or there is nothing to read.
    """
    _check(format_id, OUTPUTS)
    if columns and format_id != "table":
        raise InputError(f"{format_id} has a layout of its own and takes no column map")
    if scores is not None and format_id != "bfcl":
        raise InputError(f"{format_id} holds its grades itself and takes no folder of scores")
    known = None if entries is None else frozenset(entries)
    match format_id:
        case "table":
            return parse_table_outputs(path, columns, entries)
        case "lm-eval":
            return parse_lm_eval_outputs(path, known)
        case "inspect":
            return parse_inspect_outputs(path, known)
        case "promptfoo":
            return parse_promptfoo_outputs(path, known)
        case _:
            return parse_bfcl_outputs(path, scores, known)


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
