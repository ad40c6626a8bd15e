"""What an audit's confirmed defects do to the leaderboard of its benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from audit_app.domain.benchmark import Entry
from audit_app.domain.sampling import DrawKind
from audit_app.errors import InputError
from audit_app.importers.bfcl_layout import CATEGORIES
from audit_app.reporting.report import ImpactPart
from audit_app.scoring.grade import GradeStatus
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.corrections import Correction, corrections, counted
from audit_app.services.task_grading import TaskGrader, task_grader
from audit_app.stats.impact import compute_impact
from audit_app.stats.impact_model import (
    ImpactData,
    ImpactTask,
    Remedy,
    StratumWeight,
    Weighting,
)
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import GradeRepository, ScoreRun
from audit_app.storage.verdicts import FiledOutput, VerdictRepository
from audit_app.storage.workspace import Workspace

_NONE_REVIEWED = (
    "The effect on the leaderboard is not defined: no task of the sample has been reviewed."
)
_NONE_GRADED = (
    "The effect on the leaderboard is not defined: the outputs bear no published grade; "
    "run assay score first."
)
_Grades = dict[str, dict[str, float | None]]


class _Members(NamedTuple):
    """The scored entries of each task, and the categories they are in."""

    entries: Mapping[str, tuple[Entry, ...]]
    categories: Mapping[str, str]

    @property
    def has_points(self) -> bool:
        """Whether the benchmark defines an overall score."""
        return all(e.weight is not None for entries in self.entries.values() for e in entries)


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
        key = view.audit.benchmark
        run = GradeRepository(self._workspace, key).latest()
        verdicts = VerdictRepository(self._workspace, key, run.key if run else None)
        models = verdicts.models()
        if not models:
            return None
        members = self._members(key, verdicts)
        data = self._data(view, verdicts, members, models)
        by_score = Weighting.SCORE if members.has_points else Weighting.TASK
        impact = compute_impact(
            data, weighting or by_score, seed=view.frame.digest if seed is None else seed
        )
        if not data.tasks:
            impact = impact.model_copy(update={"sentence": _NONE_REVIEWED})
        elif run is None and impact.ungraded == len(data.tasks):
            impact = impact.model_copy(update={"sentence": _NONE_GRADED})
        notes = (*impact.notes, *_notes(view, verdicts))
        return ImpactPart(basis=_basis(run), impact=impact.model_copy(update={"notes": notes}))

    def _members(self, benchmark: int, verdicts: VerdictRepository) -> _Members:
        entries: dict[str, list[Entry]] = {}
        for task_id, entry in verdicts.entries():
            entries.setdefault(task_id, []).append(entry)
        categories = {t: f["category"] for t, f in self._benchmarks.field_values(benchmark)}
        return _Members({t: tuple(e) for t, e in entries.items()}, categories)

    def _data(
        self, view: AuditView, verdicts: VerdictRepository, members: _Members, models: list[str]
    ) -> ImpactData:
        is_census = view.sample.kind is DrawKind.CENSUS
        strata = view.frame.stratum_of()
        reviewed = [t for t in view.sample.task_ids if t in view.settled]
        counted_ids = list(strata) if is_census else reviewed
        cell = _pool if is_census else (lambda task_id, _: strata[task_id])
        found = corrections(
            view.settled,
            self._benchmarks.tasks(view.audit.benchmark, reviewed),
            counted(view.audit.rubric.counting.min_severity),
        )
        before: _Grades = {model: {} for model in models}
        for model, entry, share in verdicts.shares(None if is_census else counted_ids):
            before[model][entry] = share
        return ImpactData(
            tasks=[
                ImpactTask(t, cell(t, members.categories[t]), members.entries[t])
                for t in counted_ids
            ],
            before=before,
            after=self._after(view, verdicts, found.values()),
            defects={t: _remedy(c) for t, c in found.items()},
            strata=None if is_census else _weights(view, members),
            unreviewed=0 if is_census else len(view.sample.task_ids) - len(reviewed),
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


def _remedy(correction: Correction) -> Remedy:
    return Remedy.EXCLUDED if correction.corrected is None else Remedy.CORRECTED


def _pool(task_id: str, category: str) -> str:
    """The tasks that share points of the overall score: categories, some of them pooled."""
    known = CATEGORIES.get(category)
    return known.pool if known else category


def _weights(view: AuditView, members: _Members) -> dict[str, StratumWeight]:
    weights = {}
    for stratum in view.frame.strata:
        points = [
            entry.weight
            for task_id in view.frame.members[stratum.id]
            for entry in members.entries[task_id]
        ]
        known = [p for p in points if p is not None]
        total = sum(known) if len(known) == len(points) else None
        weights[stratum.id] = StratumWeight(frame=stratum.weight, points=total)
    return weights


def _basis(run: ScoreRun | None) -> str:
    if run is None:
        return "The scores are made of the published grades; no assay score run is there."
    return (
        f"The scores are made of our own verdicts by the benchmark's rules ({run.rules}); where "
        "an output cannot be graded here, its published grade is kept."
    )


def _notes(view: AuditView, verdicts: VerdictRepository) -> Iterable[str]:
    is_census = view.sample.kind is DrawKind.CENSUS
    reviewed = [t for t in view.sample.task_ids if t in view.settled]
    counted_ids = view.frame.stratum_of() if is_census else reviewed
    failed = verdicts.failed_requests(counted_ids)
    late = verdicts.not_in_run(counted_ids)
    if failed:
        yield f"{failed:,} outputs are failed requests: no answers, so they are left out."
    if late:
        yield f"{late:,} outputs came after the last score run: left out; run assay score again."
    waiting = len(view.sample.task_ids) - len(reviewed)
    if is_census and waiting:
        yield f"{waiting:,} tasks are not reviewed yet: they count as they are."
