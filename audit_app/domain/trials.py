"""What is asked of a model, and what came back: requests, completions and whole trials.

An error is a status, never an answer: only a completion that is ``ok`` holds something to grade.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from typing import TypeVar

import msgspec

from audit_app.domain.record import Json

N = TypeVar("N", int, float)


class TrialStatus(StrEnum):
    """What a trial counts as, once graded; only ``pass`` is a success."""

    PASS = "pass"
    FAIL = "fail"
    """The scorer ran and said no."""
    HARNESS_ERROR = "harness_error"
    CONNECTION_ERROR = "connection_error"
    TIMEOUT = "timeout"
    NOT_RUN = "not_run"


class CompletionStatus(StrEnum):
    """How a request ended."""

    OK = "ok"
    """The model answered."""
    CONNECTION = "connection"
    """No connection, or one that was cut."""
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    """HTTP 5xx."""
    REFUSED = "refused"
    """Another HTTP 4xx: wrong key, unknown model, a prompt too long; or withheld by a filter."""
    REDIRECTED = "redirected"
    """The endpoint points elsewhere; that is never followed."""
    INVALID_ANSWER = "invalid_answer"
    """It came, and cannot be read as an answer."""
    TOO_LARGE = "too_large"
    HARNESS = "harness"
    """What stands around the model failed, as the simulators of a tool task."""
    CANCELLED = "cancelled"
    NOT_RECORDED = "not_recorded"
    """The file of recorded answers holds none for this trial."""

    @property
    def error(self) -> TrialStatus | None:
        """What a trial that ended so counts as; None where its answer is to be graded."""
        return _ERRORS[self]


_ERRORS = {
    CompletionStatus.OK: None,
    CompletionStatus.TIMEOUT: TrialStatus.TIMEOUT,
    CompletionStatus.INVALID_ANSWER: TrialStatus.HARNESS_ERROR,
    CompletionStatus.TOO_LARGE: TrialStatus.HARNESS_ERROR,
    CompletionStatus.HARNESS: TrialStatus.HARNESS_ERROR,
    CompletionStatus.CANCELLED: TrialStatus.NOT_RUN,
    CompletionStatus.NOT_RECORDED: TrialStatus.NOT_RUN,
    CompletionStatus.CONNECTION: TrialStatus.CONNECTION_ERROR,
    CompletionStatus.RATE_LIMITED: TrialStatus.CONNECTION_ERROR,
    CompletionStatus.SERVER_ERROR: TrialStatus.CONNECTION_ERROR,
    CompletionStatus.REFUSED: TrialStatus.CONNECTION_ERROR,
    CompletionStatus.REDIRECTED: TrialStatus.CONNECTION_ERROR,
}


class Tool(msgspec.Struct, frozen=True):
    """A tool on offer; ``parameters`` is JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Json]


class ToolCall(msgspec.Struct, frozen=True):
    """A call that a model asks for; ``arguments`` is JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


class ChatMessage(msgspec.Struct, frozen=True):
    """One message of a conversation.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``.
        content: The text.
        tool_calls: What an assistant's message calls.
        tool_call_id: The call of which a tool's message is the result.
    """

    role: str
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is put to a model once.

    Attributes:
        task_id: Of which task.
        trial: Number of the repetition, from 1.
        step: Number of the request within the trial, from 1.
        messages: The conversation so far.
        tools: What may be called natively.
    """

    task_id: str
    trial: int = 1
    step: int = 1
    messages: tuple[ChatMessage, ...]
    tools: tuple[Tool, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of what the model gets to see, hexadecimal: equal for repeats of a task."""
        return sha256(msgspec.json.encode([self.messages, self.tools])).hexdigest()


class TokenLogprob(msgspec.Struct, frozen=True):
    """A token with its log-probability, and the likeliest at its place as (token, logprob)."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class Attempt(msgspec.Struct, frozen=True):
    """One try at a request.

    Attributes:
        status: How it ended.
        seconds: From sending to the end of the answer.
        waited_s: Seconds waited before it.
        http_status: 0 where there was no HTTP answer.
        error: What went wrong, in words.
        was_sent: Whether it may have reached the endpoint: not where no connection stood.
    """

    status: CompletionStatus
    seconds: float
    waited_s: float = 0.0
    http_status: int = 0
    error: str = ""
    was_sent: bool = True


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """How one request ended; no text in it holds the endpoint's key.

    Attributes:
        status: Whether the model answered.
        text: What it said.
        tool_calls: What it called, under the names that were sent.
        reasoning: What it thought, where the endpoint tells it apart.
        logprobs: Of the tokens of the text; None where not asked for or not given.
        finish_reason: Why it stopped, as the endpoint says (``length``: it was cut off).
        tokens_in: Tokens of the request, as counted by the endpoint; None where it does not say.
        tokens_out: Tokens of the answer, likewise.
        seconds: Of the last attempt; waiting and earlier attempts stand in ``attempts``.
        cost_usd: At the prices of the endpoint; None where not known.
        cached: Whether this is an answer given before: recorded, or said to be from a cache.
        http_status: 0 where there was no HTTP answer.
        attempts: All tries, the last one included.
        error: What went wrong, in one sentence.
        body: The answer as it came, up to a limit.
        response_id: The endpoint's id of the answer; equal ids are one answer given twice.
        served_model: The model that answered, as the endpoint says.
        fingerprint: The endpoint's name for its own set-up.
    """

    status: CompletionStatus
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    logprobs: tuple[TokenLogprob, ...] | None = None
    finish_reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0
    cost_usd: float | None = None
    cached: bool = False
    http_status: int = 0
    attempts: tuple[Attempt, ...] = ()
    error: str = ""
    body: str = ""
    response_id: str = ""
    served_model: str = ""
    fingerprint: str = ""

    @property
    def tries(self) -> int:
        """How often it was sent."""
        return len(self.attempts)

    @property
    def is_cut_off(self) -> bool:
        """Whether the answer ended at the limit of tokens."""
        return self.finish_reason in ("length", "max_tokens", "model_context_window_exceeded")


class TrialRun(msgspec.Struct, frozen=True, kw_only=True):
    """One trial of one task, run to its end.

    Attributes:
        task_id: The task.
        trial: Number of the repetition, from 1.
        status: ``ok`` where there is an output to grade.
        output: What the scorers take: text, calls, or turns of steps.
        form: How it is to be read: the scorers' setting ``form``.
        completions: Every request of it, in order; what was paid for is here even if it failed.
        requests: Digests of the requests, in the same order.
        error: Why there is nothing to grade.
        questions: Turns (from 1) that ended with what reads as a question: an observation.
        follow_ups: How many of them got a reply from the harness.
    """

    task_id: str
    trial: int
    status: CompletionStatus
    output: Json = None
    form: str = "auto"
    completions: tuple[Completion, ...] = ()
    requests: tuple[str, ...] = ()
    error: str = ""
    questions: tuple[int, ...] = ()
    follow_ups: int = 0

    @property
    def tokens_in(self) -> int | None:
        """Sum over its requests; None where one that was answered is not known."""
        return _total(c.tokens_in for c in self._answered())

    @property
    def tokens_out(self) -> int | None:
        """Sum over its requests; None where one that was answered is not known."""
        return _total(c.tokens_out for c in self._answered())

    @property
    def cost_usd(self) -> float | None:
        """Sum over its requests; None where one that was answered is not known."""
        return _total(c.cost_usd for c in self._answered())

    @property
    def seconds(self) -> float:
        """Seconds of all attempts, without waiting."""
        return sum(attempt.seconds for c in self.completions for attempt in c.attempts)

    @property
    def is_cached(self) -> bool:
        """Whether any of it was answered before."""
        return any(completion.cached for completion in self.completions)

    def _answered(self) -> Iterable[Completion]:
        return (c for c in self.completions if c.status is CompletionStatus.OK)


class Executed(msgspec.Struct, frozen=True):
    """Results of the calls of the last step of a tool task.

    Attributes:
        results: One text a call.
        error: Why there are none; empty where there are.
    """

    results: tuple[str, ...] = ()
    error: str = ""


def _total(values: Iterable[N | None]) -> N | None:
    """The sum; None where a value is not known, or where there is none."""
    total: N | None = None
    for value in values:
        if value is None:
            return None
        total = value if total is None else total + value
    return total
