"""What a report says of the reviewers, gathered from an audit as one person may see it."""

from __future__ import annotations

from collections import Counter

from audit_app.domain.adjudication import How
from audit_app.domain.settling import CaseState, case_state, gather
from audit_app.reporting.reviewers import ReviewersPart
from audit_app.services.agreement import audit_agreement
from audit_app.services.audits import AuditView


def reviewers_part(view: AuditView, viewer: str) -> ReviewersPart | None:
    """The part; None where one person judges each task and nobody judged another's."""
    agreement = audit_agreement(view)
    if not view.team.is_blind and agreement.undefined:
        return None
    standing = gather(view.reviews, view.adjudications, view.send_backs)
    sampled = view.sample.task_ids
    drawn = set(sampled)
    settling = [
        case.settlement
        for task_id in sampled
        if (case := standing.get(task_id)) is not None
        and case.settlement is not None
        and case_state(view.team, case) is CaseState.SETTLED
    ]
    hows = Counter(adjudication.how for adjudication in settling)
    people = Counter(adjudication.adjudicator for adjudication in settling)
    return ReviewersPart(
        mode=view.team.mode,
        reviews_per_task=view.team.reviews_per_task,
        sampled=len(sampled),
        agreement=agreement,
        adjudicated={how: hows[how] for how in How},
        adjudicators=dict(sorted(people.items())),
        send_backs=sum(s.task_id in drawn for s in view.send_backs),
        unanswered=sum(len(standing[t].returned) for t in sampled if t in standing),
        hidden=view.hidden,
        viewer=viewer if view.hidden else "",
    )
