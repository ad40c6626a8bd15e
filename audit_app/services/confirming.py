"""What one person may see on the page Confirm: own findings and drafts, and jobs of others.

Nobody's suspicion is shown to somebody who has yet to judge the task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audit_app.domain.live_jobs import Job
from audit_app.domain.record import Json
from audit_app.domain.repeat_runs import GRADED
from audit_app.domain.review import Review
from audit_app.domain.trials import TrialStatus
from audit_app.services.judging import JUDGED, QueueItem, TaskState, finding_words
from audit_app.services.live_groups import GradedTask
from audit_app.services.live_progress import JobSummary
from audit_app.stats.repeat_counts import Tally


@dataclass(frozen=True)
class OwnFinding:
    """A defect that the person saved, or is writing.

    Attributes:
        review_id: The review it stands in; empty for what is not saved yet.
        position: Its place in the review, from 0.
        words: The finding in a few words.
        proposed_key: JSON text of the key that should stand instead, as written; None without.
    """

    review_id: str
    position: int
    words: str
    proposed_key: str | None

    @property
    def is_saved(self) -> bool:
        """Whether evidence can be attached to it."""
        return bool(self.review_id)


def own_findings(review: Review | None, draft: Json) -> tuple[OwnFinding, ...]:
    """The person's findings on a task, saved ones first.

    Args:
        review: The person's standing review of the task.
        draft: The form that the person has not saved.
    """
    saved = [
        OwnFinding(review.id, place, finding_words(finding), finding.proposed_key)
        for place, finding in enumerate(review.findings if review else ())
        if review
    ]
    return (*saved, *_drafted(draft))


def _drafted(draft: Json) -> Iterable[OwnFinding]:
    rows = draft.get("findings") if isinstance(draft, dict) else None
    for place, row in enumerate(rows if isinstance(rows, list) else ()):
        key = row.get("proposed_key") if isinstance(row, dict) else None
        if isinstance(key, str) and key.strip():
            yield OwnFinding("", place, "not saved yet", key)


def suspected_tasks(queue: Iterable[QueueItem], drafts: Mapping[str, Json]) -> tuple[str, ...]:
    """Tasks of the queue that the person called defective, or is writing a key for."""
    return tuple(
        item.task_id
        for item in queue
        if item.state is TaskState.DEFECT or own_findings(None, drafts.get(item.task_id))
    )


def seen_jobs(
    jobs: Iterable[JobSummary], *, viewer: str, queue: Iterable[QueueItem], is_blind: bool
) -> tuple[JobSummary, ...]:
    """Jobs that the viewer may see: one's own, and others' on tasks that one has judged.

    Args:
        jobs: All of them.
        viewer: Who looks.
        queue: The viewer's queue.
        is_blind: Whether people judge the same tasks without seeing each other's work.
    """
    judged = {item.task_id for item in queue if item.state in JUDGED}
    return tuple(
        row
        for row in jobs
        if row.job.created_by == viewer or not is_blind or judged.issuperset(row.job.tasks)
    )


def lacks_logprobs(graded: GradedTask, jobs: Iterable[Job]) -> bool:
    """Whether log-probabilities were asked for and no answer has any."""
    asking = {job.id for job in jobs if job.condition.top_logprobs is not None}
    answered = [
        v.trial for v in graded.verdicts if v.trial.job in asking and v.trial.status.error is None
    ]
    return bool(answered) and not any(trial.has_logprobs for trial in answered)


@dataclass(frozen=True)
class ConditionCounts:
    """The trials of one task under one condition.

    Attributes:
        model: Who was asked.
        condition_id: Digest of the condition.
        published: Under the published key.
        proposed: Under the proposed key; None without one.
    """

    model: str
    condition_id: str
    published: Tally
    proposed: Tally | None


def counts_by_condition(graded: GradedTask) -> tuple[ConditionCounts, ...]:
    """The trials of a task in numbers; conditions are never merged."""
    grouped: dict[tuple[str, str], list[tuple[TrialStatus, TrialStatus | None]]] = {}
    for verdict in graded.verdicts:
        key = (verdict.model, verdict.condition_id)
        grouped.setdefault(key, []).append((verdict.status, verdict.proposed))
    return tuple(
        ConditionCounts(
            model,
            condition,
            published=_tally([status for status, _ in rows]),
            proposed=_tally([p for _, p in rows if p is not None]) if rows[0][1] else None,
        )
        for (model, condition), rows in sorted(grouped.items())
    )


def _tally(statuses: list[TrialStatus]) -> Tally:
    passed, failed = statuses.count(TrialStatus.PASS), statuses.count(TrialStatus.FAIL)
    return Tally(passed, failed, sum(status not in GRADED for status in statuses))
