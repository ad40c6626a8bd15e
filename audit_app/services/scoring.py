"""Grading every output of a benchmark as the benchmark itself would, and comparing."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from audit_app import __version__
from audit_app.domain.benchmark import BenchmarkVersion, Output, OutputStatus, Task
from audit_app.errors import InputError
from audit_app.external.simulators import SimulatorPool, find_simulators
from audit_app.scoring.detection import GradedOutput, Reading, readings, usual_reading
from audit_app.scoring.grade import GradeStatus, ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.rules import RULE_SETS
from audit_app.services.clock import Clock
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import (
    Disagreement,
    GradedRow,
    GradeRepository,
    ModelTotals,
    ScoreRun,
)
from audit_app.storage.workspace import Workspace

CHUNK = 2_000
"""Outputs that one worker grades at a time."""
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
    """

    benchmark: BenchmarkVersion
    run: ScoreRun
    models: tuple[ModelTotals, ...]
    disagreements: tuple[Disagreement, ...]
    simulated: bool


class ScoringService:
    """Grades outputs, and keeps what was graded."""

    def __init__(self, workspace: Workspace, clock: Clock, cache: Path) -> None:
        self._workspace, self._clock, self._cache = workspace, clock, cache

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
        version = rules or stored.version.rules or "v4"
        if version not in RULE_SETS:
            raise InputError(f"there is no rule version {version!r}; {', '.join(RULE_SETS)}")
        grades = GradeRepository(self._workspace, stored.key)
        if not grades.models():
            raise InputError(f"{benchmark} has no outputs; import them with assay outputs")
        run = grades.unfinished(version, __version__) or grades.begin(
            version,
            {model: self._reading(grades, model, version) for model in grades.models()},
            __version__,
            at=self._clock.now(),
        )
        self._fill(grades, run, stored.key, workers, progress)
        grades.finish(run.key, at=self._clock.now())
        return Scores(
            benchmark=stored.version,
            run=run,
            models=tuple(grades.totals(run.key)),
            disagreements=tuple(grades.disagreements(run.key)),
            simulated=find_simulators(self._cache) is not None,
        )

    def _reading(self, grades: GradeRepository, model: str, rules: str) -> dict[str, object]:
        probed = grades.published(model, most=PROBED)
        settings = ScoringSettings(rules=rules)
        graded = [
            GradedOutput(task, output.body, output.passed, output.reason_code)
            for task, output in probed
            if output.passed is not None and task.scorer != "bfcl-multi-turn"
        ]
        if graded:
            found = readings(graded, settings)[0]
        else:
            found = usual_reading((output.body for _, output in probed), settings)
        return {"form": str(found.form), "dots_to_underscores": found.dots_to_underscores}

    def _fill(
        self,
        grades: GradeRepository,
        run: ScoreRun,
        benchmark: int,
        workers: int,
        progress: Progress | None,
    ) -> None:
        total, done = grades.outputs_left(run.key), 0
        job = _Job(str(self._workspace.path), str(self._cache), benchmark, run)
        for rows in _graded_chunks(job, grades.chunks(run.key, size=CHUNK), workers):
            grades.add(run.key, rows)
            done += len(rows)
            if progress is not None:
                progress(done, total)


@dataclass(frozen=True)
class _Job:
    """What a worker needs to grade a range of tasks by itself: ids travel, never rows."""

    db: str
    cache: str
    benchmark: int
    run: ScoreRun


def _graded_chunks(
    job: _Job, chunks: list[tuple[int, int]], workers: int
) -> Iterator[list[GradedRow]]:
    if workers < 2 or len(chunks) < 2:
        with _Grader(job) as grader:
            for first, last in chunks:
                yield grader.range(first, last)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        workers, mp_context=spawn, initializer=_start_worker, initargs=(job,)
    ) as pool:
        waiting = iter(chunks)
        running: set[Future[list[GradedRow]]] = set()
        while True:
            # A few ahead of the workers, so that results do not pile up in memory.
            for first, last in waiting:
                running.add(pool.submit(_grade_range, first, last))
                if len(running) >= 2 * workers:
                    break
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()


class _Grader:
    """Grades ranges of tasks: in this process, or one in each worker."""

    def __init__(self, job: _Job) -> None:
        self._job = job
        self._simulators: SimulatorPool | None = find_simulators(Path(job.cache))
        self._registry = ScorerRegistry(self._simulators)
        self._settings = {
            model: Reading(str(r["form"]), bool(r["dots_to_underscores"])).settings(
                ScoringSettings(rules=job.run.rules)
            )
            for model, r in job.run.readings.items()
        }

    def range(self, first: int, last: int) -> list[GradedRow]:
        """Grades of all outputs of the tasks from ``first`` to ``last``."""
        with Workspace(Path(self._job.db)) as workspace:
            grades = GradeRepository(workspace, self._job.benchmark)
            rows: list[GradedRow] = []
            for task, outputs in grades.of_tasks(self._job.run.key, first, last):
                rows += self.task(task, outputs)
            return rows

    def task(self, task: Task, outputs: Iterable[tuple[int, Output]]) -> Iterator[GradedRow]:
        """Grades of one task's outputs; the rule is made ready once for each way of reading."""
        prepared = {}
        for key, output in outputs:
            settings = self._settings[output.model]
            way = (settings.options.get("form"), settings.dots_to_underscores)
            if way not in prepared:
                prepared[way] = self._registry.prepare(task, task.key, settings)
            grade = prepared[way].grade(output.body)
            is_error = output.status is OutputStatus.ERROR and grade.status is GradeStatus.GRADED
            # What the benchmark makes of a failed request is kept, under its own status.
            status = GradeStatus.ERROR if is_error else grade.status
            yield GradedRow(key, status.value, grade.passed, grade.reason_code)

    def __enter__(self) -> _Grader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._simulators is not None:
            self._simulators.close()


_grader: _Grader | None = None
"""The grader of a worker process."""


def _start_worker(job: _Job) -> None:
    global _grader
    _grader = _Grader(job)


def _grade_range(first: int, last: int) -> list[GradedRow]:
    if _grader is None:
        raise ValueError("a worker grades only after it was started with its job")
    return _grader.range(first, last)
