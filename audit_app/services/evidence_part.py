"""What a report says of the trials attached to the findings of the settled judgements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from audit_app.domain.benchmark import encode
from audit_app.domain.evidence import AnswerGrades, KeyOutcome, carried_to
from audit_app.domain.record import Json
from audit_app.domain.review import FindingState, Review
from audit_app.domain.team import Mode
from audit_app.reporting.evidence import (
    AnswerPart,
    EvidencedFinding,
    EvidencePart,
    KeyCounts,
    TrialsPart,
)
from audit_app.services.audits import AuditView
from audit_app.services.evidence_rows import AttachedEvidence

_SHOWN = 2_000
"""Characters of an answer in a report; the whole stands in the export."""


class SettledEvidence(NamedTuple):
    """Evidence of the settled judgements.

    Attributes:
        findings: (task id, position in the settled judgement) → its evidence, by sample.
        left_out: Pieces of evidence on sampled tasks that belong to none.
    """

    findings: dict[tuple[str, int], list[AttachedEvidence]]
    left_out: int

    @property
    def rows(self) -> list[AttachedEvidence]:
        """All that is shown, in that order."""
        return [row for rows in self.findings.values() for row in rows]


def settled_evidence(view: AuditView, attached: Iterable[AttachedEvidence]) -> SettledEvidence:
    """The evidence whose finding stands in the judgement that counts."""
    order = {task_id: place for place, task_id in enumerate(view.sample.task_ids)}
    rows = [r for r in attached if r.evidence.task_id in order and not r.is_replaced]
    found: dict[tuple[str, int], list[AttachedEvidence]] = {}
    left_out = 0
    for row in rows:
        position = _settled_position(view, row)
        if position is None:
            left_out += 1
        else:
            found.setdefault((row.evidence.task_id, position), []).append(row)
    by_sample = sorted(found, key=lambda place: (order[place[0]], place[1]))
    return SettledEvidence({place: found[place] for place in by_sample}, left_out)


def _settled_position(view: AuditView, row: AttachedEvidence) -> int | None:
    """Where its finding stands in the settled judgement: of its reviewer, or one that rests on it.

    An adjudication has findings of its own; the one with the same effects and cause is meant.
    """
    settled = view.settled.get(row.evidence.task_id)
    if settled is None or row.place is None:
        return None
    if settled.id == row.place.review.id:
        return row.place.position
    if view.team.mode is not Mode.ADJUDICATED:
        return None
    return carried_to(row.place.finding, row.place.position, settled.findings)


def evidence_part(view: AuditView, found: SettledEvidence) -> EvidencePart | None:
    """The part of a report; None where nothing is attached."""
    if not found.findings and not found.left_out:
        return None
    return EvidencePart(
        findings=tuple(
            _finding(view, view.settled[task_id], position, rows)
            for (task_id, position), rows in found.findings.items()
        ),
        left_out=found.left_out,
    )


def _finding(
    view: AuditView, settled: Review, position: int, rows: Sequence[AttachedEvidence]
) -> EvidencedFinding:
    finding = settled.findings[position]
    cause = view.audit.taxonomy.causes.get(finding.cause or "")
    return EvidencedFinding(
        task_id=settled.task_id,
        category=rows[0].task.category,
        reviewer=settled.reviewer,
        position=position,
        effects=tuple(effect.value for effect in finding.effects),
        cause=finding.cause,
        cause_label=cause.label.text() if cause else "",
        severity=finding.severity,
        state=finding.state,
        confirmed=finding.state is FindingState.CONFIRMED and any(r.shows_defect for r in rows),
        trials=tuple(_trials(row, finding.proposed_key) for row in rows),
    )


def _trials(row: AttachedEvidence, current_key: str | None) -> TrialsPart:
    evidence, grades, condition = row.evidence, row.evidence.grades, row.job.condition
    ended = sorted(trial.ended_at for trial in row.trials)
    proposed = grades.proposed
    return TrialsPart(
        id=evidence.id,
        reason=evidence.reason,
        attached_at=evidence.attached_at,
        attached_by=evidence.attached_by,
        shows_defect=row.shows_defect,
        carried=row.is_carried,
        job=row.job.id,
        model=condition.model,
        condition_id=condition.digest,
        condition=condition.model_dump(mode="json"),
        planned=row.job.trials,
        recorded=grades.recorded,
        first_at=ended[0] if ended else None,
        last_at=ended[-1] if ended else None,
        assay=grades.assay,
        rules=grades.rules,
        published=_counts(grades.published, grades.published_key, grades.triage),
        proposed=None
        if proposed is None
        else _counts(proposed, grades.proposed_key or "", grades.triage_proposed or ""),
        proposed_key=evidence.proposed_key,
        key_stands=evidence.proposed_key == current_key,
        answers=_answers(row),
        signatures=grades.signatures,
        differences=row.differences,
    )


def _counts(outcome: KeyOutcome, key: str, triage: str) -> KeyCounts:
    return KeyCounts(
        key=key,
        trials=outcome.trials,
        passed=outcome.passed,
        failed=outcome.failed,
        errors=dict(outcome.errors),
        triage=triage,
    )


def _answers(row: AttachedEvidence) -> tuple[AnswerPart, ...]:
    """Distinct answers; outputs that were read as one answer are one."""
    outputs = {trial.trial: trial.output for trial in row.trials}
    grouped: dict[int, list[AnswerGrades]] = {}
    for answer in row.evidence.grades.answers:
        grouped.setdefault(answer.answer, []).append(answer)
    return tuple(_answer(members, outputs) for members in grouped.values())


def _answer(members: Sequence[AnswerGrades], outputs: dict[int, Json]) -> AnswerPart:
    first = members[0]
    output = outputs.get(first.trials[0], "")
    text = output if isinstance(output, str) else encode(output).decode()
    proposed = first.proposed
    return AnswerPart(
        text=text[:_SHOWN],
        is_cut=len(text) > _SHOWN,
        trials=tuple(sorted(trial for member in members for trial in member.trials)),
        published=first.published.verdict.value,
        published_code=first.published.code,
        signature=first.published.signature,
        proposed=None if proposed is None else proposed.verdict.value,
        proposed_code=None if proposed is None else proposed.code,
    )
