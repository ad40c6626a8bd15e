"""What people did in an audit, as far as one of them may see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from audit_app.domain.adjudication import Adjudication
from audit_app.domain.review import Review, current_reviews
from audit_app.domain.sampling import Sample
from audit_app.domain.team import SendBack, TeamSettings
from audit_app.domain.visibility import hidden_tasks
from audit_app.storage.adjudications import AdjudicationRepository
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace


class SeenWork(NamedTuple):
    """Work on the tasks of a sample.

    Attributes:
        reviews: Reviews in the order of saving, replaced ones included.
        adjudications: Adjudications in the order of saving.
        send_backs: Send-backs in the order of saving.
        hidden: Standing reviews that are left out.
    """

    reviews: tuple[Review, ...]
    adjudications: tuple[Adjudication, ...]
    send_backs: tuple[SendBack, ...]
    hidden: int


def seen_work(
    workspace: Workspace,
    audit_id: str,
    samples: Iterable[Sample],
    *,
    team: TeamSettings,
    viewer: str,
) -> SeenWork:
    """What a viewer may see of the work on sampled tasks: one's own, and others' unless hidden.

    Planted checks are never among it: what is said about them says nothing about the benchmark.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
        samples: Every stage of the sample.
        team: How the audit is shared.
        viewer: Who looks.
    """
    planted = {check.task_id for check in PlantedRepository(workspace, audit_id).all()}
    counted = {task for sample in samples for task in sample.task_ids} - planted
    every = [r for r in ReviewRepository(workspace, audit_id).all() if r.task_id in counted]
    hidden = hidden_tasks(every, team, viewer)

    def is_seen(task: str, whose: str) -> bool:
        return task in counted and (whose == viewer or task not in hidden)

    reviews = tuple(r for r in every if is_seen(r.task_id, r.reviewer))
    adjudications = AdjudicationRepository(workspace, audit_id).all()
    send_backs = TeamRepository(workspace, audit_id).send_backs()
    return SeenWork(
        reviews,
        tuple(a for a in adjudications if is_seen(a.task_id, a.adjudicator)),
        tuple(s for s in send_backs if is_seen(s.task_id, s.reviewer)),
        hidden=len(current_reviews(every)) - len(current_reviews(reviews)),
    )
