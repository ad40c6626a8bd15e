"""Evidence from live runs as data of a report: per finding, its trials under both keys."""

from __future__ import annotations

from datetime import datetime

from audit_app.domain.record import Json, Record
from audit_app.domain.review import FindingState

CASES_FILE, TRIALS_FILE = "trials_cases.jsonl", "trials.jsonl"
"""Beside the report: outputs to be graded again, trials to be counted again."""


class KeyCounts(Record):
    """Trials under one key.

    Attributes:
        key: SHA-256 of kind and content of the key.
        trials: All trials: the denominator of the other counts.
        passed: Of them, passed.
        failed: Of them, failed.
        errors: Of them, without a verdict, by kind; no wrong answers.
        triage: What the trials hint at.
    """

    key: str
    trials: int
    passed: int
    failed: int
    errors: dict[str, int]
    triage: str


class AnswerPart(Record):
    """One distinct answer.

    Attributes:
        text: Its beginning, as text or JSON.
        is_cut: Whether it goes on; the whole stands in the export.
        trials: Numbers of the trials that gave it.
        published: Its verdict under the published key.
        published_code: The reason code there.
        signature: What its failure there looked like; empty where it did not fail.
        proposed: Its verdict under the proposed key, None without one.
        proposed_code: The reason code there.
    """

    text: str
    is_cut: bool
    trials: tuple[int, ...]
    published: str
    published_code: str
    signature: str
    proposed: str | None
    proposed_code: str | None


class TrialsPart(Record):
    """Trials of one model under one condition, attached to a finding.

    Attributes:
        id: UUID of the evidence.
        reason: The independent reason, in the reviewer's words.
        attached_at: When it was attached.
        attached_by: By whom.
        shows_defect: Whether a trial was graded as the finding says an answer would be.
        carried: Whether it was attached to an earlier wording of the finding.
        job: UUID of the job.
        model: Who was asked.
        condition_id: Digest of the condition.
        condition: Every field of it; what nobody stated is ``unknown``, what was not sent is null.
        planned: K: trials that the job has for the task.
        recorded: Trials whose answer had been given before: no fresh runs.
        first_at: When the first of these trials ended.
        last_at: When the last did.
        assay: Version of Assay that graded.
        rules: Rule version by which it did.
        published: The trials under the published key.
        proposed: The trials under the proposed key, None where none is proposed.
        proposed_key: Text of that key.
        key_stands: Whether it is the key that the finding proposes now.
        answers: Distinct answers, the most frequent first.
        signatures: Distinct failures under the published key.
        differences: What grading them again says otherwise, in clauses.
    """

    id: str
    reason: str
    attached_at: datetime
    attached_by: str
    shows_defect: bool
    carried: bool
    job: str
    model: str
    condition_id: str
    condition: dict[str, Json]
    planned: int
    recorded: int
    first_at: datetime | None
    last_at: datetime | None
    assay: str
    rules: str
    published: KeyCounts
    proposed: KeyCounts | None
    proposed_key: str | None
    key_stands: bool
    answers: tuple[AnswerPart, ...]
    signatures: tuple[str, ...]
    differences: tuple[str, ...]


class EvidencedFinding(Record):
    """A finding of a settled judgement with trials attached to it.

    Attributes:
        task_id: The task.
        category: Its category.
        reviewer: Whose judgement counts.
        position: Place of the finding in it, from 0.
        effects: What the defect does to a score.
        cause: Code of its cause, None where open.
        cause_label: Its name.
        severity: None where not stated.
        state: Where the finding stands.
        confirmed: Whether it is confirmed, and a trial shows what it says.
        trials: The evidence, in the order of attaching; conditions are never merged.
    """

    task_id: str
    category: str
    reviewer: str
    position: int
    effects: tuple[str, ...]
    cause: str | None
    cause_label: str
    severity: int | None
    state: FindingState
    confirmed: bool
    trials: tuple[TrialsPart, ...]


class EvidencePart(Record):
    """All evidence of a report.

    Attributes:
        findings: Findings with evidence, in the order of the sample.
        left_out: Pieces of evidence on sampled tasks whose finding is in no settled judgement.
    """

    findings: tuple[EvidencedFinding, ...]
    left_out: int
