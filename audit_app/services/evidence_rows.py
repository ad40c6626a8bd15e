"""A piece of evidence with what it rests on, and where its finding stands now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from audit_app.domain.benchmark import Task
from audit_app.domain.evidence import Evidence, carried_to, shows_defect
from audit_app.domain.live_jobs import Job, StoredTrial
from audit_app.domain.review import Finding, Review


class Place(NamedTuple):
    """A finding that stands.

    Attributes:
        review: The review that holds it.
        position: Its place in it, from 0.
    """

    review: Review
    position: int

    @property
    def finding(self) -> Finding:
        """The finding."""
        return self.review.findings[self.position]


@dataclass(frozen=True)
class AttachedEvidence:
    """A piece of evidence with what it rests on.

    Attributes:
        evidence: As it was attached.
        review: The review that it was attached to.
        place: Where its finding stands now; None where the reviewer changed what it says, or took
            it back.
        job: The job.
        trials: The trials that are meant, by number.
        task: The task with the key that was published (or, of a check, shown).
        corrected: The task with the proposed key; None without one, or where it is none any more.
        is_replaced: Whether the same trials were attached again later.
        differences: What stored trials and keys say otherwise now, in clauses.
    """

    evidence: Evidence
    review: Review
    place: Place | None
    job: Job
    trials: tuple[StoredTrial, ...]
    task: Task
    corrected: Task | None
    is_replaced: bool
    differences: tuple[str, ...]

    @property
    def is_carried(self) -> bool:
        """Whether it was attached to an earlier wording of the finding."""
        return self.place is not None and self.place.review.id != self.review.id

    @property
    def shows_defect(self) -> bool:
        """Whether a trial was graded as the finding says an answer would be."""
        finding = self.review.findings[self.evidence.position]
        return shows_defect(finding.effects, self.evidence.grades)


def place_now(evidence: Evidence, review: Review, standing: Review | None) -> Place | None:
    """Where a piece of evidence stands, by the review that its reviewer has standing now."""
    if standing is None:
        return None
    if standing.id == review.id:
        return Place(standing, evidence.position)
    finding = review.findings[evidence.position]
    position = carried_to(finding, evidence.position, standing.findings)
    return None if position is None else Place(standing, position)
