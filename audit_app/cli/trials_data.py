"""Repeat reliability as JSON: rows, comparisons and checks of published figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit_app.domain.estimates import Interval
from audit_app.domain.repeat_runs import GRADED
from audit_app.services.trial_rows import TrialRow
from audit_app.services.trials import Comparison
from audit_app.stats.published_counts import PublishedCheck
from audit_app.stats.repeat_counts import Bounds, Counts


def row_data(row: TrialRow, seed: int) -> dict[str, Any]:
    """One row; shares 0 to 1, task counts with errors counted as trials not passed."""
    counts, undefined = row.counts, _undefined(row)
    return {
        "model": row.model,
        "category": row.category,
        "condition": row.condition,
        "condition_id": row.condition_id or None,
        "pooled": _pool_data(row),
        "not_stated": list(row.not_stated),
        "tasks": counts.tasks,
        "trials": counts.trials,
        "k": row.least if row.least == row.most else None,
        "trials_per_task": [row.least, row.most],
        **_counts_data(counts),
        "exclude": {**_counts_data(row.without_errors), "tasks": row.without_errors.tasks},
        "bounds": _bounds_data(row.bounds),
        "errors": {o.value: n for o, n in row.outcomes.items() if o not in GRADED},
        "intervals": {
            name: _intervals_data(found) for name, found in row.intervals(seed=seed).items()
        },
        "curve": [point._asdict() for point in row.curve],
        "successes_per_task": {str(c): n for c, n in row.histogram.items()},
        "hints": {
            task: {"triage": hint.triage.value, "signatures": list(hint.signatures)}
            for task, hint in row.hints().items()
        },
        "remark": row.remark,
        "undefined": undefined,
    }


def _pool_data(row: TrialRow) -> dict[str, Any] | None:
    if row.pool is None:
        return None
    return {
        "reason": row.pool.reason,
        "conditions": list(row.pool.conditions),
        "is_reliability_figure": False,
        "sentence": row.pool.sentence,
    }


def _undefined(row: TrialRow) -> dict[str, str]:
    found = {}
    if row.least != row.most:
        found["k"] = f"tasks have {row.least} to {row.most} trials"
    if row.pool:
        found |= dict.fromkeys(
            ("curve", "intervals"), "trials of several conditions are no repeats"
        )
    if row.counts.mean is None:
        found["mean"] = "there is no trial"
    if row.without_errors.mean is None:
        found["exclude.mean"] = "no trial was graded"
    return found


def _counts_data(counts: Counts) -> dict[str, Any]:
    return {
        "mean": counts.mean,
        "successes": counts.successes,
        "graded_trials": counts.trials,
        "ever": counts.ever,
        "all": counts.all,
        "mixed": counts.mixed,
        "never": counts.never,
    }


def _bounds_data(bounds: Bounds) -> dict[str, list[float] | None]:
    return {name: None if b is None else [b[0], b[1]] for name, b in bounds._asdict().items()}


def _intervals_data(intervals: tuple[Interval, ...]) -> list[Mapping[str, Any]]:
    return [interval.model_dump(mode="json") for interval in intervals]


def published_data(check: PublishedCheck) -> dict[str, Any]:
    """A check of published figures."""
    undefined = {} if check.per_mixed_task is not None else {"per_mixed_task": "no task is mixed"}
    return {**check._asdict(), "undefined": undefined}


def comparison_data(compared: Comparison) -> dict[str, Any]:
    """A paired comparison."""
    paired = compared.paired
    undefined = {}
    if paired.p_mean is None:
        undefined["p_mean"] = "no task tells the two apart"
    return {
        "first": {"model": compared.first.model, "condition_id": compared.first.condition_id},
        "second": {"model": compared.second.model, "condition_id": compared.second.condition_id},
        "tasks": paired.tasks,
        "k": paired.k,
        "mean_difference": paired.mean_difference,
        "mean_interval": paired.mean_interval and paired.mean_interval.model_dump(mode="json"),
        "all_difference": paired.all_difference,
        "all_interval": paired.all_interval and paired.all_interval.model_dump(mode="json"),
        "p_mean": paired.p_mean,
        "p_mean_is_exact": paired.p_mean_is_exact,
        "mcnemar_all": paired.mcnemar_all._asdict(),
        "mcnemar_ever": paired.mcnemar_ever._asdict(),
        "classes": [
            {"first": a.value, "second": b.value, "count": len(tasks), "task_ids": list(tasks)}
            for (a, b), tasks in paired.classes.items()
        ],
        "dropped": list(compared.dropped),
        "differing": list(compared.differing),
        "ranking_depends_on_errors": compared.depends_on_errors,
        "undefined": undefined,
    }
