"""Prompts, grades and further fields as evaluation logs give them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from audit_app.domain.benchmark import Message, encode
from audit_app.domain.record import Json
from audit_app.importers.content import ShapeError, Turns, as_turn
from audit_app.importers.lines import json_type

SHORT_TEXT = 200
"""Characters up to which a value is something to stratify by."""
REASON_LIMIT = 2_000
"""Characters of a published reason that are kept."""


def prompt_turns(prompt: Json) -> Turns:
    """A prompt as one turn: a text, a list of messages, or a text that is such a list in JSON.

    Raises:
        ShapeError: It is anything else.
    """
    if prompt is None or prompt == "":
        return ()
    if isinstance(prompt, str):
        chat = _chat(prompt)
        return ((Message("user", prompt),),) if chat is None else (as_turn(chat, "the prompt"),)
    if not isinstance(prompt, list):
        raise ShapeError(f"the prompt is {json_type(prompt)}, not text or a list of messages")
    return (as_turn(prompt, "the prompt"),)


def _chat(text: str) -> list[Json] | None:
    """The messages of a chat that was written as text, None where it is a plain text."""
    if not text.lstrip().startswith("["):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    is_chat = isinstance(value, list) and all(
        isinstance(item, dict) and isinstance(item.get("role"), str) for item in value
    )
    return value if is_chat and value else None


def binary(value: Json) -> bool | None:
    """Whether a figure says passed or failed; None where it says anything between or else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and value in (0, 1):
        return value == 1
    return None


def shown(value: Json) -> str:
    """A value as a short text."""
    text = value if isinstance(value, str) else encode(value).decode()
    return text if len(text) <= REASON_LIMIT else f"{text[:REASON_LIMIT]}…"


def short_fields(values: Mapping[str, Json]) -> dict[str, str]:
    """The values that one can stratify by, as text."""
    fields = {}
    for name, value in values.items():
        if value is None or isinstance(value, (list, dict)):
            continue
        text = value if isinstance(value, str) else encode(value).decode()
        if len(text) <= SHORT_TEXT and "\n" not in text:
            fields[name] = text
    return fields
