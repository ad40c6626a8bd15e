"""Repeat reliability of recorded trials: one row a model and condition, never merged by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit_app.domain.repeat_runs import (
    GRADED,
    RecordedTrial,
    RunSummary,
    condition_id,
    differing_fields,
)
from audit_app.domain.trials import TrialStatus
from audit_app.errors import InputError, RowRejectedError
from audit_app.importers.report import RejectedRow
from audit_app.importers.trial_files import TrialFile, read_trials
from audit_app.services.files import read_bytes
from audit_app.services.trial_rows import RUN_SUMMARY, Pool, TrialRow
from audit_app.stats.paired_trials import Paired, compare_paired
from audit_app.stats.repeat_counts import Tally, ranking_depends_on_errors


@dataclass(frozen=True)
class TrialsReport:
    """Every row of some files of trials.

    Attributes:
        rows: By model, category and condition.
        rejected: Rows of the files that could not be used.
    """

    rows: tuple[TrialRow, ...]
    rejected: tuple[RejectedRow, ...]


def read_trial_files(paths: Sequence[Path]) -> TrialFile:
    """The trials and run summaries of several files together.

    Raises:
        InputError: A file cannot be read, or none holds a usable row.
    """
    return merge_trials([(path.name, read_bytes(path)) for path in paths])


def merge_trials(files: Iterable[tuple[str, bytes]]) -> TrialFile:
    """As ``read_trial_files``, of files as (name, content)."""
    merged = TrialFile()
    for name, content in files:
        try:
            found = read_trials(content, name)
        except RowRejectedError as error:
            raise InputError(str(error)) from error
        merged.trials += found.trials
        merged.summaries += found.summaries
        merged.rejected += found.rejected
    if not merged.trials and not merged.summaries:
        first = f": {merged.rejected[0].reason}" if merged.rejected else ""
        raise InputError(f"no trial could be read{first}")
    return merged


def report_trials(file: TrialFile, *, category: str = "", pool: str | None = None) -> TrialsReport:
    """What the trials come to, one row a model, category and condition.

    Args:
        file: The trials.
        category: Only tasks of this category.
        pool: A reason to count across the conditions of each model and category.

    Raises:
        InputError: No trial is of that category, the reason is empty, or runs that are to be
            pooled are not of the same tasks.
    """
    trials = [t for t in file.trials if category in ("", t.category)]
    summaries = [s for s in file.summaries if category in ("", s.category)]
    if not trials and not summaries:
        known = sorted({t.category for t in file.trials} | {s.category for s in file.summaries})
        raise InputError(f"no trial is of category {category!r}; there are: {', '.join(known)}")
    rows = [*_rows_of_trials(trials), *map(_row_of_summary, summaries)]
    if pool is not None:
        rows = pool_rows(rows, pool)
    rows.sort(key=lambda row: (row.model, row.category))
    return TrialsReport(tuple(rows), tuple(file.rejected))


def pool_rows(rows: Iterable[TrialRow], reason: str) -> list[TrialRow]:
    """Rows counted across the conditions of each model and category, labelled so.

    Raises:
        InputError: The reason is empty, or runs are not of the same tasks.
    """
    if not reason.strip():
        raise InputError("pooling needs a reason: what is alike in these conditions")
    return _pooled(rows, reason.strip())


def _rows_of_trials(trials: Iterable[RecordedTrial]) -> list[TrialRow]:
    grouped: dict[tuple[str, str], list[RecordedTrial]] = {}
    for trial in trials:
        grouped.setdefault((trial.model, condition_id(trial.condition)), []).append(trial)
    return [_row(members, id_) for (_, id_), members in grouped.items()]


def _row(trials: Sequence[RecordedTrial], id_: str) -> TrialRow:
    by_task: dict[str, list[RecordedTrial]] = {}
    for trial in trials:
        by_task.setdefault(trial.task, []).append(trial)
    categories = {trial.category for trial in trials}
    return TrialRow(
        model=trials[0].model,
        category=categories.pop() if len(categories) == 1 else "",
        condition=trials[0].condition,
        condition_id=id_,
        tallies={task: _tally(rows) for task, rows in by_task.items()},
        outcomes=Counter(trial.status for trial in trials),
        signatures={
            task: tuple(t.signature for t in rows if t.status is TrialStatus.FAIL)
            for task, rows in by_task.items()
        },
    )


def _tally(trials: Iterable[RecordedTrial]) -> Tally:
    found = Counter(trial.status for trial in trials)
    errors = sum(n for outcome, n in found.items() if outcome not in GRADED)
    return Tally(found[TrialStatus.PASS], found[TrialStatus.FAIL], errors)


def _row_of_summary(run: RunSummary) -> TrialRow:
    failed = len(run.failed)
    return TrialRow(
        model=run.model,
        category=run.category,
        condition={"run": run.run, **run.details},
        condition_id=run.run,
        tallies=dict.fromkeys(run.failed, Tally(0, 1)),
        unnamed=(Tally(1, 0),) * (run.total - failed),
        outcomes=Counter({TrialStatus.PASS: run.total - failed, TrialStatus.FAIL: failed}),
        signatures={task: (what,) for task, what in run.failed.items()},
        remark=RUN_SUMMARY,
    )


def _pooled(rows: Iterable[TrialRow], reason: str) -> list[TrialRow]:
    grouped: dict[tuple[str, str], list[TrialRow]] = {}
    for row in rows:
        grouped.setdefault((row.model, row.category), []).append(row)
    return [_pool(members, reason) for members in grouped.values()]


def _pool(rows: Sequence[TrialRow], reason: str) -> TrialRow:
    first = rows[0]
    sizes = {len(row.rows) for row in rows}
    has_unnamed = any(row.unnamed for row in rows)
    if has_unnamed and len(sizes) > 1:
        raise InputError(
            f"the runs of {first.model!r} on {first.category!r} have {min(sizes)} to {max(sizes)} "
            "tasks; runs that name only their failures can be pooled over the same tasks only"
        )
    tasks = list(dict.fromkeys(task for row in rows for task in row.tallies))
    if has_unnamed and len(tasks) > min(sizes):
        raise InputError(
            f"the runs of {first.model!r} on {first.category!r} name {len(tasks)} tasks, more than "
            f"the {min(sizes)} that each says it has: they are not of the same tasks"
        )
    whole = sum((_every(row) for row in rows), Counter[str]())
    return TrialRow(
        model=first.model,
        category=first.category,
        condition=None,
        condition_id="",
        tallies={
            task: _sum(row.tallies.get(task) or _unnamed(row) for row in rows) for task in tasks
        },
        unnamed=(
            (_sum(_unnamed(row) for row in rows),) * (min(sizes) - len(tasks))
            if has_unnamed
            else ()
        ),
        outcomes={TrialStatus(name): n for name, n in whole.items()},
        signatures={
            task: tuple(s for row in rows for s in row.signatures.get(task, ())) for task in tasks
        },
        pool=Pool(reason, tuple(row.condition_id for row in rows)),
        remark=first.remark,
    )


def _every(row: TrialRow) -> Counter[str]:
    return Counter({outcome.value: n for outcome, n in row.outcomes.items()})


def _unnamed(row: TrialRow) -> Tally:
    return row.unnamed[0] if row.unnamed else Tally(0, 0)


def _sum(tallies: Iterable[Tally]) -> Tally:
    rows = list(tallies)
    return Tally(*(sum(column) for column in zip(*rows, strict=True)))


@dataclass(frozen=True)
class Comparison:
    """Two rows, compared task by task.

    Attributes:
        first: The first row.
        second: The second.
        paired: The comparison.
        dropped: Tasks that only one of them ran, left out.
        differing: Fields of the condition in which they differ, besides the model.
        depends_on_errors: Whether the order by mean depends on how errors are treated.
    """

    first: TrialRow
    second: TrialRow
    paired: Paired
    dropped: tuple[str, ...]
    differing: tuple[str, ...]
    depends_on_errors: bool


_OF_THE_MODEL = frozenset({"model_id", "run", "first_commit", "date", "paths", "accuracy"})
"""Fields that name the model or the run; two rows always differ in them."""


def compare_rows(report: TrialsReport, first: str, second: str, *, seed: int = 0) -> Comparison:
    """Compare two models on the tasks that both ran.

    Args:
        report: Their rows.
        first: A model, or the id of a condition where the model has several.
        second: The other.
        seed: Of the bootstrap and the random sign flips.

    Raises:
        InputError: A name fits no row or several, or the rows share no task or number of trials.
    """
    return compare_two(_named(report.rows, first), _named(report.rows, second), seed=seed)


def compare_two(a: TrialRow, b: TrialRow, *, seed: int = 0) -> Comparison:
    """Compare two rows on the tasks that both ran.

    Raises:
        InputError: They share no task, or not the number of trials.
    """
    left, right, dropped = _same_tasks(a, b)
    try:
        paired = compare_paired(left, right, seed=seed)
    except ValueError as error:
        raise InputError(f"{a.model!r} and {b.model!r} cannot be compared: {error}") from error
    differing = differing_fields(a.condition, b.condition)
    return Comparison(
        first=a,
        second=b,
        paired=paired,
        dropped=dropped,
        differing=tuple(name for name in differing if name not in _OF_THE_MODEL),
        depends_on_errors=ranking_depends_on_errors(left.values(), right.values()),
    )


def _named(rows: Iterable[TrialRow], name: str) -> TrialRow:
    found = [row for row in rows if name in (row.model, row.condition_id)]
    if not found:
        raise InputError(f"no row is of model or condition {name!r}")
    if len(found) > 1:
        ids = ", ".join(row.condition_id or row.category for row in found[:20])
        raise InputError(f"{name!r} has {len(found)} rows; name one by its condition: {ids}")
    return found[0]


def _same_tasks(
    a: TrialRow, b: TrialRow
) -> tuple[dict[str, Tally], dict[str, Tally], tuple[str, ...]]:
    """Both rows over the tasks they share, and the tasks left out."""
    if a.unnamed and b.unnamed and len(a.rows) == len(b.rows):
        names = list(dict.fromkeys([*a.tallies, *b.tallies]))
        names += [f"(not named {i})" for i in range(1, len(a.rows) - len(names) + 1)]
        left = {name: a.tallies.get(name, a.unnamed[0]) for name in names}
        return left, {name: b.tallies.get(name, b.unnamed[0]) for name in names}, ()
    shared = [task for task in a.tallies if task in b.tallies]
    dropped = sorted((a.tallies.keys() | b.tallies.keys()) - set(shared))
    left, right = ({task: row.tallies[task] for task in shared} for row in (a, b))
    return left, right, tuple(dropped)
