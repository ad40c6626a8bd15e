"""Every fault of a server ends as the right status, and never as an answer."""

from __future__ import annotations

import threading
import time

import pytest

from audit_app.domain.conditions import Endpoint
from audit_app.domain.trials import Completion, CompletionStatus, TrialStatus
from audit_app.rerun.addresses import read_address
from audit_app.rerun.connect import open_provider
from audit_app.rerun.failures import CallFailedError
from audit_app.rerun.retries import RetryPolicy
from audit_app.rerun.transport import CallLimits, Transport
from tests.rerun.conftest import ask, condition
from tests.rerun.faulty_server import FaultyServer

QUICK = RetryPolicy(tries=3, first_wait_s=0.01, jitter_s=0.01, longest_wait_s=0.05)
LIMITS = CallLimits(connect_s=2, read_s=0.4, total_s=0.8)


def complete(
    server: FaultyServer,
    fault: str,
    *,
    limits: CallLimits = LIMITS,
    policy: RetryPolicy = QUICK,
    cancel: threading.Event | None = None,
) -> Completion:
    endpoint = Endpoint(name="faulty", url=server.url(fault))
    provider = open_provider(endpoint, environment={}, limits=limits, policy=policy)
    try:
        return provider.complete(ask(), condition(endpoint), cancel=cancel)
    finally:
        provider.close()


S = CompletionStatus


@pytest.mark.parametrize(
    ("fault", "status", "tries", "said"),
    [
        pytest.param("limited", S.OK, 3, "", id="429 with Retry-After twice, then an answer"),
        pytest.param("limited-by-date", S.OK, 2, "", id="429 with a date"),
        pytest.param("limited-for-long", S.RATE_LIMITED, 3, "come back", id="429 for a day"),
        pytest.param("broken-twice", S.OK, 3, "", id="500 twice, then an answer"),
        pytest.param("broken", S.SERVER_ERROR, 3, "HTTP 500", id="500 with a page"),
        pytest.param("overloaded", S.SERVER_ERROR, 3, "Overloaded", id="529"),
        pytest.param("slow-headers", S.TIMEOUT, 1, "within 0.8 s in all", id="headers dribble"),
        pytest.param("slow-body", S.TIMEOUT, 1, "within 0.8 s in all", id="body dribbles"),
        pytest.param("silent", S.TIMEOUT, 1, "nothing moved for 0.4 s", id="silence"),
        pytest.param("cut", S.CONNECTION, 3, "cut", id="cut in the body"),
        pytest.param("hangs-up", S.CONNECTION, 3, "cut", id="hangs up"),
        pytest.param("not-http", S.CONNECTION, 3, "not HTTP", id="not HTTP"),
        pytest.param("invalid-json", S.INVALID_ANSWER, 1, "not valid JSON", id="half a JSON"),
        pytest.param("not-utf8", S.INVALID_ANSWER, 1, "no choice", id="not UTF-8"),
        pytest.param("too-deep", S.INVALID_ANSWER, 1, "not valid JSON", id="nested too deep"),
        pytest.param("nothing", S.INVALID_ANSWER, 1, "not valid JSON", id="no body"),
        pytest.param("a-list", S.INVALID_ANSWER, 1, "not an object", id="a list"),
        pytest.param("no-choices", S.INVALID_ANSWER, 1, "no choice", id="no choices"),
        pytest.param("no-message", S.INVALID_ANSWER, 1, "no message", id="no message"),
        pytest.param("nameless-call", S.INVALID_ANSWER, 1, "no function", id="nameless call"),
        pytest.param("error-in-200", S.INVALID_ANSWER, 1, "upstream failed", id="error in a 200"),
        pytest.param("filtered", S.REFUSED, 1, "filter", id="withheld by a filter"),
        pytest.param("html", S.INVALID_ANSWER, 1, "not JSON", id="a page"),
        pytest.param("mislabelled", S.INVALID_ANSWER, 1, "not JSON", id="wrong content type"),
        pytest.param("unlabelled", S.OK, 1, "", id="no content type"),
        pytest.param("packed", S.INVALID_ANSWER, 1, "packed", id="packed unasked"),
        pytest.param("huge", S.TOO_LARGE, 1, "longer than 4 MB", id="5 MB"),
        pytest.param("endless", S.TOO_LARGE, 1, "longer than 4 MB", id="5 MB of no stated length"),
        pytest.param("redirect", S.REDIRECTED, 1, "elsewhere.example", id="to another host"),
        pytest.param("redirect-here", S.REDIRECTED, 1, "not followed", id="to the same host"),
        pytest.param("http-1.0", S.OK, 1, "", id="HTTP/1.0 that closes"),
        pytest.param("no-key", S.REFUSED, 1, "key is missing, wrong", id="401"),
        pytest.param("no-model", S.REFUSED, 1, "model 'x' not found", id="404"),
        pytest.param("too-long", S.REFUSED, 1, "maximum context length", id="400"),
    ],
)
def test_fault_is_a_status(
    server: FaultyServer, fault: str, status: CompletionStatus, tries: int, said: str
) -> None:
    limits = CallLimits() if fault in ("huge", "endless") else LIMITS
    began, before = time.monotonic(), server.hits[fault]
    completion = complete(server, fault, limits=limits)
    assert (completion.status, completion.tries) == (status, tries), completion.error
    assert server.hits[fault] - before == tries
    assert said in completion.error
    assert (completion.text == "fine") is (status is S.OK)
    assert (completion.status.error is None) is (status is S.OK)
    assert time.monotonic() - began < 2


def test_answer_is_read_whole(server: FaultyServer) -> None:
    completion = complete(server, "fine")
    assert (completion.text, completion.finish_reason) == ("fine", "stop")
    assert (completion.tokens_in, completion.tokens_out) == (10, 2)
    assert (completion.response_id, completion.served_model) == ("chatcmpl-1", "m-2026")
    assert (completion.http_status, completion.cached) == (200, False)
    assert '"fine"' in completion.body


def test_r49_answer_from_a_cache_is_marked(server: FaultyServer) -> None:
    assert complete(server, "cached").cached


def test_no_server_at_all() -> None:
    endpoint = Endpoint(name="gone", url="http://127.0.0.1:9/v1")
    provider = open_provider(endpoint, environment={}, limits=LIMITS, policy=QUICK)
    completion = provider.complete(ask(), condition(endpoint))
    assert (completion.status, completion.tries) == (S.CONNECTION, 3)
    assert completion.status.error is TrialStatus.CONNECTION_ERROR
    assert "is it running?" in completion.error


def test_attempts_tell_the_whole_story(server: FaultyServer) -> None:
    server.hits["broken-twice"] = 0
    attempts = complete(server, "broken-twice").attempts
    assert [attempt.http_status for attempt in attempts] == [500, 500, 200]
    assert [attempt.status for attempt in attempts] == [S.SERVER_ERROR, S.SERVER_ERROR, S.OK]
    assert attempts[0].waited_s == 0
    assert all(0 < attempt.waited_s < 0.5 for attempt in attempts[1:])


@pytest.mark.parametrize(
    "fault",
    ["silent", "slow-headers", "slow-body", pytest.param("limited-for-long", id="during a wait")],
)
def test_cancel_ends_at_once(server: FaultyServer, fault: str) -> None:
    patient = RetryPolicy(tries=3, longest_wait_s=20)
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    began = time.monotonic()
    limits = CallLimits(read_s=20, total_s=60)
    completion = complete(server, fault, limits=limits, policy=patient, cancel=cancel)
    timer.join()
    assert completion.status is S.CANCELLED
    assert time.monotonic() - began < 1


def test_wait_that_would_pass_the_deadline_is_not_begun(server: FaultyServer) -> None:
    began = time.monotonic()
    policy = RetryPolicy(tries=3, longest_wait_s=30)
    completion = complete(server, "limited-for-long", policy=policy)
    assert (completion.status, completion.tries) == (S.RATE_LIMITED, 1)
    assert time.monotonic() - began < 0.5


def test_ended_request_does_not_harm_the_next(server: FaultyServer) -> None:
    """One connection after the other in the same place: only the request that is over is ended."""
    faults = ("slow-body", "fine", "silent", "fine", "cut", "fine", "fine")
    found = []
    address = read_address(server.url("fine").removesuffix("/fine/v1"))
    with Transport(address, {}, LIMITS) as transport:
        for fault in faults:
            deadline = time.monotonic() + 0.3
            try:
                path = f"/{fault}/v1/chat/completions"
                reply = transport.post(path, b"{}", deadline=deadline, cancel=threading.Event())
                found.append(str(reply.http_status))
            except CallFailedError as error:
                found.append(error.status)
    assert found == [S.TIMEOUT, "200", S.TIMEOUT, "200", S.CONNECTION, "200", "200"]
