"""What a change of the team's settings does to work that is done or under way, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit_app.domain.team import Mode, TeamSettings
from audit_app.storage.standing import StandingRepository
from audit_app.storage.workspace import Workspace

_MODES = {
    Mode.SINGLE: "the latest review of a task counts",
    Mode.ADJUDICATED: "a task counts once an adjudicator settled its reviews",
    Mode.WORST: "a task counts by its worst review, once it has all its reviews",
}


@dataclass(frozen=True)
class Consequences:
    """What there is that a change could touch.

    Attributes:
        reviews: Task id → how many standing reviews it has.
        by_person: Reviewer → how many of their reviews stand.
    """

    reviews: Mapping[str, int]
    by_person: Mapping[str, int]

    @classmethod
    def of(cls, workspace: Workspace, audit_id: str) -> Consequences:
        """As it stands now."""
        pairs = StandingRepository(workspace, audit_id).pairs()
        return cls(Counter(task for task, _ in pairs), Counter(person for _, person in pairs))

    def sentences(self, before: TeamSettings, after: TeamSettings) -> Iterator[str]:
        """What follows from going from one to the other."""
        if after.reviews_per_task != before.reviews_per_task:
            yield self._reviews_per_task(before.reviews_per_task, after.reviews_per_task)
        if after.is_blind != before.is_blind:
            yield (
                "From now on nobody sees other people's reviews of a task before judging it."
                if after.is_blind
                else "Reviews are no longer hidden: everybody sees those of all others."
            )
        if after.mode is not before.mode:
            yield f"What counts is settled anew: {_MODES[after.mode]}."
        if after.lease_minutes < before.lease_minutes:
            yield (
                f"Tasks handed out for longer than {after.lease_minutes} minutes from now are free "
                "again; saving them still works while the task has room."
            )
        for person in sorted(self.by_person):
            if before.may_review(person) and not after.may_review(person):
                yield (
                    f"{person} is no longer among the reviewers; "
                    f"{_reviews(self.by_person[person])} stand{_s(self.by_person[person])}, and "
                    "everything is visible to them."
                )
        if after.planted_share != before.planted_share:
            yield (
                f"Planted checks make up {100 * after.planted_share:.0f} % of each queue once they "
                "are planted."
                if after.planted_share
                else "Planted checks are taken out of the queues; what was judged of them is kept."
            )

    def _reviews_per_task(self, before: int, after: int) -> str:
        if after > before:
            opened = sum(before <= n < after for n in self.reviews.values())
            return (
                f"Each task is judged by {after} people, not {before}: {_tasks(opened)} that had "
                "all reviews are open again, for others than those who judged them."
            )
        over = sum(n > after for n in self.reviews.values())
        return (
            f"Each task is judged by {after} {'person' if after == 1 else 'people'}, not {before}: "
            f"every review is kept; {_tasks(over)} with more of them get no further one."
        )


def _tasks(number: int) -> str:
    return f"{number} task{'' if number == 1 else 's'}"


def _reviews(number: int) -> str:
    return f"{number} review{'' if number == 1 else 's'}"


def _s(number: int) -> str:
    return "s" if number == 1 else ""
