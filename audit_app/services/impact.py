"""What an audit's confirmed defects do to the leaderboard of its benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from audit_app.domain.benchmark import Entry
from audit_app.domain.sampling import DrawKind
from audit_app.errors import InputError
from audit_app.reporting.report import ImpactPart
from audit_app.scoring.grade import GradeStatus
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.corrections import Correction
from audit_app.services.impact_part import (
    ImpactInputs,
    found_corrections,
    impact_part,
    key_digest,
)
from audit_app.services.task_grading import TaskGrader, task_grader
from audit_app.stats.impact_model import Weighting
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import GradeRepository, ScoreRun
from audit_app.storage.verdicts import FiledOutput, VerdictRepository
from audit_app.storage.workspace import Workspace

_Grades = dict[str, dict[str, float | None]]


class ImpactService:
    """Computes the impact of audits; nothing is stored."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._workspace, self._cache = workspace, cache
        self._benchmarks = BenchmarkRepository(workspace)
        self._audits = AuditService(workspace, clock, person)

    def impact(
        self, audit: str, *, weighting: Weighting | None = None, seed: str | None = None
    ) -> ImpactPart:
        """The leaderboard before and after excluding or correcting the confirmed defects.

        Args:
            audit: Name of the audit.
            weighting: What scores give weight to; by default the benchmark's overall score
                where it defines one, else tasks.
            seed: Of the resamples; by default the hash of the audit's frame.

        Raises:
            InputError: There are no outputs.
        """
        found = self.impact_if_any(self._audits.view(audit), weighting=weighting, seed=seed)
        if found is None:
            raise InputError(
                f"the benchmark of {audit!r} has no outputs, so there is no leaderboard to "
                "compare; import them with assay outputs"
            )
        return found

    def impact_if_any(
        self, view: AuditView, *, weighting: Weighting | None = None, seed: str | None = None
    ) -> ImpactPart | None:
        """The same for an audit that was read already; None where there are no outputs."""
        tasks = self._benchmarks.tasks(view.audit.benchmark, view.sample.task_ids)
        found = found_corrections(view, tasks)
        inputs = self.inputs(view, found)
        if inputs is None:
            return None
        return impact_part(view, replace(inputs, weighting=weighting, seed=seed), found)

    def inputs(self, view: AuditView, found: Mapping[str, Correction]) -> ImpactInputs | None:
        """What the impact rests on besides the judgements; None where there are no outputs.

        Args:
            view: The audit.
            found: What its findings ask for.
        """
        key = view.audit.benchmark
        run = GradeRepository(self._workspace, key).latest()
        verdicts = VerdictRepository(self._workspace, key, run.key if run else None)
        models = verdicts.models()
        if not models:
            return None
        entries: dict[str, list[Entry]] = {}
        for task_id, entry in verdicts.entries():
            entries.setdefault(task_id, []).append(entry)
        is_census = view.sample.kind is DrawKind.CENSUS
        counted_ids = list(view.frame.stratum_of()) if is_census else view.sample.task_ids
        before: _Grades = {model: {} for model in models}
        for model, entry_id, share in verdicts.shares(None if is_census else counted_ids):
            before[model][entry_id] = share
        return ImpactInputs(
            basis=_basis(run),
            has_run=run is not None,
            entries={t: tuple(e) for t, e in entries.items()},
            categories={t: f["category"] for t, f in self._benchmarks.field_values(key)},
            before=before,
            after=self._after(view, verdicts, found.values()),
            graded={
                t: key_digest(c.corrected) for t, c in found.items() if c.corrected is not None
            },
            failed=verdicts.failed_by_task(counted_ids),
            late=verdicts.late_by_task(counted_ids),
        )

    def _after(
        self, view: AuditView, verdicts: VerdictRepository, found: Iterable[Correction]
    ) -> _Grades:
        """Verdicts on the outputs of corrected tasks under their corrected keys."""
        stored = self._benchmarks.by_key(view.audit.benchmark)
        grader = task_grader(self._workspace, stored, self._cache)
        after: _Grades = {}
        for correction in found:
            if correction.corrected is None:
                continue
            outputs = verdicts.of_task(correction.task.id)
            for model, entry, share in regraded_shares(correction, outputs, grader):
                after.setdefault(model, {})[entry] = share
        return after


def regraded_shares(
    correction: Correction, outputs: list[FiledOutput], grader: TaskGrader
) -> Iterable[tuple[str, str, float | None]]:
    """(model, entry id, share of its trials that pass under the corrected key)."""
    task = correction.corrected
    if task is None:
        return
    passed: dict[tuple[str, str], list[bool]] = {}
    answers = grader.grade(task, task.key, [filed.output for filed in outputs])
    for filed, answer in zip(outputs, answers, strict=True):
        verdicts = passed.setdefault((filed.output.model, filed.output.entry_id), [])
        grade = answer.grade
        if filed.is_stored and grade is not None and grade.status is GradeStatus.GRADED:
            verdicts.append(grade.passed)
    for (model, entry), verdicts in passed.items():
        yield model, entry, sum(verdicts) / len(verdicts) if verdicts else None


def _basis(run: ScoreRun | None) -> str:
    if run is None:
        return "The scores are made of the published grades; no assay score run is there."
    return (
        f"The scores are made of our own verdicts by the benchmark's rules ({run.rules}); where "
        "an output cannot be graded here, its published grade is kept."
    )
