"""The sample and its findings as CSV: every figure of a report can be recomputed from them."""

from __future__ import annotations

from collections.abc import Iterator

from audit_app.domain.review import Effect, Review
from audit_app.domain.review_file import SEPARATOR
from audit_app.reporting.csv_text import csv_text
from audit_app.reporting.model import AuditRecord

SAMPLE_COLUMNS = (
    "task_id",
    "stratum",
    "outer_stratum",
    "group",
    "category",
    "stage",
    "position",
    "reviewed",
    "judgement",
    "reviewer",
    "defective",
    "possible",
    "strict",
    "false_negative",
    "false_positive",
    "stale",
)
FINDING_COLUMNS = (
    "task_id",
    "stratum",
    "group",
    "category",
    "reviewer",
    "counted",
    "effects",
    "cause",
    "causes",
    "severity",
    "state",
    "note",
    "evidence",
    "proposed_key",
)


def sample_csv(record: AuditRecord) -> str:
    """One row a sampled task, in the order of the draw, with its settled judgement.

    ``stage`` is the stage at which it was drawn, ``position`` its place in the draw of its stratum.
    0/1 columns are empty where the task is not reviewed, ``strict`` also where a counted finding
    states no severity.
    """
    return csv_text(SAMPLE_COLUMNS, _sample_rows(record))


def findings_csv(record: AuditRecord) -> str:
    """One row a finding of the settled judgements, counted or not, in the order of the sample."""
    return csv_text(FINDING_COLUMNS, _finding_rows(record))


def _sample_rows(record: AuditRecord) -> Iterator[list[str | int | None]]:
    outer = {stratum.id: stratum.outer for stratum in record.frame.strata}
    stage_of: dict[str, int] = {}
    for sample in record.samples:
        for task_id in sample.task_ids:
            stage_of.setdefault(task_id, sample.stage)
    for draw in record.sample.draws:
        for position, task_id in enumerate(draw.task_ids, start=1):
            task = record.tasks[task_id]
            yield [
                task_id,
                draw.stratum,
                outer.get(draw.stratum, draw.stratum),
                task.group,
                task.category,
                stage_of[task_id],
                position,
                *_judged(record, record.reviews.get(task_id)),
            ]


def _judged(record: AuditRecord, review: Review | None) -> list[str | int | None]:
    if review is None:
        return [0, *[None] * 8]
    counting = record.rubric.counting
    counted = [f for f in review.findings if f.counts(min_severity=counting.min_severity)]
    strict = None
    if all(finding.severity is not None for finding in counted):
        strict = int(review.is_defective(min_severity=counting.strict_severity))
    return [
        1,
        review.judgement.value,
        review.reviewer,
        int(bool(counted)),
        int(review.may_be_defective(min_severity=counting.min_severity)),
        strict,
        int(any(Effect.FN in finding.effects for finding in counted)),
        int(any(Effect.FP in finding.effects for finding in counted)),
        int(any("K2" in (finding.cause, *finding.causes) for finding in counted)),
    ]


def _finding_rows(record: AuditRecord) -> Iterator[list[str | int | None]]:
    least = record.rubric.counting.min_severity
    stratum_of = {task: draw.stratum for draw in record.sample.draws for task in draw.task_ids}
    for task_id, review in record.reviewed.items():
        task = record.tasks[task_id]
        for finding in review.findings:
            yield [
                task_id,
                stratum_of[task_id],
                task.group,
                task.category,
                review.reviewer,
                int(finding.counts(min_severity=least)),
                SEPARATOR.join(finding.effects),
                finding.cause,
                SEPARATOR.join(finding.causes),
                finding.severity,
                finding.state.value,
                finding.note,
                SEPARATOR.join(finding.evidence),
                finding.proposed_key,
            ]
