"""A job of live trials in words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from audit_app.cli.options import brief
from audit_app.cli.rerun_data import tally_words
from audit_app.cli.trials_text import report_text
from audit_app.domain.live_jobs import Job
from audit_app.domain.record import Json
from audit_app.services.live_groups import AnswerGroup, GradedTask
from audit_app.services.live_progress import JobSummary, Progress
from audit_app.services.trial_rows import TrialRow
from audit_app.services.trials import TrialsReport
from audit_app.stats.triage import Triage

_GROUPS = 5
_ANSWER = 100
_HINTS = {
    Triage.SOLVED: "solved in every graded trial",
    Triage.KEY_OR_SCORER: "never solved, always in the same way: look at the key and scorer first",
    Triage.HARD: "never solved, in different ways: a hard task",
    Triage.MIXED: "solved sometimes: look at the scorer's steadiness and at errors first",
    Triage.ENVIRONMENT: "mostly errors: look at the environment first",
    Triage.NOT_RUN: "no trial",
}


def rerun_text(
    job: Job,
    progress: Progress,
    graded: Sequence[GradedTask],
    rows: Sequence[TrialRow],
) -> str:
    """What a job came to, task by task, then over all."""
    parts = [f"job {job.id}: {progress.sentence}", spent_text(progress)]
    parts += [_task_text(task) for task in graded if task.verdicts]
    if rows:
        parts.append("\n" + report_text(TrialsReport(tuple(rows), ()), seed=0))
    return "\n".join(parts)


def spent_text(progress: Progress) -> str:
    """What a job took."""
    spent = progress.spent
    cost = "cost not known" if spent.usd is None else f"${spent.usd:,.4f}"
    text = f"{spent.calls:,} calls, {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out, {cost}"
    if spent.open:
        text += f"; {spent.open:,} requests may have taken more, which nobody told"
    return text


def list_text(jobs: Sequence[JobSummary]) -> str:
    """Jobs, one a line."""
    if not jobs:
        return "no job of live trials"
    return "\n".join(
        f"{row.job.id}  {row.state.value:<9} {row.done:>5} of {row.total:<5} "
        f"{row.job.created_at:%Y-%m-%d %H:%M}  {row.job.condition.model} at {row.job.endpoint.name}"
        for row in jobs
    )


def _task_text(task: GradedTask) -> str:
    lines = [f"\n{brief(task.task.id)}", f"  published key: {tally_words(task.counts())}"]
    if task.triage_proposed is not None:
        lines.append(f"  proposed key:  {tally_words(task.counts(proposed=True))}")
    elif task.key_error:
        lines.append(f"  the proposed key is none: {brief(task.key_error)}")
    lines.append(f"  {_HINTS[task.triage.triage]}")
    lines += [_group_text(group) for group in task.groups[:_GROUPS]]
    if len(task.groups) > _GROUPS:
        lines.append(f"  … and {len(task.groups) - _GROUPS} more answers (--json lists all)")
    return "\n".join(lines)


def _group_text(group: AnswerGroup) -> str:
    proposed = ""
    if group.proposed is not None:
        proposed = f", proposed key: {'pass' if group.proposed.passed else 'fail'}"
    shown = group.output_group
    said = shown.answer if group.published is not None else shown.raw[0].text
    return f"  {group.count:>4} × {shown.verdict.value}{proposed}: {_short(said)}"


def _short(answer: Json) -> str:
    text = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
    line = " ".join(text.split())
    return line if len(line) <= _ANSWER else f"{line[:_ANSWER]}…"
