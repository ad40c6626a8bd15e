"""Reviews as rows of a file: the full form, from which they can be read back exactly.

One row a finding, one row for a clean task. Ids of reviews, what they supersede and the seconds
they took stay in the workspace; withdrawn judgements have no row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC

from audit_app.domain.record import Json
from audit_app.domain.review import Finding, Judgement, Review
from audit_app.domain.review_file import COLUMNS, SEPARATOR
from audit_app.reporting.csv_text import csv_text


def reviews_csv(reviews: Iterable[Review]) -> str:
    """The reviews as CSV, ordered by task, reviewer and time.

    Several effects, causes or links in one cell are joined by a space, which none of them holds.
    """
    return csv_text(COLUMNS, ([_cell(row[name]) for name in COLUMNS] for row in _rows(reviews)))


def reviews_jsonl(reviews: Iterable[Review]) -> str:
    """The reviews as JSON lines with the same fields; effects, causes and evidence are lists."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(reviews))


def _cell(value: Json) -> str | int | None:
    return SEPARATOR.join(value) if isinstance(value, list) else value


def _rows(reviews: Iterable[Review]) -> Iterator[dict[str, Json]]:
    for review in sorted(reviews, key=lambda r: (r.task_id, r.reviewer, r.reviewed_at)):
        if review.judgement is Judgement.WITHDRAWN:
            continue
        for finding in review.findings or (None,):
            yield _row(review, finding)


def _row(review: Review, finding: Finding | None) -> dict[str, Json]:
    moment = review.reviewed_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return {
        "task_id": review.task_id,
        "reviewer": review.reviewer,
        "reviewed_at": moment,
        "judgement": review.judgement.value,
        "effects": [effect.value for effect in finding.effects] if finding else [],
        "cause": finding.cause if finding else None,
        "causes": list(finding.causes) if finding else [],
        "severity": finding.severity if finding else None,
        "state": finding.state.value if finding else None,
        "note": finding.note if finding else review.note,
        "evidence": list(finding.evidence) if finding else [],
        "proposed_key": finding.proposed_key if finding else None,
    }
