"""Trying again: which failures, after which wait, and until when."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_any
from tenacity.stop import stop_base
from tenacity.wait import wait_combine, wait_exponential, wait_random

from audit_app.domain.trials import Attempt, CompletionStatus
from audit_app.rerun.failures import CallFailedError

T = TypeVar("T")


@dataclass(frozen=True)
class RetryPolicy:
    """How often a request is tried, and how long is waited between.

    Attributes:
        tries: Most tries, the first one included.
        first_wait_s: Wait after the first failure; it doubles from then on.
        jitter_s: Up to this many seconds are added at random, so that callers spread out.
        longest_wait_s: Ceiling of a wait, also of one that the server asks for.
    """

    tries: int = 4
    first_wait_s: float = 1.0
    jitter_s: float = 1.0
    longest_wait_s: float = 60.0

    def at_most(self, tries: int | None) -> RetryPolicy:
        """The same with fewer tries; None leaves it as it is."""
        return self if tries is None else replace(self, tries=min(tries, self.tries))


USUAL_RETRIES = RetryPolicy()
NO_RETRIES = RetryPolicy(tries=1)


def with_retries(
    send: Callable[[], T],
    policy: RetryPolicy,
    attempts: list[Attempt],
    *,
    deadline: float,
    cancel: threading.Event,
) -> T:
    """What ``send`` gives, tried again where that can help.

    Args:
        send: One try.
        policy: How often, and after which waits.
        attempts: Gets an entry for every try.
        deadline: On the monotonic clock; a wait that would pass it is not begun.
        cancel: Ends a wait at once when set, and keeps further tries from being made.

    Raises:
        CallFailedError: The last failure.
    """
    waited = 0.0

    def once() -> T:
        if cancel.is_set():
            raise CallFailedError(CompletionStatus.CANCELLED, "cancelled before it was sent")
        began = time.monotonic()
        try:
            sent = send()
        except CallFailedError as error:
            seconds = time.monotonic() - began
            attempts.append(
                Attempt(
                    error.status, seconds, waited, error.http_status, error.reason, error.was_sent
                )
            )
            raise
        attempts.append(Attempt(CompletionStatus.OK, time.monotonic() - began, waited, 200))
        return sent

    def sleep(seconds: float) -> None:
        nonlocal waited
        began = time.monotonic()
        cancel.wait(seconds)
        waited = time.monotonic() - began

    retrying = Retrying(
        stop=stop_any(stop_after_attempt(policy.tries), _Until(deadline)),
        wait=_Wait(policy),
        retry=retry_if_exception(_may_retry),
        sleep=sleep,
        reraise=True,
    )
    return retrying(once)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to wait, never below 0; None where it does not say.

    A date is read against the server's own clock where it tells that too, so that neither clock
    has to be right.

    Source: RFC 9110, section 10.2.3 (Retry-After) and 6.6.1 (Date).
    """
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.isdigit():
        return float(asked[:9])
    until = _date(asked)
    if until is None:
        return None
    return max(0.0, (until - (_date(headers.get("date", "")) or now)).total_seconds())


class _Wait:
    """The wait before the next try."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._ceiling = policy.longest_wait_s
        self._backoff = wait_combine(
            wait_exponential(multiplier=policy.first_wait_s), wait_random(0, policy.jitter_s)
        )

    def __call__(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, CallFailedError):
            asked = retry_after(error.headers, datetime.now(UTC))
            if asked is not None:
                return min(asked, self._ceiling)
        return min(self._backoff(state), self._ceiling)


class _Until(stop_base):
    """Stops before a wait that would pass the deadline."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def __call__(self, state: RetryCallState) -> bool:
        return time.monotonic() + state.upcoming_sleep >= self._deadline


def _may_retry(error: BaseException) -> bool:
    return isinstance(error, CallFailedError) and error.may_retry


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
