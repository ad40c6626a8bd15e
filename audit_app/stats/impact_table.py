"""Grades as arrays, cell by cell, and the scores they give for any weighing of the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf

import numpy as np
from numpy.typing import NDArray

from audit_app.stats.bootstrap import Floats
from audit_app.stats.impact_model import Grades, ImpactData, ImpactTask, Remedy, Weighting

BEFORE, EXCLUDING, CORRECTING = range(3)
"""Positions of the three scores."""

_PRECISION = 12
"""Decimals of a score. Sums in another order differ beyond them, and must not break a tie."""


@dataclass(frozen=True)
class Cell:
    """Tasks that keep a weight among them.

    Attributes:
        id: Its id.
        weight: What it weighs in the score.
        earned: Points earned, shape (3 scores, tasks, models).
        possible: Points that count, shape (3 scores, tasks, models).
    """

    id: str
    weight: float
    earned: Floats
    possible: Floats

    @property
    def size(self) -> int:
        """Number of tasks."""
        return int(self.earned.shape[1])


@dataclass(frozen=True)
class Table:
    """Everything that scores are computed from, in an order that the input's does not matter to.

    Attributes:
        models: Names, sorted.
        cells: Those with a weight and a task that some model has a verdict on, sorted by id.
        unfilled: Ids of cells with a weight but no such task.
        tasks: Number of tasks that some model has a verdict on.
        entries: Entries that count, shape (3 scores, models).
        missing: Entries without a verdict, a model.
        not_regraded: Entries without a verdict under the corrected key, a model.
    """

    models: tuple[str, ...]
    cells: tuple[Cell, ...]
    unfilled: tuple[str, ...]
    tasks: int
    entries: Floats
    missing: Floats
    not_regraded: Floats


def require_coherent(data: ImpactData) -> None:
    """Refuse data that contradict themselves; they would give a figure that means nothing.

    Raises:
        ValueError: A task or entry repeats, a defect is on no task, a stratum has no weight, or a
            grade or weight is out of range.
    """
    ids = {task.id for task in data.tasks}
    entries = [entry for task in data.tasks for entry in task.entries]
    if len(ids) < len(data.tasks) or len({e.id for e in entries}) < len(entries):
        raise ValueError("a task or an entry stands twice")
    if any(not task.entries for task in data.tasks):
        raise ValueError("a task feeds no entry")
    if strays := sorted(set(data.defects) - ids):
        raise ValueError(f"the defect of {strays[0]!r} is on none of the tasks")
    if data.strata is not None:
        if strays := sorted({task.cell for task in data.tasks} - set(data.strata)):
            raise ValueError(f"the stratum {strays[0]!r} has no weight")
        weights = [w for s in data.strata.values() for w in (s.frame, s.points)]
    else:
        weights = []
    weights += [entry.weight for entry in entries]
    if any(w is not None and not 0 <= w < inf for w in weights):
        raise ValueError("a weight is negative or not finite")
    for grades in (*data.before.values(), *data.after.values()):
        if any(g is not None and not 0 <= g <= 1 for g in grades.values()):
            raise ValueError("a grade is not a share between 0 and 1")


def graded_tasks(data: ImpactData) -> list[ImpactTask]:
    """The tasks that some model has a verdict on, by id."""
    graded = {e for grades in data.before.values() for e, g in grades.items() if g is not None}
    tasks = [t for t in data.tasks if any(entry.id in graded for entry in t.entries)]
    return sorted(tasks, key=lambda task: task.id)


def cell_weights(data: ImpactData, weighting: Weighting) -> dict[str, float]:
    """Cell → weight; for a whole benchmark by tasks there is one cell, with an empty id."""
    if data.strata is not None:
        return {
            name: stratum.frame if weighting is Weighting.TASK else stratum.points or 0.0
            for name, stratum in data.strata.items()
        }
    if weighting is Weighting.TASK:
        return {"": 1.0}
    weights: dict[str, list[float]] = {}
    for task in data.tasks:
        weights.setdefault(task.cell, []).extend(e.weight or 0.0 for e in task.entries)
    return {name: fsum(parts) for name, parts in weights.items()}


def build_table(data: ImpactData, weighting: Weighting) -> Table:
    """The arrays of one weighting."""
    models = tuple(sorted(data.before))
    weights = cell_weights(data, weighting)
    tasks = graded_tasks(data)
    members: dict[str, list[ImpactTask]] = {}
    for task in tasks:
        members.setdefault("" if set(weights) == {""} else task.cell, []).append(task)
    entry_counts = np.zeros((3, len(models)))
    missing, not_regraded = np.zeros(len(models)), np.zeros(len(models))
    for task in tasks:
        before, after = _task_grades(task, data, models)
        usable = _usable(before, after)
        entry_counts += _kept(data.defects.get(task.id))[:, np.newaxis] * usable.sum(axis=0)
        missing += np.isnan(before).sum(axis=0)
        not_regraded += (~usable & ~np.isnan(before)).sum(axis=0)
    weighed = sorted(name for name, weight in weights.items() if weight > 0)
    return Table(
        models=models,
        cells=tuple(
            _cell(name, weights[name], members[name], data, models, weighting)
            for name in weighed
            if name in members
        ),
        unfilled=tuple(name for name in weighed if name not in members),
        tasks=len(tasks),
        entries=entry_counts,
        missing=missing,
        not_regraded=not_regraded,
    )


def scores(table: Table, counts: Sequence[Floats] | None = None) -> Floats:
    """Scores with each task counted as often as ``counts`` says, once where it says nothing.

    The score is Σ_h W_h · (points earned in h / points possible in h) / Σ_h W_h over the cells h
    of which some task is counted; the weight of any other is shared among them. Within a cell
    this is the ratio estimator of a stratified sample (Cochran 1977, section 6.10).

    Args:
        table: The grades.
        counts: For each cell an array of shape (resamples, tasks).

    Returns:
        Shares in [0, 1], shape (3 scores, resamples, models); NaN where no task is counted.
    """
    rows = 1 if counts is None else len(counts[0]) if counts else 0
    earned = np.zeros((3, rows, len(table.models)))
    weight = np.zeros_like(earned)
    for position, cell in enumerate(table.cells):
        count = np.ones((1, cell.size)) if counts is None else counts[position]
        possible = count @ _columns(cell.possible)
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = (count @ cell.earned) / possible
        is_counted = np.broadcast_to(possible > 0, rate.shape)
        earned += cell.weight * np.where(is_counted, rate, 0.0)
        weight += cell.weight * is_counted
    with np.errstate(invalid="ignore"):
        return np.round(earned / np.where(weight > 0, weight, np.nan), _PRECISION)


def _columns(possible: Floats) -> Floats:
    """One column where all models are equal, which without missing verdicts they are."""
    first = possible[:, :, :1]
    return first if possible.shape[2] and (possible == first).all() else possible


def _cell(
    name: str,
    weight: float,
    tasks: Sequence[ImpactTask],
    data: ImpactData,
    models: Sequence[str],
    weighting: Weighting,
) -> Cell:
    earned = np.zeros((3, len(tasks), len(models)))
    possible = np.zeros_like(earned)
    for row, task in enumerate(tasks):
        before, after = _task_grades(task, data, models)
        usable = _usable(before, after)
        if weighting is Weighting.TASK:
            share = usable / np.maximum(usable.sum(axis=0), 1)
        else:
            share = usable * np.array([[entry.weight or 0.0] for entry in task.entries])
        kept = _kept(data.defects.get(task.id))[:, np.newaxis]
        points = [(share * np.where(usable, grade, 0.0)).sum(axis=0) for grade in (before, after)]
        earned[:, row] = kept * np.array([points[0], points[0], points[1]])
        possible[:, row] = kept * share.sum(axis=0)
    return Cell(name, weight, earned, possible)


def _kept(remedy: Remedy | None) -> Floats:
    """Whether a task counts before, excluding and correcting."""
    return np.array([1.0, remedy is None, remedy is not Remedy.EXCLUDED])


def _usable(before: Floats, after: Floats) -> NDArray[np.bool_]:
    """Entries with a verdict both before and after: every comparison is paired by entry."""
    return ~np.isnan(before) & ~np.isnan(after)


def _task_grades(
    task: ImpactTask, data: ImpactData, models: Sequence[str]
) -> tuple[Floats, Floats]:
    """Grades before and after, shape (entries, models), NaN where there is none."""
    before = _grades(task, data.before, models)
    if data.defects.get(task.id) is not Remedy.CORRECTED:
        return before, before
    return before, _grades(task, data.after, models)


def _grades(task: ImpactTask, grades: Grades, models: Sequence[str]) -> Floats:
    rows = [[grades.get(model, {}).get(entry.id) for model in models] for entry in task.entries]
    return np.array(rows, dtype=np.float64).reshape(len(task.entries), len(models))
