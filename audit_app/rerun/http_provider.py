"""A provider that sends over HTTP: dialect, transport, retries and the keeping of secrets."""

from __future__ import annotations

import threading
import time

import msgspec
from pydantic import SecretStr

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.record import Json
from audit_app.domain.trials import Attempt, Completion, CompletionStatus, Request
from audit_app.rerun.addresses import Address
from audit_app.rerun.dialect import Answer, Dialect, NotAnAnswerError, said
from audit_app.rerun.failures import CallFailedError, of_http_status
from audit_app.rerun.keys import Scrubber
from audit_app.rerun.retries import RetryPolicy, with_retries
from audit_app.rerun.transport import CallLimits, Reply, Transport

_CACHE_HEADERS = ("x-cache", "x-cache-status", "cf-cache-status", "cf-aig-cache-status")
"""Headers with which gateways say that an answer was given before."""
_NEVER = threading.Event()


class _Received(msgspec.Struct):
    """An HTTP answer that holds a model's answer."""

    reply: Reply
    body: str
    answer: Answer


class HttpProvider:
    """Puts requests to one endpoint over HTTP.

    Args:
        endpoint: What is called.
        address: Its address, which must have been checked.
        dialect: How it is spoken to.
        key: Its key; kept in memory, sent to this address, and taken out of all that comes back.
        limits: What one request may take.
        policy: How often it is tried.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        address: Address,
        dialect: Dialect,
        key: SecretStr | None,
        *,
        limits: CallLimits,
        policy: RetryPolicy,
    ) -> None:
        self.endpoint = endpoint
        self._address, self._dialect, self._limits, self._policy = address, dialect, limits, policy
        self._scrubber = Scrubber(key)
        headers = dialect.headers(None if key is None else key.get_secret_value())
        self._transport = Transport(address, headers, limits)
        self._path = dialect.path(address.path)

    def check(self, condition: Condition) -> None:
        """Refuse a condition that the endpoint cannot meet."""
        self._dialect.check(condition)

    def complete(
        self,
        request: Request,
        condition: Condition,
        *,
        cancel: threading.Event | None = None,
        tries: int | None = None,
    ) -> Completion:
        """How the request ended, all tries included."""
        payload = self._dialect.payload(request, condition, self._address.host)
        sent = msgspec.json.encode(payload)
        cancel = cancel or _NEVER
        deadline = time.monotonic() + self._limits.total_s
        attempts: list[Attempt] = []

        def send() -> _Received:
            reply = self._transport.post(self._path, sent, deadline=deadline, cancel=cancel)
            return self._received(reply)

        try:
            policy = self._policy.at_most(tries)
            received = with_retries(send, policy, attempts, deadline=deadline, cancel=cancel)
        except CallFailedError as error:
            return _failed(error, attempts)
        return self._completion(received, condition, attempts)

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()
        self._scrubber.close()

    def __repr__(self) -> str:
        return f"HttpProvider({self.endpoint.name!r})"

    def _received(self, reply: Reply) -> _Received:
        """The answer in a reply.

        Raises:
            CallFailedError: It holds none.
        """
        status = reply.http_status
        text = self._scrubber.text(reply.body.decode("utf-8", "replace"))
        value, is_json = _decoded(text)
        text, value = self._scrubber.answer(text, value)
        kept = text[: self._limits.kept_bytes]
        if 300 <= status < 400:
            raise self._redirected(reply, kept)
        if status >= 400:
            raise of_http_status(status, said(value), reply.headers, kept)
        try:
            _check_content_type(reply)
            if not is_json:
                raise NotAnAnswerError("the answer is not valid JSON")
            return _Received(reply, kept, self._dialect.read(value))
        except NotAnAnswerError as error:
            raise CallFailedError(
                error.status, error.reason, http_status=status, headers=reply.headers, body=kept
            ) from None

    def _redirected(self, reply: Reply, kept: str) -> CallFailedError:
        location = self._scrubber.text(reply.headers.get("location", "nowhere"))
        target = " ".join(location.split())[:200]
        reason = f"HTTP {reply.http_status}: it redirects to {target}, which is not followed"
        return CallFailedError(
            CompletionStatus.REDIRECTED, reason, http_status=reply.http_status, body=kept
        )

    def _completion(
        self, received: _Received, condition: Condition, attempts: list[Attempt]
    ) -> Completion:
        answer = received.answer
        return Completion(
            status=CompletionStatus.OK,
            text=answer.text,
            tool_calls=answer.tool_calls,
            reasoning=answer.reasoning,
            logprobs=answer.logprobs,
            finish_reason=answer.finish_reason,
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
            seconds=attempts[-1].seconds,
            cost_usd=self.endpoint.cost(condition.model, answer.tokens_in, answer.tokens_out),
            cached=_is_cached(received.reply),
            http_status=received.reply.http_status,
            attempts=tuple(attempts),
            body=received.body,
            response_id=answer.response_id,
            served_model=answer.served_model,
            fingerprint=answer.fingerprint,
        )


def _failed(error: CallFailedError, attempts: list[Attempt]) -> Completion:
    return Completion(
        status=error.status,
        seconds=attempts[-1].seconds if attempts else 0.0,
        http_status=error.http_status,
        attempts=tuple(attempts),
        error=error.reason,
        body=error.body,
    )


def _decoded(text: str) -> tuple[Json, bool]:
    try:
        return msgspec.json.decode(text), True
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None, False


def _check_content_type(reply: Reply) -> None:
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and not kind.endswith(("/json", "+json")):
        raise NotAnAnswerError("its content type says that the answer is not JSON")


def _is_cached(reply: Reply) -> bool:
    return any(reply.headers.get(name, "").lower().startswith("hit") for name in _CACHE_HEADERS)
