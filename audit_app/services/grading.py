"""Grading chunks of stored outputs, in this process or by workers that read the workspace alone.

Ids travel to a worker and grades come back; rows never do, so that neither is a bottleneck.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Self

import msgspec

from audit_app.domain.benchmark import OutputStatus
from audit_app.external.simulators import SimulatorPool, find_simulators
from audit_app.scoring.detection import Reading
from audit_app.scoring.grade import Grade, GradeStatus, ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.services.body_grading import BodyGrader
from audit_app.storage.grades import GradedRow, ScoreRun
from audit_app.storage.ungraded import Chunk, Ungraded, UngradedRepository
from audit_app.storage.workspace import Workspace

_AHEAD = 2
"""Chunks given to each worker at a time, so that grades do not pile up unwritten."""

_rows_encoder = msgspec.msgpack.Encoder()
_rows_decoder = msgspec.msgpack.Decoder(list[GradedRow])


@dataclass(frozen=True)
class GradingJob:
    """What a worker needs to grade chunks by itself.

    Attributes:
        db: The workspace file.
        cache: Where the fetched package with the simulators may lie.
        benchmark: Key of the benchmark version.
        run: The run that the grades are for.
    """

    db: Path
    cache: Path
    benchmark: int
    run: ScoreRun


def run_settings(run: ScoreRun) -> dict[str, ScoringSettings]:
    """Model → how its outputs are graded in a run."""
    return {
        model: Reading(str(r["form"]), bool(r["dots_to_underscores"])).settings(
            ScoringSettings(rules=run.rules)
        )
        for model, r in run.readings.items()
    }


def graded_chunks(job: GradingJob, chunks: list[Chunk], workers: int) -> Iterator[list[GradedRow]]:
    """The grades of every chunk, in the order in which they are done."""
    workers = min(workers, len(chunks))
    if workers < 2:
        with Grader(job) as grader:
            for chunk in chunks:
                yield grader.chunk(chunk)
        return
    with ProcessPoolExecutor(
        workers, mp_context=_context(), initializer=_start_worker, initargs=(job,)
    ) as pool:
        waiting = iter(chunks)
        running: set[Future[bytes]] = set()
        while True:
            for chunk in islice(waiting, _AHEAD * workers - len(running)):
                running.add(pool.submit(_grade_chunk, chunk))
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield _rows_decoder.decode(future.result())


def _context() -> BaseContext:
    """Never a plain fork: threads of this process may hold locks."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # the libraries are loaded once for all workers
    return context


class Grader:
    """Grades chunks under the published keys."""

    def __init__(self, job: GradingJob) -> None:
        self._job = job
        self._simulators: SimulatorPool | None = find_simulators(job.cache)
        self._registry = ScorerRegistry(self._simulators)
        self._settings = run_settings(job.run)

    def chunk(self, chunk: Chunk) -> list[GradedRow]:
        """Grades of all outputs of a chunk."""
        with Workspace(self._job.db) as workspace:
            outputs = UngradedRepository(workspace, self._job.benchmark, self._job.run.key)
            tasks = outputs.tasks(chunk)
            grader, current = None, None
            rows: list[GradedRow] = []
            for output in outputs.outputs(chunk):
                if grader is None or output.task != current:
                    current = output.task
                    grader = BodyGrader(tasks[current], self._registry)
                settings = self._settings[output.model]
                grade = grader.grade(output.body, settings, is_stored=output.is_stored)
                rows.append(_row(output, grade))
            return rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._simulators is not None:
            self._simulators.close()


def _row(output: Ungraded, grade: Grade) -> GradedRow:
    status = grade.status
    if output.status == OutputStatus.ERROR and status is GradeStatus.GRADED:
        # What the benchmark makes of a failed request is kept, under its own status.
        status = GradeStatus.ERROR
    return GradedRow(output.key, status.value, grade.passed, grade.reason_code)


_grader: Grader | None = None
"""The grader of a worker process."""


def _start_worker(job: GradingJob) -> None:
    global _grader
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _grader = Grader(job)


def _end_with_parent() -> None:
    """End this worker when the process that started it is killed: nobody else would."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _grade_chunk(chunk: Chunk) -> bytes:
    if _grader is None:
        raise ValueError("a worker grades only after it was started with its job")
    return _rows_encoder.encode(_grader.chunk(chunk))
