"""What a job has spent: sums of what endpoints said, and bounds where they said nothing."""

from __future__ import annotations

import msgspec

from audit_app.domain.live_jobs import Amount, EventKind, Job, JobEvent, RunNote, Spent
from audit_app.domain.spending import answers_untold, largest_request
from audit_app.domain.trials import Attempt
from audit_app.storage.trial_jobs import TrialJobRepository
from audit_app.storage.workspace import Workspace


class _Tries(msgspec.Struct):
    """Of a stored completion, what tells whether it may have cost something."""

    attempts: tuple[Attempt, ...] = ()


class SpendingRepository:
    """Adds up what the requests of a job took."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def spent(self, job: Job, *, is_running: bool = False) -> Spent:
        """Everything stored for a job, those requests included whose trial never finished.

        Args:
            job: The job.
            is_running: Whether somebody runs it now: then what that run has under way is not
                counted here.
        """
        row = self._workspace.row(
            "select count(*), coalesce(sum(calls), 0), coalesce(sum(tokens_in), 0), "
            "coalesce(sum(tokens_out), 0), sum(cost_usd), "
            "coalesce(max(length(cast(request as blob))), 0) from trial_requests where job = ?",
            (job.id,),
        )
        requests, calls, tokens_in, tokens_out, usd, longest = row or (0, 0, 0, 0, None, 0)
        known = Amount(calls, tokens_in + tokens_out, usd or 0.0)
        untold, number = self._untold(job) if requests else (Amount(), 0)
        lost = lost_requests(
            TrialJobRepository(self._workspace).events(job.id), is_running=is_running
        )
        one = largest_request(job.endpoint, job.condition, longest)
        gone = Amount(lost, lost * one.tokens, lost * one.usd)
        return Spent(
            calls=calls,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            usd=usd,
            open=number + lost,
            most=known.plus(untold).plus(gone),
        )

    def _untold(self, job: Job) -> tuple[Amount, int]:
        """The most that requests took of which nothing is known, and how many there were."""
        rows = self._workspace.each(
            "select length(cast(request as blob)), "
            "tokens_in is not null and tokens_out is not null, completion "
            "from trial_requests where job = ? and calls > 0 "
            "and (calls > 1 or tokens_in is null or tokens_out is null)",
            (job.id,),
        )
        total, number = Amount(), 0
        with self._workspace.decoding():
            for size, is_told, completion in rows:
                tries = msgspec.json.decode(completion, type=_Tries)
                ways = answers_untold(tries.attempts, is_told=bool(is_told))
                one = largest_request(job.endpoint, job.condition, size)
                total = total.plus(Amount(0, ways * one.tokens, ways * one.usd))
                number += ways
        return total, number


def lost_requests(events: list[JobEvent], *, is_running: bool) -> int:
    """Requests that may have been under way when a process was killed: nothing tells of them."""
    lost, under_way = 0, 0
    for event in events:
        if event.kind is EventKind.STARTED:
            lost += under_way
            under_way = RunNote.of(event).untold
        elif event.kind is not EventKind.CANCELLED:
            under_way = 0
    return lost if is_running else lost + under_way
