"""Builds the report of an audit as data; pure, so equal records give equal reports."""

from __future__ import annotations

from collections import Counter

from audit_app.reporting.criteria import build_criteria, build_verdict
from audit_app.reporting.defects import build_errors, build_representative, build_task_lists
from audit_app.reporting.figures import build_figures
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.report import (
    Disclaimer,
    Heading,
    Methodology,
    Report,
    Reproducibility,
    RulePart,
)


def build_report(record: AuditRecord) -> Report:
    """The report of an audit at any stage."""
    errors = build_errors(record)
    figures = build_figures(record)
    return Report(
        heading=_heading(record),
        verdict=build_verdict(record),
        methodology=_methodology(record),
        rule=_rule(record),
        figures=figures,
        representative=build_representative(record, errors),
        errors=errors,
        tasks=build_task_lists(record),
        criteria=build_criteria(record),
        disclaimer=Disclaimer(
            sample_incomplete=not figures.is_complete,
            rubric_incomplete=record.verdict.partial,
            developer_contact=record.statements.get("developer_contact", ""),
            developer_response=record.statements.get("developer_response", ""),
        ),
        reproducibility=_reproducibility(record),
        impact=record.impact,
        planted=record.planted,
        reviewers=record.reviewers,
        evidence=record.evidence,
        records=record.records,
    )


def _heading(record: AuditRecord) -> Heading:
    return Heading(
        benchmark=record.benchmark.name,
        version=record.benchmark.version,
        rules=record.benchmark.rules,
        audit=record.audit_name,
        audit_id=record.audit_id,
        original_link=record.statements.get("original_link", ""),
        lead=record.statements.get("lead", ""),
        generated_on=record.generated_on,
    )


def _methodology(record: AuditRecord) -> Methodology:
    sampled = set(record.sample.task_ids)
    judges = Counter(
        review.reviewer for review in record.standing_reviews if review.task_id in sampled
    )
    return Methodology(
        evidence=record.sample.kind,
        population=record.frame.size,
        benchmark_tasks=record.benchmark.tasks,
        benchmark_entries=record.benchmark.entries,
        outside=dict(sorted(record.frame.outside.items())),
        stratify_by=record.plan.stratify_by,
        stages=tuple(len(sample.task_ids) for sample in record.samples),
        widen_reason=record.sample.reason,
        reviewers=dict(sorted(judges.items())),
        min_severity=record.rubric.counting.min_severity,
        strict_severity=record.rubric.counting.strict_severity,
    )


def _rule(record: AuditRecord) -> RulePart:
    rule = record.rubric.sampling
    return RulePart(
        widen_band=rule.widen_band,
        band_inclusive=rule.band_inclusive,
        base=rule.base,
        widen_to=rule.widen_to,
        census_at_or_below=rule.census_at_or_below,
    )


def _reproducibility(record: AuditRecord) -> Reproducibility:
    return Reproducibility(
        audit_created_at=record.created_at,
        audit_created_by=record.created_by,
        benchmark_hash=record.benchmark.content_hash,
        benchmark_format=record.benchmark.format,
        benchmark_source=record.benchmark.source,
        frame_hash=record.frame.digest,
        evidence=record.sample.kind,
        seed=record.plan.seed,
        algorithm=record.plan.algorithm,
        plan=record.plan.model_dump(mode="json"),
        rubric_id=record.rubric.id,
        rubric_version=record.rubric.version,
        taxonomy_id=record.taxonomy.id,
        taxonomy_version=record.taxonomy.version,
        versions=dict(sorted(record.versions.items())),
        simulated_outputs=record.simulated,
    )
