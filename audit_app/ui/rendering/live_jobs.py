"""A job of live trials on a few lines: what it is, where it stands, what it took."""

from __future__ import annotations

from audit_app.domain.conditions import Condition, SeedPolicy
from audit_app.domain.live_jobs import Job, JobState
from audit_app.services.live_progress import JobSummary, Progress
from audit_app.ui.rendering.text import bounded, counted, literal

STATE_WORDS = {
    JobState.PLANNED: "planned",
    JobState.RUNNING: "running",
    JobState.PAUSED: "paused",
    JobState.BUDGET: "budget reached",
    JobState.REFUSED: "endpoint refused",
    JobState.CANCELLED: "cancelled",
    JobState.FINISHED: "finished",
}
_MARKED = {
    JobState.RUNNING: "here",
    JobState.FINISHED: "done",
    JobState.REFUSED: "bad",
    JobState.BUDGET: "bad",
}


def job_row(
    summary: JobSummary, progress: Progress, *, viewer: str, is_stopping: bool, problem: str
) -> str:
    """One job.

    Args:
        summary: The job.
        progress: How far it is.
        viewer: Who looks; somebody else's job is named as theirs.
        is_stopping: Whether it was told to stop and has not yet.
        problem: Why this server could not run it, empty where it could.
    """
    job, state = summary.job, summary.state
    word = "stopping" if is_stopping else STATE_WORDS[state]
    whose = "" if job.created_by == viewer else f", by {bounded(job.created_by, 80)}"
    share = 100 * progress.done / progress.total if progress.total else 0.0
    failed = problem and state is not JobState.RUNNING
    said = f'<p class="why bad">{bounded(problem, 600)}</p>' if failed else ""
    return (
        f'<div class="jobrow"><div class="line"><b><bdi>{bounded(job.condition.model, 120)}</bdi>'
        f'</b><span class="tag {_MARKED.get(state, "")}">{word}</span><span class="meta">'
        f"{progress.done} of {progress.total} done; {job.created_at.astimezone():%d %b %H:%M}"
        f'{whose}</span></div><span class="bar" role="img" aria-label="{progress.done} of '
        f'{progress.total} done"><i style="width:{share:.1f}%"></i></span>'
        f'<p class="meta">{progress_words(progress)}</p>{said}'
        f'<p class="meta">{condition_words(job)}</p></div>'
    )


def progress_words(progress: Progress) -> str:
    """What came back, what it took, and how long it may still take, as escaped HTML."""
    spent = progress.spent
    errors = ", ".join(f"{kind.value.replace('_', ' ')} {n}" for kind, n in progress.errors.items())
    taken = f"{counted(spent.calls, 'call')}, {spent.tokens_in:,} + {spent.tokens_out:,} tokens"
    parts = [
        f"{counted(progress.answered, 'answer')}",
        f"without answer: {errors}" if errors else "",
        taken + (f", ${spent.usd:,.4f}" if spent.usd is not None else ""),
        f"{counted(spent.open, 'call')} of unknown size" if spent.open else "",
        literal(progress.note),
        _left(progress),
    ]
    return "; ".join(part for part in parts if part)


def _left(progress: Progress) -> str:
    if progress.state is not JobState.RUNNING:
        return ""
    seconds = progress.seconds_left
    if seconds is None:
        return "time left: not known before two trials ended"
    return f"about {duration(seconds)} left at this pace"


def duration(seconds: float) -> str:
    """Seconds in words: ``40 s``, ``12 min``, ``3.5 h``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


def condition_words(job: Job) -> str:
    """The condition and the size of a job on one line, as escaped HTML."""
    condition = job.condition
    parts = [
        f"{counted(len(job.tasks), 'task')} × {counted(job.trials, 'trial')}",
        f"<bdi>{bounded(job.endpoint.name, 80)}</bdi>",
        *_sampling(condition),
        f"at most {counted(condition.max_tokens, 'token')}",
        f"tools {condition.tools.value}",
    ]
    if condition.top_logprobs is not None:
        parts.append("log-probabilities")
    if job.budget.words:
        parts.append(f"budget {literal(job.budget.words)}")
    return f"{', '.join(parts)}; condition <code>{condition.digest[:12]}</code>"


def _sampling(condition: Condition) -> list[str]:
    heat = condition.temperature
    parts = ["temperature of the endpoint" if heat is None else f"temperature {heat:g}"]
    if condition.top_p is not None:
        parts.append(f"top-p {condition.top_p:g}")
    if condition.seed is not None:
        rising = " and up" if condition.seed_policy is SeedPolicy.PER_TRIAL else " for all"
        parts.append(f"seed {condition.seed}{rising}")
    return parts


def job_label(summary: JobSummary) -> str:
    """A job in a list, as plain text."""
    job = summary.job
    return (
        f"{job.condition.model} · {job.created_at.astimezone():%d %b %H:%M} · "
        f"{STATE_WORDS[summary.state]}, {summary.done} of {summary.total}"
    )
