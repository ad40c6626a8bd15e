"""Finished trials of one task, grouped by identical answer: what a page or a report shows of them.

An error is a status of its own, never a wrong answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from audit_app.domain.benchmark import Task
from audit_app.domain.live_jobs import StoredTrial
from audit_app.domain.trials import TrialStatus
from audit_app.scoring.grade import Grade, GradeStatus
from audit_app.services.task_views import OutputGroup
from audit_app.stats.repeat_counts import Tally
from audit_app.stats.triage import TaskTriage


@dataclass(frozen=True)
class TrialVerdict:
    """One finished trial with what it counts as.

    Attributes:
        trial: As it was stored.
        model: Who was asked.
        condition_id: Digest of the condition.
        status: Under the published key.
        proposed: Under the proposed key; None where there is none.
        reason_code: The scorer's code under the published key; of an error its status.
        reason: In a sentence.
        signature: What the failure under the published key looked like, empty where there is none.
        proposed_signature: The same under the proposed key.
    """

    trial: StoredTrial
    model: str
    condition_id: str
    status: TrialStatus
    proposed: TrialStatus | None
    reason_code: str
    reason: str
    signature: str = ""
    proposed_signature: str = ""


@dataclass(frozen=True)
class AnswerGroup:
    """Trials that gave the same answer and get the same grade.

    Attributes:
        output_group: As the review screen shows such a group; its outputs are in the order of
            ``verdicts``.
        verdicts: The trials, by job and number.
        published: The grade under the published key; None for failed requests.
        proposed: The grade under the proposed key; None for failed requests, or without one.
    """

    output_group: OutputGroup
    verdicts: tuple[TrialVerdict, ...]
    published: Grade | None
    proposed: Grade | None

    @property
    def models(self) -> tuple[str, ...]:
        """Distinct models of the group, sorted."""
        return tuple(sorted({verdict.model for verdict in self.verdicts}))

    @property
    def count(self) -> int:
        """Number of trials."""
        return len(self.verdicts)

    @property
    def signature(self) -> str:
        """What the failure under the published key looked like, empty where there is none."""
        return self.verdicts[0].signature


@dataclass(frozen=True)
class GradedTask:
    """All finished trials of one task in some jobs.

    Attributes:
        task: The task with its published key.
        proposed_key: Text of the proposed key; None where there is none.
        key_error: Why that text is no key; then nothing is graded by it.
        groups: By answer, most trials first, errors last.
        triage: Where to look first, under the published key.
        triage_proposed: The same under the proposed key; None without one.
    """

    task: Task
    proposed_key: str | None
    key_error: str
    groups: tuple[AnswerGroup, ...]
    triage: TaskTriage
    triage_proposed: TaskTriage | None

    @property
    def verdicts(self) -> tuple[TrialVerdict, ...]:
        """Every trial, group by group."""
        return tuple(verdict for group in self.groups for verdict in group.verdicts)

    @property
    def models(self) -> tuple[str, ...]:
        """Models with a trial, sorted."""
        return tuple(sorted({verdict.model for verdict in self.verdicts}))

    @property
    def signatures(self) -> Mapping[str, int]:
        """Signature of a failure under the published key → how many trials failed so."""
        return Counter(v.signature for v in self.verdicts if v.signature)

    def counts(self, *, proposed: bool = False) -> Tally:
        """Passed, failed and errors, under the published or the proposed key."""
        said = [v.proposed if proposed else v.status for v in self.verdicts]
        passed, failed = said.count(TrialStatus.PASS), said.count(TrialStatus.FAIL)
        return Tally(passed, failed, len(said) - passed - failed)


def graded_status(grade: Grade | None) -> TrialStatus:
    """What an answer counts as: an answer that cannot be graded is an error, not a wrong one."""
    if grade is None or grade.status is not GradeStatus.GRADED:
        return TrialStatus.HARNESS_ERROR
    return TrialStatus.PASS if grade.passed else TrialStatus.FAIL


def failure_signature(grade: Grade | None) -> str:
    """SHA-256 of the reason code and the place of a failure, hexadecimal; empty for no failure."""
    if graded_status(grade) is not TrialStatus.FAIL or grade is None:
        return ""
    where = grade.decision.where if grade.decision else ""
    return sha256(msgspec.json.encode([grade.reason_code, where])).hexdigest()
