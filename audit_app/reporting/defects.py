"""The tasks of a report: the defective ones, the representative ones, and all others."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.benchmark import Task, encode
from audit_app.domain.record import Json
from audit_app.domain.review import COUNTED_EFFECTS, Finding, FindingState, Review
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.report import (
    CauseName,
    ErrorRow,
    OpenTask,
    Representative,
    RepresentativePart,
    TaskLists,
)

MOST_REPRESENTATIVE = 5
"""Representative errors chosen by rule: enough to show the kinds, few enough to be read."""

_LONGEST_ASK = 320
_UNSTATED = 9
"""Sorts findings without a severity after all others."""


def build_errors(record: AuditRecord) -> tuple[ErrorRow, ...]:
    """One line for each defective task, in the order of the strata, then by id."""
    strata = [draw.stratum for draw in record.sample.draws]
    stratum_of = {task: draw.stratum for draw in record.sample.draws for task in draw.task_ids}
    rows = [
        _error(record, record.tasks[task_id], stratum_of[task_id], review)
        for task_id, review in record.reviewed.items()
        if record.is_defective(review)
    ]
    return tuple(sorted(rows, key=lambda row: (strata.index(row.stratum), row.task_id)))


def build_task_lists(record: AuditRecord) -> TaskLists:
    """The sampled tasks that are not defective, in the order of the sample."""
    right, not_counted, open_ = [], [], []
    for task_id in record.sample.task_ids:
        review = record.reviews.get(task_id)
        if review is None:
            open_.append(task_id)
        elif all(f.state is FindingState.REJECTED for f in review.findings):
            right.append(task_id)
        elif not record.is_defective(review):
            texts = tuple(_in_words(finding) for finding in review.findings)
            not_counted.append(OpenTask(task_id=task_id, findings=texts))
    return TaskLists(
        found_right=tuple(right), not_counted=tuple(not_counted), not_reviewed=tuple(open_)
    )


def build_representative(record: AuditRecord, errors: tuple[ErrorRow, ...]) -> RepresentativePart:
    """The errors the auditors named, in their order; else up to five chosen by rule.

    The rule takes tasks whose reviewer gave a reason: of each stratum the one with the longest
    reason, longest first, then the longest of the rest.
    """
    by_id = {row.task_id: row for row in errors}
    named = tuple(record.statements.get("representative", "").split())
    chosen = [by_id[task_id] for task_id in named if task_id in by_id]
    if not named:
        chosen = _by_rule(record, errors)
    return RepresentativePart(
        chosen_by="auditors" if named else "rule",
        errors=tuple(_representative(record, row) for row in chosen),
        not_defective=tuple(task_id for task_id in named if task_id not in by_id),
    )


def _by_rule(record: AuditRecord, errors: Iterable[ErrorRow]) -> list[ErrorRow]:
    length = {row.task_id: sum(map(len, _reasons(record, row.task_id))) for row in errors}
    ranked = sorted(errors, key=lambda row: (-length[row.task_id], row.task_id))
    ranked = [row for row in ranked if length[row.task_id]]
    first_of: dict[str, str] = {}
    for row in ranked:
        first_of.setdefault(row.stratum, row.task_id)
    ranked.sort(key=lambda row: first_of[row.stratum] != row.task_id)
    chosen = {row.task_id for row in ranked[:MOST_REPRESENTATIVE]}
    return sorted((row for row in errors if row.task_id in chosen), key=_severity_order)


def _severity_order(row: ErrorRow) -> int:
    return _UNSTATED if row.severity is None else row.severity


def _counted(record: AuditRecord, review: Review) -> list[Finding]:
    least = record.rubric.counting.min_severity
    return [finding for finding in review.findings if finding.counts(min_severity=least)]


def _reasons(record: AuditRecord, task_id: str) -> tuple[str, ...]:
    findings = _counted(record, record.reviews[task_id])
    return tuple(f.note for f in findings if f.note.strip())


def _error(record: AuditRecord, task: Task, stratum: str, review: Review) -> ErrorRow:
    findings = _counted(record, review)
    effects = {effect for f in findings for effect in f.effects} & COUNTED_EFFECTS
    codes = dict.fromkeys(f.cause for f in findings if f.cause)
    causes = record.taxonomy.causes
    stated = [f.severity for f in findings if f.severity is not None]
    severity = max(stated, default=None)
    labels = {described.id: described.label.text() for described in record.taxonomy.severities}
    return ErrorRow(
        task_id=task.id,
        category=task.category,
        group=task.group,
        stratum=stratum,
        effects=tuple(sorted(effect.value for effect in effects)),
        causes=tuple(
            CauseName(code=code, label=causes[code].label.text() if code in causes else "")
            for code in codes
        ),
        severity=severity,
        severity_label=labels.get(str(severity), ""),
    )


def _representative(record: AuditRecord, row: ErrorRow) -> Representative:
    findings = _counted(record, record.reviews[row.task_id])
    return Representative(
        error=row,
        asks=first_request(record.tasks[row.task_id]),
        reasons=_reasons(record, row.task_id),
        evidence=tuple(dict.fromkeys(link for f in findings for link in f.evidence)),
    )


def first_request(task: Task) -> str:
    """The first user message of a task, cut at a word; an empty string where there is none."""
    messages = (message for turn in task.turns for message in turn)
    content = next((m.content for m in messages if m.role == "user"), "")
    text = _plain(content).strip()
    if len(text) <= _LONGEST_ASK:
        return text
    head = text[: _LONGEST_ASK - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut > _LONGEST_ASK // 2 else head).rstrip() + "…"


def _plain(content: Json) -> str:
    """The text of a message; of a list of parts, the texts of the parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(
        isinstance(part, dict) and isinstance(part.get("text"), str) for part in content
    ):
        return "\n".join(part["text"] for part in content)
    return encode(content).decode()


def _in_words(finding: Finding) -> str:
    severity = "" if finding.severity is None else f", severity {finding.severity}"
    return f"{', '.join(finding.effects)}, {finding.state}{severity}"
