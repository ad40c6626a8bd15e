"""One defective task with all that its maintainers need: what is accepted, why not, and a case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.file_names import file_names
from audit_app.domain.json_layout import json_layout
from audit_app.domain.record import Json
from audit_app.domain.review import Finding, Review
from audit_app.errors import InputError
from audit_app.reporting.defects import first_request
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.report import ErrorRow, Report
from audit_app.scoring.key_differences import key_differences
from audit_app.scoring.key_edits import DropTask, apply_edit, settle_proposals
from audit_app.scoring.key_shapes import ReadKey

FOLDER = "findings"
"""Where the texts for the maintainers lie, beside the report."""

WIDTH = 92
"""Characters of a line of a key."""

_LABELS = {
    KeyKind.NO_CALL: "Nothing but an answer without a call.",
    KeyKind.SOME_CALL: "Any call.",
    KeyKind.MISSING: "There is no key.",
}


@dataclass(frozen=True)
class KeyProposal:
    """What the findings of a task would put in the place of its key.

    Attributes:
        text: The proposed key as JSON, or what stands for it in words; empty where there is none.
        differences: What it changes, in sentences.
        diff: Published against proposed key, line by line; empty where one is no JSON.
        reason: Why there is no proposed key, empty where there is one.
    """

    text: str = ""
    differences: tuple[str, ...] = ()
    diff: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Judged:
    """Who judged the task, and when."""

    reviewer: str
    moment: str
    judgement: str
    counts: bool


@dataclass(frozen=True, kw_only=True)
class FindingPage:
    """One defective task.

    Attributes:
        error: Its line in the table of errors.
        file: Name of its text, with the folder.
        case_file: Name of the file with its cases, with the folder.
        anchor: Id of its place in the HTML report.
        asks: The first user message, shortened.
        key: What the published key accepts: JSON, or words.
        key_is_json: Which of the two it is.
        findings: Its findings that count.
        causes: Code → name of each cause they state.
        proposal: What should stand instead.
        judged: The judgements that stand, the one that counts first.
        cases: Ready to be graded.
    """

    error: ErrorRow
    file: str
    case_file: str
    anchor: str
    asks: str
    key: str
    key_is_json: bool
    findings: tuple[Finding, ...]
    causes: Mapping[str, str]
    proposal: KeyProposal
    judged: tuple[Judged, ...]
    cases: tuple[Mapping[str, Json], ...]


def build_pages(record: AuditRecord, report: Report) -> tuple[FindingPage, ...]:
    """A page for each defective task, in the order of the table of errors."""
    names = file_names((row.task_id for row in report.errors), otherwise="task")
    standing: dict[str, list[Review]] = {}
    for review in record.standing_reviews:
        standing.setdefault(review.task_id, []).append(review)
    return tuple(
        _page(record, row, names[row.task_id], standing.get(row.task_id, []))
        for row in report.errors
    )


def _page(record: AuditRecord, row: ErrorRow, name: str, standing: list[Review]) -> FindingPage:
    task, review = record.tasks[row.task_id], record.reviews[row.task_id]
    least = record.rubric.counting.min_severity
    findings = tuple(f for f in review.findings if f.counts(min_severity=least))
    codes = dict.fromkeys(code for f in findings for code in (f.cause, *f.causes) if code)
    known = record.taxonomy.causes
    return FindingPage(
        error=row,
        file=f"{FOLDER}/{name}.md",
        case_file=f"{FOLDER}/{name}.jsonl",
        anchor=f"error-{name}".replace(" ", "_"),
        asks=first_request(task),
        key=_LABELS.get(task.key_kind) or json_lines(task.key),
        key_is_json=task.key_kind not in _LABELS,
        findings=findings,
        causes={code: known[code].label.text() if code in known else "" for code in codes},
        proposal=_proposal(task, findings),
        judged=_judged(review, standing),
        cases=tuple(record.cases.get(task.id, ())),
    )


def _judged(counting: Review, standing: list[Review]) -> tuple[Judged, ...]:
    others = sorted(
        (r for r in standing if r.id != counting.id), key=lambda r: (r.reviewed_at, r.reviewer)
    )
    return tuple(
        Judged(r.reviewer, _moment(r.reviewed_at), r.judgement.value, r is counting)
        for r in (counting, *others)
    )


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _proposal(task: Task, findings: tuple[Finding, ...]) -> KeyProposal:
    try:
        edit = settle_proposals(task.key_kind, task.key, [f.proposed_key for f in findings])
        if isinstance(edit, DropTask):
            return KeyProposal(reason=edit.reason)
        edited = apply_edit(task.key_kind, task.key, edit)
    except InputError as error:
        return KeyProposal(reason=str(error))
    before, after = ReadKey(task.key_kind, task.key), ReadKey(edited.kind, edited.key)
    is_json = not {before.kind, after.kind} & set(_LABELS)
    return KeyProposal(
        text=_LABELS.get(after.kind) or json_lines(after.key),
        differences=tuple(key_differences(before, after)),
        diff=_diff(json_lines(before.key), json_lines(after.key)) if is_json else "",
    )


def _diff(before: str, after: str) -> str:
    old, new = before.split("\n"), after.split("\n")
    return "\n".join(unified_diff(old, new, "published key", "proposed key", lineterm=""))


def json_lines(value: Json, *, width: int = WIDTH) -> str:
    """The value as JSON, its members in their order; what cannot be seen is escaped.

    Args:
        value: Any JSON value.
        width: Characters that a line may have before its members get lines of their own.
    """
    text = json_layout(value, width=width)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
