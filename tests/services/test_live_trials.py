"""Jobs of live trials against real servers: what is sent, stored, counted, and refused."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from audit_app.domain.conditions import Endpoint, Price
from audit_app.domain.live_jobs import Budget, JobState
from audit_app.domain.trials import CompletionStatus, TrialStatus
from audit_app.errors import ConflictError, InputError
from audit_app.services.context import Services, open_services
from audit_app.services.live_plans import TrialAsk
from audit_app.services.live_runner import TrialEnd
from audit_app.settings import Settings
from tests.rerun.faulty_server import FaultyServer, faulty_server
from tests.services.live_kit import KEY, import_tasks, make_job, run

KEYS = {"t1": "fine", "t2": "fine", "t3": "not that"}


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as running:
        yield running


@pytest.fixture
def live(services: Services, tmp_path: Path) -> Services:
    import_tasks(services, tmp_path, KEYS)
    return services


def test_r49_n_trials_are_n_calls_stored_once_each(live: Services, server: FaultyServer) -> None:
    before, ended = server.hits["fine"], list[TrialEnd]()
    job = make_job(live.live, server.url("fine"), list(KEYS), k=5)
    assert live.live.progress(job.id).state is JobState.PLANNED
    progress = run(live.live, job, on_end=ended.append)
    assert (progress.state, progress.done, progress.answered) == (JobState.FINISHED, 15, 15)
    assert server.hits["fine"] - before == 15
    stored = live.live.trials(job.id)
    assert [(t.task_id, t.trial) for t in stored] == [(t, i) for t in KEYS for i in range(1, 6)]
    assert all((t.requests, t.tokens_in, t.tokens_out) == (1, 10, 2) for t in stored)
    assert not any(trial.is_cached for trial in stored)
    assert [end.done for end in ended] == list(range(1, 16))
    assert progress.spent.calls == 15
    assert (progress.spent.tokens_in, progress.spent.tokens_out) == (150, 30)
    assert progress.spent.most == (15, 180, 0.0)
    (request,) = live.live.requests(stored[0].id)
    assert request.request["messages"][-1]["content"] == "Say something of t1."
    assert request.completion.text == "fine"
    # Run again it sends nothing.
    assert run(live.live, job).state is JobState.FINISHED
    assert server.hits["fine"] - before == 15
    assert live.workspace.problems() == []


def test_answers_are_graded_under_both_keys(live: Services, server: FaultyServer) -> None:
    job = make_job(live.live, server.url("fine"), ["t3"], k=4)
    run(live.live, job)
    graded = live.live.graded(job.id, "t3", '["fine"]')
    assert graded.key_error == ""
    assert graded.counts() == (0, 4, 0)
    assert graded.counts(proposed=True) == (4, 0, 0)
    assert graded.triage.triage == "key_or_scorer"
    assert graded.triage.models == ("m",)
    assert graded.triage_proposed is not None
    assert graded.triage_proposed.triage == "solved"
    (group,) = graded.groups
    assert (group.count, group.models, group.output_group.answer) == (4, ("m",), "fine")
    assert len(group.signature) == 64
    assert graded.signatures == {group.signature: 4}
    wrong = live.live.graded(job.id, "t3", "[")
    assert wrong.key_error
    assert wrong.triage_proposed is None


ENDS = {
    "limited": (CompletionStatus.OK, TrialStatus.PASS),
    "broken-twice": (CompletionStatus.OK, TrialStatus.PASS),
    "http-1.0": (CompletionStatus.OK, TrialStatus.PASS),
    "unlabelled": (CompletionStatus.OK, TrialStatus.PASS),
    "cached": (CompletionStatus.OK, TrialStatus.PASS),
    "limited-for-long": (CompletionStatus.RATE_LIMITED, TrialStatus.CONNECTION_ERROR),
    "broken": (CompletionStatus.SERVER_ERROR, TrialStatus.CONNECTION_ERROR),
    "cut": (CompletionStatus.CONNECTION, TrialStatus.CONNECTION_ERROR),
    "hangs-up": (CompletionStatus.CONNECTION, TrialStatus.CONNECTION_ERROR),
    "not-http": (CompletionStatus.CONNECTION, TrialStatus.CONNECTION_ERROR),
    "invalid-json": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "nothing": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "no-choices": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "html": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "mislabelled": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "too-deep": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "not-utf8": (CompletionStatus.INVALID_ANSWER, TrialStatus.HARNESS_ERROR),
    "filtered": (CompletionStatus.REFUSED, TrialStatus.CONNECTION_ERROR),
    "huge": (CompletionStatus.TOO_LARGE, TrialStatus.HARNESS_ERROR),
    "redirect": (CompletionStatus.REDIRECTED, TrialStatus.CONNECTION_ERROR),
    "no-key": (CompletionStatus.REFUSED, TrialStatus.CONNECTION_ERROR),
    "too-long": (CompletionStatus.REFUSED, TrialStatus.CONNECTION_ERROR),
    "overloaded": (CompletionStatus.SERVER_ERROR, TrialStatus.CONNECTION_ERROR),
    "echo": (CompletionStatus.OK, TrialStatus.FAIL),
    "echo-error": (CompletionStatus.REFUSED, TrialStatus.CONNECTION_ERROR),
    "echo-redirect": (CompletionStatus.REDIRECTED, TrialStatus.CONNECTION_ERROR),
}


def test_every_fault_ends_as_its_status_and_no_secret_is_stored(
    live: Services, server: FaultyServer, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """The job finishes, nothing is counted as a wrong answer, and the key is nowhere."""
    caplog.set_level("DEBUG")
    server.hits.clear()
    for fault, (status, counted) in ENDS.items():
        job = make_job(live.live, server.url(fault), ["t1"], k=2)
        progress = run(live.live, job, key=SecretStr(KEY))
        assert progress.state is JobState.FINISHED, fault
        assert progress.outcomes == {status: 2}, fault
        graded = live.live.graded(job.id, "t1")
        assert {v.status for v in graded.verdicts} == {counted}, fault
        tally = graded.counts()
        assert (tally.failed, tally.errors > 0) == (
            2 * (counted is TrialStatus.FAIL),
            status is not CompletionStatus.OK,
        ), fault
        shown = "".join(map(str, (progress, graded, live.live.reliability([job.id]))))
        assert KEY not in shown
    live.workspace.fold_log()
    stored = settings.db.read_bytes()
    assert b"Say something of t1." in stored
    assert KEY.encode() not in stored
    assert KEY not in caplog.text
    assert live.workspace.problems() == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("no-key", "HTTP 401 (the key is missing, wrong or not allowed this)"),
        ("no-model", "HTTP 404 (no such model or address)"),
        ("redirect", "it redirects to"),
    ],
)
def test_an_endpoint_that_refuses_everybody_is_not_asked_k_times(
    live: Services, server: FaultyServer, fault: str, words: str
) -> None:
    before = server.hits[fault]
    job = make_job(live.live, server.url(fault), ["t1", "t2"], k=50)
    progress = run(live.live, job, concurrency=1)
    assert (progress.state, progress.done) == (JobState.REFUSED, 0)
    assert server.hits[fault] - before == 3
    assert words in progress.note
    assert "100 of 100 trials were not run" in progress.note
    assert live.live.reliability([job.id]) == []
    assert progress.spent.calls == 3


def test_further_tries_are_calls_of_the_budget(live: Services, server: FaultyServer) -> None:
    """Three tries are usual; of four calls the second trial gets the one that is left."""
    before = server.hits["broken"]
    job = make_job(live.live, server.url("broken"), ["t1"], k=9, budget=Budget(calls=4))
    progress = run(live.live, job, concurrency=1)
    assert (progress.state, progress.done) == (JobState.BUDGET, 2)
    assert server.hits["broken"] - before == progress.spent.calls == 4


def test_an_endpoint_that_is_down_is_said_to_be(live: Services) -> None:
    job = make_job(live.live, "http://127.0.0.1:9/v1", ["t1"], k=20)
    progress = run(live.live, job)
    assert (progress.state, progress.done) == (JobState.REFUSED, 0)
    assert "no connection to http://127.0.0.1:9/v1: is it running?" in progress.note
    assert progress.spent.most.tokens == 0  # nothing can have been paid


def test_refusals_between_answers_are_counted(live: Services, server: FaultyServer) -> None:
    """Two refusals, then an end: the endpoint was not shown to refuse everything."""
    job = make_job(live.live, server.url("too-long"), ["t1"], k=2)
    progress = run(live.live, job)
    assert progress.outcomes == {CompletionStatus.REFUSED: 2}
    assert progress.state is JobState.FINISHED


def test_stopped_and_gone_on_with(live: Services, server: FaultyServer) -> None:
    before, cancel = server.hits["a-little-slow"], threading.Event()
    job = make_job(live.live, server.url("a-little-slow"), list(KEYS), k=10)

    def stop_after_six(end: TrialEnd) -> None:
        if end.done == 6:
            cancel.set()

    progress = run(live.live, job, cancel=cancel, on_end=stop_after_six, concurrency=2)
    assert progress.state is JobState.PAUSED
    assert 6 <= progress.done < 30
    first = {t.id for t in live.live.trials(job.id)}
    progress = run(live.live, job)
    assert (progress.state, progress.done) == (JobState.FINISHED, 30)
    assert first < {t.id for t in live.live.trials(job.id)}
    # At most the two that were under way were asked again.
    assert 30 <= server.hits["a-little-slow"] - before <= 32
    assert progress.spent.calls == server.hits["a-little-slow"] - before


def test_cancelled_for_good_from_elsewhere(
    live: Services, server: FaultyServer, settings: Settings
) -> None:
    job = make_job(live.live, server.url("a-little-slow"), list(KEYS), k=300)

    def cancel_at_five(end: TrialEnd) -> None:
        if end.done == 5:
            with open_services(settings) as other:
                other.live.cancel(job.id)

    progress = run(live.live, job, on_end=cancel_at_five)
    assert progress.state is JobState.CANCELLED
    assert progress.done < 900
    with pytest.raises(ConflictError, match="was cancelled"):
        run(live.live, job)
    with pytest.raises(ConflictError, match="cancelled already"):
        live.live.cancel(job.id)


def test_one_runner_a_job(live: Services, server: FaultyServer) -> None:
    job, refused = make_job(live.live, server.url("a-little-slow"), ["t1"], k=20), list[str]()

    def try_too(end: TrialEnd) -> None:
        if end.done == 3:
            assert live.live.progress(job.id).state is JobState.RUNNING
            with pytest.raises(ConflictError) as error:
                run(live.live, job)
            refused.append(str(error.value))

    assert run(live.live, job, on_end=try_too).done == 20
    (sentence,) = refused
    assert "being run already, by process" in sentence
    assert Counter(t.trial for t in live.live.trials(job.id)) == Counter(range(1, 21))


def test_remaining_time_is_told_only_once_there_is_a_pace(
    live: Services, server: FaultyServer
) -> None:
    told: dict[int, float | None] = {}
    job = make_job(live.live, server.url("a-little-slow"), ["t1"], k=30)

    def look(end: TrialEnd) -> None:
        told[end.done] = live.live.progress(job.id).seconds_left

    progress = run(live.live, job, on_end=look, concurrency=1)
    assert progress.seconds_left is None
    assert told[1] is None
    # 20 ms a trial at least, and what this machine adds.
    left = told[10]
    assert left is not None
    assert 20 * 0.02 <= left < 20 * 0.5


BAD = {
    "K is 0": ({"trials": 0}, "0 trials a task cannot be run; give 1 to 1,000"),
    "K is 10,000": ({"trials": 10_000}, "10,000 trials a task cannot be run"),
    "no model": ({"model": " "}, "name the model"),
    "elsewhere": ({"endpoint": "http://models.example.org/v1"}, "not on this machine"),
    "no address": ({"endpoint": "somewhere"}, "there is no endpoint 'somewhere'"),
    "a name in it": ({"endpoint": "http://me:pw@127.0.0.1/v1"}, "holds a name or password"),
    "temperature": ({"temperature": -1.0}, "temperature: "),
    "seed policy without a seed": ({"seed_policy": "fixed"}, "the seed is None"),
    "money without a price": ({"budget": Budget(usd=1.0)}, "a budget in money cannot be kept"),
    "logprobs": ({"top_logprobs": 50}, "top_logprobs: "),
}


@pytest.mark.parametrize(("fields", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_asked_is_one_sentence_and_nothing_is_made(
    live: Services, fields: dict[str, object], words: str
) -> None:
    asked = {"endpoint": "http://127.0.0.1:9/v1", "model": "m", "trials": 1, **fields}
    with pytest.raises(InputError) as error:
        live.live.plan(["t1"], TrialAsk(**asked), benchmark="harbour")  # type: ignore[arg-type]
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert live.live.jobs(benchmark="harbour") == []


def test_tasks_that_are_none_or_cannot_be_sent(live: Services, server: FaultyServer) -> None:
    ask = TrialAsk(endpoint=server.url("fine"), model="m", trials=1)
    with pytest.raises(InputError, match="there is no task 'nowhere'"):
        live.live.plan(["t1", "nowhere"], ask, benchmark="harbour")
    with pytest.raises(InputError, match="name the tasks"):
        live.live.plan([], ask, benchmark="harbour")
    with pytest.raises(InputError, match="there is no job"):
        live.live.progress("12345678-not-a-job")


def test_vendors_that_need_a_key_are_not_called_without(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    price = {"*": Price(input=1.0, output=2.0)}
    endpoint = Endpoint(name="vendor", url="https://api.openai.com/v1", prices=price)
    with open_services(Settings(settings.db, "ada", tmp_path, endpoints=(endpoint,))) as services:
        import_tasks(services, tmp_path, KEYS)
        ask = TrialAsk(endpoint="vendor", model="m", trials=5, max_tokens=100)
        with pytest.raises(InputError, match="set ASSAY_ENDPOINT_KEY_VENDOR"):
            services.live.plan(["t1"], ask, benchmark="harbour")
        monkeypatch.setenv("ASSAY_ENDPOINT_KEY_VENDOR", KEY)
        plan = services.live.plan(["t1"], ask, benchmark="harbour")
        assert plan.has_key
        assert services.live.endpoints()[0].has_key
        assert plan.calls == 5
        # At most 500 tokens out at $2 a million, and some in at $1.
        assert plan.cost_usd is not None
        assert 0.001 < plan.cost_usd < 0.0015
        assert KEY not in repr(plan)
