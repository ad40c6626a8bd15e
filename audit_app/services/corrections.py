"""What the confirmed findings of an audit ask for: a corrected key, or the task left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.review import Finding, FindingState, Review
from audit_app.errors import InputError
from audit_app.importers.content import SCORERS
from audit_app.scoring.key_edits import DropTask, EditedKey, apply_edit, settle_proposals

_LABELS = (KeyKind.NO_CALL, KeyKind.SOME_CALL)

Chooser = Callable[[Finding], bool]
"""Whether a finding is looked at."""


@dataclass(frozen=True)
class Correction:
    """One task with confirmed findings.

    Attributes:
        task: The task with its published key.
        findings: The findings.
        corrected: The task with the key that they propose; None where it is left out.
        reason: Why it is left out, empty where it is not.
    """

    task: Task
    findings: tuple[Finding, ...]
    corrected: Task | None
    reason: str = ""


def counted(min_severity: int) -> Chooser:
    """Chooses the findings that make a task defective."""
    return lambda finding: finding.counts(min_severity=min_severity)


def confirmed(finding: Finding) -> bool:
    """Whether a finding is confirmed, whatever its effect."""
    return finding.state is FindingState.CONFIRMED


def corrections(
    reviews: Mapping[str, Review], tasks: Mapping[str, Task], choose: Chooser
) -> dict[str, Correction]:
    """Task id → what its findings ask for, for every task with a chosen finding, by id.

    Args:
        reviews: Task id → the judgement that counts.
        tasks: The tasks that are looked at, by id.
        choose: Which findings.
    """
    found = {}
    for task_id in sorted(tasks):
        review = reviews.get(task_id)
        findings = tuple(f for f in review.findings if choose(f)) if review else ()
        if findings:
            found[task_id] = _correction(tasks[task_id], findings)
    return found


def _correction(task: Task, findings: tuple[Finding, ...]) -> Correction:
    try:
        edit = settle_proposals(task.key_kind, task.key, [f.proposed_key for f in findings])
        if isinstance(edit, DropTask):
            return Correction(task, findings, None, edit.reason)
        return Correction(
            task, findings, edited_task(task, apply_edit(task.key_kind, task.key, edit))
        )
    except InputError as error:
        return Correction(task, findings, None, str(error))


def edited_task(task: Task, edited: EditedKey) -> Task:
    """The task with an edited key; where its label changes it is graded by that label's rule."""
    scorer = task.scorer
    if edited.kind is not task.key_kind and {edited.kind, task.key_kind} & set(_LABELS):
        scorer = SCORERS[edited.kind]
    return msgspec.structs.replace(task, key_kind=edited.kind, key=edited.key, scorer=scorer)
