"""Beginning and ending a run of a job: everything it needs is opened, held, and given back.

Nothing here belongs to the thread of a page: connections are opened anew, so that a run may live
in a thread of its own while pages come and go.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from audit_app.domain.benchmark import KeyKind
from audit_app.domain.conditions import Endpoint
from audit_app.domain.live_jobs import EventKind, Job, JobEvent, RunNote
from audit_app.errors import AuditError, ConflictError, InputError
from audit_app.external.simulators import SimulatorPool, find_simulators
from audit_app.rerun.pool import MOST
from audit_app.rerun.retries import USUAL_RETRIES, RetryPolicy
from audit_app.services.clock import Clock
from audit_app.services.live_budget import Ledger
from audit_app.services.live_endpoints import opened
from audit_app.services.live_leases import LEASE_S, dead_lease, new_holder
from audit_app.services.live_runner import JobRun, Material, Stopped, TrialEnd, not_on_disk
from audit_app.services.live_writer import TrialWriter
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.trial_jobs import TrialJobRepository
from audit_app.storage.trial_leases import TrialLeaseRepository
from audit_app.storage.trial_spending import SpendingRepository
from audit_app.storage.trials import TrialRepository
from audit_app.storage.workspace import Workspace

_MOST_SIMULATORS = 4


@dataclass(frozen=True)
class RunSettings:
    """How a job is run; none of it changes what its trials are.

    Attributes:
        listed: What the setting ``ASSAY_ENDPOINTS`` lists.
        cache: Where the fetched package with the simulators may lie.
        clock: The time and fresh ids.
        person: Who runs it.
        key: A key given by hand, kept in memory alone.
        concurrency: Trials at a time.
        policy: How often a request is tried.
    """

    listed: Sequence[Endpoint]
    cache: Path
    clock: Clock
    person: str
    key: SecretStr | None = None
    concurrency: int = 4
    policy: RetryPolicy = USUAL_RETRIES


def run_job(
    path: Path,
    job_id: str,
    settings: RunSettings,
    *,
    cancel: threading.Event,
    on_end: Callable[[TrialEnd], None] | None = None,
) -> Stopped:
    """Run what is missing of a job; returns when it is finished or has to stop.

    Args:
        path: The workspace file.
        job_id: UUID of the job.
        settings: How it is run.
        cancel: Stops it when set; it can go on later.
        on_end: Told of each trial once it is on disk, in this thread.

    Raises:
        ConflictError: Somebody else runs it, or it was cancelled.
        InputError: It cannot be sent: no key, an endpoint that may not be called.
    """
    if not 1 <= settings.concurrency <= MOST:
        raise InputError(f"{settings.concurrency} trials at a time cannot be run; give 1 to {MOST}")
    with Workspace(path) as workspace, ExitStack() as open_:
        trials = TrialRepository(workspace)
        job = TrialJobRepository(workspace).job(job_id)
        finished = trials.finished(job.id)
        if len(finished) >= job.total:
            return Stopped(EventKind.FINISHED)
        leases = TrialLeaseRepository(workspace, job.id)
        if leases.is_cancelled():
            raise ConflictError("this job was cancelled; make a new one")
        material = open_.enter_context(_material(workspace, job, settings))
        provider = opened(job.endpoint, settings.listed, settings.key, settings.policy)
        open_.callback(provider.close)
        provider.check(job.condition)
        holder = open_.enter_context(_held(workspace, job, settings))
        finished = trials.finished(job.id)  # another run may have ended a moment ago
        spent = SpendingRepository(workspace).spent(job, is_running=True).most
        stop = threading.Event()
        with TrialWriter(
            path, job.id, holder.name, clock=settings.clock, cancel=cancel, stop=stop
        ) as writer:
            run = JobRun(
                job,
                material,
                provider,
                ledger=Ledger(job.budget, spent, tries=settings.policy.tries),
                writer=writer,
                finished=finished,
                clock=settings.clock,
                stop=stop,
            )
            ended = run.run(concurrency=settings.concurrency, on_end=on_end)
        if writer.failure is not None:
            raise writer.failure
        holder.ended = ended
        return ended


@dataclass
class _Holder:
    """Who holds a job, and how its run ended."""

    name: str
    ended: Stopped


@contextmanager
def _held(workspace: Workspace, job: Job, settings: RunSettings) -> Iterator[_Holder]:
    """Hold a job, and note in the end what became of the run.

    Raises:
        ConflictError: Somebody else runs it.
    """
    clock, jobs = settings.clock, TrialJobRepository(workspace)
    leases = TrialLeaseRepository(workspace, job.id)
    holder = _Holder(new_holder(clock), Stopped(EventKind.PAUSED, "it broke off with an error"))
    dead = dead_lease(leases, clock)

    def note(kind: EventKind, text: str) -> None:
        jobs.append_event(
            JobEvent(
                id=clock.new_id(),
                job=job.id,
                kind=kind,
                note=text,
                happened_at=clock.now(),
                happened_by=settings.person,
            )
        )

    with workspace.write():
        expires_at = clock.now() + timedelta(seconds=LEASE_S)
        leases.take(holder.name, expires_at, instead_of=dead)
        untold = settings.concurrency * (1 + not_on_disk(job.budget))
        begun = RunNote(settings.concurrency, untold)
        note(EventKind.STARTED, begun.text)
    try:
        yield holder
    except AuditError as error:
        holder.ended = Stopped(EventKind.PAUSED, str(error))
        raise
    finally:
        with workspace.write():
            found = leases.lease()
            if found is not None and found.holder == holder.name:
                note(*holder.ended)
                leases.release(holder.name)


@contextmanager
def _material(workspace: Workspace, job: Job, settings: RunSettings) -> Iterator[Material]:
    """What the trials of a job need; processes of simulators end with it.

    Raises:
        InputError: The simulators are not here, and a task needs them.
    """
    benchmarks = BenchmarkRepository(workspace)
    tasks = benchmarks.tasks(job.benchmark, job.tasks)
    names = {n for task in tasks.values() for n in task.documents}
    pool: SimulatorPool | None = None
    if any(task.key_kind is KeyKind.CALL_TURNS for task in tasks.values()):
        pool = find_simulators(settings.cache, workers=min(settings.concurrency, _MOST_SIMULATORS))
        if pool is None:
            raise InputError(
                "this job has multi-turn tasks, whose calls have to be executed, and the "
                "simulators are not here; get them with: assay fetch bfcl-v4"
            )
    try:
        yield Material(tasks, benchmarks.documents(job.benchmark, names), pool)
    finally:
        if pool is not None:
            pool.close()
