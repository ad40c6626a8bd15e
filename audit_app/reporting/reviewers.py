"""The reviewers as data of a report: how several people came to one judgement, and agree."""

from __future__ import annotations

from audit_app.domain.adjudication import How
from audit_app.domain.record import Record
from audit_app.domain.team import Mode
from audit_app.stats.agreement_model import AgreementTable


class ReviewersPart(Record):
    """How several people came to one judgement, and how far they agree.

    Attributes:
        mode: How reviews become one judgement.
        reviews_per_task: Reviews asked for.
        sampled: Tasks of the sample.
        agreement: Of the reviewers; adjudications are left out.
        adjudicated: Sampled tasks that an adjudication settles, by how it came about.
        adjudicators: Adjudicator → tasks settled by him or her.
        send_backs: How often a review of a sampled task was sent back to its reviewer.
        unanswered: Of those, not answered yet.
        hidden: Judgements left out, since ``viewer`` has yet to judge their tasks.
        viewer: Whose report it is; empty where nothing is left out.
    """

    mode: Mode
    reviews_per_task: int
    sampled: int
    agreement: AgreementTable
    adjudicated: dict[How, int]
    adjudicators: dict[str, int]
    send_backs: int
    unanswered: int
    hidden: int
    viewer: str
