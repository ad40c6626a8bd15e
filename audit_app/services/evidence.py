"""Attaching trials to findings, and reading them back with both grades made anew.

Evidence is attached by whoever made the finding, to the wording that stands. It cannot be taken
off; attaching the same trials again with another reason replaces what was said of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from audit_app.domain.evidence import Evidence, TrialGrades
from audit_app.domain.evidence_reason import independent_reason
from audit_app.domain.live_jobs import Job, StoredTrial
from audit_app.domain.review import Finding, Review, current_reviews
from audit_app.domain.trials import CompletionStatus
from audit_app.errors import ConflictError, InputError
from audit_app.services.clock import Clock
from audit_app.services.evidence_bench import EvidenceBench
from audit_app.services.evidence_grades import key_digest, under_key
from audit_app.services.evidence_rows import AttachedEvidence, place_now
from audit_app.services.seen_work import seen_work
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.evidence import EvidenceRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.trial_jobs import TrialJobRepository
from audit_app.storage.trials import TrialRepository
from audit_app.storage.workspace import Workspace


class EvidenceService:
    """Evidence from live trials, as one person may attach and see it.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        person: Who asks.
        cache: Where the fetched package with the simulators may lie.
    """

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._workspace, self._clock, self._person = workspace, clock, person
        self._cache = cache
        self._audits = AuditRepository(workspace)
        self._jobs, self._trials = TrialJobRepository(workspace), TrialRepository(workspace)

    def attach(
        self,
        audit: str,
        task_id: str,
        review_id: str,
        position: int,
        job: str,
        proposed_key: str | None = None,
        reason: str = "",
    ) -> Evidence:
        """Attach the finished trials of a task to a finding of one's own.

        A repeated send of the same changes nothing.

        Args:
            audit: Name of the audit.
            task_id: The task.
            review_id: The review that holds the finding.
            position: Place of the finding in it, from 0.
            job: Id of the job, or a beginning of it.
            proposed_key: Text of the key to grade by besides the published one; None takes the
                one that the finding proposes, an empty text takes none.
            reason: What supports the finding whatever the models say.

        Raises:
            InputError: The reason says too little, the finding is not one's own, the job has no
                answer for the task or is of another benchmark, or the key is none.
            ConflictError: The review was replaced.
        """
        reason = independent_reason(reason)
        found = self._audits.find(audit)
        finding = self._own_finding(found, task_id, review_id, position)
        text = finding.proposed_key if proposed_key is None else proposed_key.strip() or None
        the_job = self._jobs.job(job)
        evidence = Evidence(
            id=self._clock.new_id(),
            task_id=task_id,
            review_id=review_id,
            position=position,
            job=the_job.id,
            proposed_key=text,
            reason=reason,
            grades=self._grades(found, the_job, task_id, text),
            attached_at=self._clock.now(),
            attached_by=self._person,
        )
        evidences = EvidenceRepository(self._workspace, found.id)
        known = [e for e in evidences.all(task_id) if _matter(e) == _matter(evidence)]
        if known and _said(known[-1]) == _said(evidence):
            return known[-1]
        evidences.add(evidence)
        return evidence

    def _grades(
        self, audit: StoredAudit, job: Job, task_id: str, proposed_key: str | None
    ) -> TrialGrades:
        bench = EvidenceBench(self._workspace, audit, self._cache)
        bench.require_job(job)
        trials = self._answered(job, task_id)
        task = bench.shown(task_id)
        corrected = None if proposed_key is None else under_key(task, proposed_key)
        if corrected is not None and key_digest(corrected) == key_digest(task):
            raise InputError(f"the proposed key of {task_id} is the published one")
        return bench.grades(job, trials, task, corrected)

    def _answered(self, job: Job, task_id: str) -> tuple[StoredTrial, ...]:
        trials = tuple(self._trials.trials(job.id, task_id))
        if not trials:
            raise InputError(f"job {job.id} has no finished trial of {task_id}; run it first")
        if all(trial.status is not CompletionStatus.OK for trial in trials):
            raise InputError(
                f"none of the {len(trials)} trials of {task_id} in job {job.id} has an answer: "
                "errors are no evidence"
            )
        return trials

    def own_review(self, audit: str, task_id: str) -> Review:
        """The person's standing review of a task.

        Raises:
            InputError: There is none, or it has no finding.
        """
        reviews = ReviewRepository(self._workspace, self._audits.find(audit).id)
        review = reviews.standing(self._person, [task_id]).get(task_id)
        if review is None or not review.findings:
            raise InputError(
                f"{self._person} has no finding on {task_id} in {audit!r}; judge the task first"
            )
        return review

    def _own_finding(
        self, audit: StoredAudit, task_id: str, review_id: str, position: int
    ) -> Finding:
        reviews = ReviewRepository(self._workspace, audit.id)
        review = reviews.standing(self._person, [task_id]).get(task_id)
        if review is None or review.id != review_id:
            earlier = [r for r in reviews.all() if r.id == review_id and r.task_id == task_id]
            if earlier and earlier[0].reviewer == self._person:
                raise ConflictError(
                    f"the review of {task_id} was replaced; attach the trials to the finding as "
                    "it stands now"
                )
            raise InputError(
                f"that finding on {task_id} is not one of {self._person}: evidence is attached by "
                "whoever made the finding"
            )
        if not 0 <= position < len(review.findings):
            raise InputError(f"the review of {task_id} has no finding {position + 1}")
        return review.findings[position]

    def evidence_of(self, audit: str, task_id: str = "") -> list[AttachedEvidence]:
        """What is attached in an audit, or to one task of it, in the order of attaching.

        Only what is attached to reviews that this person may see.
        """
        found = self._audits.find(audit)
        attached = EvidenceRepository(self._workspace, found.id).all(task_id)
        reviews = self._seen(found) if attached else {}
        return self._read(found, [e for e in attached if e.review_id in reviews], reviews)

    def problems(self, audit: str) -> list[str]:
        """Evidence whose stored grades do not follow from what is stored, in clauses."""
        found = self._audits.find(audit)
        attached = EvidenceRepository(self._workspace, found.id).all()
        every = ReviewRepository(self._workspace, found.id).all() if attached else []
        reviews = {review.id: review for review in every}
        lost = [e for e in attached if not _is_held(e, reviews)]
        rows = self._read(found, [e for e in attached if _is_held(e, reviews)], reviews)
        return [
            *(f"evidence {e.id} is attached to a finding that is not there" for e in lost),
            *(
                f"evidence {row.evidence.id} on {row.evidence.task_id} (graded by Assay "
                f"{row.evidence.grades.assay}): {clause}"
                for row in rows
                for clause in row.differences
            ),
        ]

    def _seen(self, audit: StoredAudit) -> dict[str, Review]:
        """Reviews that the person may see, by id: one's own, and others' of sampled tasks."""
        team = TeamRepository(self._workspace, audit.id).settings()
        samples = self._audits.samples(audit.id)
        seen = seen_work(self._workspace, audit.id, samples, team=team, viewer=self._person)
        every = ReviewRepository(self._workspace, audit.id).all()
        own = {review.id: review for review in every if review.reviewer == self._person}
        return own | {review.id: review for review in seen.reviews}

    def _read(
        self, audit: StoredAudit, attached: Sequence[Evidence], reviews: Mapping[str, Review]
    ) -> list[AttachedEvidence]:
        bench = EvidenceBench(self._workspace, audit, self._cache)
        standing = {(r.task_id, r.reviewer): r for r in current_reviews(reviews.values())}
        last = {_matter(evidence): evidence.id for evidence in attached}
        rows = []
        for evidence in attached:
            review = reviews[evidence.review_id]
            job = self._jobs.job(evidence.job)
            task = bench.shown(evidence.task_id)
            wanted = set(evidence.grades.runs)
            stored = self._trials.trials(job.id, evidence.task_id)
            trials = tuple(trial for trial in stored if trial.id in wanted)
            corrected, clauses = bench.again(evidence, job, trials, task)
            rows.append(
                AttachedEvidence(
                    evidence=evidence,
                    review=review,
                    place=place_now(
                        evidence, review, standing.get((review.task_id, review.reviewer))
                    ),
                    job=job,
                    trials=trials,
                    task=task,
                    corrected=corrected,
                    is_replaced=last[_matter(evidence)] != evidence.id,
                    differences=clauses,
                )
            )
        return rows


def _is_held(evidence: Evidence, reviews: Mapping[str, Review]) -> bool:
    review = reviews.get(evidence.review_id)
    return review is not None and evidence.position < len(review.findings)


def _matter(evidence: Evidence) -> tuple[object, ...]:
    """What a piece of evidence speaks of: the later of two that speak of the same counts."""
    return evidence.review_id, evidence.position, evidence.job, evidence.proposed_key


def _said(evidence: Evidence) -> tuple[object, ...]:
    return evidence.reason, evidence.grades.runs
