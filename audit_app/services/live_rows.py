"""Repeat reliability of live trials: one row a condition, under the published keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from audit_app import __version__
from audit_app.domain.conditions import UNKNOWN, SeedPolicy
from audit_app.domain.live_jobs import Job
from audit_app.domain.record import Json
from audit_app.domain.repeat_runs import GRADED
from audit_app.domain.trials import TrialStatus
from audit_app.services.live_groups import TrialVerdict
from audit_app.services.trial_rows import TrialRow
from audit_app.stats.repeat_counts import Tally

_RENAMED = (
    "model",
    "context_length",
    "extra",
    "system_prompt",
    "follow_up",
    "follow_up_text",
)
"""Fields of a condition that are stated under other names, or as a digest."""

Grade = Callable[[Job, str], Sequence[TrialVerdict]]
"""The finished trials of a task of a job, graded."""


def live_rows(
    jobs: Sequence[Job], grade: Grade, categories: Callable[[str], str]
) -> list[TrialRow]:
    """One row a condition, those of one model beside each other.

    Jobs of one condition make one row, unless their trials were sampled with seeds: then the
    trials of a second job repeat those of the first and are no fresh ones.

    Args:
        jobs: The jobs.
        grade: Grades the trials of a task.
        categories: Category of a task.
    """
    grouped: dict[tuple[str, str], list[Job]] = {}
    for job in jobs:
        is_seeded = job.condition.seed_policy is not SeedPolicy.NONE
        grouped.setdefault((job.condition.digest, job.id if is_seeded else ""), []).append(job)
    rows = [_row(members, grade, categories) for members in grouped.values()]
    return sorted((row for row in rows if row.tallies), key=lambda row: row.model)


def _row(jobs: Sequence[Job], grade: Grade, categories: Callable[[str], str]) -> TrialRow:
    by_task: dict[str, list[TrialVerdict]] = {}
    for job in jobs:
        for task in job.tasks:
            if verdicts := grade(job, task):
                by_task.setdefault(task, []).extend(verdicts)
    first = jobs[0]
    names = {categories(task) for task in by_task}
    return TrialRow(
        model=first.condition.model,
        category=names.pop() if len(names) == 1 else "",
        condition=stated_condition(first),
        condition_id=first.condition.digest,
        tallies={task: _tally(rows) for task, rows in by_task.items()},
        outcomes=Counter(v.status for rows in by_task.values() for v in rows),
        signatures={
            task: tuple(v.signature for v in rows if v.status is TrialStatus.FAIL)
            for task, rows in by_task.items()
        },
        remark=_not_run(sum(job.total for job in jobs), by_task.values()),
    )


def _tally(verdicts: Iterable[TrialVerdict]) -> Tally:
    found = Counter(verdict.status for verdict in verdicts)
    errors = sum(n for outcome, n in found.items() if outcome not in GRADED)
    return Tally(found[TrialStatus.PASS], found[TrialStatus.FAIL], errors)


def _not_run(planned: int, ended: Iterable[Sequence[TrialVerdict]]) -> str:
    missing = planned - sum(map(len, ended))
    if not missing:
        return ""
    return f"{missing:,} of {planned:,} planned trials were not run and are counted nowhere here"


def stated_condition(job: Job) -> dict[str, Json]:
    """The condition with the names under which it must accompany a number.

    ``seed_policy`` and the like are as in the condition itself; what nobody stated is ``unknown``.
    """
    condition = job.condition
    stated = condition.model_dump(mode="json")
    for name in _RENAMED:
        del stated[name]
    return {
        **{name: UNKNOWN if value is None else value for name, value in stated.items()},
        **condition.extra,
        "model_id": condition.model,
        "context_len": condition.context_length,
        "follow_up_policy": condition.follow_up.value,
        "follow_up_text_hash": _digest(condition.follow_up_text),
        "system_prompt_hash": _digest(condition.system_prompt),
        "grader_version": f"assay {__version__}",
        "key_version": "published",
        "error_policy": "every policy is shown",
        "k": job.trials,
        "date": job.created_at.date().isoformat(),
    }


def _digest(text: str) -> str:
    """Digest of a text of the condition, ``none`` where there is no such text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16] if text else "none"
