"""What a report says of an audit's dossier; pure, so that a report can be recomputed."""

from __future__ import annotations

from collections.abc import Iterator

from audit_app.domain.dossier_entries import Carry, RootCause
from audit_app.domain.review import Review
from audit_app.reporting.records import (
    AttemptRate,
    CarryPart,
    HistoryPart,
    LinkedTask,
    OutsidePart,
    RecordsPart,
    ResponsePart,
    RootCausePart,
    RubricChange,
    ScalePart,
    TargetedPart,
)
from audit_app.services.audits import AuditView
from audit_app.services.courses import verdict_changes
from audit_app.services.judging import finding_words, judgement_words


def records_part(view: AuditView, attempts: AttemptRate | None) -> RecordsPart | None:
    """The part of a report; None where nothing is recorded.

    Args:
        view: The audit.
        attempts: The attempt rate, None without graded attempts.
    """
    dossier = view.dossier
    part = RecordsPart(
        stop=view.grounds.stop,
        rubric_note=view.rubric_note,
        rubric_changes=tuple(
            RubricChange(
                on=entry.at.date(),
                by=entry.by,
                version=entry.body.rubric.version,
                reason=entry.body.reason,
                differences=entry.body.differences,
            )
            for entry in dossier.adopted
        ),
        carry=None if dossier.carry is None else _carry(view, dossier.carry.body),
        outside=tuple(_outside(view)),
        targeted=_targeted(view),
        root_causes=tuple(
            _root_cause(view, entry.body, dossier.linked[key])
            for key, entry in dossier.root_causes.items()
        ),
        scale=tuple(_scale(view)),
        attempts=attempts,
        responses=tuple(
            ResponsePart(
                task_id=task_id,
                status=entry.body.status.value,
                version=entry.body.version,
                on=entry.body.on,
                link=entry.body.link,
                text=entry.body.text,
            )
            for task_id, entry in sorted(dossier.responses.items())
        ),
        history=tuple(_history(view)),
    )
    return None if part == RecordsPart() else part


def _outside(view: AuditView) -> Iterator[OutsidePart]:
    for entry in view.dossier.outside:
        body = entry.body
        yield OutsidePart(
            source=body.source,
            examined=body.examined,
            confirmed=body.confirmed,
            of=body.of,
            floor=body.floor,
            note=body.note,
            by=entry.by,
            on=entry.at.date(),
        )


def _targeted(view: AuditView) -> TargetedPart | None:
    outside = [read for read in view.targeted if not read.is_sampled]
    if not view.targeted:
        return None
    judged = [read.judgement for read in outside if read.judgement is not None]
    return TargetedPart(
        targeted=len(outside),
        judged=len(judged),
        defective=sum(_is_defective(view, review) for review in judged),
        tasks=tuple(
            (
                read.task.task_id,
                "not judged" if read.judgement is None else judgement_words(read.judgement),
                read.task.reason,
            )
            for read in outside
        ),
        now_sampled=tuple(read.task.task_id for read in view.targeted if read.is_sampled),
    )


def _root_cause(view: AuditView, cause: RootCause, task_ids: tuple[str, ...]) -> RootCausePart:
    tasks = tuple(_linked(view, task_id) for task_id in task_ids)
    known = view.audit.taxonomy.causes.get(cause.cause)
    return RootCausePart(
        key=cause.key,
        title=cause.title,
        description=cause.description,
        cause=f"{cause.cause} {known.label.text()}" if known else cause.cause,
        links=cause.links,
        tasks=tasks,
        defective=sum(task.is_defective and task.is_sampled for task in tasks),
        of_defective=view.status.defective,
    )


def _linked(view: AuditView, task_id: str) -> LinkedTask:
    targeted = {read.task.task_id: read.judgement for read in view.targeted}
    is_sampled = task_id in view.sample.task_ids
    review = view.settled.get(task_id) if is_sampled else targeted.get(task_id)
    findings = review.findings if review else ()
    return LinkedTask(
        task_id=task_id,
        findings="; ".join(finding_words(finding) for finding in findings),
        is_defective=review is not None and _is_defective(view, review),
        is_sampled=is_sampled,
    )


def _is_defective(view: AuditView, review: Review) -> bool:
    return review.is_defective(min_severity=view.audit.rubric.counting.min_severity)


def _scale(view: AuditView) -> Iterator[ScalePart]:
    causes = view.dossier.root_causes
    for entry in view.dossier.scale_issues:
        root = causes.get(entry.body.root_cause)
        yield ScalePart(
            text=entry.body.text,
            links=entry.body.links,
            root_cause=root.body.title if root else entry.body.root_cause,
            by=entry.by,
            on=entry.at.date(),
        )


def _carry(view: AuditView, carry: Carry) -> CarryPart:
    carried = set(carry.reviews) | set(carry.adjudications)
    return CarryPart(
        audit=carry.audit,
        version=carry.version,
        rules=carry.rules,
        rules_differ=carry.rules != view.benchmark.rules,
        reviews=len(carry.reviews),
        tasks=carry.tasks,
        standing=sum(
            task in view.settled and view.settled[task].id in carried for task in carry.tasks
        ),
        changed=carry.changed,
        fresh=carry.fresh,
        left=carry.left,
        gone=carry.gone,
    )


def _history(view: AuditView) -> Iterator[HistoryPart]:
    for change in verdict_changes(view):
        numbers = change.numbers
        yield HistoryPart(
            at=change.at,
            by=change.by,
            version=change.version,
            outcome=change.outcome,
            label=change.label,
            cause=change.cause,
            reviewed=numbers.reviewed if numbers else None,
            defective=numbers.defective if numbers else None,
        )
