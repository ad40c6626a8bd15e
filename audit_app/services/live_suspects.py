"""Tasks of an audit whose finding a live model could decide."""

from __future__ import annotations

from dataclasses import dataclass

from audit_app.domain.review import Finding, FindingState, Review, current_reviews
from audit_app.services.audits import AuditView

_OPEN = (FindingState.FLAGGED, FindingState.DISPUTED, FindingState.UNCERTAIN)


@dataclass(frozen=True)
class Suspect:
    """A sampled task with a finding that is open, or that proposes another key.

    Attributes:
        task_id: The task.
        review_id: The review, or the adjudication, that holds the finding.
        reviewer: Whose it is.
        position: The finding's place in it, from 0.
        state: Where the finding stands.
        proposed_key: The key that it proposes, None where none.
    """

    task_id: str
    review_id: str
    reviewer: str
    position: int
    state: FindingState
    proposed_key: str | None


def suspects(view: AuditView) -> dict[str, Suspect]:
    """Task id → its first such finding, in the order of the sample, as far as one may see them.

    What counts is the settled judgement; of a task that is not settled the latest one that stands.
    Of several findings one that proposes a key comes first.
    """
    standing: dict[str, Review] = {}
    for review in sorted(current_reviews(view.reviews), key=lambda r: r.reviewed_at):
        standing[review.task_id] = review
    standing |= view.settled
    found = {}
    for task_id in view.sample.task_ids:
        suspect = _suspect(standing[task_id]) if task_id in standing else None
        if suspect is not None:
            found[task_id] = suspect
    return found


def _suspect(review: Review) -> Suspect | None:
    found = [
        Suspect(review.task_id, review.id, review.reviewer, i, finding.state, finding.proposed_key)
        for i, finding in enumerate(review.findings)
        if _may_be_decided(finding)
    ]
    found.sort(key=lambda suspect: suspect.proposed_key is None)
    return found[0] if found else None


def _may_be_decided(finding: Finding) -> bool:
    if finding.state in _OPEN:
        return True
    return finding.state is FindingState.CONFIRMED and finding.proposed_key is not None
