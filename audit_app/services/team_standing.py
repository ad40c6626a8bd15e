"""How far the people of an audit are, without a word of what they judged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from audit_app.services.judging import Left, what_is_left
from audit_app.services.queue_items import queue_items
from audit_app.services.queue_rows import QueueReader, situation
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class PersonStanding:
    """How far one person is; never what they judged.

    Attributes:
        reviewer: The person.
        left: How many tasks of their queue stand where.
        held: Tasks that they have on the desk now.
        assigned: Tasks assigned to them.
        is_named: Whether they are among the reviewers, or may review because none are named.
    """

    reviewer: str
    left: Left
    held: int
    assigned: int
    is_named: bool


def people_standing(workspace: Workspace, audit_id: str, now: datetime) -> list[PersonStanding]:
    """How far everybody is who may review or has, by name."""
    team = TeamRepository(workspace, audit_id)
    people = {
        *team.settings().reviewers,
        *ReviewRepository(workspace, audit_id).reviewers(),
        *(lease.reviewer for lease in team.leases()),
        *(name for names in team.assigned().values() for name in names),
    }
    return [_standing_of(workspace, audit_id, person, now) for person in sorted(people)]


def _standing_of(workspace: Workspace, audit_id: str, person: str, now: datetime) -> PersonStanding:
    rows = QueueReader(workspace, audit_id, person).rows()
    here = situation(rows, person, now)
    return PersonStanding(
        person,
        what_is_left(queue_items(rows, here)),
        held=len(here.held),
        assigned=sum(person in names for names in rows.assigned.values()),
        is_named=rows.team.may_review(person),
    )
