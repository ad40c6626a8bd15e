from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from audit_app.domain.trials import Attempt, CompletionStatus
from audit_app.rerun.failures import CallFailedError, of_http_status
from audit_app.rerun.retries import RetryPolicy, retry_after, with_retries

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
SOON = "Mon, 30 Nov 2026 12:00:07 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param({"retry-after": SOON}, 7.0, id="date"),
        pytest.param(
            {"retry-after": SOON, "date": "Mon, 30 Nov 2026 12:00:05 GMT"}, 2.0, id="its own clock"
        ),
        pytest.param({"retry-after": "Sun, 29 Nov 2026 12:00:00 GMT"}, 0.0, id="date gone by"),
        pytest.param({"retry-after": "9" * 400}, 999_999_999.0, id="absurd number"),
        pytest.param({"retry-after": "-5"}, None, id="negative"),
        pytest.param({"retry-after": "soon"}, None, id="words"),
        pytest.param({"retry-after": "٧"}, None, id="digits of another script"),
        pytest.param({"retry-after": "Mon, 99 Nov 2026 99:00:00 GMT"}, None, id="no such date"),
        pytest.param({}, None, id="nothing said"),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def fail_with(http_status: int, headers: dict[str, str] | None = None) -> CallFailedError:
    return of_http_status(http_status, "", headers or {}, "")


@pytest.mark.parametrize(
    ("http_status", "tries"),
    [
        *((status, 1) for status in (400, 401, 403, 404, 409, 422)),
        *((status, 3) for status in (408, 425, 429, 500, 502, 503, 504, 529)),
    ],
)
def test_what_is_tried_again(http_status: int, tries: int) -> None:
    attempts: list[Attempt] = []

    def send() -> None:
        raise fail_with(http_status)

    policy = RetryPolicy(tries=3, first_wait_s=0, jitter_s=0)
    with pytest.raises(CallFailedError):
        _run(send, policy, attempts)
    assert len(attempts) == tries


def test_date_far_ahead_is_cut_to_the_ceiling() -> None:
    later = format_datetime(NOW.replace(year=2126), usegmt=True)
    attempts: list[Attempt] = []

    def send() -> str:
        if not attempts:
            raise fail_with(429, {"retry-after": later})
        return "answer"

    assert _run(send, RetryPolicy(longest_wait_s=0.05), attempts) == "answer"
    assert 0.04 < attempts[1].waited_s < 0.5


def _run(send: object, policy: RetryPolicy, attempts: list[Attempt]) -> object:
    deadline, cancel = time.monotonic() + 5, threading.Event()
    return with_retries(send, policy, attempts, deadline=deadline, cancel=cancel)  # type: ignore[arg-type]


def test_nothing_is_sent_once_cancelled() -> None:
    cancel = threading.Event()
    cancel.set()
    attempts: list[Attempt] = []
    with pytest.raises(CallFailedError) as failure:
        with_retries(
            lambda: pytest.fail("was sent"),
            RetryPolicy(),
            attempts,
            deadline=time.monotonic() + 5,
            cancel=cancel,
        )
    assert failure.value.status is CompletionStatus.CANCELLED
    assert not attempts
