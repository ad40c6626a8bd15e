"""What one person may see of other people's reviews while tasks are judged by several people.

Two people who judge the same task must not see each other's judgement before both have judged; else
their agreement says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.review import Review, current_reviews
from audit_app.domain.team import TeamSettings


def hidden_tasks(reviews: Iterable[Review], team: TeamSettings, viewer: str) -> frozenset[str]:
    """Tasks on which other people's work is hidden from the viewer.

    Those with a review of somebody else that the viewer may yet have to judge: not judged by the
    viewer, and not judged by others as often as is asked for. Nothing is hidden where one person
    judges each task, nor from somebody who is not among the named reviewers.
    """
    if not team.is_blind or not team.may_review(viewer):
        return frozenset()
    people: dict[str, set[str]] = {}
    rows = list(reviews)
    for review in current_reviews(rows):
        people.setdefault(review.task_id, set()).add(review.reviewer)
    touched = {review.task_id for review in rows if review.reviewer != viewer}
    return frozenset(
        task
        for task in touched
        if viewer not in (known := people.get(task, set())) and len(known) < team.reviews_per_task
    )
