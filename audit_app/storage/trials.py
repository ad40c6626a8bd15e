"""Live trials in the workspace: every request of a job, and every finished trial.

All of it is append-only. A request is stored the moment it ends, whatever becomes of its trial; a
trial is finished when its own row is there, which names the attempt that its requests belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from audit_app.domain.live_jobs import StoredTrial
from audit_app.domain.record import Json
from audit_app.domain.trials import Completion, CompletionStatus, Request, TrialRun
from audit_app.errors import NotFoundError
from audit_app.storage.workspace import Workspace


class NewRequest(NamedTuple):
    """A request that has ended, ready to be stored.

    Attributes:
        run: UUID of the attempt at the trial.
        request: What was asked.
        completion: How it ended.
        ended_at: When.
    """

    run: str
    request: Request
    completion: Completion
    ended_at: datetime


class NewTrial(NamedTuple):
    """A trial that has come to its end, ready to be stored.

    Attributes:
        run: UUID of the attempt that came to its end.
        trial: The trial.
        ended_at: When.
    """

    run: str
    trial: TrialRun
    ended_at: datetime


@dataclass(frozen=True)
class StoredRequest:
    """One request of a trial as it was stored."""

    step: int
    request: Json
    completion: Completion
    ended_at: datetime


class TrialRepository:
    """Reads and writes live trials."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def append_request(self, job: str, new: NewRequest) -> None:
        """Store a request that ended, inside a transaction that is open already."""
        asked, got = new.request, new.completion
        self._workspace.run(
            "insert into trial_requests (job, task_id, trial, run, step, request, completion, "
            "status, calls, tokens_in, tokens_out, cost_usd, seconds, cached, ended_at) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                job,
                asked.task_id,
                asked.trial,
                new.run,
                asked.step,
                msgspec.json.encode(asked).decode(),
                msgspec.json.encode(got).decode(),
                got.status.value,
                got.tries,
                got.tokens_in,
                got.tokens_out,
                got.cost_usd,
                sum(attempt.seconds + attempt.waited_s for attempt in got.attempts),
                got.cached,
                new.ended_at.isoformat(),
            ),
        )

    def append_trial(self, job: str, new: NewTrial) -> None:
        """Store a finished trial, sealed, inside a transaction that is open already."""
        trial, db = new.trial, self._workspace
        db.run(
            "insert into trial_runs (id, job, task_id, trial, status, output, form, error, "
            "questions, follow_ups, ended_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                new.run,
                job,
                trial.task_id,
                trial.trial,
                trial.status.value,
                _text(trial.output),
                trial.form,
                trial.error,
                _text(trial.questions),
                trial.follow_ups,
                new.ended_at.isoformat(),
            ),
        )
        db.seal("trial_runs", new.run)

    def finished(self, job: str) -> set[tuple[str, int]]:
        """(task id, trial) of every finished trial."""
        rows = self._workspace.rows("select task_id, trial from trial_runs where job = ?", (job,))
        return {(row[0], row[1]) for row in rows}

    def outcomes(self, job: str) -> dict[CompletionStatus, int]:
        """Finished trials by how they ended."""
        rows = self._workspace.rows(
            "select status, count(*) from trial_runs where job = ? group by status", (job,)
        )
        with self._workspace.decoding():
            return {CompletionStatus(status): n for status, n in rows}

    def recent_seconds(self, job: str, *, most: int) -> list[float]:
        """Seconds that requests of the latest finished trials took, one number a trial.

        Args:
            job: The job.
            most: Requests that are looked at; trials of which some lie further back are left out.
        """
        rows = self._workspace.rows(
            "select q.run, min(q.step), sum(q.seconds) from (select run, step, seconds "
            "from trial_requests where job = ? order by key desc limit ?) q "
            "join trial_runs r on r.id = q.run group by q.run",
            (job, most),
        )
        return [seconds for _, first, seconds in rows if first == 1]

    def trials(self, job: str, task_id: str = "") -> list[StoredTrial]:
        """Finished trials of a job, or of one task of it; by task and number."""
        return list(self.each_trial(job, task_id))

    def each_trial(self, job: str, task_id: str = "") -> Iterator[StoredTrial]:
        """The same one by one, for jobs that should not be held at once."""
        rows = self._workspace.each(
            "select r.id, r.job, r.task_id, r.trial, r.status, r.output, r.form, r.error, "
            "r.questions, r.follow_ups, r.ended_at, count(q.key), "
            "case when count(*) = count(q.tokens_in) then sum(q.tokens_in) end, "
            "case when count(*) = count(q.tokens_out) then sum(q.tokens_out) end, "
            "case when count(*) = count(q.cost_usd) then sum(q.cost_usd) end, "
            "coalesce(sum(q.seconds), 0.0), coalesce(max(q.cached), 0), "
            "coalesce(max(json_extract(q.completion, '$.logprobs') is not null), 0) "
            "from trial_runs r left join trial_requests q on q.run = r.id "
            "where r.job = ? and (? = '' or r.task_id = ?) "
            "group by r.job, r.task_id, r.trial order by r.task_id, r.trial",
            (job, task_id, task_id),
        )
        with self._workspace.decoding():
            yield from map(_trial, rows)

    def requests(self, run: str) -> list[StoredRequest]:
        """Every request of one attempt at a trial, in order.

        Raises:
            NotFoundError: There is none.
        """
        rows = self._workspace.rows(
            "select step, request, completion, ended_at from trial_requests where run = ? "
            "order by step",
            (run,),
        )
        if not rows:
            raise NotFoundError("trial", run)
        with self._workspace.decoding():
            return [
                StoredRequest(
                    row[0],
                    msgspec.json.decode(row[1]),
                    msgspec.json.decode(row[2], type=Completion),
                    datetime.fromisoformat(row[3]),
                )
                for row in rows
            ]


def _trial(row: Sequence[Any]) -> StoredTrial:
    id_, job, task_id, trial, status, output, form, error, questions, follow_ups, at = row[:11]
    requests, tokens_in, tokens_out, cost_usd, seconds, is_cached, has_logprobs = row[11:]
    return StoredTrial(
        id=id_,
        job=job,
        task_id=task_id,
        trial=trial,
        status=CompletionStatus(status),
        output=msgspec.json.decode(output),
        form=form,
        error=error,
        questions=tuple(msgspec.json.decode(questions)),
        follow_ups=follow_ups,
        ended_at=datetime.fromisoformat(at),
        requests=requests,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=cost_usd,
        seconds=seconds,
        is_cached=bool(is_cached),
        has_logprobs=bool(has_logprobs),
    )


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
