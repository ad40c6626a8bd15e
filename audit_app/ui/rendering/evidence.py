"""Trials attached to findings of one task, as escaped HTML."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.evidence import KeyOutcome
from audit_app.services.evidence_rows import AttachedEvidence
from audit_app.services.judging import finding_words
from audit_app.ui.rendering.text import bounded, counted, literal


def attached_list(attached: Iterable[AttachedEvidence]) -> str:
    """Every piece: whose finding, which trials, what they came to, and the reason."""
    return "".join(map(_piece, attached))


def _piece(row: AttachedEvidence) -> str:
    evidence, grades = row.evidence, row.evidence.grades
    outcomes = f"published key: {_outcome(grades.published)}"
    if grades.proposed is not None:
        outcomes += f"; proposed key: {_outcome(grades.proposed)}"
    notes = "".join(f'<p class="meta">{literal(note)}</p>' for note in _notes(row))
    finding = finding_words(row.review.findings[evidence.position])
    return (
        f'<div class="jobrow"><div class="line"><b>{literal(finding)}</b><span class="meta">of '
        f"{bounded(evidence.attached_by, 80)}, attached "
        f"{evidence.attached_at.astimezone():%d %b %H:%M}</span></div><p>"
        f"{counted(len(grades.runs), 'trial')} of <bdi>{bounded(row.job.condition.model, 80)}"
        f"</bdi>, condition <code>{row.job.condition.digest[:12]}</code>; {outcomes}</p>"
        f'<p dir="auto">Reason: {bounded(evidence.reason, 2_000)}</p>{notes}</div>'
    )


def _outcome(outcome: KeyOutcome) -> str:
    errors = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in outcome.errors.items())
    apart = f", without a verdict: {literal(errors)}" if errors else ""
    return f"{outcome.passed} passed, {outcome.failed} failed of {outcome.trials}{apart}"


def _notes(row: AttachedEvidence) -> list[str]:
    notes = []
    if row.place is None:
        notes.append("The finding was changed or taken back since.")
    if row.is_replaced:
        notes.append("The same trials were attached again later.")
    if not row.shows_defect:
        notes.append("No trial was graded as the finding says an answer would be.")
    return [*notes, *row.differences]
