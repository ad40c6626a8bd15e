"""Grading every output of a benchmark as the benchmark itself would, and comparing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from audit_app import __version__
from audit_app.domain.benchmark import BenchmarkVersion, KeyKind
from audit_app.errors import InputError
from audit_app.external.simulators import find_simulators
from audit_app.scoring.grade import ScoringSettings
from audit_app.scoring.rules import V4, rule_set
from audit_app.scoring.unwinnable import Unwinnable, find_obstacle
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.corrections import corrections, counted
from audit_app.services.grading import GradingJob, graded_chunks
from audit_app.services.readings import found_reading
from audit_app.services.reviewed_scores import ReviewedScores, reviewed_scores
from audit_app.services.task_grading import task_grader
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.grades import (
    Disagreement,
    GradedRow,
    GradeRepository,
    ModelTotals,
    ScoreRun,
)
from audit_app.storage.ungraded import UngradedRepository
from audit_app.storage.verdicts import VerdictRepository
from audit_app.storage.workspace import Workspace

CHUNK = 2_000
"""Outputs that one worker grades at a time."""
STORED_AT_A_TIME, STORED_AFTER_S = 64_000, 5.0
"""Grades of one transaction, and how long they wait for it at most: what a kill can lose. Grades
come task by task and are stored output by output, so small transactions would each touch every
page of the table."""
PROBED = 2_000
"""Outputs of a model that are looked at to find how it is to be read."""

Progress = Callable[[int, int], None]
"""Told how many outputs are graded, and how many there are."""


@dataclass(frozen=True)
class Scores:
    """What came of scoring a benchmark.

    Attributes:
        benchmark: The version.
        run: The run that holds the grades.
        models: Totals by model.
        disagreements: Outputs whose published grade is not ours.
        simulated: Whether the multi-turn simulators were there.
        unwinnable: Task id → why no output can satisfy its key.
    """

    benchmark: BenchmarkVersion
    run: ScoreRun
    models: tuple[ModelTotals, ...]
    disagreements: tuple[Disagreement, ...]
    simulated: bool
    unwinnable: Mapping[str, Unwinnable]


class ScoringService:
    """Grades outputs, and keeps what was graded."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._workspace, self._clock, self._cache = workspace, clock, cache
        self._person = person

    def score(
        self,
        benchmark: str,
        *,
        rules: str | None = None,
        workers: int = 2,
        progress: Progress | None = None,
    ) -> Scores:
        """Grade every output under the published keys; an interrupted run is taken up again.

        Raises:
            InputError: There is no output, or the rule version is unknown.
        """
        stored = BenchmarkRepository(self._workspace).find(benchmark)
        version = rule_set(rules or stored.version.rules or V4.version).version
        grades = GradeRepository(self._workspace, stored.key)
        if not grades.models():
            raise InputError(f"{benchmark} has no outputs; import them with assay outputs")
        run = self._run(grades, version)
        self._fill(grades, run, stored, workers, progress)
        grades.finish(run.key, at=self._clock.now())
        return Scores(
            benchmark=stored.version,
            run=run,
            models=tuple(grades.totals(run.key)),
            disagreements=tuple(grades.disagreements(run.key)),
            simulated=find_simulators(self._cache) is not None,
            unwinnable=self._unwinnable(stored.key, version),
        )

    def _unwinnable(self, benchmark: int, rules: str) -> dict[str, Unwinnable]:
        """Tasks whose own accepted answers do not pass when they are given back."""
        settings = ScoringSettings(rules=rules)
        found = {
            task.id: find_obstacle(task, task.key, settings)
            for task in BenchmarkRepository(self._workspace).all_tasks(benchmark)
            if task.key_kind is not KeyKind.MISSING
        }
        return {task: obstacle for task, obstacle in found.items() if obstacle is not None}

    def audit_of(self, benchmark: str, audit: str) -> AuditView:
        """An audit whose keys are to be used on a benchmark.

        Raises:
            InputError: There is none, or it is of another benchmark or version.
        """
        view = AuditService(self._workspace, self._clock, self._person).view(audit)
        wanted = BenchmarkRepository(self._workspace).find(benchmark)
        if view.audit.benchmark != wanted.key:
            raise InputError(
                f"audit {audit!r} is of {view.benchmark.name}@{view.benchmark.version}, not of "
                f"{wanted.version.name}@{wanted.version.version}"
            )
        return view

    def reviewed(self, scores: Scores, view: AuditView) -> ReviewedScores:
        """The same outputs under the keys that the audit's confirmed findings propose."""
        benchmarks, key = BenchmarkRepository(self._workspace), view.audit.benchmark
        found = corrections(
            view.settled,
            benchmarks.tasks(key, view.settled),
            counted(view.audit.rubric.counting.min_severity),
        )
        return reviewed_scores(
            view.audit.name,
            scores.models,
            found,
            VerdictRepository(self._workspace, key, scores.run.key),
            task_grader(self._workspace, benchmarks.by_key(key), self._cache),
        )

    def _run(self, grades: GradeRepository, rules: str) -> ScoreRun:
        """The run that was cut short, if it knows every model; else a new one."""
        models = grades.models()
        unfinished = grades.unfinished(rules, __version__)
        if unfinished is not None and unfinished.readings.keys() >= set(models):
            return unfinished
        found = {m: found_reading(grades, m, rules, most=PROBED) for m in models}
        stored: dict[str, dict[str, object]] = {
            m: {"form": str(r.form), "dots_to_underscores": r.dots_to_underscores}
            for m, r in found.items()
        }
        return grades.begin(rules, stored, __version__, at=self._clock.now())

    def _fill(
        self,
        grades: GradeRepository,
        run: ScoreRun,
        stored: StoredBenchmark,
        workers: int,
        progress: Progress | None,
    ) -> None:
        chunks = UngradedRepository(self._workspace, stored.key, run.key).chunks(size=CHUNK)
        total, done = sum(chunk.outputs for chunk in chunks), 0
        job = GradingJob(self._workspace.path, self._cache, stored.key, run)
        waiting: list[GradedRow] = []
        stored_at = monotonic()
        try:
            for rows in graded_chunks(job, chunks, workers):
                waiting += rows
                done += len(rows)
                if len(waiting) >= STORED_AT_A_TIME or monotonic() - stored_at > STORED_AFTER_S:
                    grades.add(run.key, waiting)
                    waiting, stored_at = [], monotonic()
                if progress is not None:
                    progress(done, total)
        finally:
            grades.add(run.key, waiting)
