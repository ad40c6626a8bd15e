"""Live trials: planned, made, run, cancelled, and read for what they say."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pydantic import SecretStr

from audit_app.domain.benchmark import Task
from audit_app.domain.conditions import Endpoint
from audit_app.domain.live_jobs import EventKind, Job, JobEvent, JobState, StoredTrial
from audit_app.errors import ConflictError, InputError
from audit_app.rerun.pool import MOST
from audit_app.rerun.retries import RetryPolicy
from audit_app.services.audits import AuditService
from audit_app.services.clock import Clock
from audit_app.services.live_endpoints import EndpointChoice, has_key
from audit_app.services.live_grading import TrialGrader
from audit_app.services.live_groups import GradedTask, TrialVerdict
from audit_app.services.live_planner import JobPlanner
from audit_app.services.live_plans import JobPlan, TrialAsk
from audit_app.services.live_progress import JobSummary, Progress, progress_of, summary_of
from audit_app.services.live_rows import live_rows
from audit_app.services.live_runner import TrialEnd
from audit_app.services.live_starting import RunSettings, run_job
from audit_app.services.live_suspects import Suspect, suspects
from audit_app.services.trial_rows import TrialRow
from audit_app.services.view_grading import kept_simulator
from audit_app.storage.audits import AuditRepository
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.trial_jobs import TrialJobRepository
from audit_app.storage.trials import StoredRequest, TrialRepository
from audit_app.storage.workspace import Workspace

CONCURRENCY = 4
"""Trials at a time unless told otherwise."""
MOST_AT_A_TIME = MOST


class LiveTrialService:
    """Live trials of one workspace.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        person: Who makes jobs.
        cache: Where the fetched package with the simulators may lie.
        endpoints: What the setting ``ASSAY_ENDPOINTS`` lists.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        person: str,
        cache: Path,
        endpoints: Sequence[Endpoint] = (),
    ) -> None:
        self._workspace, self._clock, self._person = workspace, clock, person
        self._cache, self._listed = cache, tuple(endpoints)
        self._path = workspace.path
        self._job_rows = TrialJobRepository(workspace)
        self._trials = TrialRepository(workspace)
        self._benchmarks = BenchmarkRepository(workspace)

    def endpoints(self) -> tuple[EndpointChoice, ...]:
        """The endpoints that are listed; where none is, any address of this machine may be used.

        Raises:
            InputError: What the environment holds for one of them cannot be a key.
        """
        return tuple(EndpointChoice(e, has_key(e, self._listed)) for e in self._listed)

    def plan(
        self,
        tasks: Iterable[str],
        ask: TrialAsk,
        *,
        audit: str = "",
        benchmark: str = "",
        key: SecretStr | None = None,
        may_read_files: bool = False,
    ) -> JobPlan:
        """What a job would be and take; nothing is stored, and nothing is sent.

        Args:
            tasks: Ids.
            ask: What is asked for.
            audit: Name of the audit it is for, or
            benchmark: name of the benchmark.
            key: A key given by hand.
            may_read_files: Whether the endpoint may be a file of recorded answers.

        Raises:
            InputError: A task or setting is not usable, or the endpoint may not be called.
        """
        audit_id, stored = self._scope(audit, benchmark)
        planner = JobPlanner(self._benchmarks, self._listed, self._cache)
        return planner.plan(
            stored, tasks, ask, audit=audit_id or "", key=key, may_read_files=may_read_files
        )

    def create(self, plan: JobPlan) -> Job:
        """Store a job as planned; nothing is sent."""
        job = Job(
            id=self._clock.new_id(),
            benchmark=plan.benchmark.key,
            audit=plan.audit or None,
            endpoint=plan.endpoint,
            condition=plan.condition,
            tasks=plan.tasks,
            trials=plan.trials,
            budget=plan.budget,
            created_at=self._clock.now(),
            created_by=self._person,
        )
        self._job_rows.add_job(job)
        return job

    def jobs(self, *, audit: str = "", benchmark: str = "", task: str = "") -> list[JobSummary]:
        """Jobs of an audit or of a benchmark version, the latest first.

        Args:
            audit: Name of the audit, or
            benchmark: name of the benchmark.
            task: Only jobs that run this task.
        """
        audit_id, stored = self._scope(audit, benchmark)
        found = self._job_rows.jobs(benchmark=stored.key, audit=audit_id)
        return [
            summary_of(self._workspace, job, self._clock)
            for job in found
            if not task or task in job.tasks
        ]

    def job(self, job_id: str, *, audit: str = "") -> Job:
        """One job, by its id or a beginning of it that no other has.

        Raises:
            InputError: There is none, or it is of another benchmark than the audit.
        """
        job = self._job_rows.job(job_id)
        if audit and job.benchmark != AuditRepository(self._workspace).find(audit).benchmark:
            of = self._benchmarks.by_key(job.benchmark).version
            raise InputError(
                f"job {job.id} runs tasks of {of.name}@{of.version}; audit {audit!r} is of another "
                "benchmark"
            )
        return job

    def progress(self, job_id: str) -> Progress:
        """Where a job stands."""
        return progress_of(self._workspace, self._job_rows.job(job_id), self._clock)

    def run(
        self,
        job_id: str,
        *,
        cancel: threading.Event,
        on_end: Callable[[TrialEnd], None] | None = None,
        key: SecretStr | None = None,
        concurrency: int = CONCURRENCY,
        policy: RetryPolicy | None = None,
    ) -> Progress:
        """Run what is missing of a job; returns when it is finished or has to stop.

        It opens connections of its own, and may be called in any thread, also when the workspace
        of this service is closed.

        Args:
            job_id: UUID of the job.
            cancel: Stops it when set; it can go on later.
            on_end: Told of each trial once it is on disk, in the calling thread.
            key: A key given by hand, kept in memory alone.
            concurrency: Trials at a time.
            policy: How often a request is tried.

        Raises:
            ConflictError: Somebody else runs it, or it was cancelled.
            InputError: It cannot be sent.
        """
        settings = RunSettings(
            listed=self._listed,
            cache=self._cache,
            clock=self._clock,
            person=self._person,
            key=key,
            concurrency=concurrency,
            policy=policy or RetryPolicy(),
        )
        run_job(self._path, job_id, settings, cancel=cancel, on_end=on_end)
        with Workspace(self._path) as workspace:
            return progress_of(workspace, TrialJobRepository(workspace).job(job_id), self._clock)

    def cancel(self, job_id: str) -> None:
        """End a job for good; whoever runs it stops within a second or so.

        Raises:
            ConflictError: It is finished, or was cancelled before.
        """
        found = summary_of(self._workspace, self._job_rows.job(job_id), self._clock)
        if found.state in (JobState.FINISHED, JobState.CANCELLED):
            raise ConflictError(f"this job is {found.state.value} already")
        self._job_rows.add_event(
            JobEvent(
                id=self._clock.new_id(),
                job=found.job.id,
                kind=EventKind.CANCELLED,
                happened_at=self._clock.now(),
                happened_by=self._person,
            )
        )

    def trials(self, job_id: str, task_id: str = "") -> list[StoredTrial]:
        """Finished trials of a job, or of one task of it; by task and number."""
        return self._trials.trials(self._job_rows.job(job_id).id, task_id)

    def requests(self, trial_id: str) -> list[StoredRequest]:
        """Every request of a finished trial, with its whole answer."""
        return self._trials.requests(trial_id)

    def graded(
        self,
        job_ids: str | Sequence[str],
        task_id: str,
        proposed_key: str | None = None,
        *,
        shown: Task | None = None,
    ) -> GradedTask:
        """The finished trials of a task, grouped by answer and graded.

        Args:
            job_ids: One job or several, all on one benchmark version.
            task_id: The task.
            proposed_key: Text of another key to grade by as well.
            shown: The task with the key that the person sees, where that may be another than the
                published one.

        Raises:
            NotFoundError: The benchmark has no such task, or there is no such job.
        """
        jobs = self._jobs([job_ids] if isinstance(job_ids, str) else job_ids)
        return self._graded(jobs, task_id, proposed_key, shown)

    def reliability(self, job_ids: Sequence[str]) -> list[TrialRow]:
        """Repeat reliability of jobs, one row a condition, under the published keys."""
        jobs = self._jobs(job_ids)

        def grade(job: Job, task_id: str) -> Sequence[TrialVerdict]:
            return self._graded([job], task_id, None).verdicts

        def category(task_id: str) -> str:
            return self._benchmarks.task(jobs[0].benchmark, task_id).category

        return live_rows(jobs, grade, category)

    def suspected(self, audit: str) -> dict[str, Suspect]:
        """Sampled tasks with a finding that is open or proposes another key, by id.

        Only judgements that this person may see are looked at.
        """
        return suspects(AuditService(self._workspace, self._clock, self._person).view(audit))

    def _graded(
        self,
        jobs: Sequence[Job],
        task_id: str,
        proposed: str | None,
        shown: Task | None = None,
    ) -> GradedTask:
        task = shown or self._benchmarks.task(jobs[0].benchmark, task_id)
        found = [(job, trial) for job in jobs for trial in self._trials.trials(job.id, task_id)]
        return self._grader(jobs[0].benchmark).grade(task, found, proposed)

    def _grader(self, benchmark: int) -> TrialGrader:
        rules = self._benchmarks.by_key(benchmark).version.rules
        return TrialGrader(rules, kept_simulator(self._cache))

    def _jobs(self, job_ids: Sequence[str]) -> list[Job]:
        jobs = [self._job_rows.job(job_id) for job_id in dict.fromkeys(job_ids)]
        if not jobs:
            raise InputError("name a job of live trials")
        if len({job.benchmark for job in jobs}) > 1:
            raise InputError("these jobs run tasks of different benchmark versions")
        return jobs

    def _scope(self, audit: str, benchmark: str) -> tuple[str | None, StoredBenchmark]:
        if audit:
            found = AuditRepository(self._workspace).find(audit)
            return found.id, self._benchmarks.by_key(found.benchmark)
        return None, self._benchmarks.find(benchmark)
