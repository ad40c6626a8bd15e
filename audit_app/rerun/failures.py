"""How a try can fail: the status it gets, and whether another try could help."""

from __future__ import annotations

from collections.abc import Mapping

from audit_app.domain.trials import CompletionStatus

RETRIED = frozenset({408, 425, 429})
"""HTTP 4xx that ask for another try, beside every 5xx."""

_STATUS = {
    408: CompletionStatus.TIMEOUT,
    425: CompletionStatus.SERVER_ERROR,
    429: CompletionStatus.RATE_LIMITED,
    504: CompletionStatus.TIMEOUT,
}


class CallFailedError(Exception):
    """One try did not bring an answer; it never leaves this package.

    Attributes:
        status: How it ended.
        reason: Why, in words without the key.
        http_status: 0 where there was no HTTP answer.
        headers: Of that answer.
        body: Of that answer, without the key.
        may_retry: Whether another try could help.
        was_sent: Whether it may have reached the endpoint.
    """

    def __init__(
        self,
        status: CompletionStatus,
        reason: str,
        *,
        http_status: int = 0,
        headers: Mapping[str, str] | None = None,
        body: str = "",
        may_retry: bool = False,
        was_sent: bool = True,
    ) -> None:
        super().__init__(reason)
        self.status, self.reason, self.http_status = status, reason, http_status
        self.headers: Mapping[str, str] = headers or {}
        self.body, self.may_retry, self.was_sent = body, may_retry, was_sent


def of_http_status(
    http_status: int, said: str, headers: Mapping[str, str], body: str
) -> CallFailedError:
    """The failure that an HTTP status means.

    Args:
        http_status: 400 or above.
        said: What the server gave as the reason, or an empty text.
        headers: Of the answer.
        body: Of the answer, without the key.
    """
    is_server = http_status >= 500
    status = CompletionStatus.SERVER_ERROR if is_server else CompletionStatus.REFUSED
    return CallFailedError(
        _STATUS.get(http_status, status),
        f"HTTP {http_status}{_meaning(http_status)}{': ' + said if said else ''}",
        http_status=http_status,
        headers=headers,
        body=body,
        may_retry=is_server or http_status in RETRIED,
    )


def _meaning(http_status: int) -> str:
    match http_status:
        case 401 | 403:
            return " (the key is missing, wrong or not allowed this)"
        case 404:
            return " (no such model or address)"
        case 429:
            return " (too many requests)"
    return ""
