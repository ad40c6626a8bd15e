"""Where a job of live trials stands, and how long it may still take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from audit_app.domain.live_jobs import EventKind, Job, JobEvent, JobState, RunNote, Spent
from audit_app.domain.trials import CompletionStatus
from audit_app.services.clock import Clock
from audit_app.services.live_leases import is_held
from audit_app.storage.trial_jobs import TrialJobRepository
from audit_app.storage.trial_leases import TrialLeaseRepository
from audit_app.storage.trial_spending import SpendingRepository
from audit_app.storage.trials import TrialRepository
from audit_app.storage.workspace import Workspace

_RECENT = 64
"""Requests from which the pace is taken."""
_FEWEST = 2
"""Finished trials before which no pace is told."""
KILLED = "its process ended without a word; running it again goes on where it was"

_STATES = {
    EventKind.STARTED: JobState.PAUSED,
    EventKind.PAUSED: JobState.PAUSED,
    EventKind.BUDGET: JobState.BUDGET,
    EventKind.REFUSED: JobState.REFUSED,
    EventKind.FINISHED: JobState.FINISHED,
}


@dataclass(frozen=True)
class JobSummary:
    """A job in a list.

    Attributes:
        job: The job.
        state: Where it stands.
        done: Finished trials.
    """

    job: Job
    state: JobState
    done: int

    @property
    def total(self) -> int:
        """Trials of the job when it is finished."""
        return self.job.total


@dataclass(frozen=True)
class Progress:
    """Where a job stands.

    Attributes:
        job_id: The job.
        state: In one word.
        note: Why it stopped, in words; empty while it runs or before it began.
        done: Finished trials.
        total: Trials of the job when it is finished.
        outcomes: Finished trials by how their requests ended; ``ok`` ones are there to be graded.
        spent: What it took.
        seconds_left: How long it may still take at the pace of the latest trials; None where
            nobody runs it, or before two trials ended.
    """

    job_id: str
    state: JobState
    note: str
    done: int
    total: int
    outcomes: Mapping[CompletionStatus, int]
    spent: Spent
    seconds_left: float | None

    @property
    def answered(self) -> int:
        """Trials with an answer to grade."""
        return self.outcomes.get(CompletionStatus.OK, 0)

    @property
    def errors(self) -> dict[CompletionStatus, int]:
        """Trials without an answer, by kind."""
        return {s: n for s, n in self.outcomes.items() if s is not CompletionStatus.OK}

    @property
    def sentence(self) -> str:
        """Where it stands, in words."""
        note = f": {self.note}" if self.note else ""
        return f"{self.state.value}, {self.done:,} of {self.total:,} trials{note}"


def summary_of(workspace: Workspace, job: Job, clock: Clock) -> JobSummary:
    """A job in a list."""
    done = sum(TrialRepository(workspace).outcomes(job.id).values())
    events = TrialJobRepository(workspace).events(job.id)
    is_running = is_held(TrialLeaseRepository(workspace, job.id).lease(), clock)
    return JobSummary(job, job_state(events, job.total - done, is_running), done)


def progress_of(workspace: Workspace, job: Job, clock: Clock) -> Progress:
    """Where a job stands."""
    trials = TrialRepository(workspace)
    events, outcomes = TrialJobRepository(workspace).events(job.id), trials.outcomes(job.id)
    is_running = is_held(TrialLeaseRepository(workspace, job.id).lease(), clock)
    left = job.total - sum(outcomes.values())
    state = job_state(events, left, is_running)
    recent = trials.recent_seconds(job.id, most=_RECENT) if is_running else []
    return Progress(
        job_id=job.id,
        state=state,
        note="" if is_running else _note(events, state),
        done=job.total - left,
        total=job.total,
        outcomes=outcomes,
        spent=SpendingRepository(workspace).spent(job, is_running=is_running),
        seconds_left=_seconds_left(recent, left, events) if is_running else None,
    )


def job_state(events: Sequence[JobEvent], left: int, is_running: bool) -> JobState:
    """Where a job stands.

    Args:
        events: What happened to it.
        left: Trials that are not finished.
        is_running: Whether somebody holds it.
    """
    if left <= 0:
        return JobState.FINISHED
    if any(event.kind is EventKind.CANCELLED for event in events):
        return JobState.CANCELLED
    if is_running:
        return JobState.RUNNING
    return _STATES[events[-1].kind] if events else JobState.PLANNED


def _note(events: Sequence[JobEvent], state: JobState) -> str:
    if not events or state is JobState.FINISHED:
        return ""
    if events[-1].kind is EventKind.STARTED:
        return KILLED
    return events[-1].note


def _seconds_left(recent: Sequence[float], left: int, events: Sequence[JobEvent]) -> float | None:
    """Trials left at the pace of recent ones: seconds that passed, never times of day.

    As many trials run at a time as the run that began last said.
    """
    if len(recent) < _FEWEST:
        return None
    started = [event for event in events if event.kind is EventKind.STARTED]
    at_a_time = RunNote.of(started[-1]).concurrency if started else 1
    return fmean(recent) * left / min(at_a_time, max(left, 1))
