"""The inputs of a report as files beside it, and back: what `assay report --check` reads.

Judgements stand in ``reviews.csv`` and the sample in ``sample.csv``, as people read them. Of tasks
without a defect nothing but their beginning goes along, so that a report does not give a private
benchmark away.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

from pydantic import TypeAdapter

from audit_app.domain.benchmark import Message, Task, encode
from audit_app.domain.live_jobs import StoredTrial
from audit_app.domain.record import Json
from audit_app.domain.review import Review, current_reviews
from audit_app.domain.sampling import SamplingPlan
from audit_app.reporting.csv_text import csv_text
from audit_app.reporting.defects import first_request
from audit_app.services.audits import AuditView
from audit_app.services.evidence_rows import AttachedEvidence
from audit_app.services.impact_part import ImpactInputs
from audit_app.services.report_inputs import PlantedInputs, ReportInputs

INPUTS, FRAME, ENTRIES, TASKS, GRADES = (
    "inputs.json",
    "frame.csv",
    "entries.csv",
    "sampled_tasks.jsonl",
    "grades.csv",
)
INPUTS_VERSION = 1
"""Rises when a member of ``inputs.json`` changes its meaning or goes away."""

FIELD = "field_{}"
"""Column of ``frame.csv`` with the plan's first, second field, if that is a further one."""
ENTRY_COLUMNS = ("entry_id", "task_id", "weight")
GRADE_COLUMNS = ("model", "entry_id", "before", "after")
ELSEWHERE = ("frame", "samples", "reviews")
"""Parts of the view that have files of their own."""

VIEW: TypeAdapter[AuditView] = TypeAdapter(AuditView)
REVIEWS = TypeAdapter(tuple[Review, ...])
TRIALS = TypeAdapter(tuple[StoredTrial, ...])


def input_files(inputs: ReportInputs) -> dict[str, bytes]:
    """File name → content; equal inputs give equal files."""
    files = {
        INPUTS: _document(inputs),
        FRAME: _frame(inputs).encode(),
        TASKS: b"".join(encode(task) + b"\n" for task in _tasks(inputs)),
    }
    if inputs.impact is not None:
        files[ENTRIES] = csv_text(ENTRY_COLUMNS, _entries(inputs.impact)).encode()
        files[GRADES] = csv_text(GRADE_COLUMNS, _grades(inputs.impact)).encode()
    return files


def _document(inputs: ReportInputs) -> bytes:
    view = inputs.view
    document = {
        "schema": "assay.report-inputs",
        "schema_version": INPUTS_VERSION,
        "view": _view(view),
        "reviews": [
            {"id": r.id, "task_id": r.task_id, "reviewer": r.reviewer} for r in _standing(view)
        ],
        "replaced": REVIEWS.dump_python(_replaced(view), mode="json"),
        "stages": [
            {"stage": s.stage, "kind": s.kind.value, "reason": s.reason} for s in view.samples
        ],
        "viewer": inputs.viewer if view.hidden else "",
        "statements": dict(inputs.statements),
        "generated_on": inputs.generated_on.isoformat(),
        "versions": dict(inputs.versions),
        "simulated": inputs.simulated,
        "impact": None if inputs.impact is None else _impact(inputs.impact),
        "planted": None if inputs.planted is None else _planted(inputs.planted),
        "evidence": [_evidence(row) for row in inputs.evidence],
        "cases": {task_id: list(cases) for task_id, cases in inputs.cases.items()},
    }
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False, allow_nan=False)
    return text.encode() + b"\n"


def _view(view: AuditView) -> dict[str, Json]:
    """The view without what has a file of its own, and without keys of the workspace."""
    shown = replace(view, audit=replace(view.audit, benchmark=0))
    names = {field.name for field in fields(AuditView)} - set(ELSEWHERE)
    document: dict[str, Json] = VIEW.dump_python(shown, mode="json", include=names)
    return document


def _standing(view: AuditView) -> list[Review]:
    """The reviews that stand, in the order of saving."""
    standing = {review.id for review in current_reviews(view.reviews)}
    return [review for review in view.reviews if review.id in standing]


def _replaced(view: AuditView) -> tuple[Review, ...]:
    standing = {review.id for review in _standing(view)}
    return tuple(review for review in view.reviews if review.id not in standing)


def further_fields(plan: SamplingPlan) -> dict[str, str]:
    """Column of ``frame.csv`` → field of the plan, for those besides category and group."""
    return {
        FIELD.format(number): name
        for number, name in enumerate(plan.stratify_by, start=1)
        if name not in ("category", "group")
    }


def _frame(inputs: ReportInputs) -> str:
    """One row a task of the benchmark: what its stratum follows from."""
    further = further_fields(inputs.view.audit.plan)
    names = ("category", "group", *further.values())
    return csv_text(
        ("task_id", "category", "group", *further),
        (
            [task_id, *(values.get(name) for name in names)]
            for task_id, values in inputs.field_values
        ),
    )


def _tasks(inputs: ReportInputs) -> Iterator[Task]:
    """The sampled tasks: the defective ones whole, of the others how they begin."""
    defective = inputs.corrections
    for task_id in inputs.view.sample.task_ids:
        task = inputs.tasks[task_id]
        if task_id in defective:
            yield task
            continue
        asks = first_request(task)
        yield Task(
            id=task.id,
            category=task.category,
            group=task.group,
            scorer=task.scorer,
            turns=((Message("user", asks),),) if asks else (),
        )


def _entries(impact: ImpactInputs) -> Iterator[list[str | float | None]]:
    for task_id, entries in impact.entries.items():
        for entry in entries:
            yield [entry.id, task_id, entry.weight]


def _grades(impact: ImpactInputs) -> Iterator[list[str | float | None]]:
    """One row an entry with a verdict before or after, by model and entry."""
    for model in sorted(impact.before):
        before, after = impact.before[model], impact.after.get(model, {})
        known = {
            e for grades in (before, after) for e, share in grades.items() if share is not None
        }
        for entry_id in sorted(known):
            yield [model, entry_id, _number(before, entry_id), _number(after, entry_id)]


def _number(grades: Mapping[str, float | None], entry_id: str) -> float | None:
    share = grades.get(entry_id)
    return None if share is None else float(share)


def _impact(impact: ImpactInputs) -> dict[str, Json]:
    return {
        "weighting": impact.weighting,
        "seed": impact.seed,
        "basis": impact.basis,
        "has_run": impact.has_run,
        "models": sorted(impact.before),
        "graded": dict(impact.graded),
        "failed": dict(impact.failed),
        "late": dict(impact.late),
    }


def _planted(planted: PlantedInputs) -> dict[str, Json]:
    return {
        "planted": planted.planted,
        "scope": planted.scope.value,
        "hidden": planted.hidden,
        "settled": dict(planted.settled),
    }


def _evidence(row: AttachedEvidence) -> dict[str, Json]:
    return {
        "evidence": row.evidence.model_dump(mode="json"),
        "job": {
            "id": row.job.id,
            "trials": row.job.trials,
            "condition": row.job.condition.model_dump(mode="json"),
        },
        "trials": TRIALS.dump_python(row.trials, mode="json"),
        "is_replaced": row.is_replaced,
        "differences": list(row.differences),
    }
