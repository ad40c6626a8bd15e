"""The most that a request can cost, and which requests may have cost something untold.

A budget is never passed only if whatever is not known counts at its largest. A token is at least
one byte of UTF-8 for every tokenizer that works on bytes, so the bytes of a request bound its
tokens; what a chat template adds to a message is less than what JSON adds.
"""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.live_jobs import Amount
from audit_app.domain.trials import Attempt, CompletionStatus

TEMPLATE_TOKENS = 576
"""What an endpoint may add to a request by itself: a template's frame, and the words with which
it tells a model of its tools (some 350 tokens, as one vendor's price list says)."""
_BYTES_A_TOKEN = 4
"""Of English text, roughly; used for what is expected, never for what is allowed."""


def largest_request(
    endpoint: Endpoint, condition: Condition, size: int, *, tokens_in: int | None = None
) -> Amount:
    """The most that one answered request can take.

    Args:
        endpoint: With its prices.
        condition: Says how long an answer may be.
        size: Bytes of the request as JSON.
        tokens_in: Tokens of the request where they are known, from an equal one.
    """
    inward = size + TEMPLATE_TOKENS if tokens_in is None else tokens_in
    cost = endpoint.cost(condition.model, inward, condition.max_tokens)
    return Amount(1, inward + condition.max_tokens, cost or 0.0)


def expected_tokens(size: int) -> int:
    """About how many tokens so many bytes of text are."""
    return -(-size // _BYTES_A_TOKEN)


def answers_untold(attempts: Iterable[Attempt], *, is_told: bool) -> int:
    """How many tries of a request may have been answered, and paid for, without our knowing.

    An endpoint that says no (HTTP 3xx to 5xx) made no answer; a gateway that gave up waiting may
    have left one behind.

    Args:
        attempts: All tries.
        is_told: Whether the endpoint said what its answer took.
    """
    untold = [a for a in attempts if a.was_sent and _may_be_paid(a)]
    return sum(not (is_told and attempt.status is CompletionStatus.OK) for attempt in untold)


def _may_be_paid(attempt: Attempt) -> bool:
    return attempt.http_status < 300 or attempt.status is CompletionStatus.TIMEOUT
