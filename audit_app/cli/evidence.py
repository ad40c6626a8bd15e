"""Trials of live models as evidence of findings: evidence."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    brief,
    emit,
    existing_workspace,
    settings_of,
    workspace_options,
)
from audit_app.domain.evidence import KeyOutcome
from audit_app.errors import InputError
from audit_app.services.context import Services, open_services
from audit_app.services.evidence_rows import AttachedEvidence
from audit_app.services.files import read_text


@click.command()
@click.argument("name")
@click.option("--attach", "job", metavar="JOB", help="Attach the trials of this job.")
@click.option("--task", default="", metavar="ID", help="The task (to list: only this one).")
@click.option("--reason", default="", help="What supports the finding whatever the models say.")
@click.option(
    "--finding", type=click.IntRange(1), help="Which of your findings on the task, from 1."
)
@click.option(
    "--proposed-key",
    "key_file",
    type=click.Path(path_type=Path),
    help="JSON of the key to grade by besides the published one (default: the finding's).",
)
@workspace_options
def evidence(
    name: str,
    job: str | None,
    task: str,
    reason: str,
    finding: int | None,
    key_file: Path | None,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """List the trials attached to findings of audit NAME, or attach some to one of yours."""
    if job is None and (reason or finding is not None or key_file is not None):
        raise InputError("--reason, --finding and --proposed-key go with --attach JOB")
    if job is not None and not task:
        raise InputError("--attach JOB needs --task ID: the task whose finding the trials support")
    with open_services(existing_workspace(settings_of(db, person))) as services:
        attached = None
        if job is not None:
            key = None if key_file is None else read_text(key_file)
            attached = _attach(services, name, task, job, finding, key, reason)
        rows = services.evidence.evidence_of(name, task)
    data: dict[str, Any] = {"audit": name, "evidence": [_data(row) for row in rows]}
    if attached is not None:
        data["attached"] = attached
    emit(data, "\n".join(_lines(name, rows)), as_json=as_json)


def _attach(
    services: Services,
    name: str,
    task: str,
    job: str,
    finding: int | None,
    key: str | None,
    reason: str,
) -> str:
    review = services.evidence.own_review(name, task)
    if finding is None and len(review.findings) > 1:
        raise InputError(
            f"you have {len(review.findings)} findings on {task}; say which with --finding N"
        )
    place = (finding or 1) - 1
    done = services.evidence.attach(name, task, review.id, place, job, key, reason)
    return done.id


def _data(row: AttachedEvidence) -> dict[str, Any]:
    evidence, grades = row.evidence, row.evidence.grades
    return {
        "id": evidence.id,
        "task_id": evidence.task_id,
        "review_id": evidence.review_id,
        "finding": evidence.position + 1,
        "reviewer": row.review.reviewer,
        "stands": row.place is not None and not row.is_replaced,
        "shows_defect": row.shows_defect,
        "model": row.job.condition.model,
        "job": row.job.id,
        "condition_id": row.job.condition.digest,
        "trials": len(grades.runs),
        "planned": row.job.trials,
        "recorded": grades.recorded,
        "answers": len(grades.distinct),
        "signatures": list(grades.signatures),
        "triage": grades.triage,
        "published": _counts(grades.published),
        "proposed": None if grades.proposed is None else _counts(grades.proposed),
        "proposed_key": evidence.proposed_key,
        "reason": evidence.reason,
        "attached_at": evidence.attached_at.isoformat(),
        "attached_by": evidence.attached_by,
        "differences": list(row.differences),
    }


def _counts(outcome: KeyOutcome) -> dict[str, Any]:
    return {
        "trials": outcome.trials,
        "passed": outcome.passed,
        "failed": outcome.failed,
        "errors": dict(outcome.errors),
    }


def _lines(name: str, rows: list[AttachedEvidence]) -> Iterable[str]:
    if not rows:
        yield f"{name}: no trials are attached to a finding"
    for row in rows:
        evidence, grades = row.evidence, row.evidence.grades
        counts = [f"published key {_counted(grades.published)}"]
        if grades.proposed is not None:
            counts.append(f"proposed key {_counted(grades.proposed)}")
        yield (
            f"{evidence.task_id}, finding {evidence.position + 1} of {row.review.reviewer}: "
            f"{row.job.condition.model}, job {row.job.id[:8]}, {'; '.join(counts)}"
        )
        yield f"  {brief(evidence.reason)} ({evidence.attached_by})"
        if row.is_replaced:
            yield "  attached again later"
        elif row.place is None:
            yield "  the finding was changed or taken back since"
        elif not row.shows_defect:
            yield "  these trials do not show what the finding says"
        yield from (f"  differs now: {clause}" for clause in row.differences)


def _counted(outcome: KeyOutcome) -> str:
    errors = sum(outcome.errors.values())
    said = f"{outcome.passed} of {outcome.trials} passed, {outcome.failed} failed"
    return f"{said}, {errors} without a verdict" if errors else said
