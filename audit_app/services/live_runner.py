"""Running a job of live trials to its end, its budget, a refusal or a stop.

Trials are run round by round (the first of every task, then the second, …), so that a job that
ends early has something of every task. One thread writes; see `live_writer`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.live_jobs import Budget, EventKind, Job
from audit_app.domain.record import Json
from audit_app.domain.spending import largest_request
from audit_app.domain.trials import Completion, CompletionStatus, Request, TrialRun
from audit_app.rerun.pool import run_concurrently
from audit_app.rerun.provider import Provider
from audit_app.services.clock import Clock
from audit_app.services.live_budget import BudgetReachedError, Ledger
from audit_app.services.live_refusals import Refusal, Refusals, refusal
from audit_app.services.live_writer import TrialRows, TrialWriter
from audit_app.services.tool_loop import CallExecutor, run_trial
from audit_app.storage.trials import NewRequest, NewTrial


def not_on_disk(budget: Budget) -> int:
    """How many ended trials a thread may be on their way to the disk while it goes on.

    More of them in one transaction are quicker, but all of them are lost with a killed process:
    where there is a budget, they have to be counted as paid.
    """
    return 1 if budget.words else 4


_QUICK_S = 0.015
"""Trials that take longer than a disk does are told of at once, before the next one begins."""


class TrialEnd(NamedTuple):
    """A trial that ended and is on disk.

    Attributes:
        task_id: Its task.
        trial: Its number.
        status: How it ended.
        done: Finished trials of the job so far.
        total: Trials of the job.
    """

    task_id: str
    trial: int
    status: CompletionStatus
    done: int
    total: int


class Stopped(NamedTuple):
    """How a run of a job ended, and why in words."""

    kind: EventKind
    note: str = ""


@dataclass(frozen=True)
class Material:
    """What the trials of a job need.

    Attributes:
        tasks: Its tasks by id.
        documents: Shared documents of multi-turn tasks, by id.
        executor: Executes their calls, None where no task needs it.
    """

    tasks: Mapping[str, Task]
    documents: Mapping[str, Json]
    executor: CallExecutor | None


class _Place(NamedTuple):
    task: Task
    trial: int


class _Ended(NamedTuple):
    """A trial that came to its end, with its rows on their way to the disk.

    That it is finished is among the rows, unless the endpoint refused it.
    """

    run: str
    trial: TrialRun
    seconds: float
    refusal: Refusal | None
    rows: TrialRows


class JobRun:
    """One run of a job.

    Args:
        job: The job.
        material: What its trials need.
        provider: Puts requests.
        ledger: Its budget.
        writer: Stores.
        finished: Trials that were finished before.
        clock: The time and fresh ids.
        stop: Is set when the run is to stop.
    """

    def __init__(
        self,
        job: Job,
        material: Material,
        provider: Provider,
        *,
        ledger: Ledger,
        writer: TrialWriter,
        finished: set[tuple[str, int]],
        clock: Clock,
        stop: threading.Event,
    ) -> None:
        self._job, self._material, self._provider = job, material, provider
        self._ledger, self._writer, self._clock, self._stop = ledger, writer, clock, stop
        self._finished, self._done = finished, len(finished)
        self._tokens_in: dict[str, int] = {}
        self._refusals: Refusals[_Ended] = Refusals()
        self._uncounted: deque[_Ended] = deque()
        self._on_end: Callable[[TrialEnd], None] = lambda _: None

    def run(self, *, concurrency: int, on_end: Callable[[TrialEnd], None] | None) -> Stopped:
        """Run what is missing; how it ended.

        Args:
            concurrency: Trials at a time.
            on_end: Told of each trial once it is on disk, in this thread.

        Raises:
            AuditError: Nothing more could be stored.
        """
        self._on_end = on_end or self._on_end
        for _, ended in run_concurrently(
            self._missing(), self._work, concurrency=concurrency, cancel=self._stop
        ):
            if ended is not None:
                self._take(ended)
                is_quick = ended.seconds < _QUICK_S
                self._count(but=concurrency * not_on_disk(self._job.budget) if is_quick else 0)
        if not self._refusals.is_enough:
            self._finish(self._refusals.let_go())
        self._count()
        return self._outcome()

    def _missing(self) -> Iterator[_Place]:
        for trial in range(1, self._job.trials + 1):
            for task_id in self._job.tasks:
                if self._ledger.is_reached:
                    return
                if (task_id, trial) not in self._finished:
                    yield _Place(self._material.tasks[task_id], trial)

    def _work(self, place: _Place, cancel: threading.Event) -> _Ended | None:
        """One trial in a thread of its own; None where it did not come to its end."""
        run, material = self._clock.new_id(), self._material
        rows = TrialRows(self._writer, at_once=place.task.key_kind is KeyKind.CALL_TURNS)

        def complete(request: Request) -> Completion:
            rows.wait()  # at most one request of a trial is not on disk
            completion = self._complete(request, cancel)
            rows.add(NewRequest(run, request, completion, self._clock.now()))
            return completion

        try:
            trial = run_trial(
                place.task,
                self._job.condition,
                place.trial,
                complete,
                documents=material.documents,
                executor=material.executor,
            )
        except BudgetReachedError:
            rows.hand_over()
            return None
        kind, is_cancelled = refusal(trial), trial.status is CompletionStatus.CANCELLED
        if kind is None and not is_cancelled:
            rows.add(NewTrial(run, trial, self._clock.now()))
        rows.hand_over()
        return (
            None if is_cancelled else _Ended(run, _without_bodies(trial), trial.seconds, kind, rows)
        )

    def _complete(self, request: Request, cancel: threading.Event) -> Completion:
        """One request within the budget."""
        job, digest = self._job, request.digest
        one = largest_request(
            job.endpoint,
            job.condition,
            len(msgspec.json.encode(request)),
            tokens_in=self._tokens_in.get(digest),
        )
        reserved = self._ledger.reserve(one, cancel)
        completion = self._provider.complete(
            request, job.condition, cancel=cancel, tries=reserved.tries
        )
        self._ledger.settle(reserved, completion)
        if request.step == 1 and completion.tokens_in is not None:
            known = self._tokens_in.get(digest, 0)
            self._tokens_in[digest] = max(known, completion.tokens_in)
        return completion

    def _take(self, ended: _Ended) -> None:
        """Take a trial that ended, or hold it back while the endpoint seems to refuse all."""
        if ended.refusal is not None:
            self._finish(self._refusals.hold(ended, ended.refusal, ended.trial.error))
            if self._refusals.is_enough:
                self._stop.set()
            return
        if not self._refusals.is_enough:
            self._finish(self._refusals.let_go())
        self._uncounted.append(ended)

    def _finish(self, held: Sequence[_Ended]) -> None:
        """Store trials that were held back: the endpoint does not refuse everything."""
        for ended in held:
            ended.rows.add(NewTrial(ended.run, ended.trial, self._clock.now()))
            ended.rows.hand_over()
            self._uncounted.append(ended)

    def _count(self, *, but: int = 0) -> None:
        """Tell of trials that are on disk, waiting for it where more than so many are not."""
        while self._uncounted and (
            len(self._uncounted) > but or self._uncounted[0].rows.are_stored
        ):
            ended = self._uncounted.popleft()
            ended.rows.wait()
            self._done += 1
            trial = ended.trial
            self._on_end(
                TrialEnd(trial.task_id, trial.trial, trial.status, self._done, self._job.total)
            )

    def _outcome(self) -> Stopped:
        if self._done >= self._job.total:
            return Stopped(EventKind.FINISHED)
        left = self._job.total - self._done
        rest = f"{left:,} of {self._job.total:,} trials were not run"
        if self._refusals.is_enough:
            return Stopped(EventKind.REFUSED, f"{self._refusals.sentence}; {rest}")
        if self._ledger.is_reached:
            words = self._job.budget.words
            return Stopped(EventKind.BUDGET, f"the budget of {words} is reached; {rest}")
        why = "cancelled" if self._writer.is_cancelled else "stopped"
        return Stopped(EventKind.PAUSED, f"{why}; {rest}")


def _without_bodies(trial: TrialRun) -> TrialRun:
    """The trial without what is on disk already, so that memory does not grow."""
    return msgspec.structs.replace(trial, completions=(), requests=())
