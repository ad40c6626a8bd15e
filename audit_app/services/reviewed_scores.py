"""Scores under the reviewed keys: corrected where a finding proposes a key, else left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec

from audit_app.domain.benchmark import OutputStatus
from audit_app.scoring.grade import GradeStatus
from audit_app.services.corrections import Correction
from audit_app.services.task_grading import TaskGrader
from audit_app.storage.grades import ModelTotals
from audit_app.storage.verdicts import FiledOutput, VerdictRepository


@dataclass(frozen=True)
class ReviewedTotals:
    """A model's verdicts under the reviewed keys.

    Attributes:
        model: Its name.
        passed: Outputs that pass.
        total: Outputs with a verdict.
        left_out: Outputs with a faithful verdict whose task is left out.
        not_regraded: Outputs with a faithful verdict that cannot be graded under their corrected
            key here; they are not among ``total``.
    """

    model: str
    passed: int
    total: int
    left_out: int = 0
    not_regraded: int = 0


@dataclass(frozen=True)
class ReviewedScores:
    """Scores under the reviewed keys of one audit.

    Attributes:
        audit: Its name.
        corrected: Tasks graded under a corrected key.
        left_out: Task id → why it is left out.
        models: Model → totals.
    """

    audit: str
    corrected: tuple[str, ...]
    left_out: Mapping[str, str]
    models: Mapping[str, ReviewedTotals]


def reviewed_scores(
    audit: str,
    faithful: Iterable[ModelTotals],
    found: Mapping[str, Correction],
    verdicts: VerdictRepository,
    grader: TaskGrader,
) -> ReviewedScores:
    """Faithful totals with the verdicts on defective tasks replaced, or taken out.

    Args:
        audit: Name of the audit.
        faithful: Totals of a run by the benchmark's own rules.
        found: Task id → what its confirmed findings ask for.
        verdicts: The verdicts of that run.
        grader: Grades under the corrected keys.
    """
    models = {m.model: ReviewedTotals(m.model, m.passed, m.graded) for m in faithful}
    for task_id, correction in found.items():
        outputs = [f for f in verdicts.of_task(task_id) if f.is_counted]
        after = _regraded(correction, outputs, grader)
        for filed, passed in zip(outputs, after, strict=True):
            model = filed.output.model
            models[model] = _replaced(
                models[model], filed, passed, is_left_out=correction.corrected is None
            )
    return ReviewedScores(
        audit=audit,
        corrected=tuple(t for t, c in found.items() if c.corrected is not None),
        left_out={t: c.reason for t, c in found.items() if c.corrected is None},
        models=models,
    )


def _regraded(
    correction: Correction, outputs: list[FiledOutput], grader: TaskGrader
) -> list[bool | None]:
    task = correction.corrected
    if task is None:
        return [None] * len(outputs)
    # Failed requests too: the benchmark grades their text like any other.
    texts = [msgspec.structs.replace(filed.output, status=OutputStatus.ANSWER) for filed in outputs]
    grades = [answer.grade for answer in grader.grade(task, task.key, texts)]
    return [g.passed if g and g.status is GradeStatus.GRADED else None for g in grades]


def _replaced(
    totals: ReviewedTotals, filed: FiledOutput, passed: bool | None, *, is_left_out: bool
) -> ReviewedTotals:
    return replace(
        totals,
        passed=totals.passed - filed.passed + bool(passed),
        total=totals.total - (passed is None),
        left_out=totals.left_out + is_left_out,
        not_regraded=totals.not_regraded + (passed is None and not is_left_out),
    )
