"""A job of live trials as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit_app.cli.trials_data import row_data
from audit_app.domain.live_jobs import Job
from audit_app.domain.trials import TrialStatus
from audit_app.scoring.grade import Grade
from audit_app.services.live_groups import AnswerGroup, GradedTask, TrialVerdict
from audit_app.services.live_plans import JobPlan
from audit_app.services.live_progress import JobSummary, Progress
from audit_app.services.trial_rows import TrialRow
from audit_app.stats.repeat_counts import Tally

_GRADED = (TrialStatus.PASS, TrialStatus.FAIL)


def rerun_data(
    job: Job,
    progress: Progress,
    graded: Sequence[GradedTask],
    rows: Sequence[TrialRow],
    plan: JobPlan | None = None,
) -> dict[str, Any]:
    """What a job came to; with its plan also what was expected of it."""
    verdicts = [verdict for task in graded for verdict in task.verdicts]
    planned = {} if plan is None else {"expected": _plan_data(plan)}
    return {
        **planned,
        "job": _job_data(job, progress),
        "spent": _spent_data(progress),
        "trials": [_trial(verdict) for verdict in verdicts],
        "by_task": [_task(task) for task in graded],
        "errors": [_error(verdict) for verdict in verdicts if verdict.status not in _GRADED],
        "models": [row_data(row, 0) for row in rows],
    }


def _job_data(job: Job, progress: Progress) -> dict[str, Any]:
    return {
        **summary_data(JobSummary(job, progress.state, progress.done)),
        "note": progress.note,
        "answered": progress.answered,
        "errors_by_kind": {status.value: n for status, n in progress.errors.items()},
        "condition": job.condition.model_dump(mode="json"),
        "tasks": list(job.tasks),
        "budget": job.budget.model_dump(mode="json"),
    }


def summary_data(summary: JobSummary) -> dict[str, Any]:
    """A job in a list."""
    job = summary.job
    return {
        "id": job.id,
        "state": summary.state.value,
        "done": summary.done,
        "total": summary.total,
        "k": job.trials,
        "model": job.condition.model,
        "endpoint": job.endpoint.name,
        "condition_id": job.condition.digest,
        "created_at": job.created_at.isoformat(),
        "created_by": job.created_by,
    }


def _spent_data(progress: Progress) -> dict[str, Any]:
    spent = progress.spent
    data: dict[str, Any] = {
        "calls": spent.calls,
        "tokens_in": spent.tokens_in,
        "tokens_out": spent.tokens_out,
        "cost_usd": spent.usd,
        "untold_requests": spent.open,
        "at_most": spent.most._asdict(),
    }
    if spent.usd is None:
        data["undefined"] = {"cost_usd": "no request has a known cost"}
    return data


def _plan_data(plan: JobPlan) -> dict[str, Any]:
    data: dict[str, Any] = {
        "tasks": len(plan.tasks),
        "trials": plan.total,
        "calls": plan.estimate.calls,
        "tokens_in": plan.estimate.tokens_in,
        "tokens_out_at_most": plan.estimate.tokens_out_most,
        "cost_usd_at_most": plan.cost_usd,
        "how": plan.estimate.how,
        "cannot_send": dict(plan.cannot_send),
        "warnings": list(plan.warnings),
    }
    if plan.cost_usd is None:
        data["undefined"] = {"cost_usd_at_most": plan.cost_reason}
    return data


def _trial(verdict: TrialVerdict) -> dict[str, Any]:
    trial = verdict.trial
    return {
        "task_id": trial.task_id,
        "trial": trial.trial,
        "model": verdict.model,
        "condition_id": verdict.condition_id,
        "status": verdict.status.value,
        "proposed": verdict.proposed.value if verdict.proposed else None,
        "reason_code": verdict.reason_code,
        "reason": verdict.reason,
        "signature": verdict.signature,
        "output": trial.output,
        "requests": trial.requests,
        "tokens_in": trial.tokens_in,
        "tokens_out": trial.tokens_out,
        "cost_usd": trial.cost_usd,
        "seconds": round(trial.seconds, 3),
        "cached": trial.is_cached,
        "logprobs": trial.has_logprobs,
        "questions": list(trial.questions),
        "follow_ups": trial.follow_ups,
    }


def _task(task: GradedTask) -> dict[str, Any]:
    has_key = task.triage_proposed is not None
    data: dict[str, Any] = {
        "task_id": task.task.id,
        "published": task.counts()._asdict(),
        "proposed": task.counts(proposed=True)._asdict() if has_key else None,
        "triage": task.triage.triage.value,
        "signatures": dict(task.signatures),
        "groups": [_group(group) for group in task.groups],
    }
    if not has_key:
        reason = task.key_error or "no finding proposes a key for this task"
        data["undefined"] = {"proposed": reason}
    return data


def _group(group: AnswerGroup) -> dict[str, Any]:
    return {
        "answer": group.output_group.answer,
        "trials": group.count,
        "models": list(group.models),
        "verdict": group.output_group.verdict.value,
        "published": _grade(group.published),
        "proposed": _grade(group.proposed),
        "signature": group.signature,
    }


def _grade(grade: Grade | None) -> dict[str, Any] | None:
    if grade is None:
        return None
    return {
        "status": grade.status.value,
        "passed": grade.passed,
        "reason_code": grade.reason_code,
        "reason": grade.reason,
    }


def _error(verdict: TrialVerdict) -> dict[str, Any]:
    trial = verdict.trial
    return {
        "task_id": trial.task_id,
        "trial": trial.trial,
        "status": verdict.status.value,
        "kind": trial.status.value,
        "reason": verdict.reason,
    }


def tally_words(tally: Tally) -> str:
    """Passed, failed and errors of the trials of a task."""
    errors = f", {tally.errors} errors" if tally.errors else ""
    return f"{tally.passed} passed, {tally.failed} failed{errors} of {tally.trials} trials"
