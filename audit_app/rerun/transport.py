"""One POST over HTTP: bounded in time and size, never redirected, ended from outside when asked.

Every request under way has a connection of its own (a client with a single connection), so that
it can be ended without touching the others; connections are kept and used again.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from queue import Empty, LifoQueue
from typing import Self

import httpx

from audit_app.domain.trials import CompletionStatus
from audit_app.rerun.addresses import Address
from audit_app.rerun.failures import CallFailedError
from audit_app.rerun.watch import Line, Watch


@dataclass(frozen=True)
class CallLimits:
    """What one request may take.

    Attributes:
        connect_s: Seconds until a connection stands.
        read_s: Seconds without any part of the answer: a model may think before it speaks.
        write_s: Seconds without any part of the request going out.
        pool_s: Seconds until a connection is free.
        total_s: Seconds for all of it, retries and waits included.
        answer_bytes: Longest answer that is read.
        kept_bytes: Longest part of an answer that is kept as it came.
    """

    connect_s: float = 10.0
    read_s: float = 120.0
    write_s: float = 30.0
    pool_s: float = 10.0
    total_s: float = 300.0
    answer_bytes: int = 4 << 20
    kept_bytes: int = 256 << 10


@dataclass(frozen=True)
class Reply:
    """An HTTP answer, whatever its status."""

    http_status: int
    headers: Mapping[str, str]
    body: bytes


class _Lane:
    """A client with one connection."""

    def __init__(self, address: Address, limits: CallLimits, verify: object) -> None:
        self.line = Line()
        self.client = httpx.Client(
            verify=verify,  # type: ignore[arg-type]  # a context, or False where nothing is encrypted
            trust_env=not address.is_loopback,  # no proxy between this machine and itself
            follow_redirects=False,
            timeout=httpx.Timeout(
                connect=limits.connect_s,
                read=limits.read_s,
                write=limits.write_s,
                pool=limits.pool_s,
            ),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        )


class Transport:
    """Sends to one endpoint; safe to use from threads. Close it, or use it as a context manager.

    Args:
        address: The base address.
        headers: Of every request, the key among them.
        limits: What a request may take.
    """

    def __init__(self, address: Address, headers: Mapping[str, str], limits: CallLimits) -> None:
        self._address, self._limits = address, limits
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # else a small answer could unfold into a huge one
            "User-Agent": "assay",
            **headers,
        }
        self._verify = httpx.create_ssl_context() if address.scheme == "https" else False
        self._idle: LifoQueue[_Lane] = LifoQueue()
        self._lanes: list[_Lane] = []
        self._watch = Watch()

    def post(self, path: str, payload: bytes, *, deadline: float, cancel: threading.Event) -> Reply:
        """Send JSON and read the whole answer.

        Args:
            path: Below the base address, or empty.
            payload: JSON.
            deadline: When time is up, on the monotonic clock.
            cancel: Ends the request when set.

        Raises:
            CallFailedError: There is no whole answer.
        """
        lane = self._lane()
        try:
            with self._watch.over(lane.line, deadline, cancel):
                return self._exchange(lane, f"{self._address}{path}", payload)
        except httpx.HTTPError as error:
            raise self._failure(error, lane.line.ended) from None
        finally:
            self._idle.put(lane)

    def close(self) -> None:
        """Close all connections."""
        self._watch.close()
        for lane in self._lanes:
            lane.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lane(self) -> _Lane:
        try:
            return self._idle.get_nowait()
        except Empty:
            lane = _Lane(self._address, self._limits, self._verify)
            self._lanes.append(lane)
            return lane

    def _exchange(self, lane: _Lane, url: str, payload: bytes) -> Reply:
        request = lane.client.build_request(
            "POST",
            url,
            content=payload,
            headers=self._headers,
            extensions={"trace": lane.line.trace},
        )
        response = lane.client.send(request, stream=True)
        try:
            return Reply(
                response.status_code, response.headers, _read(response, self._limits.answer_bytes)
            )
        finally:
            response.close()

    def _failure(self, error: httpx.HTTPError, ended: CompletionStatus | None) -> CallFailedError:
        """What a fault of the connection means; the library's own text is not passed on."""
        limits = self._limits
        match (ended, error):
            case (CompletionStatus.CANCELLED, _):
                reason = "cancelled while the answer was awaited"
                return CallFailedError(ended, reason, was_sent=_was_connected(error))
            case (CompletionStatus.TIMEOUT, _):
                reason = f"no answer within {limits.total_s:g} s in all"
                return CallFailedError(ended, reason, was_sent=_was_connected(error))
            case (_, httpx.ConnectTimeout()):
                reason = f"no connection within {limits.connect_s:g} s"
                return _not_connected(reason, may_retry=True)
            case (_, httpx.TimeoutException()):
                what = "sending the request" if isinstance(error, httpx.WriteTimeout) else "answer"
                limit = limits.write_s if isinstance(error, httpx.WriteTimeout) else limits.read_s
                reason = f"nothing moved for {limit:g} s ({what})"
                return CallFailedError(CompletionStatus.TIMEOUT, reason)
            case (_, httpx.ConnectError()) if _is_untrusted(error):
                reason = f"the certificate of {self._address} is not trusted (SSL_CERT_FILE)"
                return _not_connected(reason)
            case (_, httpx.ConnectError() | httpx.ProxyError()):
                reason = f"no connection to {self._address}: is it running?"
                return _not_connected(reason, may_retry=True)
            case (_, httpx.NetworkError() | httpx.RemoteProtocolError()):
                reason = "the connection was cut before the answer was complete, or it was not HTTP"
                return CallFailedError(CompletionStatus.CONNECTION, reason, may_retry=True)
        reason = f"the request could not be made ({type(error).__name__})"
        return CallFailedError(CompletionStatus.HARNESS, reason)


def _not_connected(reason: str, *, may_retry: bool = False) -> CallFailedError:
    return CallFailedError(CompletionStatus.CONNECTION, reason, may_retry=may_retry, was_sent=False)


def _was_connected(error: httpx.HTTPError) -> bool:
    return not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)


def _is_untrusted(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None


def _read(response: httpx.Response, most: int) -> bytes:
    """The body, as it came.

    Raises:
        CallFailedError: It is longer than allowed, or packed.
    """
    status, headers = response.status_code, response.headers
    encoding = headers.get("content-encoding", "identity")
    if encoding.lower() not in ("", "identity"):
        reason = "the answer is packed, though that was not asked for"
        raise CallFailedError(
            CompletionStatus.INVALID_ANSWER, reason, http_status=status, headers=headers
        )
    parts, size = [], 0
    for part in response.iter_raw():
        size += len(part)
        if size > most:
            reason = f"the answer is longer than {most >> 20} MB; the rest was not read"
            raise CallFailedError(
                CompletionStatus.TOO_LARGE, reason, http_status=status, headers=headers
            )
        parts.append(part)
    return b"".join(parts)
