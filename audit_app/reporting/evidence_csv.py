"""Evidence from live runs as CSV, one row a piece of evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit_app.domain.review_file import SEPARATOR
from audit_app.reporting.csv_text import csv_text
from audit_app.reporting.evidence import EvidencedFinding, EvidencePart, KeyCounts, TrialsPart

_COUNTS = ("trials", "passed", "failed", "errors", "error_kinds", "triage")
EVIDENCE_COLUMNS = (
    "task_id",
    "reviewer",
    "finding",
    "effects",
    "cause",
    "state",
    "confirmed",
    "evidence",
    "attached_by",
    "attached_at",
    "reason",
    "model",
    "job",
    "condition_id",
    "planned",
    "recorded",
    *(f"published_{name}" for name in _COUNTS),
    *(f"proposed_{name}" for name in _COUNTS),
    "answers",
    "signatures",
    "shows_defect",
    "carried",
    "key_stands",
    "proposed_key",
)


def evidence_csv(part: EvidencePart) -> str:
    """Every count with its denominator; what is not proposed is empty."""
    return csv_text(EVIDENCE_COLUMNS, _rows(part))


def _rows(part: EvidencePart) -> Iterator[list[str | int | None]]:
    for finding in part.findings:
        for trials in finding.trials:
            yield [*_head(finding), *_cells(trials)]


def _head(finding: EvidencedFinding) -> list[str | int | None]:
    return [
        finding.task_id,
        finding.reviewer,
        finding.position + 1,
        SEPARATOR.join(finding.effects),
        finding.cause,
        finding.state.value,
        int(finding.confirmed),
    ]


def _cells(part: TrialsPart) -> list[str | int | None]:
    return [
        part.id,
        part.attached_by,
        part.attached_at.isoformat(),
        part.reason,
        part.model,
        part.job,
        part.condition_id,
        part.planned,
        part.recorded,
        *_counts(part.published),
        *(_counts(part.proposed) if part.proposed is not None else [None] * len(_COUNTS)),
        len(part.answers),
        len(part.signatures),
        int(part.shows_defect),
        int(part.carried),
        int(part.key_stands),
        part.proposed_key,
    ]


def _counts(counts: KeyCounts) -> list[str | int | None]:
    return [
        counts.trials,
        counts.passed,
        counts.failed,
        sum(counts.errors.values()),
        _kinds(counts.errors),
        counts.triage,
    ]


def _kinds(errors: Mapping[str, int]) -> str:
    return "; ".join(f"{kind}: {number}" for kind, number in errors.items())
