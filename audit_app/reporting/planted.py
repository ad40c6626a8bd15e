"""Planted checks as data of a report: every figure with its denominator."""

from __future__ import annotations

from pydantic import Field

from audit_app.domain.estimates import Interval
from audit_app.domain.record import Record

KIND_LABELS = {
    "clean": "left as it is",
    "wrong_value": "wrong value",
    "wrong_function": "wrong function",
    "missing_alternative": "accepted value taken out",
    "missing_call": "call taken out",
    "extra_call": "call added",
    "other_answer": "another answer",
}
"""What was done to the key, in words."""


class CheckShare(Record):
    """A share of judgements.

    Attributes:
        count: Numerator.
        of: Denominator.
        of_what: What the denominator counts.
        share: count / of, None where ``of`` is 0.
        interval: Wilson's, None where ``of`` is 0.
        undefined: ``share`` → why it is not defined.
    """

    count: int
    of: int
    of_what: str
    share: float | None
    interval: Interval | None
    undefined: dict[str, str] = Field(default_factory=dict)


class KindRow(Record):
    """The checks of one kind.

    Attributes:
        kind: Id of the kind.
        is_damaged: Whether a defect is to be found.
        checks: Checks of the kind.
        defective: Judgements that call them defective.
        cause_right: Of these, those with a cause of the expected family.
    """

    kind: str
    is_damaged: bool
    checks: int
    defective: CheckShare
    cause_right: CheckShare


class ReviewerRow(Record):
    """What one reviewer made of the checks."""

    reviewer: str
    recall: CheckShare
    false_alarms: CheckShare
    cause_right: CheckShare


class CorrectedPart(Record):
    """The defect rate of the sample, corrected for what reviewers miss and see wrongly.

    Attributes:
        observed: The rate that is corrected.
        recall: Recall of the settled judgements of the checks.
        false_alarm_rate: Their false-alarm rate.
        rate: The corrected rate.
        interval: Its bootstrap interval.
        clipped: How the formula's value was brought into [0, 1], empty where it lay there.
        undefined: Figure → why it is not defined.
    """

    observed: float | None
    recall: float | None
    false_alarm_rate: float | None
    rate: float | None
    interval: Interval | None
    clipped: str
    undefined: dict[str, str]


class CheckJudgement(Record):
    """One judgement of one check."""

    reviewer: str
    defective: bool
    cause_right: bool


class CheckLine(Record):
    """One check with its judgements.

    Attributes:
        task_id: The task.
        stratum: Where it stands in the queue.
        kind: What was done to its key.
        cause: Cause code that a reviewer should name, empty where nothing is to be found.
        effects: What the defect does to a score.
        basis: Why the published key is taken to be right.
        judgements: By reviewer.
    """

    task_id: str
    stratum: str
    kind: str
    cause: str
    effects: tuple[str, ...]
    basis: str
    judgements: tuple[CheckJudgement, ...]


class PlantedFigures(Record):
    """What the judgements of the checks come to."""

    recall: CheckShare
    false_alarms: CheckShare
    cause_right: CheckShare
    kinds: tuple[KindRow, ...]
    reviewers: tuple[ReviewerRow, ...]
    corrected: CorrectedPart | None
    bases: dict[str, int]
    checks: tuple[CheckLine, ...]


class PlantedPart(Record):
    """The planted checks of an audit, as far as they may be shown.

    Attributes:
        planted: Number of checks.
        sampled: Tasks of the sample, which the checks are no part of.
        scope: Whose judgements are shown: ``all``, ``own`` or ``none``.
        hidden: Why not all are, empty where they are.
        figures: The results, None where nothing may be shown.
    """

    planted: int
    sampled: int
    scope: str
    hidden: str
    figures: PlantedFigures | None
