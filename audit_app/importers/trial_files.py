"""Recorded trials, as JSON lines or CSV, and run summaries that name only what failed.

A file is one or the other, told apart by its columns: trials have ``model, task, trial, status``
and may have ``condition``, ``category`` and ``signature``; run summaries have ``model, category,
total, failed, blob``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from audit_app.domain.record import Json
from audit_app.domain.repeat_runs import RecordedTrial, RunSummary, condition_id
from audit_app.domain.trials import TrialStatus
from audit_app.errors import RowRejectedError
from audit_app.importers.lines import json_type
from audit_app.importers.report import RejectedRow
from audit_app.importers.row_files import Line, read_rows

_Row = TypeVar("_Row")
_TRIAL = ("model", "task", "trial", "status")
_SUMMARY = ("model", "category", "total", "failed", "blob")


@dataclass
class TrialFile:
    """What a file of repeated runs holds; one of the two lists is filled.

    Attributes:
        trials: Single trials.
        summaries: Runs of which only the failures are named.
        rejected: Rows that could not be used.
    """

    trials: list[RecordedTrial] = field(default_factory=list)
    summaries: list[RunSummary] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)


def read_trials(content: bytes, source: str) -> TrialFile:
    """Read a file of recorded trials or run summaries.

    Raises:
        RowRejectedError: The file as a whole cannot be used.
    """
    rows = read_rows(content, source)
    found = TrialFile(rejected=list(rows.rejected))
    columns = set(rows.columns) or set(_TRIAL)  # no row could be read: the reasons stand there
    if columns >= set(_SUMMARY):
        _read(rows.lines, source, found.rejected, _summary, found.summaries.append, _same_run)
    elif columns >= set(_TRIAL):
        _read(rows.lines, source, found.rejected, _trial, found.trials.append, _same_trial)
    else:
        missing = ", ".join(name for name in _TRIAL if name not in columns)
        raise RowRejectedError(
            source, 0, f"is no list of trials: it has no {missing} (nor is it a list of runs)"
        )
    return found


def _read(
    lines: list[Line],
    source: str,
    rejected: list[RejectedRow],
    read: Callable[[Mapping[str, Json]], _Row],
    keep: Callable[[_Row], None],
    identity: Callable[[_Row], tuple[object, str]],
) -> None:
    seen: dict[object, int] = {}
    for line in lines:
        try:
            row = read(line.cells)
            key, name = identity(row)
            if key in seen:
                raise ValueError(f"{name} stands on line {seen[key]} already")
        except ValueError as error:
            rejected.append(RejectedRow(source, line.number, str(error)))
            continue
        seen[key] = line.number
        keep(row)


def _same_trial(trial: RecordedTrial) -> tuple[object, str]:
    key = (trial.model, condition_id(trial.condition), trial.task, trial.trial)
    return key, f"trial {trial.trial} of {trial.task!r} by {trial.model!r}"


def _same_run(run: RunSummary) -> tuple[object, str]:
    return (run.model, run.category, run.run), f"run {run.run!r} of {run.category!r}"


def _text(cells: Mapping[str, Json], name: str, *, may_be_empty: bool = False) -> str:
    value = cells.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None or value == "":
        if may_be_empty:
            return ""
        raise ValueError(f"{name} is empty")
    if not isinstance(value, str):
        raise ValueError(f"{name} is {json_type(value)}, not text")
    return value


def _trial(cells: Mapping[str, Json]) -> RecordedTrial:
    status = _text(cells, "status")
    known = [outcome.value for outcome in TrialStatus]
    if status not in known:
        raise ValueError(f"the status {status[:80]!r} is none of {', '.join(known)}")
    return RecordedTrial(
        model=_text(cells, "model"),
        condition=_condition(cells.get("condition")),
        category=_text(cells, "category", may_be_empty=True),
        task=_text(cells, "task"),
        trial=_text(cells, "trial"),
        status=TrialStatus(status),
        signature=_text(cells, "signature", may_be_empty=True),
    )


def _condition(value: Json) -> Json:
    """The condition as it is; an object written as text, as a CSV must, is the object."""
    if isinstance(value, list | bool):
        raise ValueError(f"condition is {json_type(value)}, neither text nor an object")
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError("condition begins like an object and is not one in JSON") from error
    return None if value == "" else value


def _summary(cells: Mapping[str, Json]) -> RunSummary:
    total, failed = cells.get("total"), cells.get("failed")
    if not isinstance(total, int) or isinstance(total, bool) or total < 1:
        raise ValueError(f"total is {total!r}, not a number of tasks"[:200])
    if not isinstance(failed, dict):
        raise ValueError(f"failed is {json_type(failed)}, not an object of task ids")
    if len(failed) > total:
        raise ValueError(f"{len(failed)} tasks failed, but the category has {total}")
    rest = {k: v for k, v in cells.items() if k not in _SUMMARY}
    return RunSummary(
        model=_text(cells, "model"),
        run=_text(cells, "blob"),
        category=_text(cells, "category"),
        total=total,
        failed={task: v if isinstance(v, str) else "" for task, v in failed.items()},
        details=rest,
    )
