"""Live trials in the workspace: round trips, sums of what was spent, seals, append-only."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from audit_app.domain.conditions import Condition, Endpoint, Price, SeedPolicy
from audit_app.domain.live_jobs import Amount, Budget, EventKind, Job, JobEvent, RunNote
from audit_app.domain.trials import (
    Attempt,
    ChatMessage,
    Completion,
    CompletionStatus,
    Request,
    TokenLogprob,
    TrialRun,
)
from audit_app.errors import ConflictError, NotFoundError, WorkspaceError
from audit_app.storage.trial_jobs import TrialJobRepository
from audit_app.storage.trial_spending import SpendingRepository
from audit_app.storage.trials import NewRequest, NewTrial, TrialRepository
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import NOON, store, task

OK = CompletionStatus.OK
ENDPOINT = Endpoint(
    name="house", url="http://127.0.0.1:8080/v1", prices={"m": Price(input=2.0, output=10.0)}
)
CONDITION = Condition(
    model="m",
    endpoint=ENDPOINT.url,
    provider=ENDPOINT.kind,
    max_tokens=100,
    seed=3,
    seed_policy=SeedPolicy.PER_TRIAL,
)


@pytest.fixture
def job(workspace: Workspace) -> Job:
    key = store(workspace, [task("a"), task("b/ü 007")]).key
    made = Job(
        id="11111111-aaaa",
        benchmark=key,
        endpoint=ENDPOINT,
        condition=CONDITION,
        tasks=("b/ü 007", "a"),
        trials=2,
        budget=Budget(calls=9, usd=0.5),
        created_at=NOON,
        created_by="ada",
    )
    TrialJobRepository(workspace).add_job(made)
    return made


def add(workspace: Workspace, job: Job, run: str, completion: Completion, *, step: int = 1) -> None:
    request = Request(task_id="a", step=step, messages=(ChatMessage("user", "Öffne\0 bay 3"),))
    with workspace.write():
        TrialRepository(workspace).append_request(
            job.id, NewRequest(run, request, completion, NOON)
        )


def finish(workspace: Workspace, job: Job, run: str, trial: int = 1) -> None:
    ended = TrialRun(
        task_id="a",
        trial=trial,
        status=OK,
        output=[{"f": '{"n": 1}'}],
        form="fc",
        questions=(2,),
        follow_ups=1,
    )
    with workspace.write():
        new = NewTrial(run, ended, NOON + timedelta(seconds=trial))
        TrialRepository(workspace).append_trial(job.id, new)


ANSWER = Completion(
    status=OK,
    text="three",
    logprobs=(TokenLogprob("three", -0.5, (("three", -0.5), ("four", -1.5))),),
    tokens_in=30,
    tokens_out=5,
    cost_usd=0.00011,
    attempts=(Attempt(OK, 0.25, http_status=200),),
)


def test_jobs_and_trials_come_back_as_they_were(workspace: Workspace, job: Job) -> None:
    jobs, trials = TrialJobRepository(workspace), TrialRepository(workspace)
    assert jobs.job(job.id) == jobs.job("11111111") == job
    assert jobs.jobs(benchmark=job.benchmark) == [job]
    assert jobs.jobs(benchmark=job.benchmark, audit="another") == []
    add(workspace, job, "run", ANSWER)
    add(workspace, job, "run", ANSWER, step=2)
    assert trials.trials(job.id) == []  # not finished: the requests alone are there
    finish(workspace, job, "run")
    (trial,) = trials.trials(job.id, "a")
    assert (trial.output, trial.form) == ([{"f": '{"n": 1}'}], "fc")
    assert (trial.requests, trial.tokens_in, trial.tokens_out) == (2, 60, 10)
    assert trial.cost_usd == pytest.approx(0.00022)
    assert (trial.questions, trial.follow_ups, trial.seconds) == ((2,), 1, 0.5)
    assert trial.has_logprobs
    first, second = trials.requests("run")
    assert (first.step, second.step) == (1, 2)
    assert first.completion == ANSWER
    assert first.request["messages"][0]["content"] == "Öffne\0 bay 3"
    assert trials.finished(job.id) == {("a", 1)}
    assert workspace.problems() == []


def test_no_trial_is_stored_twice(workspace: Workspace, job: Job) -> None:
    finish(workspace, job, "run")
    with pytest.raises(ConflictError):
        finish(workspace, job, "another attempt")
    assert len(TrialRepository(workspace).trials(job.id)) == 1


def test_ids_that_name_no_job_or_several(workspace: Workspace, job: Job) -> None:
    jobs = TrialJobRepository(workspace)
    jobs.add_job(job.model_copy(update={"id": "11111111-bbbb"}))
    with pytest.raises(NotFoundError, match="several begin so"):
        jobs.job("11111111")
    for given in ("1111111", "22222222", "%1111111", ""):
        with pytest.raises(NotFoundError, match="see assay rerun"):
            jobs.job(given)


def test_what_nobody_told_counts_at_its_largest(workspace: Workspace, job: Job) -> None:
    cut = Attempt(CompletionStatus.CONNECTION, 1.0)
    down = Attempt(CompletionStatus.CONNECTION, 1.0, was_sent=False)
    busy = Attempt(CompletionStatus.RATE_LIMITED, 1.0, http_status=429)
    told = Attempt(OK, 1.0, http_status=200)
    late = Attempt(CompletionStatus.TIMEOUT, 9.0)
    rows = [
        ANSWER,
        Completion(status=OK, tokens_in=10, tokens_out=1, attempts=(cut, busy, told)),
        Completion(status=OK, attempts=(told,)),  # an endpoint that says nothing of tokens
        Completion(status=CompletionStatus.CONNECTION, attempts=(down, down)),
        Completion(status=CompletionStatus.RATE_LIMITED, attempts=(busy, busy)),
        Completion(status=CompletionStatus.CANCELLED),  # before it was sent
        Completion(status=late.status, attempts=(late,)),
    ]
    for number, completion in enumerate(rows):
        add(workspace, job, f"run {number}", completion)
    spent = SpendingRepository(workspace).spent(job)
    assert spent.calls == 1 + 3 + 1 + 2 + 2 + 0 + 1
    assert (spent.tokens_in, spent.tokens_out) == (40, 6)
    assert spent.usd == pytest.approx(0.00011)
    assert spent.open == 3  # one cut, one untold, one timed out
    (size,) = {
        row[0] for row in workspace.rows("select length(cast(request as blob)) from trial_requests")
    }
    inward, outward = size + 576, 100
    assert spent.most.calls == spent.calls
    assert spent.most.tokens == 46 + 3 * (inward + outward)
    assert spent.most.usd == pytest.approx(0.00011 + 3 * (2 * inward + 10 * outward) / 1e6)


def test_runs_that_were_killed_may_have_sent_more(workspace: Workspace, job: Job) -> None:
    jobs, spending = TrialJobRepository(workspace), SpendingRepository(workspace)
    numbers = iter(range(9))

    def note(kind: EventKind, text: str = "") -> None:
        jobs.add_event(
            JobEvent(
                id=str(next(numbers)),
                job=job.id,
                kind=kind,
                note=text,
                happened_at=NOON,
                happened_by="ada",
            )
        )

    begun = RunNote(concurrency=2, untold=4).text
    note(EventKind.STARTED, begun)
    assert spending.spent(job, is_running=True).open == 0
    assert spending.spent(job).open == 4
    note(EventKind.PAUSED)
    assert spending.spent(job).open == 0
    note(EventKind.STARTED, begun)
    note(EventKind.CANCELLED)  # by somebody else; the run was killed all the same
    note(EventKind.STARTED, begun)
    assert spending.spent(job, is_running=True).open == 4
    assert spending.spent(job).most.calls == 8
    assert [event.kind for event in jobs.events(job.id)].count(EventKind.STARTED) == 3


def test_the_pace_leaves_out_trials_of_which_a_part_is_not_seen(
    workspace: Workspace, job: Job
) -> None:
    for number in (1, 2):
        add(workspace, job, f"run {number}", ANSWER)
        add(workspace, job, f"run {number}", ANSWER, step=2)
        finish(workspace, job, f"run {number}", number)
    add(workspace, job, "under way", ANSWER)
    trials = TrialRepository(workspace)
    assert trials.recent_seconds(job.id, most=64) == [0.5, 0.5]
    assert trials.recent_seconds(job.id, most=4) == [0.5]


@pytest.mark.parametrize(
    "statement",
    [
        "update trial_requests set tokens_out = 0",
        "update trial_runs set output = '1'",
        "delete from trial_runs",
        "delete from trial_jobs",
        "update trial_jobs set budget = '{}'",
    ],
)
def test_nothing_of_it_is_changed_through_assay_and_a_change_past_it_shows(
    workspace: Workspace, job: Job, statement: str
) -> None:
    add(workspace, job, "run", ANSWER)
    finish(workspace, job, "run")
    with pytest.raises((ConflictError, WorkspaceError)), workspace.write():
        workspace.run(statement)
    with sqlite3.connect(workspace.path) as past:
        for (name,) in past.execute("select name from sqlite_master where type = 'trigger'"):
            past.execute(f'drop trigger "{name}"')
        past.execute("pragma foreign_keys = off")
        past.execute(statement)
    assert workspace.problems()


def test_amounts_add_up() -> None:
    assert Amount(1, 2, 0.5).plus(Amount(1, 1, 0.25)) == (2, 3, 0.75)
    assert Budget(calls=2).holds(Amount(2, 10**9, 1e9))
    assert not Budget(tokens=2).holds(Amount(0, 3, 0.0))
