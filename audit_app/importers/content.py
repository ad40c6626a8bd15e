"""Turns and keys as sources give them: checked for shape, never changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit_app.domain.benchmark import KeyKind, Message
from audit_app.domain.record import Json
from audit_app.importers.lines import json_type

Turns = tuple[tuple[Message, ...], ...]

SCORERS = {
    KeyKind.CALLS: "bfcl-ast",
    KeyKind.NO_CALL: "bfcl-irrelevance",
    KeyKind.SOME_CALL: "bfcl-relevance",
    KeyKind.CALL_TURNS: "bfcl-multi-turn",
    KeyKind.TEXTS: "bfcl-agentic",
}
"""The rule that reads each kind of key, unless the source names another."""


class ShapeError(ValueError):
    """A value does not have the shape its place asks for; the message says what it is."""


def as_turns(question: Json, what: str) -> Turns:
    """A list of turns, each a list of ``{role, content}`` objects.

    Args:
        question: The value as the source gives it.
        what: Its name in messages.

    Raises:
        ShapeError: It is anything else.
    """
    if not isinstance(question, list):
        raise ShapeError(f"{what} is {json_type(question)}, not a list of turns")
    return tuple([as_turn(turn, what) for turn in question])


def as_turn(turn: Json, what: str) -> tuple[Message, ...]:
    """A list of ``{role, content}`` objects.

    Raises:
        ShapeError: It is anything else.
    """
    if not isinstance(turn, list):
        raise ShapeError(f"a turn of {what} is {json_type(turn)}, not a list of messages")
    messages = []
    for message in turn:
        if not isinstance(message, dict):
            raise ShapeError(f"a message of {what} is {json_type(message)}, not an object")
        role = message.get("role")
        if not isinstance(role, str):
            raise ShapeError(f"the role of a message of {what} is {json_type(role)}, not text")
        messages.append(Message(role, message.get("content")))
    return tuple(messages)


def is_lossless(turns: list[list[dict[str, Any]]]) -> bool:
    """Whether role and content are all that the messages hold."""
    return all(len(message) == 2 and "content" in message for turn in turns for message in turn)


def _check_calls(key: list[Json]) -> None:
    for call in key:
        if not isinstance(call, dict):
            raise ShapeError(f"a call of the key is {json_type(call)}, not an object")
        for arguments in call.values():
            if not isinstance(arguments, dict):
                raise ShapeError(
                    f"the arguments of a call of the key are {json_type(arguments)}, not an object"
                )


def _check_call_turns(key: list[Json]) -> None:
    for turn in key:
        if not isinstance(turn, list):
            raise ShapeError(f"a turn of the key is {json_type(turn)}, not a list of calls")
        for call in turn:
            if not isinstance(call, str):
                raise ShapeError(f"a call of the key is {json_type(call)}, not text")


def _check_texts(key: list[Json]) -> None:
    for text in key:
        if not isinstance(text, str):
            raise ShapeError(f"an alternative of the key is {json_type(text)}, not text")


_CHECKS: dict[KeyKind, Callable[[list[Json]], None]] = {
    KeyKind.CALLS: _check_calls,
    KeyKind.CALL_TURNS: _check_call_turns,
    KeyKind.TEXTS: _check_texts,
}


def check_key(kind: KeyKind, key: Json) -> None:
    """Check that a key can be read the way its kind says; whether it is right is not asked.

    Raises:
        ShapeError: It cannot.
    """
    if check := _CHECKS.get(kind):
        if not isinstance(key, list):
            raise ShapeError(f"the key is {json_type(key)}, not a list")
        check(key)
