"""Evidence: trials of live models that a reviewer attaches to a finding, with both their grades.

Models that agree prove nothing: they may share a mistake. Every piece of evidence therefore has a
reason of its own. What the trials came to is kept as it was graded when they were attached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import AwareDatetime, Field

from audit_app.domain.record import Record
from audit_app.domain.review import MAX_TEXT, Effect, Finding
from audit_app.domain.trials import TrialStatus


class AnswerVerdict(StrEnum):
    """What an answer is under one key."""

    VALID = "valid"
    INVALID = "invalid"
    RAISES = "raises"
    """The benchmark's own checker would stop with an exception."""
    NOT_GRADED = "not_graded"
    """It cannot be graded here, as without the simulators of a multi-turn task."""


class AnswerMark(Record):
    """The grade of one answer under one key.

    Attributes:
        verdict: What it is.
        code: The reason code.
        signature: Digest of reason code and place; equal ones are the same failure. Empty where
            the answer did not fail.
    """

    verdict: AnswerVerdict
    code: str
    signature: str = ""


class AnswerGrades(Record):
    """One output that some trials gave.

    Attributes:
        answer: Number of the answer that it was read as, from 1: outputs that differ in layout
            alone are one answer.
        digest: SHA-256 of its canonical JSON, hexadecimal.
        trials: Numbers of the trials that gave it.
        published: Its grade under the published key.
        proposed: Its grade under the proposed key, None where none is proposed.
    """

    answer: int = Field(ge=1)
    digest: str
    trials: tuple[int, ...] = Field(min_length=1)
    published: AnswerMark
    proposed: AnswerMark | None = None


class KeyOutcome(NamedTuple):
    """Trials under one key.

    Attributes:
        passed: Trials whose answer passes.
        failed: Trials whose answer fails.
        errors: Trials without a verdict, by kind; never counted as wrong.
    """

    passed: int
    failed: int
    errors: Mapping[str, int]

    @property
    def trials(self) -> int:
        """All trials: the denominator of both counts."""
        return self.passed + self.failed + sum(self.errors.values())


class TrialGrades(Record):
    """The trials of one task in one job, graded under the published and the proposed key.

    Attributes:
        assay: Version of Assay that graded.
        rules: Rule version of the benchmark.
        runs: Ids of the trials in the order of their numbers: these and no others are meant.
        recorded: Of them, those whose answer was given before: recorded, or from a cache.
        answers: Distinct outputs, those of the most frequent answer first.
        errors: How trials without an answer ended → their numbers.
        published_key: SHA-256 of kind and content of the published key.
        proposed_key: Likewise of the proposed one, None where none is proposed.
        triage: What the trials hint at under the published key.
        triage_proposed: Likewise under the proposed one.
    """

    assay: str
    rules: str
    runs: tuple[str, ...] = Field(min_length=1)
    recorded: int = Field(default=0, ge=0)
    answers: tuple[AnswerGrades, ...] = ()
    errors: dict[TrialStatus, tuple[int, ...]] = Field(default_factory=dict)
    published_key: str
    proposed_key: str | None = None
    triage: str
    triage_proposed: str | None = None

    @property
    def published(self) -> KeyOutcome:
        """The trials under the published key."""
        return self._outcome([(a, a.published) for a in self.answers])

    @property
    def proposed(self) -> KeyOutcome | None:
        """The trials under the proposed key, None where none is proposed."""
        if self.proposed_key is None:
            return None
        return self._outcome([(a, a.proposed) for a in self.answers if a.proposed is not None])

    @property
    def signatures(self) -> tuple[str, ...]:
        """Distinct failures under the published key, sorted."""
        return tuple(sorted({a.published.signature for a in self.answers} - {""}))

    @property
    def distinct(self) -> tuple[int, ...]:
        """How many trials gave each distinct answer, in the order of ``answers``."""
        counts: Counter[int] = Counter()
        for answer in self.answers:
            counts[answer.answer] += len(answer.trials)
        return tuple(counts.values())

    def _outcome(self, marked: Sequence[tuple[AnswerGrades, AnswerMark | None]]) -> KeyOutcome:
        counts: Counter[str] = Counter()
        for answer, mark in marked:
            if mark is not None:
                counts[mark.verdict.value] += len(answer.trials)
        errors = {kind.value: len(trials) for kind, trials in self.errors.items()}
        for verdict in (AnswerVerdict.RAISES, AnswerVerdict.NOT_GRADED):
            if counts[verdict.value]:
                errors[verdict.value] = counts[verdict.value]
        return KeyOutcome(counts[AnswerVerdict.VALID], counts[AnswerVerdict.INVALID], errors)


class Evidence(Record):
    """Trials attached to a finding; never changed, never taken off.

    Attributes:
        id: UUID.
        task_id: The task.
        review_id: The review that holds the finding.
        position: Place of the finding in it, from 0.
        job: The job whose trials these are.
        proposed_key: JSON text of the key they were graded under besides the published one.
        reason: What supports the finding, whatever the models say.
        grades: What the trials came to.
        attached_at: When.
        attached_by: By whom.
    """

    id: str
    task_id: str
    review_id: str
    position: int = Field(ge=0)
    job: str
    proposed_key: str | None = None
    reason: str = Field(min_length=1, max_length=MAX_TEXT)
    grades: TrialGrades
    attached_at: AwareDatetime
    attached_by: str = Field(min_length=1)


def shows_defect(effects: Iterable[Effect], grades: TrialGrades) -> bool:
    """Whether the trials hold an answer that is graded as the finding says it would be.

    For FN an answer that the published key refuses, for FP one that it passes; where a key is
    proposed, the proposed key must say the opposite.
    """
    wanted = {
        Effect.FN: (AnswerVerdict.INVALID, AnswerVerdict.VALID),
        Effect.FP: (AnswerVerdict.VALID, AnswerVerdict.INVALID),
    }
    pairs = {wanted[effect] for effect in effects if effect in wanted}
    return any(
        answer.published.verdict is before
        and (answer.proposed is None or answer.proposed.verdict is after)
        for answer in grades.answers
        for before, after in pairs
    )


def carried_to(finding: Finding, position: int, findings: Sequence[Finding]) -> int | None:
    """Where a finding of a replaced review stands in the one that replaced it.

    The finding at its place, if that has the same effects and cause; else the only one that has.
    None where the reviewer changed what it says.
    """
    alike = [
        place
        for place, other in enumerate(findings)
        if (other.effects, other.cause) == (finding.effects, finding.cause)
    ]
    if position in alike:
        return position
    return alike[0] if len(alike) == 1 else None
