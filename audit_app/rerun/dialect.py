"""What differs between services that are spoken to over HTTP: paths, headers, bodies."""

from __future__ import annotations

from typing import Protocol

import msgspec

from audit_app.domain.conditions import Condition
from audit_app.domain.record import Json
from audit_app.domain.trials import CompletionStatus, Request, TokenLogprob, ToolCall
from audit_app.errors import InputError


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says, read from its body; fields as those of `Completion`."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    logprobs: tuple[TokenLogprob, ...] | None = None
    finish_reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    response_id: str = ""
    served_model: str = ""
    fingerprint: str = ""


class NotAnAnswerError(Exception):
    """A body that holds no answer.

    Attributes:
        reason: Why, in words.
        status: What that makes of the request.
    """

    def __init__(
        self, reason: str, status: CompletionStatus = CompletionStatus.INVALID_ANSWER
    ) -> None:
        super().__init__(reason)
        self.reason, self.status = reason, status


class Dialect(Protocol):
    """One way of speaking; without state."""

    def path(self, base_path: str) -> str:
        """What follows the endpoint's address, whose own path is ``base_path``."""
        ...

    def headers(self, key: str | None) -> dict[str, str]:
        """Headers of every request."""
        ...

    def check(self, condition: Condition) -> None:
        """Refuse a condition that cannot be put into words here.

        Raises:
            InputError: It cannot.
        """
        ...

    def payload(self, request: Request, condition: Condition, host: str) -> dict[str, Json]:
        """The body of a request."""
        ...

    def read(self, body: Json) -> Answer:
        """The answer in a body.

        Raises:
            NotAnAnswerError: There is none.
        """
        ...


def with_extra(payload: dict[str, Json], condition: Condition) -> dict[str, Json]:
    """The payload with the condition's further fields."""
    return {**payload, **condition.extra} if condition.extra else payload


def check_extra(condition: Condition, own: frozenset[str]) -> None:
    """Refuse further fields that would replace what the condition says otherwise.

    Raises:
        InputError: There are some.
    """
    if clash := sorted(own & condition.extra.keys()):
        raise InputError(f"{clash[0]} is a setting of its own and cannot be an extra field")


def text_of(value: Json) -> str:
    """A text that may be absent."""
    return value if isinstance(value, str) else ""


def count_of(value: Json) -> int | None:
    """A count that may be absent; True is none."""
    return value if type(value) is int and value >= 0 else None


def said(body: Json) -> str:
    """What a service gives as the reason of an error, in one line; empty where it gives none."""
    if not isinstance(body, dict):
        return ""
    error = body.get("error", body.get("detail", body.get("message", "")))
    if isinstance(error, dict):
        error = error.get("message", error.get("type", ""))
    return " ".join(text_of(error).split())[:300]
