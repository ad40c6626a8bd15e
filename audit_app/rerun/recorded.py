"""Answers that were given before, from a JSON-lines file: for work without a network.

A line is ``{"task": id, "text": …}`` and may have ``tool_calls`` ([{name, arguments}]),
``reasoning``, ``finish_reason``, ``tokens_in``, ``tokens_out``, ``model``, ``trial`` and ``step``
(both from 1). Lines of a task without a ``trial`` are its trials in their order. A trial beyond
those recorded has no answer: one answer is never given for two trials.
"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import msgspec

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.record import Json
from audit_app.domain.trials import Attempt, Completion, CompletionStatus, Request, ToolCall
from audit_app.errors import InputError, RowRejectedError


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    arguments: Json = {}
    id: str = ""


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    task: str
    text: str = ""
    tool_calls: tuple[_Call, ...] = ()
    reasoning: str = ""
    finish_reason: str = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    trial: int | None = None
    step: int = 1


_Place = tuple[str, str, int, int]
"""Model (empty for any), task, trial, step."""


class RecordedProvider:
    """Gives the answers of a file.

    Args:
        endpoint: Its address is the path of the file.

    Raises:
        InputError: The file cannot be read.
        RowRejectedError: A line of it cannot be used, or answers for a place that has an answer.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._answers = _read(Path(endpoint.url))

    def check(self, condition: Condition) -> None:
        """Any condition: what was recorded was recorded under some."""

    def complete(
        self,
        request: Request,
        condition: Condition,
        *,
        cancel: threading.Event | None = None,
        tries: int | None = None,
    ) -> Completion:
        """The recorded answer, marked as cached."""
        if cancel is not None and cancel.is_set():
            error = "cancelled before it was looked up"
            return Completion(status=CompletionStatus.CANCELLED, error=error)
        place = (request.task_id, request.trial, request.step)
        line = self._answers.get((condition.model, *place)) or self._answers.get(("", *place))
        if line is None:
            error = (
                f"no answer is recorded for {request.task_id}, trial {request.trial}, "
                f"request {request.step}"
            )
            return Completion(status=CompletionStatus.NOT_RECORDED, error=error)
        return _completion(line)

    def close(self) -> None:
        """Nothing is open."""


def _read(path: Path) -> dict[_Place, _Line]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    answers: dict[_Place, _Line] = {}
    seen: Counter[tuple[str, str, int]] = Counter()
    for number, data in enumerate(lines, start=1):
        if not data.strip():
            continue
        try:
            line = msgspec.json.decode(data, type=_Line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise RowRejectedError(path.name, number, f"is no recorded answer: {error}") from error
        seen[line.model, line.task, line.step] += 1
        trial = seen[line.model, line.task, line.step] if line.trial is None else line.trial
        place = (line.model, line.task, trial, line.step)
        if place in answers:
            reason = f"a second answer of {line.task!r} for trial {trial}, request {line.step}"
            raise RowRejectedError(path.name, number, reason)
        answers[place] = line
    return answers


def _completion(line: _Line) -> Completion:
    return Completion(
        status=CompletionStatus.OK,
        text=line.text,
        tool_calls=tuple(
            ToolCall(call.id or f"call_{number}", call.name, _arguments(call.arguments))
            for number, call in enumerate(line.tool_calls, start=1)
        ),
        reasoning=line.reasoning,
        finish_reason=line.finish_reason,
        tokens_in=line.tokens_in,
        tokens_out=line.tokens_out,
        cached=True,
        attempts=(Attempt(CompletionStatus.OK, 0.0, was_sent=False),),
        body=msgspec.json.encode(line).decode(),
        served_model=line.model,
    )


def _arguments(value: Json) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
