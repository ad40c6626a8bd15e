"""Messages as Anthropic speaks them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from audit_app.domain.conditions import Condition
from audit_app.domain.record import Json
from audit_app.domain.trials import ChatMessage, Request, ToolCall
from audit_app.errors import InputError
from audit_app.rerun.dialect import (
    Answer,
    NotAnAnswerError,
    check_extra,
    count_of,
    said,
    text_of,
    with_extra,
)

VERSION = "2023-06-01"
"""Of the interface."""
_OWN = frozenset(
    {"model", "messages", "system", "tools", "temperature", "top_p", "max_tokens", "stream"}
)
_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicDialect:
    """Messages, with tools."""

    def path(self, base_path: str) -> str:
        """The version is added where the address lacks it."""
        return "/messages" if base_path.endswith("/v1") else "/v1/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        """The version, and the key where there is one."""
        version = {"anthropic-version": VERSION}
        return version if key is None else {**version, "x-api-key": key}

    def check(self, condition: Condition) -> None:
        """Refuse what these endpoints do not offer."""
        if condition.seed is not None:
            raise InputError("Anthropic takes no seed; leave the seed empty")
        if condition.top_logprobs is not None:
            raise InputError("Anthropic gives no log-probabilities; do not ask for them")
        if condition.temperature is not None and condition.temperature > 1:
            raise InputError(
                f"the temperature {condition.temperature:g} is above 1, the most Anthropic takes"
            )
        check_extra(condition, _OWN)

    def payload(self, request: Request, condition: Condition, host: str) -> dict[str, Json]:
        """The body; what the system says stands apart, and results of tools are a user's."""
        system = [m.content for m in request.messages if m.role == "system"]
        body: dict[str, Json] = {
            "model": condition.model,
            "max_tokens": condition.max_tokens,
            "messages": _messages(m for m in request.messages if m.role != "system"),
        }
        if system:
            body["system"] = "\n\n".join(system)
        if condition.temperature is not None:
            body["temperature"] = condition.temperature
        if condition.top_p is not None:
            body["top_p"] = condition.top_p
        if request.tools:
            body["tools"] = [
                {"name": t.name, "description": t.description, "input_schema": t.parameters}
                for t in request.tools
            ]
        return with_extra(body, condition)

    def read(self, body: Json) -> Answer:
        """All blocks of the answer.

        Raises:
            NotAnAnswerError: There are none.
        """
        blocks = body.get("content") if isinstance(body, dict) else None
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            reason = said(body)
            raise NotAnAnswerError(f"the answer has no content{': ' + reason if reason else ''}")
        usage = body.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        counts = [count_of(usage.get(name)) for name in _INPUT_COUNTS]
        return Answer(
            text="".join(_texts(blocks, "text", "text")),
            tool_calls=tuple(_call(b) for b in blocks if b.get("type") == "tool_use"),
            reasoning="".join(_texts(blocks, "thinking", "thinking")),
            finish_reason=text_of(body.get("stop_reason")),
            tokens_in=None if counts[0] is None else sum(count or 0 for count in counts),
            tokens_out=count_of(usage.get("output_tokens")),
            response_id=text_of(body.get("id")),
            served_model=text_of(body.get("model")),
        )


def _messages(messages: Iterable[ChatMessage]) -> list[dict[str, Json]]:
    """Messages as lists of blocks, neighbours of one role in one message."""
    sent: list[dict[str, Json]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if sent and sent[-1]["role"] == role:
            sent[-1]["content"] += blocks
        elif blocks:
            sent.append({"role": role, "content": blocks})
    return sent


def _blocks(message: ChatMessage) -> list[dict[str, Json]]:
    if message.role == "tool":
        result = {"type": "tool_result", "tool_use_id": message.tool_call_id}
        return [{**result, "content": message.content}]
    blocks: list[dict[str, Json]] = []
    if message.content.strip():  # a block of white space is refused
        blocks.append({"type": "text", "text": message.content})
    for call in message.tool_calls:
        used = {"type": "tool_use", "id": call.id, "name": call.name}
        blocks.append({**used, "input": _arguments(call.arguments)})
    return blocks


def _arguments(text: str) -> dict[str, Json]:
    """Arguments as the object that is asked for; what came from here is one already."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _texts(blocks: list[dict[str, Json]], kind: str, field: str) -> list[str]:
    return [text_of(block.get(field)) for block in blocks if block.get("type") == kind]


def _call(block: dict[str, Json]) -> ToolCall:
    name = block.get("name")
    if not isinstance(name, str):
        raise NotAnAnswerError("a tool call names no tool")
    arguments = msgspec.json.encode(block.get("input", {})).decode()
    return ToolCall(text_of(block.get("id")), name, arguments)
