"""Jobs of live trials: what was asked for, what it may cost, what came of it.

A job is never changed. Its trials, its requests and what happened to it are appended; where it
stands follows from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Self

import msgspec
from pydantic import AwareDatetime, Field

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.record import Json, Record
from audit_app.domain.trials import CompletionStatus

MOST_TRIALS = 1_000
"""Trials of one task in one job."""


class Amount(NamedTuple):
    """What is spent: requests sent (further tries included), tokens in and out, money."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0

    def plus(self, other: Amount) -> Amount:
        """The sum."""
        return Amount(self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd)

    def less(self, other: Amount) -> Amount:
        """The difference."""
        return Amount(self.calls - other.calls, self.tokens - other.tokens, self.usd - other.usd)


NOTHING = Amount()


class Budget(Record):
    """What a job may spend at most; None sets no limit, 0 lets nothing be sent."""

    calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    def holds(self, amount: Amount) -> bool:
        """Whether so much is within it."""
        limits = (self.calls, self.tokens, self.usd)
        return all(
            limit is None or spent <= limit for spent, limit in zip(amount, limits, strict=True)
        )

    @property
    def is_zero(self) -> bool:
        """Whether it lets nothing be sent."""
        return 0 in (self.calls, self.tokens, self.usd)

    @property
    def words(self) -> str:
        """Its limits in words; empty where there is none."""
        parts = [
            "" if self.calls is None else f"{self.calls:,} calls",
            "" if self.tokens is None else f"{self.tokens:,} tokens",
            "" if self.usd is None else f"${self.usd:,.2f}",
        ]
        return ", ".join(part for part in parts if part)


NO_BUDGET = Budget()


class Job(Record):
    """Some tasks × K trials under one condition.

    Attributes:
        id: UUID.
        benchmark: Key of the benchmark version in its workspace.
        audit: UUID of the audit it was made in, None for none.
        endpoint: What is called, with its prices.
        condition: Under which all its trials are counted.
        tasks: Ids, in the order in which they are run.
        trials: K: trials of each task.
        budget: What it may spend.
        created_at: When it was made.
        created_by: By whom.
    """

    id: str
    benchmark: int
    audit: str | None = None
    endpoint: Endpoint
    condition: Condition
    tasks: tuple[str, ...] = Field(min_length=1)
    trials: int = Field(ge=1, le=MOST_TRIALS)
    budget: Budget = Budget()
    created_at: AwareDatetime
    created_by: str

    @property
    def total(self) -> int:
        """How many trials it has when it is finished."""
        return len(self.tasks) * self.trials


class EventKind(StrEnum):
    """What happened to a job."""

    STARTED = "started"
    """The note holds what can be under way at a time, as JSON."""
    PAUSED = "paused"
    """It was stopped, and can go on."""
    BUDGET = "budget"
    """The next request could have passed the budget."""
    REFUSED = "refused"
    """The endpoint refused, or could not be reached, again and again; the note says how."""
    CANCELLED = "cancelled"
    """For good."""
    FINISHED = "finished"


class JobEvent(Record):
    """Something that happened to a job."""

    id: str
    job: str
    kind: EventKind
    note: str = ""
    happened_at: AwareDatetime
    happened_by: str


class RunNote(msgspec.Struct, frozen=True):
    """The note of a run that began.

    Attributes:
        concurrency: Trials at a time.
        untold: Requests at most of which nothing is on disk, should the process be killed.
    """

    concurrency: int
    untold: int

    @property
    def text(self) -> str:
        """As a note."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def of(cls, event: JobEvent) -> RunNote:
        """The note of an event `STARTED`."""
        return msgspec.json.decode(event.note, type=cls)


class JobState(StrEnum):
    """Where a job stands."""

    PLANNED = "planned"
    RUNNING = "running"
    PAUSED = "paused"
    """Stopped or killed; running it again goes on where it was."""
    BUDGET = "budget"
    """Its budget is reached; the rest was not run."""
    REFUSED = "refused"
    """The endpoint kept refusing; the rest was not run. Running it again goes on."""
    CANCELLED = "cancelled"
    FINISHED = "finished"

    @property
    def may_run(self) -> bool:
        """Whether it may be run (again)."""
        return self not in (JobState.RUNNING, JobState.CANCELLED, JobState.FINISHED)


@dataclass(frozen=True)
class Spent:
    """What a job has spent, as far as it is known, and at most.

    Attributes:
        calls: Requests sent, further tries included.
        tokens_in: As counted by the endpoint.
        tokens_out: Likewise.
        usd: At the prices of the endpoint; None where no request has a known cost.
        open: How many requests were sent of which the endpoint did not say what they took (cut
            off, timed out, under way when the process was killed).
        most: What the budget is held against: all of it, with those requests at their largest.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None
    open: int = 0
    most: Amount = NOTHING


@dataclass(frozen=True)
class StoredTrial:
    """One finished trial.

    Attributes:
        id: UUID of the attempt at it that came to its end.
        job: The job.
        task_id: The task.
        trial: Its number, from 1.
        status: ``ok`` where there is an output to grade.
        output: What the scorers take.
        form: How it is to be read: the scorers' setting ``form``.
        error: Why there is nothing to grade.
        questions: Turns (from 1) that ended with what reads as a question.
        follow_ups: How many of them got a reply from the harness.
        ended_at: When it was stored.
        requests: Number of its requests.
        tokens_in: Sum over its requests; None where one is not known.
        tokens_out: Likewise.
        cost_usd: Likewise.
        seconds: Of all its requests, waits and further tries included.
        is_cached: Whether any of it was answered before: recorded, or from a cache.
        has_logprobs: Whether log-probabilities were stored with its last answer.
    """

    id: str
    job: str
    task_id: str
    trial: int
    status: CompletionStatus
    output: Json
    form: str
    error: str
    questions: tuple[int, ...]
    follow_ups: int
    ended_at: datetime
    requests: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
    is_cached: bool = False
    has_logprobs: bool = False


class Lease(Record):
    """Who runs a job.

    Attributes:
        holder: Host, process, when the process began, and a random part.
        expires_at: Until when, unless it is renewed.
    """

    holder: str
    expires_at: AwareDatetime

    @classmethod
    def of(cls, holder: str, expires_at: str) -> Self:
        """As stored."""
        return cls(holder=holder, expires_at=datetime.fromisoformat(expires_at))
