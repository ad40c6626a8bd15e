"""What a report is made from, and the making: nothing here reads a workspace or a clock.

The service gathers these inputs from a workspace, and `assay report --check` from the files beside
a report. Both make the report here, so that one recomputed is made as the first one was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from audit_app.domain.benchmark import Task
from audit_app.domain.planted import PlantedTask
from audit_app.domain.record import Json
from audit_app.domain.review import current_reviews
from audit_app.reporting.model import AuditRecord
from audit_app.services.attempts import attempt_rate
from audit_app.services.audits import AuditView
from audit_app.services.corrections import Correction
from audit_app.services.evidence_part import SettledEvidence, evidence_part, settled_evidence
from audit_app.services.evidence_rows import AttachedEvidence
from audit_app.services.impact_part import ImpactInputs, found_corrections, impact_part
from audit_app.services.planted_part import planted_part
from audit_app.services.planted_results import (
    PlantedResults,
    Scope,
    check_figures,
    corrected_by_checks,
)
from audit_app.services.records_part import records_part
from audit_app.services.reviewers_part import reviewers_part
from audit_app.stats.reviewer_checks import Judged


@dataclass(frozen=True, kw_only=True)
class PlantedInputs:
    """Planted checks, as far as they may be shown.

    Attributes:
        planted: Number of checks.
        scope: Whose judgements may be shown.
        hidden: Why not all, empty where all may.
        checks: The checks; none where nothing may be shown.
        judged: Their judgements that may be shown.
        settled: Task id → whether its settled judgement finds a defect, where all may be shown.
    """

    planted: int
    scope: Scope
    hidden: str
    checks: tuple[PlantedTask, ...] = ()
    judged: tuple[Judged, ...] = ()
    settled: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ReportInputs:
    """Everything a report of one audit is made from.

    Attributes:
        view: The audit as the person sees it.
        viewer: The person.
        field_values: (task id, field → value) of every task of the benchmark, from which the frame
            follows.
        tasks: The sampled tasks.
        statements: The auditors' own words.
        generated_on: The day the report carries.
        versions: Name → version of what the figures rest on.
        simulated: Whether outputs shown to the reviewers are said to be simulated.
        impact: What the impact rests on besides the judgements, None without outputs.
        planted: Planted checks, None without any.
        evidence: Trials attached to findings of sampled tasks.
        cases: Task id → answers that show its defect, as ``assay grade`` reads them.
    """

    view: AuditView
    viewer: str
    field_values: Sequence[tuple[str, Mapping[str, str]]]
    tasks: Mapping[str, Task]
    statements: Mapping[str, str]
    generated_on: date
    versions: Mapping[str, str]
    simulated: bool
    impact: ImpactInputs | None
    planted: PlantedInputs | None
    evidence: Sequence[AttachedEvidence]
    cases: Mapping[str, Sequence[Mapping[str, Json]]]

    @cached_property
    def corrections(self) -> dict[str, Correction]:
        """Task id → what its counted findings ask for."""
        return found_corrections(self.view, self.tasks)

    @cached_property
    def settled_evidence(self) -> SettledEvidence:
        """The evidence of the judgements that count."""
        return settled_evidence(self.view, self.evidence)


def record_of(inputs: ReportInputs) -> AuditRecord:
    """The audit in the form from which reports are built; equal inputs give equal ones."""
    view = inputs.view
    impact = inputs.impact
    return AuditRecord(
        audit_name=view.audit.name,
        audit_id=view.audit.id,
        created_at=view.audit.created_at,
        created_by=view.audit.created_by,
        benchmark=view.benchmark,
        plan=view.audit.plan,
        frame=view.frame,
        samples=view.samples,
        reviews=view.settled,
        standing_reviews=tuple(current_reviews(view.reviews)),
        tasks=inputs.tasks,
        status=view.status,
        rubric=view.audit.rubric,
        answers=view.current_answers,
        verdict=view.verdict,
        taxonomy=view.audit.taxonomy,
        statements=inputs.statements,
        generated_on=inputs.generated_on,
        versions=inputs.versions,
        simulated=inputs.simulated,
        impact=None if impact is None else impact_part(view, impact, inputs.corrections),
        planted=None if inputs.planted is None else planted_part(_results(view, inputs.planted)),
        reviewers=reviewers_part(view, inputs.viewer),
        evidence=evidence_part(view, inputs.settled_evidence),
        records=records_part(view, attempt_rate(view, impact, inputs.corrections)),
        cases=inputs.cases,
    )


def _results(view: AuditView, planted: PlantedInputs) -> PlantedResults:
    figures = None
    if planted.scope is not Scope.NONE:
        corrected = None
        if planted.scope is Scope.ALL:
            corrected = corrected_by_checks(view, planted.checks, planted.settled)
        figures = check_figures(planted.checks, planted.judged, corrected)
    return PlantedResults(
        planted=planted.planted,
        sampled=len(view.sample.task_ids),
        scope=planted.scope,
        hidden=planted.hidden,
        figures=figures,
    )
