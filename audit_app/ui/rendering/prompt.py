"""Prompts as a chat: turns, roles, and earlier conversations a task rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit_app.domain.benchmark import Message
from audit_app.domain.record import Json
from audit_app.ui.rendering.prose import said
from audit_app.ui.rendering.text import (
    as_text,
    block,
    bounded,
    counted,
    ends,
    folded,
    limit_for,
)

_ROLES = {"user": "User", "system": "System", "assistant": "Model", "tool": "Tool"}


def role_word(role: str) -> str:
    """The word a role is shown by."""
    return _ROLES.get(role.lower(), role)


def chat(messages: Sequence[Message], limit: int | None) -> str:
    """Messages one below the other, each with who said it."""

    def row(place: int) -> str:
        return message(messages[place].role, messages[place].content, limit)

    return ends(len(messages), "message", row)


def message(role: str, content: Json, limit: int | None) -> str:
    """One message of a chat."""
    return (
        f'<div class="turn {"sys" if role.lower() == "system" else ""}">'
        f'<span class="who" dir="auto">{bounded(role_word(role), 40)}</span>'
        f"{said(role, as_text(content), limit)}</div>"
    )


def conversations(bodies: Sequence[Json]) -> str:
    """Earlier conversations of a scenario, each folded with its topic and its size."""
    records = [body for body in bodies if isinstance(body, Mapping)]
    limit = limit_for(sum(_messages(record) for record in records), total=400_000)
    return "".join(_conversation(number, body, limit) for number, body in enumerate(bodies, 1))


def _turns(body: Mapping[str, Json]) -> list[list[Json]]:
    turns = body.get("question", body.get("turns", body.get("messages", [])))
    if not isinstance(turns, list):
        return [[turns]]
    return [turn if isinstance(turn, list) else [turn] for turn in turns]


def _messages(body: Mapping[str, Json]) -> int:
    return sum(len(turn) for turn in _turns(body))


def _conversation(number: int, body: Json, limit: int) -> str:
    if not isinstance(body, Mapping):
        return block(as_text(body), "desc", limit)
    topic = str(body.get("topic", "")) or str(body.get("id", ""))
    spoken = "".join(
        message(str(part.get("role", "")), part.get("content", ""), limit)
        if isinstance(part, Mapping)
        else block(as_text(part), limit=limit)
        for turn in _turns(body)
        for part in turn
    )
    summary = (
        f"<b>{number}</b> <bdi>{bounded(topic, 300)}</bdi> "
        f'<span class="meta">{counted(_messages(body), "message")}</span>'
    )
    return folded(summary, f'<div class="indent">{spoken}</div>')
