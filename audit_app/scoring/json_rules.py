"""JSON values: equality, sets and lists."""

from __future__ import annotations

import json
from typing import Any

from audit_app.domain.record import Json
from audit_app.scoring.text_rules import normalised
from audit_app.scoring.value_scorer import Comparison, UnreadableError

_FENCE = "```"


def json_equal(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether both are the same JSON value: 1 equals 1.0, true is not 1, fields in any order.

    A text is read as JSON where it is JSON, a fence around it passed over; an accepted text that
    is not JSON stands for itself.

    Raises:
        UnreadableError: The output is text and not JSON, and the accepted value is not text.
    """
    expected = _read(accepted)
    found = _read(output)
    if isinstance(found, str) and found == output and not isinstance(expected, str):
        raise UnreadableError("the output is not JSON")
    return same_json(found, expected)


def same_json(one: Json, other: Json) -> bool:
    """Whether two JSON values are the same; booleans are not numbers."""
    pending: list[tuple[Any, Any]] = [(one, other)]
    while pending:
        a, b = pending.pop()
        if isinstance(a, bool) != isinstance(b, bool):
            return False
        if isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            pending += zip(a, b, strict=True)
        elif isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            pending += [(a[name], b[name]) for name in a]
        elif isinstance(a, list | dict) or isinstance(b, list | dict) or a != b:
            return False
    return True


def same_list(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether both hold the same members in the same order; texts as in ``normalised_text``.

    Raises:
        UnreadableError: The output is no list.
    """
    found, expected = _members(output), _members(accepted)
    return len(found) == len(expected) and all(map(_same_member, found, expected))


def same_set(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether both hold the same members in any order; repeats count once.

    Raises:
        UnreadableError: The output is no list.
    """
    found, expected = _members(output), _members(accepted)
    return _covered(found, expected) and _covered(expected, found)


def _covered(members: list[Json], others: list[Json]) -> bool:
    return all(any(_same_member(member, other) for other in others) for member in members)


def _same_member(one: Json, other: Json) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return normalised(one) == normalised(other)
    return same_json(one, other)


def _members(value: Json) -> list[Json]:
    """Members of a list, of a JSON text of one, or of a text with commas or line feeds."""
    read = _read(value)
    if isinstance(read, list):
        return read
    if isinstance(read, dict) or read is None:
        raise UnreadableError("the output is not a list")
    if not isinstance(read, str):
        return [read]
    parts = read.splitlines() if "\n" in read.strip() else read.split(",")
    return [_read(part.strip(" -*•\t")) for part in parts if part.strip(" -*•\t")]


def _read(value: Json) -> Json:
    """A text as the JSON value it holds, anything else as it is."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE):
        text = text.strip("`").removeprefix("json").strip()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return value
